"""Files in, a directory of links to them out, for as long as an engine that takes nothing else opens them.

``tempfile`` and ``shutil`` would do; with what they load (``random``, ``bz2``, ``lzma``) they take a fortieth of a cold search.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_VARIABLES: Final = ("TMPDIR", "TEMP", "TMP")
_PLACES: Final = ("/tmp", "/var/tmp", "/usr/tmp", "/dev/shm", ".")  # noqa: S108
"""Where ``tempfile`` looks, and a RAM disk, which is as good and often there without the others."""
_TRIES: Final = 5


@contextmanager
def linked(links: Mapping[str, str | Path]) -> Iterator[Path | None]:
    """A new directory that no other user can enter; None where none can be written.

    Args:
        links: name in the directory to what the link of that name leads to.
    """
    directory = _new_directory()
    try:
        if directory is not None:
            for name, target in links.items():
                (directory / name).symlink_to(target)
        yield directory
    finally:
        if directory is not None:
            _remove(directory)


def _new_directory() -> Path | None:
    for parent in (*filter(None, map(os.environ.get, _VARIABLES)), *_PLACES):
        directory = Path(parent).absolute() / f"hardtack-{os.urandom(8).hex()}"
        with suppress(OSError):
            directory.mkdir(mode=0o700)
            return directory
    return None


def _remove(directory: Path) -> None:
    """An engine's watcher may put its lock file back once while the directory is being removed."""
    for _ in range(_TRIES):
        with suppress(OSError):
            for path in directory.iterdir():
                path.unlink(missing_ok=True)
            directory.rmdir()
            return
        time.sleep(0.002)
