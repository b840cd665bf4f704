"""Records of installed bundles <-> JSON: which bundle a name stands for, and where it came from.

A record lies outside the bundle it names and is untrusted input like any other: it is read to a limit, through no link, strictly,
and nothing of it becomes a path but a digest that is spelt as one. A name becomes a file's name by percent signs alone, so that no
name can lead out of the directory of records.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args
from urllib.parse import quote, unquote

from hardtack.bundle.format.digest import is_digest
from hardtack.errors import FormatError, UsageError
from hardtack.store import descriptors

FORMAT: Final = 1
SUFFIX: Final = ".json"
RECORD_LIMIT: Final = 64 << 10
"""Bytes of the largest record that is read; they come to a few hundred."""
NAME_LIMIT: Final = 200
TEXT_LIMIT: Final = 1000
"""Characters of the longest text in a record."""

RECORD_HINT: Final = "Install the bundle again, or remove the file."

Trust = Literal["unsigned", "good", "bad", "unchecked"]
TRUSTS: Final = get_args(Trust)

_NAME: Final = re.compile(r"(?!\.)[A-Za-z0-9._~+@-]+(?:/[A-Za-z0-9._~+@-]+)*")
_OTHER: Final = re.compile(r"[^A-Za-z0-9._~+@/-]+")
_TIME_LIMIT: Final = 1 << 53
_LATER: Final = ("last_branch", "last_commit", "last_time")
"""Fields of an origin that records of before do not have."""


class Origin(NamedTuple):
    """Where an installed bundle came from. What is not known is empty or 0."""

    source: str = "file"
    """For people: ``file``, ``https://...``, ``github:owner/name artifacts``."""
    repository: str = ""
    """``host/owner/name``."""
    commit: str = ""
    branch: str = ""
    pack_digest: str = ""
    """``sha256:<64 hex>`` of the pack it was installed from."""
    bundle_digest: str = ""
    signer: str = ""
    """Who vouches for it; empty as long as nobody does."""
    trust: Trust = "unsigned"
    """What came of checking that: nobody signed, good, bad, or it could not be checked."""
    installed_at: int = 0
    """Seconds since 1970; a record may hold a clock, a bundle does not."""
    commit_time: int = 0
    """Seconds since 1970."""
    last_branch: str = ""
    """The branch that led to a bundle of this name before one was installed that no branch led to; empty when one did."""
    last_commit: str = ""
    """Where that branch led."""
    last_time: int = 0
    """Of that commit, seconds since 1970."""

    @property
    def led(self) -> tuple[str, str, int]:
        """The branch that last led to a bundle of this name, the commit it led to, and that one's time."""
        if self.branch:
            return self.branch, self.commit, self.commit_time
        return self.last_branch, self.last_commit, self.last_time


class Record(NamedTuple):
    """One name, and the bundle that it stands for."""

    name: str
    digest: str
    """Of the bundle."""
    origin: Origin


def is_bundle_name(name: str) -> bool:
    """Whether an installed bundle may be called that: words with slashes between, none of them dots alone."""
    return len(name) <= NAME_LIMIT and _NAME.fullmatch(name) is not None and all(part.strip(".") for part in name.split("/"))


def fitting_name(text: str) -> str:
    """``text`` as a bundle's name: what may not be in one becomes a hyphen; ``bundle`` when nothing is left."""
    parts = [part.strip("-") for part in _OTHER.sub("-", text).split("/")]
    fitting = "/".join(part for part in parts if part.strip("."))[:NAME_LIMIT].rstrip("/-").lstrip(".")
    return fitting if is_bundle_name(fitting) else "bundle"


def fitting_origin(origin: Origin) -> Origin:
    """``origin`` as a record may have it: what cannot be printed becomes a question mark, no text too long, no time impossible."""
    fitting: dict[str, Any] = {}
    for name, value in origin._asdict().items():
        if isinstance(value, str):
            fitting[name] = "".join(each if each.isprintable() else "?" for each in value[:TEXT_LIMIT])
        else:
            fitting[name] = value if _is_time(value) else 0
    return Origin(**fitting)


def name_for(repository: str, subdirectory: str) -> str:
    """What the bundle of a repository, or of a directory of it that is built apart, is called."""
    return fitting_name("/".join(filter(None, (repository or "bundle", subdirectory))))


def is_same_repository(one: str, other: str) -> bool:
    """Whether two names are of one repository: hosts like GitHub do not tell letters by their case."""
    return one.casefold() == other.casefold()


def file_of(name: str) -> str:
    """The name of the file that keeps the record of ``name``.

    Raises:
        UsageError: no bundle may be called that.
    """
    file = quote(name, safe="@+") + SUFFIX
    if not is_bundle_name(name) or len(file) > 255:
        raise UsageError(
            f"{name[:NAME_LIMIT]!r} is no name for an installed bundle.",
            hint=f"Letters, digits and . _ ~ + @ - with slashes between, {NAME_LIMIT} characters at most.",
        )
    return file


def name_of(file: str) -> str:
    """The name whose record the file so called keeps; empty when it keeps none."""
    name = unquote(file.removesuffix(SUFFIX)) if file.endswith(SUFFIX) else ""
    return name if is_bundle_name(name) and quote(name, safe="@+") + SUFFIX == file else ""


def render_record(record: Record) -> bytes:
    """The record's bytes."""
    document = {"format": FORMAT, "name": record.name, "digest": record.digest, "origin": record.origin._asdict()}
    return json.dumps(document, sort_keys=True, indent=1).encode("ascii") + b"\n"


def read_record(path: Path) -> Record:
    """The record in the file at ``path``.

    Raises:
        FormatError: there is none, or it is none of ours.
    """
    document = read_object(path, RECORD_LIMIT)
    if document.get("format") != FORMAT:
        raise FormatError(f"{path} is no record of this Hardtack's.", field="format", hint=RECORD_HINT)
    name, digest, origin = document.get("name"), document.get("digest"), document.get("origin")
    if not isinstance(name, str) or name_of(path.name) != name:
        raise FormatError(f"{path} does not record the name that it is filed under.", field="name", hint=RECORD_HINT)
    if not isinstance(digest, str) or not is_digest(digest):
        raise FormatError(f"{path} names no bundle by its digest.", field="digest", hint=RECORD_HINT)
    return Record(name=name, digest=digest, origin=_origin(origin, path))


def read_object(path: Path, limit: int) -> Mapping[str, Any]:
    """The JSON object in a file of at most ``limit`` bytes, which is not reached through a link and not waited for.

    Raises:
        FormatError: there is no such file, or something else is in it.
    """
    try:
        descriptor = os.open(path, descriptors.READ)
        try:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode) or state.st_size > limit:
                raise FormatError(f"{path} is no file of at most {limit} bytes.", hint=RECORD_HINT)
            data = os.read(descriptor, limit + 1)
        finally:
            os.close(descriptor)
        document = json.loads(data.decode("utf-8"))
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.", hint=RECORD_HINT) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not JSON.", hint=RECORD_HINT) from error
    if len(data) > limit or not isinstance(document, dict):
        raise FormatError(f"{path} is not a JSON object.", hint=RECORD_HINT)
    return document


def _origin(source: object, path: Path) -> Origin:
    if not isinstance(source, dict):
        raise FormatError(f"{path} does not say where its bundle came from.", field="origin", hint=RECORD_HINT)
    for name, default in Origin._field_defaults.items():  # each has one, of its own type
        value = source.get(name, default if name in _LATER else None)
        if not (_is_time(value) if isinstance(default, int) else _is_text(value)):
            raise FormatError(f"{path}: origin.{name} is not as it should be.", field=f"origin.{name}", hint=RECORD_HINT)
    origin = Origin(**{name: source[name] for name in Origin._fields if name in source})
    digests = (origin.pack_digest, origin.bundle_digest)
    if origin.trust not in TRUSTS or not all(is_digest(digest) for digest in digests if digest):
        raise FormatError(f"{path}: origin is not as it should be.", field="origin", hint=RECORD_HINT)
    return origin


def _is_time(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _TIME_LIMIT


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= TEXT_LIMIT and value.isprintable()
