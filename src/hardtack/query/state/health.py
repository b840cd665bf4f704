"""A bundle in, how well its files parsed out, by language; and those that did not parse cleanly.

Counted is source code: of prose, configuration and plain text nobody asks whether it parses, and much of it is a template of
something else. What a status means is said in :class:`hardtack.nouns.outline.ParseStatus`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Content
from hardtack.nouns.outline import ParseFailure, ParseStatus
from hardtack.nouns.statistics import ParseCounts, ParseHealth

_PLAIN_TEXT: Final = "text"
"""The language of what no language claims: a licence, a list of names."""

_FAILED: Final = (ParseStatus.PARTIAL, ParseStatus.ERROR)
_SHOWN_LINES: Final = 10


def parse_health(bundle: Bundle) -> ParseHealth:
    """How well the bundle's source code parsed."""
    seen = Counter((file.language, file.parse_status) for file in _counted(bundle))
    by_language = {
        language: ParseCounts(
            files=sum(seen[language, status] for status in ParseStatus),
            **{status.value: seen[language, status] for status in ParseStatus},
        )
        for language in sorted({language for language, _ in seen})
    }
    return ParseHealth(by_language=by_language)


def parse_failures(bundle: Bundle) -> tuple[ParseFailure, ...]:
    """Every file of source code whose grammar met something it did not know, or was stopped, in path order."""
    return tuple(
        ParseFailure(
            file_path=file.path,
            language=file.language,
            parse_status=file.parse_status,
            error_message=_message(file.parse_status, file.error_lines),
        )
        for file in _counted(bundle)
        if file.parse_status in _FAILED
    )


def _counted(bundle: Bundle) -> Iterator[FileRecord]:
    return (file for file in bundle.files if file.content == Content.CODE and file.language != _PLAIN_TEXT)


def _message(status: str, lines: tuple[int, ...]) -> str:
    if status == ParseStatus.ERROR:
        return "the parser was stopped or died; the file is cut by lines"
    shown = ", ".join(map(str, lines[:_SHOWN_LINES]))
    more = f" (+{len(lines) - _SHOWN_LINES} more)" if len(lines) > _SHOWN_LINES else ""
    return f"errors at lines {shown}{more}"
