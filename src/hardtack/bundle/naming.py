"""The place of a bundle in, what the bundle is called out; and a name, to be kept beside a bundle, in.

A bundle holds no name, so that what is built twice is the same twice. It is called by its directory, a pack by its file, and
``SRC/.hardtack/bundle`` by the directory that was built, unless a file beside it, ``SRC/.hardtack/name``, says otherwise.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardtack.bundle.format import layout
from hardtack.errors import SourceError

OWN_DIRECTORY: Final = ".hardtack"
"""Where a directory keeps the bundle that was built of it."""

OWN_PLACE: Final = Path(OWN_DIRECTORY, "bundle")
"""Of that bundle, from the directory."""

NAME_LIMIT: Final = 255

PACK_SUFFIX: Final = ".hardtack"
"""How a pack's file is called."""

_NAME: Final = re.compile(rf"[A-Za-z0-9._-]{{1,{NAME_LIMIT}}}")
_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")
_PLACED: Final = re.compile(rf"{re.escape(layout.OWN_PREFIX)}placed-(?P<name>.+)-[0-9a-f]{{12}}")
_NAMELESS: Final = "index"


def is_index_name(name: str) -> bool:
    """Whether a bundle may be called that: 1 to 255 letters, digits, dots, hyphens and underscores, and not dots alone."""
    return _NAME.fullmatch(name) is not None and name.strip(".") != ""


def index_name(path: Path) -> str:
    """What the bundle at ``path`` is called, which need not be open, nor be there any more."""
    resolved = Path(os.path.realpath(path))
    if resolved.parent.name == OWN_DIRECTORY:
        return _kept_name(resolved.parent) or fitting_index_name(resolved.parent.parent.name)
    placed = _PLACED.fullmatch(resolved.name) if resolved.name.startswith(layout.OWN_PREFIX) else None
    return fitting_index_name(placed["name"] if placed else resolved.name.removesuffix(PACK_SUFFIX))


def keep_name(path: Path, name: str) -> None:
    """Have the bundle at ``path``, in a directory's own place, be called ``name`` from now on.

    Raises:
        SourceError: the disk refuses.
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
    """Have no name be kept for ``path``."""
    with suppress(OSError):
        _name_file(path.parent).unlink()


def _name_file(own: Path) -> Path:
    return own / "name"


def _kept_name(own: Path) -> str:
    """The name that a file beside the bundle gives it; empty without one, or when it is no name. A FIFO is not waited for."""
    with suppress(OSError, ValueError):
        descriptor = os.open(_name_file(own), os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                name = os.read(descriptor, NAME_LIMIT + 2).decode("ascii").removesuffix("\n")
                return name if is_index_name(name) else ""
        finally:
            os.close(descriptor)
    return ""


def fitting_index_name(name: str) -> str:
    """A directory's name as a name: what may not be in one becomes a hyphen."""
    fitting = _OTHER.sub("-", name).strip("-")[:NAME_LIMIT]
    return fitting if is_index_name(fitting) else _NAMELESS
