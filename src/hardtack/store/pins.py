"""``.hardtack.lock`` <-> pins: the bundle that a project wants under each name, by digest; committed with the project.

The file is made for people and for diffs: one JSON object, sorted by name, without times. It is untrusted input, but a pin names a
bundle by its digest and can lead to no other.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import is_digest
from hardtack.descriptors import replace_file
from hardtack.errors import FormatError, SourceError
from hardtack.git import is_commit
from hardtack.store.cache import BundleCache
from hardtack.store.cache_writing import write_file
from hardtack.store.records import RECORD_LIMIT, is_bundle_name, read_object

LOCK_FILE: Final = ".hardtack.lock"
LOCK_LIMIT: Final = 1 << 20
"""The most bytes of a lock file that is read."""
_FORMAT: Final = 1

_HINT: Final = "Mend the file, or write it again with: hardtack pull --pin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One pinned bundle."""

    digest: str
    """The bundle's digest."""
    commit: str = ""
    """The commit it was built from; empty when it was built from no commit."""


def read_pins(path: Path) -> dict[str, Pin]:
    """The pins in the lock file at ``path``, by name; none when there is no file.

    Raises:
        FormatError: it is no valid lock file; ``field`` names the fault.
    """
    if not os.path.lexists(path):
        return {}
    document = read_object(path, LOCK_LIMIT)
    bundles = document.get("bundles")
    if document.get("format") != _FORMAT or not isinstance(bundles, dict):
        raise FormatError(f"{path} is no lock file of this Hardtack's.", field="format", hint=_HINT)
    return {name: _pin(name, value, path) for name, value in sorted(bundles.items())}


def write_pin(path: Path, name: str, pin: Pin) -> None:
    """Set the pin of ``name`` in the lock file at ``path``, which is made if it is missing. Equal pins give equal bytes.

    Raises:
        FormatError: the existing file is no valid lock file.
        SourceError: the disk refuses.
    """
    assert is_bundle_name(name)
    assert is_digest(pin.digest)
    pins = {**read_pins(path), name: pin}
    bundles = {name: {"commit": pins[name].commit, "digest": pins[name].digest} for name in sorted(pins)}
    text = json.dumps({"format": _FORMAT, "bundles": bundles}, indent=2) + "\n"
    try:
        replace_file(path, text.encode("ascii"))
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}.") from error


def remember_pins(cache: BundleCache, lock_file: Path) -> None:
    """Have the cache keep the bundles that a project's lock file names, for as long as that file exists.

    Call :func:`prepare_cache` first.

    Raises:
        SourceError: the disk refuses.
    """
    place = str(lock_file.absolute())
    text = json.dumps({"format": _FORMAT, "path": place}) + "\n"
    write_file(cache.pins / f"{hashlib.sha256(os.fsencode(place)).hexdigest()}.json", text.encode("ascii"))


def pinned_digests(cache: BundleCache) -> tuple[set[str], list[Path]]:
    """The digests in all remembered lock files, and the cache's entries of lock files that no longer exist.

    A lock file that exists and cannot be read is an error, because any bundle may be pinned there, and a pinned bundle must not be
    deleted.

    Raises:
        FormatError: a remembered lock file, or the cache's entry of one, exists and cannot be read.
        SourceError: the cache's entries cannot be listed.
    """
    wanted: set[str] = set()
    gone: list[Path] = []
    for entry in _remembered(cache):
        place = ""
        try:
            place = read_object(entry, RECORD_LIMIT).get("path", "")
        except FormatError as error:
            if isinstance(error.__cause__, OSError) and entry.is_file():  # unreadable, not invalid: it may name any lock file
                raise
        if isinstance(place, str) and Path(place).is_absolute() and "\0" not in place and os.path.lexists(place):
            wanted |= {pin.digest for pin in read_pins(Path(place)).values()}
        else:
            gone.append(entry)
    return wanted, gone


def _remembered(cache: BundleCache) -> list[Path]:
    try:
        # A temporary file is one that a process is about to rename.
        return sorted(path for path in cache.pins.iterdir() if not path.name.startswith(layout.OWN_PREFIX))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SourceError(f"{cache.pins} cannot be listed: {error.strerror}.") from error


def _pin(name: str, value: Any, path: Path) -> Pin:
    pin: Mapping[str, Any] = value if isinstance(value, dict) else {}
    digest, commit = pin.get("digest"), pin.get("commit", "")
    is_sound = isinstance(digest, str) and is_digest(digest) and (commit == "" or is_commit(commit))
    if not is_bundle_name(name) or not is_sound:
        raise FormatError(f"{path}: the pin of {name[:200]!r} is not as it should be.", field=f"bundles.{name}", hint=_HINT)
    return Pin(digest=str(digest), commit=commit)
