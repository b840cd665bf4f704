"""``.hardtack.lock`` <-> pins: which bundle a project wants for each name, committed with the project.

The file is made for people and for diffs: one JSON object, sorted, one name after another, no clock. It is untrusted input; a pin
names a bundle by its digest and can lead to no other.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hardtack.bundle.format.digest import is_digest
from hardtack.errors import FormatError, SourceError
from hardtack.store.cache import BundleCache
from hardtack.store.cache_writing import replace_file, write_file
from hardtack.store.records import RECORD_LIMIT, is_bundle_name, read_object

LOCK_FILE: Final = ".hardtack.lock"
LOCK_LIMIT: Final = 1 << 20
"""Bytes of the largest lock file that is read."""
_FORMAT: Final = 1
_COMMIT: Final = re.compile(r"(?:[0-9a-f]{40}(?:[0-9a-f]{24})?)?")
_HINT: Final = "Mend the file, or write it again with: hardtack pull --pin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """The one bundle that is meant."""

    digest: str
    """Of the bundle."""
    commit: str = ""
    """What it was built from; empty when that was no commit."""


def read_pins(path: Path) -> dict[str, Pin]:
    """The pins in the lock file at ``path``, by name; none where there is no file.

    Raises:
        FormatError: it is no lock file; ``field`` says where.
    """
    if not os.path.lexists(path):
        return {}
    document = read_object(path, LOCK_LIMIT)
    bundles = document.get("bundles")
    if document.get("format") != _FORMAT or not isinstance(bundles, dict):
        raise FormatError(f"{path} is no lock file of this Hardtack's.", field="format", hint=_HINT)
    return {name: _pin(name, value, path) for name, value in sorted(bundles.items())}


def write_pin(path: Path, name: str, pin: Pin) -> None:
    """Pin ``name`` in the lock file at ``path``, which is made when it is missing; other pins stay. Same pins, same bytes.

    Raises:
        FormatError: what lies there is no lock file.
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
    """Digests that remembered lock files name, and what remembers files that are gone.

    A lock file that is there and cannot be read keeps what it named when it was remembered from being known, which is said by
    raising: what may be wanted is not deleted.

    Raises:
        FormatError: a remembered lock file is there and cannot be read, or what remembers it cannot.
        SourceError: it cannot be known which are remembered.
    """
    wanted: set[str] = set()
    gone: list[Path] = []
    for entry in _remembered(cache):
        place = ""
        try:
            place = read_object(entry, RECORD_LIMIT).get("path", "")
        except FormatError as error:
            if isinstance(error.__cause__, OSError) and entry.is_file():  # the disk keeps it to itself
                raise
        if isinstance(place, str) and Path(place).is_absolute() and "\0" not in place and os.path.lexists(place):
            wanted |= {pin.digest for pin in read_pins(Path(place)).values()}
        else:
            gone.append(entry)
    return wanted, gone


def _remembered(cache: BundleCache) -> list[Path]:
    try:
        return sorted(cache.pins.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SourceError(f"{cache.pins} cannot be listed: {error.strerror}.") from error


def _pin(name: str, value: Any, path: Path) -> Pin:
    pin: Mapping[str, Any] = value if isinstance(value, dict) else {}
    digest, commit = pin.get("digest"), pin.get("commit", "")
    is_sound = isinstance(digest, str) and is_digest(digest) and isinstance(commit, str) and _COMMIT.fullmatch(commit)
    if not is_bundle_name(name) or not is_sound:
        raise FormatError(f"{path}: the pin of {name[:200]!r} is not as it should be.", field=f"bundles.{name}", hint=_HINT)
    return Pin(digest=str(digest), commit=commit)
