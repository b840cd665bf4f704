"""The working tree over a pulled bundle, as an agent and a person meet it: each answer is of the tree as it is at that moment."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from checkouts import commit, git, init, write
from mcp_servers import Wire, environment, wired

FILES = {
    "shelf/jar.py": 'def close(jar):\n    """Close a jar."""\n    return seal(jar)\n\n\ndef seal(jar):\n    return jar\n',
    "shelf/lid.py": "from shelf.jar import close\n\n\ndef put(jar):\n    return close(jar)\n",
    "shelf/wide.py": "WIDTH = 3\n",
    "README.md": "# Shelves\n\nHow jars are put.\n",
}
REPOSITORY = "example.org/pantry/shelf"


def hardtack(at: Path, *arguments: object, cache: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hardtack", *map(str, arguments)]
    given = environment(HARDTACK_CACHE=str(cache), **variables)
    return subprocess.run(command, cwd=at, env=given, capture_output=True, text=True, check=False)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def tree(tmp_path: Path, cache: Path) -> Path:
    """A checkout whose bundle was published elsewhere, for the commit before, and pulled here."""
    origin = init(write(tmp_path / "origin", FILES))
    git(origin, "remote", "add", "origin", f"https://{REPOSITORY}.git")
    indexed = commit(origin)
    shelf = tmp_path / "shelf-of-bundles"
    for command in (
        ["build", ".", "-o", tmp_path / "made", "-q"],
        ["publish", tmp_path / "made", "--to", shelf, "--ref", "main"],
    ):
        done = hardtack(origin, *command, cache=tmp_path / "theirs")
        assert 0 == done.returncode, done.stderr
    tree = tmp_path / "tree"
    git(tmp_path, "clone", "--quiet", origin, tree)
    git(tree, "remote", "set-url", "origin", f"https://{REPOSITORY}.git")
    done = hardtack(tree, "pull", "--from", shelf, "--commit", indexed, cache=cache)
    assert 0 == done.returncode, done.stderr
    return tree


@pytest.fixture
def agent(tree: Path, cache: Path) -> Iterator[Wire]:
    with wired("--toolsets", "all", cwd=tree, env=environment(HARDTACK_CACHE=str(cache))) as wire:
        yield wire


def asked(agent: Wire, tool: str, **arguments: Any) -> str:
    """The text of an answer."""
    result = agent.ask("tools/call", name=tool, arguments=arguments)["result"]
    assert not result["isError"], result
    return str(result["content"][0]["text"])


def test_an_agent_that_edits_renames_commits_and_switches_branches_is_answered_right_at_each_step(agent: Wire, tree: Path) -> None:
    said = asked(agent, "usages", name="close")
    assert "shelf/lid.py" in said and "Note: " not in said

    write(tree, {"shelf/jar.py": FILES["shelf/jar.py"] + "\n\ndef shut(jar):\n    return close(jar)\n"})
    said = asked(agent, "usages", name="close")
    assert "`shut`" in said and "shelf/lid.py" in said
    assert "Note: this is of the working tree: 1 file differs from the bundle pantry-shelf of " in said

    for path in ("shelf/jar.py", "shelf/lid.py"):
        write(tree, {path: (tree / path).read_text().replace("close", "fasten")})
    assert "`put`" in asked(agent, "usages", name="fasten")
    assert "def fasten(jar)" in asked(agent, "symbol", name="fasten")
    gone = agent.ask("tools/call", name="symbol", arguments={"name": "close"})["result"]
    assert "def close" not in gone["content"][0]["text"]

    commit(tree, "fasten")
    said = asked(agent, "usages", name="fasten")
    assert "`put`" in said and "2 files differ" in said

    git(tree, "checkout", "--quiet", "-b", "other", "HEAD~1")
    said = asked(agent, "usages", name="close")
    assert "`put`" in said and "`shut`" not in said and "Note: " not in said

    git(tree, "checkout", "--quiet", "main")
    assert "`put`" in asked(agent, "usages", name="fasten")


def test_what_was_edited_is_marked_and_what_was_not_is_not(agent: Wire, tree: Path) -> None:
    write(tree, {"shelf/jar.py": FILES["shelf/jar.py"].replace("seal", "press")})
    hits = agent.call("search_code", query="close jar")["result"]
    marks = {hit["file_path"]: hit["freshness"] for hit in hits if "file_path" in hit}
    assert "edited" == marks["shelf/jar.py"]
    assert {"unknown"} == {mark for path, mark in marks.items() if path != "shelf/jar.py"}
    assert "press" in next(hit["content"] for hit in hits if hit.get("file_path") == "shelf/jar.py")
    assert "files that differ: 1" in agent.call("get_status")["message"]


def test_the_server_says_why_it_cannot_answer_for_the_tree(agent: Wire, tree: Path) -> None:
    write(tree, {f"many/{number}.py": "" for number in range(501)})
    said = asked(agent, "read", path="shelf/jar.py")
    assert "501 files changed; this is of the bundle: more than 500 files differ." in said
    shutil.rmtree(tree / "many")
    assert "Note: " not in asked(agent, "read", path="shelf/jar.py")


VERBS: Mapping[str, tuple[object, ...]] = {
    "search": ("search", "close", "--json"),
    "grep": ("grep", "press|jar", "--json"),
    "cat": ("cat", "shelf/jar.py"),
    "ls": ("ls", "--json"),
    "define": ("define", "press", "--json"),
    "function": ("function", "close", "--json"),
    "references": ("references", "close", "--json"),
    "callers": ("callers", "press", "--json"),
    "exports": ("exports", "shelf", "--json"),
    "explore": ("explore", "who calls press"),
    "map": ("map",),
    "similar": ("similar", "shelf/jar.py:3", "--json"),
    "tool": ("tool", "open_file", "--json", '{"path": "shelf/new.py"}'),
}


def _answer(text: str) -> Any:
    """An answer without what names the bundle, the time, and what is said of the tree."""
    text = re.sub("hardtack://[^/]+/", "hardtack:///", text)
    if not text.startswith("{"):
        return text
    found = json.loads(text)
    for key in ("bundle", "moved_on", "meta"):
        found.pop(key, None)
    for hit in found.get("hits", ()):
        hit.pop("freshness", None)
    return found


def test_every_verb_answers_as_over_a_bundle_of_the_edited_tree(tree: Path, cache: Path, tmp_path: Path) -> None:
    write(
        tree, {"shelf/jar.py": FILES["shelf/jar.py"].replace("seal", "press"), "shelf/new.py": "def wipe(jar):\n    return jar\n"}
    )
    git(tree, "mv", "shelf/wide.py", "shelf/width.py")
    (tree / "README.md").unlink()
    whole = tmp_path / "whole"
    assert 0 == hardtack(tree, "build", ".", "--worktree", "-o", whole, "-q", cache=cache).returncode
    for verb, arguments in VERBS.items():
        over = hardtack(tree, *arguments, cache=cache)
        expected = hardtack(tree, *arguments, "-b", whole, cache=cache, HARDTACK_AS_BUILT="1")
        assert (expected.returncode, _answer(expected.stdout)) == (over.returncode, _answer(over.stdout)), verb
        told = over.stderr + over.stdout
        assert "this is of the working tree: 5 files differ" in told or '"is_laid_over"' in told, verb


def test_as_built_the_bundle_answers(tree: Path, cache: Path) -> None:
    write(tree, {"shelf/jar.py": "def other():\n    return 1\n"})
    for arguments, variables in ((("--as-built",), {}), ((), {"HARDTACK_AS_BUILT": "1"})):
        done = hardtack(tree, "function", "close", *arguments, cache=cache, **variables)
        assert 0 == done.returncode, done.stderr
        done = hardtack(tree, "cat", "shelf/jar.py", *arguments, cache=cache, **variables)
        assert FILES["shelf/jar.py"] == done.stdout
    assert "other" in hardtack(tree, "cat", "shelf/jar.py", cache=cache).stdout


def test_the_status_tells_what_lies_over_it_or_why_nothing_does(tree: Path, cache: Path) -> None:
    assert "over it" not in hardtack(tree, "status", cache=cache).stdout
    write(tree, {"shelf/wide.py": "WIDTH = 4\n"})
    status = hardtack(tree, "status", cache=cache).stdout
    assert "over it   the working tree, which answers instead; files that differ: 1 (shelf/wide.py)" in status
    document = json.loads(hardtack(tree, "status", "--json", cache=cache).stdout)
    assert (True, ["shelf/wide.py"]) == (document["working_tree"]["is_laid_over"], document["working_tree"]["changed_paths"])
    git(tree, "sparse-checkout", "set", "nothing")
    status = hardtack(tree, "status", cache=cache).stdout
    assert "over it   nothing, since the checkout is sparse: files that git tracks are not on the disk" in status


def test_a_checkout_of_another_repository_is_not_laid_over(tree: Path, cache: Path, tmp_path: Path) -> None:
    other = init(write(tmp_path / "other", {"a.py": "def unrelated():\n    pass\n"}))
    git(other, "remote", "add", "origin", "https://example.org/other/thing.git")
    commit(other)
    done = hardtack(other, "function", "close", "-b", REPOSITORY, cache=cache)
    assert (0, "") == (done.returncode, done.stderr)
    assert 1 == hardtack(other, "function", "unrelated", "-b", REPOSITORY, cache=cache).returncode


def test_an_edited_tree_is_answered_for_where_nothing_can_be_written_but_temporary_files(
    tree: Path, cache: Path, tmp_path: Path
) -> None:
    write(tree, {"shelf/jar.py": "def other():\n    return 1\n"})
    (temporary := tmp_path / "temporary").mkdir()
    before = _listed(tree, cache)
    (cache / "v1").rename(tmp_path / "kept")
    (cache / "v1").symlink_to(tmp_path / "kept")  # a cache that is refused
    done = hardtack(
        tree, "function", "other", "-b", next((tmp_path / "kept" / "bundles").iterdir()), cache=cache, TMPDIR=str(temporary)
    )
    assert 0 == done.returncode, done.stderr
    assert [] == [*temporary.iterdir()]
    (cache / "v1").unlink()
    (tmp_path / "kept").rename(cache / "v1")
    assert before == _listed(tree, cache)


def _listed(*directories: Path) -> list[str]:
    return sorted(os.path.join(place, name) for top in directories for place, _, names in os.walk(top) for name in names)
