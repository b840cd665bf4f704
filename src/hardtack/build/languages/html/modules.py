"""Its scripts import modules as JavaScript does."""

from hardtack.build.languages.javascript.modules import paths_of

__all__ = ["paths_of"]
