"""Texts and an encoder in, vectors out: a cache of vectors between builds, in one SQLite file.

Each batch is written as soon as it is computed, so a build that is killed loses at most the batches under way. An entry's key is a
hash over the encoder's fingerprint and the text; an entry counts only if its own checksum agrees. The cache is optional: where it
cannot be written, is damaged or is locked by another process, vectors are computed as if there were none. A model that changed
behind its name is noticed by its probe, and its vectors are deleted.
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
"""Size above which the least recently used entries are deleted: some 300,000 vectors of 1,536 numbers."""

_TRIMMED_SHARE: Final = 0.75
"""The share of :data:`MAX_BYTES` that is left after deleting, so that not every build deletes again."""

_BUSY_SECONDS: Final = 10.0
_KEYS_AT_ONCE: Final = 500
"""Keys in one SELECT."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS vectors
    (key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL, seal BLOB NOT NULL, encoder TEXT NOT NULL, build INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS by_build ON vectors (build);
CREATE TABLE IF NOT EXISTS encoders (encoder TEXT PRIMARY KEY, probe BLOB NOT NULL);
"""
"""``build`` is the number of the last build that used the entry; ``seal`` is a checksum over key and vector."""


class VectorCache:
    """The vectors of one encoder, on disk. A fault of the disk raises nothing: the cache is then empty. Used by one thread."""

    def __init__(self, directory: Path | None, encoder: ForeignEncoder, *, max_bytes: int = MAX_BYTES) -> None:
        """Open the cache of ``encoder`` in ``directory``. With None, or where it cannot be opened, nothing is cached."""
        self.notes: list[str] = []
        """Messages for the user, one sentence each."""
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
            self._recreate()
        except OSError as error:
            self._give_up(error)

    def _open(self) -> sqlite3.Connection:
        for parent in reversed([each for each in self._path.parents if not each.exists()]):
            parent.mkdir(exist_ok=True, mode=0o700)
            parent.chmod(0o700)  # whatever the umask
        if not self._path.exists():  # before SQLite creates it for everybody to read: vectors reveal much of their text
            self._path.touch(mode=0o600)
            self._path.chmod(0o600)
        connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            for pragma in ("auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = NORMAL", "trusted_schema = OFF"):
                connection.execute(f"PRAGMA {pragma}").fetchall()
            # IMMEDIATE takes the write lock at once: a transaction that begins by reading may fail later instead of waiting for it.
            connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            (self._build,) = connection.execute("SELECT COALESCE(MAX(build), 0) + 1 FROM vectors").fetchone()
            self._check_probe(connection)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _check_probe(self, connection: sqlite3.Connection) -> None:
        """Delete the model's vectors if its probe has changed, and store the new probe."""
        identity, probe = self._encoder.fingerprint, self._encoder.probe
        row = connection.execute("SELECT probe FROM encoders WHERE encoder = ?", (identity,)).fetchone()
        if row is not None and isinstance(row[0], bytes) and len(row[0]) == probe.nbytes:
            if is_same_model(np.frombuffer(row[0], dtype="<f4"), probe):
                return
            count = connection.execute("DELETE FROM vectors WHERE encoder = ?", (identity,)).rowcount
            self.notes.append(f"The model behind '{self._encoder.name}' has changed: {count} vectors that it made are forgotten.")
        connection.execute("INSERT OR REPLACE INTO encoders VALUES (?, ?)", (identity, probe.astype("<f4").tobytes()))

    def get(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """The stored vectors of ``keys``; an entry whose checksum does not agree is left out."""
        found: dict[bytes, NDArray[np.float32]] = {}
        connection = self._connection
        if connection is None:
            return found
        try:
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
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
        """Store ``vectors``: all of them, or none if this process ends in the middle."""
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
        """Delete the least recently used entries once the file is too large."""
        pages, page_size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        if pages * page_size <= self._max_bytes:
            return
        (count,) = connection.execute("SELECT COUNT(*) FROM vectors").fetchone()
        surplus = count - int(count * _TRIMMED_SHARE * self._max_bytes / (pages * page_size))
        oldest = "SELECT rowid FROM vectors ORDER BY build, rowid LIMIT ?"
        connection.execute(f"DELETE FROM vectors WHERE rowid IN ({oldest})", (surplus,))  # noqa: S608  (no value inside)
        connection.execute("PRAGMA incremental_vacuum").fetchall()

    def _lose(self, error: sqlite3.Error) -> None:
        """Go on without the open file: a damaged one is made anew, otherwise the cache is given up."""
        self.close()
        if isinstance(error, sqlite3.OperationalError):
            self._give_up(error)
        else:
            self._recreate()

    def _recreate(self) -> None:
        """Replace a damaged file by an empty one."""
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
    """An encoder that looks into a cache first; a context manager that closes the cache."""

    def __init__(self, encoder: ForeignEncoder, cache: VectorCache) -> None:
        self.name = encoder.name
        self.fingerprint = encoder.fingerprint
        self.dimension = encoder.dimension
        self.reused = 0
        """Vectors that were read from the cache so far."""
        self.made = 0
        """Vectors that the encoder computed so far."""
        self.encoder = encoder
        self.cache = cache

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of ``texts``, shape (texts, dimension); each batch is cached as soon as it is computed.

        Raises:
            EncoderUnavailable: some vectors cannot be computed; those that could are cached.
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
