r"""A path or a glob as a caller spells it in, its one canonical spelling out, or a refusal. No disk is asked: paths are words here.

Canonical is what a bundle stores: names joined by ``/``, none of them empty, ``.`` or ``..``. ``./a``, ``a//b``, ``a/``, ``a/../b``
and ``a\b`` are other spellings of such a path. One that leads out of the root, or begins at another root (``/a``, ``~/a``,
``C:\a``, ``file://a``), is refused, percent-encoded or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from hardtack.errors import UsageError

_OTHER_ROOT: Final = re.compile(r"[/~]|[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*://|.*\0", re.DOTALL)
"""Where a path begins that does not begin at the bundle's root; a NUL ends a path for whoever would open it."""
_SHOWN: Final = 200
"""Characters of a wrong path that an error repeats."""
_LONGEST_GLOB: Final = 1000
_NEVER_STORED: Final = re.compile("[\x00-\x1f\x7f-\x9f\\\\\ud800-\udfff]")


def spellings(path: str) -> Iterator[str]:
    """The canonical paths that ``path`` may mean: itself, and what it is when percent-decoded. ``""`` is the top.

    Raises:
        UsageError: PATH_EMPTY, or PATH_OUT_OF_ROOT.
    """
    if not path.strip():
        raise UsageError("The path is empty.", code="PATH_EMPTY", hint="The top of the repository is '.'.")
    yield _canonical(path, path)
    if "%" in path and (decoded := unquote(path)) != path:
        yield _canonical(decoded, path)


def details_of(path: str, **more: Any) -> dict[str, Any]:
    """What an error about a path says of it besides."""
    return {"path": path[:_SHOWN].encode("utf-8", "backslashreplace").decode(), **more}


def shown(path: str) -> str:
    """A caller's path in a sentence: quoted, safe to print, and not too long."""
    return repr(path if len(path) <= _SHOWN else f"{path[:_SHOWN]}…")


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
    """A glob without a ``./`` before it.

    Raises:
        UsageError: FILE_GLOB_INVALID; no path of a bundle can match it.
    """
    kept = glob.removeprefix("./")
    wrong = (
        "is empty"
        if not kept
        else f"has more than {_LONGEST_GLOB} characters"
        if len(kept) > _LONGEST_GLOB
        else "has a character that no path has"
        if _NEVER_STORED.search(kept)
        else "leads out of the repository"
        if kept.startswith("/") or ".." in kept.split("/")
        else ""
    )
    if wrong:
        raise UsageError(
            f"The glob {shown(glob)} {wrong}.",
            code="FILE_GLOB_INVALID",
            details={"file_glob": details_of(glob)["path"]},
            hint="Globs are held against whole paths, as in src/**/*.py or **/README.md.",
        )
    return kept
