"""The language table: one folder per language, read by :mod:`hardtack.build.languages.registry`."""
