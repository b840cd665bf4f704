"""A glob of symbol names in, a predicate over symbols out.

``*`` is any run of characters, ``?`` one; everything else stands for itself, in any case. A glob is held against the whole name and
the whole qualified name, whose parts it may join as any language does: ``Shelf.*``, ``Shelf::*``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hardtack.bundle.format.records import SymbolName

_JOINT = re.compile(r"::|->|[#\\/]")


def is_glob(name: str) -> bool:
    """Whether a name has wildcards."""
    return "*" in name or "?" in name


def plain_name(name: str) -> str:
    """A name as it is compared: in lower case, its parts joined by dots."""
    return _JOINT.sub(".", name.strip().lower())


def name_predicate(glob: str) -> Callable[[SymbolName], bool]:
    """Whether a symbol is called as ``glob`` says.

    What lies between two stars is looked for once, from the left, and never again: an atomic group takes the first place it is
    found, which is as good as any later one, so time grows with the name's length and not with how stars may divide it.
    """
    first, *others = (
        "".join("." if letter == "?" else re.escape(letter) for letter in piece)
        for piece in re.sub(r"\*+", "*", plain_name(glob)).split("*")
    )
    between, last = others[:-1], others[-1:]
    pattern = first + "".join(f"(?>.*?{piece})" for piece in between) + "".join(f".*{piece}" for piece in last)
    matches = re.compile(pattern, re.DOTALL).fullmatch

    def is_called(named: SymbolName) -> bool:
        name, qualified_name = named.folded
        return matches(name) is not None or (name != qualified_name and matches(qualified_name) is not None)

    return is_called
