"""Whole builds of small trees, and what each leaves behind."""

from __future__ import annotations

import filecmp
import gc
import os
import threading
import time
from pathlib import Path

import pytest

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.build.relations.relate import Relater
from hardtack.build.source.tree import SourceOptions
from hardtack.bundle.engines.lexical import LexicalWriter
from hardtack.bundle.format.manifest import NamedProject
from hardtack.bundle.reader import open_bundle
from hardtack.errors import BuildError, NothingIndexed, SourceError, SourceUnreadable, UsageError


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two files of code, one of them a test, a vendored one and a picture."""
    root = tmp_path / "tree"
    for path, content in {
        "jar.py": b"class Jar:\n    def open(self): ...\n",
        "tests/test_jar.py": b"def test_it_opens(): ...\n",
        "node_modules/lid.js": b"function lid() { return 1 }\n",
        "jar.png": b"\x89PNG\r\n\x1a\n\0\0\0",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return root


def _entries(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


def _paths(bundle: Path) -> list[str]:
    with open_bundle(bundle) as opened:
        return [file.path for file in opened.files]


def test_the_bundle_goes_beside_its_source_where_git_does_not_see_it(tree: Path) -> None:
    report = build_bundle(tree, options=BuildOptions(profile="keyword"))
    assert str(tree / ".hardtack" / "bundle") == report.destination
    assert "*\n" == (tree / ".hardtack" / ".gitignore").read_text()
    assert ["jar.py", "tests/test_jar.py"] == _paths(tree / ".hardtack" / "bundle")


def test_a_bundle_beside_its_source_is_no_part_of_the_next_one(tree: Path) -> None:
    first = build_bundle(tree, options=BuildOptions(profile="keyword"))
    assert first.digest == build_bundle(tree, options=BuildOptions(profile="keyword")).digest
    assert [".gitignore", "bundle"] == sorted(path.name for path in (tree / ".hardtack").iterdir())


def test_the_numbers_of_the_report_add_up(pantry: Path, tmp_path: Path) -> None:
    seen: list[int] = []
    report = build_bundle(pantry, tmp_path / "bundle", progress=seen.append)
    document = report.to_json()
    with open_bundle(tmp_path / "bundle") as bundle:
        counts = bundle.manifest.counts
        assert bundle.digest == document["digest"]
        assert bundle.manifest == report.manifest
        assert (len(bundle.files), counts.symbols, counts.chunks) == tuple(
            document[key] for key in ("files_indexed", "symbols", "chunks")
        )
        assert sum(file.text_length for file in bundle.files) == document["text_bytes"]
        assert sum(file.chunk_count for file in bundle.files) == document["chunks"]
        assert sum(file.symbol_count for file in bundle.files) == document["symbols"]
        assert len(bundle.files) == sum(document["languages"].values()) == sum(document["parse_status"].values())
        members = [path for path in (tmp_path / "bundle").rglob("*") if path.is_file() and path.name != "manifest.json"]
        assert sum(path.stat().st_size for path in members) == document["bundle_bytes"]
    assert len(report.skips) == document["files_skipped"] == sum(document["skipped"].values())
    assert list(range(1, document["files_indexed"] + 1)) == seen
    assert document["seconds"] > 0
    assert document["peak_memory_bytes"] > 10 << 20


def test_what_was_skipped_is_named_with_its_reason_and_counted_in_the_manifest(tree: Path, tmp_path: Path) -> None:
    report = build_bundle(tree, tmp_path / "bundle", BuildOptions(profile="keyword"))
    assert [("jar.png", "binary"), ("node_modules/lid.js", "vendored")] == [(skip.path, skip.reason.value) for skip in report.skips]
    assert report.manifest is not None
    assert {"binary": 1, "vendored": 1} == report.manifest.skipped


def test_options_that_decide_the_content_are_recorded_and_the_number_of_jobs_is_not(tree: Path, tmp_path: Path) -> None:
    source = SourceOptions(tests=False, vendor=True, keep=("*.pb.go",), max_file_size=5000)
    options = BuildOptions(profile="keyword", text="none", source=source, jobs=2, max_size=10**9)
    report = build_bundle(tree, tmp_path / "bundle", options)
    assert report.manifest is not None
    chosen = {"tests": False, "vendor": True, "keep": ["*.pb.go"], "max_file_size": 5000}
    recorded = {"profile": "keyword", "text": "none", "secrets": "redact", **chosen}
    assert recorded == report.manifest.options
    assert ["jar.py", "node_modules/lid.js"] == _paths(tmp_path / "bundle")


def test_a_bundle_without_text_or_vectors_has_no_such_members(bare_bundle: Path, pantry_bundle: Path) -> None:
    left_out = {"text.blocks", "runs.postings", "readings.blocks", "vectors.faiss", "encoder.msgpack", "encoder.int8", "NOTICE"}
    assert left_out == {path.name for path in pantry_bundle.iterdir()} - {path.name for path in bare_bundle.iterdir()}
    with open_bundle(bare_bundle) as bundle:
        assert (False, False, None) == (bundle.has_text, bundle.has_vectors, bundle.manifest.encoder)


def test_one_job_and_two_make_the_same_bundle(pantry: Path, pantry_bundle: Path, tmp_path: Path) -> None:
    build_bundle(pantry, tmp_path / "bundle", BuildOptions(jobs=2, history=10))
    members = [path for path in _entries(pantry_bundle) if (pantry_bundle / path).is_file()]
    assert _entries(pantry_bundle) == _entries(tmp_path / "bundle")
    assert (members, [], []) == filecmp.cmpfiles(pantry_bundle, tmp_path / "bundle", members, shallow=False)


def test_several_roots_make_one_bundle_with_their_names_in_front(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "todo.md").write_text("# Buy jars\n")
    options = BuildOptions(roots=(("shop", tree), ("notes", tmp_path / "notes")), profile="keyword")
    report = build_bundle(tmp_path, tmp_path / "bundle", options)
    assert ["notes/todo.md", "shop/jar.py", "shop/tests/test_jar.py"] == _paths(tmp_path / "bundle")
    assert report.manifest is not None
    assert ("notes", "shop") == report.manifest.provenance.roots


def test_a_commit_is_recorded_with_its_time(pantry_bundle: Path) -> None:
    with open_bundle(pantry_bundle) as bundle:
        provenance = bundle.manifest.provenance
    assert (40, 981_173_107, "commit", False) == (
        *(len(provenance.commit), provenance.commit_time),
        *(provenance.source, provenance.is_dirty),
    )


def test_a_bundle_over_the_limit_is_refused_and_the_old_one_stays(tree: Path, tmp_path: Path) -> None:
    before = build_bundle(tree, tmp_path / "bundle", BuildOptions(profile="keyword")).digest
    with pytest.raises(BuildError, match=r"The bundle would have \d+ bytes, over the limit of 1000; nothing was put in place\."):
        build_bundle(tree, tmp_path / "bundle", BuildOptions(max_size=1000))
    with pytest.raises(BuildError):
        build_bundle(tree, tmp_path / "new" / "bundle", BuildOptions(max_size=1000))
    assert ["bundle", "tree"] == sorted(path.name for path in tmp_path.iterdir())
    with open_bundle(tmp_path / "bundle") as bundle:
        assert before == bundle.digest


def test_a_tree_with_nothing_to_index_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    with pytest.raises(NothingIndexed, match=r"tree holds nothing to index\.$"):
        build_bundle(tmp_path / "tree")
    assert [] == _entries(tmp_path / "tree")
    (tmp_path / "tree" / "a.png").write_bytes(b"\x89PNG\0")
    (tmp_path / "tree" / "blank.py").write_bytes(b"\n\n")
    with pytest.raises(NothingIndexed, match=r"tree holds nothing to index \(1 paths skipped: 1 binary\)\.$"):
        build_bundle(tmp_path / "tree", tmp_path / "a" / "b" / "bundle")
    assert ["tree", "tree/a.png", "tree/blank.py"] == _entries(tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (BuildOptions(profile="vector"), "There is no profile 'vector'."),
        (BuildOptions(text="half"), "Text cannot be 'half'."),
    ],
)
def test_an_option_that_means_nothing_is_refused(tree: Path, tmp_path: Path, options: BuildOptions, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        build_bundle(tree, tmp_path / "bundle", options)
    assert message == str(refused.value)
    assert not (tmp_path / "bundle").exists()


def test_a_source_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match=r"missing does not exist\.$"):
        build_bundle(tmp_path / "missing", tmp_path / "bundle")
    assert [] == _entries(tmp_path)


def test_a_destination_with_something_else_in_it_is_left_alone(tree: Path) -> None:
    before = _entries(tree)
    with pytest.raises(UsageError, match="neither empty nor a Hardtack bundle; nothing there was touched"):
        build_bundle(tree, tree)
    assert before == _entries(tree)


def test_a_build_into_its_own_tree_indexes_nothing_of_itself(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def a():\n    return 1\n")
    for _ in range(2):
        report = build_bundle(tmp_path, tmp_path / "bundle", BuildOptions(jobs=1))
        assert report.manifest is not None
        assert (1, []) == (report.manifest.counts.files, report.skips)
    assert ["a.py", "bundle"] == sorted(path.name for path in tmp_path.iterdir())


def test_the_manifest_lists_the_projects_of_the_tree_that_have_a_name(tree: Path, tmp_path: Path) -> None:
    (tree / "web").mkdir()
    (tree / "web" / "package.json").write_text('{"name": "jar-web", "version": "2.0.0"}')
    (tree / "web" / "tsconfig.json").write_text('{"compilerOptions": {"baseUrl": "src"}}')
    (tree / "go.mod").write_text("module example.org/jar\n\ngo 1.22\n")
    build_bundle(tree, tmp_path / "bundle", BuildOptions(profile="keyword", jobs=1))
    with open_bundle(tmp_path / "bundle") as bundle:
        found = bundle.manifest.projects
    assert [
        NamedProject(path="go.mod", ecosystem="go", name="example.org/jar", version="", language_version="1.22"),
        NamedProject(path="web/package.json", ecosystem="npm", name="jar-web", version="2.0.0", language_version=""),
    ] == list(found)


def test_of_too_many_projects_those_nearest_to_the_root_are_listed(tmp_path: Path) -> None:
    for number in range(1000):
        directory = tmp_path / "tree" / "a" / f"p{number}"
        directory.mkdir(parents=True)
        (directory / "package.json").write_text(f'{{"name": "p{number}"}}')
    (tmp_path / "tree" / "z").mkdir()
    (tmp_path / "tree" / "z" / "package.json").write_text('{"name": "z"}')
    build_bundle(tmp_path / "tree", tmp_path / "bundle", BuildOptions(profile="keyword", jobs=1))
    with open_bundle(tmp_path / "bundle") as bundle:
        names = [project.name for project in bundle.manifest.projects]
    assert (1000, "z", False) == (len(names), names[-1], "p999" in names)


def test_a_build_that_fails_while_the_lexical_index_is_committed_leaves_nothing(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_done = threading.Event()
    finish = LexicalWriter.finish

    def slowly(writer: LexicalWriter) -> object:
        time.sleep(0.5)
        index = finish(writer)
        is_done.set()
        return index

    def fail(*_: object) -> None:
        raise SourceError("The disk is gone.")

    monkeypatch.setattr(LexicalWriter, "finish", slowly)
    monkeypatch.setattr(Relater, "relate", fail)
    (tmp_path / "out").mkdir()
    with pytest.raises(SourceError, match="The disk is gone"):
        build_bundle(tree, tmp_path / "out" / "bundle", BuildOptions(profile="keyword", jobs=1))
    assert (True, []) == (is_done.is_set(), [path.name for path in (tmp_path / "out").iterdir() if "journal" not in path.name])


@pytest.mark.parametrize(
    "fault",
    [OSError(28, "No space left on device"), SourceError("The lexical index could not be written: No space left on device.")],
)
def test_what_goes_wrong_beside_the_build_is_said_as_in_it(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def fail(*_: object) -> None:
        raise fault

    owner, name = (os, "fsync") if isinstance(fault, OSError) else (LexicalWriter, "finish")
    monkeypatch.setattr(owner, name, fail)
    with pytest.raises(SourceError, match="could not be written: No space left on device"):
        build_bundle(tree, tmp_path / "bundle", BuildOptions(profile="keyword", jobs=1))
    assert not (tmp_path / "bundle").exists()


def test_a_build_looks_for_no_cycles_and_leaves_that_as_it_was(tree: Path, tmp_path: Path) -> None:
    seen: set[bool] = set()
    assert gc.isenabled()
    build_bundle(tree, tmp_path / "bundle", step=lambda _: seen.add(gc.isenabled()))
    assert ({False}, True) == (seen, gc.isenabled())
    gc.disable()
    try:
        build_bundle(tree, tmp_path / "other")
        assert not gc.isenabled()
    finally:
        gc.enable()
