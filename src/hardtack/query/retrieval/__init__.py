"""Retrieves chunks: one ranked list for each retriever, fused into one pool."""
