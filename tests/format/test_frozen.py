"""Every bundle in ``fixtures/bundles`` opens, verifies, and answers what it answered when it was frozen."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from freeze import PROFILES, ROOT, TREE, answers_of

from hardtack.bundle.format.layout import READABLE_VERSIONS
from hardtack.bundle.reader import Bundle, open_bundle

FROZEN = sorted((ROOT / "fixtures" / "bundles").glob("v*/*/manifest.json"))
BUNDLES = [path.parent for path in FROZEN]


def golden(directory: Path) -> dict[str, Any]:
    answers: dict[str, Any] = json.loads((directory.parent / "answers.json").read_text(encoding="utf-8"))[directory.name]
    return answers


@pytest.fixture(params=BUNDLES, ids=lambda path: f"{path.parent.name}-{path.name}")
def directory(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def bundle(directory: Path) -> Any:
    with open_bundle(directory) as opened:
        yield opened


def test_every_readable_version_has_its_frozen_bundles() -> None:
    oldest, newest = READABLE_VERSIONS
    expected = {(f"v{version}", profile) for version in range(oldest, newest + 1) for profile in PROFILES}
    assert expected == {(path.parent.name, path.name) for path in BUNDLES}


def test_a_frozen_bundle_opens_and_all_its_rows_hold(bundle: Bundle) -> None:
    bundle.check_records()


def test_a_frozen_bundle_answers_what_it_answered(directory: Path) -> None:
    expected, actual = golden(directory), answers_of(directory)
    assert expected["digest"] == actual["digest"]
    assert expected["first_hits"] == actual["first_hits"]
    assert [pytest.approx(pair, abs=1e-3) for pair in expected["bm25"]] == actual["bm25"]
    assert [pytest.approx(pair, abs=1e-5) for pair in expected.get("nearest", [])] == actual.get("nearest", [])


def test_a_frozen_bundle_holds_the_tree_it_was_built_from(bundle: Bundle) -> None:
    assert sorted(path.relative_to(TREE).as_posix() for path in TREE.rglob("*") if path.is_file()) == [
        file.path for file in bundle.files
    ]
    for file in bundle.files:
        original = (TREE / file.path).read_bytes()
        assert file.size == len(original)
        assert original.decode(file.encoding).encode() == bundle.text_of(file)


def test_a_frozen_bundle_can_be_indexed_again_without_a_place_to_write(bundle: Bundle) -> None:
    from hardtack.bundle.engines.lexical import Filter, rebuild_index

    terms = {"body": [("portions", 1.0)], "symbol": [("handlestock", 3.0)]}
    rebuilt = rebuild_index(bundle._documents(), count=bundle.manifest.counts.chunks)
    assert bundle.lexical.search(terms, 10, Filter()) == rebuilt.search(terms, 10, Filter())


def test_a_frozen_bundle_verifies_on_the_command_line(directory: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(directory, copy)
    done = subprocess.run([sys.executable, "-m", "hardtack", "verify", str(copy)], capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    assert golden(directory)["digest"] in done.stdout
