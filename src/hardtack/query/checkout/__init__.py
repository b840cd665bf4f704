"""What a checkout has now, beside what was indexed."""
