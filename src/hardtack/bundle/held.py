"""A directory that was named, and names below it, in; the directory, held open, out: where anything is written below a checkout.

Whoever writes a repository decides what its files are, links too. So links are followed in what a person typed, and below that none
is. The directory is walked to by descriptors and used through the last of them: a link that takes the place of a part of the path
afterwards leads nowhere else. A system without paths through descriptors (``/proc/self/fd``) gets the plain path after the same
checks, and Windows, which opens no directories, a look at each part.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from hardtack.descriptors import make_directory, open_below, open_directory, path_through
from hardtack.errors import PolicyError, SourceError

_MODE = 0o755
_HINT = "Remove the link, or name another place yourself."


@contextmanager
def held_directory(start: Path, *names: str) -> Iterator[Path]:
    """The directory ``start/names...`` as a path to work through; missing ones are made, and removed at the end if still empty.

    Args:
        start: what a person typed; links in it are followed.
        names: of directories below it, each inside the one before; none of them may be a link.

    Raises:
        PolicyError: one of the names is a link.
        SourceError: a directory cannot be made or opened, or something else has its name.
    """
    place = start.joinpath(*names)
    with ExitStack() as undo:
        if sys.platform == "win32":
            _make_plainly(start, names, undo)
            yield place
            return
        try:
            descriptor = _opened(start, undo)
            undo.callback(os.close, descriptor)
            for number, name in enumerate(names, 1):
                place = start.joinpath(*names[:number])
                if make_directory(name, _MODE, descriptor):
                    undo.callback(_remove_if_empty, name, descriptor)
                descriptor = open_below(name, descriptor)
                undo.callback(os.close, descriptor)
        except OSError as error:
            if error.errno == errno.ELOOP and place != start:
                raise is_link(place) from None
            raise SourceError(f"{place} cannot be written: {error.strerror}.", hint="Choose another place with -o.") from error
        yield path_through(descriptor) or place


def is_link(place: Path) -> PolicyError:
    """The refusal of a link in a place that nobody typed."""
    return PolicyError(f"{place} is a link, which nobody typed, so nothing is written through it.", hint=_HINT)


def _opened(start: Path, undo: ExitStack) -> int:
    for path in reversed([path for path in (start, *start.parents) if not path.exists()]):
        with suppress(FileExistsError):  # made by another process meanwhile
            path.mkdir(0o700)
            path.chmod(_MODE)
            undo.callback(_remove_if_empty, path.name, path.parent)
    return open_directory(start, follow=True)


def _make_plainly(start: Path, names: tuple[str, ...], undo: ExitStack) -> None:
    place = start
    for name in ("", *names):
        place /= name
        if name and place.is_symlink():
            raise is_link(place)
        try:
            if not place.exists():
                place.mkdir(parents=True)
                undo.callback(_remove_if_empty, place.name, place.parent)
        except OSError as error:
            raise SourceError(f"{place} cannot be written: {error.strerror}.", hint="Choose another place with -o.") from error


def _remove_if_empty(name: str, parent: int | Path) -> None:
    """Remove a directory that was made for something that was not written: a failed build leaves nothing."""
    with suppress(OSError):
        if isinstance(parent, int):
            os.rmdir(name, dir_fd=parent)
        else:
            (parent / name).rmdir()
