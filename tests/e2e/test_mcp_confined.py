"""A server needs no network, no home, no rights and no writable disk, and touches nothing but its bundle once it has answered."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from mcp_servers import CALLS, Wire, arguments, environment, started, wired
from processes import piped

import hardtack

_CALL = re.compile(r"^\d+ +(?P<time>\d+\.\d+) (?P<name>\w+)\((?P<arguments>.*)")
_PATH = re.compile(r'"(?P<path>(?:[^"\\]|\\.)*)"')


def _can(*command: str) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run([*command, "true"], capture_output=True).returncode == 0


needs_strace = pytest.mark.skipif(not _can("strace", "-f", "-o", os.devnull), reason="strace cannot run here")
needs_namespaces = pytest.mark.skipif(not _can("unshare", "-rn"), reason="no namespaces can be made here")
needs_root = pytest.mark.skipif(
    os.geteuid() != 0 or not _can("setpriv", "--reuid", "65534", "--clear-groups"), reason="only root can become nobody"
)


def _asked(process: subprocess.Popen[bytes]) -> list[Any]:
    wire = Wire(process)
    wire.open()
    return [_without_times(wire.call(name, **given)) for name, given in CALLS.items()]


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_times(each) for key, each in value.items() if not key.endswith(("_ms", "_days")) and key != "timings"}
    return [_without_times(each) for each in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def answers(pantry_bundle: Path) -> list[Any]:
    """What every tool answers here, where all is permitted."""
    with started("-b", pantry_bundle) as process:
        found = _asked(process)
    assert not [answer for answer in found if "error" in answer]
    return found


@needs_namespaces
def test_it_answers_the_same_without_a_network_and_without_a_home(pantry_bundle: Path, answers: list[Any]) -> None:
    command = ["unshare", "-rn", sys.executable, *arguments("-b", pantry_bundle)]
    variables = {name: value for name, value in environment().items() if name not in ("HOME", "USER")}
    with started(command=command, env=variables) as process:
        assert _asked(process) == answers


@needs_root
def test_it_answers_the_same_to_nobody_where_nothing_can_be_written(answers: list[Any], pantry_bundle: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="hardtack-test-", dir="/tmp") as place:
        Path(place).chmod(0o755)
        bundle = Path(shutil.copytree(pantry_bundle, Path(place) / "pantry"))
        command = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", sys.executable, *arguments("-b", bundle)]
        if subprocess.run([*command[:6], sys.executable, "-c", "import hardtack"], capture_output=True).returncode:
            pytest.skip("nobody may read this Python")
        variables = {"TMPDIR": "/nonexistent", "PATH": os.defpath}
        with started(command=command, env=variables) as process:
            found = _asked(process)
    assert found == answers


@needs_strace
@pytest.mark.parametrize("follows_the_tree", [False, True], ids=["as built", "over a checkout"])
def test_it_touches_nothing_but_its_bundle(pantry: Path, pantry_bundle: Path, tmp_path: Path, *, follows_the_tree: bool) -> None:
    log = tmp_path / "strace.log"
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    traced = ["strace", "-f", "-ttt", "-s", "4096", "-e", "trace=open,openat,openat2,creat,connect,bind,sendto", "-o", str(log)]
    command = [*traced, sys.executable, *arguments("-b", pantry_bundle, "--checkout", pantry)]
    command += [] if follows_the_tree else ["--as-built"]
    with wired(command=command, env=environment(TMPDIR=str(temporary))) as wire:
        wire.call("search_code", query="jar")
        first = time.time()
        for number in range(100 if follows_the_tree else 1000):
            name, given = [*CALLS.items()][number % len(CALLS)]
            assert "error" not in wire.call(name, **given), name
        wire.call("search_code", query="größe der gläser")  # for which more of Python is needed
        piped(wire.process.stdin).close()
        wire.process.wait(20)
    before, after = _touched(log, first)
    own = [str(pantry_bundle), str(pantry), str(temporary)]
    installed = {sys.prefix, sys.base_prefix, str(Path(hardtack.__file__).parents[1]), *sysconfig.get_paths().values()}
    system = [
        "/etc",
        "/proc",
        "/sys",
        "/dev",
        "/lib",
        "/lib64",
        "/usr/lib",
        "/usr/lib64",
        "/usr/share/locale",
    ]  # the last four are the C library's
    of_git: list[str] = []
    if follows_the_tree:  # git, which tells whether it differs, is a process of its own, stands there, and reads its settings
        of_git = [str(Path.home() / ".gitconfig"), str(Path.home() / ".config" / "git")]
        before, after = ([path if "(" in path else os.path.normpath(pantry / path) for path in each] for each in (before, after))
    assert _outside(after, [*own, *of_git, *(system if follows_the_tree else [])]) == []
    assert _outside(before, [*own, *of_git, *installed, *system]) == []
    assert list(temporary.iterdir()) == []


def _touched(log: Path, first: float) -> tuple[list[str], list[str]]:
    """Paths that were opened, and addresses that were connected to, until the first answer and afterwards."""
    before: list[str] = []
    after: list[str] = []
    for line in log.read_text(errors="replace").splitlines():
        if (call := _CALL.match(line)) is None:
            continue
        if call["name"] in ("connect", "bind", "sendto"):
            if "NULL, 0" in line:  # to the other end of a pair: how threads wake the loop
                continue
            what = line
        else:
            path = _PATH.search(call["arguments"])
            what = path["path"] if path else line
        (after if float(call["time"]) > first else before).append(what)
    return before, after


def _outside(touched: list[str], places: Any) -> list[str]:
    return [path for path in touched if not any(path == place or path.startswith(f"{place}/") for place in places)]
