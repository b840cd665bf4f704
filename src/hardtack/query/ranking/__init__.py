"""Ranks a pool of chunks: scores files by learned features, then orders the chunks of each file."""
