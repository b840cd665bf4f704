"""One source file in, its outline out: symbols, details, imports and uses, and the chunks that the file is cut into."""
