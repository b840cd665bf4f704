"""What a build reads at most, so that no repository, however it was made, can hold a machine: a limit met is one sentence."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardtack.errors import BuildError

MOST_PATHS: Final = 2_000_000
"""Files and directories; the largest public monorepositories have about half a million."""
MOST_BYTES: Final = 8 << 30
"""Bytes of source; 50 million lines are about 2 GiB."""
MOST_SECONDS: Final = 6 * 60 * 60
"""Of a whole build."""
_LISTING_BYTES: Final = 1 << 30
"""Bytes of all paths; two million usual ones have 200 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLimits:
    """The limits of one source tree, or of each of several."""

    paths: int = MOST_PATHS
    bytes: int = MOST_BYTES

    def check_listing(self, root: Path, count: int, size: int) -> None:
        """Compare the paths that were listed so far, and their bytes, with the limits.

        Raises:
            BuildError: there are more.
        """
        if count > self.paths:
            raise BuildError(
                f"{root} has more than {self.paths} files and directories; nothing was built.",
                hint="Name a part of it, or raise --max-files.",
            )
        if size > _LISTING_BYTES:
            raise BuildError(
                f"The paths of {root} have more than {_LISTING_BYTES} bytes; nothing was built.", hint="Name a part of it."
            )

    def check_source(self, root: Path, size: int) -> None:
        """Compare the bytes of source that were read so far with the limit.

        Raises:
            BuildError: there are more.
        """
        if size > self.bytes:
            raise BuildError(
                f"{root} has more than {self.bytes} bytes of source; nothing was built.",
                hint="Name a part of it, leave files out by .hardtackignore, or raise --max-source.",
            )


USUAL_LIMITS: Final = TreeLimits()


class Deadline:
    """The time by which a build must be done. It is refused then, since a bundle of what was read by then would be another one."""

    def __init__(self, seconds: float) -> None:
        """Begin to count."""
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        """Look at the clock.

        Raises:
            BuildError: the time is over.
        """
        if time.monotonic() > self._end:
            raise BuildError(
                f"The build took more than {self._seconds:g} seconds; nothing was put in place.",
                hint="Raise --max-time, name a part of the tree, or leave files out by .hardtackignore.",
            )
