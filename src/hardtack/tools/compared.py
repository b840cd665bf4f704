"""Shared by the tools that compare two states of a repository: opens one of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.tools.tool import Call

_SECONDS: Final = 60
"""The longest that an answer waits for the bundle of a commit to be built."""


@contextmanager
def bundle_at(call: Call, named: str, like: Bundle) -> Iterator[Bundle]:
    """The served index of that name, else the bundle of that revision."""
    if any(each.name == named for each in call.catalog.entries()):
        with call.catalog.searcher(named, as_built=True) as searcher:
            yield searcher.bundle
        return
    with closing(call.catalog.revisions(like)) as revisions:
        found = revisions.find(named, like, seconds=_SECONDS)
        with open_bundle(found.path, digest=found.digest) as bundle:
            bundle.name = named
            yield bundle
