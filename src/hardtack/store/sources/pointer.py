"""The small JSON documents of a static place <-> :class:`Pointer`: which pack belongs to a commit, a reference, a bundle's digest.

    f1/commit/SHA.json    written once          packs/SHA256.hardtack    the packs themselves, named by their digests
    f1/ref/NAME.json      moved on; NAME percent-encoded
    f1/bundle/HEX.json    written once

``f1`` is the version of what lies below; a later one will lie beside it, out of sight of this program. A pointer is anybody's
words: the pack that it names is held against it, and the only path in it is the one that its digest prescribes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from hardtack.bundle.format.digest import canonical_json, is_digest
from hardtack.bundle.format.manifest import Manifest
from hardtack.errors import FormatError, PolicyError, UnsupportedFormat, UsageError
from hardtack.store.sources.source import Packed, Wanted
from hardtack.store.strict_json import parse_object

FORMAT: Final = 1
LIMIT: Final = 1 << 16
"""Bytes of the largest pointer."""
PACK_LIMIT: Final = 4 << 30
"""Bytes of the largest pack that is fetched."""

_STATES: Final = ("active", "deprecated", "eol")
_LONGEST_NAME: Final = 200
"""Bytes of a reference's name, percent-encoded: file systems take 255."""
_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_TEXT_FIELDS: Final = ("repository", "root", "profile")
_LONGEST_TEXT: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """What a static place says of one pack."""

    status: str = "active"
    """``deprecated``: still served, and about to end; ``eol``: no longer meant to be used."""
    repository: str
    root: str
    commit: str
    commit_time: int
    profile: str
    bundle_digest: str
    pack_digest: str
    size: int
    """Bytes of the pack."""

    @property
    def path(self) -> str:
        """Where the pack lies, relative to the place's base."""
        return pack_path(self.pack_digest)


def pointer_to(pack: Packed) -> Pointer:
    """The pointer to a pack that is to be published."""
    provenance = pack.manifest.provenance
    return Pointer(
        repository=provenance.repository,
        root=provenance.subdirectory,
        commit=provenance.commit,
        commit_time=provenance.commit_time or 0,
        profile=profile_of(pack.manifest),
        bundle_digest=pack.bundle_digest,
        pack_digest=pack.digest,
        size=pack.size,
    )


def profile_of(manifest: Manifest) -> str:
    """``hybrid``, or ``keyword`` for a bundle without vectors."""
    return "hybrid" if manifest.encoder else "keyword"


def render_pointer(pointer: Pointer) -> bytes:
    """The pointer as it lies in a place: the same for the same pack, whoever writes it."""
    names = (*_TEXT_FIELDS, "status", "commit", "commit_time", "bundle_digest", "pack_digest", "size", "path")
    return canonical_json({"format": FORMAT, **{name: getattr(pointer, name) for name in names}})


def document_in(data: bytes, limit: int, address: str) -> dict[str, Any]:
    """The JSON object that a file of a place holds.

    Args:
        data: what was read of it, of a larger one more than ``limit`` bytes.
        limit: bytes that are taken at most.
        address: of the file, for messages.

    Raises:
        PolicyError: it is larger.
        FormatError: something else is in it.
    """
    if len(data) > limit:
        raise PolicyError(f"{address} is larger than the {limit} bytes that are taken of it.")
    try:
        return parse_object(data)
    except ValueError as error:
        raise FormatError(f"{address} is not what was expected: {error}.", hint="Publish it again.") from error


def parse_pointer(document: dict[str, Any], address: str) -> Pointer:
    """The pointer in a document. Fields that are not known are for later versions, and ignored.

    Raises:
        UnsupportedFormat: it is of another format.
        FormatError: a field is not as it should be; ``field`` names it.
        PolicyError: the pack is said to be no longer meant to be used.
    """
    found = document.get("format")
    if type(found) is int and found != FORMAT:
        raise UnsupportedFormat(
            f"{address} is of format {found}, and this program reads {FORMAT}.",
            found=found,
            readable=(FORMAT, FORMAT),
            hint="Update Hardtack.",
        )
    _demand(type(found) is int, address, "format")
    for name in _TEXT_FIELDS:
        value = document.get(name)
        _demand(isinstance(value, str) and len(value) <= _LONGEST_TEXT and (not value or value.isprintable()), address, name)
    for name in ("bundle_digest", "pack_digest"):
        value = document.get(name)
        _demand(isinstance(value, str) and is_digest(value), address, name)
    _demand(is_commit(document.get("commit")), address, "commit")
    for name in ("commit_time", "size"):
        value = document.get(name)
        _demand(type(value) is int and 0 <= value < 1 << 63, address, name)
    _demand(document.get("status") in _STATES, address, "status")
    _demand(document.get("path") == pack_path(document["pack_digest"]), address, "path")
    if document["status"] == "eol":
        raise PolicyError(f"{address} says that its pack is no longer to be used.", hint="Pull a newer commit.")
    return Pointer(**{name: document[name] for name in Pointer.__slots__})


def pack_path(digest: str) -> str:
    """Where the pack of that digest lies."""
    assert is_digest(digest)
    return f"packs/{digest.removeprefix('sha256:')}.hardtack"


def commit_path(commit: str) -> str:
    """Where the pointer of a commit lies.

    Raises:
        UsageError: it is no full commit id.
    """
    if not is_commit(commit):
        raise UsageError(f"{commit!r} is no full commit id.", hint="Write all of its 40 digits, 0-9a-f.")
    return f"f1/commit/{commit}.json"


def bundle_path(digest: str) -> str:
    """Where the pointer of a bundle digest lies."""
    assert is_digest(digest)
    return f"f1/bundle/{digest.removeprefix('sha256:')}.json"


def ref_path(ref: str) -> str:
    """Where the pointer of a branch or tag lies.

    Raises:
        UsageError: nothing can be called so.
    """
    name = quote(ref, safe="") if ref.isprintable() else ""
    if not 0 < len(name) <= _LONGEST_NAME or ref.startswith("-"):
        raise UsageError(f"{ref[:_LONGEST_NAME]!r} is no name of a branch or tag.")
    return f"f1/ref/{name}.json"


def path_for(wanted: Wanted) -> str:
    """Where the pointer lies that tells of what is wanted.

    Raises:
        UsageError: nothing can be so called.
    """
    if wanted.digest:
        return bundle_path(wanted.digest)
    return ref_path(wanted.ref) if wanted.ref else commit_path(wanted.commit)


def is_commit(value: object) -> bool:
    """Whether it is a full commit id; nothing else may become part of an address."""
    return isinstance(value, str) and _COMMIT.fullmatch(value) is not None


def _demand(holds: bool, address: str, name: str) -> None:
    if not holds:
        raise FormatError(f"{address} is not as it should be: {name}.", field=name, hint="Tell whoever publishes there.")
