"""A server under bad input, many calls and rude clients goes on, or ends at once and quietly; it tells nothing of its machine."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_servers import Wire, wired
from processes import piped


@pytest.fixture
def bundle(pantry_bundle: Path, tmp_path: Path) -> Path:
    """A copy of the pantry's bundle that a test may change."""
    return Path(shutil.copytree(pantry_bundle, tmp_path / "bundles" / "pantry"))


@pytest.fixture(scope="module")
def wire(pantry_bundle: Path) -> Iterator[Wire]:
    with wired("-b", pantry_bundle) as made:
        yield made


def test_lines_that_are_no_messages_are_passed_over(pantry_bundle: Path) -> None:
    with wired("-b", pantry_bundle) as wire:
        for line in (
            b"",
            b"not json",
            b"[]",
            b"[1,2]",
            b"{}",
            b"null",
            b'"x"',
            b"\xff\xfe\x00",
            b'{"jsonrpc":"2.0"}',
            b"[" * 50_000,
        ):
            wire.write_line(line)
        wire.write_line(b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "search_code", "arguments": [1]}}')
        assert wire.answer_to(7)["error"]["code"] == -32602
        assert wire.ask("no/such/method")["error"]["code"] == -32601
        assert wire.call("search", query="class Shelf")["result"]


@pytest.mark.parametrize(
    ("tool", "given", "code"),
    [
        ("search_code", {"query": ""}, "QUERY_EMPTY"),
        ("search_code", {"query": "x" * 1_000_000}, "QUERY_TOO_LONG"),
        ("search_code", {"query": "a " * 100_000}, "QUERY_TOO_LONG"),
        ("search_code", {"query": "jar", "limit": 0}, "LIMIT_INVALID"),
        ("search_code", {"query": "jar", "limit": "ten"}, "INVALID_REQUEST"),
        ("search_code", {"query": "jar", "colour": "red"}, "INVALID_REQUEST"),
        ("search_code", {"query": "jar", "language": "klingon"}, "LANGUAGE_UNKNOWN"),
        ("search", {"query": "(a+)+$", "regex": True}, None),
        ("search", {"query": "(", "regex": True}, "REGEX_INVALID"),
        ("search", {"query": "jar", "limit": 10**9}, None),
        ("open_file", {"path": "../../etc/passwd"}, "PATH_OUT_OF_ROOT"),
        ("open_file", {"path": "/etc/passwd"}, "PATH_OUT_OF_ROOT"),
        ("open_file", {"path": "src/\0"}, "PATH_OUT_OF_ROOT"),
        ("open_file", {"path": "nowhere.py"}, "FILE_NOT_FOUND"),
    ],
)
def test_bad_arguments_have_their_codes(
    wire: Wire, pantry_bundle: Path, tool: str, given: dict[str, Any], code: str | None
) -> None:
    found = wire.call(tool, **given)
    assert found.get("error", {}).get("code") == code, found
    assert str(pantry_bundle.parent) not in json.dumps(found)
    assert wire.call("list_indexes")["result"]


def test_what_a_file_says_is_escaped_in_text(wire: Wire, pantry_bundle: Path) -> None:
    given = {"path": "odd/escapes.py", "start_line": 1, "end_line": 9}
    with wired("-b", pantry_bundle, "--toolsets", "default") as other:
        text = other.ask("tools/call", name="read", arguments=given)["result"]["content"][0]["text"]
    assert "hidden" in text
    assert not {"\x1b", "\u202e", "\U000e0041"} & set(text)
    found = wire.ask("tools/call", name="get_snippet", arguments=given)["result"]
    assert "\x1b" in json.dumps(found["structuredContent"], ensure_ascii=False).encode().decode("unicode_escape", "ignore")


def test_a_thousand_calls_at_once_are_all_answered(pantry_bundle: Path) -> None:
    with wired("-b", pantry_bundle, "--log-level", "error") as wire:
        words = ("jar", "shelf", "label", "oldest", "json")
        numbers = [
            wire.send("tools/call", name="search_code", arguments={"query": f"{words[n % 5]} {n}", "limit": 2}) for n in range(1000)
        ]
        answered: dict[int, bool] = {}
        while len(answered) < len(numbers):
            message = json.loads(piped(wire.process.stdout).readline())
            answered[message["id"]] = message["result"]["isError"]
        assert answered == dict.fromkeys(numbers, False)


def test_nobody_has_to_read_what_is_logged(pantry_bundle: Path) -> None:
    with wired("-b", pantry_bundle) as wire:
        for _ in range(1500):
            wire.call("no_such_tool")  # a line each, together more than a pipe holds
        assert wire.call("search", query="class Shelf")["result"]


def _close(process: subprocess.Popen[bytes]) -> None:
    piped(process.stdin).close()


def _signal(number: int) -> Callable[[subprocess.Popen[bytes]], None]:
    return lambda process: process.send_signal(number)


@pytest.mark.parametrize(
    ("end", "code"), [(_close, 0), (_signal(signal.SIGTERM), 0), (_signal(signal.SIGINT), 130)], ids=["EOF", "SIGTERM", "SIGINT"]
)
@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
def test_it_ends_at_once_and_quietly(
    pantry_bundle: Path, end: Callable[[subprocess.Popen[bytes]], None], code: int, *, busy: bool
) -> None:
    with wired("-b", pantry_bundle) as wire:
        wire.call("search_code", query="jar")
        if busy:
            for n in range(300):
                wire.send("tools/call", name="search_code", arguments={"query": f"oldest jar {n}"})
        begun = time.monotonic()
        end(wire.process)
        assert wire.process.wait(10) == code
        assert time.monotonic() - begun < 4
        assert {json.loads(line)["event"] for line in piped(wire.process.stderr).read().splitlines()} <= {
            "tool_called",
            "client_gone",
        }
        *lines, _cut = piped(wire.process.stdout).read().split(b"\n")
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in lines)


def test_a_client_that_goes_away_in_the_middle_of_an_answer_ends_it(pantry_bundle: Path) -> None:
    with wired("-b", pantry_bundle) as wire:
        for n in range(50):
            wire.send("tools/call", name="search_code", arguments={"query": f"jar {n}"})
        piped(wire.process.stdout).close()
        piped(wire.process.stdin).close()
        assert wire.process.wait(10) == 0
        assert b"Traceback" not in piped(wire.process.stderr).read()


def test_a_bundle_that_is_replaced_answers_from_the_new_one(bundle: Path, searcher: Any, pantry: Path, tmp_path: Path) -> None:
    from hardtack.build.pipeline import BuildOptions, build_bundle

    with wired("-b", bundle) as wire:
        assert wire.call("search", query="only in the new one")["result"] == []
        changed = Path(shutil.copytree(pantry, tmp_path / "changed", ignore=shutil.ignore_patterns(".git")))
        (changed / "new.py").write_text("# only in the new one\n")
        build_bundle(changed, bundle, BuildOptions(jobs=1))
        assert [row["path"] for row in wire.call("search", query="only in the new one")["result"]] == ["new.py"]


def test_a_bundle_that_is_deleted_goes_on_answering(bundle: Path) -> None:
    with wired("-b", bundle) as wire:
        before = wire.call("search_code", query="oldest jar")["result"]
        shutil.rmtree(bundle)
        after = wire.call("search_code", query="oldest jar ")["result"]
        assert [row.get("file_path") for row in after if "file_path" in row] == [
            row["file_path"] for row in before if "file_path" in row
        ]


def test_a_bundle_that_is_cut_is_given_up_and_told(bundle: Path) -> None:
    with wired("-b", bundle) as wire:
        assert wire.call("search_code", query="oldest jar")["result"]
        for member in bundle.iterdir():
            if member.is_file() and member.name != "manifest.json":
                with member.open("r+b") as file:
                    file.truncate(10)
        found = wire.call("search_code", query="another jar")
        assert found["error"]["code"] == "BUNDLE_INVALID"
        assert str(bundle.parent) not in json.dumps(found)
        assert wire.ask("ping")["result"] == {}


def test_a_bundle_that_is_installed_later_is_picked_up(pantry_bundle: Path, tmp_path: Path) -> None:
    import os

    installed = tmp_path / "installed"
    installed.mkdir()
    environment = {**os.environ, "HARDTACK_BUNDLE_PATH": str(installed)}
    with wired(env=environment, cwd=tmp_path) as wire:
        assert wire.call("list_indexes")["result"] == []
        assert wire.call("search_code", query="jar")["error"]["code"] == "INDEX_NOT_FOUND"
        shutil.copytree(pantry_bundle, tmp_path / "staged")
        (tmp_path / "staged").rename(installed / "late")
        assert wire.call("search_code", query="jar", index_name="late")["result"]
