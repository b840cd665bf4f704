"""The bytes of a bundle: names, tables, rows, members and packs (FORMAT.md)."""
