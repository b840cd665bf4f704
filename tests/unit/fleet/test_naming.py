"""The catalogue at a shelf names what a fleet has published, also what a killed one had no time to name."""

from __future__ import annotations

from pathlib import Path

from checkouts import commit, write

from hardtack.fleet.running import run_fleet
from hardtack.fleet.task import Plan, shelf_at
from hardtack.store.sources.named import SourceSettings

from .conftest import Make, entry_of

SETTINGS = SourceSettings()


def test_what_is_published_and_not_named_is_named_by_the_next_run_without_a_build(make: Make, plan: Plan, tmp_path: Path) -> None:
    entries = [entry_of(make(name)) for name in ("one", "two")]
    first = run_fleet(entries, plan, SETTINGS)
    catalogue = tmp_path / "shelf" / "f1" / "catalogue.json"
    named = catalogue.read_bytes()
    assert ["git.example.org/team/one", "git.example.org/team/two"] == [
        each.repository for each in shelf_at(plan.shelf, SETTINGS).catalogue()
    ]
    catalogue.unlink()  # as a fleet leaves it that is killed before its first publish names anything
    assert {"done": 0, "unchanged": 2, "failed": 0} == run_fleet(entries, plan, SETTINGS).counts
    assert named == catalogue.read_bytes()
    assert {"done": 2, "unchanged": 0, "failed": 0} == first.counts


def test_of_two_commits_the_newer_one_is_named(make: Make, plan: Plan) -> None:
    root = make("one")
    old = run_fleet([entry_of(root)], plan, SETTINGS).outcomes[0]
    new = commit(write(root, {"b.py": "b = 1\n"}), time=2_000_000_000)
    entries = [entry_of(root, old.commit), entry_of(root)]
    assert ["unchanged", "done"] == [each.state for each in run_fleet(entries, plan, SETTINGS).outcomes]
    assert [new] == [each.commit for each in shelf_at(plan.shelf, SETTINGS).catalogue()]


def test_a_pack_that_is_damaged_is_not_named_and_is_told(make: Make, plan: Plan, tmp_path: Path) -> None:
    entries = [entry_of(make("one"))]
    run_fleet(entries, plan, SETTINGS)
    (tmp_path / "shelf" / "f1" / "catalogue.json").unlink()
    (pack,) = (tmp_path / "shelf" / "packs").iterdir()
    pack.write_bytes(pack.read_bytes()[:-1] + b"x")
    (outcome,) = run_fleet(entries, plan, SETTINGS).outcomes
    assert "failed" == outcome.state
    assert outcome.failure
    assert outcome.failure.message.startswith("It is published, and not named in the catalogue. ")
