"""The possible paths of a style sheet that SCSS uses: those of CSS, and Sass' partials."""

from __future__ import annotations

from hardtack.build.languages.css.modules import paths_of

__all__ = ["paths_of"]
