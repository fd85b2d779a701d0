"""Training: one file per algorithm, shared pieces beside them."""
