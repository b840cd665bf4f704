"""HCL: a block is qualified by its word and its labels."""
