"""Indexes of names, words, pairs of words, runs of letters, and columns: look-ups that read no rows."""
