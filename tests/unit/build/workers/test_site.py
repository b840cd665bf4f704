"""What a worker of a cluster calls, called by threads of this process: whose worker processes do the work, and when they end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgpack
import pytest
from sabotage import Sabotaged, sabotaged
from source_files import source_file

from hardtack.build.workers import site
from hardtack.build.workers.executors import WorkerPool
from hardtack.build.workers.processes import Workers
from hardtack.build.workers.site import analyse_batch, end_build
from hardtack.build.workers.slot import Reply
from hardtack.build.workers.worker import pack_file
from hardtack.errors import BuildError

_PRODUCTS = {"with_vectors": False, "with_synopses": False, "with_readings": True}
_TEXT = "def answer():\n    return 42\n"


@pytest.fixture
def sabotage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sabotaged]:
    """At the end of the test no worker process of its builds may be left."""
    made = sabotaged(tmp_path, monkeypatch)
    yield made
    for build in ("one", "two"):
        end_build(build)
    assert [] == made.alive()


def _asked(build: str, *texts: str) -> list[Reply]:
    files = [pack_file(source_file(f"{number}.py", text)) for number, text in enumerate(texts)]
    return [Reply(*reply) for reply in msgpack.unpackb(analyse_batch(build, _PRODUCTS, ("python",), msgpack.packb(files)))]


def _servers(sabotage: Sabotaged) -> set[int]:
    return {int(path.read_text()) for path in sabotage.workers.iterdir()}


def test_threads_at_work_have_a_worker_each_and_get_what_a_pool_gets(sabotage: Sabotaged) -> None:
    texts = [_TEXT, "'SIGSEGV'", "'EXIT' 'ALWAYS'", "class A: ...\n", "SPIN = 1\n"]
    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(lambda _: _asked("one", *texts), range(12)))
    files = [source_file(f"{number}.py", text) for number, text in enumerate(texts)]
    with Workers(**_PRODUCTS) as workers, WorkerPool(1, workers) as pool:
        here = [each for each in pool.map(files) if each is not None]
    assert [found[0]] * 12 == found
    assert ["", "ended by SIGSEGV", "ended with exit status 7", "", "ended by SIGPROF"] == [reply.crash for reply in found[0]]
    assert [each.crash for each in here] == [reply.crash for reply in found[0]]
    assert [each.messages[1] if each.messages else None for each in here] == [
        None if reply.crash else reply.message for reply in found[0]
    ]
    assert found[0][2].message is None


def test_workers_are_used_again_by_their_own_build_alone(sabotage: Sabotaged) -> None:
    _asked("one", _TEXT)
    _asked("one", _TEXT)
    assert 1 == len(list(sabotage.workers.iterdir()))
    _asked("two", _TEXT)
    assert (2, 2) == (len(list(sabotage.workers.iterdir())), len(_servers(sabotage)))
    end_build("one")
    assert 2 == len(sabotage.alive())  # a worker and its fork server


def test_a_build_that_is_ended_in_the_middle_has_no_answer_and_leaves_nothing(sabotage: Sabotaged) -> None:
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(_asked, "one", _TEXT, "HANG = 1\n", _TEXT)
        sabotage.wait()
        end_build("one")
        assert [] == sabotage.alive()
        with pytest.raises(BuildError, match="The build was stopped"):
            asked.result(timeout=10)


def test_workers_that_are_asked_nothing_end_and_others_begin(sabotage: Sabotaged, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "_IDLE_SECONDS", 0.5)
    before = threading.active_count()
    _asked("one", _TEXT)
    sabotage.wait_for_none()
    until = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert before == threading.active_count()
    assert [""] == [reply.crash for reply in _asked("one", _TEXT)]


def test_workers_that_are_asked_something_for_long_do_not_end(sabotage: Sabotaged, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "_IDLE_SECONDS", 0.2)
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(_asked, "one", "HANG = 1\n")
        sabotage.wait()
        time.sleep(1.0)
        assert not asked.done()
        end_build("one")
        assert isinstance(asked.exception(timeout=10), BuildError)


def test_a_worker_that_is_ended_from_outside_says_nothing_of_its_file(sabotage: Sabotaged) -> None:
    with pytest.raises(BuildError, match="ended from outside"):
        _asked("one", "'SIGTERM'")
    assert [] == sabotage.alive()
    assert [""] == [reply.crash for reply in _asked("one", _TEXT)]
