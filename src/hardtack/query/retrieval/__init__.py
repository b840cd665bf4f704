"""A query becomes ranked lists of chunks, one for each retriever, and these become one pool."""
