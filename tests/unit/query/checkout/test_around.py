"""The checkout that a bundle is of, and what is said when that has moved on from the bundle's commit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from checkouts import Checkout as Repository
from checkouts import git, init

from hardtack.bundle.naming import OWN_PLACE
from hardtack.nouns.model import Provenance
from hardtack.query.checkout import head as head_module
from hardtack.query.checkout.around import checkout_of, moved_on

ELSEWHERE = Path("/srv/bundles/jar")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "jar").init()
    made.commit({"lid.go": "package lid\n", "sub/rim.go": "package rim\n"})
    return made


def _provenance(built: Repository, **values: Any) -> Provenance:
    return Provenance(commit=built.git("rev-parse", "HEAD"), **values)


def _changed(place: Path, provenance: Provenance, start: Path) -> int | None:
    """Files that changed; -1 when nothing is said."""
    moved = moved_on(checkout_of(place, provenance, start), provenance, "jar")
    return moved.files_changed if moved else -1


def test_nothing_is_said_of_a_bundle_of_head_and_git_is_not_asked(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    provenance = _provenance(repository)
    monkeypatch.setattr(head_module, "git_output", lambda *_, **__: pytest.fail("git was asked"))
    for place in (repository.root / OWN_PLACE, ELSEWHERE):
        assert -1 == _changed(place, provenance, repository.root / "sub")


@pytest.mark.parametrize("place", [OWN_PLACE, ELSEWHERE])
def test_how_many_files_changed_is_said_once_the_checkout_has_moved_on(repository: Repository, place: Path) -> None:
    provenance = _provenance(repository)
    repository.commit({"lid.go": "package lid // new\n", "third.go": "package third\n"})
    assert 2 == _changed(repository.root / place, provenance, repository.root / "sub")
    repository.git("checkout", "-q", provenance.commit)
    assert -1 == _changed(repository.root / place, provenance, repository.root)


def test_of_a_bundle_of_a_directory_what_changed_elsewhere_does_not_count(repository: Repository) -> None:
    provenance = _provenance(repository, subdirectory="sub")
    repository.commit({"lid.go": "package lid // new\n"})
    assert 0 == _changed(ELSEWHERE, provenance, repository.root)
    assert 0 == _changed(repository.root / "sub" / OWN_PLACE, provenance, Path("/"))


def test_nothing_is_said_in_a_checkout_of_another_repository_or_in_none(repository: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "pot").init()
    other.commit({"pot.go": "package pot\n"})
    other.git("remote", "add", "origin", "https://example.org/kitchen/pot")
    for named in (dict[str, str](), {"repository": "example.org/kitchen/jar"}):
        provenance = _provenance(repository, **named)
        assert (-1, -1) == (_changed(ELSEWHERE, provenance, other.root), _changed(ELSEWHERE, provenance, tmp_path))


def test_a_checkout_that_lacks_the_commit_is_known_by_its_origin_and_the_count_is_not_known(tmp_path: Path) -> None:
    init(tmp_path / "jar")
    git(tmp_path / "jar", "remote", "add", "origin", "git@example.org:Kitchen/jar.git")
    git(tmp_path / "jar", "commit", "-q", "--allow-empty", "-m", "one")
    provenance = Provenance(commit="0" * 40, repository="example.org/kitchen/jar")
    moved = moved_on(checkout_of(ELSEWHERE, provenance, tmp_path / "jar"), provenance, "jar")
    assert moved
    assert (None, True) == (moved.files_changed, moved.sentence.endswith("how much changed is unknown"))


def test_a_directory_that_is_gone_is_no_checkout(repository: Repository, tmp_path: Path) -> None:
    assert None is checkout_of(ELSEWHERE, _provenance(repository), tmp_path / "gone")
