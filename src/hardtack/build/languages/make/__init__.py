"""Make: targets, variables and canned recipes."""
