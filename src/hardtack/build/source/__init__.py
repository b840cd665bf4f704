"""Places on disk and git commits in, ``SourceFile`` or ``Skip`` out, in order of path.

``tree`` is the way in. ``git`` asks git, ``commit`` reads a commit's blobs, ``walk`` reads directories, ``ignore`` knows gitignore
rules, ``paths`` decides what may be a label, ``unwanted`` knows names that are not worth indexing, and ``decode`` turns bytes into
text. Nothing here knows syntax, symbols or bundles.
"""
