"""Indexes that language's own compilers made (SCIP files) in, what they say of the bundle's files out.

    opened_indexes     SCIP files             -> their digests, indexers and documents, by path    index_file.py
    CompilerIndexes    indexes, source files  -> what is said of each, if it fits the text         indexes.py
        said_of            document, text         -> occurrences, if they fit                          documents.py
        ranges.Lines       line and character     -> bytes of the text                                 ranges.py
        SymbolTable        symbol                 -> a number, its package and its name                symbols.py
    schema.messages    bytes               -> SCIP's messages                                      schema.py

An index is a file that anybody may have written, of any state of the source. Nothing in it decides which files are opened, how much
memory is taken or how long it takes, and what it says of a place counts only if the text has the symbol's name there.
"""
