"""Directories and git commits in, ``SourceFile`` or ``Skip`` values out, in path order.

``tree`` is the entry point. ``git`` runs git, ``commit`` reads a commit's blobs, ``walk`` reads directories, ``ignore`` applies
gitignore rules, ``paths`` checks paths, ``unwanted`` recognises files that are not worth indexing, ``secrets`` finds secrets, and
``decode`` turns bytes into text. Nothing here knows syntax, symbols or bundles.
"""
