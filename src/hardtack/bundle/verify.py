"""The rows of a bundle whose members match its manifest in; an error out where they contradict each other or the text.

Columns, posting lists and filters are derived from rows and text, so they are derived again here and compared. Everything else is
checked row by row.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice
from operator import gt, or_
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
from hardtack.nouns.roles import is_own_code

_MOST_WITHOUT_RUNS = 8 << 20
"""Bytes of text whose runs are made where the bundle says of none which blocks have them."""


class Recomputed:
    """Columns, posting lists, pairs and runs, derived from rows and text as the writer derives them."""

    def __init__(self, sizes: Mapping[str, int], runs: RunIndex | None) -> None:
        """Start without files.

        Args:
            sizes: of the members with posting lists and pairs, bytes. What would not fit into them is refused as soon as it is
                made, so that memory is bounded by what the bundle has and not by what its text inflates to.
            runs: the stored runs; None where there is no text.
        """
        self._room = {
            layout.NAMES: sizes[layout.NAMES] // 4,
            layout.WORDS: sizes[layout.WORDS] // 5,
            layout.PAIRS: sizes[layout.PAIRS],
        }
        self._most_runs = runs.counts if runs else (0, 0)
        self._columns = Columns()
        self._names = NamesWriter()
        self._words = WordsWriter() if runs else None
        self._pairs = PairsWriter() if runs else None
        self._runs = RunsWriter(runs.block_size) if runs else None

    def add(
        self, number: int, file: FileRecord, symbols: Sequence[SymbolRecord], chunks: Sequence[ChunkRecord], text: bytes | None
    ) -> None:
        """Take the next file."""
        names = [symbol.name for symbol in symbols]
        self._take(layout.NAMES, self._names.add(number, file.path, file.first_symbol, names))
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
            hashes, counts = pack_stems(decoded)
            pairs = pack_pairs(decoded)
            self._take(layout.WORDS, len(counts))
            self._take(layout.PAIRS, len(pairs) // 4)
            self._words.add(hashes, counts)
            self._pairs.add(pairs)
            if self._most_runs != (0, 0) or file.text_start < _MOST_WITHOUT_RUNS:
                self._runs.add(text)
            if self._most_runs != (0, 0) and any(map(gt, self._runs.counts, self._most_runs)):
                raise FormatError(f"{layout.RUNS} is damaged: it says something else than the text.", field=layout.RUNS)

    def _take(self, member: str, postings: int) -> None:
        self._room[member] -= postings
        if self._room[member] < 0:
            raise _differs(member)

    def compare_columns(self, files: Table, symbols: Table, chunks: Table, related: RelationTables) -> None:
        """Compare the columns of three tables with these, after the last file; ``related`` must have passed its own check.

        Raises:
            FormatError: they differ.
        """
        self._columns.count_imports(related.relations())
        self._columns.count_references(related.references())
        self._columns.compare(files, symbols, chunks)

    def compare_postings(self, members: Mapping[str, memoryview]) -> None:
        """Compare posting lists and pairs with these; without text, only the lists of names.

        Raises:
            FormatError: they differ.
        """
        for name, writer in ((layout.NAMES, self._names), (layout.WORDS, self._words), (layout.PAIRS, self._pairs)):
            at, member = 0, members[name]
            for piece in writer.render() if writer else ():
                if member[at : at + len(piece)] != piece:
                    raise _differs(name)
                at += len(piece)

    def compare_runs(self, runs: RunIndex) -> None:
        """Compare the index of runs with this one, inflated: another version of zlib gives other bytes for the same content.

        Raises:
            FormatError: they differ.
        """
        says_nothing = runs.counts == (0, 0) and runs.text_bytes > _MOST_WITHOUT_RUNS  # which is harmless, and too long to redo
        if self._runs and not says_nothing and self._runs.parts() != runs.parts():
            raise FormatError(f"{layout.RUNS} is damaged: it says something else than the text.", field=layout.RUNS)


def _differs(member: str) -> FormatError:
    what = "bits" if member == layout.PAIRS else "lists"
    return FormatError(f"{member} is damaged: it has other {what} than the files give.", field=member)


def check_details(details: Table, *, symbol_count: int) -> None:
    """Decode the rows of ``descriptors.msgpack``, and compare them with their column and the rows before.

    Raises:
        FormatError: a row is malformed, out of order or of no symbol.
    """
    before = -1
    for row, symbol in enumerate(details.column("symbol")):
        described, _ = details.detail(row)
        if not before < symbol < symbol_count or described != symbol:
            raise FormatError(f"{layout.DETAILS} is damaged: row {row} points outside the bundle.", field=layout.DETAILS)
        before = symbol


def check_skips(skips: Table, manifest: Manifest, is_file: Callable[[str], bool]) -> None:
    """Decode the rows of ``skips.msgpack``, and compare them with the manifest's counts and the rows before.

    Raises:
        FormatError: a row is malformed, out of order or of a file that the bundle has, or the counts differ.
    """
    before, reasons = b"", Counter[str]()
    for row in range(len(skips)):
        skip = skips.skip(row)
        path = skip.path.encode()
        if path < before or is_file(skip.path):
            raise FormatError(f"{layout.SKIPS} is damaged: row {row} is out of order, or of an indexed file.", field=layout.SKIPS)
        before = path
        reasons[skip.reason] += 1
    if reasons != Counter(manifest.skipped):
        raise FormatError("The manifest counts other skipped paths than are listed.", field="skipped")


def check_cached_parses(member: MemberFile | None, *, files: int) -> None:
    """Inflate the cached parse of each file, if the bundle has them. Only the tool that wrote them can check their content.

    Raises:
        FormatError: the member is damaged.
    """
    if member is not None:
        readings = CachedParses(member.map(), files=files)
        for file in range(files):
            readings.check(file)


def check_rows(
    manifest: Manifest,
    *,
    files: Iterable[FileRecord],
    symbols: Iterator[SymbolRecord],
    chunks: Iterator[ChunkRecord],
    kinds: Sequence[int],
    tags: tuple[Sequence[int], Sequence[int]],
    text_of: Callable[[FileRecord], bytes] | None,
    recomputed: Recomputed,
) -> None:
    """Compare rows, each of which was checked by itself, with each other, with the stored text and with the manifest.

    Args:
        manifest: has the counts of files by language and by parse status.
        files: every file, in order.
        symbols: every symbol, in order.
        chunks: every chunk, in order.
        kinds: the column of that name, one number for each chunk.
        tags: the columns of that name, one number for each symbol and one for each chunk.
        text_of: returns a file's text; None if the bundle has none.
        recomputed: gets each file after its check.

    Raises:
        FormatError: they contradict each other.
    """
    before: FileRecord | None = None
    counted = _ManifestCounts()
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
        recomputed.add(number, file, own, own_chunks, text)
        counted.add(file)
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
    if not counted.agrees_with(_ManifestCounts.of(manifest)):
        raise FormatError("The manifest counts other languages or parse results than the files have.", field="languages")


@dataclass(slots=True)
class _ManifestCounts:
    """Files, chunks, lines and bytes of code by language, and files by parse status."""

    languages: dict[str, tuple[int, int, int, int]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set, compare=False)
    """Languages with files of a role that only a later builder knows: their bytes of code cannot be counted."""
    parse_status: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, manifest: Manifest) -> Self:
        """The counts in the manifest."""
        languages = {each.id: (each.files, each.chunks, each.lines, each.code_bytes) for each in manifest.languages}
        return cls(languages=languages, parse_status=Counter(manifest.parse_status))

    def agrees_with(self, stated: Self) -> bool:
        """Whether the manifest states these counts, as far as they can be counted."""
        own, other = (
            {language: counts[:-1] if language in self.unknown else counts for language, counts in each.languages.items()}
            for each in (self, stated)
        )
        return own == other and self.parse_status == stated.parse_status

    def add(self, file: FileRecord) -> None:
        """Count one file."""
        files, chunks, lines, code_bytes = self.languages.get(file.language, (0, 0, 0, 0))
        if not file.role:
            self.unknown.add(file.language)
        code_bytes += file.size * is_own_code(file.content, file.role)
        self.languages[file.language] = (files + 1, chunks + file.chunk_count, lines + file.line_count, code_bytes)
        self.parse_status[file.parse_status] += 1


def _require(holds: bool, member: str, ordinal: int, what: str) -> None:
    if not holds:
        raise FormatError(f"{member} is damaged: row {ordinal} {what}.", field=member)


def _text_end(file: FileRecord) -> int:
    return file.text_start + file.text_length


def _lines(text: bytes) -> int:
    return text.count(b"\n") + (not text.endswith(b"\n") and bool(text))


def _follows(file: FileRecord, before: FileRecord | None) -> bool:
    """Whether a file's path sorts after that of ``before``, and its rows and text begin where those of ``before`` end."""
    starts = (file.first_symbol, file.first_chunk, file.text_start)
    if before is None:
        return starts == (0, 0, 0)
    ends = (before.first_symbol + before.symbol_count, before.first_chunk + before.chunk_count, _text_end(before))
    return starts == ends and before.path.encode() < file.path.encode()


def _check_symbols(symbols: Sequence[SymbolRecord], file: FileRecord) -> None:
    """Require a file's symbols to be in order of their starts, each inside its parent."""
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
    """Require a file's chunks not to overlap, to divide its symbols among them, and to match their text."""
    end, next_symbol, offset, line = 0, file.first_symbol, 0, 1
    holders = {symbol.parent for symbol in symbols}
    # A symbol is in the chunk that has its name, or the start of its span if it holds others (FORMAT.md 4.3): one statement may
    # define many names.
    anchors = [
        symbol.start if number in holders else symbol.selection_start for number, symbol in enumerate(symbols, file.first_symbol)
    ]
    for ordinal, chunk in enumerate(chunks, file.first_chunk):
        span = chunk.span
        _require(end <= span.start < span.end, layout.CHUNKS, ordinal, "overlaps the chunk before it, or is empty")
        _require(chunk.first_symbol == next_symbol, layout.CHUNKS, ordinal, "does not go on with the next symbol")
        first = next_symbol - file.first_symbol
        own = symbols[first : first + chunk.symbol_count]
        places = anchors[first : first + chunk.symbol_count]
        _require(all(end <= place <= span.end for place in places), layout.CHUNKS, ordinal, "claims another's symbols")
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
