"""Two bundles of one repository in, what differs between their symbols out, and what of it breaks callers.

    surface     a bundle -> the symbols that code outside of the repository can name, and at which addresses
    entries     a bundle -> the symbols of its changed files
    bodies      a symbol -> its text as tokens, to be compared
    pairing     the symbols of both -> pairs: the same, moved, renamed, added, removed
    rules       what breaks callers, by family of languages, as a table; parameters, types and definitions find it
    comparison  two bundles -> the whole comparison

Files with the same content on both sides are not looked into.
"""
