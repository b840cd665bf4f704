"""Hits of changed files say where their lines stand now; the library, the command line and the tool say the same."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from checkouts import commit, git, init, write
from command_line import run_or_raise

import hardtack
from hardtack.bundle.naming import OWN_PLACE
from hardtack.errors import IntegrityError
from hardtack.query.checkout.worktree import count_untracked
from hardtack.render.text import freshness_shown
from hardtack.tools import tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import run as run_tool
from hardtack.tools.tool import Call

CODE = '''"""A shelf."""


def open_jar(jar):
    lid = jar.lid
    return lid.twist()


def close_jar(jar):
    jar.lid.press()
    return jar
'''


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A checkout with its bundle, and a second file in another encoding."""
    root = tmp_path / "shelf"
    root.mkdir()
    (root / "shelf.py").write_text(CODE)
    (root / "wide.py").write_bytes(CODE.replace("jar", "größe").encode("utf-16"))
    commit(init(root), "first")
    hardtack.build_bundle(root, options=hardtack.BuildOptions(profile="keyword", jobs=1))
    return root


def _places(shelf: Path, query: str, bundle: Path | None = None) -> list[tuple[str, str, int | None, int | None]]:
    with hardtack.open_bundle(bundle or shelf / ".hardtack" / "bundle", checkout=shelf) as searcher:
        hits = searcher.search(query, limit=20).hits
    return [(hit.path, hit.freshness, hit.current_start_line, hit.current_end_line) for hit in hits if hit.name == query]


@pytest.mark.parametrize("encoding", ["SHIFT-JIS", "UTF-16LE-BOM", "EUC-KR"])
def test_a_file_that_git_writes_in_another_encoding_is_fresh_until_its_text_changes(tmp_path: Path, encoding: str) -> None:
    codec = {"UTF-16LE-BOM": "utf-16"}.get(encoding, encoding)
    word = "함수" if encoding == "EUC-KR" else "関数"
    text = f"# {word}\n{CODE}"
    write(tmp_path, {".gitattributes": f"*.py working-tree-encoding={encoding}\n"})
    (tmp_path / "shelf.py").write_bytes(text.encode(codec))
    commit(init(tmp_path))
    hardtack.build_bundle(tmp_path, options=hardtack.BuildOptions(profile="keyword", jobs=1))
    assert [("shelf.py", "fresh", None, None)] == _places(tmp_path, "close_jar")
    (tmp_path / "shelf.py").write_bytes(text.replace("twist", "turn!").encode(codec))
    assert ["changed"] == [freshness for _, freshness, *_ in _places(tmp_path, "close_jar")]
    (tmp_path / "shelf.py").write_bytes(text.replace("twist", "turn!").encode())
    assert ["changed"] == [freshness for _, freshness, *_ in _places(tmp_path, "close_jar")]


@pytest.mark.parametrize("codec", ["cp932", "euc_jp", "cp1251"])
def test_a_file_that_git_keeps_in_another_encoding_is_fresh_and_its_lines_are_followed(tmp_path: Path, codec: str) -> None:
    comment = "# возвращает число товаров\n" if codec == "cp1251" else "# 在庫の数を返す\n"
    (tmp_path / "shelf.py").write_bytes((comment + CODE).encode(codec))
    commit(init(tmp_path))
    hardtack.build_bundle(tmp_path, options=hardtack.BuildOptions(profile="keyword", jobs=1))
    assert [("shelf.py", "fresh", None, None)] == _places(tmp_path, "close_jar")
    (tmp_path / "shelf.py").write_bytes((comment * 3 + CODE).encode(codec))
    assert [("shelf.py", "changed", 12, 14)] == _places(tmp_path, "close_jar")


def test_lines_that_moved_say_where_they_are_and_those_that_did_not_change_say_nothing(shelf: Path) -> None:
    assert [("shelf.py", "fresh", None, None)] == _places(shelf, "close_jar")
    (shelf / "shelf.py").write_text("import lids\n\n" + CODE)
    assert [("shelf.py", "changed", 11, 13)] == _places(shelf, "close_jar")


def test_lines_that_were_edited_have_no_place(shelf: Path) -> None:
    (shelf / "shelf.py").write_text("import lids\n\n" + CODE.replace("press()", "push()"))
    assert [("shelf.py", "changed", None, None)] == _places(shelf, "close_jar")
    assert [("shelf.py", "changed", 6, 8)] == _places(shelf, "open_jar")


def test_a_file_in_another_encoding_is_compared_as_text(shelf: Path) -> None:
    (shelf / "wide.py").write_bytes(("\n\n" + CODE.replace("jar", "größe")).encode("utf-16"))
    assert [("wide.py", "changed", 11, 13)] == _places(shelf, "close_größe")
    (shelf / "wide.py").write_bytes(b"\xff\xfe\x00")
    assert [("wide.py", "changed", None, None)] == _places(shelf, "close_größe")


def test_without_stored_text_git_is_asked_what_the_file_was(shelf: Path, tmp_path: Path) -> None:
    options = hardtack.BuildOptions(profile="keyword", text="none", jobs=1)
    hardtack.build_bundle(shelf, tmp_path / "bare", options)
    (shelf / "shelf.py").write_text("\n\n" + CODE)
    ((_, freshness, first, last),) = _places(shelf, "close_jar", tmp_path / "bare")
    assert ("changed", True) == (freshness, first is not None and last is not None)
    shutil.rmtree(shelf / ".git")
    assert [("shelf.py", "changed", None, None)] == _places(shelf, "close_jar", tmp_path / "bare")


@pytest.mark.parametrize("trap", ["link", "pipe", "directory", "gone", "huge"])
def test_what_is_no_readable_file_any_more_is_not_read(shelf: Path, tmp_path: Path, trap: str) -> None:
    place = shelf / "shelf.py"
    place.unlink()
    if trap == "link":
        (tmp_path / "elsewhere.py").write_text("\n" + CODE)
        place.symlink_to(tmp_path / "elsewhere.py")
    elif trap == "pipe":
        subprocess.run(["mkfifo", place], check=True)
    elif trap == "directory":
        place.mkdir()
    elif trap == "huge":
        place.write_bytes(b"\n" * (4 << 20) + CODE.encode())
    ((_, freshness, first, last),) = _places(shelf, "close_jar")
    assert (None, None) == (first, last)
    assert {"link": "unknown", "gone": "deleted"}.get(trap, "changed") == freshness


def test_the_command_line_and_the_tool_say_what_the_library_says(shelf: Path) -> None:
    (shelf / "shelf.py").write_text("import lids\n\n" + CODE)
    hits = json.loads(run_or_raise("search", "close_jar", "-b", shelf, "--checkout", shelf, "--as-built", "--json").stdout)["hits"]
    (hit,) = [hit for hit in hits if hit.get("name") == "close_jar"]
    assert ("changed", 11, 13) == (hit["freshness"], hit["current_start_line"], hit["current_end_line"])
    shown = run_or_raise("search", "close_jar", "-b", shelf, "--checkout", shelf, "--as-built").stdout
    assert "changed, now 11-13" in shown
    call = Call(catalog=Catalog(named=[str(shelf / OWN_PLACE)], checkout=shelf, as_built=True))
    results = run_tool(tool_named("search_code"), call, {"query": "close_jar"}).structured["result"]
    (result,) = [result for result in results if result.get("symbol_name") == "close_jar"]
    assert (11, 13) == (result["current_start_line"], result["current_end_line"])
    assert result["current_end_line"] - result["current_start_line"] == result["end_line"] - result["start_line"]


def test_the_status_counts_what_changed_what_is_gone_and_what_is_new(shelf: Path) -> None:
    (shelf / "shelf.py").write_text("\n" + CODE)
    (shelf / "wide.py").unlink()
    (shelf / "new.py").write_text("x = 1\n")
    (shelf / ".gitignore").write_text("*.log\n")
    (shelf / "a.log").write_text("")
    git(shelf, "commit", "--quiet", "--allow-empty", "-m", "second")
    document = json.loads(run_or_raise("status", "-b", shelf, "--json").stdout)
    assert "hashes" == document["check"]
    counts = {"fresh": 0, "changed": 1, "deleted": 1, "unknown": 0, "untracked": 2}
    assert counts == document["checkout"]["files"]
    assert (1, 0, False) == tuple(document["checkout"][key] for key in ("commits_behind", "commits_ahead", "diverged"))
    assert "1 changed, 1 gone, 2 untracked" in run_or_raise("status", "-b", shelf).stdout
    fast = run_or_raise("status", "-b", shelf, "--fast").stdout
    assert "sizes verified, its bytes not (--fast)" in fast
    call = Call(catalog=Catalog(named=[str(shelf / OWN_PLACE)], checkout=shelf))
    compared = run_tool(tool_named("get_status"), call, {}).structured["checkout"]
    del counts["untracked"]  # a server starts no program to answer a call
    assert counts == {key: compared[key] for key in counts}
    assert "untracked" not in compared
    assert (1, 0, False) == tuple(compared[key] for key in ("commits_behind", "commits_ahead", "diverged"))


def test_a_bundle_with_a_changed_byte_is_found_out_by_the_status_and_not_by_its_fast_one(shelf: Path) -> None:
    member = shelf / ".hardtack" / "bundle" / "words.postings"
    data = bytearray(member.read_bytes())
    data[-1] ^= 1
    member.write_bytes(data)
    with pytest.raises(IntegrityError):
        run_or_raise("status", "-b", shelf)
    run_or_raise("status", "-b", shelf, "--fast")


def test_in_a_directory_without_git_nothing_is_said_of_untracked_files(shelf: Path) -> None:
    shutil.rmtree(shelf / ".git")
    with hardtack.open_bundle(shelf / ".hardtack" / "bundle") as searcher:
        assert None is count_untracked(searcher.bundle, shelf)


def test_a_hit_that_is_fresh_or_unknown_has_nothing_to_say(shelf: Path) -> None:
    with hardtack.open_bundle(shelf / ".hardtack" / "bundle") as searcher:
        assert [""] == [freshness_shown(hit) for hit in searcher.search("close_jar").hits if hit.name == "close_jar"][:1]
