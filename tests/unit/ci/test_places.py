"""Where the job writes by default: inside the checkout, whatever links the checkout has."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from checkouts import commit, init, write

from hardtack.build.pipeline import BuildOptions
from hardtack.ci import job
from hardtack.ci.inputs import Inputs
from hardtack.ci.runner import Runner
from hardtack.errors import PolicyError
from hardtack.store.sources.named import SourceSettings

_NAMES = {"HARDTACK_CI_PROFILE": "keyword", "HARDTACK_CI_HISTORY": "0"}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    init(write(root, {"jar.py": "def jar(): return 1\n"}))
    commit(root)
    return root


def _run(checkout: Path, output: Path | None = None) -> job.Place:
    inputs = Inputs.from_environment({**_NAMES, "HARDTACK_CI_REPOSITORY_PATH": str(checkout)})
    runner = Runner.from_environment({})
    place = job.place_of(output, inputs, runner)
    job.run(inputs, runner, place, BuildOptions(jobs=1), SourceSettings())
    return place


@pytest.mark.parametrize("linked", [".hardtack", ".hardtack/ci", ".hardtack/ci/bundle"])
def test_no_link_below_the_checkout_is_followed(checkout: Path, tmp_path: Path, linked: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (checkout / linked).parent.mkdir(parents=True, exist_ok=True)
    (checkout / linked).symlink_to(outside)
    with pytest.raises(PolicyError, match="is a link, which nobody typed"):
        _run(checkout)
    assert [] == os.listdir(outside)


def test_files_of_other_names_are_replaced_and_not_written_through(checkout: Path, tmp_path: Path) -> None:
    place = checkout / ".hardtack" / "ci"
    place.mkdir(parents=True)
    for name, make in (("build.json", Path.symlink_to), ("base.hardtack", Path.hardlink_to)):
        (tmp_path / name).write_text("precious")
        make(place / name, tmp_path / name)
    assert place == _run(checkout).path
    assert ["precious", "precious"] == [(tmp_path / name).read_text() for name in ("build.json", "base.hardtack")]
    assert {"bundle", "build.json"} < set(os.listdir(place))
    assert "*\n" == (checkout / ".hardtack" / ".gitignore").read_text()


def test_a_place_that_was_typed_may_be_a_link(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (checkout / "out").symlink_to(tmp_path / "outside")
    _run(checkout, checkout / "out")
    assert {"bundle", "build.json"} < set(os.listdir(tmp_path / "outside"))
