"""The language table: one folder for each language, read by :mod:`hardtack.build.languages.registry`."""
