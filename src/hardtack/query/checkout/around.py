"""A bundle and a directory in, the checkout that the bundle is of out, and how far that has moved on from the bundle's commit.

A bundle of HEAD costs the read of git's own files, in this process. Git is asked only about a checkout at another commit.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hardtack.bundle.naming import OWN_PLACE
from hardtack.git import is_same_repository, repository_of, top_of
from hardtack.nouns.model import MovedOn, Provenance

if TYPE_CHECKING:
    from hardtack.query.checkout.head import Checkout


def checkout_of(place: Path, provenance: Provenance, start: Path) -> Checkout | None:
    """The checkout of the directory that was built: the one that the bundle lies in, else the one around ``start``.

    Args:
        place: of the bundle.
        provenance: of the bundle.
        start: the current directory; its checkout counts if it is of the bundle's repository.
    """
    if provenance.roots:
        return None
    own = place.absolute()
    if own.parts[-2:] == OWN_PLACE.parts:
        return checkout_at(own.parents[1])
    top = top_of(start)
    checkout = checkout_at(top / provenance.subdirectory) if top and provenance.commit else None
    return checkout if checkout and _is_of(checkout, provenance) else None


def moved_on(checkout: Checkout | None, provenance: Provenance, name: str) -> MovedOn | None:
    """How far a checkout has moved on from the commit of the bundle called ``name``; None if it has not, or that is unknown."""
    head = checkout.head() if checkout and provenance.commit else None
    if checkout is None or head is None or head.commit == provenance.commit:
        return None
    return MovedOn(
        bundle_name=name,
        indexed_commit=provenance.commit,
        current_commit=head.commit,
        current_branch=head.branch,
        files_changed=checkout.files_changed(provenance.commit),
    )


def _is_of(checkout: Checkout, provenance: Provenance) -> bool:
    """Whether a checkout is of the bundle's repository, by its name, or where that is not known by its commits."""
    head = checkout.head()
    if head is None or head.commit == provenance.commit:
        return head is not None
    if provenance.repository:
        return is_same_repository(_repository_at(checkout.directory), provenance.repository)
    return checkout.files_changed(provenance.commit) is not None


@lru_cache(maxsize=64)
def checkout_at(directory: Path) -> Checkout:
    """The checkout around a directory; cached, since it caches what git said of it."""
    from hardtack.query.checkout.head import Checkout  # a search outside of any checkout does without

    return Checkout(directory)


@lru_cache(maxsize=64)
def _repository_at(directory: Path) -> str:
    """Cached: a server asks on every call, and a checkout's origin hardly ever changes."""
    return repository_of(directory)
