"""``list``, ``status``, ``stats`` and ``clear``: the same numbers as the tools give."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkouts import commit, git, init, write
from command_line import run_or_raise as run
from own_work import made_own, users_cache

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.naming import OWN_PLACE, keep_name
from hardtack.bundle.reader import open_bundle
from hardtack.errors import BundleNotFound, UsageError
from hardtack.tools import tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import run as run_tool
from hardtack.tools.tool import Call


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The working directory has no bundle."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout whose bundle is two commits behind, with a changed and a deleted file; tests must not write into it."""
    root = tmp_path_factory.mktemp("built") / "jar"
    now = int(time.time())  # a bundle of today is not stale
    write(init(root), {f"{name}.py": f"def {name}():\n    return 1\n" for name in ("lid", "jar", "label")})
    commit(root, "one", time=now)
    build_bundle(root, None, BuildOptions(jobs=1))  # the copies of it are made the user's own
    (root / "lid.py").write_text("def lid():\n    return 2\n")
    (root / "label.py").unlink()
    git(root, "commit", "--quiet", "--all", "--message", "two", time=now)
    git(root, "commit", "--quiet", "--allow-empty", "--message", "three", time=now)
    return root


@pytest.fixture
def jar(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(built, tmp_path / "jar")
    made_own(tmp_path / "jar" / OWN_PLACE)
    monkeypatch.chdir(tmp_path / "jar")
    return tmp_path / "jar"


def test_bundles_at_hand_are_listed_with_commit_age_size_and_place(jar: Path, pantry_bundle: Path) -> None:
    result = run("list", "-b", str(pantry_bundle))
    heading, row = result.stdout.splitlines()
    assert ["name", "digest", "commit", "age", "size", "place"] == heading.split()
    assert row.startswith("pantry  sha256:")
    assert row.endswith(str(pantry_bundle))
    assert 0 == result.return_value


def test_the_list_as_json_has_what_the_table_shows(jar: Path) -> None:
    document = json.loads(run("list", "--json").stdout)
    (entry,) = document["bundles"]
    with open_bundle(jar / OWN_PLACE) as bundle:
        expected = {
            "name": "jar",
            "place": str(jar / OWN_PLACE),
            "digest": bundle.digest,
            "commit": bundle.manifest.provenance.commit,
            "bytes": sum(member.size for member in bundle.manifest.members),
            "files": 3,
            "is_stale": True,
            "staleness_days": 0,
        }
    assert ("hardtack.list/1", expected) == (document["schema"], {key: entry[key] for key in expected})


def test_the_list_and_the_tool_name_the_same_bundles(jar: Path, pantry_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(pantry_bundle, jar.parent / "roots" / "jar")
    shutil.copytree(pantry_bundle, jar.parent / "roots" / "pantry")
    monkeypatch.setenv("HARDTACK_BUNDLE_PATH", str(jar.parent / "roots"))
    listed = [(each["name"], each["digest"]) for each in json.loads(run("list", "--json").stdout)["bundles"]]
    catalog = Catalog(roots=[jar.parent / "roots"], starts=[jar], cache=users_cache)
    served = run_tool(tool_named("list_indexes"), Call(catalog=catalog), {}).structured["result"]
    assert [(each["name"], each["table_name"]) for each in served] == listed
    assert ["jar", "jar-2", "pantry"] == [name for name, _ in listed]


def test_a_bundle_that_cannot_be_read_says_why_in_the_list(jar: Path) -> None:
    os.truncate(jar / OWN_PLACE / "manifest.json", 10)
    lines = run("list", "-b", str(jar)).stdout.splitlines()
    assert f"jar   -       -       -    -     {jar / OWN_PLACE}" == lines[1]
    assert "manifest.json" in lines[2]
    assert "manifest.json" in json.loads(run("list", "-b", str(jar), "--json").stdout)["bundles"][0]["trouble"]
    assert "it is not one that you built there" in run("list").stderr


def test_where_there_is_no_bundle_the_list_says_how_to_build_one() -> None:
    result = run("list")
    assert (1, "") == (result.return_value, result.stdout)
    assert "Build one with: hardtack build SRC" in result.stderr
    assert {"schema": "hardtack.list/1", "bundles": []} == json.loads(run("list", "--json").stdout)


def test_the_status_says_how_far_the_bundle_is_from_its_directory(jar: Path) -> None:
    shown = run("status").stdout.splitlines()
    assert shown[0].startswith("jar  sha256:")
    assert f"  at        {jar / OWN_PLACE}, every byte verified" == shown[1]
    assert "  from      you: it was built here" == shown[2]
    assert shown[3].endswith(", 0 days old")
    assert "  search    by keyword and by meaning (static), with source text" == shown[4]
    assert shown[5].startswith(f"  checkout  {jar}, at ")
    assert shown[5].endswith(" on main")
    assert "  files     1 as indexed, 1 changed, 1 gone" == shown[6]
    assert "  over it   the working tree, which answers instead; files that differ: 2 (label.py, lid.py)" == shown[7]
    assert "2 commits behind the checkout's HEAD" in shown[8]
    assert 9 == len(shown)


def test_the_status_as_json_has_what_is_shown(jar: Path) -> None:
    document = json.loads(run("status", "--json").stdout)
    assert ("hardtack.status/1", "jar", "hashes", True) == tuple(document[key] for key in ("schema", "name", "check", "has_text"))
    assert {"keyword": True, "vector": True} == document["searches"]
    checkout = document["checkout"]
    assert (str(jar), "main", 2, False) == tuple(checkout[key] for key in ("path", "branch", "commits_behind", "diverged"))
    assert {"fresh": 1, "changed": 1, "deleted": 1, "unknown": 0, "untracked": 0} == checkout["files"]
    assert 1 == len(document["warnings"])


def test_the_status_of_another_bundle_is_held_against_the_checkout_that_is_named(
    jar: Path, pantry: Path, bare_bundle: Path
) -> None:
    document = json.loads(run("status", "--json", "-b", str(bare_bundle)).stdout)
    assert ("checkout" in document, document["has_text"]) == (False, False)
    assert {"keyword": True, "vector": False} == document["searches"]
    document = json.loads(run("status", "--json", "-b", str(bare_bundle), "--checkout", str(pantry)).stdout)
    assert (0, 0) == (document["checkout"]["commits_behind"], document["checkout"]["files"]["changed"])
    assert not document["is_stale"]


def test_without_a_bundle_there_is_no_status() -> None:
    with pytest.raises(BundleNotFound):
        run("status")


def test_the_verb_and_the_tool_tell_the_same_numbers(jar: Path) -> None:
    verb = json.loads(run("stats", "--json", "--failures").stdout)
    call = Call(catalog=Catalog(starts=[jar], cache=users_cache))
    tool = run_tool(tool_named("index_stats"), call, {"index_name": "jar", "include_failures": True}).structured
    assert (tool["symbols"], tool["parse_stats"]) == (verb["symbols"], verb["parse_stats"])
    assert (tool["file_count"], tool["chunk_count"]) == (verb["counts"]["files"], verb["counts"]["chunks"])
    assert (tool["storage_size"], tool["created_at"], tool["name"]) == (verb["bytes"], verb["created_at"], verb["name"])
    shown = run("stats").stdout
    assert "  symbols: function 3\n" in shown
    assert "  parsed: 100.0% of 3 source files without an error\n" in shown


def test_a_bundle_is_deleted_only_when_that_is_confirmed(jar: Path) -> None:
    with pytest.raises(UsageError, match="confirmed"):
        run("clear")
    assert (jar / OWN_PLACE / "manifest.json").is_file()
    result = run("clear", "--yes")
    assert (0, "", f"{jar / OWN_PLACE} was deleted.\n") == (result.return_value, result.stdout, result.stderr)
    assert {".git", "lid.py", "jar.py"} == set(os.listdir(jar))


@pytest.mark.parametrize("named", ["store.room", "name", "place"])
def test_a_bundle_is_deleted_by_its_name_or_its_place(jar: Path, named: str) -> None:
    keep_name((jar / OWN_PLACE).parent, "store.room")
    given = {"name": str(jar), "place": str(jar / OWN_PLACE)}.get(named, named)
    assert 0 == run("clear", given, "--yes").return_value
    assert not (jar / ".hardtack").exists()


def test_what_is_not_there_is_not_deleted(jar: Path) -> None:
    with pytest.raises(BundleNotFound):
        run("clear", "nope", "--yes")
    assert (jar / OWN_PLACE / "manifest.json").is_file()


def test_a_person_at_a_terminal_is_asked(jar: Path) -> None:
    for answer, code, is_there in (("n", 1, True), ("y", 0, False)):
        terminal, theirs = pty.openpty()
        os.write(terminal, f"{answer}\n".encode())
        command = [sys.executable, "-P", "-m", "hardtack", "clear"]
        done = subprocess.run(command, cwd=jar, stdin=theirs, capture_output=True, text=True, check=False)
        os.close(theirs)
        os.close(terminal)
        assert f"Delete the bundle at {jar / OWN_PLACE}? [y/N]" in done.stderr
        assert (code, is_there) == (done.returncode, (jar / OWN_PLACE).exists())
