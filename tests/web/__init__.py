"""The table: its logic, what it sends, and the page in a browser."""
