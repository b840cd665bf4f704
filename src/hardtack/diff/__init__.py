"""Two bundles of one repository in, what differs between their symbols out, and what of it breaks callers.

    surface     a bundle -> the symbols that code outside of the repository can name, and at which addresses
    crates, go_packages, entrances    the same for Rust, Go and what manifests say
    entries     a bundle -> the symbols of its changed files
    bodies      a symbol -> its text as tokens, to be compared
    pairing     the symbols of both -> pairs: the same, moved, renamed, added, removed
    rules       what breaks callers, by family of languages, as a table; parameters, types and definitions find it
    modules     both surfaces -> modules that are gone, and names that modules do not pass on any more
    relations   both bundles -> imports, supertypes and calls that were gained and lost
    comparison  two bundles -> the whole comparison
    revisions   a revision of git -> the bundle of its commit: one at hand, or one that commit_process builds

Files with the same content on both sides are not looked into.
"""
