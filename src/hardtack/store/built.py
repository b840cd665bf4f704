"""A place and a mark in; whether this user's own builder left that mark there, out: which bundles and checkpoints are one's own.

A bundle that lies in a checkout may be anybody's: whoever can commit there can put one there, and no digest shows who built it. So
builds note what they make in the user's cache, where who writes a checkout cannot write: one small file for each place and digest.
A note is found by its name and never read for an answer, so that a search does little more than without it.

A copy at another place has no note. That is meant: a clone of a checkout whose bundle was committed is somebody's word.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hardtack.errors import FormatError, SourceError

if TYPE_CHECKING:
    from hardtack.store.cache import BundleCache

_FORMAT: Final = 1
_NO_CACHE: Final = "there is no home directory for a cache"


class BuiltHere:
    """What this user's builder made, by place and mark (:class:`hardtack.build.options.OwnWork`)."""

    def __init__(self, cache: Callable[[], BundleCache | None]) -> None:
        """Note where the user's cache comes from; it is asked for when it is needed."""
        self._cache = cache

    def has(self, place: Path, mark: str) -> bool:
        """Whether this user's builder left ``mark`` at ``place``, an absolute path without links.

        Raises:
            PolicyError: others may write to the cache.
            SourceError: there is no cache.
        """
        cache = self._checked()
        return os.path.lexists(_note(cache, place, mark))

    def add(self, place: Path, mark: str) -> None:
        """Remember that.

        Raises:
            PolicyError: others may write to the cache.
            SourceError: there is no cache, or the disk refuses.
        """
        from hardtack.store.cache_writing import prepare_cache, write_file

        cache = self._checked()
        prepare_cache(cache)
        text = json.dumps({"format": _FORMAT, "place": os.fspath(place), "mark": mark}) + "\n"
        write_file(_note(cache, place, mark), text.encode("ascii"))

    def drop(self, place: Path, mark: str) -> None:
        """Forget it; raises as :meth:`add`."""
        from hardtack.store.cache_writing import unwritable

        cache = self._checked()
        note = _note(cache, place, mark)
        try:
            note.unlink(missing_ok=True)
        except OSError as error:
            raise unwritable(note, error) from error

    def _checked(self) -> BundleCache:
        cache = self._cache()
        if cache is None:
            raise SourceError(f"Nothing is remembered: {_NO_CACHE}.", hint="Set HARDTACK_CACHE to a directory of your own.")
        cache.check()
        return cache


def spent_notes(cache: BundleCache) -> list[Path]:
    """The notes whose place has no bundle or checkpoint any more; for garbage collection."""
    from hardtack.store.records import RECORD_LIMIT, read_object

    spent = []
    for note in _listed(cache.built):
        document: dict[str, Any] = {}
        with suppress(FormatError):
            document = dict(read_object(note, RECORD_LIMIT))
        if not _is_there(document.get("place"), document.get("mark")):
            spent.append(note)
    return spent


def _is_there(place: object, mark: object) -> bool:
    from hardtack.bundle.integrity import read_manifest
    from hardtack.bundle.placing import checkpoint_at
    from hardtack.errors import BundleError

    if not isinstance(place, str) or not isinstance(mark, str) or "\0" in place:
        return False
    if mark.startswith("checkpoint "):
        return os.path.lexists(checkpoint_at(Path(place)))
    try:
        return read_manifest(Path(place))[1] == mark
    except BundleError:
        return False


def _note(cache: BundleCache, place: Path, mark: str) -> Path:
    name = hashlib.sha256(b"%b\0%b" % (os.fsencode(place), mark.encode())).hexdigest()
    return cache.built / f"{name}.json"


def _listed(directory: Path) -> list[Path]:
    try:
        return sorted(directory.iterdir())
    except OSError:
        return []
