"""Compares a checkout with what was indexed."""
