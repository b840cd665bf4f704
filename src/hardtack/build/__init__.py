"""The build half: a source tree in, a bundle out.

Heavy tools live here and only here (git, tree-sitter grammars, the model that encodes). Nothing under ``hardtack.query`` or
``hardtack.bundle`` may import this package: a bundle is answered from without it.
"""
