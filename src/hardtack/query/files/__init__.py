"""Lists, reads and searches the stored files, line by line."""
