"""Texts and an encoder in, vectors out, each made once: what was made before is kept in one SQLite file between builds.

Every batch is kept as soon as it is there, so a build that is killed has lost at most what was under way, and the next one goes on
behind it. An entry is found by a hash over the encoder's fingerprint and the text, and believed only if its own hash agrees. The
cache is never needed: where it cannot be written, is damaged or is held by somebody else, vectors are made as if there were none. A
model that changed behind its name is noticed by its probe, and what it gave before is forgotten.
"""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.encoders.foreign import is_same_model, says_something

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from numpy.typing import NDArray

    from hardtack.encoders.foreign import ForeignEncoder

# 1: first version.
CACHE_VERSION: Final = 1

FILE_NAME: Final = f"vectors-{CACHE_VERSION}.sqlite3"

MAX_BYTES: Final = 2 << 30
"""Size from which the entries that were not used for longest are dropped: some 300,000 vectors of 1,536 numbers."""

_KEPT_SHARE: Final = 0.75
"""Of :data:`MAX_BYTES`, what is left after dropping: not every build then drops again."""

_BUSY_SECONDS: Final = 10.0
_ASKED_AT_ONCE: Final = 500

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS vectors
    (key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL, seal BLOB NOT NULL, encoder TEXT NOT NULL, build INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS by_build ON vectors (build);
CREATE TABLE IF NOT EXISTS encoders (encoder TEXT PRIMARY KEY, probe BLOB NOT NULL);
"""
"""``build`` counts builds and is that of the last one that used the entry; ``seal`` is a hash over key and vector."""


class VectorCache:
    """The vectors that one encoder has made, on disk. Never raises for what the disk does; used by one thread."""

    def __init__(self, directory: Path | None, encoder: ForeignEncoder, *, max_bytes: int = MAX_BYTES) -> None:
        """Open the cache in ``directory`` for ``encoder``; one that keeps nothing if that is None, or cannot be used."""
        self.notes: list[str] = []
        """What the user should know, one sentence each."""
        self._path = (directory or Path()) / FILE_NAME
        self._encoder = encoder
        self._max_bytes = max_bytes
        self._build = 0
        self._connection: sqlite3.Connection | None = None
        if directory is None:
            return
        try:
            self._connection = self._open()
        except sqlite3.OperationalError as error:
            self._give_up(error)
        except sqlite3.DatabaseError:
            self.notes.append(f"The vectors kept in {self._path} were damaged and are made again.")
            self._begin_again()
        except OSError as error:
            self._give_up(error)

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path.touch(mode=0o600)  # before SQLite makes it: vectors tell much of the text they are of
        connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            for pragma in ("auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = NORMAL", "trusted_schema = OFF"):
                connection.execute(f"PRAGMA {pragma}").fetchall()
            connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            (self._build,) = connection.execute("SELECT COALESCE(MAX(build), 0) + 1 FROM vectors").fetchone()
            self._meet(connection)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _meet(self, connection: sqlite3.Connection) -> None:
        """Forget what a model gave that has changed since; remember how it is now."""
        identity, probe = self._encoder.fingerprint, self._encoder.probe
        row = connection.execute("SELECT probe FROM encoders WHERE encoder = ?", (identity,)).fetchone()
        if row is not None and isinstance(row[0], bytes) and len(row[0]) == probe.nbytes:
            if is_same_model(np.frombuffer(row[0], dtype="<f4"), probe):
                return
            count = connection.execute("DELETE FROM vectors WHERE encoder = ?", (identity,)).rowcount
            self.notes.append(f"The model behind '{self._encoder.name}' has changed: {count} vectors that it made are forgotten.")
        connection.execute("INSERT OR REPLACE INTO encoders VALUES (?, ?)", (identity, probe.astype("<f4").tobytes()))

    def get(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """What is kept under ``keys`` and is what was put there."""
        found: dict[bytes, NDArray[np.float32]] = {}
        connection = self._connection
        if connection is None:
            return found
        try:
            for start in range(0, len(keys), _ASKED_AT_ONCE):
                some = keys[start : start + _ASKED_AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = connection.execute(f"SELECT key, vector, seal FROM vectors WHERE key IN ({marks})", some)  # noqa: S608  (only question marks)
                found |= {
                    key: np.frombuffer(vector, dtype="<f4") for key, vector, seal in rows if self._is_whole(key, vector, seal)
                }
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("UPDATE vectors SET build = ? WHERE key = ?", [(self._build, key) for key in found])
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._lose(error)
        return found

    def put(self, vectors: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Keep ``vectors``, all of them or, if this process ends in the middle, none."""
        connection = self._connection
        if connection is None:
            return
        rows = []
        for key, vector in vectors.items():
            content = vector.astype("<f4").tobytes()
            rows.append((key, content, _seal(key, content), self._encoder.fingerprint, self._build))
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)", rows)
            connection.execute("COMMIT")
            self._trim(connection)
        except sqlite3.Error as error:
            self._lose(error)

    def _is_whole(self, key: object, vector: object, seal: object) -> bool:
        if not (isinstance(key, bytes) and isinstance(vector, bytes) and len(vector) == 4 * self._encoder.dimension):
            return False
        return seal == _seal(key, vector)

    def _trim(self, connection: sqlite3.Connection) -> None:
        """Drop what was not used for longest once the file is too large."""
        pages, page_size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        if pages * page_size <= self._max_bytes:
            return
        (count,) = connection.execute("SELECT COUNT(*) FROM vectors").fetchone()
        surplus = count - int(count * _KEPT_SHARE * self._max_bytes / (pages * page_size))
        oldest = "SELECT rowid FROM vectors ORDER BY build, rowid LIMIT ?"
        connection.execute(f"DELETE FROM vectors WHERE rowid IN ({oldest})", (surplus,))  # noqa: S608  (no value inside)
        connection.execute("PRAGMA incremental_vacuum").fetchall()

    def _lose(self, error: sqlite3.Error) -> None:
        """Go on without: what is damaged is made anew, anything else is left as it is."""
        self.close()
        if isinstance(error, sqlite3.OperationalError):
            self._give_up(error)
        else:
            self._begin_again()

    def _begin_again(self) -> None:
        """An empty cache in place of a damaged one, for as long as the disk lets us."""
        try:
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            self._connection = self._open()
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        reason = getattr(error, "strerror", None) or error
        self.notes.append(f"Vectors are not kept for the next build: {self._path} cannot be used ({reason}).")

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


class CachedEncoder:
    """An encoder that asks its cache first; a context manager that closes it."""

    def __init__(self, encoder: ForeignEncoder, cache: VectorCache) -> None:
        self.name = encoder.name
        self.fingerprint = encoder.fingerprint
        self.dimension = encoder.dimension
        self.reused = 0
        """Vectors that came from the cache so far."""
        self.made = 0
        """Vectors that the encoder made so far."""
        self.encoder = encoder
        self.cache = cache

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of ``texts``, shape (texts, dimension), each kept as soon as it is there.

        Raises:
            EncoderUnavailable: not all can be had; those that could are kept.
        """
        keys = [self._key_of(text) for text in texts]
        wanted = {key: text for key, text in zip(keys, texts, strict=True) if says_something(text)}
        found = self.cache.get(list(wanted))
        self.reused += len(found)
        missing = {key: text for key, text in wanted.items() if key not in found}
        missing_keys = list(missing)
        for places, rows in self.encoder.batches(list(missing.values())):
            made = {missing_keys[place]: row for place, row in zip(places, rows, strict=True)}
            self.cache.put(made)
            self.made += len(made)
            found |= made
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, key in zip(vectors, keys, strict=True):
            if key in found:
                row[:] = found[key]
        return vectors

    def _key_of(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.fingerprint} ".encode() + text.encode("utf-8", "surrogatepass")).digest()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.cache.close()


def _seal(key: bytes, vector: bytes) -> bytes:
    return hashlib.blake2b(key + vector, digest_size=16).digest()
