"""Zig: names may be quoted."""
