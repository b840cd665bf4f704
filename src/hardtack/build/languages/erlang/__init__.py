"""Erlang: an atom may be quoted."""
