"""The possible paths of a module that an OCaml interface opens: those of OCaml."""

from __future__ import annotations

from hardtack.build.languages.ocaml.modules import paths_of

__all__ = ["paths_of"]
