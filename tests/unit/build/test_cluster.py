"""The gateway to Dask, over clusters of real processes: who may work, and what becomes of calls whose worker or cluster is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import dask
import pytest
from clusters import Cluster, another_version, cluster

import hardtack.build.cluster
from hardtack.build.cluster import Calls, completed, connected, this_program
from hardtack.build.reuse.maker import difference, maker
from hardtack.errors import BuildError, UsageError


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Cluster]:
    with cluster(tmp_path / "cluster", 2) as made:
        yield made


def test_results_come_with_their_places_and_a_call_that_fails_costs_itself(two: Cluster) -> None:
    with connected(two.address) as client:
        found = dict(completed(client, two.address, divmod, [(7, 2), (1, 0), (9, 4)]))
    assert ((3, 1), (2, 1)) == (found[0], found[2])
    assert isinstance(found[1], BuildError)
    assert str(found[1]).startswith("It broke down on a worker: ZeroDivisionError: ")


def test_a_result_that_does_not_arrive_in_time_is_waited_for_again(two: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    with connected(two.address) as client, Calls(client, two.address, divmod) as calls:
        calls.start(5, (7, 2))
        with monkeypatch.context() as soon:
            soon.setattr(hardtack.build.cluster, "_FETCHING_SECONDS", 1e-9)
            assert calls.next(30) is None
        assert (1, (5, (3, 1)), 0) == (len(calls), calls.next(30), len(calls))


def test_a_result_whose_worker_dies_before_it_is_asked_for_is_made_again(two: Cluster) -> None:
    with connected(two.address) as client, Calls(client, two.address, os.getpid) as calls:
        calls.start(0, ())
        time.sleep(2)
        holder = next(address for address, keys in client.has_what().items() if keys)
        dead = next(worker for worker in two.workers if worker.pid == client.run(os.getpid, workers=[holder])[holder])
        dead.kill()
        dead.wait()
        other = next(worker for worker in two.workers if worker is not dead)
        while (done := calls.next()) is None:
            pass
        assert (0, other.pid) == done


def test_only_so_many_calls_are_at_the_scheduler_at_once(two: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardtack.build.cluster, "_CALLS_AT_ONCE", 3)
    taken = 0

    def calls() -> Iterator[tuple[int, int]]:
        nonlocal taken
        for taken in range(1, 21):
            yield taken, 1

    with connected(two.address) as client:
        for number, (position, result) in enumerate(completed(client, two.address, divmod, calls()), 1):
            assert (position + 1, 0) == result
            assert taken - number <= 3
    assert (20, 20) == (taken, number)


def test_a_worker_of_another_version_keeps_everything_from_starting(two: Cluster, tmp_path: Path) -> None:
    two.add_worker(another_version(tmp_path / "other"))
    two.wait(3)
    with pytest.raises(BuildError, match=r"has hardtack 99\.9 \(.*\), not .*, so nothing was started"), connected(two.address):
        pytest.fail("it was taken")


def test_a_worker_of_another_version_that_comes_later_does_nothing(two: Cluster, tmp_path: Path) -> None:
    with connected(two.address) as client:
        for worker in two.workers:
            worker.kill()
        two.add_worker(another_version(tmp_path / "other"))
        found = dict(completed(client, two.address, divmod, [(7, 2)]))
    assert "A worker that came later has hardtack 99.9 (" in str(found[0])


def test_a_call_that_every_worker_dies_of_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "1")
    with cluster(tmp_path / "cluster", 3) as three, connected(three.address) as client:
        found = dict(completed(client, three.address, os.abort, [()]))
        assert "Every worker that had it died; no further one was risked." == str(found[0])
        assert [(0, (1, 0))] == list(completed(client, three.address, divmod, [(1, 1)]))


def test_no_call_waits_for_ever_for_workers(two: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardtack.build.cluster, "_WAITING_SECONDS", 4.0)
    with connected(two.address) as client:
        found = dict(completed(client, two.address, os.abort, [()]))
        assert f"No worker of the cluster at {two.address} was left for it." == str(found[0])
        two.add_worker()
        two.wait(1)
        assert [(0, (1, 0))] == list(completed(client, two.address, divmod, [(1, 1)]))


def test_a_cluster_that_is_lost_is_said_of_each_call(two: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardtack.build.cluster, "_WAITING_SECONDS", 20.0)
    with connected(two.address) as client:
        calls = completed(client, two.address, time.sleep, [(0.0,), (600.0,), (600.0,)])
        assert (0, None) == next(calls)
        two.close()
        lost = dict(calls)
    assert {1, 2} == set(lost)
    assert all(isinstance(each, BuildError) and two.address in str(each) for each in lost.values()), lost


def test_a_cluster_without_workers_or_without_a_scheduler_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardtack.build.cluster, "_CONNECTING_SECONDS", 5)
    with cluster(tmp_path / "cluster", 0) as empty, pytest.raises(BuildError, match="has no workers"), connected(empty.address):
        pytest.fail("there are none")
    threads = set(threading.enumerate())
    with pytest.raises(BuildError, match="No scheduler of a Dask cluster answers at"), connected(empty.address):
        pytest.fail("there is none")
    assert threads == set(threading.enumerate())


@pytest.mark.parametrize(
    "address",
    ["", "host", "no address", "tcp://", "tls://", "ftp://127.0.0.1:1", "inproc://x", "127.0.0.1:many", "::1:8786"],
)
def test_what_is_no_address_is_refused_before_a_client_and_its_thread_are_started(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[threading.Thread] = []
    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda thread: (started.append(thread), start(thread)))
    with pytest.raises(UsageError, match="is no address of a scheduler"), connected(address):
        pytest.fail("it was taken")
    assert not started


@pytest.fixture
def certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An authority of its own with a certificate for each part of a cluster, in Dask's configuration by its variables."""
    if shutil.which("openssl") is None:
        pytest.skip("makes certificates with openssl")

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=tmp_path, check=True, capture_output=True)

    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *new, "-keyout", "ca-key.pem", "-out", "ca.pem", "-days", "2", "-subj", "/CN=ca")
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TLS__CA_FILE", str(tmp_path / "ca.pem"))
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION", "True")
    for part in ("scheduler", "worker", "client"):
        openssl("req", *new, "-keyout", f"{part}-key.pem", "-out", f"{part}.csr", "-subj", f"/CN={part}")
        authority = ("-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial")
        openssl("x509", "-req", "-in", f"{part}.csr", *authority, "-out", f"{part}.pem", "-days", "2")
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{part.upper()}__CERT", str(tmp_path / f"{part}.pem"))
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{part.upper()}__KEY", str(tmp_path / f"{part}-key.pem"))
    yield tmp_path
    monkeypatch.undo()
    dask.config.refresh()


def test_a_cluster_that_tls_closes_is_reached_with_its_certificates_alone(
    certificates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dask.config.refresh()
    with cluster(certificates / "cluster", 1, protocol="tls") as closed:
        assert closed.address.startswith("tls://")
        with connected(closed.address) as client:
            assert [(0, (1, 0))] == list(completed(client, closed.address, divmod, [(1, 1)]))
        plain = closed.address.replace("tls://", "tcp://")
        with pytest.raises(UsageError, match="is not encrypted, and Dask's configuration demands that"), connected(plain):
            pytest.fail("it was taken")
        monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT", str(certificates / "missing.pem"))
        dask.config.refresh()
        with pytest.raises(UsageError, match="cannot be read: No such file or directory"), connected(closed.address):
            pytest.fail("it was taken")
        monkeypatch.delenv("DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT")
        monkeypatch.delenv("DASK_DISTRIBUTED__COMM__TLS__CA_FILE")
        monkeypatch.delenv("DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION")
        dask.config.refresh()
        monkeypatch.setattr(hardtack.build.cluster, "_CONNECTING_SECONDS", 5)
        with pytest.raises(UsageError, match="wants a certificate"), connected(closed.address):
            pytest.fail("it was taken")
        with pytest.raises(BuildError, match="No scheduler"), connected(plain):
            pytest.fail("it was taken")


def test_a_program_is_what_makes_a_bundle_and_the_cluster_that_it_runs_on() -> None:
    assert {**maker(), "distributed": version("distributed")} == this_program()
    ours = this_program()
    assert "" == difference(dict(ours), ours)
    assert f"tantivy none, not {ours['tantivy']}" == difference({name: ours[name] for name in ours if name != "tantivy"}, ours)
