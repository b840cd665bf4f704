"""A bundle in, the files that did not parse cleanly out."""

from __future__ import annotations

from hardtack.bundle.reader import Bundle
from hardtack.model import ParseFailure, ParseStatus

_SHOWN_LINES = 10


def parse_failures(bundle: Bundle) -> tuple[ParseFailure, ...]:
    """Every file whose grammar met something it did not know, or was stopped, in path order."""
    return tuple(
        ParseFailure(
            file_path=file.path,
            language=file.language,
            parse_status=file.parse_status,
            error_message=_message(file.parse_status, file.error_lines),
        )
        for file in bundle.files
        if file.parse_status in (ParseStatus.PARTIAL, ParseStatus.ERROR)
    )


def _message(status: str, lines: tuple[int, ...]) -> str:
    if status == ParseStatus.ERROR:
        return "the parser was stopped or died; the file is cut by lines"
    shown = ", ".join(map(str, lines[:_SHOWN_LINES]))
    more = f" (+{len(lines) - _SHOWN_LINES} more)" if len(lines) > _SHOWN_LINES else ""
    return f"errors at lines {shown}{more}"
