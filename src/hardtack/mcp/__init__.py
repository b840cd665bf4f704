"""The tools over the Model Context Protocol: the only package that knows its SDK."""
