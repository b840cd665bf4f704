"""The bundle format and nothing else: layout, manifest, members, verification, writing, reading. Specified in FORMAT.md."""
