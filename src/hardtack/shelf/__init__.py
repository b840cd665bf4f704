"""Many bundles that answer as one, each opened when it may answer."""
