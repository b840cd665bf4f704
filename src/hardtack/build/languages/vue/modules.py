"""Its scripts import what JavaScript does."""

from hardtack.build.languages.javascript.modules import paths_of

__all__ = ["paths_of"]
