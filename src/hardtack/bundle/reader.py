"""A path in, a checked :class:`Bundle` out. Only :func:`open_bundle` makes one, so a Bundle gives verified bytes alone.

Members are mapped and read on demand. Nothing is written: no lock, no cache, no access time. Numbers in one table that point into
another are checked when they are followed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path, PurePath
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from hardtack.bundle.engines.documents import Document, document_of
from hardtack.bundle.engines.lexical import LexicalIndex, open_index, rebuild_index
from hardtack.bundle.format import layout, records
from hardtack.bundle.format.digest import is_digest
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.format.members import MemberFile
from hardtack.bundle.format.records import ChunkRecord, FileRecord, SymbolRecord, Table
from hardtack.bundle.format.text import TextStore
from hardtack.bundle.indexes.columns import (
    StoredColumns,
    is_chunk_inside,
    is_file_inside,
    is_symbol_inside,
    points_nowhere,
    starts_of_texts,
)
from hardtack.bundle.indexes.cooccurrence import PairFilter
from hardtack.bundle.indexes.names import NameIndex
from hardtack.bundle.indexes.words import WordIndex
from hardtack.bundle.integrity import open_members
from hardtack.bundle.naming import index_name
from hardtack.errors import BundleError, FormatError, UsageError
from hardtack.nouns.model import MovedOn, Tag
from hardtack.text import fingerprint

if TYPE_CHECKING:
    from hardtack.bundle.engines.vectors import VectorIndex
    from hardtack.bundle.format.relations import RelationTables
    from hardtack.bundle.indexes.history import CommitHistory
    from hardtack.bundle.indexes.ngrams import RunIndex
    from hardtack.nouns.details import Detail

Check = Literal["sizes", "hashes"]


def open_bundle(path: Path, *, check: Check = "hashes", digest: str | None = None) -> Bundle:
    """Verify the bundle at ``path`` and open it.

    Args:
        path: the bundle's directory, or a pack.
        check: ``hashes`` reads and hashes every member, of a pack as it is stored (:meth:`Bundle.check_members` hashes the rest);
            ``sizes`` trusts the members' content, for a bundle that was hashed when it was installed. The manifest, the format
            version, the list of members and their sizes are checked by both.
        digest: refuse any bundle but this one.

    Raises:
        BundleNotFound: there is no bundle.
        UnsupportedFormat: it has a format version this program does not read.
        FormatError: its manifest or a member breaks the format.
        IntegrityError: members differ from the manifest, or the bundle is not ``digest``.
    """
    if digest is not None and not is_digest(digest):
        raise UsageError(f"{digest!r} is not a bundle digest.", hint="A digest is 'sha256:' and 64 lower-case hex digits.")
    opened = open_members(path, hashes=check == "hashes", digest=digest)
    try:
        return Bundle(path, opened.manifest, opened.digest, opened.members)
    except BundleError:
        opened.close()
        raise


class Bundle:
    """A verified bundle, open for reading. Use :func:`open_bundle`; usable as a context manager; safe to share between threads."""

    def __init__(self, path: Path, manifest: Manifest, digest: str, members: dict[str, MemberFile]) -> None:
        self.path, self.manifest = path, manifest
        self.digest, self.name = digest, index_name(path)
        """The digest of the manifest's bytes, which names the content of the whole bundle; and its name."""
        self.places: Callable[[], Sequence[PurePath]] = tuple
        """Gives the directories of this machine that have its files, where whoever opened it knows any."""
        self.moved_on: MovedOn | None = None
        """How the working tree that it was opened for differs, where whoever opened it knows."""
        self._members, self._engines = members, RLock()
        self._files = Table(layout.FILES, members[layout.FILES].map(), records.FILE_FIELDS)
        self._symbols = Table(layout.SYMBOLS, members[layout.SYMBOLS].map(), records.SYMBOL_FIELDS)
        self._chunks = Table(layout.CHUNKS, members[layout.CHUNKS].map(), records.CHUNK_FIELDS)
        counts = manifest.counts
        for table, promised in ((self._files, counts.files), (self._symbols, counts.symbols), (self._chunks, counts.chunks)):
            if len(table) != promised:
                raise FormatError("A table has another number of rows than the manifest says.", field="counts")
        self.file = lru_cache(maxsize=1 << 14)(self._file)
        self.chunk = lru_cache(maxsize=1 << 14)(self._chunk)
        self.symbol = lru_cache(maxsize=1 << 14)(self._symbol)
        self.detail = lru_cache(maxsize=1 << 13)(self._detail)
        self.symbol_name = lru_cache(maxsize=1 << 15)(self._symbols.symbol_name)

    def check_members(self) -> None:
        """Unpack and hash the members of a pack that were not read yet; raises IntegrityError if one is not what is listed."""
        for member in self._members.values():
            member.map()

    def _file(self, ordinal: int) -> FileRecord:
        record = self._files.file(ordinal)
        if not is_file_inside(record, self.manifest.counts):
            raise points_nowhere(layout.FILES, ordinal)
        return record

    def _symbol(self, ordinal: int) -> SymbolRecord:
        record = self._symbols.symbol(ordinal)
        if record.file >= len(self._files):
            raise points_nowhere(layout.SYMBOLS, ordinal)
        if not is_symbol_inside(record, ordinal, self.file(record.file)):
            raise points_nowhere(layout.SYMBOLS, ordinal)
        return record

    def _chunk(self, ordinal: int) -> ChunkRecord:
        record = self._chunks.chunk(ordinal)
        if record.file >= len(self._files):
            raise points_nowhere(layout.CHUNKS, ordinal)
        if not is_chunk_inside(record, ordinal, self.file(record.file)):
            raise points_nowhere(layout.CHUNKS, ordinal)
        return record

    @cached_property
    def _details(self) -> Table:
        """Read on demand, since a search does without it."""
        return Table(layout.DETAILS, self._members[layout.DETAILS].map(), records.DETAIL_FIELDS)

    @cached_property
    def files(self) -> Sequence[FileRecord]:
        """Every file, in path order. Decodes the whole table once."""
        return tuple(self.file(ordinal) for ordinal in range(len(self._files)))

    def check_records(self) -> None:
        """Decode every row of every table and all of the text, and compare them with each other.

        Opening a bundle checks no rows, and hashes cannot find what was wrong when the bundle was built.

        Raises:
            FormatError: a row is malformed, points outside the bundle or contradicts another.
        """
        from hardtack.bundle import verify  # a search checks what it reads

        self.check_members()
        _ = self.names, self.words, self.pairs  # their frames: what the rows give must fit into them
        sizes = {name: self._members[name].size for name in (layout.NAMES, layout.WORDS, layout.PAIRS)}
        recomputed = verify.Recomputed(sizes, self.runs if self.has_text else None)
        verify.check_rows(
            self.manifest,
            files=map(self._file, range(len(self._files))),
            symbols=map(self._symbol, range(len(self._symbols))),
            chunks=map(self._chunk, range(len(self._chunks))),
            kinds=self.kinds_of_chunks,
            tags=(self._symbols.column("tags"), self.tags_of_chunks),
            text_of=self.text_of if self.has_text else None,
            recomputed=recomputed,
        )
        verify.check_details(self._details, symbol_count=len(self._symbols))
        verify.check_skips(self.skips, self.manifest, lambda path: self.file_at(path) is not None)
        verify.check_cached_parses(self._members.get(layout.READINGS), files=len(self._files))
        self.related.check(lambda ordinal: self.symbol_name(ordinal).name)
        if self.history:
            self.history.check(lambda ordinal: self.symbol(ordinal).file)
        recomputed.compare_columns(self._files, self._symbols, self._chunks, self.related)
        self.names.check()
        self.words.check()
        recomputed.compare_postings({name: self._members[name].map() for name in (layout.NAMES, layout.WORDS, layout.PAIRS)})
        if self.has_text:
            recomputed.compare_runs(self.runs)

    @cached_property
    def skips(self) -> Table:
        """What the build saw and left out, one row a path, in order of paths. Read on demand: hardly any request asks for it."""
        return Table(layout.SKIPS, self._members[layout.SKIPS].map(), records.SKIP_FIELDS)

    @cached_property
    def columns(self) -> StoredColumns:
        """Numbers of all files, symbols and chunks, for ranking."""
        return StoredColumns(self._files, self._symbols, self._chunks)

    @cached_property
    def names(self) -> NameIndex:
        """Which files and symbols have which words in their names. Raises what ``lexical`` raises."""
        self._require_own_terms()
        counts = self.manifest.counts
        names = NameIndex(self._members[layout.NAMES].map(), files=counts.files, symbols=counts.symbols)
        names.check_lists()
        return names

    @cached_property
    def words(self) -> WordIndex:
        """Which files have which words. Raises what ``lexical`` raises."""
        self._require_own_terms()
        words = WordIndex(self._members[layout.WORDS].map(), files=self.manifest.counts.files)
        words.check()
        return words

    @cached_property
    def pairs(self) -> PairFilter:
        """Which two words stand on one line of which file. Raises what ``lexical`` raises."""
        self._require_own_terms()
        return PairFilter(self._members[layout.PAIRS].map())

    @property
    def kinds_of_chunks(self) -> memoryview[int]:
        """One unsigned 32-bit number for each chunk: bit k is set if a symbol of kind ``records.KINDS[k]`` starts in it."""
        return self._chunks.column("kinds")

    @property
    def kinds_of_symbols(self) -> memoryview[int]:
        """One unsigned 32-bit number for each symbol: the place of its kind in ``records.KINDS``; in a forged bundle any number."""
        return self._symbols.column("kind")

    @property
    def tags_of_chunks(self) -> memoryview[int]:
        """One unsigned 32-bit number for each chunk: bit i is set if a symbol that starts in it has the i-th :class:`Tag`."""
        return self._chunks.column("tags")

    def tags_of(self, ordinal: int) -> tuple[Tag, ...]:
        """The tags of the symbol of that ordinal, in the order of :class:`Tag`."""
        bits = self._symbols.column("tags")[ordinal]
        return tuple(tag for tag in Tag if bits & tag.bit) if bits else ()

    def _detail(self, ordinal: int) -> Detail:
        """The detail of the symbol of that ordinal; an empty one if none is stored."""
        from hardtack.bundle.format.details import NO_DETAIL  # a search does without it

        symbols = self._details.column("symbol")
        row = bisect_left(symbols, ordinal)
        if row == len(symbols) or symbols[row] != ordinal:
            return NO_DETAIL
        symbol, detail = self._details.detail(row)
        if symbol != ordinal:
            raise points_nowhere(layout.DETAILS, row)
        return detail

    def symbols_of(self, chunk: ChunkRecord) -> list[SymbolRecord]:
        """The symbols that start in a chunk, outer before inner."""
        return [self.symbol(ordinal) for ordinal in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count)]

    def file_at(self, path: str) -> FileRecord | None:
        """The file at that path, or None. A binary search, since paths are stored in byte order."""
        wanted = path.encode("utf-8", "surrogatepass")
        at = bisect_left(range(len(self._files)), wanted, key=self._files.text)
        return self.file(at) if at < len(self._files) and self.file(at).path == path else None

    @cached_property
    def text(self) -> TextStore:
        """The text of all files. Raises UsageError if the bundle was built without text."""
        member = self._members.get(layout.TEXT)
        if member is None:
            raise UsageError("The bundle was built without source text.", code="FILE_UNREADABLE", hint="Build it with --text full.")
        store = TextStore(layout.TEXT, member.map())
        if store.length != self.manifest.counts.text_bytes:
            raise FormatError("text.blocks has another length than the manifest says.", field=layout.TEXT)
        return store

    @cached_property
    def runs(self) -> RunIndex:
        """Which blocks of the text can contain a given text. Raises UsageError as ``text`` does."""
        text = self.text
        from hardtack.bundle.indexes.ngrams import RunIndex  # only a literal search needs it

        sizes = {"text_bytes": text.length, "block_size": text.block_size, "stored_bytes": self._members[layout.TEXT].size}
        return RunIndex(self._members[layout.RUNS].map(), blocks=text.block_count, **sizes)

    @cached_property
    def text_starts(self) -> Sequence[int]:
        """Where each file's text begins in the text of all files, and where the last one ends."""
        return starts_of_texts(self._files, self.manifest.counts)

    @property
    def has_text(self) -> bool:
        """Whether the source text is in the bundle."""
        return layout.TEXT in self._members

    def text_of(self, file: FileRecord, start: int = 0, end: int | None = None) -> bytes:
        """Bytes ``start`` to ``end`` of one file's stored text, all of it by default: :data:`layout.TEXT_LIMIT` at most.

        Raises:
            UsageError: the bundle was built without text.
        """
        end = file.text_length if end is None else end
        if not 0 <= start <= end <= min(file.text_length, layout.TEXT_LIMIT):
            raise FormatError(f"{file.path} has no bytes {start} to {end}.", field=layout.TEXT)
        return self.text.read(file.text_start + start, file.text_start + end)

    @cached_property
    def related(self) -> RelationTables:
        """Relations, references and facts. Raises FormatError if a member is not such a table."""
        from hardtack.bundle.format.relations import RelationTables  # a search does without it

        members, counts = self._members, self.manifest.counts
        return RelationTables(
            {name: members[name].map() for name in (layout.RELATIONS, layout.REFERENCES, layout.FACTS)},
            file=self.file,
            file_count=counts.files,
            symbol_count=counts.symbols,
        )

    @cached_property
    def history(self) -> CommitHistory | None:
        """The last commits of the source and what each changed; None in a bundle without. Read on demand."""
        from hardtack.bundle.indexes.history import history_of  # a search does without it

        return history_of(self.manifest, self._members, self._require_own_terms)

    @property
    def has_vectors(self) -> bool:
        """Whether the bundle has vectors."""
        return layout.VECTORS in self._members and self.manifest.encoder is not None

    @property
    def vectors(self) -> VectorIndex:
        """The mapped vectors. Raises UsageError if the bundle was built keyword-only."""
        with self._engines:
            return self._vectors

    @cached_property
    def _vectors(self) -> VectorIndex:
        from hardtack.bundle.engines.vectors import VectorIndex

        encoder = self.manifest.encoder
        if encoder is None or not self.has_vectors:
            raise UsageError("The bundle has no vectors.", code="EMBEDDING_UNAVAILABLE", hint="Search it in keyword mode.")
        return VectorIndex(self._members[layout.VECTORS], count=self.manifest.counts.chunks, dimension=encoder.dimension)

    @property
    def lexical(self) -> LexicalIndex:
        """The lexical index; built again in memory if no directory can be made for its links.

        Raises:
            FormatError: the bundle's terms were split by other rules than this program's.
        """
        with self._engines:
            return self._lexical

    @cached_property
    def _lexical(self) -> LexicalIndex:
        self._require_own_terms()
        members = [member for name, member in self._members.items() if layout.is_lexical_name(name)]
        return open_index(members, count=len(self._chunks)) or rebuild_index(self._documents(), count=len(self._chunks))

    def _require_own_terms(self) -> None:
        if self.manifest.terms_fingerprint != fingerprint():
            raise FormatError("The bundle's terms were split by other rules than this Hardtack's.", field="terms_fingerprint")

    def _documents(self) -> Iterator[Document]:
        for ordinal in range(len(self._chunks)):
            chunk = self._chunk(ordinal)
            file = self.file(chunk.file)
            yield document_of(
                path=file.path,
                language=file.language,
                file=chunk.file,
                symbols=self.symbols_of(chunk),
                enclosing=self.symbol(chunk.enclosing) if chunk.enclosing >= 0 else None,
                body=self.text_of(file, chunk.start, chunk.end).decode("utf-8", "replace"),
            )

    def encoder_buffers(self) -> tuple[bytes, memoryview]:
        """The bundle's encoder: the bytes of its vocabulary member, and its mapped table.

        Raises:
            FormatError: the bundle has no encoder.
        """
        try:
            vocabulary, table = self._members[layout.ENCODER], self._members[layout.ENCODER_TABLE]
        except KeyError as error:
            raise FormatError("The bundle carries no encoder.", field=layout.ENCODER) from error
        return vocabulary.read(layout.ENCODER_LIMIT), table.map()

    def member(self, name: str) -> MemberFile | None:
        """The member of that name, or None."""
        return self._members.get(name)

    @property
    def is_unchanged(self) -> bool:
        """Whether no member was written to or cut since it was checked. Replacing or deleting the bundle leaves it unchanged."""
        return all(member.is_unchanged for member in self._members.values())

    def close(self) -> None:
        """Close every member's file. Mapped memory stays valid until the last view of it is dropped."""
        for member in self._members.values():
            member.close()
        with self._engines:
            if lexical := self.__dict__.get("_lexical"):
                lexical.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
