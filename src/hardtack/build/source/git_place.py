"""A directory in, its git directory out, with every way by which that leads into another repository, before git is run there.

Who wrote a checkout also wrote its ``.git`` where it came as an archive, from a cache or on a shared disk. A ``.git`` file, a
``commondir``, a link or a list of alternates in it makes git read any other repository of this machine, and a bundle would then
publish that. So what leads out of the checkout needs a person's word, except where the other end points back: a linked worktree and
a submodule, whose repositories name this checkout in files that only their owner can write.

Git waits for a FIFO as it would for a file. One in a place that git reads is refused at once.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hardtack.build.source.paths import printable
from hardtack.descriptors import read_file
from hardtack.errors import PolicyError, SourceUnreadable

_POINTER_LIMIT: Final = 64 << 10
"""Bytes of a file that holds a path."""
_CONFIG_LIMIT: Final = 1 << 20
_READ_BY_GIT: Final = ("info", "objects", "refs", "reftable")
"""Directories of a git directory that git reads for a build; it may also hold other repositories and files of other programs."""
_MOST_ENTRIES: Final = 1_000_000
"""Entries of a git directory at most: each may be a link that leads elsewhere."""
_WORKTREE: Final = re.compile(r"^[ \t]*worktree[ \t]*=([^\n]*)$", re.MULTILINE)

Way = tuple[str, Path]
"""(what leads there, the place outside of the checkout)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitPlace:
    """Where a checkout keeps its repository. All paths are without links."""

    top: Path
    """The top of the checkout; of a bare repository the git directory itself."""
    own: Path
    """The git directory."""
    allowed: Sequence[Path]
    """The directories in which the repository may lie."""
    has_alternates: bool
    """It borrows objects from other repositories."""
    ways: list[Way] = field(default_factory=list)
    """What leads outside."""

    def foreign_among(self, ways: Iterable[Way]) -> list[Way]:
        """Those that lead outside."""
        return [(what, place) for what, place in ways if not _is_within(place, self.allowed)]


def place_of(root: Path) -> GitPlace | None:
    """The place of the repository that git will find from ``root``; None if there is none.

    Raises:
        SourceUnreadable: git would wait for a FIFO there.
    """
    with suppress(OSError):
        start = Path(os.path.realpath(root))
        device = start.stat().st_dev
        for top in (start, *start.parents):
            if top.stat().st_dev != device:
                return None  # git stops there too
            marker = top / ".git"
            if marker.is_file():
                named = _text_of(marker)
                return _examined(top, top / named.removeprefix("gitdir:").strip(), marker) if named.startswith("gitdir:") else None
            if marker.is_dir():
                place = _examined(top, marker, marker)
                if _is_git_directory(marker):
                    return place
            if _is_git_directory(top):
                return _examined(top, top, top)
    return None


def foreign(root: Path, ways: Sequence[Way], *, follow: bool) -> tuple[str, ...]:
    """A note for each way that leads out of a checkout.

    Raises:
        PolicyError: there is one, and ``follow`` is not set.
    """
    said = [f"{printable(os.fsencode(what))} leads to {printable(os.fsencode(place))}, outside of {root}" for what, place in ways]
    if said and not follow:
        raise PolicyError(
            f"{said[0]}, and that repository does not name this checkout; nothing was built.",
            hint="If you mean to publish what is there, build with --follow-git.",
        )
    return tuple(f"{each}, and was followed" for each in said)


def is_same(one: Path, other: Path) -> bool:
    """Whether two paths are of one file or directory, however they are written."""
    with suppress(OSError, ValueError):
        return one.samefile(other)
    return False


def is_waited_for(path: Path) -> bool:
    """Whether reading a path may wait for ever: it is a FIFO or a device, or a link to one."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode)


def _examined(top: Path, named: Path, marker: Path) -> GitPlace:
    """The place whose git directory ``marker`` names."""
    own = Path(os.path.realpath(named))
    common = Path(os.path.realpath(own / _text_of(own / "commondir"))) if os.path.lexists(own / "commondir") else own
    allowed, ways = [top], list[Way]()
    if not _is_within(own, allowed):
        if _points_back(own, common, marker):
            allowed += [own, common]
        else:
            ways.append((str(marker), own))
    if not _is_within(common, allowed) and not ways:
        ways.append((str(own / "commondir"), common))
    for link, target in _links_in(dict.fromkeys((own, common))):
        if not _is_within(target, allowed) and not ways:
            ways.append((link, target))
    has_alternates = os.path.lexists(common / "objects" / "info" / "alternates")
    return GitPlace(top=top, own=own, allowed=allowed, has_alternates=has_alternates, ways=ways)


def _points_back(own: Path, common: Path, marker: Path) -> bool:
    """Whether the repository at ``own`` names the checkout with this ``.git`` as one of its worktrees, or as its submodule."""
    if own.parent.name == "worktrees" and common == own.parent.parent:
        return is_same(own / _text_of(own / "gitdir"), marker)
    if common != own:
        return False
    configured = _WORKTREE.search(_text_of(own / "config", _CONFIG_LIMIT))
    return configured is not None and is_same(own / configured[1].strip().strip('"'), marker.parent)


def _links_in(directories: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """(link, where it leads) of the links in what git reads of git directories.

    Raises:
        SourceUnreadable: something there is a FIFO or a device.
    """
    seen = set[str]()
    pending: list[tuple[str, bool]] = [(str(directory), True) for directory in directories]
    left = _MOST_ENTRIES
    while pending:
        directory, is_top = pending.pop()
        with suppress(OSError), os.scandir(directory) as entries:
            for entry in entries:
                left -= 1
                if left < 0:
                    raise SourceUnreadable(
                        f"{printable(os.fsencode(directory))} is part of a git directory of more than {_MOST_ENTRIES:,} entries.",
                        hint="Run 'git gc', or look at what lies there.",
                    )
                if entry.is_file(follow_symlinks=False):
                    continue
                is_link = entry.is_symlink()
                if entry.is_dir() and (not is_top or entry.name in _READ_BY_GIT):
                    if (place := os.path.realpath(entry.path) if is_link else entry.path) not in seen:
                        seen.add(place)
                        pending.append((place, False))
                elif is_waited_for(Path(entry.path)):
                    raise SourceUnreadable(
                        f"{printable(os.fsencode(entry.path))} is a FIFO or a device, for which git would wait.", hint="Remove it."
                    )
                if is_link and (not is_top or not entry.is_dir() or entry.name in _READ_BY_GIT):
                    yield entry.path, Path(os.path.realpath(entry.path))


def _is_git_directory(directory: Path) -> bool:
    """Whether git takes a directory for a git directory, or does so if its ``HEAD`` is well-formed."""
    if not os.path.lexists(directory / "HEAD"):
        return False
    return os.path.lexists(directory / "commondir") or ((directory / "objects").is_dir() and (directory / "refs").is_dir())


def _is_within(place: Path, directories: Iterable[Path]) -> bool:
    real = Path(os.path.realpath(place))
    return any(real.is_relative_to(directory) for directory in directories)


def _text_of(path: Path, most: int = _POINTER_LIMIT) -> str:
    """A file's text without surrounding blanks; empty if it cannot be read."""
    with suppress(OSError):
        return os.fsdecode(read_file(path, most, follow=True)).strip()
    return ""
