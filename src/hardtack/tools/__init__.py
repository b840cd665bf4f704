"""The tools that agents can call, independent of any protocol: each has typed parameters, a typed result and one function."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Final

from hardtack.errors import UsageError
from hardtack.tools.tool import TOOLSETS, Tool

TOOLS: Final = {
    "default": ("explore", "symbol", "usages", "search_text", "read"),
    "search": ("search_code", "hybrid_search", "analyze_query", "find_similar"),
    "symbols": (
        "find_type_definition",
        "get_function_details",
        "list_package_exports",
        "find_implementations",
        "find_references",
    ),
    "files": ("search", "smart_search", "open_file", "get_snippet", "list_dir"),
    "history": ("get_history",),
    "changes": ("diff", "impact"),
    "indexes": ("list_indexes", "index_stats", "get_status"),
    "build": ("index_codebase", "clear_index"),
}
"""Toolset -> its tools; each is a module of this package with a ``TOOL``."""

DEFAULT: Final = "default"
GROUPS: Final = {"contract": tuple(name for name in TOOLS if name not in (DEFAULT, "changes")), "all": tuple(TOOLS)}
"""Name of several toolsets -> these."""


def names_of(toolsets: Sequence[str] = TOOLSETS, *, allow_build: bool = False) -> list[str]:
    """The names of the tools of these toolsets or :data:`GROUPS`, in order; those that change bundles only with ``allow_build``.

    Raises:
        UsageError: there is no such toolset.
    """
    if unknown := [name for name in toolsets if name not in TOOLS and name not in GROUPS]:
        raise UsageError(f"There is no toolset {unknown[0]!r}.", hint=f"Toolsets: {', '.join((*TOOLS, *GROUPS))}.")
    wanted = {toolset for name in toolsets for toolset in GROUPS.get(name, (name,))}
    chosen = [toolset for toolset in TOOLS if toolset in wanted and (allow_build or toolset != "build")]
    return [name for toolset in chosen for name in TOOLS[toolset]]


def tool_named(name: str, *, allow_build: bool = False) -> Tool:
    """The tool of that name.

    Raises:
        UsageError: TOOL_NOT_FOUND; there is none, or it changes bundles and ``allow_build`` is false.
    """
    if name not in (served := names_of(allow_build=allow_build)):
        hint = f"Tools: {', '.join(sorted(served))}."
        raise UsageError(f"There is no tool {name!r}.", code="TOOL_NOT_FOUND", details={"tool": name}, hint=hint)
    tool: Tool = importlib.import_module(f"{__name__}.{name}").TOOL
    return tool


def tools_of(toolsets: Sequence[str] = TOOLSETS, *, allow_build: bool = False) -> list[Tool]:
    """The tools of these toolsets; arguments and errors as for :func:`names_of`."""
    return [tool_named(name, allow_build=allow_build) for name in names_of(toolsets, allow_build=allow_build)]
