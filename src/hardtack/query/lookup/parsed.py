"""Files of an answer in, a note on those that did not parse whole out: what is in them may be missing from the answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.outline import ParseStatus

_MAX_NAMED: Final = 3
_SAYS: Final = {
    ParseStatus.PARTIAL: "parsed only in part",
    ParseStatus.ERROR: "not parsed, as the parser was stopped",
    ParseStatus.NO_GRAMMAR: "not parsed, as there is no grammar",
}


def parse_note(bundle: Bundle, paths: Iterable[str]) -> str:
    """One sentence on the files of these paths that did not parse whole; empty if all did."""
    by_status: dict[str, list[str]] = {}
    for path in sorted(set(paths)):
        if (file := bundle.file_at(path)) is not None:
            by_status.setdefault(file.parse_status, []).append(path)
    found = [f"{says}: {_named(by_status[status])}" for status, says in _SAYS.items() if status in by_status]
    return f"Definitions and uses may be missing from files that were {'; '.join(found)}." if found else ""


def _named(paths: list[str]) -> str:
    """The first paths, and how many more there are."""
    more = f" and {len(paths) - _MAX_NAMED} more" if len(paths) > _MAX_NAMED else ""
    return ", ".join(paths[:_MAX_NAMED]) + more
