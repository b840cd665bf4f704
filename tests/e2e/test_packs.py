"""A pack is used as a bundle's directory is: by every verb, and by a server that outlives what becomes of the file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from mcp_servers import CALLS, wired

from hardtack.bundle.format import layout
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.packing import write_pack
from hardtack.cli.main import commands

VERBS = (
    *("search oldest jar", "search --mode vector --why jar", "explain jar", "define Shelf", "function open_shelf"),
    *("exports pantry.shelf", "implementations Printer", "references open_shelf", "callers open_shelf"),
    *("similar src/pantry/shelf.py:30", "grep class", "cat src/pantry/shelf.py:1-5", "ls src"),
)


@pytest.fixture(scope="module")
def pack(pantry_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pantry's pack; nothing may write to it."""
    return write_pack(pantry_bundle, tmp_path_factory.mktemp("packs") / "pantry.hardtack").path


@pytest.fixture
def own(pack: Path, tmp_path: Path) -> Path:
    (tmp_path / "pantry.hardtack").write_bytes(pack.read_bytes())
    return tmp_path / "pantry.hardtack"


def told(*arguments: str | Path) -> str:
    """What a verb prints, without how long it took; it must succeed."""
    done = CliRunner().invoke(commands, [*map(str, arguments)])
    assert done.exit_code == 0, done.output
    return re.sub(r" +[0-9.]+ ms", " ms", done.stdout)


@pytest.mark.parametrize("line", VERBS)
def test_every_verb_says_of_a_pack_what_it_says_of_the_directory(pantry_bundle: Path, pack: Path, line: str) -> None:
    verb, *rest = line.split()
    assert told(verb, "-b", pantry_bundle, *rest) == told(verb, "-b", pack, *rest).replace("pantry.hardtack", "pantry")


def test_packing_and_verifying_tell_both_digests(pantry_bundle: Path, pack: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    packed = json.loads(told("pack", pantry_bundle, "--json"))
    assert pack.read_bytes() == (tmp_path / "pantry.hardtack").read_bytes()
    assert {"schema", "path", "bytes", "pack_digest", "bundle_digest"} == packed.keys()
    verified = json.loads(told("verify", packed["path"], "--digest", packed["bundle_digest"], "--json"))
    assert (packed["bundle_digest"], packed["pack_digest"]) == (verified["digest"], verified["pack_digest"])
    assert packed["bundle_digest"] == read_manifest(pantry_bundle)[1]
    assert packed["pack_digest"] in told("verify", packed["path"])


def test_an_installed_bundle_is_packed_by_its_name_into_the_pack_it_came_in(pack: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HARDTACK_CACHE", str(tmp_path / "cache"))
    told("install", pack)
    told("pack", "pantry")
    assert pack.read_bytes() == (tmp_path / "pantry.hardtack").read_bytes()


def test_what_is_no_pack_and_a_pack_that_was_changed_leave_with_3(own: Path, tmp_path: Path) -> None:
    (tmp_path / "letter").write_bytes(b"dear reader")
    with own.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        last = file.read(1)[0]
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last ^ 1]))
    for path, sentence in ((tmp_path / "letter", "is not a Hardtack pack"), (own, "was changed")):
        for verb in ("verify", "grep"):
            command = [sys.executable, "-m", "hardtack", verb, "-b", str(path), *(["x"] if verb == "grep" else [])]
            done = subprocess.run(command, capture_output=True, text=True)
            assert (3, "") == (done.returncode, done.stdout)
            assert sentence in done.stderr


@pytest.mark.parametrize("place", ["pack", "installed"])
def test_what_a_pack_left_out_is_not_counted(pack: Path, tmp_path: Path, monkeypatch: Any, place: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HARDTACK_CACHE", str(tmp_path / "cache"))
    if place == "installed":
        told("install", pack)
    where = ("-b", str(pack)) if place == "pack" else ()
    counted = json.loads(told("verify", *where, "--json"))["bytes"]
    stats = json.loads(told("stats", *where, "--json"))
    assert layout.READINGS not in {member["name"] for member in stats["members"]}
    assert layout.READINGS not in told("stats", *where)
    (listed,) = json.loads(told("list", *where, "--json"))["bundles"]
    (index,) = json.loads(told("tool", "index_stats", *where, "--json", "{}"))
    status = json.loads(told("tool", "get_status", *where, "--json", "{}"))["statistics"]
    assert [counted] * 3 == [stats["bytes"], listed["bytes"], index["storage_size"]]
    assert status["index_size_mb"] == round(counted / (1 << 20), 2)
    if place == "installed":
        assert f" {counted} bytes" in told("doctor")


def comparable(value: Any) -> Any:
    """An answer less its times, and the sizes of what it comes from."""
    left_out = ("_ms", "_days", "_size", "_size_pretty", "_size_mb")
    if isinstance(value, dict):
        return {key: comparable(each) for key, each in value.items() if not key.endswith(left_out) and key != "timings"}
    return [comparable(each) for each in value] if isinstance(value, list) else value


def test_a_server_answers_from_a_pack_as_from_the_directory(pantry_bundle: Path, pack: Path) -> None:
    answers = []
    for place in (pantry_bundle, pack):
        with wired("-b", place) as wire:
            answers.append([comparable(wire.call(name, **given)) for name, given in CALLS.items()])
    assert answers[0] == answers[1]


def test_a_pack_that_shrinks_while_it_is_served_is_given_up_and_told(own: Path) -> None:
    with wired("-b", own) as wire:
        assert wire.call("search_code", query="oldest jar")["result"]
        os.truncate(own, 4096)
        found = wire.call("search", query="class Shelf")
        assert "BUNDLE" in found["error"]["code"]
        assert str(own.parent) not in json.dumps(found)
        assert wire.ask("ping")["result"] == {}
        wire.process.stdin.close()  # type: ignore[union-attr]
        assert wire.process.wait(20) == 0


def test_a_pack_that_is_deleted_goes_on_answering_and_one_that_replaces_it_takes_over(own: Path, bare_bundle: Path) -> None:
    with wired("-b", own) as wire:
        assert wire.call("search", query="class Shelf")["result"]
        own.unlink()
        assert wire.call("search", query="class Shel")["result"]
        write_pack(bare_bundle, own)
        assert wire.call("search", query="class Shelf")["error"]["code"] == "FILE_UNREADABLE"
