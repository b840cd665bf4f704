"""SCIP's symbols in, small numbers out, with the name that a symbol is written by and the package that it belongs to.

A symbol is a text: ``scip-typescript npm left-pad 1.0.0 src/`pad.ts`/Pad#left().``, or ``local 3`` within one document. Texts are
of any length, so a number is looked up by a digest.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

_LOCAL: Final = "local "
_MAX_SYMBOL: Final = 1 << 11
"""Longest symbol that is read, in characters."""
_NAME: Final = r"(?:`((?:[^`]|``)*)`|([\w+$-]+))"
_DESCRIPTOR: Final = re.compile(rf"{_NAME}(\([\w+$-]*\)\.|[/#.:!])|\[{_NAME}\]|\({_NAME}\)")
_ACCESSOR: Final = re.compile(r"<[gs]et>")
_SIGILS: Final = "$@#'\"`"
"""Characters around a name that not every indexer takes for a part of it."""
_PYTHON_MODULE: Final = "__init__:"
"""The end of a module's symbol as scip-python writes it; elsewhere modules are namespaces whose names are paths."""


class Parsed(NamedTuple):
    """The parts of a symbol that are looked at."""

    is_local: bool
    """It is known in its document alone."""
    package: str
    """Scheme, manager and name of its package."""
    name: str
    """Of its last descriptor; empty if that cannot be written: a constructor, a module."""
    is_numbered: bool
    """The name ends in digits that keep apart what is written alike."""
    owner: str
    """Name of the descriptor before the last."""
    is_module: bool


@lru_cache(maxsize=1 << 13)
def parsed(symbol: str) -> Parsed | None:
    """The parts of a symbol; None if it is malformed, empty or very long."""
    if len(symbol) > _MAX_SYMBOL:
        return None
    if symbol.startswith(_LOCAL):
        return Parsed(True, "", "", False, "", False)
    parts = symbol.replace("  ", "\0").split(" ", 4)
    if len(parts) < 5:
        return None
    descriptors, names, at = parts[4].replace("\0", "  "), ["", ""], 0
    suffix, is_escaped = "", False
    while at < len(descriptors):
        match = _DESCRIPTOR.match(descriptors, at)
        if match is None:
            return None
        names.append(next((group for group in (*match.group(1, 2), *match.group(4, 5, 6, 7)) if group), ""))
        suffix, is_escaped, at = match[3] or "", match[1] is not None, match.end()
    name = _ACCESSOR.sub("", names[-1]).replace("``", "`").strip(_SIGILS)
    is_module = descriptors.endswith(_PYTHON_MODULE) or (suffix == "/" and is_escaped)
    if is_module or name.startswith("<"):  # <constructor>, <init>
        name = ""
    return Parsed(False, " ".join(parts[:3]), name, suffix == ":", names[-2].strip(_SIGILS), is_module)


def is_name_of(word: str, symbol: Parsed) -> bool:
    """Whether a word of the source is the symbol's own name; a constructor goes by that of its type."""
    word = word.strip(_SIGILS)
    if not symbol.name:
        return word in (symbol.owner, "constructor")
    if symbol.is_numbered and symbol.name.startswith(word):
        rest = symbol.name[len(word) :].lstrip(_SIGILS)
        return not rest or rest.isdigit()
    return word == symbol.name


class SymbolTable:
    """Numbers for symbols, from 0. A global symbol has one number in all indexes, a local one in each document its own."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._package_numbers: dict[str, int] = {}
        self.packages: list[int] = []
        """By number of a symbol: that of its package; -1 for a local symbol."""

    def number(self, symbol: str, read: Parsed, document: str) -> int:
        """The number of a symbol.

        Args:
            symbol: its text.
            read: what :func:`parsed` gives of it.
            document: what identifies the document in which it is used.
        """
        key = blake2b(f"{document}\0{symbol}".encode() if read.is_local else symbol.encode(), digest_size=16).digest()
        number = self._numbers.setdefault(key, len(self._numbers))
        if number == len(self.packages):
            self.packages.append(-1 if read.is_local else self.package(read.package))
        return number

    def package(self, name: str) -> int:
        """The number of a package."""
        return self._package_numbers.setdefault(name, len(self._package_numbers))

    @property
    def package_names(self) -> list[str]:
        """The packages, by number."""
        return list(self._package_numbers)
