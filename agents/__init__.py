"""Players as objects, and the arena in which they meet."""
