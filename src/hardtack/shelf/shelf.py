"""The bundles of a shelf and a query in, one answer out: of the bundles that may answer, as far as their telling words say.

    LikelyBundles  query        -> the bundles that have anything of it, likeliest first    query/likely_bundles.py
    _opened        bundle       -> a searcher of the verified bundle; the last ones stay open
    search_all     searchers    -> one answer, with scores among all of them               query/several.py

An answer says how many bundles were searched and how many were not.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Final, Self, Unpack

from hardtack.errors import BundleError, BundleNotFound, PolicyError, UsageError
from hardtack.query.likely_bundles import LikelyBundles
from hardtack.query.searcher import Searcher
from hardtack.query.several import search_all
from hardtack.store.in_checkouts import CacheOf
from hardtack.store.locate import no_cache, open_located

if TYPE_CHECKING:
    from hardtack.encoders import EncoderSettings
    from hardtack.nouns.model import Answer
    from hardtack.query.request.parse import SearchOptions
    from hardtack.shelf.places import Shelved

MOST_SEARCHED: Final = 16
"""Bundles that one answer comes from."""
_MOST_OPEN: Final = 32
"""Bundles that stay open, those that were searched last. Each takes two dozen descriptors."""


class Shelf:
    """Many bundles that are searched as one. A context manager; threads may share one, and wait for each other."""

    def __init__(
        self,
        bundles: Sequence[Shelved],
        *,
        encoder: EncoderSettings | None = None,
        searched: int = MOST_SEARCHED,
        cache: CacheOf = no_cache,
    ) -> None:
        """Read the entries; no bundle is opened yet.

        Args:
            bundles: at least one, in the order that breaks ties.
            encoder: the user's configuration of encoders outside the bundles.
            searched: bundles that one answer comes from, at most.
            cache: returns the user's cache, which says what the user built.
        """
        self._bundles = bundles
        self._cache = cache
        self._encoder = encoder
        self._searched = searched
        self._likely = LikelyBundles([each.entry for each in bundles])
        self._open: OrderedDict[int, Searcher] = OrderedDict()
        self._lock = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the bundles that are open."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def search(self, text: str, **options: Unpack[SearchOptions]) -> Answer:
        """Find the chunks that best match ``text`` in the bundles that are likeliest to have them.

        Args:
            text: as for :meth:`Searcher.search`.
            options: as for :meth:`Searcher.search`.

        Raises:
            UsageError: an option is invalid, or no bundle has a requested language.
            BundleNotFound: none of the bundles can be opened.
        """
        with self._lock:
            likely = self._likely.likeliest(text)
            order = self._in_order(likely, options.get("languages", ()))
            refused: UsageError | None = None
            for start in range(0, len(order), self._searched):
                searchers, troubles = self._first_of(order[start:])
                try:
                    answer = search_all(searchers, text, **options)
                except UsageError as error:
                    if error.code != "LANGUAGE_UNKNOWN":
                        raise
                    refused = error  # by the names that these bundles know; the next may know more
                else:
                    said = self._said(len(searchers), len(likely))
                    return answer._replace(hint=" ".join(filter(None, (answer.hint, said, *troubles))))
        raise refused or BundleNotFound("There is no bundle to search.")

    def _in_order(self, likely: Sequence[int], languages: Iterable[str]) -> list[int]:
        """All bundles, the likeliest first; before them those that are said to have a requested language."""
        wanted = {word.strip().lower() for each in languages for word in each.split(",")}
        order = [*likely, *sorted({*range(len(self._bundles))} - {*likely})]
        return sorted(order, key=lambda at: wanted.isdisjoint(self._bundles[at].entry.languages)) if wanted else order

    def _first_of(self, order: Sequence[int]) -> tuple[dict[str, Searcher], list[str]]:
        """The first of these bundles that can be opened, and a sentence for each that cannot."""
        searchers: dict[str, Searcher] = {}
        troubles: list[str] = []
        for at in order:
            if len(searchers) == self._searched:
                break
            name = self._bundles[at].name
            try:
                searchers[name] = self._opened(at)
            except (BundleError, PolicyError) as error:
                troubles.append(f"{name} is left out: {error}")
        if not searchers:
            raise BundleNotFound("None of the bundles can be opened.", hint=" ".join(troubles[:1]))
        for at in [*self._open][: max(0, len(self._open) - _MOST_OPEN)]:
            self._open.pop(at).close()
        return searchers, troubles

    def _opened(self, at: int) -> Searcher:
        if at not in self._open:
            shelved = self._bundles[at]
            bundle = open_located(lambda: shelved.located, digest=shelved.entry.bundle_digest, cache=self._cache)
            bundle.name = shelved.name
            self._open[at] = Searcher(bundle, encoder=self._encoder)
        self._open.move_to_end(at)
        return self._open[at]

    def _said(self, searched: int, likely: int) -> str:
        """What the answer does not cover."""
        count = len(self._bundles)
        if searched == count:
            return ""
        unlikely = f"; {count - likely} have none of its words among their most telling ones" if likely < count else ""
        return f"The {searched} likeliest of {count} bundles were searched{unlikely}. Name one to search it."
