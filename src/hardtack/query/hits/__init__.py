"""Makes hits of candidates: chooses the lines that each shows and drops near-duplicates."""
