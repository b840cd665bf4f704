"""``index_codebase`` and ``clear_index``: bundles built, replaced, named and deleted on request, by real processes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from checkouts import commit, git, init
from own_work import made_own, users_cache
from tool_calls import outcome_of

from hardtack.build.pipeline import AUTO, NO_BASE, BuildOptions, build_bundle
from hardtack.build.source.tree import SourceOptions
from hardtack.bundle.naming import OWN_PLACE
from hardtack.cli.building import build_by_process
from hardtack.errors import UsageError
from hardtack.store.own import claim
from hardtack.tools import tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import Outcome
from hardtack.tools.tool import Call


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    """A directory of three source files, one of them a test."""
    source = tmp_path / "my-jar"
    (source / "tests").mkdir(parents=True)
    (source / "lid.py").write_text("def close_lid():\n    return 1\n")
    (source / "jar.py").write_text("def fill_jar():\n    return 2\n")
    (source / "tests" / "test_lid.py").write_text("def test_lid():\n    assert close_lid()\n")
    return source


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    """The catalog of a server that was started where nothing is indexed."""
    (tmp_path / "elsewhere").mkdir()
    return Catalog(starts=[tmp_path / "elsewhere"])


def _build(call: Call, source: Path, *, tests: bool = True, vendor: bool = False, anew: bool = False) -> None:
    """Builds in this process, for the tests that are not about the process."""
    options = BuildOptions(jobs=1, source=SourceOptions(tests=tests, vendor=vendor), base=NO_BASE if anew else AUTO)
    build_bundle(source, None, options)


def _run(catalog: Catalog, name: str, **arguments: Any) -> Outcome:
    """The outcome of a call, checked against the schema of the tool."""
    return outcome_of(Call(catalog=catalog, build=_build), name, **arguments)


def _stats(added: int, removed: int, updated: int) -> dict[str, int]:
    return {"files_added": added, "files_removed": removed, "files_updated": updated}


def test_a_directory_is_indexed_and_served_at_once(catalog: Catalog, jar: Path) -> None:
    outcome = outcome_of(Call(catalog=catalog, build=build_by_process), "index_codebase", path=str(jar))
    expected = {"success": True, "index_name": "my-jar", "path": str(jar), "stats": _stats(3, 0, 0)}
    assert expected == outcome.structured == json.loads(outcome.text)
    assert list(expected) == list(outcome.structured)
    with catalog.searcher("my-jar") as searcher:
        assert "lid.py" == searcher.search("close_lid").hits[0].path


def test_what_changed_is_counted_against_the_index_that_was_there(catalog: Catalog, jar: Path) -> None:
    _run(catalog, "index_codebase", path=str(jar))
    (jar / "lid.py").write_text("def close_lid():\n    return 3\n")
    (jar / "jar.py").unlink()
    (jar / "label.py").write_text("label = 1\n")
    assert _stats(1, 1, 1) == _run(catalog, "index_codebase", path=str(jar)).structured["stats"]
    with catalog.searcher() as searcher:
        assert {"label.py", "lid.py", "tests/test_lid.py"} == {file.path for file in searcher.bundle.files}


def test_an_index_that_cannot_be_read_is_replaced(catalog: Catalog, jar: Path) -> None:
    _run(catalog, "index_codebase", path=str(jar))
    os.truncate(jar / OWN_PLACE / "chunks.msgpack", 10)
    fresh = Catalog(starts=[jar])
    assert _stats(3, 0, 0) == _run(fresh, "index_codebase", path=str(jar)).structured["stats"]


def test_tests_are_left_out_when_that_is_asked(catalog: Catalog, jar: Path) -> None:
    call = Call(catalog=catalog, build=build_by_process)
    assert _stats(2, 0, 0) == outcome_of(call, "index_codebase", path=str(jar), include_tests=False).structured["stats"]


def test_the_commit_that_is_indexed_already_is_not_built_again_unless_forced(catalog: Catalog, jar: Path) -> None:
    commit(init(jar))
    built: list[Path] = []

    def build(call: Call, source: Path, *, tests: bool = True, vendor: bool = False, anew: bool = False) -> None:
        built.append(source)
        _build(call, source, tests=tests, vendor=vendor, anew=anew)

    call = Call(catalog=catalog, build=build)
    for arguments, builds in (({}, 1), ({}, 1), ({"include_tests": False}, 2), ({"include_tests": False}, 2), ({}, 3)):
        outcome = outcome_of(call, "index_codebase", path=str(jar), **arguments)
        assert builds == len(built)
    assert _stats(1, 0, 0) == outcome.structured["stats"]
    assert "hint" in outcome_of(call, "index_codebase", path=str(jar)).structured
    outcome_of(call, "index_codebase", path=str(jar), force_reindex=True)
    git(jar, "commit", "--quiet", "--allow-empty", "--message", "y")
    assert "hint" not in outcome_of(call, "index_codebase", path=str(jar)).structured
    assert 5 == len(built)


def test_a_name_that_is_given_stays_after_a_restart(catalog: Catalog, jar: Path) -> None:
    assert "store.room" == _run(catalog, "index_codebase", path=str(jar), index_name="store.room").structured["index_name"]
    assert ["store.room"] == [entry.name for entry in catalog.entries()]
    made_own(jar / OWN_PLACE)
    assert ["store.room"] == [entry.name for entry in Catalog(starts=[jar], cache=users_cache).entries()]
    assert "store.room" == _run(catalog, "index_codebase", path=str(jar)).structured["index_name"]
    assert "other" == _run(catalog, "index_codebase", path=str(jar), index_name="other").structured["index_name"]
    assert ["other"] == [entry.name for entry in catalog.entries()]


def test_a_name_that_another_index_has_is_refused_before_anything_is_built(catalog: Catalog, jar: Path, tmp_path: Path) -> None:
    _run(catalog, "index_codebase", path=str(jar))
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "a.py").write_text("a = 1\n")
    error = _run(catalog, "index_codebase", path=str(tmp_path / "second"), index_name="my-jar").structured["error"]
    assert ("INVALID_REQUEST", {"param": "index_name", "reason": "taken"}) == (error["code"], error["details"])
    assert ["a.py"] == os.listdir(tmp_path / "second")


@pytest.mark.parametrize("name", ["", "a b", "../x", "é", "x" * 256, ".."])
def test_what_cannot_be_a_name_is_refused(catalog: Catalog, jar: Path, name: str) -> None:
    error = _run(catalog, "index_codebase", path=str(jar), index_name=name).structured["error"]
    assert ("INVALID_REQUEST", "index_name") == (error["code"], error["details"]["param"])


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/invalid/path", "Failed to index codebase: Path does not exist: /invalid/path"),
        ("/etc/passwd", "Failed to index codebase: Path is not a directory: /etc/passwd"),
        ("/a\x00b", "Failed to index codebase: Path does not exist: /a\x00b"),
        ("x" * 900, f"Failed to index codebase: Path does not exist: {'x' * 900}"),
    ],
)
def test_a_path_that_is_no_directory_is_refused_in_the_seeds_words(catalog: Catalog, path: str, said: str) -> None:
    error = _run(catalog, "index_codebase", path=path).structured["error"]
    assert ("INVALID_REQUEST", said, path) == (error["code"], error["message"], error["details"]["path"])


def test_an_empty_path_is_refused(catalog: Catalog) -> None:
    assert "PATH_EMPTY" == _run(catalog, "index_codebase", path=" ").structured["error"]["code"]


def test_a_directory_without_source_leaves_no_trace(catalog: Catalog, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    call = Call(catalog=catalog, build=build_by_process)
    error = outcome_of(call, "index_codebase", path=str(tmp_path / "empty")).structured["error"]
    assert ("NOTHING_INDEXED", True) == (error["code"], error["message"].startswith("Failed to index codebase: "))
    assert str(tmp_path) not in error["message"]
    assert [] == os.listdir(tmp_path / "empty")


def test_a_directory_that_is_being_built_is_not_built_twice(catalog: Catalog, jar: Path) -> None:
    with claim(jar):
        error = _run(catalog, "index_codebase", path=str(jar)).structured["error"]
    assert "BUILD_IN_PROGRESS" == error["code"]
    assert str(jar) not in json.dumps(error)


def test_two_calls_at_once_build_once(catalog: Catalog, jar: Path) -> None:
    outcomes: list[Outcome] = []
    threads = [threading.Thread(target=lambda: outcomes.append(_run(catalog, "index_codebase", path=str(jar)))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [False, True] == sorted(outcome.error is not None for outcome in outcomes)
    (refused,) = (outcome.structured["error"]["code"] for outcome in outcomes if outcome.error)
    assert "BUILD_IN_PROGRESS" == refused


class _Gone(BaseException):
    """The caller has cancelled."""


def _processes_below(jar: Path) -> list[str]:
    """Command lines of processes that build that directory."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if str(jar) in line:
            found.append(line)
    return found


def test_a_build_that_nobody_waits_for_ends_and_leaves_the_old_index(catalog: Catalog, jar: Path) -> None:
    _run(catalog, "index_codebase", path=str(jar))
    before = (jar / OWN_PLACE / "manifest.json").read_bytes()
    for number in range(200):
        (jar / f"shelf{number}.py").write_text(f"def shelf{number}():\n    return {number}\n" * 20)
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1
        if list((jar / ".hardtack").glob(".hardtack-staging-*")):
            raise _Gone

    with pytest.raises(_Gone):
        outcome_of(Call(catalog=catalog, build=build_by_process, check=check), "index_codebase", path=str(jar))
    assert looks > 1
    assert [] == _processes_below(jar)
    kept = {".hardtack-journal-bundle"}  # the checkpoint for the next build, if the build had begun one
    assert {".gitignore", "bundle"} == set(os.listdir(jar / ".hardtack")) - kept
    assert before == (jar / OWN_PLACE / "manifest.json").read_bytes()
    assert "my-jar" == catalog.entry().name


def test_progress_is_told_in_files(catalog: Catalog, jar: Path) -> None:
    for number in range(300):
        (jar / f"shelf{number}.py").write_text(f"def shelf{number}():\n    return {number}\n" * 25)
    told: list[tuple[float, float | None, str]] = []
    call = Call(catalog=catalog, build=build_by_process, report=lambda *progress: told.append(progress))
    stats = outcome_of(call, "index_codebase", path=str(jar)).structured["stats"]
    assert 303 == stats["files_added"]
    assert told
    assert sorted(told) == told
    assert all((done, None, f"{done} files indexed") == (done, total, what) and 0 < done <= 303 for done, total, what in told)


_SERVER = """
import sys
from pathlib import Path
from hardtack.cli.building import build_by_process
from hardtack.tools.catalog import Catalog
from hardtack.tools.tool import Call
build_by_process(Call(catalog=Catalog()), Path(sys.argv[1]))
"""


def test_a_build_ends_with_the_server_that_wanted_it_however_that_ends(jar: Path) -> None:
    for number in range(2000):
        (jar / f"shelf{number}.py").write_text(f"def shelf{number}():\n    return {number}\n" * 50)
    server = subprocess.Popen([sys.executable, "-c", _SERVER, str(jar)])
    deadline = time.monotonic() + 30
    while not list(jar.glob(".hardtack/.hardtack-staging-*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    server.kill()
    server.wait()
    while _processes_below(jar) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [] == _processes_below(jar)
    assert not (jar / OWN_PLACE).exists()


# -- clear_index ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", " "])
def test_a_blank_deletes_nothing(catalog: Catalog, jar: Path, name: str) -> None:
    assert _run(catalog, "index_codebase", path=str(jar)).structured["success"]
    error = _run(catalog, "clear_index", index_name=name).structured["error"]
    assert ("INVALID_REQUEST", "index_name") == (error["code"], error["details"]["param"])
    assert catalog.entries()


def test_a_cleared_index_is_gone_from_the_disk_and_from_the_server(catalog: Catalog, jar: Path) -> None:
    _run(catalog, "index_codebase", path=str(jar), index_name="store.room")
    outcome = _run(catalog, "clear_index", index_name="store.room")
    assert {"success": True, "message": "Index 'store.room' cleared successfully"} == outcome.structured
    assert {"jar.py", "lid.py", "tests"} == set(os.listdir(jar))
    assert [] == catalog.entries()
    assert "INDEX_NOT_FOUND" == _run(catalog, "clear_index", index_name="store.room").structured["error"]["code"]


def test_clearing_what_was_only_named_is_refused_and_it_is_served_on(pantry_bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(pantry_bundle, tmp_path / "copy")
    catalog = Catalog(named=[str(tmp_path / "copy")])
    outcome = _run(catalog, "clear_index", index_name="copy")
    assert "POLICY_REFUSED" == outcome.structured["error"]["code"]
    assert str(tmp_path) not in outcome.text
    assert ["copy"] == [entry.name for entry in catalog.entries()]
    assert (tmp_path / "copy" / "manifest.json").is_file()


def test_an_installed_index_can_be_cleared(pantry_bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(pantry_bundle, tmp_path / "roots" / "pantry")
    catalog = Catalog(roots=[tmp_path / "roots"])
    with catalog.searcher("pantry") as searcher:
        assert not _run(catalog, "clear_index", index_name="pantry").error
        assert searcher.search("ShelfFull").hits  # a call goes on with the bundle it began with
    assert [] == catalog.entries()
    assert [] == os.listdir(tmp_path / "roots")


@pytest.mark.parametrize("name", ["index_codebase", "clear_index"])
def test_what_changes_bundles_is_no_tool_unless_that_was_allowed(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        tool_named(name)
    assert "TOOL_NOT_FOUND" == caught.value.code
    tool = tool_named(name, allow_build=True)
    assert (False, name == "clear_index") == (tool.is_read_only, tool.is_destructive)
