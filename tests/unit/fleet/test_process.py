"""The process of one repository: its limits, its death, and that it leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from git_server import GitServer
from hypothesis import given
from hypothesis import strategies as st

from hardtack.errors import BuildError
from hardtack.fleet import process
from hardtack.fleet.listing import Entry
from hardtack.fleet.outcome import STATES, Failure, Outcome, failed, outcome_of
from hardtack.fleet.process import memory_of, run, run_plain
from hardtack.fleet.running import outcomes_here
from hardtack.fleet.task import Plan

from .conftest import Make, entry_of


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where temporary directories are made; none may be left."""
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert [] == list(place.iterdir())


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[Entry]:
    """A repository whose server never answers."""
    with GitServer(tmp_path) as server:
        yield Entry(address=f"{server.url}/silent.git", name="example.org/o/silent")


def said_by(outcome: Outcome) -> str:
    assert outcome.failure
    return outcome.failure.message


def test_a_process_builds_publishes_and_tells_and_so_it_does_through_plain_values(make: Make, plan: Plan) -> None:
    entry = entry_of(make("one"))
    outcome = run(entry, plan)
    assert "done" == outcome.state, outcome
    assert 0.1 < outcome.cpu_seconds < 60
    assert "unchanged" == outcome_of(run_plain(asdict(entry), asdict(plan))).state


def test_time_and_memory_are_limited_and_what_is_stopped_is_stopped_with_all_that_it_started(
    silent: Entry, make: Make, plan: Plan
) -> None:
    started = time.monotonic()
    assert "took more than 2 seconds" in said_by(run(silent, replace(plan, max_time=2)))
    assert time.monotonic() - started < 20
    assert "took more than 1000000 bytes of memory" in said_by(run(silent, replace(plan, max_memory=1_000_000)))


def test_a_process_that_dies_costs_its_repository_and_says_how_and_leaves_nothing_running(
    silent: Entry, make: Make, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[str] = []

    def killing(pid: int) -> int:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        if children:  # git has begun
            left.extend(children)
            os.kill(pid, signal.SIGKILL)
        return 0

    monkeypatch.setattr(process, "memory_of", killing)
    assert f"The process that built {silent.address} ended by SIGKILL." == said_by(run(silent, plan))
    assert left
    assert _end(left)
    monkeypatch.setattr(process, "memory_of", memory_of)
    odd = replace(plan, max_files="many")  # type: ignore[arg-type]
    assert "ended with exit status 1: TypeError" in said_by(run(entry_of(make("one")), odd))


def _end(pids: Sequence[str]) -> bool:
    """Whether these processes end: one that was killed may take a moment, and an hour if nobody has killed it."""
    until = time.monotonic() + 30
    while any(map(_runs, pids)) and time.monotonic() < until:
        time.sleep(0.1)
    return not any(map(_runs, pids))


def _runs(pid: str) -> bool:
    """Whether there is such a process, and it is no zombie that nobody has waited for."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def test_memory_is_that_of_a_process_and_of_all_that_any_of_its_threads_started() -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not tell")
    text = "import subprocess, sys, threading, time\nheld = bytearray(30 << 20)\n"
    child = f"{text}print(flush=True)\ntime.sleep(60)"
    starting = f"subprocess.run([sys.executable, '-c', {child!r}])"  # in a thread, as a build starts its workers
    parent = f"{text}threading.Thread(target=lambda: {starting}).start()\ntime.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, start_new_session=True) as started:
        assert started.stdout
        started.stdout.readline()
        size = memory_of(started.pid)
        os.killpg(started.pid, signal.SIGKILL)
    assert 60 << 20 < size < 150 << 20
    assert 0 == memory_of(2**22 + 1)


def test_one_that_fails_costs_itself_alone(make: Make, plan: Plan, tmp_path: Path) -> None:
    entries = [entry_of(make("one")), Entry(address=str(tmp_path / "absent"), name="a.b/c"), entry_of(make("two"))]
    outcomes = dict(outcomes_here(entries, plan, jobs=2))
    assert ["done", "failed", "done"] == [outcomes[position].state for position in range(3)]


def test_when_the_fleet_is_gone_its_processes_end_and_clean_up(silent: Entry, plan: Plan, tmp_path: Path, temporary: Path) -> None:
    """What :func:`run` starts ends with the process that it was started by, however that ends."""
    caller = (
        "import sys; from hardtack.fleet.process import run; from hardtack.fleet.listing import Entry\n"
        f"from hardtack.fleet.task import Plan; run({silent!r}, {plan!r})"
    )
    with subprocess.Popen([sys.executable, "-c", caller], env={**os.environ, "TMPDIR": str(temporary)}) as started:
        children = Path(f"/proc/{started.pid}/task/{started.pid}/children")
        until = time.monotonic() + 30
        while not list(temporary.glob("hardtack-work-*/*")) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(1)
        pids = children.read_text().split()
        assert pids
        started.kill()
    assert _end(pids)
    run(Entry(address="/nowhere", name="a.b/c"), plan)  # removes the directory that the killed one could not remove


words = st.text(max_size=20)
numbers = st.integers(min_value=0, max_value=2**62)


@given(
    outcome=st.builds(
        Outcome,
        **dict.fromkeys(("address", "ref", "repository", "commit", "digest", "pack_digest", "entry"), words),
        **dict.fromkeys(("pack_bytes", "fetched_bytes", "files", "lines", "text_bytes"), numbers),
        state=st.sampled_from(STATES),
        seconds=st.floats(min_value=0, max_value=1e6),
        cpu_seconds=st.floats(min_value=0, max_value=1e6),
        failure=st.none() | st.builds(Failure, code=words, message=words, hint=words),
    )
)
def test_an_outcome_comes_back_from_plain_values(outcome: Outcome) -> None:
    assert outcome == outcome_of(outcome.to_json() | {"address": outcome.address})


@pytest.mark.parametrize(
    "values",
    [
        None,
        [],
        {},
        {"address": "x", "state": "odd"},
        {"address": 1, "state": "done"},
        {"address": "x", "state": "done", "files": "1"},
        {"address": "x", "state": "done", "unknown": ""},
        {"address": "x", "state": "failed", "failure": "x"},
        {"address": "x", "state": "failed", "failure": {"code": "x"}},
        {"address": "x", "state": "failed", "failure": {"code": "x", "message": 1}},
    ],
)
def test_what_is_no_outcome_is_not_taken_for_one(values: object) -> None:
    with pytest.raises(ValueError, match="no outcome"):
        outcome_of(values)


def test_an_error_becomes_an_outcome_with_its_code_and_remedy() -> None:
    error = BuildError("It failed.", hint="Do it.")
    assert Failure(code="BUILD_FAILED", message="It failed.", hint="Do it.") == failed(Entry(address="x"), error).failure


def test_threads_share_nothing(make: Make, plan: Plan) -> None:
    """Two processes of one repository at once publish one pack."""
    entry = entry_of(make("one"))
    found: list[Outcome] = []
    threads = [threading.Thread(target=lambda: found.append(run(entry, plan))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 == len({outcome.pack_digest for outcome in found} - {""})
    assert 1 == len(list(Path(plan.shelf, "packs").iterdir()))
