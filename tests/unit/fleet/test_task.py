"""One repository through a fleet: built and published once, left alone when it is there, and refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from checkouts import commit, git, write

import hardtack.fleet.task
from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.format.recipe import recipe_of
from hardtack.bundle.integrity import read_manifest
from hardtack.errors import UsageError
from hardtack.fleet.listing import Entry
from hardtack.fleet.outcome import Outcome
from hardtack.fleet.task import Plan, do, shelf_at
from hardtack.store.publish import publish
from hardtack.store.sources.named import SourceSettings

from .conftest import Make, entry_of

Done = Callable[..., Outcome]
SETTINGS = SourceSettings()


@pytest.fixture
def done(tmp_path: Path) -> Done:
    """Does one repository in this process, in a new directory each time."""
    count = 0

    def one(entry: Entry, plan: Plan) -> Outcome:
        nonlocal count
        count += 1
        scratch = tmp_path / f"scratch{count}"
        scratch.mkdir()
        return do(entry, plan, SETTINGS, scratch)

    return one


def message_of(outcome: Outcome) -> tuple[str, str]:
    assert "failed" == outcome.state
    assert outcome.failure
    return outcome.failure.code, outcome.failure.message


def test_what_is_published_is_what_a_build_of_a_checkout_gives(done: Done, make: Make, plan: Plan, tmp_path: Path) -> None:
    root = make("one", {"docs/b.md": "# B\n\nText.\n"})
    outcome = done(entry_of(root), plan)
    plain = build_bundle(root, tmp_path / "plain", BuildOptions(profile="keyword"))
    head = git(root, "rev-parse", "HEAD")
    assert ("done", "git.example.org/team/one", head, plain.digest) == (
        *(outcome.state, outcome.repository, outcome.commit, outcome.digest),
    )
    assert (2, 4) == (outcome.files, outcome.lines)
    pointer = json.loads((tmp_path / "shelf" / "f1" / "commit" / f"{head}.json").read_text())
    assert (outcome.pack_digest, outcome.pack_bytes) == (pointer["pack_digest"], pointer["size"])
    assert pointer["recipe"] == plan.recipe() == recipe_of(read_manifest(tmp_path / "plain")[0])


def test_what_is_there_is_not_fetched_again_and_a_new_commit_is(done: Done, make: Make, plan: Plan, tmp_path: Path) -> None:
    root = make("one")
    first, again = done(entry_of(root), plan), done(entry_of(root), plan)
    assert ("done", "unchanged", first.digest) == (first.state, again.state, again.digest)
    assert not (tmp_path / "scratch2" / "clone").exists()
    commit(write(root, {"b.py": "b = 1\n"}))
    assert "done" == done(entry_of(root), plan).state
    assert 2 == len(list((tmp_path / "shelf" / "f1" / "commit").iterdir()))


def test_other_options_or_another_version_are_refused_before_anything_is_built_unless_they_may_replace(
    done: Done, make: Make, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make("one")
    first = done(entry_of(root), plan)
    for other in (replace(plan, text="none"), replace(plan, tests=False), replace(plan, secrets="warn")):
        code, said = message_of(done(entry_of(root), other))
        assert ("POLICY_REFUSED", True) == (code, "another version or other options" in said)
    assert not list(tmp_path.glob("scratch*/clone"))[1:]
    replaced = done(entry_of(root), replace(plan, text="none", replaces=True))
    assert ("done", True) == (replaced.state, replaced.digest != first.digest)
    monkeypatch.setattr(hardtack.fleet.task, "TOOL", "hardtack 99.9")
    assert "POLICY_REFUSED" == message_of(done(entry_of(root), replace(plan, text="none")))[0]


@pytest.mark.parametrize("replaces", [False, True])
def test_a_bundle_of_a_directory_alone_is_not_taken_for_one_of_the_repository(
    replaces: bool, done: Done, make: Make, plan: Plan, tmp_path: Path
) -> None:
    root = make("one", {"part/b.py": "b = 1\n"})
    build_bundle(root / "part", tmp_path / "part", plan.build_options("git.example.org/team/one"))
    assert plan.recipe() == recipe_of(read_manifest(tmp_path / "part")[0])
    publish(tmp_path / "part", shelf_at(plan.shelf, SETTINGS))
    code, said = message_of(done(entry_of(root), replace(plan, replaces=replaces)))
    assert ("POLICY_REFUSED", True) == (code, "that is of part alone" in said), said
    assert not (tmp_path / "scratch1" / "clone").exists()


def test_a_pointer_that_does_not_say_what_made_its_pack_is_not_trusted_and_not_refused(
    done: Done, make: Make, plan: Plan, tmp_path: Path
) -> None:
    root = make("one")
    first = done(entry_of(root), plan)
    pointer = tmp_path / "shelf" / "f1" / "commit" / f"{first.commit}.json"
    document = json.loads(pointer.read_text())
    del document["recipe"]
    pointer.write_text(json.dumps(document))
    again = done(entry_of(root), plan)
    assert ("done", first.digest) == (again.state, again.digest)
    assert plan.recipe() == json.loads(pointer.read_text())["recipe"]


@pytest.mark.parametrize(
    ("files", "changes", "code", "said"),
    [
        ({"a.py": b"\0\1\2"}, {}, "NOTHING_INDEXED", "holds nothing to index"),
        ({}, {"max_source": 5}, "BUILD_FAILED", "more than 5 bytes of source"),
        ({"b.py": "", "c.py": ""}, {"max_files": 2}, "BUILD_FAILED", "more than 2 files and directories"),
        ({}, {"max_size": 100}, "BUILD_FAILED", "over the limit of 100"),
        ({}, {"max_clone": 10}, "BUILD_FAILED", "sends more than 10 bytes"),
        ({"k.py": "TOKEN = 'ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8'\n"}, {"secrets": "fail"}, "POLICY_REFUSED", "holds a secret"),
    ],
    ids=["nothing", "source", "paths", "bundle", "clone", "secrets"],
)
def test_a_failure_is_one_sentence_about_the_repository(
    done: Done, make: Make, plan: Plan, tmp_path: Path, files: dict[str, str], changes: dict[str, object], code: str, said: str
) -> None:
    root = make("one", files)
    outcome = done(entry_of(root), replace(plan, **changes))  # type: ignore[arg-type]
    found, message = message_of(outcome)
    assert (code, True) == (found, said in message), message
    assert str(tmp_path / "scratch") not in message
    assert not (tmp_path / "shelf").exists()
    assert ("git.example.org/team/one", git(root, "rev-parse", "HEAD")) == (outcome.repository, outcome.commit)


def test_a_commit_that_another_repository_has_published_is_refused(done: Done, make: Make, plan: Plan) -> None:
    root = make("one")
    assert "done" == done(entry_of(root), plan).state
    code, said = message_of(done(entry_of(root, name="git.example.org/fork/one"), plan))
    assert ("POLICY_REFUSED", True) == (code, "is of git.example.org/team/one, not of git.example.org/fork/one" in said)


def test_a_shelf_that_cannot_be_written_is_said(done: Done, make: Make, plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "shelf").write_text("a file")
    code, said = message_of(done(entry_of(make("one")), plan))
    assert ("SOURCE_FAILED", True) == (code, str(tmp_path / "shelf") in said)


@pytest.mark.parametrize("address", ["github:owner/name", "https://example.org/bundles", "nothing://x", ""])
def test_a_place_that_cannot_be_a_shelf_is_refused_at_once(address: str) -> None:
    with pytest.raises(UsageError):
        shelf_at(address, SETTINGS)
