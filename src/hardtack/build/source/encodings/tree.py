"""A tree in, what it declares about the encoding of one of its files out. Nothing is read before a file's own bytes leave it open.

Asked are, in this order: ``.gitattributes`` (``working-tree-encoding``), ``.editorconfig`` (``charset``), then what builds and
editors set for a whole project, the nearest first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

from hardtack.build.source.encodings.editorconfig import EditorConfig, parse_editorconfig
from hardtack.build.source.encodings.gitattributes import AttributeFile, Setting, parse_attributes, working_tree_encoding
from hardtack.build.source.encodings.labels import codecs_of, exact_codecs_of
from hardtack.build.source.ignore import directories_above

_ATTRIBUTES: Final = b".gitattributes"
_EDITORCONFIG: Final = b".editorconfig"
MAX_DECLARING_BYTES: Final = 1 << 20
"""Larger files are not read."""

# Where the encoding of all sources of a project is set.
_PROJECT_FILES: Final = {
    b"pom.xml": re.compile(rb"<project\.build\.sourceEncoding>\s*([\w.-]{1,40})\s*<"),
    b"build.gradle": re.compile(rb"\boptions\.encoding\s*=\s*['\"]([\w.-]{1,40})"),
    b"build.gradle.kts": re.compile(rb"\boptions\.encoding\s*=\s*\"([\w.-]{1,40})"),
    b".settings/org.eclipse.core.resources.prefs": re.compile(rb"^encoding/<project>=([\w.-]{1,40})", re.MULTILINE),
    b".idea/encodings.xml": re.compile(rb"<file\s+url=\"PROJECT\"\s+charset=\"([\w.-]{1,40})"),
    b".vscode/settings.json": re.compile(rb"\"files\.encoding\"\s*:\s*\"([\w.-]{1,40})"),
}
_NAMES: Final = frozenset(path.rsplit(b"/", 1)[-1] for path in (_ATTRIBUTES, _EDITORCONFIG, *_PROJECT_FILES))

Read = Callable[[bytes], bytes | None]
"""The content of the file at a path relative to the top of the tree; None if there is none that can be read."""


def declares_encodings(path: bytes) -> bool:
    """Whether the file at ``path`` may be asked for."""
    return path.rsplit(b"/", 1)[-1] in _NAMES


def declaring_files(directory: bytes) -> list[bytes]:
    """The paths of the files of a directory (with a trailing slash; empty for the top) that may be asked for."""
    return [directory + name for name in (_ATTRIBUTES, _EDITORCONFIG, *_PROJECT_FILES)]


class TreeEncodings:
    """The declarations of one tree; each file of them is read once."""

    def __init__(self, read: Read, info_attributes: Callable[[], bytes | None] = lambda: None) -> None:
        """Read nothing yet.

        Args:
            read: reads a file of the tree; called with paths of ``declaring_files`` only.
            info_attributes: the content of the repository's ``info/attributes``, where that counts.
        """
        self._read = read
        self._read_info = info_attributes
        self._attributes = cache(self._parsed_attributes)
        self._editorconfig = cache(self._parsed_editorconfig)
        self._project = cache(self._declared_by_project)
        self._overriding = cache(self._parsed_info)
        self._macros = cache(self._all_macros)

    def of(self, path: bytes) -> Iterator[tuple[str, ...]]:
        """The codecs that each declaration allows for the file at ``path`` (relative to the top of the tree), weightiest first."""
        directories = [*directories_above(path)][::-1]
        files = (self._overriding(), *map(self._attributes, directories))
        yield exact_codecs_of(working_tree_encoding(path, files, self._macros()))
        for directory in directories:
            config = self._editorconfig(directory)
            if charset := config.charset_of(path):
                yield codecs_of(charset)
            if charset or config.is_root:
                break
        for directory in directories:
            yield from self._project(directory)

    def _content(self, path: bytes) -> bytes:
        return self._read(path) or b""

    def _parsed_attributes(self, directory: bytes) -> AttributeFile:
        return parse_attributes(self._content(directory + _ATTRIBUTES), directory)

    def _parsed_info(self) -> AttributeFile:
        return parse_attributes(self._read_info() or b"", b"")

    def _all_macros(self) -> Mapping[bytes, tuple[Setting, ...]]:
        return {**self._attributes(b"").macros, **self._overriding().macros}

    def _parsed_editorconfig(self, directory: bytes) -> EditorConfig:
        return parse_editorconfig(self._content(directory + _EDITORCONFIG), directory)

    def _declared_by_project(self, directory: bytes) -> tuple[tuple[str, ...], ...]:
        found = (expression.search(self._content(directory + name)) for name, expression in _PROJECT_FILES.items())
        return tuple(codecs_of(each[1].decode("ascii", "replace")) for each in found if each is not None)
