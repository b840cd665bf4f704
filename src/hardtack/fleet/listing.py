"""The text of a list of repositories in, its entries out; a line that is not as it should be refuses the whole list.

    https://git.example.org/team/api.git
    git@git.example.org:team/web.git       release      # a branch, a tag or a full commit id
    /srv/mirrors/old.git                   -            git.example.org/team/old

One repository a line: an address, then what to build of it (``-`` or nothing for its HEAD), then its name. What follows a ``#``
after a blank, or at the start of a line, is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from hardtack.errors import SourceError, UsageError
from hardtack.git import normalise_repository

LIST_LIMIT: Final = 16 << 20
"""Bytes of a list."""
MOST_REPOSITORIES: Final = 100_000
_LONGEST_LINE: Final = 4096
"""Characters."""
_LONGEST_REF: Final = 200
"""As of the name that a reference is published under."""
_SCHEMES: Final = ("https", "http", "ssh")
_SCP_FORM: Final = re.compile(r"(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9][A-Za-z0-9.-]+:(?!:)(?!//)[^-].*")
_REF: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/+@=-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One repository to build."""

    address: str
    """What git fetches from; an absolute path for a repository of this machine or of a disk that all workers share."""
    ref: str = ""
    """Short name of a branch or a tag, or a full commit id; empty for HEAD."""
    name: str = ""
    """``host/owner/name``; empty where the repository itself has to say: a path, whose ``origin`` is asked."""

    @property
    def protocol(self) -> str:
        """The one transport that git may use: ``file``, ``https``, ``http`` or ``ssh``."""
        scheme = self.address.partition("://")[0].lower() if "://" in self.address else ""
        return scheme or ("file" if self.address.startswith("/") else "ssh")


def read_list(path: Path) -> tuple[Entry, ...]:
    """The entries of the list in a file; a relative path in it counts from the file's directory.

    Raises:
        SourceError: it cannot be read.
        UsageError: it is too large, or a line of it is not as it should be.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LIST_LIMIT + 1)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from error
    if len(data) > LIST_LIMIT:
        raise UsageError(f"{path} is larger than the {LIST_LIMIT} bytes that a list may have.", hint="Make several lists of it.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8: byte {error.start} is not.", hint="Save it as UTF-8.") from error
    return parse_list(text, path)


def parse_list(text: str, path: Path) -> tuple[Entry, ...]:
    """The entries of a list; errors as of :func:`read_list`, which name ``path`` and the line."""
    seen: dict[tuple[str, str], int] = {}
    entries = []
    for number, columns in _lines(text, path):
        place = f"{path}, line {number}"
        entry = _entry(columns, place, path.absolute().parent)
        if before := seen.get((entry.address, entry.ref)):
            raise UsageError(f"{place} has what line {before} has.", hint="Take one of them out.")
        seen[entry.address, entry.ref] = number
        entries.append(entry)
        if len(entries) > MOST_REPOSITORIES:
            raise UsageError(f"{path} has more than {MOST_REPOSITORIES} repositories.", hint="Make several lists of it.")
    if not entries:
        raise UsageError(f"{path} names no repository.", hint="Write one address a line.")
    return tuple(entries)


def _lines(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """(number, columns) of each line that has any."""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if len(line) > _LONGEST_LINE:
            raise UsageError(f"{path}, line {number} has more than {_LONGEST_LINE} characters.")
        if not line.replace("\t", " ").isprintable():
            raise UsageError(f"{path}, line {number} has a character that cannot be printed.", hint="Take it out.")
        if columns := re.sub(r"(?:^|[ \t])#.*", "", line).split():
            yield number, columns


def _entry(columns: list[str], place: str, directory: Path) -> Entry:
    if len(columns) > 3:
        hint = "A line is ADDRESS [REF|-] [HOST/OWNER/NAME]; a blank in an address is written %20 in a file:// one."
        raise UsageError(f"{place} has {len(columns)} columns, and there are three at most.", hint=hint)
    address, ref, name = (*columns, "", "")[:3]
    ref = "" if ref == "-" else ref
    if ref and not _is_ref(ref):
        raise UsageError(f"{place}: {ref!r} is no name of a branch or tag.", hint="Write it without refs/heads/; - is HEAD.")
    if name and normalise_repository(f"https://{name}") != name:
        raise UsageError(f"{place}: {name!r} is no name of a repository.", hint="Write it like example.org/owner/name")
    address = _address(address, place, directory)
    return Entry(address=address, ref=ref, name=name or ("" if address.startswith("/") else normalise_repository(address)))


def _address(address: str, place: str, directory: Path) -> str:
    """The address as git is given it: never an option, never a transport that runs a program, never a password."""
    scheme, separator, rest = address.partition("://")
    if separator and scheme.lower() == "file":
        host, slash, path = rest.partition("/")
        if host not in ("", "localhost") or not slash or "%00" in path:
            raise UsageError(f"{place}: {address!r} is no place on this machine.", hint="Write it like file:///srv/git/name.git")
        return "/" + unquote(path).lstrip("/")
    if separator:
        _check_url(address, scheme.lower(), place)
        return address
    if _SCP_FORM.fullmatch(address):
        return address
    if "::" in address or address.startswith("-") or ":" in address.partition("/")[0]:
        raise UsageError(f"{place}: {address!r} is no address of a repository.", hint="Write a https, http or ssh URL, or a path.")
    return str(directory / address)


def _check_url(address: str, scheme: str, place: str) -> None:
    if scheme not in _SCHEMES:
        raise UsageError(
            f"{place}: {scheme!r} is no transport for repositories here.", hint=f"Use {', '.join(_SCHEMES)}, or a path."
        )
    try:
        parts = urlsplit(address)
        host, password = parts.hostname, parts.password
    except ValueError:
        host, password = None, None
    if not host or host.startswith("-") or (parts.username or "").startswith("-"):
        raise UsageError(f"{place}: {address!r} is no URL of a repository.")
    if password is not None or (scheme != "ssh" and parts.username):
        hint = "Give it to git's credential helper on every machine that builds."
        raise UsageError(f"{place} has a credential in its URL, which would stand in process lists and reports.", hint=hint)


def _is_ref(ref: str) -> bool:
    """Whether git takes it for the short name of a branch or tag, and nothing else."""
    is_odd = ".." in ref or "//" in ref or "@{" in ref or ref.endswith(("/", ".", ".lock")) or ref.startswith("refs/")
    return len(ref) <= _LONGEST_REF and _REF.fullmatch(ref) is not None and not is_odd
