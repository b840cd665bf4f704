"""The programs that talk MCP, and their configuration files: which there are, and one entry put into or taken out of one.

``table.py`` lists the clients, ``jsonc.py`` and ``toml.py`` edit text, ``files.py`` the files that hold it; ``launch.py`` says how
Hardtack is started. Nothing here knows what a bundle is.
"""
