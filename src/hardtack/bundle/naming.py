"""The path of a bundle in, the bundle's name out.

A bundle does not hold its name, so that two builds of the same source are equal. Its name is that of its directory, of a pack that
of its file. The name of ``SRC/.hardtack/bundle`` is that of ``SRC``, unless the file ``SRC/.hardtack/name`` has another.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardtack.bundle.format import layout
from hardtack.descriptors import open_file, replace_file
from hardtack.errors import SourceError

OWN_DIRECTORY: Final = ".hardtack"
"""The directory below a source tree in which its bundle lies."""

OWN_PLACE: Final = Path(OWN_DIRECTORY, "bundle")
"""The path of that bundle, relative to the source tree."""

NAME_LIMIT: Final = 255

PACK_SUFFIX: Final = ".hardtack"
"""The extension of a pack's file name."""

CATALOGUE_PLACE: Final = "f1/catalogue.json"
"""The path of the catalogue of a place that bundles were published to, relative to the place."""

_NAME: Final = re.compile(rf"[A-Za-z0-9._-]{{1,{NAME_LIMIT}}}")
_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")
_PLACED: Final = re.compile(rf"{re.escape(layout.OWN_PREFIX)}placed-(?P<name>.+)-[0-9a-f]{{12}}")
_NAMELESS: Final = "index"


def is_index_name(name: str) -> bool:
    """Whether ``name`` is a valid bundle name: 1 to 255 ASCII letters, digits, dots, hyphens and underscores, not dots alone."""
    return _NAME.fullmatch(name) is not None and name.strip(".") != ""


def index_name(path: Path) -> str:
    """The name of the bundle at ``path``, which need not exist any more."""
    resolved = Path(os.path.realpath(path))
    if resolved.parent.name == OWN_DIRECTORY:
        return _kept_name(resolved.parent) or fitting_index_name(resolved.parent.parent.name)
    placed = _PLACED.fullmatch(resolved.name) if resolved.name.startswith(layout.OWN_PREFIX) else None
    return fitting_index_name(placed["name"] if placed else resolved.name.removesuffix(PACK_SUFFIX))


def distinct_names(names: Iterable[str]) -> list[str]:
    """A name for each, in order: one that is there already gets a number, as in ``api`` and ``api-2``."""
    taken: set[str] = set()
    numbers: Counter[str] = Counter()  # where each goes on, so that many of one name take no longer than as many different ones
    given: list[str] = []
    for name in names:
        own = name
        while own in taken:
            numbers[name] += 1
            own = f"{name}-{numbers[name] + 1}"
        taken.add(own)
        given.append(own)
    return given


def keep_name(own: Path, name: str, directory: Path | None = None) -> None:
    """Give the bundle in ``SRC/.hardtack`` the name ``name``.

    Args:
        own: ``SRC/.hardtack``.
        name: a valid index name.
        directory: the same directory, held open, to write in.

    Raises:
        SourceError: the name cannot be written.
    """
    assert is_index_name(name)
    assert own.name == OWN_DIRECTORY
    kept = _name_file(directory or own)
    try:
        if name == fitting_index_name(own.resolve().parent.name):
            kept.unlink(missing_ok=True)
        else:
            replace_file(kept, f"{name}\n".encode("ascii"))
    except OSError as error:
        raise SourceError(f"{_name_file(own)} cannot be written: {error.strerror}.") from error


def forget_name(own: Path) -> None:
    """Remove the name that :func:`keep_name` gave the bundle in ``own``."""
    with suppress(OSError):
        _name_file(own).unlink()


def _name_file(own: Path) -> Path:
    return own / "name"


def _kept_name(own: Path) -> str:
    """The name in the file beside the bundle; empty if there is none or it is invalid. Does not wait for a FIFO."""
    with suppress(OSError, ValueError):
        descriptor = open_file(_name_file(own))
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                name = os.read(descriptor, NAME_LIMIT + 2).decode("ascii").removesuffix("\n")
                return name if is_index_name(name) else ""
        finally:
            os.close(descriptor)
    return ""


def fitting_index_name(name: str) -> str:
    """A directory's name as a valid bundle name: other characters become hyphens."""
    fitting = _OTHER.sub("-", name).strip("-")[:NAME_LIMIT]
    return fitting if is_index_name(fitting) else _NAMELESS
