"""The age of a bundle, its distance from a checkout, and the messages about them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardtack.nouns.model import Provenance
from hardtack.nouns.statistics import Distance, Head, Staleness, created_at
from hardtack.query.checkout.head import Checkout
from hardtack.query.state.staleness import staleness_of

DAY = 86_400
MADE = 1_768_473_000
INDEXED, CURRENT = "1" * 40, "2" * 40


def _provenance(**values: Any) -> Provenance:
    return Provenance(**{"commit": INDEXED, "commit_time": MADE, **values})


@pytest.mark.parametrize(("seconds", "days"), [(0, 0), (DAY - 1, 0), (DAY, 1), (400 * DAY, 400)])
def test_a_bundle_of_head_is_not_stale_however_old_its_commit_is(seconds: int, days: int) -> None:
    found = staleness_of(_provenance(), MADE + seconds)
    assert (days, False, [], []) == (found.days, found.is_stale, found.warnings, found.notes)
    at_head = replace(_at(Distance(behind=0, ahead=0), current=INDEXED), days=days)
    assert (False, [], []) == (at_head.is_stale, at_head.warnings, at_head.notes)


def test_of_a_bundle_without_a_commit_no_age_is_known() -> None:
    found = staleness_of(_provenance(commit="", commit_time=None), MADE)
    assert (-1, False, [], []) == (found.days, found.is_stale, found.warnings, found.notes)


def test_a_commit_from_the_future_is_of_today() -> None:
    assert 0 == staleness_of(_provenance(), MADE - DAY).days


def _at(distance: Distance | None, branch: str = "main", current: str = CURRENT) -> Staleness:
    return Staleness(days=1, commit=INDEXED, head=Head(commit=current, branch=branch), distance=distance)


@pytest.mark.parametrize(
    ("staleness", "expected"),
    [
        (
            _at(Distance(behind=1, ahead=0)),
            "Index is of commit 111111111111, 1 commit behind the checkout's HEAD (222222222222 on main)",
        ),
        (
            _at(Distance(behind=12, ahead=0), branch=""),
            "Index is of commit 111111111111, 12 commits behind the checkout's HEAD (222222222222)",
        ),
        (
            _at(Distance(behind=3, ahead=1), branch="topic"),
            "Index is of commit 111111111111, which the checkout's HEAD (222222222222 on topic) does not contain",
        ),
        (_at(None), "Index is of commit 111111111111, not of the checkout's HEAD (222222222222 on main)"),
        (
            replace(_at(Distance(behind=2, ahead=0)), files_changed=1),
            "Index is of commit 111111111111, 2 commits behind the checkout's HEAD (222222222222 on main); 1 file changed",
        ),
    ],
)
def test_what_is_said_of_another_commit_is_what_is_known_of_it(staleness: Staleness, expected: str) -> None:
    assert (True, [expected]) == (staleness.is_stale, staleness.warnings)
    (note,) = staleness.notes
    assert ("branch_staleness_warning", INDEXED, CURRENT) == (note["type"], note["indexed_commit"], note["current_commit"])
    assert note["message"].startswith(f"{expected}.")
    assert (staleness.distance is not None) == ("commits_behind" in note)
    assert bool(staleness.head and staleness.head.branch) == ("current_branch" in note)


def test_nothing_is_said_at_the_commit_that_was_indexed() -> None:
    assert [] == _at(Distance(behind=0, ahead=0), current=INDEXED).warnings


def test_the_checkout_that_was_built_stands_at_the_bundles_commit(pantry: Path) -> None:
    head = Checkout(pantry).head()
    assert head is not None
    found = staleness_of(_provenance(commit=head.commit), MADE, Checkout(pantry))
    assert (Distance(behind=0, ahead=0), []) == (found.distance, found.warnings)


@pytest.mark.parametrize(
    ("commit_time", "expected"),
    [(MADE, "2026-01-15T10:30:00Z"), (0, "1970-01-01T00:00:00Z"), (None, None), (1 << 60, None)],
)
def test_a_moment_is_written_in_utc_and_left_out_when_there_is_none(commit_time: int | None, expected: str | None) -> None:
    assert expected == created_at(_provenance(commit_time=commit_time))
