"""What the environment does a second, beside others on the same core: ``make bench``."""
