"""Builds with indexes: what they take over, when they build again, and what an index of no use costs."""

from __future__ import annotations

import filecmp
import json
import shutil
import sys
from pathlib import Path

import pytest
from checkouts import commit, init
from command_line import run_or_raise as run
from own_work import users_cache
from scip_indexes import document, index, occurrences, symbol

from hardtack.build.pipeline import NO_BASE, BuildOptions, build_bundle
from hardtack.build.report import BuildReport
from hardtack.build.reuse.base_bundle import SAMPLED_FILES
from hardtack.build.scip import schema
from hardtack.errors import MissingExtra
from hardtack.store.built import BuiltHere

_TYPESCRIPT = Path(__file__).parents[4] / "fixtures" / "scip" / "typescript"
_KNOWN = _TYPESCRIPT / "index.scip"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout of the project that scip-typescript made the index of."""
    root = tmp_path / "jars"
    shutil.copytree(_TYPESCRIPT, root, ignore=shutil.ignore_patterns("*.scip"))
    for number in range(SAMPLED_FILES):  # so that a build onto another takes some over
        (root / f"part{number}.ts").write_text(f"export const part{number} = {number};\n")
    commit(init(root))
    return root


def _built(tree: Path, *indexes: Path, base: str = "auto") -> BuildReport:
    options = BuildOptions(jobs=1, profile="keyword", scip=indexes, base=base)
    return build_bundle(tree, tree.parent / "bundle", options, own=BuiltHere(users_cache))


def _is_as_built_anew(tree: Path, *indexes: Path) -> bool:
    place, whole = tree.parent / "bundle", tree.parent / "whole"
    shutil.rmtree(whole, ignore_errors=True)
    build_bundle(tree, whole, BuildOptions(jobs=1, profile="keyword", scip=indexes, base=NO_BASE))
    members = sorted(path.relative_to(whole).as_posix() for path in whole.rglob("*") if path.is_file())
    return filecmp.cmpfiles(place, whole, members, shallow=False) == (members, [], [])


def test_with_the_same_index_and_commit_nothing_is_written(tree: Path) -> None:
    first, second = _built(tree, _KNOWN), _built(tree, _KNOWN)
    assert (first.digest, False, True) == (second.digest, first.is_unchanged, second.is_unchanged)


def test_an_index_that_comes_goes_or_changes_builds_again_as_from_nothing(tree: Path) -> None:
    other = tree.parent / "other.scip"
    other.write_bytes(index(document("src/shelf.ts", []), version="2"))
    digests = set()
    for indexes in ((), (_KNOWN,), (other,), (_KNOWN, other), (other, _KNOWN), ()):
        report = _built(tree, *indexes)
        assert not report.is_unchanged
        assert report.before is None or not report.notes  # the bundle before is taken as a base, whatever its indexes
        assert _is_as_built_anew(tree, *indexes)
        digests.add(report.digest)
    assert 5 == len(digests)


def test_a_build_onto_another_takes_files_over_and_has_the_bytes_of_one_from_nothing(tree: Path) -> None:
    _built(tree, _KNOWN)
    (tree / "src" / "more.ts").write_text("import { seal } from './jar';\nseal();\n")
    commit(tree)
    report = _built(tree, _KNOWN)
    assert (1, [], True) == (report.changes.added, report.notes, report.taken_over > 0)
    assert _is_as_built_anew(tree, _KNOWN)
    (tree / "src" / "jar.ts").write_text("// new\n" + (tree / "src" / "jar.ts").read_text())
    commit(tree)
    report = _built(tree, _KNOWN)
    assert report.notes == [
        "The SCIP index index.scip does not fit 1 of 2 files, the first of them src/jar.ts, which were changed since"
    ]
    assert _is_as_built_anew(tree, _KNOWN)


def test_where_two_indexes_speak_the_first_decides(tree: Path) -> None:
    text = (tree / "src" / "jar.ts").read_text()
    marked = [("seal", symbol("`jar.ts`/seal()."), 1), ("seal", symbol("`jar.ts`/seal()."), 0)]
    outside = [("seal", symbol("`lib.ts`/seal().", "lib"), 0)]
    ours, theirs = tree.parent / "ours.scip", tree.parent / "theirs.scip"
    ours.write_bytes(index(document("src/jar.ts", occurrences(text, *marked))))
    theirs.write_bytes(index(document("src/jar.ts", occurrences(text, ("seal", "local 1", 1), *outside))))
    assert _built(tree, ours, theirs).digest != _built(tree, theirs, ours).digest


@pytest.mark.parametrize("data", [b"", b"\x00" * 5000, b"\x12\xff\xff\xff\xff\x7f", index(), _KNOWN.read_bytes()[:-7]])
def test_an_index_of_no_use_costs_a_sentence_and_gives_the_bundle_of_the_source(tree: Path, data: bytes) -> None:
    plain = _built(tree, base=NO_BASE)
    (tree.parent / "bad.scip").write_bytes(data)
    report = _built(tree, tree.parent / "bad.scip", base=NO_BASE)
    (note,) = report.notes
    assert note.startswith("The SCIP index bad.scip was left out: it ")
    assert report.manifest is not None
    assert plain.manifest == report.manifest._replace(indexers=())


def test_the_command_line_takes_indexes_and_reports_what_is_wrong_with_them(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.scip").write_bytes(b"bad")
    report, place = tmp_path / "report.json", str(tmp_path / "out")
    flags = ["--scip", str(_KNOWN), "--scip", str(tmp_path / "bad.scip"), "--profile", "keyword", "-j", "1"]
    result = run("build", str(tree), "-o", place, "--report", str(report), *flags)
    assert "The SCIP index bad.scip was left out" in result.stderr + result.stdout
    assert ["The SCIP index bad.scip was left out: it is no SCIP index, or is cut off"] == json.loads(report.read_text())["notes"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert ["scip-typescript", ""] == [each["name"] for each in manifest["indexers"]]


def test_without_the_extra_the_message_says_what_to_install(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema.messages.cache_clear()
    schema.message_classes.cache_clear()
    monkeypatch.setitem(sys.modules, "google.protobuf", None)
    try:
        with pytest.raises(MissingExtra, match="'scip' extra"):
            _built(tree, _KNOWN)
        assert _built(tree).digest
    finally:
        schema.messages.cache_clear()
        schema.message_classes.cache_clear()
