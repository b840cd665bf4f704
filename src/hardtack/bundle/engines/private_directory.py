"""Members in, a directory out in which an engine that takes only paths finds them."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from hardtack.bundle.format.members import MemberFile

_REMOVALS: Final = 5
"""Attempts to remove a directory."""


@contextlib.contextmanager
def linked(members: Sequence[MemberFile]) -> Iterator[Path | None]:
    """A directory that no other user can enter, with each member's open file or a copy of it; None where none can be made."""
    with contextlib.ExitStack() as undo:
        directory: Path | None = None
        with contextlib.suppress(OSError):
            made = Path(tempfile.mkdtemp(prefix="hardtack-"))
            undo.callback(remove, made)
            for member in members:
                _place(member, made / Path(member.name).name)
            directory = made
        yield directory


def _place(member: MemberFile, path: Path) -> None:
    """Make ``path`` a link to the member's open file, or a copy where the system has no path for that."""
    if opened := member.engine_path:
        path.symlink_to(opened)
    else:
        path.write_bytes(member.map())


def remove(directory: Path) -> None:
    """Remove the directory, as far as the system lets it: Windows removes no file that is mapped."""
    for _ in range(_REMOVALS):  # Tantivy's file watcher may put its lock file back while the directory is being removed
        with contextlib.suppress(OSError):
            shutil.rmtree(directory)
            break
        time.sleep(0.002)
