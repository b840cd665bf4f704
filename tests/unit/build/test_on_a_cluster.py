"""Builds whose files are analysed on a cluster of real processes: the bytes of a build here, whatever becomes of workers."""

from __future__ import annotations

import filecmp
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgpack
import pytest
from checkouts import commit, init, write
from clusters import Cluster, cluster
from embedding_server import EmbeddingServer
from own_work import users_cache
from sabotage import Sabotaged, sabotaged
from source_files import source_file

from hardtack.build import cluster_pool
from hardtack.build.cluster import connected
from hardtack.build.cluster_pool import ClusterPool
from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.build.report import BuildReport
from hardtack.build.sharding import build_shard
from hardtack.build.source.part import Part
from hardtack.build.workers.processes import products_of
from hardtack.encoders import EncoderSettings
from hardtack.errors import BuildError, ClusterFailed, UsageError
from hardtack.nouns.outline import SourceFile
from hardtack.store.built import BuiltHere

_OPTIONS = BuildOptions(base="none", profile="keyword")
_SMALL_BATCHES = 4
"""Files; of the usual size, a test's tree would be one batch."""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of 60 files, which are 15 batches."""
    monkeypatch.setattr(cluster_pool, "_BATCH_FILES", _SMALL_BATCHES)
    root = init(tmp_path / "tree")
    files = {f"shop/f{n:02}.py": f"from shop.jar import Jar\n\ndef f{n}(jar: Jar):\n    return jar.open({n})\n" for n in range(56)}
    files |= {
        "shop/jar.py": "class Jar:\n    def open(self, number):\n        return number\n",
        "web/a.ts": "export function a() {}\n",
    }
    write(root, {**files, "read.me": "words\n", "z.go": "package z\n\nfunc Z() int { return 1 }\n"})
    commit(root)
    return root


@pytest.fixture
def sabotage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sabotaged]:
    """At the end of the test no worker process may be left, here or with a worker of the cluster."""
    made = sabotaged(tmp_path, monkeypatch)
    yield made
    made.wait_for_none()


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Cluster]:
    """Two workers, the second one with two threads. Asked for after ``sabotage``, it is sabotaged."""
    with cluster(tmp_path / "cluster", 1) as made:
        made.add_worker(threads=2)
        made.wait(2)
        yield made


def _built(tree: Path, place: Path, options: BuildOptions = _OPTIONS, progress: Callable[[int], None] | None = None) -> BuildReport:
    return build_bundle(tree, place, options, progress=progress, own=BuiltHere(users_cache))


def _on(at: Cluster, options: BuildOptions = _OPTIONS) -> BuildOptions:
    return replace(options, cluster=at.address)


def _is_same(one: Path, other: Path) -> bool:
    return _content_of(one) == _content_of(other)


def _content_of(bundle: Path) -> dict[str, bytes]:
    return {path.relative_to(bundle).as_posix(): path.read_bytes() for path in bundle.rglob("*") if path.is_file()}


@contextmanager
def _meanwhile(something: Callable[[], None]) -> Iterator[None]:
    """Have a thread do something, which must be done at the end."""
    with ThreadPoolExecutor(1) as threads:
        doing = threads.submit(something)
        yield
        doing.result(timeout=60)


def _worker_of(at: Cluster, pid: int) -> subprocess.Popen[bytes]:
    return next(worker for worker in at.workers if worker.pid == pid)


def test_a_worker_that_dies_in_the_middle_costs_nothing_but_time(tree: Path, tmp_path: Path, sabotage: Sabotaged) -> None:
    write(tree, {"shop/f30a.py": "HANG = 1\n"})
    commit(tree)
    hybrid = replace(_OPTIONS, profile="hybrid")
    with cluster(tmp_path / "cluster", 4) as four, _meanwhile(lambda: _worker_of(four, sabotage.wait()).kill()):
        report = _built(tree, tmp_path / "there", _on(four, hybrid))
        assert 1 == sum(worker.poll() is not None for worker in four.workers)
    assert [] == report.failures
    _built(tree, tmp_path / "here", hybrid)  # nobody hangs twice
    assert _is_same(tmp_path / "here", tmp_path / "there")


def test_each_file_has_its_limits_there_and_is_told_as_here(tree: Path, tmp_path: Path, sabotage: Sabotaged, at: Cluster) -> None:
    words = ["SIGSEGV", "EXIT' 'ALWAYS", "SPIN", "MEMORY", "RAISE"]
    write(tree, {f"shop/bad{number}.py": f"def bad():\n    return '{word}'\n" for number, word in enumerate(words)})
    commit(tree)
    here = _built(tree, tmp_path / "here")
    there = _built(tree, tmp_path / "there", _on(at))
    assert here.failures == there.failures
    assert 5 == len(there.failures)
    assert here.skips == there.skips
    assert _is_same(tmp_path / "here", tmp_path / "there")


def test_what_is_taken_over_is_not_sent_and_what_is_unchanged_asks_nobody(tree: Path, tmp_path: Path, at: Cluster) -> None:
    place = tmp_path / "place"
    options = replace(_on(at), base="auto")
    assert 0 == _built(tree, place, options).taken_over
    write(tree, {"shop/f07.py": "def changed(): ...\n"})
    commit(tree)
    assert _built(tree, place, options).taken_over > 50
    _built(tree, tmp_path / "new")
    assert _is_same(place, tmp_path / "new")
    assert _built(tree, place, replace(options, cluster="no address")).is_unchanged


def test_shards_and_vectors_of_a_service_come_from_a_cluster_too(tree: Path, tmp_path: Path, at: Cluster) -> None:
    part = Part(1, 2)
    build_shard(tree, part, tmp_path / "shard-here", _OPTIONS)
    build_shard(tree, part, tmp_path / "shard-there", _on(at))
    assert filecmp.cmp(tmp_path / "shard-here", tmp_path / "shard-there", shallow=False)
    with EmbeddingServer() as server:
        foreign = replace(_OPTIONS, profile="hybrid", encoder=EncoderSettings(name="openai:small", url=server.url))
        _built(tree, tmp_path / "here", foreign)
        _built(tree, tmp_path / "there", _on(at, foreign))
    assert _is_same(tmp_path / "here", tmp_path / "there")


def test_a_scheduler_that_is_lost_in_the_middle_ends_the_build_and_keeps_what_was_done(
    tree: Path, tmp_path: Path, sabotage: Sabotaged, at: Cluster
) -> None:
    write(tree, {"web/b.py": "HANG = 1\n"})
    commit(tree)
    place, some_done = tmp_path / "out" / "bundle", threading.Event()

    def lose_it() -> None:
        sabotage.wait()
        assert some_done.wait(60)
        at.scheduler.kill()

    said = rf"from .* to .* could not be analysed\. The cluster at {at.address} was lost before it was done\."
    with _meanwhile(lose_it), pytest.raises(ClusterFailed, match=said):
        _built(tree, place, _on(at), lambda done: some_done.set() if done > 20 else None)
    assert [".hardtack-journal-bundle"] == [path.name for path in place.parent.iterdir()]
    assert _built(tree, place).resumed > 20
    _built(tree, tmp_path / "new")
    assert _is_same(place, tmp_path / "new")


def test_who_waits_for_a_cluster_waits_no_longer_than_a_build_may_take(
    tree: Path, tmp_path: Path, sabotage: Sabotaged, at: Cluster
) -> None:
    write(tree, {"shop/f30a.py": "HANG = 1\n"})
    commit(tree)
    with pytest.raises(BuildError, match=r"^The build took more than 4 seconds"):
        _built(tree, tmp_path / "place", replace(_on(at), max_seconds=4))
    sabotage.wait_for_none()  # though the cluster runs


def test_an_interrupt_leaves_nothing_at_work_on_the_cluster(tree: Path, tmp_path: Path, sabotage: Sabotaged, at: Cluster) -> None:
    write(tree, {"shop/f30a.py": "HANG = 1\n"})
    commit(tree)
    command = [
        sys.executable,
        "-m",
        "hardtack",
        "build",
        str(tree),
        "-o",
        str(tmp_path / "out" / "bundle"),
        "--cluster",
        at.address,
    ]

    def listening() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a job in the background is born deaf to interrupts

    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=listening) as build:
        sabotage.wait()
        build.send_signal(signal.SIGINT)
        assert build.stderr is not None
        said = b"hardtack: interrupted. Nothing of it is kept; what stood there before still does.\n\n"
        assert (130, said) == (build.wait(timeout=30), build.stderr.read())
    assert not os.path.lexists(tmp_path / "out")
    sabotage.wait_for_none()
    assert all(worker.poll() is None for worker in at.workers)


def test_a_worker_whose_processes_end_from_outside_costs_its_batch(
    tree: Path, tmp_path: Path, sabotage: Sabotaged, at: Cluster
) -> None:
    write(tree, {"shop/f30a.py": "HANG = 1\n"})
    commit(tree)

    def end_them() -> None:
        sabotage.wait()
        for pid in sabotage.alive():
            os.kill(pid, signal.SIGTERM)

    with _meanwhile(end_them):
        assert [] == _built(tree, tmp_path / "there", _on(at)).failures
    _built(tree, tmp_path / "here")
    assert _is_same(tmp_path / "here", tmp_path / "there")


def test_only_so_many_batches_are_on_their_way(at: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_pool, "_BATCH_FILES", 1)
    monkeypatch.setattr(cluster_pool, "_BATCHES_AHEAD", 5)
    read = 0

    def files() -> Iterator[SourceFile]:
        nonlocal read
        for read in range(1, 41):
            yield source_file(f"{read:02}.py", f"def f{read}(): ...\n")

    paths = []
    products = products_of(_OPTIONS)
    with connected(at.address) as client, ClusterPool(client, at.address, products) as pool:
        for each in pool.map(files()):
            if each is not None:
                paths.append(each.file.path)
                assert read - len(paths) <= 5
    assert [f"{number:02}.py" for number in range(1, 41)] == paths


def test_what_is_no_reply_is_refused(at: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    replies = [b"", b"\xc1", b"\x91\x01", msgpack.packb([[b"", ""]] * 2), msgpack.packb([["text", ""]]), msgpack.packb([[b"", 1]])]
    with connected(at.address) as client:
        for reply in (None, *replies):
            monkeypatch.setattr(cluster_pool, "analyse_batch", lambda *_, reply=reply: reply)
            with ClusterPool(client, at.address, {}) as pool, pytest.raises(ClusterFailed, match=r"^A worker does not say what it"):
                list(pool.map([source_file("a.py", "a = 1\n")]))


def test_a_cluster_says_itself_how_many_work_there(tree: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--jobs does not go with it"):
        _built(tree, tmp_path / "place", replace(_OPTIONS, cluster="tcp://127.0.0.1:1", jobs=2))
