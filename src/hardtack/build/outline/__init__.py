"""One source file becomes an outline: symbols, details, imports and uses, and chunks that tile the file."""
