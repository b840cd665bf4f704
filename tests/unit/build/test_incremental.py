"""Builds onto a bundle that is there: what is taken over from it, when nothing is, and what an interrupted build leaves behind."""

from __future__ import annotations

import fcntl
import filecmp
import hashlib
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgpack
import pytest
from checkouts import commit, git, init, write
from command_line import run
from own_work import made_own, users_cache
from planted import RULES, planted

from hardtack.build.pipeline import NO_BASE, BuildOptions, build_bundle
from hardtack.build.report import BuildReport
from hardtack.build.reuse.base_bundle import SAMPLED_FILES
from hardtack.build.source.tree import SourceOptions
from hardtack.bundle.format import layout
from hardtack.bundle.format.cached_parses import CachedParses, CachedParsesWriter, pack_parse
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Manifest, parse_manifest, render_manifest
from hardtack.bundle.format.relations import reference_table
from hardtack.bundle.format.tables import render_table
from hardtack.errors import BuildError
from hardtack.nouns.statistics import Changes
from hardtack.store.built import BuiltHere

_RECORD = struct.Struct("<III32s")  # of a journal
_PLAIN = BuildOptions(jobs=1, profile="keyword")
_FILES = {
    "shop/jar.py": "class Jar:\n    def open(self, lid): return lid.turn()\n",
    "shop/lid.py": "from shop.jar import Jar\n\nclass Lid(Jar):\n    def turn(self): return Jar().open(self)\n",
    "shop/shelf.py": "def first(shelf): return shelf[0]\n",
    "notes/todo.md": "# Jars\n\nBuy jars with lids.\n",
    "page.js": "function show(jar) { return jar.open() }\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A git checkout of five files, one commit."""
    root = tmp_path / "tree"
    commit(init(write(root, _FILES)))
    return root


def _built(tree: Path, place: Path, options: BuildOptions | None = None) -> BuildReport:
    return build_bundle(tree, place, options or _PLAIN, own=BuiltHere(users_cache))


def _is_as_built_anew(tree: Path, place: Path, options: BuildOptions | None = None) -> bool:
    """Whether the bundle at ``place`` has the bytes of one that took over nothing."""
    whole = place.parent / "whole"
    shutil.rmtree(whole, ignore_errors=True)
    build_bundle(tree, whole, replace(options or _PLAIN, base=NO_BASE))
    members = sorted(path.relative_to(whole).as_posix() for path in whole.rglob("*") if path.is_file())
    found = sorted(path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file())
    return found == members and filecmp.cmpfiles(place, whole, members, shallow=False) == (members, [], [])


def _state(place: Path) -> list[tuple[str, int, int]]:
    return sorted((path.name, path.stat().st_ino, path.stat().st_mtime_ns) for path in place.rglob("*"))


def _forge(place: Path, name: str, data: bytes) -> None:
    """Put other bytes in a member's place, and a manifest that says they belong there."""
    (place / name).write_bytes(data)
    manifest = parse_manifest((place / layout.MANIFEST).read_bytes())
    members = tuple(
        member._replace(size=len(data), sha256=digest_of(data)) if member.name == name else member for member in manifest.members
    )
    _put_manifest(place, manifest._replace(members=members))


def _put_manifest(place: Path, manifest: Manifest) -> None:
    (place / layout.MANIFEST).write_bytes(render_manifest(manifest))
    made_own(place)  # only what was built here is a base by itself


# -- nothing changed ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("worktree", [False, True])
def test_where_nothing_changed_nothing_is_written(tree: Path, tmp_path: Path, worktree: bool) -> None:
    options = replace(_PLAIN, worktree=worktree)
    first = _built(tree, tmp_path / "bundle", options)
    before = _state(tmp_path / "bundle")
    os.utime(tree / "page.js", (1, 1))
    second = _built(tree, tmp_path / "bundle", options)
    assert (first.digest, True, Changes(), 5) == (second.digest, second.is_unchanged, second.changes, second.taken_over)
    assert first.manifest == second.manifest
    assert before == _state(tmp_path / "bundle")


def test_a_bundle_that_was_damaged_is_built_anew_though_its_commit_is_the_same(tree: Path, tmp_path: Path) -> None:
    _built(tree, tmp_path / "bundle")
    with (tmp_path / "bundle" / layout.WORDS).open("r+b") as member:
        member.seek(30)
        member.write(b"\xff\xff")
    report = _built(tree, tmp_path / "bundle")
    assert (False, 0) == (report.is_unchanged, report.taken_over)
    assert "words.postings was changed" in report.notes[-1]
    assert _is_as_built_anew(tree, tmp_path / "bundle")


def test_a_file_with_secrets_is_read_again_so_that_what_is_said_of_it_stays_true(tree: Path, tmp_path: Path) -> None:
    (tree / "keys.py").write_text(f"TOKEN = '{planted(RULES[0], 3).value}'\n\n\ndef use(): return TOKEN\n")
    commit(tree)
    first = _built(tree, tmp_path / "bundle")
    (tree / "page.js").write_text("function hide(jar) { return jar.close() }\n")
    commit(tree)
    second = _built(tree, tmp_path / "bundle")
    assert [("keys.py", 1)] == [(secret.path, secret.line) for secret in first.secrets]
    assert (first.secrets, []) == (second.secrets, [note for note in second.notes if "taken over" in note])
    assert _is_as_built_anew(tree, tmp_path / "bundle")
    third = _built(tree, tmp_path / "bundle")
    assert (True, first.secrets_by_rule) == (third.is_unchanged, third.secrets_by_rule)


def test_a_change_that_keeps_size_and_time_is_seen(tree: Path, tmp_path: Path) -> None:
    options = replace(_PLAIN, worktree=True)
    _built(tree, tmp_path / "bundle", options)
    state = (tree / "page.js").stat()
    (tree / "page.js").write_text(_FILES["page.js"].replace("show", "hide"))
    os.utime(tree / "page.js", ns=(state.st_atime_ns, state.st_mtime_ns))
    report = _built(tree, tmp_path / "bundle", options)
    assert Changes(updated=1) == report.changes
    assert _is_as_built_anew(tree, tmp_path / "bundle", options)


# -- taking over ----------------------------------------------------------------------------------------------------------------


def test_files_that_came_went_moved_and_changed_are_told_and_the_bundle_is_as_built_anew(tree: Path, tmp_path: Path) -> None:
    for number in range(20):
        (tree / f"extra{number}.py").write_text(f"def extra{number}(): return {number}\n")
    commit(tree)
    _built(tree, tmp_path / "bundle")
    (tree / "shop" / "shelf.py").unlink()
    (tree / "notes" / "todo.md").rename(tree / "todo.md")
    (tree / "shop" / "lid.py").write_text(_FILES["shop/lid.py"].replace("Lid(Jar)", "Lid"))
    (tree / "new.go").write_text("package main\nfunc main() {}\n")
    commit(tree)
    report = _built(tree, tmp_path / "bundle")
    assert Changes(added=2, removed=2, updated=1, moved=1) == report.changes
    document = report.to_json()
    told = [document[f"files_{what}"] for what in ("added", "removed", "updated", "moved", "taken_over")]
    assert [2, 2, 1, 1, report.taken_over] == told
    assert 22 - 8 <= report.taken_over <= 22  # all that are as they were, but for those that were looked at again
    assert _is_as_built_anew(tree, tmp_path / "bundle")


@pytest.mark.parametrize("options", [_PLAIN, BuildOptions(jobs=2)])
def test_a_base_elsewhere_is_taken_over_from_and_left_as_it_is(tree: Path, tmp_path: Path, options: BuildOptions) -> None:
    for number in range(20):
        (tree / f"extra{number}.py").write_text(f"def extra{number}(): return {number}\n")
    commit(tree)
    _built(tree, tmp_path / "base", options)
    before = _state(tmp_path / "base")
    (tree / "page.js").write_text("function hide(jar) { return jar.shut() }\n")
    commit(tree)
    report = _built(tree, tmp_path / "bundle", replace(options, base=tmp_path / "base"))
    assert report.taken_over > 0
    assert before == _state(tmp_path / "base")
    assert _is_as_built_anew(tree, tmp_path / "bundle", options)


def test_several_roots_are_taken_over_each_under_its_name(tree: Path, tmp_path: Path) -> None:
    for number in range(12):
        (tree / "shop" / f"extra{number}.py").write_text(f"def extra{number}(): return {number}\n")
    roots = (("shop", tree / "shop"), ("notes", tree / "notes"))
    options = replace(_PLAIN, roots=roots, worktree=True)
    _built(tree, tmp_path / "bundle", options)
    (tree / "notes" / "todo.md").write_text("# Lids\n")
    report = _built(tree, tmp_path / "bundle", options)
    assert report.taken_over > 0
    assert Changes(updated=1) == report.changes
    assert _is_as_built_anew(tree, tmp_path / "bundle", options)


def test_roots_of_the_same_names_elsewhere_in_the_checkout_are_not_the_same(tree: Path, tmp_path: Path) -> None:
    options = replace(_PLAIN, roots=(("code", tree / "shop"),))
    _built(tree, tmp_path / "bundle", options)
    assert _built(tree, tmp_path / "bundle", options).is_unchanged
    options = replace(_PLAIN, roots=(("code", tree / "notes"),))
    assert not _built(tree, tmp_path / "bundle", options).is_unchanged
    assert _is_as_built_anew(tree, tmp_path / "bundle", options)


def test_parts_of_a_checkout_whose_names_must_not_be_told_are_not_taken_for_one_another(tree: Path, tmp_path: Path) -> None:
    parts = [tree / planted(RULES[0], seed).value for seed in (1, 2)]
    for number, part in enumerate(parts):
        part.mkdir()
        (part / "a.py").write_text(f"def part{number}(): return {number}\n")
    commit(tree)
    first, again, other = (_built(part, tmp_path / "bundle") for part in (parts[0], parts[0], parts[1]))
    assert first.manifest is not None
    assert other.manifest is not None
    assert first.manifest.provenance == other.manifest.provenance
    assert (True, False) == (again.is_unchanged, other.is_unchanged)
    assert _is_as_built_anew(parts[1], tmp_path / "bundle")


# -- nothing is taken over ------------------------------------------------------------------------------------------------------


def test_a_base_of_something_else_or_made_otherwise_is_refused_in_one_line(tree: Path, tmp_path: Path) -> None:
    base, options = tmp_path / "base", _PLAIN
    _built(tree, base, options)
    manifest = parse_manifest((base / layout.MANIFEST).read_bytes())
    without = tuple(member for member in manifest.members if member.name != layout.READINGS)
    maker = CachedParsesWriter(b"\1" * 32, [])
    opened = CachedParses(memoryview((base / layout.READINGS).read_bytes()), files=5)
    for number in range(5):
        maker.add(opened.packed(number))
    cases = {
        "it is of example.org/a/b": manifest._replace(provenance=manifest.provenance._replace(repository="example.org/a/b")),
        "it was built with other options": manifest._replace(options={**manifest.options, "tests": False}),
        "it was made by another version of Hardtack or of an engine": manifest._replace(tool="hardtack 0.0.1"),
        "it was packed without what builds read": manifest._replace(members=without),
        "another Hardtack made it": manifest,
        "reads": manifest._replace(format_version=99),
        "does not exist": None,
    }
    for reason, changed in cases.items():
        place = tmp_path / "forged" / reason.replace(" ", "-").replace("/", "-")
        if changed is not None:
            shutil.copytree(base, place)
            _put_manifest(place, changed)
        if reason == "it was packed without what builds read":
            (place / layout.READINGS).unlink()
        if reason == "another Hardtack made it":
            _forge(place, layout.READINGS, b"".join(maker.render()))
        report = _built(tree, tmp_path / "bundle", replace(options, base=place))
        assert 0 == report.taken_over
        assert 1 == len(report.notes), report.notes
        assert report.notes[0].startswith(f"Nothing was taken over from {place}: ")
        assert reason in report.notes[0]
        shutil.rmtree(tmp_path / "bundle")


def test_other_options_take_over_nothing(tree: Path, tmp_path: Path) -> None:
    _built(tree, tmp_path / "bundle", _PLAIN)
    options = replace(_PLAIN, source=SourceOptions(tests=False))
    report = _built(tree, tmp_path / "bundle", options)
    assert (0, Changes(added=5)) == (report.taken_over, report.changes)
    assert "it was built with other options" in report.notes[0]


def test_a_base_of_a_python_with_other_tables_of_characters_is_refused(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr("unicodedata.unidata_version", "13.0.0")
        _built(tree, tmp_path / "bundle")
    report = _built(tree, tmp_path / "bundle")
    assert (False, 0) == (report.is_unchanged, report.taken_over)
    assert "it was made by another version of Hardtack or of an engine" in report.notes[0]
    assert _is_as_built_anew(tree, tmp_path / "bundle")


def test_a_base_whose_rows_are_not_those_of_its_files_is_found_out(tree: Path, tmp_path: Path) -> None:
    place = tmp_path / "bundle"
    _built(tree, place)
    opened = CachedParses(memoryview((place / layout.READINGS).read_bytes()), files=5)
    forged = CachedParsesWriter(opened.tool_fingerprint, [])
    for number in (1, 0, 2, 3, 4):  # what was read from two files, each in the other's place, with hashes that are right
        forged.add(opened.packed(number))
    _forge(place, layout.READINGS, b"".join(forged.render()))
    (tree / "new.py").write_text("def new(): ...\n")
    commit(tree)
    report = _built(tree, place)
    assert 0 == report.taken_over
    assert "what the file does not" in report.notes[-1] or "is damaged" in report.notes[-1]
    assert Changes(added=6) == report.changes
    assert _is_as_built_anew(tree, place)


def test_a_base_whose_references_are_not_those_of_its_files_is_found_out(tree: Path, tmp_path: Path) -> None:
    place = tmp_path / "bundle"
    _built(tree, place)
    _forge(place, layout.REFERENCES, b"".join(render_table(*reference_table([], ()))))
    (tree / "notes" / "todo.md").write_text("# Lids\n")
    commit(tree)
    report = _built(tree, place)
    assert 0 == report.taken_over
    assert "refers to what it does not" in report.notes[-1]
    assert _is_as_built_anew(tree, place)


@pytest.mark.parametrize("line", ["#\n", "def close(jar): return jar.lid\n"], ids=["no word", "words"])
def test_vectors_of_files_that_stay_are_as_built_anew(tree: Path, tmp_path: Path, line: str) -> None:
    options = BuildOptions(jobs=1)
    for name in range(12):
        (tree / f"shelf{name}.py").write_text(f"def shelf{name}(jar): return jar.open({name})\n")
    commit(tree)
    _built(tree, tmp_path / "bundle", options)
    with (tree / "shelf3.py").open("a") as file:
        file.write(line)
    commit(tree)
    report = _built(tree, tmp_path / "bundle", options)
    assert (16 - SAMPLED_FILES, []) <= (report.taken_over, report.notes)
    assert _is_as_built_anew(tree, tmp_path / "bundle", options)


@pytest.mark.parametrize(
    ("at", "said"),
    [(-1, "what the file does not"), (73, "its vectors are kept otherwise")],  # FORMAT.md 6.1: the last code, the first minimum
    ids=["codes", "bounds"],
)
def test_a_base_whose_vectors_are_not_those_of_its_files_is_found_out(tree: Path, tmp_path: Path, at: int, said: str) -> None:
    place, options = tmp_path / "bundle", BuildOptions(jobs=1)
    _built(tree, place, options)
    data = bytearray((place / layout.VECTORS).read_bytes())
    data[at] ^= 64
    _forge(place, layout.VECTORS, bytes(data))
    (tree / "new.py").write_text("def new(): ...\n")
    commit(tree)
    report = _built(tree, place, options)
    assert 0 == report.taken_over
    assert said in report.notes[-1]
    assert _is_as_built_anew(tree, place, options)


@pytest.mark.parametrize(
    "shape",
    [{"documents": (("a",),)}, {"imported": ((1,),)}, {"uses": msgpack.packb((((1, 2),), ()))}, {"tags": 7}],
    ids=lambda shape: next(iter(shape)),
)
def test_a_base_of_any_shape_costs_no_more_than_a_build_from_nothing(
    tree: Path, tmp_path: Path, shape: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardtack.build.reuse.base_bundle.SAMPLED_FILES", 0)
    place = tmp_path / "bundle"
    _built(tree, place)
    opened = CachedParses(memoryview((place / layout.READINGS).read_bytes()), files=5)
    forged = CachedParsesWriter(opened.tool_fingerprint, [])
    for number in range(5):
        forged.add(pack_parse(opened.parse(number)._replace(**shape)))
    _forge(place, layout.READINGS, b"".join(forged.render()))
    (tree / "new.py").write_text("def new(): ...\n")
    commit(tree)
    report = _built(tree, place)
    assert (0, 1) == (report.taken_over, len(report.notes))
    assert _is_as_built_anew(tree, place)


@pytest.mark.parametrize("worktree", [False, True])
def test_a_changed_declaration_changes_how_files_beside_it_are_read(tmp_path: Path, worktree: bool) -> None:
    options = replace(_PLAIN, worktree=worktree)
    root = write(tmp_path / "tree", {"jar.c": "int jar;\n", ".editorconfig": "[*]\ncharset = windows-1250\n"})
    (root / "shelf.c").write_bytes("/* żółta skrzynia */ int shelf;\n".encode("iso8859-2"))
    (root / "lid.c").write_bytes("/* читает настройки */ int lid;\n".encode("cp1251"))
    commit(init(root))
    first = _built(root, tmp_path / "bundle", options)
    assert _built(root, tmp_path / "bundle", options).is_unchanged
    (root / ".editorconfig").write_text("[*]\ncharset = iso-8859-2\n")
    commit(root)
    second = _built(root, tmp_path / "bundle", options)
    assert _is_as_built_anew(root, tmp_path / "bundle", options)
    assert first.manifest is not None
    assert second.manifest is not None
    assert ("iso8859-2", 1, 1, 0) in second.manifest.encodings
    assert ("iso8859-2", 1, 1, 0) not in first.manifest.encodings
    assert ("cp1251", 1, 0, 1) in second.manifest.encodings


def test_a_file_whose_parser_failed_is_tried_again(tree: Path, tmp_path: Path, workers_that_fail: Path) -> None:
    (tree / "shop" / "shelf.py").write_text("DIE = 1\n")
    commit(tree)
    first = _built(tree, tmp_path / "bundle", _PLAIN)
    workers_that_fail.unlink()
    (tree / "page.js").write_text("function hide() {}\n")
    commit(tree)
    second = _built(tree, tmp_path / "bundle", _PLAIN)
    assert (["shop/shelf.py"], []) == ([path for path, _ in first.failures], second.failures)


def test_parsers_that_fail_on_too_many_files_end_the_build_with_a_remedy(
    tree: Path, tmp_path: Path, workers_that_fail: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "shop" / "shelf.py").write_text("DIE = 1\n")
    (tree / "shop" / "table.py").write_text("DIE = 2\n")
    commit(tree)
    monkeypatch.setattr("hardtack.build.lost_time._MOST_SECONDS", 7.0)  # two small files take six at most
    assert 2 == len(_built(tree, tmp_path / "bundle", _PLAIN).failures)
    (tree / "shop" / "chair.py").write_text("DIE = 3\n")
    commit(tree)
    with pytest.raises(BuildError, match=r"parsers of 3 files .* the last one on shop/table.py") as refused:
        _built(tree, tmp_path / "other", _PLAIN)
    assert (".hardtackignore" in refused.value.hint, False) == (True, (tmp_path / "other").exists())


@pytest.fixture
def workers_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Has workers that meet ``DIE`` die while the file is there that is given."""
    (tmp_path / "site").mkdir()
    mark = tmp_path / "mark"
    mark.touch()
    (tmp_path / "site" / "sitecustomize.py").write_text(
        "import os, sys\n"
        "if 'hardtack.build.workers.worker' in sys.orig_argv:\n"
        "    import hardtack.build.workers.analyse as analyse\n"
        "    real = analyse.outline_of\n"
        "    def outline_of(text, language, **more):\n"
        f"        if text.startswith(b'DIE') and os.path.exists({str(mark)!r}): os._exit(9)\n"
        "        return real(text, language, **more)\n"
        "    analyse.outline_of = outline_of\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    return mark


# -- resuming -------------------------------------------------------------------------------------------------------------------


def _journal(place: Path) -> Path:
    return place.parent / f".hardtack-journal-{place.name}"


def _killed(tree: Path, place: Path) -> None:
    """A build that is killed when all files are analysed and nothing is written."""
    command = [sys.executable, "-m", "hardtack", "build", str(tree), "-o", str(place), "-q", "-j", "1", "--profile", "keyword"]
    done = subprocess.run(command, env={**os.environ, "HARDTACK_KILL_AT": "1"}, timeout=60)
    assert -signal.SIGKILL == done.returncode


def test_a_killed_build_goes_on_from_the_files_that_were_done(tree: Path, tmp_path: Path) -> None:
    place = tmp_path / "out" / "bundle"
    _killed(tree, place)
    assert _journal(place).exists()
    (tree / "page.js").write_text("function hide() {}\n")
    commit(tree)
    report = _built(tree, place)
    assert 4 == report.resumed
    assert [place.name] == [path.name for path in place.parent.iterdir()]
    assert _is_as_built_anew(tree, place)


def test_what_a_killed_build_left_goes_even_where_nothing_is_to_be_built(tree: Path, tmp_path: Path) -> None:
    place = tmp_path / "out" / "bundle"
    _built(tree, place)
    (tree / "page.js").write_text("function hide() {}\n")
    commit(tree)
    _killed(tree, place)
    assert 3 == len(list(place.parent.iterdir()))
    git(tree, "reset", "--quiet", "--hard", "HEAD~1")
    assert _built(tree, place).is_unchanged
    assert [place.name] == [path.name for path in place.parent.iterdir()]


@pytest.mark.parametrize("cut", [1, 2000])
def test_what_is_torn_is_cut_and_the_rest_is_kept(tree: Path, tmp_path: Path, cut: int) -> None:
    place = tmp_path / "out" / "bundle"
    _killed(tree, place)
    os.truncate(_journal(place), _journal(place).stat().st_size - cut)
    report = _built(tree, place)
    assert 0 < report.resumed < 5
    assert _is_as_built_anew(tree, place)


def _with_odd_record(data: bytes, part: int, becomes: object) -> bytes:
    """A journal whose last record has something else as one of its three parts, under a digest that is right."""
    start = at = len(b"HTKJRN\0\2") + 32 + 32
    while at < len(data):
        start, (*lengths, _) = at, _RECORD.unpack_from(data, at)
        at += _RECORD.size + sum(lengths)
    parts, at = [], start + _RECORD.size
    for length in lengths:
        parts.append(data[at : at + length])
        at += length
    parts[part] = becomes if isinstance(becomes, bytes) else msgpack.packb(becomes)
    digest = hashlib.sha256(b"".join(parts)).digest()
    return data[:start] + _RECORD.pack(*map(len, parts), digest) + b"".join(parts)


@pytest.mark.parametrize(
    ("part", "becomes", "kept"),
    [
        (0, b"\xc1", 4),
        (0, 7, 4),
        (0, [["a"], b"", b""], 4),
        (0, ["a", 1, 2], 4),
        (1, 7, 0),
        (2, b"\xc1", 0),
        (2, [1, 2, 3], 0),
        (2, [()] * 18, 0),
    ],
)
def test_a_record_that_no_build_writes_costs_no_more_than_the_journal(
    tree: Path, tmp_path: Path, part: int, becomes: object, kept: int
) -> None:
    place = tmp_path / "out" / "bundle"
    _killed(tree, place)
    journal = _journal(place)
    journal.write_bytes(_with_odd_record(journal.read_bytes(), part, becomes))
    report = _built(tree, place)
    assert kept == report.resumed
    assert ([] if kept else ["What an interrupted build had left is of no use"]) == [
        note.partition(":")[0] for note in report.notes
    ]
    assert [place.name] == [path.name for path in place.parent.iterdir()]
    assert _is_as_built_anew(tree, place)


def test_a_journal_of_a_build_with_other_options_is_of_no_use(tree: Path, tmp_path: Path) -> None:
    place, options = tmp_path / "out" / "bundle", replace(_PLAIN, source=SourceOptions(tests=False))
    _killed(tree, place)
    assert 0 == _built(tree, place, options).resumed
    assert _is_as_built_anew(tree, place, options)


def test_a_second_build_of_the_place_does_without_the_journal_of_the_first(tree: Path, tmp_path: Path) -> None:
    place = tmp_path / "out" / "bundle"
    _killed(tree, place)
    before = _journal(place).read_bytes()
    with _journal(place).open("rb") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        assert 0 == _built(tree, place).resumed
    assert before == _journal(place).read_bytes()
    assert _is_as_built_anew(tree, place)


def test_an_interrupt_keeps_what_was_done(tree: Path, tmp_path: Path, workers_that_hang: Path) -> None:
    place = tmp_path / "out" / "bundle"
    for number in range(70):  # more than are sent to a worker at once
        (tree / f"a{number:02}.py").write_text(f"def a{number}(): return {number}\n")
    (tree / "z.py").write_text("HANG = 1\n")
    commit(tree)
    command = [sys.executable, "-m", "hardtack", "build", str(tree), "-o", str(place), "-q", "-j", "1", "--profile", "keyword"]

    def listening() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a job in the background is born deaf to interrupts

    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=listening) as build:
        deadline = time.monotonic() + 60
        while not workers_that_hang.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        build.send_signal(signal.SIGINT)
        assert 130 == build.wait(timeout=30)
    assert [_journal(place).name] == [path.name for path in place.parent.iterdir()]
    (tree / "z.py").write_text("HUNG = 1\n")
    commit(tree)
    report = _built(tree, place)
    assert report.resumed >= 64
    assert _is_as_built_anew(tree, place)


@pytest.fixture
def workers_that_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Has workers that meet ``HANG`` say so by making the file that is given, and wait."""
    (tmp_path / "site").mkdir()
    mark = tmp_path / "mark"
    (tmp_path / "site" / "sitecustomize.py").write_text(
        "import sys, time\n"
        "from pathlib import Path\n"
        "if 'hardtack.build.workers.worker' in sys.orig_argv:\n"
        "    import hardtack.build.workers.analyse as analyse\n"
        "    real = analyse.outline_of\n"
        "    def outline_of(text, language, **more):\n"
        "        if text.startswith(b'HANG'):\n"
        f"            Path({str(mark)!r}).touch()\n"
        "            time.sleep(60)\n"
        "        return real(text, language, **more)\n"
        "    analyse.outline_of = outline_of\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    return mark


def test_a_statement_that_defines_many_names_over_several_chunks_is_verified(tmp_path: Path) -> None:
    lines = "".join(f"  {number}, {number + 1}, {number + 2},\n" for number in range(600))
    source = tmp_path / "source"
    source.mkdir()
    (source / "table.c").write_text(f"static const int a[] = {{\n{lines}}}, b[] = {{\n{lines}}};\n")
    build_bundle(source, tmp_path / "bundle", BuildOptions(profile="keyword", jobs=1))
    result = run("verify", tmp_path / "bundle")
    assert (0, None) == (result.return_value, result.exception)
