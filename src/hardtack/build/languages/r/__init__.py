"""R: a name may be quoted."""
