"""A bundle in, what it holds in numbers out: symbols by kind, languages, bytes, and how well its files parsed.

Parse results are counted for source code only. Prose, configuration and plain text are left out: much of it is a template of
something else, and how it parsed tells a reader nothing.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from hardtack.bundle.format.manifest import LanguageCount, Manifest, NamedProject
from hardtack.bundle.format.records import KINDS, FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Content
from hardtack.nouns.outline import ParseFailure, ParseStatus
from hardtack.nouns.statistics import ParseCounts, ParseHealth, Statistics

_LOW_BYTE: Final = 0 if sys.byteorder == "little" else 3
"""Index of the least significant of a number's four bytes in memory."""
_PLAIN_TEXT: Final = "text"
"""The language of files that no language claims: a licence, a list of names."""
_FAILED: Final = (ParseStatus.PARTIAL, ParseStatus.ERROR)
_MAX_SHOWN_LINES: Final = 10


def statistics_of(bundle: Bundle) -> Statistics:
    """The symbols of a bundle by kind, its files by role, and how well they parsed."""
    return Statistics(symbols=_symbols_by_kind(bundle), roles=_files_by_role(bundle), health=parse_health(bundle))


def languages_of(manifest: Manifest) -> tuple[LanguageCount, ...]:
    """The languages of a bundle, most chunks first."""
    return tuple(sorted(manifest.languages, key=lambda language: (-language.chunks, language.id)))


def size_of(manifest: Manifest) -> int:
    """Bytes of all members that a manifest lists. The manifest itself, a few thousand bytes, is not one of them."""
    return sum(member.size for member in manifest.members)


def main_project(manifest: Manifest) -> NamedProject | None:
    """The project declared nearest to the root of the source tree, a Go module before others; None if there is none."""
    return min(manifest.projects, key=lambda each: (each.path.count("/"), each.ecosystem != "go", each.path), default=None)


def _symbols_by_kind(bundle: Bundle) -> Mapping[str, int]:
    """Kind -> number of symbols, most first."""
    # There are fewer than 256 kinds, so the low byte of each number is enough, and bytes.count runs at the speed of memory.
    numbers = bytes(bundle.kinds_of_symbols.cast("B"))[_LOW_BYTE::4]
    counts = {kind.value: numbers.count(number) for number, kind in enumerate(KINDS)}
    return {kind: count for kind, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])) if count}


def _files_by_role(bundle: Bundle) -> Mapping[str, int]:
    """Role -> number of files, most first; files of a role that this program does not know are left aside."""
    counts = Counter(file.role for file in bundle.files if file.role)
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def parse_health(bundle: Bundle) -> ParseHealth:
    """By language, how many files of source code have each parse status."""
    seen = Counter((file.language, file.parse_status) for file in _code_files(bundle))
    by_language = {
        language: ParseCounts(
            files=sum(seen[language, status] for status in ParseStatus),
            **{status.value: seen[language, status] for status in ParseStatus},
        )
        for language in sorted({language for language, _ in seen})
    }
    return ParseHealth(by_language=by_language)


def parse_failures(bundle: Bundle) -> tuple[ParseFailure, ...]:
    """Every file of source code that has a syntax error for its grammar, or whose parse was stopped, in path order."""
    return tuple(
        ParseFailure(
            file_path=file.path,
            language=file.language,
            parse_status=file.parse_status,
            error_message=_message(file.parse_status, file.error_lines),
        )
        for file in _code_files(bundle)
        if file.parse_status in _FAILED
    )


def _code_files(bundle: Bundle) -> Iterator[FileRecord]:
    return (file for file in bundle.files if file.content == Content.CODE and file.language != _PLAIN_TEXT)


def _message(status: str, lines: tuple[int, ...]) -> str:
    if status == ParseStatus.ERROR:
        return "the parser was stopped or died; the file is cut by lines"
    shown = ", ".join(map(str, lines[:_MAX_SHOWN_LINES]))
    more = f" (+{len(lines) - _MAX_SHOWN_LINES} more)" if len(lines) > _MAX_SHOWN_LINES else ""
    return f"errors at lines {shown}{more}"
