"""A question in, one composed answer out: ways between symbols, code, callers, tests, types, and what was left out."""
