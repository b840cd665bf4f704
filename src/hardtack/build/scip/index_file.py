"""A SCIP file in, its digest, its indexer and the places of its documents by path out.

The file is a message of many fields: metadata, a document for each source file, symbols of other projects. It is read field by
field, and a document only when the bundle has its file, so that memory does not grow with the index. Nobody reaches the limits.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from hardtack.build.scip.schema import messages
from hardtack.bundle.format.manifest import Indexer
from hardtack.descriptors import open_file
from hardtack.errors import UsageError

_MAX_BYTES: Final = 1 << 31
_MAX_FIELDS: Final = 4_000_000
_MAX_DOCUMENTS: Final = 250_000
_MAX_METADATA: Final = 1 << 20
MAX_DOCUMENT: Final = 1 << 23
"""Largest document that is read. Parsed it can take thirty times as much memory, if each of its occurrences is empty."""
_MAX_PATH: Final = 4096
_MAX_TAIL: Final = 16
"""Directories of an index's root under which its files may lie in the bundle."""
_MAX_WORDS: Final = 100
"""Longest name or version of an indexer."""

_METADATA: Final = 1
_DOCUMENT: Final = 2
_VARINT, _EIGHT_BYTES, _COUNTED, _FOUR_BYTES = 0, 1, 2, 5
"""Wire types of protobuf."""


_HINT: Final = "Name the file that the indexer wrote."


class Unreadable(Exception):
    """The file is no SCIP index that is read here, for the reason that the message gives."""


class DocumentSpan(NamedTuple):
    """Where in an index a document is."""

    start: int
    size: int


class IndexFile:
    """One index, open. If it is unusable, it has no documents, and ``fault`` says why."""

    def __init__(self, path: Path, handle: BufferedReader) -> None:
        self.path = path
        self._handle = handle
        self.fault = ""
        self.indexer = Indexer(name="", version="", digest="")
        self.root: Sequence[str] = ()
        """The last directories of the path of the project's root."""
        self.documents: dict[str, DocumentSpan] = {}
        self.refused = 0
        """Documents whose paths are not as SCIP wants them, or that are too large."""
        self._state = _state_of(handle)
        try:
            self._scan()
        except (Unreadable, messages().Malformed, OSError) as error:
            self.fault = str(error) if isinstance(error, Unreadable) else "it is no SCIP index, or is cut off"
            self.documents.clear()

    @property
    def is_as_it_was(self) -> bool:
        """Whether nobody has written to the file since it was opened."""
        return _state_of(self._handle) == self._state

    def document(self, place: DocumentSpan) -> Any:
        """The document at a place; None if it cannot be parsed."""
        try:
            self._handle.seek(place.start)
            return messages().document(self._handle.read(place.size))
        except (messages().Malformed, OSError):
            return None

    def _scan(self) -> None:
        size = self._state[0]
        if size > _MAX_BYTES:
            raise Unreadable(f"it has more than {_MAX_BYTES >> 30} GiB")
        digest = hashlib.file_digest(self._handle, "sha256").hexdigest()
        self.indexer = Indexer(name="", version="", digest=f"sha256:{digest}")
        self._handle.seek(0)
        has_metadata = False
        for number, place in self._fields(size):
            if number == _METADATA and not has_metadata and place.size <= _MAX_METADATA:
                self._read_metadata(self._handle.read(place.size))
                has_metadata = True
            elif number == _DOCUMENT:
                self._note_document(place)
        if not has_metadata:
            raise Unreadable("it is no SCIP index, or is cut off")

    def _fields(self, size: int) -> Iterator[tuple[int, DocumentSpan]]:
        """(number, place) of each field that has a size; whoever takes them may move the file's position."""
        at = 0
        for _ in range(_MAX_FIELDS):
            if at == size:
                return
            self._handle.seek(at)
            tag = self._varint()
            number, wire_type = tag >> 3, tag & 7
            length = self._varint() if wire_type == _COUNTED else {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}.get(wire_type, 0)
            if wire_type == _VARINT:
                self._varint()
            at = self._handle.tell()
            if wire_type not in (_VARINT, _EIGHT_BYTES, _COUNTED, _FOUR_BYTES) or at + length > size or number == 0:
                raise Unreadable("it is no SCIP index, or is cut off")
            if wire_type == _COUNTED:
                yield number, DocumentSpan(at, length)
            at += length
        raise Unreadable(f"it has more than {_MAX_FIELDS} fields")

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._handle.read(1)
            if not byte:
                break
            value |= (byte[0] & 0x7F) << shift
            if byte[0] < 0x80:
                return value
        raise Unreadable("it is no SCIP index, or is cut off")

    def _read_metadata(self, data: bytes) -> None:
        metadata = messages().metadata(data)
        name, version = (_words(text) for text in (metadata.tool_info.name, metadata.tool_info.version))
        self.indexer = self.indexer._replace(name=name, version=version)
        try:
            path = unquote(urlsplit(metadata.project_root).path)
        except ValueError:
            path = ""
        parts = [part for part in path.split("/") if part]
        self.root = parts[-_MAX_TAIL:]

    def _note_document(self, place: DocumentSpan) -> None:
        path = ""
        if place.size <= MAX_DOCUMENT:
            path = messages().named(self._handle.read(place.size)).relative_path
        if not is_canonical(path):
            self.refused += 1
        else:
            self.documents.setdefault(path, place)
        if len(self.documents) + self.refused > _MAX_DOCUMENTS:
            raise Unreadable(f"it has more than {_MAX_DOCUMENTS} documents")


def is_canonical(path: str) -> bool:
    """Whether a path is as SCIP wants it: relative, with ``/`` alone, without empty parts, ``.`` and ``..``."""
    return len(path) <= _MAX_PATH and "\\" not in path and path.isprintable() and not {"", ".", ".."} & {*path.split("/")}


def _words(text: str) -> str:
    """A name or version that a stranger chose, as a manifest keeps it."""
    return "".join(character for character in text[:_MAX_WORDS] if character.isascii() and character.isprintable())


def _state_of(handle: BufferedReader) -> tuple[int, int]:
    state = os.fstat(handle.fileno())
    return state.st_size, state.st_mtime_ns


def indexers_of(files: Sequence[IndexFile]) -> tuple[Indexer, ...]:
    """What a manifest says of indexes; not of those that are too large to be looked at."""
    return tuple(each.indexer for each in files if each.indexer.digest)


@contextmanager
def opened_indexes(paths: Sequence[Path]) -> Iterator[tuple[IndexFile, ...]]:
    """The indexes in those files, in that order.

    Raises:
        UsageError: there is no such file.
        MissingExtra: what reads them is not installed.
    """
    with ExitStack() as stack:
        yield tuple(IndexFile(path, stack.enter_context(_opened(path))) for path in paths)


def _opened(path: Path) -> BufferedReader:
    try:
        handle = os.fdopen(open_file(path, follow=True), "rb")
    except OSError as error:
        raise UsageError(f"The SCIP index {path} cannot be opened: {error.strerror}.", hint=_HINT) from error
    if not stat.S_ISREG(os.fstat(handle.fileno()).st_mode):
        handle.close()
        raise UsageError(f"The SCIP index {path} is no file.", hint=_HINT)
    return handle
