"""Tuolaji (拖拉机): a reinforcement-learning environment for the card game in all its rules."""

__version__ = "0.1.0"
