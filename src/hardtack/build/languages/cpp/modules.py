"""The possible paths of a file that C++ includes: those of C."""

from __future__ import annotations

from hardtack.build.languages.c.modules import paths_of

__all__ = ["paths_of"]
