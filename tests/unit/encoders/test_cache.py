"""The cache of vectors: each is computed once, none is damaged, not too many are kept, and no fault stops a build."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from hardtack.encoders import Encoder
from hardtack.encoders.cache import FILE_NAME, CachedEncoder, VectorCache
from hardtack.encoders.foreign import PROBE_TEXT, ForeignEncoder
from hardtack.encoders.hashing import HashingEncoder
from hardtack.errors import EncoderUnavailable

TEXTS = [f"def number_{number}(): return {number}" for number in range(30)]


class CountingEncoder(ForeignEncoder):
    """Hashed words, batch by batch; it records every text, and fails at a given one."""

    name = "counting"

    def __init__(self, *, dimension: int = 16, fails_at: str = "", salt: str = "") -> None:
        self._encoder, self._fails_at, self._salt = HashingEncoder(dimension), fails_at, salt
        self.dimension, self.fingerprint = dimension, f"sha256:{dimension:064x}"
        self.asked: list[str] = []
        self.probe = self._encoder.encode([salt + PROBE_TEXT])[0]

    def batches(self, texts: Sequence[str]) -> Iterator[tuple[Sequence[int], np.ndarray]]:
        for start in range(0, len(texts), 4):
            some = texts[start : start + 4]
            if self._fails_at in some:
                raise EncoderUnavailable("It has failed.")
            self.asked += some
            yield range(start, start + len(some)), self._encoder.encode([self._salt + text for text in some])

    def for_queries(self) -> Encoder:
        return self


def encode(directory: Path, encoder: CountingEncoder, texts: list[str] = TEXTS, **options: int) -> tuple[np.ndarray, list[str]]:
    """The vectors of texts through the cache in ``directory``, and its notes."""
    with CachedEncoder(encoder, VectorCache(directory, encoder, **options)) as cached:
        vectors = cached.encode(texts)
        assert cached.made == len(encoder.asked)
        assert cached.reused + cached.made == len(set(texts) - {""})
    return vectors, cached.cache.notes


def test_no_text_is_encoded_twice_in_one_call_or_in_the_next(tmp_path: Path) -> None:
    first, second = CountingEncoder(), CountingEncoder()
    vectors, notes = encode(tmp_path, first, [*TEXTS, *TEXTS, ""])
    again, _ = encode(tmp_path, second, ["new", *TEXTS[::-1]])
    assert (TEXTS, ["new"], []) == (first.asked, second.asked, notes)
    assert vectors[:30].tobytes() == vectors[30:60].tobytes() == again[:0:-1].tobytes() == first.encode(TEXTS).tobytes()
    assert not vectors[60].any()


def test_what_was_made_before_a_failure_is_kept(tmp_path: Path) -> None:
    with pytest.raises(EncoderUnavailable):
        encode(tmp_path, CountingEncoder(fails_at=TEXTS[13]))
    second = CountingEncoder()
    encode(tmp_path, second)
    assert TEXTS[12:] == second.asked


def test_encoders_of_other_fingerprints_share_nothing(tmp_path: Path) -> None:
    encode(tmp_path, CountingEncoder())
    other = CountingEncoder(dimension=8)
    encode(tmp_path, other)
    assert TEXTS == other.asked


def test_a_model_that_changed_behind_its_name_is_noticed(tmp_path: Path) -> None:
    encode(tmp_path, CountingEncoder())
    changed = CountingEncoder(salt="another model ")
    _, notes = encode(tmp_path, changed)
    assert ["The model behind 'counting' has changed: 30 vectors that it made are forgotten."] == notes
    assert TEXTS == changed.asked


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ("UPDATE vectors SET vector = zeroblob(64) WHERE rowid = 7", 1),
        ("UPDATE vectors SET vector = x'00' WHERE rowid < 4", 3),
        ("UPDATE vectors SET seal = 'text' WHERE rowid = 2", 1),
        (
            "UPDATE vectors SET (vector, seal) = (SELECT vector, seal FROM vectors WHERE rowid = 1)",
            29,
        ),
        ("DELETE FROM vectors WHERE rowid > 20", 10),
        ("UPDATE encoders SET probe = 'text'", 0),
    ],
)
def test_an_entry_that_is_not_what_was_put_there_is_made_again(tmp_path: Path, change: str, asked: int) -> None:
    expected, _ = encode(tmp_path, CountingEncoder())
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute(change)
    connection.close()
    second, third = CountingEncoder(), CountingEncoder()
    again, _ = encode(tmp_path, second)
    encode(tmp_path, third)
    assert (asked, 0) == (len(second.asked), len(third.asked))
    assert expected.tobytes() == again.tobytes()


@pytest.mark.parametrize("damage", ["no database", "empty", "torn", "another table", "a directory"])
def test_a_damaged_file_costs_time_and_nothing_else(tmp_path: Path, damage: str) -> None:
    expected, _ = encode(tmp_path, CountingEncoder())
    path = tmp_path / FILE_NAME
    content = path.read_bytes()
    path.unlink()
    match damage:
        case "no database":
            path.write_bytes(b"\xff" * len(content))
        case "empty":
            path.write_bytes(b"")
        case "torn":
            path.write_bytes(content[:5000] + b"\xff" * (len(content) - 5000))
        case "another table":
            with sqlite3.connect(path) as connection:
                connection.execute("CREATE TABLE vectors (something INTEGER)")
            connection.close()
        case "a directory":
            path.mkdir()
    second, third = CountingEncoder(), CountingEncoder()
    again, notes = encode(tmp_path, second)
    encode(tmp_path, third)
    assert expected.tobytes() == again.tobytes()
    assert TEXTS == second.asked
    assert (TEXTS if damage in ("another table", "a directory") else []) == third.asked
    assert (damage == "empty") == (notes == [])
    assert len(notes) <= 1


def test_where_nothing_can_be_written_nothing_is_kept_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    vectors, notes = encode(tmp_path / "file" / "cache", CountingEncoder())
    assert vectors.any()
    assert [
        f"Vectors are not kept for the next build: {tmp_path}/file/cache/{FILE_NAME} cannot be used (Not a directory)."
    ] == notes


def test_without_a_directory_nothing_is_kept_and_nothing_said() -> None:
    encoder = CountingEncoder()
    with CachedEncoder(encoder, VectorCache(None, encoder)) as cached:
        cached.encode(TEXTS)
        cached.encode(TEXTS)
    assert (60, []) == (len(encoder.asked), cached.cache.notes)


def test_the_file_stays_within_its_bound_and_forgets_what_was_used_longest_ago(tmp_path: Path) -> None:
    bound = 1 << 20
    for build in range(12):
        encode(
            tmp_path,
            CountingEncoder(dimension=512),
            [*TEXTS, *(f"build {build} text {number}" for number in range(90))],
            max_bytes=bound,
        )
        assert (tmp_path / FILE_NAME).stat().st_size <= bound + (1 << 17)
    always, latest, first = (CountingEncoder(dimension=512) for _ in range(3))
    encode(tmp_path, always, max_bytes=bound)
    encode(tmp_path, latest, [f"build 11 text {number}" for number in range(90)], max_bytes=bound)
    encode(tmp_path, first, [f"build 0 text {number}" for number in range(90)], max_bytes=bound)
    assert (0, 0, 90) == tuple(len(encoder.asked) for encoder in (always, latest, first))


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        encode(tmp_path / "cache", CountingEncoder())
    finally:
        os.umask(previous)
    assert 0o700 == stat.S_IMODE((tmp_path / "cache").stat().st_mode)
    assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "cache").iterdir()}


def test_two_builds_may_use_it_at_once(tmp_path: Path) -> None:
    first, second = CountingEncoder(), CountingEncoder()
    with CachedEncoder(first, VectorCache(tmp_path, first)) as one, CachedEncoder(second, VectorCache(tmp_path, second)) as two:
        one.encode(TEXTS[:20])
        two.encode(TEXTS[10:])
        one.encode(TEXTS)
    assert (TEXTS[:20], TEXTS[20:], []) == (first.asked, second.asked, one.cache.notes + two.cache.notes)


def test_a_lock_that_is_never_given_back_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.encoders.cache._BUSY_SECONDS", 0.1)
    encode(tmp_path, CountingEncoder())
    holder = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    encoder = CountingEncoder()
    _, notes = encode(tmp_path, encoder)
    holder.close()
    assert (TEXTS, 1) == (encoder.asked, len(notes))
    assert "cannot be used (database is locked)" in notes[0]


def test_a_process_that_is_killed_while_it_writes_leaves_a_cache_that_is_whole(tmp_path: Path) -> None:
    script = (
        "import sys, os, signal, threading; sys.path.insert(0, sys.argv[2]); import test_cache as t; from pathlib import Path\n"
        "encoder = t.CountingEncoder(); cached = t.CachedEncoder(encoder, t.VectorCache(Path(sys.argv[1]), encoder))\n"
        "threading.Timer(float(sys.argv[3]), lambda: os.kill(os.getpid(), signal.SIGKILL)).start(); number = 0\n"
        "while True: cached.encode([f'text {number + each}' for each in range(40)]); number += 40; print(number, flush=True)\n"
    )
    for seconds in (0.05, 0.1, 0.15):
        arguments = [sys.executable, "-c", script, str(tmp_path), str(Path(__file__).parent), str(seconds)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert -9 == done.returncode, done.stderr
        count = int(done.stdout.split()[-1]) if done.stdout else 0
        encoder = CountingEncoder()
        texts = [f"text {number}" for number in range(count)]
        vectors, notes = encode(tmp_path, encoder, texts)
        assert ([], []) == (encoder.asked, notes)
        assert CountingEncoder().encode(texts).tobytes() == vectors.tobytes()
