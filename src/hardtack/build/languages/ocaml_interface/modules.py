"""Where a module that an OCaml interface opens may lie: where OCaml looks for it."""

from __future__ import annotations

from hardtack.build.languages.ocaml.modules import paths_of

__all__ = ["paths_of"]
