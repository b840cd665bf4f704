"""Where a style sheet that SCSS uses may lie: where CSS looks for it, and Sass' partials."""

from __future__ import annotations

from hardtack.build.languages.css.modules import paths_of

__all__ = ["paths_of"]
