r"""A path or a glob as a caller spells it in, its canonical spelling out, or an error. No disk is read: paths are text here.

A bundle stores canonical paths: names joined by ``/``, none of them empty, ``.`` or ``..``. ``./a``, ``a//b``, ``a/``, ``a/../b``
and ``a\b`` are other spellings of such a path. A path that leads out of the root, or starts at another root (``/a``, ``~/a``,
``C:\a``, ``file://a``), is refused, percent-encoded or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError

_OTHER_ROOT: Final = re.compile(r"[/~]|[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*://|.*\0", re.DOTALL)
"""The start of a path that is not relative to the bundle's root; or a NUL anywhere, where the system calls would end the path."""
_MAX_SHOWN: Final = 200
"""Characters of a wrong path that an error repeats."""
_MAX_GLOB: Final = 1000  # characters
_MAX_FOREIGN_PATH: Final = 4096  # characters
_MAX_FOREIGN_DEPTH: Final = 64  # parts
_NEVER_STORED: Final = re.compile("[\x00-\x1f\x7f-\x9f\\\\\ud800-\udfff]")


def spellings(path: str) -> Iterator[str]:
    """The canonical paths that ``path`` may mean: as it is, then percent-decoded. ``""`` is the top directory.

    Raises:
        UsageError: PATH_EMPTY, or PATH_OUT_OF_ROOT.
    """
    if not path.strip():
        raise UsageError("The path is empty.", code="PATH_EMPTY", hint="The top of the repository is '.'.")
    yield _canonical(path, path)
    if "%" in path and (decoded := unquote(path)) != path:
        yield _canonical(decoded, path)


def find_file(bundle: Bundle, path: str) -> FileRecord | None:
    """The file that a path of any machine means: that of the longest end of the path which the bundle stores; None without one.

    So the absolute path of a file in some checkout finds that file.
    """
    parts = path[-_MAX_FOREIGN_PATH:].replace("\\", "/").split("/")[-_MAX_FOREIGN_DEPTH:]
    endings = ("/".join(parts[at:]) for at in range(len(parts)) if parts[at] not in ("", "."))
    return next((file for ending in endings if (file := bundle.file_at(ending))), None)


def details_of(path: str, **more: Any) -> dict[str, Any]:
    """The ``details`` of an error about a path."""
    return {"path": path[:_MAX_SHOWN].encode("utf-8", "backslashreplace").decode(), **more}


def shown(path: str) -> str:
    """A caller's path for a message: quoted, safe to print, and cut if it is long."""
    return repr(path if len(path) <= _MAX_SHOWN else f"{path[:_MAX_SHOWN]}…")


def _canonical(path: str, given: str) -> str:
    names: list[str] = []
    separated = path.replace("\\", "/")
    is_inside = _OTHER_ROOT.match(separated) is None
    for name in separated.split("/") if is_inside else ():
        if name == "..":
            if not names:
                is_inside = False
                break
            names.pop()
        elif name not in ("", "."):
            names.append(name)
    if not is_inside:
        raise UsageError(
            f"The path {shown(given)} leads out of the repository.",
            code="PATH_OUT_OF_ROOT",
            details=details_of(given),
            hint="Paths are relative to the top of the repository, as in src/main.py.",
        )
    return "/".join(names)


def checked_glob(glob: str) -> str:
    """A glob without a leading ``./``.

    Raises:
        UsageError: FILE_GLOB_INVALID; no path of a bundle can match it.
    """
    relative = glob.removeprefix("./")
    wrong = (
        "is empty"
        if not relative
        else f"has more than {_MAX_GLOB} characters"
        if len(relative) > _MAX_GLOB
        else "has a character that no path has"
        if _NEVER_STORED.search(relative)
        else "leads out of the repository"
        if relative.startswith("/") or ".." in relative.split("/")
        else ""
    )
    if wrong:
        raise UsageError(
            f"The glob {shown(glob)} {wrong}.",
            code="FILE_GLOB_INVALID",
            details={"file_glob": details_of(glob)["path"]},
            hint="Globs are held against whole paths, as in src/**/*.py or **/README.md.",
        )
    return relative
