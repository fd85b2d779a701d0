"""The tests, as a package, so that they share helpers and the oracle."""
