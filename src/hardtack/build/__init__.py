"""Source tree in, bundle out.

Only this package uses git, tree-sitter grammars and encoder models. Nothing under ``hardtack.query`` or ``hardtack.bundle`` may
import it: searching a bundle needs none of them.
"""
