"""The quoted texts of a Python file in, those that its type checkers read as types out.

In an annotation the tree tells. Elsewhere a text is a type where a name of ``typing`` takes it, whatever the file calls that:
``t.cast("Jar", x)``, ``Opt["Jar"]``, ``TypeVar("T", bound="Jar")``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.relations import Import

_REACH: Final = 160
_MODULES: Final = ("typing", "typing_extensions")
_TAKING: Final = {"cast": rb"\s*", "ForwardRef": rb"\s*", "TypeVar": rb"[^()]*\bbound\s*=\s*", "NewType": rb"[^()]*,\s*"}
"""Functions that take a type, and what stands before it among their arguments."""
_VALUES: Final = frozenset({"Literal", "Annotated"})
"""Names of ``typing`` whose brackets hold values."""
_QUOTE: Final = re.compile(rb"[rRuU]?['\"]{1,3}\Z")
_BRACKET: Final = re.compile(rb"[()\[\]]")
_HEAD: Final = re.compile(rb"(?:\w+\.)*\w+\Z")


def quoted_types(texts: Sequence[tuple[int, int]], text: bytes, imported: Sequence[Import]) -> Iterator[tuple[int, int]]:
    """The (start, end) of those texts that a name of ``typing`` takes as a type."""
    modules = {each.alias or each.module for each in imported if each.module in _MODULES and not each.name}
    names = {each.alias: each.name for each in imported if each.module in _MODULES and each.name not in ("", "*")}
    if not modules and not names:
        return

    def meant(called: str) -> str:
        module, _, name = called.rpartition(".")
        return name if module in modules else "" if module else names.get(called, "")

    for start, end in texts:
        heads: list[str] = []
        for bracket, called, inside in _around(_QUOTE.sub(b"", text[max(0, start - _REACH) : start])):
            heads.append(meant(called))
            if bracket == b"(":
                taking = _TAKING.get(heads.pop())
                heads += ["cast"] if taking is not None and re.fullmatch(taking, inside) else []
                break
        if any(heads) and _VALUES.isdisjoint(heads):
            yield start, end


def _around(before: bytes) -> Iterator[tuple[bytes, str, bytes]]:
    """(bracket, the name before it, what stands inside it) of each bracket that is open at the end of a text, innermost first."""
    depth = 0
    for match in reversed(list(_BRACKET.finditer(before))):
        if match[0] in b")]":
            depth += 1
        elif depth:
            depth -= 1
        else:
            head = _HEAD.search(before, 0, match.start())
            yield match[0], head[0].decode("utf-8", "replace") if head is not None else "", before[match.end() :]
