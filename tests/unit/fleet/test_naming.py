"""The catalogue at a shelf names what a fleet has published, also what a killed one had no time to name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from checkouts import commit, git, write

from hardtack.errors import FormatError, SourceError
from hardtack.fleet import naming
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
    assert "one is published, and not known to be named in the catalogue. " in outcome.failure.message


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bundles each writing of the catalogue was to name; while there is a file ``full``, the disk is full."""
    counts: list[int] = []
    register = StaticSource.register

    def counting(shelf: StaticSource, *entries: CatalogueEntry) -> None:
        counts.append(len(entries))
        if (tmp_path / "full").exists():
            raise SourceError("The disk is full.")
        register(shelf, *entries)

    monkeypatch.setattr(StaticSource, "register", counting)
    return counts


def test_bundles_are_named_together_and_one_that_cannot_be_is_told(
    make: Make, plan: Plan, tmp_path: Path, written: list[int]
) -> None:
    entries = [entry_of(make(name)) for name in ("one", "two", "three")]
    run_fleet(entries, plan, SETTINGS)
    assert [3] == written
    (tmp_path / "full").touch()
    *before, outcome = run_fleet([*entries, entry_of(make("four"))], plan, SETTINGS).outcomes
    assert ["unchanged"] * 3 == [each.state for each in before]
    assert outcome.failure
    assert "four is published, and not known to be named in the catalogue. The disk is full." in outcome.failure.message
    (tmp_path / "full").unlink()
    assert "unchanged" == run_fleet([entry_of(tmp_path / "repositories" / "four")], plan, SETTINGS).outcomes[0].state
    assert 4 == len(shelf_at(plan.shelf, SETTINGS).catalogue())


def test_not_more_are_named_at_once_than_a_writing_is_worth_whether_built_or_found(
    make: Make, plan: Plan, tmp_path: Path, written: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(naming, "_AT_ONCE", 2)
    entries = [entry_of(make(name)) for name in ("one", "two", "three")]
    run_fleet(entries, plan, SETTINGS)
    (tmp_path / "shelf" / "f1" / "catalogue.json").unlink()
    run_fleet(entries, plan, SETTINGS)
    assert [2, 1, 2, 1] == written


def test_while_the_catalogue_cannot_be_written_it_is_tried_again_only_after_as_many_more(
    make: Make, plan: Plan, tmp_path: Path, written: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(naming, "_AT_ONCE", 2)
    (tmp_path / "full").touch()
    account = run_fleet([entry_of(make(name)) for name in ("one", "two", "three")], plan, SETTINGS)
    assert [2, 3] == written
    assert 3 == account.counts["failed"]


@pytest.mark.parametrize("catalogue", ["is full", "is damaged"])
def test_what_was_named_before_the_catalogue_was_lost_has_not_failed(
    catalogue: str, make: Make, plan: Plan, tmp_path: Path, written: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(naming, "_AT_ONCE", 1)

    def spoil(line: str) -> None:
        if catalogue == "is full":
            (tmp_path / "full").touch()
        else:
            (tmp_path / "shelf" / "f1" / "catalogue.json").write_text("[]")

    account = run_fleet([entry_of(make(name)) for name in ("one", "two")], plan, SETTINGS, jobs=1, told=spoil)
    assert ["done", "failed"] == [each.state for each in account.outcomes]


def test_what_waits_when_a_fleet_is_interrupted_is_named(make: Make, plan: Plan) -> None:
    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_fleet([entry_of(make("one"))], plan, SETTINGS, told=interrupt)
    assert ["git.example.org/team/one"] == [each.repository for each in shelf_at(plan.shelf, SETTINGS).catalogue()]


@pytest.mark.parametrize(("first", "then"), [({}, {"text": "none"}), ({"profile": "hybrid"}, {})], ids=["options", "profile"])
def test_another_bundle_of_the_same_commit_is_named_by_the_next_run(
    first: dict[str, str], then: dict[str, str], make: Make, plan: Plan, tmp_path: Path
) -> None:
    entries = [entry_of(make("one"))]
    run_fleet(entries, replace(plan, **first), SETTINGS)  # type: ignore[arg-type]
    catalogue = tmp_path / "shelf" / "f1" / "catalogue.json"
    before = catalogue.read_bytes()
    other = replace(plan, replaces=True, **then)  # type: ignore[arg-type]
    (replaced,) = run_fleet(entries, other, SETTINGS).outcomes
    named = catalogue.read_bytes()
    catalogue.write_bytes(before)  # as a fleet leaves it that is killed once it has published
    (found,) = run_fleet(entries, other, SETTINGS).outcomes
    assert ("unchanged", replaced.digest, named) == (found.state, found.digest, catalogue.read_bytes())


def test_a_name_in_other_capitals_is_of_the_bundle_that_is_named(make: Make, plan: Plan, written: list[int]) -> None:
    root = make("one")
    run_fleet([entry_of(root)], plan, SETTINGS)
    (outcome,) = run_fleet([entry_of(root, name="Git.example.org/Team/One")], plan, SETTINGS).outcomes
    assert ("unchanged", "git.example.org/team/one", [1]) == (outcome.state, outcome.repository, written)


def test_two_commits_of_one_second_are_not_named_in_turns(make: Make, plan: Plan, written: list[int]) -> None:
    root = make("one")
    commit(write(root, {"b.py": "b = 1\n"}))
    git(root, "branch", "old", "HEAD~1")
    assert 1 == len(set(git(root, "log", "--format=%ct").split()))
    for _ in range(2):
        run_fleet([entry_of(root, "old"), entry_of(root)], plan, SETTINGS)
    assert [2] == written


def test_a_shelf_whose_catalogue_is_none_is_refused_before_anything_is_built(make: Make, plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "shelf" / "f1").mkdir(parents=True)
    (tmp_path / "shelf" / "f1" / "catalogue.json").write_text("[]")
    with pytest.raises(FormatError):
        run_fleet([entry_of(make("one"))], plan, SETTINGS)
    assert not (tmp_path / "shelf" / "packs").exists()
