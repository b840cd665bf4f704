"""Nix: attributes may be quoted."""
