"""Committed transcripts and counts; `regenerate` writes them anew."""
