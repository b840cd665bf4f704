"""What a change reaches: symbols, entry points and tests, from one bundle, or from two that are compared."""
