"""The rules by clause: each test's id begins with the clause it shows."""
