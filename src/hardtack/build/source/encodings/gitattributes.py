"""The ``.gitattributes`` files of a tree in, the ``working-tree-encoding`` of a path out, as git finds it.

Git stores such a file in UTF-8 and writes it to the working tree in that encoding; so it matters for files that are read from the
disk. The patterns are those of ignore files, without negation and without directories.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from hardtack.build.source.ignore import matcher_of

_ENCODING: Final = b"working-tree-encoding"
_MACRO: Final = b"[attr]"
_MAX_RULES: Final = 5_000
"""Lines of one file that are read; a path is compared with all of them."""
_MAX_LINE_BYTES: Final = 2048
"""Git drops longer lines."""
_QUOTED: Final = re.compile(rb'"((?:[^"\\]|\\.)*)"[ \t]*(.*)')
_ESCAPE: Final = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED: Final = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}

Setting = tuple[bytes, bytes | bool | None]
"""An attribute and its value; True is set, False unset (``-name``), None unspecified (``!name``)."""


class _Rule(NamedTuple):
    matches: Callable[[bytes], object]
    by_name: bool
    settings: tuple[Setting, ...]


class AttributeFile(NamedTuple):
    """One file's rules."""

    base: bytes
    """Its directory, relative to the top of the repository, with a trailing slash; empty at the top."""
    rules: tuple[_Rule, ...]
    """Last line first, since the last matching line decides."""
    macros: Mapping[bytes, tuple[Setting, ...]]
    """Name -> what it stands for; git takes them only from the file at the top and from ``info/attributes``."""


def parse_attributes(content: bytes, base: bytes) -> AttributeFile:
    """The rules of one file. Lines that git drops too are left out."""
    rules: list[_Rule] = []
    macros: dict[bytes, tuple[Setting, ...]] = {}
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n", _MAX_RULES)[:_MAX_RULES]:
        pattern, settings = _line_of(line)
        if pattern.startswith(_MACRO):
            macros[pattern.removeprefix(_MACRO)] = settings
        elif pattern and not pattern.startswith(b"!") and not pattern.endswith(b"/") and (matches := matcher_of(pattern)):
            rules.append(_Rule(matches, b"/" not in pattern, settings))
    return AttributeFile(base, tuple(rules[::-1]), macros)


def working_tree_encoding(path: bytes, files: Iterable[AttributeFile], macros: Mapping[bytes, tuple[Setting, ...]]) -> str:
    """The encoding of the file at ``path``; empty if none is stated.

    Args:
        path: relative to the top of the repository.
        files: those that apply to it, the strongest first: ``info/attributes``, then from its own directory up.
        macros: of the whole repository.
    """
    decided: dict[bytes, bytes | bool | None] = {}
    for settings in _settings_of(path, files):
        pending = list(settings)
        while pending:
            name, value = pending.pop()  # the last one on a line counts, like the last line of a file
            if name not in decided:
                decided[name] = value
                if value is True:
                    pending.extend(macros.get(name, ()))
        if _ENCODING in decided:
            break
    found = decided.get(_ENCODING)
    return found.decode("ascii", "replace") if isinstance(found, bytes) else ""


def _settings_of(path: bytes, files: Iterable[AttributeFile]) -> Iterator[tuple[Setting, ...]]:
    """The settings of every rule that matches, the strongest first."""
    name = path.rsplit(b"/", 1)[-1]
    for file in files:
        below = path[len(file.base) :]
        for rule in file.rules:
            if rule.matches(name if rule.by_name else below):
                yield rule.settings


def _line_of(line: bytes) -> tuple[bytes, tuple[Setting, ...]]:
    """(pattern or macro with its mark, settings) of a line; an empty pattern if it has none."""
    line = line.lstrip(b" \t\r")
    if line.startswith(b"#") or len(line) > _MAX_LINE_BYTES:
        return b"", ()
    if (quoted := _QUOTED.match(line)) is not None:
        pattern, rest = _ESCAPE.sub(_unescaped, quoted[1]), quoted[2]
    else:
        pattern, _, rest = line.replace(b"\t", b" ").partition(b" ")
        pattern = pattern.rstrip(b"\r")
    if pattern == _MACRO:  # a blank may follow the mark
        name, _, rest = rest.strip().replace(b"\t", b" ").partition(b" ")
        pattern += name
    return pattern, tuple(map(_setting_of, rest.split()))


def _setting_of(word: bytes) -> Setting:
    if word.startswith(b"-"):
        return word[1:], False
    if word.startswith(b"!"):
        return word[1:], None
    name, equals, value = word.partition(b"=")
    return name, value if equals else True


def _unescaped(found: re.Match[bytes]) -> bytes:
    escaped = found[1]
    return bytes((int(escaped, 8) & 0xFF,)) if len(escaped) == 3 else _ESCAPED.get(escaped, escaped)
