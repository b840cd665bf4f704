"""What verbs write, and whom they contact, is what docs/guarantees.md says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from checkouts import commit, init, write
from processes import Run

from hardtack.bundle.packing import write_pack
from hardtack.cli.main import commands
from hardtack.store.publish import publish
from hardtack.store.sources.folder import Folder
from hardtack.store.sources.static import StaticSource

PAGE = (Path(__file__).parents[2] / "docs" / "guarantees.md").read_text(encoding="utf-8")

READERS = (
    *(
        "search jar",
        "explain jar",
        "define Jar",
        "function open_jar",
        "exports pantry.jar",
        "implementations Jar",
        "references open_jar",
    ),
    *(
        "callers open_jar",
        "similar pantry/jar.py:4",
        "grep jar",
        "cat pantry/jar.py",
        "ls",
        "map",
        "explore jar",
        "history pantry/jar.py",
        "diff .hardtack/bundle",
        "impact open_jar",
        "impact --diff ../shelf/one --format json",
        "diff .hardtack/bundle ../shelf/one --format json",
    ),
    *(
        "list",
        "status",
        "stats",
        "verify",
        "doctor",
        "completion bash",
        "serve --toolsets contract",
        "serve --toolsets contract --count-answers",
        "savings",
        "tool",
    ),
    *("search jar --as-built", "search jar -b ../shelf", "search jar -b ../published", "search jar --all-bundles"),
    *("catalogue ../published", "catalogue ../published jar"),
)
"""Every verb that writes nothing of its own, as they are called in the checkout."""

_CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "search_code", "arguments": {"query": "jar"}}}
_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
_ASKED = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    _CALL,
]
INPUT = "".join(json.dumps(each) + "\n" for each in _ASKED)
"""What a server is asked."""


def _verbs_in(text: str) -> set[str]:
    return set(re.findall(r"`([a-z]+)[^`]*`", text)) & set(commands.list_commands(None))  # type: ignore[arg-type]


WRITERS = _verbs_in(re.findall(r"^Only these verbs write elsewhere: (.+?)\. So do", PAGE, re.MULTILINE | re.DOTALL)[0])
CONTACTS = _verbs_in(re.findall(r"^Only these verbs contact anything, (.+?)\. A search", PAGE, re.MULTILINE | re.DOTALL)[0])


@pytest.fixture
def place(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout that differs from its bundle, a directory of bundles, a published one, and a home; the cache lies elsewhere."""
    root = tmp_path / "place"
    text = "class Jar:\n    pass\n\n\ndef open_jar():\n    return Jar()\n\n\nclass Tin(Jar):\n    lid = open_jar()\n"
    files = {"pantry/jar.py": text, "pantry/__init__.py": "", "pantry/lid.py": "", ".gitignore": ".hardtack\n"}
    commit(init(write(root / "checkout", files)))
    for name in ("home", "tmp"):
        (root / name).mkdir()
    monkeypatch.setenv("HARDTACK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HARDTACK_BUNDLE_PATH", str(root / "shelf"))
    monkeypatch.setenv("HOME", str(root / "home"))
    monkeypatch.setenv("TMPDIR", str(root / "tmp"))
    flags = ("--profile", "keyword", "--history", "5", "-j", "1", "--repository", "example.org/acme/pantry")
    assert 0 == run("build", root / "checkout", *flags).returncode
    bundle = root / "checkout" / ".hardtack" / "bundle"
    for name in ("one", "two"):
        shutil.copytree(bundle, root / "shelf" / name)
    publish(write_pack(bundle, tmp_path / "pantry.hardtack").path, StaticSource(Folder(root / "published")))
    (root / "checkout" / "pantry" / "lid.py").write_text("def close_jar():\n    return 0\n")
    return root


def _content(root: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in root.rglob("*")}


def _ran(line: str, place: Path, *before: str) -> subprocess.CompletedProcess[str]:
    command = [*before, sys.executable, "-P", "-m", "hardtack", *line.split()]
    return subprocess.run(command, cwd=place / "checkout", input=INPUT, capture_output=True, text=True, timeout=120, check=False)


def test_every_verb_is_one_that_the_page_says_writes_or_one_that_is_held_here_to_write_nothing() -> None:
    readers = {line.split()[0] for line in READERS}
    assert WRITERS | readers == set(commands.list_commands(None))  # type: ignore[arg-type]
    assert set() == WRITERS & readers
    assert "export" in WRITERS


def test_what_the_page_does_not_call_writing_keeps_what_it_keeps_in_the_cache_alone(place: Path, tmp_path: Path) -> None:
    before = _content(place)
    folders: dict[str, set[str]] = {}
    for line in READERS:
        shutil.rmtree(tmp_path / "cache" / "v1" / "catalogued", ignore_errors=True)
        known = {*(tmp_path / "cache").rglob("*")}
        done = _ran(line, place)
        assert (line, 0) == (line, done.returncode), done.stderr
        assert before == _content(place), line
        made = [path for path in (tmp_path / "cache").rglob("*") if path not in known and path.is_file()]
        folders[line] = {path.relative_to(tmp_path / "cache").parts[1] for path in made} - {"locks"}
    assert {"catalogued"} == folders["search jar -b ../shelf"]
    assert set() == folders["search jar -b ../published"] == folders["catalogue ../published"]
    assert {"counts"} == folders["serve --toolsets contract --count-answers"]
    assert {"overlays", "catalogued", "counts"} >= set().union(*folders.values()) >= {"overlays"}


def _traced(line: str, place: Path, log: Path) -> list[str]:
    """The addresses of networks that a verb and what it starts spoke to."""
    traced = ("strace", "-f", "-qq", "-s", "200", "-e", "trace=connect,sendto,sendmsg", "-o", str(log))
    _ran(line, place, *traced)
    return [call for call in log.read_text(errors="replace").splitlines() if "AF_INET" in call]


@pytest.mark.skipif(not shutil.which("strace"), reason="there is no strace")
def test_no_verb_contacts_anything_but_those_that_the_page_names_and_these_what_was_named(place: Path, tmp_path: Path) -> None:
    log = tmp_path / "strace.log"
    if subprocess.run(["strace", "-f", "-o", os.devnull, "true"], capture_output=True, check=False).returncode:
        pytest.skip("strace cannot run here")
    assert {"build", "pull", "publish", "install", "ci", "comment", "fleet", "catalogue"} == CONTACTS
    for line in (*READERS, "export --to ../tables", "page -o ../page", "pack -o ../packed.hardtack"):
        assert [] == _traced(line, place, log), line
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    Thread(target=server.serve_forever, daemon=True).start()
    spoken = _traced(f"catalogue http://127.0.0.1:{server.server_port}", place, log)
    server.shutdown()
    server.server_close()
    assert spoken
    assert {str(server.server_port)} == {port for call in spoken for port in re.findall(r"sin6?_port=htons\((\d+)\)", call)}
