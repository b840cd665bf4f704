"""Hits and a checkout in, the hits with their freshness and current line numbers out; and a count of untracked files.

Only files with hits are read. In a bundle without text, the indexed text comes from git, by the id of the blob. Nothing is written,
and no program that a repository configures is run.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.git import git_output
from hardtack.nouns.model import Hit
from hardtack.query.checkout.freshness import current_bytes, freshness_of
from hardtack.query.checkout.head import GIT_SECONDS
from hardtack.query.checkout.line_map import LineMap

_MAX_BYTES: Final = 4 << 20
"""Size of the largest file that is compared line by line."""


def with_freshness(bundle: Bundle, hits: Iterable[Hit], checkout: Path) -> list[Hit]:
    """The hits with the freshness of their files, and in changed files with their current line numbers where these are certain."""
    freshness: dict[str, str] = {}
    maps: dict[str, LineMap | None] = {}
    stored = bundle.text_of if bundle.has_text else None
    placed: list[Hit] = []
    for hit in hits:
        if hit.path not in freshness:
            file = bundle.file_at(hit.path)
            freshness[hit.path] = freshness_of(file, checkout, stored) if file else "unknown"
        hit = hit._replace(freshness=freshness[hit.path])
        if hit.freshness == "changed":
            if hit.path not in maps:
                maps[hit.path] = _line_map(bundle, hit.path, checkout)
            found = maps[hit.path]
            place = found.place(hit.snippet_start_line or hit.start_line, hit.snippet_end_line or hit.end_line) if found else None
            if place:
                hit = hit._replace(current_start_line=place[0], current_end_line=place[1])
        placed.append(hit)
    return placed


def count_untracked(bundle: Bundle, checkout: Path) -> int | None:
    """Number of a checkout's files that git neither tracks nor ignores and the bundle does not have; None if unknown."""
    listed = git_output(checkout, "ls-files", "-z", "--others", "--exclude-standard", "--", ".", seconds=GIT_SECONDS)
    if listed is None:
        return None
    known = {os.fsencode(file.path) for file in bundle.files}
    own = b".hardtack/"
    return sum(bool(path) and path not in known and not path.startswith(own) for path in listed.split(b"\0"))


def _line_map(bundle: Bundle, path: str, checkout: Path) -> LineMap | None:
    file = bundle.file_at(path)
    if file is None or file.size > _MAX_BYTES:
        return None
    current = current_bytes(file, checkout, _MAX_BYTES)
    before = bundle.text_of(file) if bundle.has_text else _blob(file, checkout)
    after = _decoded(current, file) if current is not None else None
    return LineMap(before, after) if before is not None and after is not None else None


def _blob(file: FileRecord, checkout: Path) -> bytes | None:
    """The text of the file when it was indexed, from git."""
    data = git_output(checkout, "cat-file", "blob", file.blob_id.hex(), seconds=GIT_SECONDS)
    return None if data is None else _decoded(data, file)


def _decoded(data: bytes, file: FileRecord) -> bytes | None:
    """A file's bytes as a bundle stores text: UTF-8 without a byte order mark; None if they are not in the file's encoding."""
    with suppress(UnicodeError, LookupError):
        return data.decode("utf-8-sig" if file.encoding == "utf-8" else file.encoding).encode()
    return None
