"""What answers cost is counted in numbers alone, within bounds, and only where it can be written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardtack.errors import PolicyError
from hardtack.nouns.savings import Counted
from hardtack.store.cache import BundleCache
from hardtack.store.counts import MOST_BYTES, AnswerCounts

_NOVEMBER = 1_795_000_000.0


@pytest.fixture
def cache(tmp_path: Path) -> BundleCache:
    return BundleCache(tmp_path / "cache")


def test_answers_are_summed_by_tool_over_all_months(cache: BundleCache) -> None:
    november = AnswerCounts(lambda: cache, clock=lambda: _NOVEMBER)
    later = AnswerCounts(lambda: cache, clock=lambda: _NOVEMBER + 9e6)
    november.add("explore", 9000, 120_000)
    november.add("read", 10, 0)
    later.add("explore", 1000, 5)
    since, sums = later.sums()
    assert "2026-11" == since
    assert (Counted("explore", 2, 10_000, 120_005), Counted("read", 1, 10, 0)) == sums
    later.clear()
    assert ("", ()) == later.sums()


def test_a_month_is_bounded(cache: BundleCache) -> None:
    counts = AnswerCounts(lambda: cache)
    counts.add("explore", 1, 1)
    (month,) = cache.counts.iterdir()
    with month.open("ab") as file:
        file.truncate(MOST_BYTES)
    counts.add("explore", 1, 1)
    assert MOST_BYTES == month.stat().st_size


def test_lines_that_no_server_wrote_count_nothing(cache: BundleCache) -> None:
    counts = AnswerCounts(lambda: cache)
    counts.add("explore", 4, 8)
    (month,) = cache.counts.iterdir()
    with month.open("ab") as file:
        file.write("explore 9\nEXPLORE 1 1\nexplore -1 1\nexplore 1 1 1\nexplore ١ 1\n".encode() + b"\xff\xfe\nexplore 1")
    assert (Counted("explore", 1, 4, 8),) == counts.sums()[1]


def test_without_a_cache_nothing_is_counted_and_nothing_fails(cache: BundleCache) -> None:
    for counts in (AnswerCounts(lambda: None), AnswerCounts(lambda: BundleCache(Path("/proc/no/such")))):
        counts.add("explore", 1, 1)
        assert ("", ()) == counts.sums()
    cache.root.mkdir()
    cache.root.chmod(0o777)
    strange = AnswerCounts(lambda: cache)
    strange.add("explore", 1, 1)
    assert [] == [*cache.root.iterdir()]
    with pytest.raises(PolicyError):
        strange.sums()


def test_a_link_in_the_place_of_a_month_is_not_written_through(cache: BundleCache, tmp_path: Path) -> None:
    counts = AnswerCounts(lambda: cache)
    counts.add("explore", 1, 1)
    (month,) = cache.counts.iterdir()
    month.unlink()
    (tmp_path / "precious").write_text("work")
    os.symlink(tmp_path / "precious", month)
    counts.add("explore", 1, 1)
    assert "work" == (tmp_path / "precious").read_text()
