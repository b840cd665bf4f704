"""Groovy: cut by words and braces, because its tree-sitter grammar knows no classes and fails on most real files."""
