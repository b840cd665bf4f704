"""Where a bundle came from, the time and a checkout in; how old the bundle is, and how far behind, out.

A bundle holds no clock: its age is that of its commit. It names no branch either, so what is said of branches is said by commits.
"""

from __future__ import annotations

from typing import Final

from hardtack.nouns.model import Provenance
from hardtack.nouns.statistics import STALE_DAYS, Staleness
from hardtack.query.checkout.head import Checkout

_DAY: Final = 86_400


def staleness_of(provenance: Provenance, now: float, checkout: Checkout | None = None) -> Staleness:
    """How far a bundle may be from what its repository is now.

    Args:
        provenance: what the bundle was built from.
        now: seconds since 1970.
        checkout: a checkout of the same repository; kept by the caller, since it keeps what git has counted.
    """
    days = -1 if provenance.commit_time is None else max(0, int(now - provenance.commit_time) // _DAY)
    return Staleness(
        days=days,
        is_stale=days >= STALE_DAYS,
        commit=provenance.commit,
        head=checkout.head() if checkout else None,
        distance=checkout.distance(provenance.commit) if checkout and provenance.commit else None,
    )
