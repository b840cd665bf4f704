"""What a user wants in, the pack that one source has of it out: for a checkout, that of the nearest ancestor of HEAD.

Never a descendant: a bundle knows what its commit knew, and a checkout must not be told of what it does not have. Ancestors are
asked for side by side, and the nearest that has a pack is taken, however soon a farther one answers.
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
"""Questions that one source is asked at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What a user wants: a digest, with its commit where that is known, a commit, a reference, or else what fits HEAD."""

    digest: str = ""
    """Of the bundle."""
    commit: str = ""
    """Full commit id."""
    ref: str = ""
    """A branch or a tag."""
    repository: str = ""
    """``host/owner/name``; empty when it is not known."""
    root: str = ""
    """Directory of the repository that was built; empty takes whichever there is."""
    profile: str = "hybrid"
    takes_any: bool = False
    """What the branch has is taken even if HEAD does not come from it."""

    def wanted(self, *, digest: str = "", commit: str = "", ref: str = "") -> Wanted:
        """The question to a source."""
        return Wanted(repository=self.repository, root=self.root, profile=self.profile, digest=digest, commit=commit, ref=ref)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPack:
    """What a source has of it."""

    offer: Offer
    ref: str = ""
    """The branch or tag that named it; empty when its commit did."""
    distance: int | None = None
    """How many commits HEAD has that it has not; None when that is not known."""


def find(source: Source, aim: Aim, history: History | None, notice: Callable[[str], None]) -> FoundPack | None:
    """What ``source`` has of it; None when it was asked and has nothing.

    Args:
        source: where to look.
        aim: what for.
        history: of the checkout, for which something is looked for when the aim names nothing.
        notice: is told, a sentence each, of what was refused on the way.

    Raises:
        SourceError: the source could not be asked.
        PolicyError: there is only what is refused.
        FormatError: what it says cannot be understood.
    """
    if aim.digest or aim.commit or aim.ref:
        return _named(source, aim, history)
    assert history
    return _Search(source, aim, history, notice).run()


def _named(source: Source, aim: Aim, history: History | None) -> FoundPack | None:
    """What a source has of a digest, else of its commit or of a reference; one question that is denied does not end it."""
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
    """One search for the nearest ancestor in one source. Holds what was refused, to be raised if nothing better is found."""

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
        """The first of ``commits`` that there is a pack of."""
        pool = ThreadPoolExecutor(max_workers=PROBES, thread_name_prefix="hardtack-probe")
        try:
            for offer in pool.map(self._probe, commits):
                if offer:
                    return _found(offer, self._history)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return None

    def _probe(self, commit: str) -> Offer | None:
        try:
            return self._source.resolve(self._aim.wanted(commit=commit))
        except (PolicyError, FormatError, UnsupportedFormat, SourceError) as error:
            if isinstance(error, SourceError) and error.code != DENIED:
                raise
            self._refuse(error)
            return None

    def _of_branch(self, branch: Branch) -> FoundPack | None:
        """What a branch names, if HEAD comes from it."""
        try:
            offer = self._source.resolve(self._aim.wanted(ref=branch.name))
        except (PolicyError, FormatError, UnsupportedFormat, SourceError) as error:
            if isinstance(error, SourceError) and error.code != DENIED:
                raise
            self._refuse(error)
            return None
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
        """Nearest first, then the one with the fewest files that differ."""
        far = 1 << 62
        changed = self._history.changed_files(found.offer.commit)
        return (
            far if found.distance is None else found.distance,
            far if changed is None else changed,
            found.offer.commit,
        )


def looked_at(history: History) -> str:
    """How far the search went, for who is told that nothing was found."""
    count = len({commit for line in history.lines_of_ancestors() for commit in line})
    reach = f"{count} commit{'' if count == 1 else 's'}, from HEAD on back,"
    cut = " which is all that this shallow clone has," if history.is_shallow and count < DEPTH else ""
    return f"{reach}{cut} and the branches they are on"


def _found(offer: Offer, history: History | None, *, ref: str = "") -> FoundPack:
    distance = history.distance(offer.commit) if history and offer.commit else None
    is_behind = history is not None and bool(history.head) and history.is_ancestor(offer.commit, history.head) is True
    return FoundPack(offer=offer, ref=ref, distance=distance if is_behind else None)
