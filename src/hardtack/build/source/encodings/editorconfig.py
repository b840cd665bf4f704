"""An ``.editorconfig`` file in, the character set that it states for a path out.

Braces are expanded, and what is left is matched as a pattern of git, which takes no exponential time; the difference, ``**`` as a
part of a name, is spelt out. A range of numbers (``{1..9}``) matches nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from hardtack.build.source.ignore import matcher_of

_MAX_GLOB_BYTES: Final = 1024
_MAX_ALTERNATIVES: Final = 64
_MAX_DEPTH: Final = 8
_MAX_SECTIONS: Final = 500
"""Sections of one file that are read; a path is compared with all of them."""


class _Section(NamedTuple):
    matchers: tuple[tuple[Callable[[bytes], object], bool], ...]
    """(function, whether it takes the name or the path relative to the file's directory) of each alternative."""
    charset: str


class EditorConfig(NamedTuple):
    """One file."""

    base: bytes
    """Its directory, relative to the top of the tree, with a trailing slash; empty at the top."""
    is_root: bool
    """Files in directories above do not count."""
    sections: tuple[_Section, ...]
    """Those that state a character set, the last one first, since it decides."""

    def charset_of(self, path: bytes) -> str:
        """What it states for ``path``, relative to the top of the tree; empty if nothing."""
        name, below = path.rsplit(b"/", 1)[-1], path[len(self.base) :]
        for section in self.sections:
            if any(matches(name if by_name else below) for matches, by_name in section.matchers):
                return section.charset
        return ""


def parse_editorconfig(content: bytes, base: bytes) -> EditorConfig:
    """The sections of one file."""
    is_root = False
    glob: bytes | None = None
    sections: list[_Section] = []
    for line in content.removeprefix(b"\xef\xbb\xbf").splitlines():
        line = line.strip()
        if line.startswith(b"[") and line.endswith(b"]"):
            glob = line[1:-1]
        elif not line.startswith((b"#", b";")):
            key, _, value = line.partition(b"=")
            key, value = key.strip().lower(), value.partition(b" #")[0].partition(b" ;")[0].strip().lower()
            if glob is None:
                is_root = is_root or (key, value) == (b"root", b"true")
            elif key == b"charset" and len(sections) < _MAX_SECTIONS:
                sections.append(_Section(_matchers_of(glob), value.decode("ascii", "replace")))
    return EditorConfig(base, is_root, tuple(sections[::-1]))


def _matchers_of(glob: bytes) -> tuple[tuple[Callable[[bytes], object], bool], ...]:
    if len(glob) > _MAX_GLOB_BYTES:
        return ()
    alternatives = [_as_git(each) for each in _expanded(glob, _MAX_DEPTH)]
    found = ((matcher_of(each), b"/" not in each) for each in alternatives)
    return tuple((matches, by_name) for matches, by_name in found if matches is not None)


def _as_git(glob: bytes) -> bytes:
    """``src/**.c``, which matches at any depth, as git writes it: ``src/**/*.c``."""
    names = []
    for name in glob.split(b"/"):
        deep, stars, rest = name.partition(b"**")
        names += (
            [name]
            if not stars or name == b"**" or b"/" not in glob
            else [deep + b"*", b"**", b"*" + rest]
            if deep
            else [stars, b"*" + rest]
        )
    return b"/".join(names)


def _expanded(glob: bytes, depth: int) -> list[bytes]:
    """``*.{c,h}`` -> ``*.c``, ``*.h``; braces without a comma, or that are not closed, stand for themselves."""
    start = glob.find(b"{")
    while start != -1:
        parts, end = _alternatives(glob, start + 1)
        if end and len(parts) > 1 and depth:
            heads, tails = (glob[:start],), _expanded(glob[end:], depth)
            middles = [each for part in parts for each in _expanded(part, depth - 1)]
            whole = [head + middle + tail for head in heads for middle in middles for tail in tails]
            return whole[:_MAX_ALTERNATIVES]
        start = glob.find(b"{", start + 1)
    return [glob]


def _alternatives(glob: bytes, start: int) -> tuple[list[bytes], int]:
    """(the texts between the commas after an opening brace, position after its closing brace or 0 if there is none)."""
    parts, level, begin, place = [], 0, start, start
    while place < len(glob):
        byte = glob[place : place + 1]
        if byte == b"\\":
            place += 1
        elif byte == b"{":
            level += 1
        elif byte == b"," and not level:
            parts.append(glob[begin:place])
            begin = place + 1
        elif byte == b"}":
            if not level:
                return [*parts, glob[begin:place]], place + 1
            level -= 1
        place += 1
    return [], 0
