"""Explains how a search came to its answer."""
