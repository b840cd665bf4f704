"""Candidates become hits: which lines each shows, and which say the same."""
