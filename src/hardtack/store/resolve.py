"""A requested bundle in, the pack of it that one source has out: for a checkout, that of the nearest ancestor of HEAD.

A descendant's is never taken: it would show code that the checkout does not have. Several ancestors are looked up at once; the
nearest that has a pack is taken, even if a farther one is answered first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from hardtack.errors import FormatError, HardtackError, PolicyError, SourceError, UnsupportedFormat
from hardtack.store.history import DEPTH, Branch, History
from hardtack.store.sources.source import DENIED, Offer, Source, Wanted

PROBES: Final = 8
"""Look-ups in one source that run at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """The bundle to look for: by digest, else by commit, else by reference, else the one that fits HEAD best."""

    digest: str = ""
    """The bundle's digest."""
    commit: str = ""
    """Full commit id."""
    ref: str = ""
    """A branch or a tag."""
    repository: str = ""
    """``host/owner/name``; empty when it is not known."""
    root: str = ""
    """The directory in the repository that was built; empty accepts any."""
    profile: str = "hybrid"
    takes_any: bool = False
    """Whether the bundle of a branch is taken even if its commit is no ancestor of HEAD."""
    is_fresh: bool = False
    """Whether a branch or tag counts only where a source shows that it still names its bundle."""
    lock_file: str = ""
    """The lock file that pins the digest and the commit; empty when none does."""

    def wanted(self, *, digest: str = "", commit: str = "", ref: str = "") -> Wanted:
        """The request to a source."""
        return Wanted(
            repository=self.repository,
            root=self.root,
            profile=self.profile,
            digest=digest,
            commit=commit,
            ref=ref,
            is_fresh=self.is_fresh,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPack:
    """A pack that a source offers for an :class:`Aim`."""

    offer: Offer
    ref: str = ""
    """The branch or tag that led to it; empty when its commit did."""
    distance: int | None = None
    """The number of commits from it to HEAD; None when it is not known."""


def find(source: Source, aim: Aim, history: History | None, notice: Callable[[str], None]) -> FoundPack | None:
    """The pack that ``source`` has for ``aim``; None when it has none.

    Args:
        source: where to look.
        aim: the bundle to look for.
        history: the checkout's history; needed when the aim names no digest, commit or reference.
        notice: called with one sentence for each pack that was refused.

    Raises:
        SourceError: the source could not be asked.
        PolicyError: all packs that it has are refused.
        FormatError: its answer cannot be understood.
    """
    if aim.digest or aim.commit or aim.ref:
        return _named(source, aim, history)
    assert history
    return _Search(source, aim, history, notice).run()


def _named(source: Source, aim: Aim, history: History | None) -> FoundPack | None:
    """The source's pack of a digest, else of a commit, else of a reference. A look-up that is denied does not end the search."""
    denied: SourceError | None = None
    for name in ("digest", "commit", "ref"):
        if not (value := getattr(aim, name)):
            continue
        try:
            if offer := source.resolve(aim.wanted(**{name: value})):
                return _found(offer, history, ref=aim.ref)
        except SourceError as error:
            if error.code != DENIED:
                raise
            denied = denied or error
    if denied:
        raise denied
    return None


class _Search:
    """One search for the nearest ancestor in one source. The first refusal is kept, and raised if nothing better is found."""

    def __init__(self, source: Source, aim: Aim, history: History, notice: Callable[[str], None]) -> None:
        self._source, self._aim, self._history, self._notice = source, aim, history, notice
        self._refused: HardtackError | None = None

    def run(self) -> FoundPack | None:
        nearest = [found for line in self._history.lines_of_ancestors() if (found := self._first_of(line))]
        if nearest:
            return min(nearest, key=self._rank)
        branches = dict.fromkeys(branch for branch in (self._history.upstream, self._history.default_branch) if branch)
        for branch in branches:
            if found := self._of_branch(branch):
                return found
        if self._refused:
            raise self._refused
        return None

    def _first_of(self, commits: Sequence[str]) -> FoundPack | None:
        """The pack of the first of ``commits`` that has one."""
        pool = ThreadPoolExecutor(max_workers=PROBES, thread_name_prefix="hardtack-probe")
        try:
            for offer in pool.map(lambda commit: self._resolve(self._aim.wanted(commit=commit)), commits):
                if offer:
                    return _found(offer, self._history)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return None

    def _resolve(self, wanted: Wanted) -> Offer | None:
        """The source's offer; None when it has none or the offer is refused, which is remembered."""
        try:
            return self._source.resolve(wanted)
        except (PolicyError, FormatError, UnsupportedFormat, SourceError) as error:
            if isinstance(error, SourceError) and error.code != DENIED:
                raise
            self._refuse(error)
            return None

    def _of_branch(self, branch: Branch) -> FoundPack | None:
        """The pack of a branch, if its commit is an ancestor of HEAD."""
        offer = self._resolve(self._aim.wanted(ref=branch.name))
        if offer is None:
            return None
        if self._aim.takes_any or self._history.is_ancestor(offer.commit, self._history.head):
            return _found(offer, self._history, ref=branch.name)
        self._refuse(
            PolicyError(
                f"The bundle of {branch.name} is of {offer.commit[:12]}, which is no ancestor of HEAD as far as is known here.",
                hint="Say --any to take it all the same, or fetch the history: git fetch --unshallow"
                if self._history.is_shallow
                else "Say --any to take it all the same.",
            )
        )
        return None

    def _refuse(self, error: HardtackError) -> None:
        if not isinstance(error, SourceError):
            self._notice(str(error))
        if self._refused is None or isinstance(self._refused, SourceError):
            self._refused = error

    def _rank(self, found: FoundPack) -> tuple[int, int, str]:
        """The key to compare packs by: the distance to HEAD, then the number of files that differ, then the commit."""
        far = 1 << 62
        changed = self._history.changed_files(found.offer.commit)
        return (
            far if found.distance is None else found.distance,
            far if changed is None else changed,
            found.offer.commit,
        )


def looked_at(history: History) -> str:
    """A phrase that says how far the search went, for the error that nothing was found."""
    count = len({commit for line in history.lines_of_ancestors() for commit in line})
    reach = f"{count} commit{'' if count == 1 else 's'}, from HEAD on back,"
    cut = " which is all that this shallow clone has," if history.is_shallow and count < DEPTH else ""
    return f"{reach}{cut} and the branches they are on"


def _found(offer: Offer, history: History | None, *, ref: str = "") -> FoundPack:
    distance = history.distance(offer.commit) if history and offer.commit else None
    is_behind = history is not None and bool(history.head) and history.is_ancestor(offer.commit, history.head) is True
    return FoundPack(offer=offer, ref=ref, distance=distance if is_behind else None)
