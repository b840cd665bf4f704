"""The catalogue at a shelf names what a fleet has published, also what a killed one had no time to name."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkouts import commit, write

from hardtack.errors import FormatError, SourceError
from hardtack.fleet.running import run_fleet
from hardtack.fleet.task import Plan, shelf_at
from hardtack.nouns.catalogue import CatalogueEntry
from hardtack.store.sources.named import SourceSettings
from hardtack.store.sources.static import StaticSource

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
    assert "one is published, and not named in the catalogue. " in outcome.failure.message


def test_bundles_are_named_together_and_one_that_cannot_be_is_told(
    make: Make, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    register = StaticSource.register

    def counting(shelf: StaticSource, *entries: CatalogueEntry) -> None:
        written.append(len(entries))
        if (tmp_path / "full").exists():
            raise SourceError("The disk is full.")
        register(shelf, *entries)

    monkeypatch.setattr(StaticSource, "register", counting)
    run_fleet([entry_of(make(name)) for name in ("one", "two", "three")], plan, SETTINGS)
    assert [3] == written
    (tmp_path / "full").touch()
    (outcome,) = run_fleet([entry_of(make("four"))], plan, SETTINGS).outcomes
    assert outcome.failure
    assert "four is published, and not named in the catalogue. The disk is full." in outcome.failure.message
    (tmp_path / "full").unlink()
    assert "unchanged" == run_fleet([entry_of(tmp_path / "repositories" / "four")], plan, SETTINGS).outcomes[0].state
    assert 4 == len(shelf_at(plan.shelf, SETTINGS).catalogue())


def test_a_shelf_whose_catalogue_is_none_is_refused_before_anything_is_built(make: Make, plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "shelf" / "f1").mkdir(parents=True)
    (tmp_path / "shelf" / "f1" / "catalogue.json").write_text("[]")
    with pytest.raises(FormatError):
        run_fleet([entry_of(make("one"))], plan, SETTINGS)
    assert not (tmp_path / "shelf" / "packs").exists()
