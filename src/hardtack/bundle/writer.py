"""Indexed files in, the members of a bundle out: the only code that writes a bundle.

Members are written into a staging directory, hashed, made durable and listed in the manifest, which is written last. Then
:mod:`hardtack.bundle.placing` moves the directory to its destination in one step. The bytes depend on the files and their order,
and on nothing else: modes are fixed, the umask and all clocks are ignored, and no member names this machine or a path on it.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hardtack.bundle.engines.documents import Document
from hardtack.bundle.engines.lexical import LexicalWriter
from hardtack.bundle.engines.vector_codes import Bounds, Coded, CodesWriter
from hardtack.bundle.engines.vectors import render_codes
from hardtack.bundle.format import layout, records, tables
from hardtack.bundle.format.cached_parses import CachedParse, CachedParsesWriter, pack_parse
from hardtack.bundle.format.digest import digest_of_descriptor
from hardtack.bundle.format.manifest import Counts, Manifest, Member, render_manifest, with_members
from hardtack.bundle.format.records import ENCODING_BASES, KINDS, ROLES, ChunkRecord
from hardtack.bundle.format.relations import TableToWrite, fact_table, reference_table, relation_table
from hardtack.bundle.format.tables import Row
from hardtack.bundle.format.text import TextWriter
from hardtack.bundle.indexes.columns import Columns
from hardtack.bundle.indexes.cooccurrence import PairsWriter
from hardtack.bundle.indexes.history import CommitToWrite, render_history
from hardtack.bundle.indexes.names import NamesWriter
from hardtack.bundle.indexes.ngrams import RunsWriter
from hardtack.bundle.indexes.words import WordsWriter
from hardtack.bundle.placing import Step
from hardtack.bundle.spool import Spool
from hardtack.descriptors import sync_directory
from hardtack.errors import SourceError
from hardtack.nouns.outline import Skip, SourceFile
from hardtack.nouns.relations import Fact, Reference, Relation
from hardtack.nouns.roles import Role

_PIECE = 4 << 20
_KIND, _NAME = map(records.SYMBOL_FIELDS.index, ("kind", "name"))


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedFile:
    """One source file with everything that is derived from it. Ordinals in its rows count from the file's own first row."""

    line_count: int
    package: str
    imports: tuple[int, int] | None
    parse_status: str
    error_lines: tuple[int, ...]
    symbols: Sequence[Row]
    """Rows in :data:`records.SYMBOL_FIELDS` order; ``file`` is 0, ``parent`` is local."""
    chunks: Sequence[Row]
    """Rows in :data:`records.CHUNK_FIELDS` order; ``file`` is 0, ``first_symbol`` and ``enclosing`` are local."""
    details: Sequence[Row]
    """Rows in :data:`records.DETAIL_FIELDS` order; ``symbol`` local, ascending."""
    imported: Sequence[Row]
    """:class:`relations.Import` values."""
    uses: bytes
    """A msgpack array of two arrays, of :class:`relations.Use` and of :class:`relations.Binding` values with local ``symbol``. It
    stays packed until all files are known."""
    facts: Sequence[Row]
    """:class:`relations.Fact` values; ``symbol`` local."""
    documents: Sequence[Sequence[str]]
    """The lexical document of each chunk: its :data:`documents.TEXT_FIELDS`."""
    tags: Sequence[tuple[int, int]]
    """(symbol, tags) of each symbol that has any: ``symbol`` local, bit ``i`` of the tags for the ``i``-th :class:`model.Tag`."""
    project: tuple[Any, ...] | None
    """The project that the file declares as a package manager's manifest, as a row of :func:`projects.project_row`."""
    words: tuple[bytes, bytes]
    """Its stems, as :func:`words.pack_stems` returns them."""
    pairs: bytes
    """The pairs of stems on one line, as :func:`cooccurrence.pack_pairs` returns them."""
    vectors: bytes
    """float32, one row for each chunk; empty in a keyword-only build, and where ``codes`` are given."""
    codes: bytes = b""
    """The codes of its vectors, where they are copied from an earlier bundle: uint8, one row for each chunk."""
    synopses: Sequence[str] = ()
    """The text to encode for each chunk, where its vectors are not made yet."""
    reading: bytes = b""
    """Its packed :class:`cached_parses.CachedParse`; empty if it is not packed yet."""

    def packed_parse(self) -> bytes:
        """Its packed :class:`cached_parses.CachedParse`."""
        return self.reading or pack_parse(CachedParse(**{name: getattr(self, name) for name in CachedParse._fields}))


class BundleWriter:
    """Takes indexed files in path order, then writes the bundle. A context manager, which ends the writer's thread.

    The thread commits the lexical index and makes members durable, while the caller's thread goes on.
    """

    def __init__(
        self,
        staging: Path,
        scratch: Path,
        *,
        keep_text: bool,
        dimension: int,
        bounds: Bounds | None = None,
        tool_fingerprint: bytes,
        step: Step,
    ) -> None:
        """Start a bundle in ``staging``.

        Args:
            staging: an empty directory that becomes the bundle.
            scratch: an empty directory on the same file system, for an engine's temporary files.
            keep_text: False leaves the source text out.
            dimension: of the vectors; 0 writes none.
            bounds: of the vectors' numbers, by which each is quantised as it comes; None takes the extremes of all vectors.
            tool_fingerprint: 32 bytes that name the program that parsed the files.
            step: called before each write, fsync and rename.
        """
        self._staging = staging
        self._step = step
        self._spools = [Spool(scratch) for _ in range(6)]
        self._files, self._symbols, self._chunks, self._details, parses, blocks = self._spools
        self._text = TextWriter(blocks) if keep_text else None
        self._runs = RunsWriter()
        self._text_bytes = 0
        self._detailed, self._kinds, self._first_symbols = (array("I") for _ in range(3))
        self._chunk_symbols: list[range] = []
        self._names = NamesWriter()
        self._words = WordsWriter()
        self._pairs = PairsWriter()
        self._readings = CachedParsesWriter(tool_fingerprint, parses) if keep_text else None
        self._columns = Columns()
        self._secrets, self._kept, self._encoding_bases, self._roles = (array("I") for _ in range(4))
        self._skips: list[bytes] = []
        self._tags = array("I")
        self._related: dict[str, TableToWrite] = {}
        self._history: Sequence[CommitToWrite] = ()
        self._codes = CodesWriter(dimension, bounds) if dimension else None
        self._coded: Coded | None = None
        self._lexical = LexicalWriter(scratch)
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="hardtack-writer")
        self._committed: Future[object] | None = None
        self._sealed: list[Future[Member]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._beside.shutdown(cancel_futures=True)
        self._lexical.close()
        for spool in self._spools:
            spool.close()

    def add(self, file: SourceFile, indexed: IndexedFile) -> None:
        """Take the next file."""
        number, first_symbol, first_chunk = len(self._files), len(self._symbols), len(self._chunks)
        self._first_symbols.append(first_symbol)
        text_start = self._text_bytes
        if self._text:
            self._text.add(file.text)
            self._runs.add(file.text)
        self._text_bytes += len(file.text)
        self._add_symbols(indexed.symbols, number, first_symbol)
        chunks = [ChunkRecord._make(row) for row in indexed.chunks]
        self._add_chunks(file, indexed, chunks, number, first_symbol)
        names = [row[_NAME] for row in indexed.symbols]
        self._names.add(number, file.path, first_symbol, names)
        self._words.add(*indexed.words)
        self._pairs.add(indexed.pairs)
        if self._readings:
            self._readings.add(indexed.packed_parse())
        self._columns.add(
            length=len(file.text),
            first_chunk=first_chunk,
            chunk_lines=[(chunk.start_line, chunk.end_line) for chunk in chunks],
            symbol_counts=[chunk.symbol_count for chunk in chunks],
            kinds=[row[_KIND] for row in indexed.symbols],
            names=names,
        )
        for symbol, *rest in indexed.details:
            self._details.append(tables.pack_row((symbol + first_symbol, *rest)))
            self._detailed.append(symbol + first_symbol)
        if self._codes and indexed.codes:
            self._codes.add_codes(indexed.codes)
        elif self._codes:
            self._codes.add(indexed.vectors)
        self._secrets.append(len(file.secrets))
        self._kept.append(file.is_kept)
        self._encoding_bases.append(ENCODING_BASES.index(file.encoding_basis))
        row = {
            "path": file.path,
            "language": file.language,
            "content": file.content.value,
            "is_test": file.is_test,
            "encoding": file.encoding,
            "size": file.size,
            "sha256": bytes.fromhex(file.sha256),
            "blob_id": bytes.fromhex(file.blob_id),
            "text_start": text_start,
            "text_length": len(file.text),
            "line_count": indexed.line_count,
            "first_chunk": first_chunk,
            "chunk_count": len(chunks),
            "first_symbol": first_symbol,
            "symbol_count": len(indexed.symbols),
            "package": indexed.package,
            "imports": indexed.imports,
            "parse_status": indexed.parse_status,
            "error_lines": indexed.error_lines,
        }
        self._files.append(tables.pack_row(tuple(row[field] for field in records.FILE_FIELDS)))

    def assign_roles(self, roles: Iterable[Role]) -> None:
        """Take the role of each file, in their order; once, after the last file."""
        self._roles.extend(ROLES.index(role) for role in roles)

    def leave_out(self, skips: Iterable[Skip]) -> None:
        """Take every path that was seen and not indexed, in any order."""
        ordered = sorted(skips, key=lambda skip: (skip.path.encode(), skip.reason, skip.detail))
        self._skips = [tables.pack_row((skip.path, skip.reason.value, skip.detail)) for skip in ordered]

    def remember(self, commits: Sequence[CommitToWrite]) -> None:
        """Take the history, newest commit first; without a commit its members are not written."""
        self._history = commits

    def _add_symbols(self, rows: Sequence[Row], file: int, first_symbol: int) -> None:
        for _, *middle, parent in rows:
            self._symbols.append(tables.pack_row((file, *middle, parent + first_symbol if parent >= 0 else -1)))

    def _add_chunks(
        self, file: SourceFile, indexed: IndexedFile, chunks: Sequence[ChunkRecord], number: int, first_symbol: int
    ) -> None:
        for local, texts in zip(chunks, indexed.documents, strict=True):
            kinds = {row[_KIND] for row in indexed.symbols[local.first_symbol : local.first_symbol + local.symbol_count]}
            chunk = local._replace(
                file=number,
                first_symbol=local.first_symbol + first_symbol,
                enclosing=local.enclosing + first_symbol if local.enclosing >= 0 else -1,
            )
            self._chunks.append(tables.pack_row(chunk))
            self._kinds.append(sum(1 << kind for kind in kinds))
            self._chunk_symbols.append(range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count))
            document = Document(
                texts=tuple(texts), language=file.language, kinds=tuple(KINDS[kind] for kind in sorted(kinds)), file=number
            )
            self._lexical.add(document)

    def end_files(self) -> None:
        """Say that the last file was added: quantise all vectors, and start to commit the lexical index. Before :meth:`relate`."""
        if self._codes:
            self._coded = self._codes.finish()
            self._codes = None
        self._committed = self._beside.submit(self._lexical.finish)

    def relate(
        self,
        relations: Iterable[Relation],
        references: Iterable[tuple[str, Sequence[Reference]]],
        facts: Iterable[Fact],
        tags: Mapping[int, int],
    ) -> None:
        """Take relations, references, facts and tags; once, after :meth:`end_files` and before :meth:`finish`.

        Args:
            relations: in any order.
            references: (name, references) with each name once: that of the target, or without a target the name as used.
            facts: in any order, except that those of one symbol keep theirs.
            tags: ordinal of a symbol to its tags, bit ``i`` for the ``i``-th of :class:`model.Tag`; none for most symbols.
        """
        relations = tuple(relations)
        self._columns.count_imports(relations)
        self._tags = array("I", (tags.get(ordinal, 0) for ordinal in range(len(self._symbols))))
        self._related = {
            layout.RELATIONS: relation_table(relations),
            layout.REFERENCES: reference_table(self._counted(references), self._first_symbols),
            layout.FACTS: fact_table(facts),
        }

    def _counted(self, references: Iterable[tuple[str, Sequence[Reference]]]) -> Iterator[tuple[str, Sequence[Reference]]]:
        """The same, counted one name at a time, since all references at once would take much memory."""
        for name, places in references:
            self._columns.count_references(places)
            yield name, places

    @property
    def counts(self) -> Counts:
        """The counts of what was added so far."""
        return Counts(files=len(self._files), symbols=len(self._symbols), chunks=len(self._chunks), text_bytes=self._text_bytes)

    def finish(self, manifest: Manifest, copies: Mapping[str, Path | bytes]) -> Manifest:
        """Write every member and then the manifest, and make all of it durable.

        Args:
            manifest: everything but ``counts`` and ``members``, which are filled in.
            copies: members to copy, from files or memory: the encoder and its notice, or its probe.

        Raises:
            SourceError: the disk is full or refuses.
        """
        try:
            self._write_members(copies)
            members = sorted((sealed.result() for sealed in self._sealed), key=lambda member: member.name)
            manifest = with_members(manifest, tuple(members))
            self._write(layout.MANIFEST, [render_manifest(manifest)])
            self._sealed.pop().result()
            for directory in (self._staging / layout.LEXICAL, self._staging):
                self._step(f"fsync {directory.name}")
                sync_directory(directory)
        except OSError as error:
            hint = "Free some space and build again."
            raise SourceError(f"The bundle could not be written: {error.strerror}.", hint=hint) from error
        return manifest

    def _write_members(self, copies: Mapping[str, Path | bytes]) -> None:
        own = {"encoding_basis": self._encoding_bases, "secrets": self._secrets, "kept": self._kept, "role": self._roles}
        file_columns = {**own, **self._columns.files}
        self._write(layout.FILES, tables.render_table(records.FILE_FIELDS, self._files, file_columns))
        self._write(layout.SKIPS, tables.render_table(records.SKIP_FIELDS, self._skips, {}))
        symbol_columns = {"tags": self._tags, **self._columns.symbols}
        self._write(layout.SYMBOLS, tables.render_table(records.SYMBOL_FIELDS, self._symbols, symbol_columns))
        chunk_columns = {"kinds": self._kinds, "tags": self._tags_of_chunks(), **self._columns.chunks}
        self._write(layout.CHUNKS, tables.render_table(records.CHUNK_FIELDS, self._chunks, chunk_columns))
        self._write(layout.DETAILS, tables.render_table(records.DETAIL_FIELDS, self._details, {"symbol": self._detailed}))
        for name in [*self._related]:  # freed one by one: the indexes that follow are large while they are rendered
            self._write(name, tables.render_table(*self._related.pop(name)))
        self._write(layout.NAMES, self._names.render())
        self._write(layout.WORDS, self._words.render())
        self._write(layout.PAIRS, self._pairs.render())
        if self._readings:
            self._write(layout.READINGS, self._readings.render())
        if self._text:
            self._write(layout.TEXT, self._text.render())
            self._write(layout.RUNS, self._runs.render())
        for name, pieces in render_history(self._history) if self._history else ():
            self._write(name, pieces)
        for name, source in sorted(copies.items()):
            self._write(name, [source if isinstance(source, bytes) else source.read_bytes()])
        if self._coded is not None:
            self._write(layout.VECTORS, render_codes(self._coded))
        self._write_lexical(self._staging / layout.LEXICAL)

    def _write_lexical(self, directory: Path) -> None:
        assert self._committed is not None  # set by end_files
        self._committed.result()
        self._step("write lexical")
        directory.mkdir()
        directory.chmod(0o755)
        self._lexical.move_to(directory)
        for path in sorted(directory.iterdir()):
            self._seal(path)

    def _tags_of_chunks(self) -> array[int]:
        """For each chunk, the tags of all symbols that start in it."""
        return array("I", (reduce(or_, (self._tags[symbol] for symbol in symbols), 0) for symbols in self._chunk_symbols))

    def _write(self, name: str, pieces: Iterable[bytes]) -> None:
        path = self._staging / name
        with path.open("wb") as file:
            for piece in _gathered(pieces):
                self._step(f"write {name}")
                file.write(piece)
        self._seal(path)

    def _seal(self, path: Path) -> None:
        name = path.relative_to(self._staging).as_posix()
        self._step(f"fsync {name}")
        self._sealed.append(self._beside.submit(_sealed, path, name))


def _sealed(path: Path, name: str) -> Member:
    """Set a member's mode, make its bytes durable, and hash the bytes that are on the disk."""
    path.chmod(0o644)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
        return Member(name=name, size=os.fstat(descriptor).st_size, sha256=digest_of_descriptor(descriptor))
    finally:
        os.close(descriptor)


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in few large pieces."""
    pending = bytearray()
    for piece in pieces:
        pending += piece
        if len(pending) >= _PIECE:
            yield bytes(pending)
            pending.clear()
    if pending:
        yield bytes(pending)
