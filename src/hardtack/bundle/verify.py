"""The rows of a bundle whose members are what its manifest says, held against each other and against the text.

What a builder writes twice, as it is and to be found by, is made once more here; what could not be is followed row by row.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice
from operator import or_
from typing import Self

from hardtack.bundle.format import layout
from hardtack.bundle.format.cached_parses import CachedParses
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.format.members import MemberFile
from hardtack.bundle.format.records import KINDS, ChunkRecord, FileRecord, SymbolRecord, Table
from hardtack.bundle.format.relations import RelationTables
from hardtack.bundle.indexes.columns import Columns
from hardtack.bundle.indexes.cooccurrence import PairsWriter, pack_pairs
from hardtack.bundle.indexes.names import NamesWriter
from hardtack.bundle.indexes.ngrams import RunIndex, RunsWriter
from hardtack.bundle.indexes.words import WordsWriter, pack_stems
from hardtack.errors import FormatError


class Recomputed:
    """Columns, posting lists, pairs and runs, which say again what rows and text say, made once more as the writer made them."""

    def __init__(self, *, block_size: int) -> None:
        """Start without files.

        Args:
            block_size: of the text, bytes; 0 where there is none.
        """
        self._columns = Columns()
        self._names = NamesWriter()
        self._words = WordsWriter() if block_size else None
        self._pairs = PairsWriter() if block_size else None
        self._runs = RunsWriter(block_size) if block_size else None

    def add(
        self, number: int, file: FileRecord, symbols: Sequence[SymbolRecord], chunks: Sequence[ChunkRecord], text: bytes | None
    ) -> None:
        """Take the next file."""
        names = [symbol.name for symbol in symbols]
        self._names.add(number, file.path, file.first_symbol, names)
        self._columns.add(
            length=file.text_length,
            first_chunk=file.first_chunk,
            chunk_lines=[(chunk.start_line, chunk.end_line) for chunk in chunks],
            symbol_counts=[chunk.symbol_count for chunk in chunks],
            kinds=[KINDS.index(symbol.kind) for symbol in symbols],
            names=names,
        )
        if self._words and self._pairs and self._runs and text is not None:
            try:
                decoded = text.decode("utf-8")
            except UnicodeDecodeError as error:
                raise FormatError(f"{layout.TEXT} is damaged: {file.path} is no UTF-8.", field=layout.TEXT) from error
            self._words.add(*pack_stems(decoded))
            self._pairs.add(pack_pairs(decoded))
            self._runs.add(text)

    def compare_columns(self, files: Table, symbols: Table, chunks: Table, related: RelationTables) -> None:
        """Hold the columns of three tables against these, once every file was taken and the relations are known to be sound.

        Raises:
            FormatError: they say something else.
        """
        self._columns.count_imports(related.relations())
        self._columns.count_references(related.references())
        self._columns.compare(files, symbols, chunks)

    def compare_postings(self, members: Mapping[str, memoryview]) -> None:
        """Hold posting lists and pairs that are sound by themselves against these; without text, the lists of names alone.

        Raises:
            FormatError: they say something else.
        """
        made = ((layout.NAMES, self._names, "lists"), (layout.WORDS, self._words, "lists"), (layout.PAIRS, self._pairs, "bits"))
        for name, writer, what in made:
            at, member = 0, members[name]
            for piece in writer.render() if writer else ():
                if member[at : at + len(piece)] != piece:
                    raise FormatError(f"{name} is damaged: it has other {what} than the files give.", field=name)
                at += len(piece)

    def compare_runs(self, runs: RunIndex) -> None:
        """Hold the index of runs against this one: what it says, as another zlib deflates the same otherwise.

        Raises:
            FormatError: it says something else.
        """
        if self._runs and self._runs.parts() != runs.parts():
            raise FormatError(f"{layout.RUNS} is damaged: it says something else than the text.", field=layout.RUNS)


def check_details(details: Table, *, symbol_count: int) -> None:
    """Decode the rows of ``descriptors``, and hold them against their column and those before them.

    Raises:
        FormatError: a row is malformed, comes too late or is of no symbol.
    """
    before = -1
    for row, symbol in enumerate(details.column("symbol")):
        if not before < symbol < symbol_count or details.detail(row)[0] != symbol:
            raise FormatError(f"{layout.DETAILS} is damaged: row {row} points outside the bundle.", field=layout.DETAILS)
        before = symbol


def check_cached_parses(member: MemberFile | None, *, files: int) -> None:
    """Inflate what was read from each file, if the bundle holds that; what it says is its maker's own business.

    Raises:
        FormatError: the member is damaged.
    """
    if member is not None:
        readings = CachedParses(member.map(), files=files)
        for file in range(files):
            readings.parse(file)


def check_rows(
    manifest: Manifest,
    *,
    files: Iterable[FileRecord],
    symbols: Iterator[SymbolRecord],
    chunks: Iterator[ChunkRecord],
    kinds: Sequence[int],
    tags: tuple[Sequence[int], Sequence[int]],
    text_of: Callable[[FileRecord], bytes] | None,
    again: Recomputed,
) -> None:
    """Hold rows that are sound one by one against each other, the stored text and the manifest.

    Args:
        manifest: counts languages and parse results.
        files: every file; ``symbols`` and ``chunks`` likewise, each in order.
        symbols: see ``files``.
        chunks: see ``files``.
        kinds: the column of that name, one number a chunk.
        tags: the columns of that name, one number a symbol and one a chunk.
        text_of: gives a file's text; None where the bundle has none.
        again: is given each file, once it is sound.

    Raises:
        FormatError: they do not agree.
    """
    before: FileRecord | None = None
    tally = _ManifestCounts()
    declaring = {project.path for project in manifest.projects}
    for number, file in enumerate(files):
        _require(_follows(file, before), layout.FILES, number, "does not follow the file before it")
        text = text_of(file) if text_of else None
        _require(text is None or _lines(text) == file.line_count, layout.FILES, number, "has another number of lines")
        own = list(islice(symbols, file.symbol_count))
        _check_symbols(own, file)
        own_chunks = list(islice(chunks, file.chunk_count))
        _check_chunks(own_chunks, own, file, kinds, text)
        _check_tags(own_chunks, file.first_chunk, *tags)
        again.add(number, file, own, own_chunks, text)
        tally.add(file)
        declaring.discard(file.path)
        before = file
    counts = manifest.counts
    ends = (
        (before.first_symbol + before.symbol_count, before.first_chunk + before.chunk_count, _text_end(before))
        if before
        else (0, 0, 0)
    )
    if ends != (counts.symbols, counts.chunks, counts.text_bytes):
        raise FormatError("The files do not add up to the symbols, chunks and text of the bundle.", field="counts")
    if declaring:
        raise FormatError(f"The manifest lists a project declared in {min(declaring)!r}, which is no file of it.", field="projects")
    if tally != _ManifestCounts.promised(manifest):
        raise FormatError("The manifest counts other languages or parse results than the files have.", field="languages")


@dataclass(slots=True)
class _ManifestCounts:
    """Files, chunks and lines by language, and files by parse status: what a manifest says of them."""

    languages: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    parse_status: Counter[str] = field(default_factory=Counter)

    @classmethod
    def promised(cls, manifest: Manifest) -> Self:
        """What the manifest says."""
        languages = {language.id: (language.files, language.chunks, language.lines) for language in manifest.languages}
        return cls(languages=languages, parse_status=Counter(manifest.parse_status))

    def add(self, file: FileRecord) -> None:
        """Count one file."""
        files, chunks, lines = self.languages.get(file.language, (0, 0, 0))
        self.languages[file.language] = (files + 1, chunks + file.chunk_count, lines + file.line_count)
        self.parse_status[file.parse_status] += 1


def _require(holds: bool, member: str, ordinal: int, what: str) -> None:
    if not holds:
        raise FormatError(f"{member} is damaged: row {ordinal} {what}.", field=member)


def _text_end(file: FileRecord) -> int:
    return file.text_start + file.text_length


def _lines(text: bytes) -> int:
    return text.count(b"\n") + (not text.endswith(b"\n") and bool(text))


def _follows(file: FileRecord, before: FileRecord | None) -> bool:
    """Whether a file comes after ``before`` by path, and its rows and text begin where that one's end."""
    starts = (file.first_symbol, file.first_chunk, file.text_start)
    if before is None:
        return starts == (0, 0, 0)
    ends = (before.first_symbol + before.symbol_count, before.first_chunk + before.chunk_count, _text_end(before))
    return starts == ends and before.path.encode() < file.path.encode()


def _check_symbols(symbols: Sequence[SymbolRecord], file: FileRecord) -> None:
    """A file's symbols: in order of where they start, each inside its parent."""
    start = 0
    for number, symbol in enumerate(symbols):
        ordinal = file.first_symbol + number
        _require(start <= symbol.extent_start, layout.SYMBOLS, ordinal, "starts before the symbol before it")
        start = symbol.extent_start
        if symbol.parent >= 0:
            span, outer = symbol.span, symbols[symbol.parent - file.first_symbol].span
            _require(outer.start <= span.start and span.end <= outer.end, layout.SYMBOLS, ordinal, "lies outside its parent")


def _check_chunks(
    chunks: Sequence[ChunkRecord], symbols: Sequence[SymbolRecord], file: FileRecord, kinds: Sequence[int], text: bytes | None
) -> None:
    """A file's chunks: one after another, sharing out its symbols, each telling the truth of its own text."""
    end, next_symbol, offset, line = 0, file.first_symbol, 0, 1
    for ordinal, chunk in enumerate(chunks, file.first_chunk):
        span = chunk.span
        _require(end <= span.start < span.end, layout.CHUNKS, ordinal, "overlaps the chunk before it, or is empty")
        _require(chunk.first_symbol == next_symbol, layout.CHUNKS, ordinal, "does not go on with the next symbol")
        first = next_symbol - file.first_symbol
        own = symbols[first : first + chunk.symbol_count]
        _require(all(end <= symbol.span.start <= span.end for symbol in own), layout.CHUNKS, ordinal, "claims another's symbols")
        bits = sum({1 << KINDS.index(symbol.kind) for symbol in own})
        _require(kinds[ordinal] == bits, layout.CHUNKS, ordinal, "has other kinds than its symbols")
        if chunk.enclosing >= 0:
            outer = symbols[chunk.enclosing - file.first_symbol]
            holds = outer.extent_start <= span.start and span.end <= outer.span.end
            _require(holds, layout.CHUNKS, ordinal, "lies outside the symbol that encloses it")
        if text is not None:
            line += text.count(b"\n", offset, span.start)
            _check_text(chunk, text[span.start : span.end], line, ordinal)
            offset = span.start
        end, next_symbol = span.end, next_symbol + chunk.symbol_count
    all_taken = next_symbol == file.first_symbol + file.symbol_count
    last = file.first_chunk + len(chunks) - 1
    _require(all_taken or not chunks, layout.CHUNKS, last, "is its file's last and leaves symbols over")


def _check_tags(chunks: Sequence[ChunkRecord], first_chunk: int, of_symbols: Sequence[int], of_chunks: Sequence[int]) -> None:
    for ordinal, chunk in enumerate(chunks, first_chunk):
        own = of_symbols[chunk.first_symbol : chunk.first_symbol + chunk.symbol_count]
        _require(of_chunks[ordinal] == reduce(or_, own, 0), layout.CHUNKS, ordinal, "has other tags than its symbols")


def _check_text(chunk: ChunkRecord, code: bytes, line: int, ordinal: int) -> None:
    try:
        characters = len(code.decode("utf-8"))
    except UnicodeDecodeError:
        characters = -1
    lines = (line, line + code.count(b"\n"))
    _require(characters >= 0, layout.CHUNKS, ordinal, "begins or ends inside a character")
    _require((chunk.span.start_line, chunk.span.end_line) == lines, layout.CHUNKS, ordinal, "has other line numbers than its text")
    _require(chunk.token_count == -(-characters // 4), layout.CHUNKS, ordinal, "has another token count than its text")
    digest = hashlib.sha256(code).digest()
    _require(chunk.content_hash == digest, layout.CHUNKS, ordinal, "has another content_hash than its text")
