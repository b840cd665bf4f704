"""A text of Objective-C without macros: those of C."""

from __future__ import annotations

from hardtack.build.languages.c.macros import without_macros

__all__ = ["without_macros"]
