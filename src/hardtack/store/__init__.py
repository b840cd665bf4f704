"""Bundles on this machine: where they are found."""
