"""The stored files: listed, read and searched line by line."""
