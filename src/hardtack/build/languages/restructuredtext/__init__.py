"""reStructuredText: cut by section titles and explicit targets."""
