"""Ruby: symbols name methods, double colons separate modules."""
