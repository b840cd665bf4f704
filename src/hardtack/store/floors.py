"""The newest commit that a branch or tag has led to, kept in the cache: a later pull refuses what is older (rollback).

    v1/floors/HEX.json    of one repository, built directory and reference; HEX is the SHA-256 of the three

A floor only rises, unless the user says that an older commit is meant. It outlives the bundle and its record. It is never later
than this machine's clock was when it was written, so that a bundle of a forged time does not shut out every honest one.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Final, NamedTuple

from hardtack.errors import FormatError, PolicyError
from hardtack.git import is_commit
from hardtack.store.cache import BundleCache
from hardtack.store.cache_writing import write_file
from hardtack.store.records import RECORD_LIMIT, read_object

FORMAT: Final = 1
AHEAD: Final = 86_400
"""Seconds that a commit may lie after this machine's clock: clocks of the world's machines differ."""


class Floor(NamedTuple):
    """The newest commit that a reference has led to."""

    commit: str = ""
    """The last commit that it led to; empty when none is known."""
    time: int = 0
    """The highest commit time that it led to, seconds since 1970."""


class Led(NamedTuple):
    """A reference that leads to bundles."""

    repository: str
    root: str
    ref: str


def floor_of(cache: BundleCache, led: Led) -> Floor:
    """The floor of a reference.

    Raises:
        PolicyError: there is one, and it cannot be read.
    """
    path = _path(cache, led)
    try:
        document = read_object(path, RECORD_LIMIT)
        commit, when = document.get("commit"), document.get("commit_time")
        if document.get("format") != FORMAT or not is_commit(commit) or type(when) is not int or not 0 <= when < 1 << 53:
            raise FormatError(f"{path} is no record of a branch's newest commit.")
    except FormatError as error:
        if not os.path.lexists(path):
            return Floor()
        raise PolicyError(
            f"{path} cannot be read, so it is not known what {led.ref} led to before.",
            hint="Say --allow-older to begin anew, if nothing newer was there.",
        ) from error
    return Floor(str(commit), when)


def raise_floor(cache: BundleCache, led: Led, commit: str, when: int, *, lowers: bool = False) -> None:
    """Record where a reference has led; the time only rises, unless the user ``lowers`` it.

    Raises:
        PolicyError: the floor cannot be read, and is not to be lowered.
        SourceError: the disk refuses.
    """
    before = Floor() if lowers else floor_of(cache, led)
    highest = max(min(when, int(time.time())), before.time)
    if before == (commit, highest):
        return
    document = {"format": FORMAT, "repository": led.repository, "root": led.root, "ref": led.ref}
    data = json.dumps({**document, "commit": commit, "commit_time": highest}, sort_keys=True, indent=1)
    write_file(_path(cache, led), data.encode("ascii") + b"\n")


def check_time(when: int | None, address: str) -> None:
    """Refuse a commit time that cannot be.

    Args:
        when: seconds since 1970; None when there is none.
        address: of the pack, for messages.

    Raises:
        PolicyError: it is negative, or lies more than a day after this machine's clock.
    """
    now = int(time.time())
    if when is not None and not 0 <= when <= now + AHEAD:
        clock = time.strftime("%Y-%m-%d %H:%M", time.gmtime(now))
        raise PolicyError(
            f"The pack at {address} says that its commit was made {when} seconds after 1970, which is yet to come or cannot be.",
            hint=f"This machine's clock says {clock} UTC. If that is right, tell whoever publishes there.",
        )


def _path(cache: BundleCache, led: Led) -> Path:
    named = "\0".join((led.repository.lower(), led.root, led.ref))
    return cache.floors / f"{hashlib.sha256(named.encode('utf-8', 'surrogatepass')).hexdigest()}.json"
