"""The path of a bundle in, the bundle's name out.

A bundle does not hold its name, so that two builds of the same source are equal. Its name is that of its directory, of a pack that
of its file. The name of ``SRC/.hardtack/bundle`` is that of ``SRC``, unless the file ``SRC/.hardtack/name`` has another.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardtack.bundle.format import layout
from hardtack.descriptors import open_file
from hardtack.errors import SourceError

OWN_DIRECTORY: Final = ".hardtack"
"""The directory below a source tree in which its bundle lies."""

OWN_PLACE: Final = Path(OWN_DIRECTORY, "bundle")
"""The path of that bundle, relative to the source tree."""

NAME_LIMIT: Final = 255

PACK_SUFFIX: Final = ".hardtack"
"""The extension of a pack's file name."""

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


def keep_name(path: Path, name: str) -> None:
    """Give the bundle at ``SRC/.hardtack/bundle`` the name ``name``.

    Raises:
        SourceError: the name cannot be written.
    """
    assert is_index_name(name)
    assert path.parent.name == OWN_DIRECTORY
    kept, new = _name_file(path.parent), path.parent / f"{layout.OWN_PREFIX}name-{os.urandom(6).hex()}"
    try:
        if name == fitting_index_name(path.parent.resolve().parent.name):
            kept.unlink(missing_ok=True)
            return
        new.write_text(f"{name}\n", encoding="ascii")
        new.replace(kept)
    except OSError as error:
        raise SourceError(f"{kept} cannot be written: {error.strerror}.") from error


def forget_name(path: Path) -> None:
    """Remove the name that :func:`keep_name` gave the bundle at ``path``."""
    with suppress(OSError):
        _name_file(path.parent).unlink()


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
