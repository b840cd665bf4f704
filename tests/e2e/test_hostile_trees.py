"""Source trees that are made to do harm: what is built of them, and what is said of them, does none."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from checkouts import commit, git, init
from processes import Run

from hardtack.bundle.reader import open_bundle

NAMES = (
    *("::set-output name=digest::0", "::add-mask::e", "::error file=a,line=1::all is well", "##[set-env name=PATH]here"),
    *(
        "](javascript:alert(1))",
        "$(touch pwned)",
        "`touch pwned`",
        "; touch pwned #",
        "<img src=x onerror=alert(1)>",
        "--output=pwned",
    ),
    *(
        "\x1b[2J\x1b]8;;http:",
        "line\nfeed",
        "turned\u202ecp.exe",
        "tag\U000e0041",
        "|table|cell|",
        "-rf",
        "*",
        "~",
        "%0A::stop-commands::x",
    ),
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose names and configuration are attacks, and a file outside it that nobody may read."""
    root = tmp_path_factory.mktemp("hostile") / "tree"
    root.mkdir()
    (root.parent / "outside.py").write_text("never_to_be_indexed = 1\n")
    for number, name in enumerate(NAMES):
        (root / f"{name}.py").write_text(f"def innocent_{number}(): ...\n")
        (root / f"{name}.png").write_bytes(b"\0")
    (root / "link.py").symlink_to("../outside.py")
    (root / "loop").symlink_to(".")
    (root / "deep.json").write_text("[" * 60_000 + "]" * 60_000)
    (root / "deep.py").write_text("x = " + "(" * 20_000 + ")" * 20_000 + "\n")
    (root / "wide.js").write_text("a;" * 400_000)
    (root / "wide.txt").write_bytes("breit\n".encode("utf-16"))
    (root / "nul.py").write_bytes(b"x = 1\n\0")
    (root / "large.c").write_bytes(b"int x;\n" * 300_000)
    (root / "pattern.txt").write_text("a" * 50_000 + "!\n" + "eyJ" * 20_000)
    (root / ".gitattributes").write_text("*.py filter=evil diff=evil\n* text eol=crlf ident\n")
    commit(init(root))
    trap = root.parent / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {root.parent}/pwned\ncat\n")
    trap.chmod(0o755)
    (root.parent / "included").write_text(f"[core]\n\tfsmonitor = {trap}\n[diff]\n\texternal = {trap}\n")
    keys = ("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "core.pager", "core.sshCommand")
    for key, value in (
        *((key, str(trap)) for key in keys),
        ("core.hooksPath", str(root.parent)),
        ("include.path", str(root.parent / "included")),
    ):
        git(root, "config", key, value)
    os.utime(root / "deep.py")
    return root


@pytest.mark.parametrize("arguments", [[], ["--worktree"]], ids=["commit", "files"])
def test_what_is_said_of_a_hostile_tree_is_inert_and_nothing_of_it_is_run(
    tree: Path, tmp_path: Path, run: Run, arguments: list[str]
) -> None:
    done = run(
        "build", tree, "-o", tmp_path / "bundle", "--report", tmp_path / "report.json", "--profile", "keyword", "-v", *arguments
    )
    assert 0 == done.returncode, done.stderr
    said = done.stdout + done.stderr
    assert not [line for line in said.splitlines() if line.lstrip().startswith("::") or "##[" in line]
    assert "\x1b" not in said.replace("\x1b[K", "")
    assert not set("\u202e\U000e0041") & set(said)
    assert not list(tree.parent.glob("**/pwned*"))
    with open_bundle(tmp_path / "bundle") as bundle:
        paths = [file.path for file in bundle.files]
        texts = b"".join(bundle.text_of(file) for file in bundle.files)
    assert b"never_to_be_indexed" not in texts
    assert b"innocent_0" in texts
    assert not [path for path in paths if path.startswith(("/", "..")) or not path.isprintable()]
    reasons = {skip["path"]: skip["reason"] for skip in json.loads((tmp_path / "report.json").read_text())["skips"]}
    assert ("symlink", "binary", "too large") == (reasons["link.py"], reasons["nul.py"], reasons["large.c"])
    status = run("status", "-b", tmp_path / "bundle", "--checkout", tree)
    assert 0 == status.returncode
    assert not list(tree.parent.glob("**/pwned*"))


def test_ten_thousand_files_are_indexed_one_by_one(tmp_path: Path, run: Run) -> None:
    root = tmp_path / "tree"
    for number in range(10_000):
        place = root / f"d{number % 100}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"f{number}.txt").write_text(f"word{number}\n")
    done = run("build", root, "-o", tmp_path / "bundle", "--profile", "keyword", "--report", tmp_path / "report.json", timeout=300)
    assert 0 == done.returncode, done.stderr
    assert 10_000 == json.loads((tmp_path / "report.json").read_text())["files_indexed"]
