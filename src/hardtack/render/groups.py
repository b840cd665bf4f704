"""Hits in, what renderers for people show of them out: the hits of each file together, and which lines of a hit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hardtack.nouns.model import Hit, Place

TWINS: Final = 5
"""Hits that another stands for, to be named."""


def by_file(hits: Sequence[Hit]) -> list[list[Hit]]:
    """The hits of each file, files in order of their best hit, hits as they come."""
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(path_shown(hit), []).append(hit)
    return list(groups.values())


def path_shown(found: Hit | Place) -> str:
    """The path; where several bundles answer, with the name of its own before it."""
    return f"{found.index_name}:{found.path}" if found.index_name else found.path


def text_shown(hit: Hit) -> str:
    """The snippet and the lines that were asked for around it."""
    return "\n".join(part for part in (hit.context_before, hit.snippet, hit.context_after) if part)


def twins_shown(hit: Hit, dressed: Callable[[str], str]) -> str:
    """Where the first hits lie that this one stands for, and how many more there are."""
    named = ", ".join(dressed(f"{path_shown(twin)}:{twin.line}") for twin in hit.also[:TWINS])
    return f"{named} and {len(hit.also) - TWINS} more" if len(hit.also) > TWINS else named


def place_shown(hit: Hit) -> str:
    """``FIRST-LAST``, or the one line, as verbs that take a place read it."""
    first, last = lines_shown(hit)
    return f"{first}-{last}" if last > first else str(first)


def freshness_shown(hit: Hit) -> str:
    """What became of the file in the checkout, and where the lines stand now; empty where there is nothing to tell."""
    if hit.freshness in ("unknown", "fresh"):
        return ""
    first, last = hit.current_start_line, hit.current_end_line
    if first is None or last is None:
        return hit.freshness
    return f"{hit.freshness}, now {first}-{last}" if last > first else f"{hit.freshness}, now {first}"


def lines_shown(hit: Hit) -> tuple[int, int]:
    """First and last line of what is shown; where to look, twice, when nothing is."""
    if hit.snippet_start_line is None or hit.snippet_end_line is None:
        line = hit.selection_line or hit.start_line
        line = line if hit.start_line <= line <= hit.end_line else hit.match_line or hit.start_line
        return line, line
    before, after = (text.count("\n") + 1 if text else 0 for text in (hit.context_before, hit.context_after))
    return hit.snippet_start_line - before, hit.snippet_end_line + after
