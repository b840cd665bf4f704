"""Where a file that C++ includes may lie: where C looks for it."""

from __future__ import annotations

from hardtack.build.languages.c.modules import paths_of

__all__ = ["paths_of"]
