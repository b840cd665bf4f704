"""A bundle and the checkout that it is of in; which bundle answers for the checkout's working tree, out, and what to say of it.

    tree_state    checkout         -> the files that differ, each with an id of its content     query/checkout/changes.py
    differing     state, bundle    -> those that the bundle says otherwise
    key           bundle, state    -> names the answer: the same tree over the same bundle is never read twice
    KeptOverlays  key              -> the bundle of that tree, from the user's cache            store/overlays.py
    build_over    bundle, checkout -> the same, built over the bundle                           overlay/process.py

What lies over a bundle is a bundle of the tree that a build with ``--worktree`` would make, so every answer is of one state, and no
reader needs to know of it. Where it cannot be made, the bundle answers, and the reason is said.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.encoders import DEFAULT_ENCODER
from hardtack.errors import BuildError, HardtackError, PolicyError, SourceError
from hardtack.nouns.model import MovedOn, Provenance
from hardtack.query.checkout.changes import MOST_FILES, NO_STATE, TreeState, Unsettled, differing, tree_state
from hardtack.query.checkout.head import Checkout
from hardtack.store.in_checkouts import CacheOf

if TYPE_CHECKING:
    from hardtack.store.cache import BundleCache

_TRIES: Final = 2
"""How often a tree is read that changes while it is read."""


class Over(NamedTuple):
    """What answers for a working tree."""

    path: Path | None
    """The bundle of the tree; None where the bundle below answers."""
    moved: MovedOn | None
    """What a reader has to know; None where the tree is what the bundle says."""


class Overlays:
    """Makes overlays and finds them again: in the user's cache, or without one in a temporary directory, until it is closed."""

    def __init__(self, cache: CacheOf) -> None:
        """Note where the user's cache comes from; nothing is read yet."""
        self._cache_of = cache
        self._lock = threading.Lock()
        self._undo, self._temporary, self._slow = ExitStack(), dict[str, Path](), dict[str, str]()

    def close(self) -> None:
        """Remove what was made outside of the cache."""
        self._undo.close()

    def over(self, bundle: Bundle, checkout: Checkout) -> Over:
        """The bundle that answers for the working tree of ``checkout``, of which ``bundle`` is.

        Where the tree cannot be read, the bundle answers, and the reason is given.

        Raises:
            BundleError: a row of ``bundle`` breaks the format.
        """
        provenance = bundle.manifest.provenance
        if provenance.roots or not provenance.commit:
            return Over(None, None)
        try:
            state = _state(bundle, checkout)
            for _ in range(_TRIES):
                changed = differing(state, ((path, _blob_at(bundle, path)) for path in state.contents))
                if not changed:
                    return Over(None, _moved(bundle, checkout, state.head, (), "") if state.head != provenance.commit else None)
                try:
                    made = self._made(bundle, checkout, state)
                except HardtackError as error:
                    raise Unsettled(str(error).rstrip("."), changed) from error
                if isinstance(made, Path):
                    return Over(made, _moved(bundle, checkout, state.head, changed, "")._replace(is_laid_over=True))
                state = made
            raise Unsettled("it changes while it is read", changed)
        except Unsettled as error:
            return Over(None, _moved(bundle, checkout, "", error.paths, str(error)))

    def _made(self, bundle: Bundle, checkout: Checkout, state: TreeState) -> Path | TreeState:
        """The bundle of that state, kept or built now; if the tree changes while it is built, the state that it has then.

        Raises:
            HardtackError: it cannot be built; the message is a clause.
        """
        from hardtack.overlay.process import SECONDS, TooSlow  # where nothing differs, an answer does without these
        from hardtack.store.locking import alone
        from hardtack.store.overlays import KeptOverlays

        encoder = bundle.manifest.encoder
        if encoder and encoder.name != DEFAULT_ENCODER:
            raise BuildError(f"its vectors are made by {encoder.name}, which is not asked for every edit")
        key = _key(bundle.digest, state)
        cache = self._cache()
        if cache is None:
            return self._made_without(key, bundle, checkout, state)
        kept = KeptOverlays(cache)
        if path := kept.find(key):
            return path
        slow = _key(bundle.digest, NO_STATE)
        if reason := kept.failure(key) or kept.failure(slow):
            raise BuildError(reason)
        try:
            kept.prepare()
        except SourceError:  # a disk that cannot be written
            return self._made_without(key, bundle, checkout, state)
        with alone(cache.locks, f"overlay {key}", wait=SECONDS):
            if path := kept.find(key):  # another process has just made it
                return path
            with kept.new() as place:
                try:
                    now = _built(bundle, checkout, place)
                except BuildError as error:
                    kept.fail(slow if isinstance(error, TooSlow) else key, str(error))
                    raise
                return kept.keep(key, place) if now == state else now

    def _cache(self) -> BundleCache | None:
        """The user's cache, if nobody else may write there."""
        cache = self._cache_of()
        try:
            if cache:
                cache.check()
        except PolicyError:
            return None
        return cache

    def _made_without(self, key: str, bundle: Bundle, checkout: Checkout, state: TreeState) -> Path | TreeState:
        """The same without a cache; what was made before goes."""
        from hardtack.descriptors import work_directory
        from hardtack.overlay.process import TooSlow

        with self._lock:
            if key in self._temporary:
                return self._temporary[key]
            if reason := self._slow.get(bundle.digest):
                raise BuildError(reason)
            try:
                with ExitStack() as stack:
                    place = stack.enter_context(work_directory()) / "bundle"
                    if (now := _built(bundle, checkout, place)) != state:
                        return now
                    self._undo.close()
                    self._undo, self._temporary = stack.pop_all(), {key: place}
            except TooSlow as error:
                self._slow[bundle.digest] = str(error)
                raise
            except OSError as error:
                raise BuildError(f"there is no place for it: {error.strerror}") from error
            return place


def _built(bundle: Bundle, checkout: Checkout, place: Path) -> TreeState:
    """Build the bundle of the working tree at ``place``; the state that the tree has afterwards."""
    from hardtack.overlay.process import build_over

    build_over(bundle.path, bundle.digest, checkout.directory, place)
    return _state(bundle, checkout)


def _state(bundle: Bundle, checkout: Checkout) -> TreeState:
    """The working tree, by what differs in it from the bundle's commit, and from the bundle if it was not built of just that."""
    provenance = bundle.manifest.provenance
    if provenance.source == "commit":
        return tree_state(checkout.directory, provenance.commit)
    skipped = (bundle.skips.skip(row).path for row in range(len(bundle.skips)))
    return tree_state(checkout.directory, provenance.commit, {file.path: file.blob_id for file in bundle.files}, frozenset(skipped))


def _blob_at(bundle: Bundle, path: str) -> bytes | None:
    file = bundle.file_at(path)
    return file.blob_id if file else None


def _key(digest: str, state: TreeState) -> str:
    """Names a state of a working tree over the bundle of that digest: 64 hexadecimal digits."""
    contents = [(path, content.hex()) for path, content in state.contents.items()]
    return hashlib.sha256(json.dumps([digest, state.head, contents]).encode("ascii")).hexdigest()


def _moved(bundle: Bundle, checkout: Checkout, head: str, changed: Sequence[str] | None, reason: str) -> MovedOn:
    found = checkout.head()
    provenance: Provenance = bundle.manifest.provenance
    return MovedOn(
        bundle_name=bundle.name,
        indexed_commit=provenance.commit,
        current_commit=head or (found.commit if found else provenance.commit),
        current_branch=found.branch if found else "",
        files_changed=None if changed is None else len(changed),
        changed_paths=tuple(changed or ())[:MOST_FILES],
        reason=reason,
    )
