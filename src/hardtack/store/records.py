"""Records of installed bundles <-> JSON: a name, the digest of its bundle, and where that came from.

A record is untrusted input: it is read up to a size limit, not through a link, and strictly; nothing of it becomes part of a path
but a well-formed digest. A name is percent-encoded to a file name, so that no name can lead out of the directory of records.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args
from urllib.parse import quote, unquote

from hardtack.bundle.format.digest import is_digest
from hardtack.descriptors import read_file
from hardtack.errors import FormatError, UsageError
from hardtack.notations import parse_json

FORMAT: Final = 1
SUFFIX: Final = ".json"
RECORD_LIMIT: Final = 64 << 10
"""The most bytes of a record that is read; a usual one has a few hundred."""
NAME_LIMIT: Final = 200
TEXT_LIMIT: Final = 1000
"""The most characters of a text in a record."""

RECORD_HINT: Final = "Install the bundle again, or remove the file."

Trust = Literal["unsigned", "good", "bad", "unchecked"]
TRUSTS: Final = get_args(Trust)

_NAME: Final = re.compile(r"(?!\.)[A-Za-z0-9._~+@-]+(?:/[A-Za-z0-9._~+@-]+)*")
_OTHER: Final = re.compile(r"[^A-Za-z0-9._~+@/-]+")
_TIME_LIMIT: Final = 1 << 53
_LATER: Final = ("last_branch", "last_commit", "last_time")
"""Fields of an origin that older records lack."""


class Origin(NamedTuple):
    """Where an installed bundle came from. An unknown field is empty or 0."""

    source: str = "file"
    """The source, to be shown: ``file``, ``https://...``, ``github:owner/name artifacts``."""
    repository: str = ""
    """``host/owner/name``."""
    commit: str = ""
    branch: str = ""
    pack_digest: str = ""
    """``sha256:<64 hex>`` of the pack it was installed from."""
    bundle_digest: str = ""
    signer: str = ""
    """The signer of the pack; empty when it is not signed."""
    trust: Trust = "unsigned"
    """The result of checking the signature."""
    installed_at: int = 0
    """Seconds since 1970."""
    commit_time: int = 0
    """Seconds since 1970."""
    last_branch: str = ""
    """If no branch led to this bundle: the last branch that led to a bundle of this name before."""
    last_commit: str = ""
    """The commit that branch led to."""
    last_time: int = 0
    """The time of that commit, seconds since 1970."""

    @property
    def led(self) -> tuple[str, str, int]:
        """The branch that last led to a bundle of this name, the commit it led to, and the commit's time."""
        if self.branch:
            return self.branch, self.commit, self.commit_time
        return self.last_branch, self.last_commit, self.last_time


class Record(NamedTuple):
    """A name and its bundle."""

    name: str
    digest: str
    """The bundle's digest."""
    origin: Origin


def is_bundle_name(name: str) -> bool:
    """Whether an installed bundle may have that name: parts separated by slashes, none of them only dots."""
    return len(name) <= NAME_LIMIT and _NAME.fullmatch(name) is not None and all(part.strip(".") for part in name.split("/"))


def fitting_name(text: str) -> str:
    """``text`` as a bundle's name: each run of other characters becomes a hyphen; ``bundle`` when nothing is left."""
    parts = [part.strip("-") for part in _OTHER.sub("-", text).split("/")]
    fitting = "/".join(part for part in parts if part.strip("."))[:NAME_LIMIT].rstrip("/-").lstrip(".")
    return fitting if is_bundle_name(fitting) else "bundle"


def fitting_origin(origin: Origin) -> Origin:
    """``origin`` made valid for a record: unprintable characters become ``?``, texts are cut, an impossible time becomes 0."""
    fitting: dict[str, Any] = {}
    for name, value in origin._asdict().items():
        if isinstance(value, str):
            fitting[name] = "".join(each if each.isprintable() else "?" for each in value[:TEXT_LIMIT])
        else:
            fitting[name] = value if _is_time(value) else 0
    return Origin(**fitting)


def name_for(repository: str, subdirectory: str) -> str:
    """The default name of the bundle of a repository, or of a directory in it that is built on its own."""
    return fitting_name("/".join(filter(None, (repository or "bundle", subdirectory))))


def file_of(name: str) -> str:
    """The file name of the record of ``name``.

    Raises:
        UsageError: no bundle may have that name.
    """
    file = quote(name, safe="@+") + SUFFIX
    if not is_bundle_name(name) or len(file) > 255:
        raise UsageError(
            f"{name[:NAME_LIMIT]!r} is no name for an installed bundle.",
            hint=f"Letters, digits and . _ ~ + @ - with slashes between, {NAME_LIMIT} characters at most.",
        )
    return file


def name_of(file: str) -> str:
    """The name whose record has that file name; empty when it is no record's."""
    name = unquote(file.removesuffix(SUFFIX)) if file.endswith(SUFFIX) else ""
    return name if is_bundle_name(name) and quote(name, safe="@+") + SUFFIX == file else ""


def render_record(record: Record) -> bytes:
    """The record as JSON."""
    document = {"format": FORMAT, "name": record.name, "digest": record.digest, "origin": record.origin._asdict()}
    return json.dumps(document, sort_keys=True, indent=1).encode("ascii") + b"\n"


def read_record(path: Path) -> Record:
    """The record in the file at ``path``.

    Raises:
        FormatError: there is no file, or it is no valid record.
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
    """The JSON object in a regular file of at most ``limit`` bytes. A link is not followed, and a FIFO not waited for.

    Raises:
        FormatError: there is no such file, or it holds no JSON object.
    """
    try:
        document = parse_json(read_file(path, limit).decode("utf-8"), most=limit, is_strict=True)
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.", hint=RECORD_HINT) from error
    except ValueError as error:
        raise FormatError(f"{path} is not JSON that can be read.", hint=RECORD_HINT) from error
    if not isinstance(document, dict):
        raise FormatError(f"{path} is not a JSON object.", hint=RECORD_HINT)
    return document


def _origin(source: object, path: Path) -> Origin:
    if not isinstance(source, dict):
        raise FormatError(f"{path} does not say where its bundle came from.", field="origin", hint=RECORD_HINT)
    for name, default in Origin._field_defaults.items():  # a default also tells its field's type
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
