"""The pointers of a static source <-> :class:`Pointer`: JSON files that name the pack of a commit, a reference or a bundle digest.

    f1/commit/SHA.json    written once
    f1/bundle/HEX.json    written once
    f1/ref/NAME.json      replaced when the reference moves; NAME is percent-encoded
    packs/HEX.hardtack    the packs, named by their digests

A reference's pointer says until when it holds, so that a client can refuse a place that shows an old one for ever.

``f1`` is the version of this layout; a later version will have a directory of its own, which this program ignores. A pointer is
untrusted: the pack is checked against it, and its ``path`` must be the one that the pack's digest gives.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from hardtack.bundle.format.digest import canonical_json, is_digest
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.format.recipe import recipe_of
from hardtack.errors import FormatError, PolicyError, UnsupportedFormat, UsageError
from hardtack.git import is_commit
from hardtack.store.sources.source import Packed, Wanted
from hardtack.store.strict_json import parse_object

FORMAT: Final = 1
LIMIT: Final = 1 << 16
"""The most bytes of a pointer."""
PACK_LIMIT: Final = 4 << 30
"""The most bytes of a pack that is fetched."""

_STATES: Final = ("active", "deprecated", "eol")
_LONGEST_NAME: Final = 200
"""The most bytes of a reference's name, percent-encoded: file systems allow 255 for a file name."""

_TEXT_FIELDS: Final = ("repository", "root", "profile")
_LONGEST_TEXT: Final = 1000
_LONGEST_LIFE: Final = 366 * 86_400
"""Seconds that a pointer may be believed at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """A static source's description of one pack."""

    status: str = "active"
    """``deprecated``: still served, but to be withdrawn; ``eol``: must not be used any more."""
    repository: str
    root: str
    commit: str
    commit_time: int
    profile: str
    bundle_digest: str
    pack_digest: str
    size: int
    """The pack's size in bytes."""
    expires: int = 0
    """Seconds since 1970 until which a reference's pointer is meant to be believed; 0 when it says nothing of it."""
    recipe: str = ""
    """What made the bundle (:func:`recipe_of`), so that nobody need fetch the pack to tell; empty when it says nothing of it."""

    @property
    def path(self) -> str:
        """The pack's path, relative to the store's base."""
        return pack_path(self.pack_digest)


def pointer_to(pack: Packed) -> Pointer:
    """The pointer to a pack."""
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
        recipe=recipe_of(pack.manifest),
    )


def profile_of(manifest: Manifest) -> str:
    """``hybrid``, or ``keyword`` for a bundle without vectors."""
    return "hybrid" if manifest.encoder else "keyword"


def render_pointer(pointer: Pointer) -> bytes:
    """The pointer as canonical JSON: equal pointers give equal bytes."""
    names = (*_TEXT_FIELDS, "status", "commit", "commit_time", "bundle_digest", "pack_digest", "size", "path")
    optional = {name: value for name in ("expires", "recipe") if (value := getattr(pointer, name))}
    return canonical_json({"format": FORMAT, **{name: getattr(pointer, name) for name in names}, **optional})


def document_in(data: bytes, limit: int, address: str) -> dict[str, Any]:
    """The JSON object in a file of a store.

    Args:
        data: the first bytes of the file; more than ``limit`` of them if it is larger.
        limit: the most bytes that are accepted.
        address: the file's address for messages.

    Raises:
        PolicyError: the file is larger than ``limit``.
        FormatError: it holds no JSON object.
    """
    if len(data) > limit:
        raise PolicyError(f"{address} is larger than the {limit} bytes that are taken of it.")
    try:
        return parse_object(data)
    except ValueError as error:
        raise FormatError(f"{address} is not what was expected: {error}.", hint="Publish it again.") from error


def parse_pointer(document: dict[str, Any], address: str) -> Pointer:
    """The pointer in a JSON object. Unknown fields are ignored, for later versions.

    Raises:
        UnsupportedFormat: it has another format version.
        FormatError: a field is missing or invalid; ``field`` names it.
        PolicyError: its status says that the pack must not be used any more.
    """
    check_format(document, address)
    for name in _TEXT_FIELDS:
        value = document.get(name)
        demand(isinstance(value, str) and len(value) <= _LONGEST_TEXT and (not value or value.isprintable()), address, name)
    for name in ("bundle_digest", "pack_digest"):
        value = document.get(name)
        demand(isinstance(value, str) and is_digest(value), address, name)
    demand(is_commit(document.get("commit")), address, "commit")
    for name in ("commit_time", "size"):
        value = document.get(name)
        demand(type(value) is int and 0 <= value < 1 << 63, address, name)
    expires = document.get("expires", 0)
    demand(type(expires) is int and 0 <= expires < 1 << 63, address, "expires")
    recipe = document.get("recipe", "")
    demand(isinstance(recipe, str) and (not recipe or is_digest(recipe)), address, "recipe")
    demand(document.get("status") in _STATES, address, "status")
    demand(document.get("path") == pack_path(document["pack_digest"]), address, "path")
    if document["status"] == "eol":
        raise PolicyError(f"{address} says that its pack is no longer to be used.", hint="Pull a newer commit.")
    return Pointer(**{name: document[name] for name in Pointer.__slots__ if name in document})


def check_format(document: Mapping[str, Any], address: str) -> None:
    """Refuse what a place holds in another version of its layout.

    Raises:
        UnsupportedFormat: it has another version.
        FormatError: it has none.
    """
    found = document.get("format")
    if type(found) is not int:
        raise fault(address, "format")
    if found != FORMAT:
        raise UnsupportedFormat(
            f"{address} is of format {found}, and this program reads {FORMAT}.",
            found=found,
            readable=(FORMAT, FORMAT),
            hint="Update Hardtack.",
        )


def check_fresh(pointer: Pointer, address: str) -> None:
    """Refuse a reference's pointer that has expired, or does not say until when it holds.

    Raises:
        PolicyError: it is not known to be fresh.
    """
    now = int(time.time())
    if not pointer.expires:
        why = "does not say until when it holds"
    elif pointer.expires <= now:
        why = f"held until {time.strftime('%Y-%m-%d', time.gmtime(pointer.expires))}, and may name something else by now"
    elif pointer.expires > now + _LONGEST_LIFE:
        why = "says that it holds for more than a year, which is not believed"
    else:
        return
    raise PolicyError(f"{address} {why}.", hint="Leave out --require-fresh to take it all the same, or have it published again.")


def pack_path(digest: str) -> str:
    """The path of the pack of that digest."""
    assert is_digest(digest)
    return f"packs/{digest.removeprefix('sha256:')}.hardtack"


def commit_path(commit: str) -> str:
    """The path of the pointer of a commit.

    Raises:
        UsageError: ``commit`` is no full commit id.
    """
    if not is_commit(commit):
        raise UsageError(f"{commit!r} is no full commit id.", hint="Write all of its 40 digits, 0-9a-f.")
    return f"f1/commit/{commit}.json"


def bundle_path(digest: str) -> str:
    """The path of the pointer of a bundle digest."""
    assert is_digest(digest)
    return f"f1/bundle/{digest.removeprefix('sha256:')}.json"


def ref_path(ref: str) -> str:
    """The path of the pointer of a branch or tag.

    Raises:
        UsageError: ``ref`` is no valid name.
    """
    name = quote(ref, safe="") if ref.isprintable() else ""
    if not 0 < len(name) <= _LONGEST_NAME or ref.startswith("-"):
        raise UsageError(f"{ref[:_LONGEST_NAME]!r} is no name of a branch or tag.")
    return f"f1/ref/{name}.json"


def path_for(wanted: Wanted) -> str:
    """The path of the pointer for a request.

    Raises:
        UsageError: its commit or reference has no valid name.
    """
    if wanted.digest:
        return bundle_path(wanted.digest)
    return ref_path(wanted.ref) if wanted.ref else commit_path(wanted.commit)


def demand(holds: bool, address: str, name: str) -> None:
    """Refuse what a place holds where a field of it is not as it should be.

    Raises:
        FormatError: ``holds`` is false; ``field`` is ``name``.
    """
    if not holds:
        raise fault(address, name)


def fault(address: str, name: str) -> FormatError:
    """The error for a field that is not as it should be."""
    return FormatError(f"{address} is not as it should be: {name}.", field=name, hint="Tell whoever publishes there.")
