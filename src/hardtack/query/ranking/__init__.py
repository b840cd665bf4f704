"""A pool of chunks becomes candidates, best first: files by learned features, chunks within their files."""
