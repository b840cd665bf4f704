"""The query half on a Python that has nothing of POSIX alone, as Windows' has not. CI runs more of it on Windows itself."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_servers import TOKEN, Wire, environment, event_of, started, talk, text_of
from processes import piped

PROGRAM = Path(__file__).parents[1] / "doubles" / "windows.py"
READING = (
    *(
        ["search", "jar"],
        ["search", "--mode", "keyword", "jar"],
        ["search", "--mode", "vector", "jar"],
        ["search", "--json", "jar"],
    ),
    *(["define", "Jar"], ["references", "Jar"], ["explain", "jar"], ["grep", "jar"], ["ls"], ["cat", "README.md"]),
    *(["tool", "search_code", "--json", '{"query": "jar"}'], ["tool", "open_file", "--json", '{"path": "README.md"}']),
    *(["explore", "jar"], ["stats"], ["verify"], ["list"]),
)


def here(arguments: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hardtack", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment(), check=False)


def there(arguments: Sequence[str | Path], temporary: Path) -> subprocess.CompletedProcess[str]:
    """The same with the encoding that a pipe has on Windows, and with a place of its own for temporary files."""
    settings = environment(PYTHONIOENCODING="cp1252", TMPDIR=str(temporary), TEMP=str(temporary))
    command = [sys.executable, PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=settings, check=False)


@pytest.mark.parametrize("verb", READING, ids=" ".join)
def test_what_reads_a_bundle_answers_the_same_without_posix(verb: list[str], pantry_bundle: Path, tmp_path: Path) -> None:
    arguments = [*verb, "-b", str(pantry_bundle)] if verb != ["list"] else verb
    expected, found = here(arguments), there(arguments, tmp_path)
    assert (expected.returncode, _timeless(expected.stdout)) == (found.returncode, _timeless(found.stdout)), found.stderr
    assert found.returncode == 0 or verb == ["list"]
    assert [] == [*tmp_path.iterdir()], "what was copied for an engine is gone"


def test_a_pack_is_made_and_read_without_posix(pantry_bundle: Path, tmp_path: Path) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    pack, twin = tmp_path / "pantry.hardtack", tmp_path / "twin.hardtack"
    assert 0 == here(["pack", "-b", pantry_bundle, "-o", twin]).returncode
    assert 0 == (made := there(["pack", "-b", pantry_bundle, "-o", pack], temporary)).returncode, made.stderr
    assert twin.read_bytes() == pack.read_bytes()
    for verb in (["search", "jar"], ["define", "Jar"]):
        expected, found = here([*verb, "-b", pantry_bundle]), there([*verb, "-b", pack], temporary)
        assert (0, _timeless(expected.stdout)) == (found.returncode, _timeless(found.stdout)), found.stderr
    assert [] == [*temporary.iterdir()]


def test_a_pack_is_installed_where_nothing_lies_yet_without_posix(pantry_bundle: Path, tmp_path: Path) -> None:
    pack, root = tmp_path / "pantry.hardtack", tmp_path / "root"
    (temporary := tmp_path / "temporary").mkdir()
    here(["pack", "-b", pantry_bundle, "-o", pack])
    done = there(["install", pack, "--into", root, "--as", "pantry"], temporary)
    assert 0 == done.returncode, done.stderr
    assert 0 == here(["verify", "-b", root / "pantry"]).returncode


def test_a_server_answers_without_posix(pantry_bundle: Path, tmp_path: Path) -> None:
    settings = environment(TMPDIR=str(tmp_path), TEMP=str(tmp_path))
    flags = ["--toolsets", "contract", "--output-schemas", "-b", str(pantry_bundle)]
    with started(command=[sys.executable, str(PROGRAM), "serve", *flags], env=settings) as process:
        wire = Wire(process)
        wire.open()
        found = wire.call("search_code", query="take the oldest jar", limit=1)
        assert [*tmp_path.iterdir()], "engines read copies there"
        piped(process.stdin).close()
        process.wait(60)
    assert [] == [*tmp_path.iterdir()]
    expected = here(
        ["tool", "search_code", "--structured", "--json", '{"query": "take the oldest jar", "limit": 1}', "-b", pantry_bundle]
    )
    assert json.loads(expected.stdout)["result"] == found["result"]


def test_a_server_answers_over_http_without_posix(pantry_bundle: Path) -> None:
    async def say(connected: Client) -> Any:
        return await connected.call_tool("read", {"path": "README.md"})

    command = [sys.executable, str(PROGRAM), "serve", "--http", "--port", "0", "-b", str(pantry_bundle)]
    with started(command=command, env=environment(HARDTACK_SERVE_TOKEN=TOKEN)) as process:
        answer = talk("http", event_of(process, "listening")["url"], "auto", say)
    assert "# Pantry" in text_of(answer.content[0])


def test_a_program_of_an_indexed_project_is_not_run_as_git() -> None:
    """Windows looks for programs in the current directory first, unless this variable is set."""
    told = "import hardtack.__main__, os; print(os.environ['NoDefaultCurrentDirectoryInExePath'])"
    assert b"1" == subprocess.check_output([sys.executable, "-c", told]).strip()


def _timeless(text: str) -> str:
    return re.sub(r'"duration_ms":\d+', '"duration_ms":0', re.sub(r" *[\d.]+ ms", "ms", text))
