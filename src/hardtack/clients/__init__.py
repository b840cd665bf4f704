"""MCP clients and their configuration files: adding or removing one entry (``hardtack init``).

``table.py`` lists the clients, ``jsonc.py`` and ``toml.py`` edit text, ``files.py`` edits files; ``launch.py`` gives the command
that starts Hardtack. Nothing here depends on bundles.
"""
