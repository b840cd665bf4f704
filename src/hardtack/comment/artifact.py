"""A workflow run in, the note that it kept out: an artifact that a stranger's job may have made, bounded before each step.

The file may lie in a zip, as GitHub wraps artifacts: its one entry is read as a stream up to a limit, and its name is not used.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hardtack.comment.note import LIMIT, NAME, Note, note_of_json
from hardtack.descriptors import work_directory
from hardtack.errors import FormatError, PolicyError, SourceError
from hardtack.store.sources.github_api import GitHubApi, field
from hardtack.store.sources.single_zip import MAGIC, unwrap

_PAGES: Final = 3
_DOWNLOADED: Final = LIMIT + 4096
"""Bytes of the artifact at most: a zip of a note that cannot be packed is that much larger, with room to spare."""


def note_of_run(api: GitHubApi, run: int) -> Note | None:
    """The note that a run kept, of its newest attempt; None when it kept none, or none any more.

    Raises:
        PolicyError: the artifact is too large, unpacks to too much, is no zip of one file, or holds no valid note.
        SourceError: GitHub cannot be asked.
    """
    found = [
        each
        for page, _ in api.pages(f"/actions/runs/{run}/artifacts", within="artifacts", most=_PAGES, name=NAME)
        for each in page
        if each.get("name") == NAME and not field(each, "expired", bool)
    ]
    if not found:
        return None
    newest = max(found, key=lambda each: field(each, "id", int))
    size = field(newest, "size_in_bytes", int)
    if size > _DOWNLOADED:
        raise PolicyError(f"The artifact {NAME} has {size} bytes, over the limit of {_DOWNLOADED}; it is not taken.")
    with work_directory() as scratch:
        path, inside = scratch / "downloaded", scratch / "note"
        api.download(
            f"/actions/artifacts/{field(newest, 'id', int)}/zip", path, limit=_DOWNLOADED, size=None, digest="", progress=None
        )
        return note_of_json(_content(path, inside))


def _content(path: Path, inside: Path) -> bytes:
    try:
        data = path.read_bytes()
        if not data.startswith(MAGIC):
            return data
        with inside.open("xb") as out:
            unwrap(path, out, limit=LIMIT)
        return inside.read_bytes()
    except FormatError as error:
        raise PolicyError(f"The artifact {NAME} is not taken: it is no sound zip of one file.") from error
    except OSError as error:
        raise SourceError(f"The artifact {NAME} cannot be unpacked: {error.strerror}.") from error
