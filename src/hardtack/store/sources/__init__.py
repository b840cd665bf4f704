"""Where bundles come from and go to: one protocol, and a module for each kind of place."""
