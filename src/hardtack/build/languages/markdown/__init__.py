"""Markdown: cut by headings here, because its tree-sitter grammar crashes on nested quotes and lists."""
