"""The command line in odd surroundings: closed or full streams, other locales, no home, no working directory, an interrupt."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkouts import Checkout
from own_work import users_cache

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.store.built import BuiltHere

_HARDTACK = [sys.executable, "-P", "-m", "hardtack"]


@pytest.fixture(scope="module")
def jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with a bundle, and names that are no ASCII."""
    made = Checkout(tmp_path_factory.mktemp("jars") / "jar").init()
    made.commit({"grün/deckel.py": "def öffne():\n    return 'ü'\n", "lid.py": "def close_lid():\n    return 1\n"})
    build_bundle(made.root, None, BuildOptions(jobs=1, profile="keyword"), own=BuiltHere(users_cache))
    return made.root


def _shell(line: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a line of sh in which ``hardtack`` is this command line."""
    program = " ".join(_HARDTACK)
    script = f'hardtack() {{ {program} "$@"; }}; {line}'
    return subprocess.run(
        ["sh", "-c", script], cwd=cwd, env=os.environ | variables, capture_output=True, encoding="utf-8", timeout=60, check=False
    )


@pytest.mark.parametrize("verb", ["search close_lid", "grep return", "cat lid.py", "ls", "status", "stats", "search --help"])
def test_a_full_disk_is_said_and_is_5(jar: Path, verb: str) -> None:
    done = _shell(f"hardtack {verb} > /dev/full", jar)
    assert (5, "hardtack: Standard output cannot be used: No space left on device.\n") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("hardtack search close_lid >&-", 0),
        ("hardtack search close_lid <&-", 0),
        ("hardtack search close_lid 2>&-", 0),
        ("hardtack cat nowhere 2>&-", 1),
        ("hardtack serve <&-", 0),
        ("hardtack tool search --json - <&-", 2),
        ("hardtack clear <&-", 2),
        ("hardtack verify <&- >&- 2>&-", 0),
    ],
)
def test_a_closed_stream_is_like_an_empty_one(jar: Path, line: str, code: int) -> None:
    done = _shell(line, jar)
    assert (code, "Traceback" in done.stderr) == (done.returncode, False), done.stderr


def test_a_reader_that_has_seen_enough_is_no_error(jar: Path) -> None:
    done = _shell("{ hardtack grep --limit 10000 e; echo $? >&2; } | head -n 1", jar)
    assert "0\n" == done.stderr


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"},
    ],
)
def test_names_are_utf8_whatever_the_locale_says(jar: Path, variables: dict[str, str]) -> None:
    assert "def öffne():\n" == _shell("hardtack cat grün/deckel.py:1", jar, **variables).stdout
    refused = _shell("hardtack cat grün/tür.py", jar, **variables)
    assert (1, True) == (refused.returncode, "'grün/tür.py'" in refused.stderr)
    document = json.loads(_shell("hardtack grep ü --json", jar, **variables).stdout)
    assert ["grün/deckel.py"] == [result["path"] for result in document["results"]]


@pytest.mark.parametrize("verb", ["search close_lid", "status", "list", "init", "doctor", "pull", "publish --to x", "clear"])
def test_a_working_directory_that_is_gone_is_said(tmp_path: Path, verb: str) -> None:
    done = _shell(f'mkdir gone && cd gone && rmdir "$PWD" && hardtack {verb}', tmp_path)
    assert "Traceback" not in done.stderr
    assert done.returncode in (1, 2), done.stderr


def test_a_bundle_that_is_named_needs_no_working_directory(jar: Path, tmp_path: Path) -> None:
    bundle = jar / ".hardtack" / "bundle"
    done = _shell(f'mkdir gone && cd gone && rmdir "$PWD" && hardtack search -b {bundle} close_lid', tmp_path)
    assert (0, "") == (done.returncode, done.stderr)


def test_neither_home_nor_temporary_directory_is_needed_to_search(jar: Path) -> None:
    done = _shell("unset HOME; hardtack search -b . close_lid", jar, TMPDIR="/nonexistent", HARDTACK_CACHE="")
    assert (0, "") == (done.returncode, done.stderr)


def test_without_the_cache_in_which_it_is_noted_a_bundle_is_not_ones_own_and_the_remedy_is_said(jar: Path, tmp_path: Path) -> None:
    done = _shell("hardtack search close_lid", jar, HARDTACK_CACHE=str(tmp_path / "another"))
    assert (6, "") == (done.returncode, done.stdout)
    assert f"{jar}/.hardtack/bundle is not taken, since it is not one that you built there" in done.stderr
    assert f"name it: -b {jar}" in done.stderr


@pytest.mark.parametrize("verb", [["build", "."], ["serve"], ["search", "close_lid"]])
@pytest.mark.parametrize("seconds", [0.5, 1.5])
def test_an_interrupt_is_130_or_comes_too_late_and_shows_no_traceback(jar: Path, verb: list[str], seconds: float) -> None:
    running = subprocess.Popen([*_HARDTACK, *verb], cwd=jar, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(seconds)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert (running.returncode in (0, 130), b"Traceback" in said) == (True, False), said


def test_an_empty_name_deletes_nothing(jar: Path) -> None:
    done = _shell('hardtack clear --yes "$UNSET"', jar)
    assert (2, "hardtack: The name of the bundle to delete is empty.") == (done.returncode, done.stderr.splitlines()[0])
    assert (jar / ".hardtack" / "bundle").exists()


@pytest.mark.parametrize("verb", ["build", "cat", "ls", "verify", "install", "pack", "clear --yes", "search -b"])
def test_a_name_that_no_disk_can_hold_is_refused_in_a_sentence(jar: Path, verb: str) -> None:
    done = _shell(f"hardtack {verb} {'9' * 9999} x", jar)
    assert ("Traceback" in done.stderr, done.returncode in range(1, 8)) == (False, True), done.stderr


@pytest.mark.parametrize(
    ("module", "verb", "extra"),
    [
        ("mcp", "serve", "mcp"),
        ("msgspec", "serve", "mcp"),
        ("msgspec", "tool open_file", "mcp"),
        ("tree_sitter", "build .", "build"),
        ("tree_sitter", "ci", "build"),
        ("re2", "grep -E a.c", "regex"),
        ("fsspec", "pull --from s3://nobody/here --ref main --repository example.org/a/b", "remote"),
    ],
)
def test_what_an_extra_is_needed_for_says_how_to_install_it(jar: Path, module: str, verb: str, extra: str) -> None:
    program = f"import sys; sys.modules[{module!r}] = None; from hardtack.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *verb.split()],
        cwd=jar,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (2, f"  Run: pip install 'hardtack[{extra}]'") == (done.returncode, done.stderr.splitlines()[-1]), done.stderr
