"""The working tree over a bundle: answers of the files as they are now."""
