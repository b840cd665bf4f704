r"""A path or a glob as a caller spells it in, its canonical spelling out, or an error. No disk is read: paths are text here.

A bundle stores canonical paths: names joined by ``/``, none of them empty, ``.`` or ``..``. ``./a``, ``a//b``, ``a/``, ``a/../b``
and ``a\b`` are other spellings of such a path. So is one that answers and editors give: with lines (``a:10``, ``a#L10-L20``), as an
address (``hardtack://index/a``, ``file:///checkout/a``), from the top (``/a``), or absolute in a directory with the bundle's files
(``Bundle.places``). A path that leads out of the root, or starts at another one (``/etc/a``, ``~/a``, ``C:\a``), is refused,
percent-encoded or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.query.request.top import ABSOLUTE, from_the_top, spelt_glob

_OTHER_ROOT: Final = re.compile(r"[/~]|[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*://|.*\0", re.DOTALL)
"""The start of a path that is not relative to the bundle's root; or a NUL anywhere, where the system calls would end the path."""
_URI: Final = re.compile(
    r"(?P<scheme>file|hardtack)://(?P<host>[^/?#]*)/(?P<path>[^?#]*)(?:\?(?:lines=(?P<query>[^&#]*))?[^#]*)?(?:#(?P<fragment>.*))?",
    re.DOTALL | re.IGNORECASE,
)
_PLACE: Final = re.compile(r"(?P<path>.+?)[:#]L?(?P<first>\d{1,9})(?:(?P<to>-)L?(?P<last>\d{1,9})?|:(?:\d{1,9}:?)?)?", re.DOTALL)
_MAX_SHOWN: Final = 200
"""Characters of a wrong path that an error repeats."""
_MAX_FOREIGN_PATH: Final = 4096  # characters
_MAX_FOREIGN_DEPTH: Final = 64  # parts
_NEVER_STORED: Final = re.compile("[\x00-\x1f\x7f-\x9f\\\\\ud800-\udfff]")


class Place(NamedTuple):
    """A path with lines."""

    path: str
    """As the caller spells it."""
    index_name: str = ""
    """Of the ``hardtack:`` address; empty of anything else."""
    first: int | None = None
    """The first line; None without lines."""
    last: int | None = None
    """The last line; None for the end of the file, and without lines."""


def place_of(text: str) -> Place:
    """A path and the lines after it: ``a:10``, ``a:10:5`` (with a column), ``a:10-20``, ``a:10-``, ``a#L10-L20``; or an address."""
    uri = _URI.fullmatch(text)
    index_name, path, lines = "", text, ""
    if uri and uri["scheme"].lower() == "hardtack":
        index_name, path = unquote(uri["host"]), unquote(uri["path"], errors="surrogateescape")
    elif uri and uri["host"] in ("", "localhost"):
        path = unquote(uri["path"], errors="surrogateescape")
        path = path if ABSOLUTE.match(path) else f"/{path}"
    if uri:
        lines = f"#{given}" if (given := uri["fragment"] or uri["query"]) else ""
    at = _PLACE.fullmatch(path + lines)
    if at is None:
        return Place(path, index_name)
    first = int(at["first"])
    return Place(at["path"], index_name, first, int(at["last"]) if at["last"] else None if at["to"] else first)


def spellings(bundle: Bundle, path: str) -> Iterator[str]:
    """The canonical paths that ``path`` may mean: as it is, then percent-decoded, then without lines. ``""`` is the top directory.

    Raises:
        UsageError: PATH_EMPTY, or PATH_OUT_OF_ROOT.
    """
    if not path.strip():
        raise UsageError("The path is empty.", code="PATH_EMPTY", hint="The top of the repository is '.'.")
    place = place_of(path)
    whole = place.path if _URI.fullmatch(path) else path
    forms = [from_the_top(bundle, form) for form in (whole, place.path)]
    if "%" in path:
        forms.insert(1, unquote(forms[0]))
    for form in dict.fromkeys(forms):
        yield _canonical(form, path)
    if ABSOLUTE.match(whole.replace("\\", "/")) and forms[0] == whole.replace("\\", "/").lstrip("/"):
        raise _out_of_root(path)


def find_file(bundle: Bundle, path: str) -> FileRecord | None:
    """The file that a path of any machine means: that of the longest end of the path which the bundle stores; None without one.

    So the absolute path of a file in some checkout finds that file.
    """
    for form in dict.fromkeys((path, place_of(path[-_MAX_FOREIGN_PATH:]).path)):
        parts = form[-_MAX_FOREIGN_PATH:].replace("\\", "/").split("/")[-_MAX_FOREIGN_DEPTH:]
        endings = ("/".join(parts[at:]) for at in range(len(parts)) if parts[at] not in ("", "."))
        if file := next((file for ending in endings if (file := bundle.file_at(ending))), None):
            return file
    return None


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
        raise _out_of_root(given)
    return "/".join(names)


def _out_of_root(given: str) -> UsageError:
    return UsageError(
        f"The path {shown(given)} leads out of the repository.",
        code="PATH_OUT_OF_ROOT",
        details=details_of(given),
        hint="Paths are relative to the top of the repository, as in src/main.py.",
    )


def checked_glob(bundle: Bundle, glob: str) -> str:
    """A glob that is held against whole paths, without a leading slash or ``./``.

    Raises:
        UsageError: FILE_GLOB_INVALID; no path of a bundle can match it, or it is too long.
    """
    relative = spelt_glob(bundle, glob).lstrip("/") or (glob and "**")
    wrong = (
        "is empty"
        if not relative
        else "has a character that no path has"
        if _NEVER_STORED.search(relative)
        else "leads out of the repository"
        if ".." in relative.split("/")
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
