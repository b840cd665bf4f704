"""Real worker processes, brought down on purpose."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sabotage import is_alive, sabotaged
from source_files import source_file

from hardtack.build.workers.executors import Analysed, WorkerPool
from hardtack.build.workers.processes import Workers
from hardtack.bundle.format.records import SYMBOL_FIELDS
from hardtack.errors import BuildError
from hardtack.nouns.outline import SourceFile

COMMENT = "# a comment\n"


@pytest.fixture
def workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory where each worker leaves its process id; at the end of the test none of them may be left."""
    made = sabotaged(tmp_path, monkeypatch)
    yield made.workers
    assert [] == made.alive()


def _pids(directory: Path) -> list[int]:
    return sorted(int(path.name) for path in directory.iterdir())


def _file(path: str, text: str = "def answer():\n    return 42\n") -> SourceFile:
    return source_file(path, text)


@contextmanager
def _pool(jobs: int, **products: bool) -> Iterator[WorkerPool]:
    with Workers(**products) as workers, WorkerPool(jobs, workers) as pool:
        yield pool


def _made(pool: WorkerPool, files: Iterable[SourceFile]) -> Iterator[Analysed]:
    return (result for result in pool.map(files) if result is not None)


def _results(files: list[SourceFile], jobs: int = 1) -> list[Analysed]:
    with _pool(jobs, with_vectors=False) as pool:
        return list(_made(pool, files))


def test_results_come_in_the_order_of_the_files_whoever_finishes_first() -> None:
    files = [_file(f"{n:03}.py", f"def f{n}():\n    return {n}\n" * (1 if n % 7 else 500)) for n in range(100)]
    assert [file.path for file in files] == [result.file.path for result in _results(files, jobs=2)]


def test_one_worker_and_two_give_equal_results() -> None:
    files = [_file(f"{n}.py", f"class C{n}:\n    def m(self):\n        return {n}\n" * 40) for n in range(80)]
    assert _results(files) == _results(files, jobs=2)


@pytest.mark.usefixtures("workers")
def test_a_worker_begins_with_the_compiled_queries_of_all_languages_that_are_known_to_come() -> None:
    files = [_file("a.py", "COMPILED = 1\n"), _file("b.go", "package b\n"), _file("c.c", "int c;\n"), _file("d.txt", "text\n")]
    assert "ended with exit status 3" in _results(files)[0].crash


def test_workers_begin_while_files_are_read_however_many_there_are(workers: Path) -> None:
    def files() -> Iterator[SourceFile]:
        for number in range(200):
            yield _file(f"{number:03}.py")
        deadline = time.monotonic() + 30
        while not _pids(workers) and time.monotonic() < deadline:
            time.sleep(0.01)
        began.append(bool(_pids(workers)))

    began: list[bool] = []
    with _pool(4, with_vectors=False) as pool:
        assert 200 == len(list(_made(pool, files())))
    assert [True] == began


def test_a_worker_that_has_read_much_is_replaced_and_that_is_no_crash(workers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.build.workers.slot._MOST_READ", 5_000)
    files = [_file(f"{number:03}.py", f"def f{number}():\n    return {number}\n" * 20) for number in range(100)]
    results = _results(files)
    assert [file.path for file in files] == [result.file.path for result in results]
    assert {""} == {result.crash for result in results}
    assert len(_pids(workers)) > 3


def test_who_waits_is_told_that_files_were_sent_before_there_are_results() -> None:
    files = [_file("a.py"), _file("b.py")]
    with _pool(1, with_vectors=False) as pool:
        first, *rest = pool.map(files)
    assert first is None
    assert ["a.py", "b.py"] == [result.file.path for result in rest if result is not None]


def test_who_waits_does_something_else_until_the_next_result_is_there_or_nothing_is_left_to_do() -> None:
    done: list[int] = []

    def little(most: int) -> bool:
        done.append(len(done))
        time.sleep(0.001)
        return len(done) < most

    with _pool(1, with_vectors=False) as pool:
        results = [result for result in pool.map([_file("a.py")], lambda: little(1_000_000)) if result is not None]
    assert (1, True) == (len(results), 1 < len(done) < 1_000_000)
    done.clear()
    with _pool(1, with_vectors=False) as pool:  # whose worker takes longer to begin
        results = [result for result in pool.map([_file("a.py")], lambda: little(3)) if result is not None]
    assert (1, 3) == (len(results), len(done))


def test_no_files_give_no_results_and_start_no_worker(workers: Path) -> None:
    assert [] == _results([], jobs=2)
    assert [] == _pids(workers)


def test_workers_hand_on_the_texts_that_others_are_to_encode() -> None:
    with _pool(1, with_vectors=False, with_synopses=True) as pool:
        (result,) = _made(pool, [_file("a.py")])
    assert result.indexed is not None
    assert (("a.py\nanswer\ndef answer():\n    return 42",), b"") == (tuple(result.indexed.synopses), result.indexed.vectors)
    (plain,) = _results([_file("a.py")])
    assert plain.indexed is not None
    assert () == tuple(plain.indexed.synopses)


def test_a_worker_is_not_given_the_keys_of_its_parent(workers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "JINA_API_KEY", "HARDTACK_ENCODER_KEY"):
        monkeypatch.setenv(name, "sk-secret")
    (result,) = _results([_file("a.py", COMMENT + "KEY = 1\n")])
    assert "ended with exit status 0" == result.crash
    assert [] != _pids(workers)


def test_what_a_library_prints_does_not_end_up_between_the_answers(workers: Path) -> None:
    (result,) = _results([_file("a.py")])
    assert ("", 1) == (result.crash, len(result.indexed.symbols if result.indexed else ()))
    assert 1 == len(_pids(workers))


@pytest.mark.parametrize(
    ("fate", "crash"),
    [
        ("SIGKILL", "ended by SIGKILL"),
        ("SIGSEGV", "ended by SIGSEGV"),
        ("EXIT", "ended with exit status 7"),
        ("RAISE", "ended with exit status 1"),
        ("MEMORY", "ended with exit status 1"),
        ("NATIVE", "ended by SIGSEGV"),
        ("SPIN", "ended by SIGPROF"),
    ],
)
def test_a_worker_that_dies_costs_its_file_the_grammar_and_the_others_nothing(workers: Path, fate: str, crash: str) -> None:
    files = [_file("a.py"), _file("b.py", f"def f():\n    return '{fate}'\n"), _file("c.py")]
    before, culprit, after = _results(files)
    undisturbed = _results([_file("a.py")])[0]
    assert undisturbed == before
    assert undisturbed.indexed is not None
    assert after.indexed is not None
    assert (_file("c.py"), "", undisturbed.indexed.symbols) == (after.file, after.crash, after.indexed.symbols)
    assert crash == culprit.crash
    assert culprit.indexed is not None
    names = [row[SYMBOL_FIELDS.index("name")] for row in culprit.indexed.symbols]
    assert ("error", ["f"], 1) == (culprit.indexed.parse_status, names, len(culprit.indexed.chunks))  # what its lines tell


def test_a_file_that_brings_down_two_workers_is_given_up(workers: Path) -> None:
    files = [_file("a.py"), _file("b.py", "'EXIT' 'ALWAYS'"), _file("c.py", "'SIGKILL' 'ALWAYS'"), _file("d.py")]
    results = _results(files)
    crashes = ["", "ended with exit status 7", "ended by SIGKILL", ""]
    assert [file.path for file in files] == [result.file.path for result in results]
    assert crashes == [result.crash for result in results]
    assert [True, False, False, True] == [result.indexed is not None for result in results]


def test_a_batch_in_which_every_file_kills_its_worker_comes_to_its_end(workers: Path) -> None:
    results = _results([_file(f"{n}.py", "'SIGKILL'") for n in range(6)], jobs=2)
    assert ["ended by SIGKILL"] * 6 == [result.crash for result in results]
    assert all(result.indexed for result in results)


def test_workers_are_forked_from_one_process_that_ends_with_them(workers: Path) -> None:
    _results([_file("a.py", "'SIGKILL'"), _file("b.py", COMMENT * 30_000), _file("c.py", COMMENT * 30_000)], jobs=2)
    assert len(_pids(workers)) >= 2
    (parent,) = {int((workers / str(pid)).read_text()) for pid in _pids(workers)}
    assert parent != os.getpid()
    assert not is_alive(parent)


def test_a_pool_that_is_left_early_leaves_no_process(workers: Path) -> None:
    files = (_file(f"{n}.py", COMMENT * 30_000) for n in range(1000))
    with pytest.raises(KeyboardInterrupt), _pool(2, with_vectors=False) as pool:
        for _ in _made(pool, files):
            raise KeyboardInterrupt
    assert 0 < len(_pids(workers)) <= 2  # that none of them lives is seen by the fixture


def test_only_a_few_batches_are_read_ahead_of_the_results() -> None:
    read = 0

    def files() -> Iterator[SourceFile]:
        nonlocal read
        for read in range(1, 201):
            yield _file(f"{read}.py", COMMENT * 30_000)  # a batch of its own

    with _pool(1, with_vectors=False) as pool:
        next(_made(pool, files()))
    assert read <= 10


def test_a_worker_that_cannot_begin_is_a_build_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os; os._exit(3)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(BuildError, match=r"A worker process could not begin: ended with exit status 3\."):
        _results([_file("a.py")])


def test_a_worker_that_cannot_be_started_is_a_build_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    with pytest.raises(BuildError, match=r"A worker process could not be started: No such file or directory\."):
        _results([_file("a.py")])


def test_a_module_where_the_user_stands_does_not_reach_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "msgpack.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    assert "" == _results([_file("a.py")])[0].crash


def test_an_interrupted_build_leaves_no_process_and_no_file(workers: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.py").write_text("HANG = 1\n")
    command = [sys.executable, "-m", "hardtack", "build", str(source), "-o", str(tmp_path / "out" / "bundle"), "-j", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as build:
        deadline = time.monotonic() + 30
        while not (tmp_path / "hanging").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        build.send_signal(signal.SIGINT)
        assert build.stderr is not None
        said = b"hardtack: interrupted. Nothing of it is kept; what stood there before still does.\n\n"
        assert (130, said) == (build.wait(timeout=30), build.stderr.read())  # a new line after the ^C of the terminal
    assert 1 == len(_pids(workers))
    assert not os.path.lexists(tmp_path / "out")


def test_a_build_that_is_killed_leaves_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sabotage = sabotaged(tmp_path, monkeypatch)
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "a.py").write_text("HANG = 1\n")
    command = [sys.executable, "-m", "hardtack", "build", str(tmp_path / "source"), "-o", str(tmp_path / "bundle")]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as build:
        assert build.pid == sabotage.wait()
        build.kill()
    sabotage.wait_for_none()


def test_workers_pack_what_the_next_build_reads_as_the_building_process_would() -> None:
    files = [_file("a.py"), _file("b.py", "import os\n\n\nclass Jar:\n    def open(self):\n        return os.open(self.lid)\n")]
    with _pool(1, with_vectors=False, with_readings=True) as pool:
        packed = [result.indexed for result in _made(pool, files)]
    for one, other in zip(packed, (result.indexed for result in _results(files)), strict=True):
        assert one is not None
        assert other is not None
        assert b"" == other.reading
        assert other.packed_parse() == one.reading
