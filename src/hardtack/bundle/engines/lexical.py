"""Terms in, a Tantivy index out; the index in, BM25 candidates out. The only module that uses Tantivy.

Each chunk is one document. One thread writes them in chunk order into one segment, so that two builds write the same bytes; the
segment's random id is replaced by one derived from the content (FORMAT.md 7). A document's terms are indexed by
Tantivy's ``whitespace`` analyser. Queries are built from terms without Tantivy's query parser, which deeply nested text can
crash.

Tantivy makes a lock file beside an index that it opens, which a read-only bundle does not allow. So the index is opened through a
private directory of links, or of copies where the system has no paths for open files. Where no directory can be made, the same
documents are indexed again in memory, with the same results.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import tantivy

from hardtack.bundle.engines.documents import TEXT_FIELDS, Document
from hardtack.bundle.engines.private_directory import linked, remove
from hardtack.bundle.format import layout
from hardtack.bundle.format.members import MemberFile
from hardtack.errors import BuildError, FormatError, SourceError
from hardtack.nouns.model import Kind
from hardtack.text import MAX_TERM_CHARACTERS, whole_name

_SEGMENT_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""A segment's id as Tantivy writes it: a UUID."""
_HEAP: Final = 2_000_000_000  # a full heap would end the segment, and there must be one segment; it is allocated as it is used
_KEPT_QUERIES: Final = 1 << 13
"""Term queries and frequencies that are cached, one for each field and term: queries of one bundle share many terms."""
_FOOTER: Final = struct.Struct("<II")
_FOOTER_MAGIC: Final = 1337
_STORE_FOOTER: Final = struct.Struct("<IQ16s")  # version, where the skip list begins, what decompresses and 15 reserved bytes
_STORE_LAYERS: Final = 16
_DOCUMENT: Final = attrgetter("doc")


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in TEXT_FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    for field in ("language", "kind"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("file", indexed=True)
    builder.add_unsigned_field("ordinal", fast=True)
    return builder.build()


@contextlib.contextmanager
def _guarded(raised: Callable[[str], Exception]) -> Iterator[None]:
    """Turn Tantivy's errors into ours. A Rust panic is a ``BaseException`` of a class that cannot be imported."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise raised(str(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise raised("it panicked") from None


class LexicalWriter:
    """Takes documents in chunk order and indexes them in the directory ``scratch``, or in memory if that is None."""

    def __init__(self, scratch: Path | None) -> None:
        self._scratch = scratch
        self._count = 0
        with _guarded(_not_built):
            self._index = tantivy.Index(_schema(), path=str(scratch) if scratch else None)
            self._writer = self._index.writer(heap_size=_HEAP, num_threads=1)

    def add(self, document: Document) -> None:
        """Index the next chunk's document."""
        entry = tantivy.Document()
        for field, text in zip(TEXT_FIELDS, document.texts, strict=True):
            if text:
                entry.add_text(field, text)
        entry.add_text("language", document.language)
        for kind in document.kinds:
            entry.add_text("kind", kind.value)
        entry.add_unsigned("file", document.file)
        entry.add_unsigned("ordinal", self._count)
        with _guarded(_not_built):
            self._writer.add_document(entry)
        self._count += 1

    def finish(self) -> tantivy.Index:
        """Commit, and check that all documents are in one segment. Releases the interpreter's lock for nearly all of its time."""
        with _guarded(_not_built):
            self._writer.commit()
            self._writer.wait_merging_threads()
            self._index.reload()
            searcher = self._index.searcher()
        if searcher.num_docs != self._count or searcher.num_segments > 1:
            raise BuildError(
                f"The lexical index took {searcher.num_docs} of {self._count} chunks in {searcher.num_segments} segments.",
                hint="Build smaller trees apart.",
            )
        return self._index

    def close(self) -> None:
        """Wait until nothing is written into ``scratch`` any more, also where :meth:`finish` was never called."""
        del self._writer  # which ends the threads that index

    def move_to(self, directory: Path) -> None:
        """Move the index's files into ``directory``, named by their content; after :meth:`finish`.

        Lock files stay in ``scratch``, where Tantivy's watcher goes on to use them for a while.
        """
        assert self._scratch
        meta = json.loads((self._scratch / "meta.json").read_bytes())
        for segment in meta["segments"]:
            old = segment["segment_id"].replace("-", "")
            components = sorted(path for path in self._scratch.iterdir() if path.name.startswith(old))
            new = _content_id(components)
            for path in components:
                path.rename(directory / (new + path.suffix))
            segment["segment_id"] = "-".join((new[:8], new[8:12], new[12:16], new[16:20], new[20:]))
        (directory / "meta.json").write_text(json.dumps(meta, sort_keys=True, separators=(",", ":")) + "\n", encoding="ascii")


def _not_built(what: str) -> SourceError:
    return SourceError(f"The lexical index could not be written: {what}.", hint="Free some space and build again.")


def _content_id(components: Sequence[Path]) -> str:
    """32 hex digits that name a segment by the content of its files."""
    state = hashlib.sha256()
    for path in components:
        state.update(path.suffix.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return state.hexdigest()[:32]


class Filter(NamedTuple):
    """Which chunks a search may return; empty tuples and None allow all."""

    languages: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    files: Sequence[int] | None = None

    def clauses(self) -> Iterator[tuple[str, list[Any]]]:
        """(field, allowed values) of each restriction."""
        if self.languages:
            yield "language", list(self.languages)
        if self.kinds:
            yield "kind", [kind.value for kind in self.kinds]
        if self.files is not None:
            yield "file", list(self.files)


class LexicalIndex:
    """The BM25 index of a bundle, open for searching."""

    def __init__(self, index: tantivy.Index, *, count: int) -> None:
        """Use an index that :func:`open_index` or :func:`rebuild_index` made.

        Raises:
            FormatError: it does not hold ``count`` documents.
        """
        self.directory: Path | None = None
        """Its private directory, if that is there as long as it is open."""
        self._index = index
        self._schema = _schema()
        self._term_query = lru_cache(maxsize=_KEPT_QUERIES)(self._make_term_query)
        with _guarded(_damaged):
            self._searcher = index.searcher()
        self._frequency = lru_cache(maxsize=_KEPT_QUERIES)(self._searcher.doc_freq)
        if self._searcher.num_docs != count:
            raise _damaged(f"it has {self._searcher.num_docs} documents, not {count}")

    def search(
        self,
        terms: Mapping[str, Sequence[tuple[str, float]]],
        limit: int,
        only: Filter,
        together: Sequence[Sequence[str]] = (),
    ) -> tuple[Sequence[int], Sequence[float]]:
        """The ordinals and BM25 scores of the ``limit`` best chunks, best first, equal scores in ordinal order.

        Args:
            terms: field to (term, weight) pairs; each adds ``weight`` times its BM25 score in that field.
            limit: at least 1 (Tantivy panics on 0).
            only: which chunks may be returned.
            together: groups of terms that add their BM25 scores where all of a group are in one text or one path.
        """
        query, should, must = tantivy.Query, tantivy.Occur.Should, tantivy.Occur.Must
        with _guarded(_damaged):
            queries = (self._term_query(field, term, weight) for field, pairs in terms.items() for term, weight in pairs)
            wanted = [(should, each) for each in queries if each is not None]
            wanted += [(should, each) for group in together for each in self._all_of(group)]
            if not wanted:
                return (), ()
            clauses = [(must, query.const_score_query(query.term_set_query(self._schema, *each), 0.0)) for each in only.clauses()]
            whole = query.boolean_query(wanted)
            if clauses:
                whole = query.boolean_query([(must, whole), *clauses])
            hits = self._searcher.search(whole, limit, count=False).hits
        scores, addresses = zip(*hits, strict=True) if hits else ((), ())
        # There is one segment in chunk order, so a document's number is its chunk's ordinal.
        return [*map(_DOCUMENT, addresses)], scores

    def chunks_with_all(self, terms: Sequence[str], files: Sequence[int]) -> list[int]:
        """Chunks of the files that have all of the terms in their text, or all in their path."""
        queries = self._all_of(terms)
        if not queries or not len(files):
            return []
        query, should, must = tantivy.Query, tantivy.Occur.Should, tantivy.Occur.Must
        with _guarded(_damaged):
            within = query.term_set_query(self._schema, "file", list(files))
            whole = query.boolean_query([(must, query.boolean_query([(should, each) for each in queries])), (must, within)])
            hits = self._searcher.search(query.const_score_query(whole, 0.0), max(self._searcher.num_docs, 1), count=False).hits
        return [*map(_DOCUMENT, (address for _, address in hits))]

    def _all_of(self, terms: Sequence[str]) -> list[tantivy.Query]:
        """The queries for chunks with all of the terms in their text, and in their path; none where no chunk has one of them."""
        found = ([self._term_query(field, term, 1.0) for term in terms] for field in ("body", "path"))
        return [
            tantivy.Query.boolean_query([(tantivy.Occur.Must, each) for each in queries if each is not None])
            for queries in found
            if None not in queries
        ]

    def _make_term_query(self, field: str, term: str, weight: float) -> tantivy.Query | None:
        """The query for a term; None if no chunk has it in that field, since Tantivy would look it up twice for each query."""
        query = tantivy.Query.term_query(self._schema, field, term, "freq") if self._frequency(field, term) else None
        return query if query is None or weight == 1.0 else tantivy.Query.boost_query(query, weight)

    def chunks_with(self, terms: Sequence[str], field: str = "body") -> list[int]:
        """The number of chunks that have each term in a field."""
        with _guarded(_damaged):
            return [self._frequency(field, term) for term in terms]

    def close(self) -> None:
        """Remove its private directory, if that is still there; then the index cannot be used any more."""
        if self.directory:
            del self._index, self._searcher, self._term_query, self._frequency  # with them go its maps
            remove(self.directory)
            self.directory = None

    def search_near(self, term: str, limit: int) -> list[int]:
        """Chunks that define a symbol whose whole name is within two edits of ``term`` (one below five characters), best first."""
        distance = 1 if len(term) < 5 else 2
        with _guarded(_damaged):
            near = tantivy.Query.fuzzy_term_query(self._schema, "symbol", term, distance=distance, transposition_cost_one=True)
            hits = self._searcher.search(near, limit, count=False).hits
        return [address.doc for _, address in hits]

    def chunks_within(self, qualified_name: str) -> list[int]:
        """Chunks, ascending, that define a symbol of that qualified name, in any case, or a symbol inside one of that name."""
        term = whole_name(qualified_name)
        more = r"(\..*)?" if len(term) < MAX_TERM_CHARACTERS else ""  # longer names are cut to this term
        with _guarded(_damaged):
            within = tantivy.Query.regex_query(self._schema, "symbol", re.escape(term) + more)
            return sorted(at.doc for _, at in self._searcher.search(within, max(self._searcher.num_docs, 1), count=False).hits)


def _damaged(what: str) -> FormatError:
    return FormatError(f"The lexical index is damaged: {what}.", field=layout.LEXICAL)


def open_index(members: Sequence[MemberFile], *, count: int) -> LexicalIndex | None:
    """Open verified index members through a private directory of links; None if no directory can be made.

    Raises:
        FormatError: Tantivy cannot read them, or they hold another number of documents.
    """
    named = {member.name: member for member in members}
    if layout.LEXICAL_META not in named:
        raise _damaged("it has no meta.json")
    stem = _check_meta(named.pop(layout.LEXICAL_META).read(layout.LEXICAL_META_LIMIT), count)
    if set(named) != {f"{layout.LEXICAL}/{stem}.{component}" for component in layout.LEXICAL_COMPONENTS}:
        raise _damaged("its files are not those of the segment its meta.json names")
    for member in named.values():
        end = _check_footer(member)
        if member.name.endswith(".store"):
            _check_store(member, end)
    with linked(members) as directory:
        if directory is None:
            return None
        with _guarded(_damaged):
            index = tantivy.Index.open(str(directory))
        opened = LexicalIndex(index, count=count)
    if directory.exists():  # Windows removes no file that is mapped
        opened.directory = directory
    return opened


def rebuild_index(documents: Iterable[Document], *, count: int) -> LexicalIndex:
    """Index the same documents again, in memory."""
    writer = LexicalWriter(None)
    for document in documents:
        writer.add(document)
    return LexicalIndex(writer.finish(), count=count)


def _check_meta(data: bytes, count: int) -> str:
    """The file name, without extension, of the one segment in a ``meta.json``. Refuses another schema, setting or segment count."""
    try:
        meta: Any = json.loads(data)
        (segment,) = meta["segments"]
        name, documents, deletes = segment["segment_id"], segment["max_doc"], segment["deletes"]
        schema, settings = meta["schema"], set(meta["index_settings"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _damaged("its meta.json is malformed, or names other segments than one") from error
    if not isinstance(name, str) or not _SEGMENT_ID.fullmatch(name):
        raise _damaged("its meta.json names no segment of ours")
    if (documents, deletes) != (count, None):
        raise _damaged(f"its meta.json promises other documents than {count}")
    if schema != _schema_described() or not settings <= {"docstore_blocksize", "docstore_compression"}:
        raise _damaged("its meta.json has another schema or other settings")
    return name.replace("-", "")


def _schema_described() -> list[dict[str, Any]]:
    """:func:`_schema` as Tantivy writes it into ``meta.json``."""

    def text(name: str, tokenizer: str, record: str) -> dict[str, Any]:
        indexing = {"fieldnorms": True, "record": record, "tokenizer": tokenizer}
        return {"name": name, "type": "text", "options": {"fast": False, "indexing": indexing, "stored": False}}

    def number(name: str, *, fast: bool) -> dict[str, Any]:
        options = {"fast": fast, "fieldnorms": False, "indexed": not fast, "stored": False}
        return {"name": name, "type": "u64", "options": options}

    return [
        *(text(name, "whitespace", "freq") for name in TEXT_FIELDS),
        *(text(name, "raw", "basic") for name in ("language", "kind")),
        number("file", fast=False),
        number("ordinal", fast=True),
    ]


def _check_footer(member: MemberFile) -> int:
    """Where the footer of a segment file begins. Refuses other index formats, which Tantivy would read without a check.

    A file ends with JSON, the length of the JSON and a magic number; the two are little-endian unsigned 32-bit integers.
    """
    buffer = member.map()
    try:
        length, magic = _FOOTER.unpack(buffer[-_FOOTER.size :])
        if magic != _FOOTER_MAGIC or length > min(layout.LEXICAL_META_LIMIT, len(buffer) - _FOOTER.size):
            raise ValueError("no footer")
        footer = json.loads(bytes(buffer[-_FOOTER.size - length : -_FOOTER.size]))
        found = footer["version"]["index_format_version"]
    except (struct.error, ValueError, KeyError, TypeError, RecursionError) as error:
        raise _damaged(f"{member.name} does not say its index format") from error
    if found != layout.TANTIVY_INDEX_FORMAT:
        raise _damaged(f"{member.name} has index format {found}, not {layout.TANTIVY_INDEX_FORMAT}")
    end: int = len(buffer) - _FOOTER.size - length
    return end


def _check_store(member: MemberFile, end: int) -> None:
    """Refuse a store whose skip list claims more layers than it can have: Tantivy allocates them, and aborts if it cannot."""
    body = member.map()[:end]
    if len(body) < _STORE_FOOTER.size:
        raise _damaged(f"{member.name} is too short")
    _, layers_at, _ = _STORE_FOOTER.unpack(body[-_STORE_FOOTER.size :])
    # The count of layers is a number of variable length, whose last byte has the high bit set; a small number is one such byte.
    if layers_at >= end - _STORE_FOOTER.size or not 0x80 <= body[layers_at] <= 0x80 + _STORE_LAYERS:
        raise _damaged(f"{member.name} has an impossible skip list")
