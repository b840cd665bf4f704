"""Terms in, a Tantivy index out; the index in, BM25 candidates out. The only module that touches Tantivy.

One document a chunk, in chunk order, in one segment written by one thread, so that two builds write the same bytes; the random
segment id is replaced by one derived from the content (FORMAT.md 7). Text is split into terms by :mod:`hardtack.terms` and stored
under Tantivy's ``whitespace`` analyser; queries are built from terms, never handed to Tantivy's query parser, which a deeply
nested text can crash.

Opening needs a lock file that a read-only bundle cannot hold: the index is opened through a private directory of links, and where
no directory at all can be written the same documents are indexed again in memory, which gives the same hits and scores.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import tantivy

from hardtack.bundle import layout
from hardtack.bundle.members import MemberFile
from hardtack.errors import BuildError, FormatError
from hardtack.model import Kind
from hardtack.terms import term_text, whole_name

TEXT_FIELDS: Final = ("symbol", "name", "scope", "signature", "doc", "path", "body")
"""Searched fields. ``symbol`` holds whole names, ``name`` their parts, ``scope`` the parts of what encloses them."""

_HEAP: Final = 2_000_000_000  # never allocated ahead; a segment ends when it is full, and there must be one segment
_OPEN_TRIES: Final = 5


class Named(Protocol):
    """What a document needs to know of a symbol; the build's and the bundle's symbols both have it."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def qualified_name(self) -> str: ...  # noqa: D102
    @property
    def kind(self) -> Kind: ...  # noqa: D102
    @property
    def signature(self) -> str: ...  # noqa: D102
    @property
    def doc(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One chunk as the lexical index sees it: terms joined by spaces for each of :data:`TEXT_FIELDS`."""

    texts: tuple[str, ...]
    language: str
    kinds: tuple[Kind, ...]
    file: int


def document_of(*, path: str, language: str, file: int, symbols: Sequence[Named], enclosing: Named | None, body: str) -> Document:
    """The document of one chunk, from values that both the build and a finished bundle have."""
    names: list[str] = []
    for symbol in symbols:
        names += dict.fromkeys((whole_name(symbol.name), whole_name(symbol.qualified_name)))
    scope = enclosing.qualified_name if enclosing else symbols[0].qualified_name.rpartition(".")[0] if symbols else ""
    return Document(
        texts=(
            " ".join(names),
            " ".join(term_text(symbol.name) for symbol in symbols),
            term_text(scope),
            " ".join(term_text(symbol.signature) for symbol in symbols),
            " ".join(term_text(symbol.doc) for symbol in symbols),
            term_text(path),
            term_text(body),
        ),
        language=language,
        kinds=tuple(dict.fromkeys(symbol.kind for symbol in symbols)),
        file=file,
    )


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
    """Turn Tantivy's errors, and the panics that are no ``Exception``, into ours."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise raised(str(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise raised("it panicked") from None


class LexicalWriter:
    """Takes documents in chunk order; keeps the index in ``scratch``, or in memory for None."""

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
        """Commit, and check that every document arrived, in one segment."""
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

    def move_to(self, directory: Path) -> None:
        """Finish, and move the index's members into ``directory``, named after their content.

        What Tantivy needs only to write stays behind; its watcher goes on touching lock files in ``scratch`` for a while.
        """
        assert self._scratch
        self.finish()
        meta = json.loads((self._scratch / "meta.json").read_bytes())
        for segment in meta["segments"]:
            old = segment["segment_id"].replace("-", "")
            components = sorted(path for path in self._scratch.iterdir() if path.name.startswith(old))
            new = _content_id(components)
            for path in components:
                path.rename(directory / (new + path.suffix))
            segment["segment_id"] = "-".join((new[:8], new[8:12], new[12:16], new[16:20], new[20:]))
        (directory / "meta.json").write_text(json.dumps(meta, sort_keys=True, separators=(",", ":")) + "\n", encoding="ascii")


def _not_built(what: str) -> BuildError:
    return BuildError(f"The lexical index could not be written: {what}.")


def _content_id(components: Sequence[Path]) -> str:
    """32 hex digits that name a segment by what is in its files."""
    state = hashlib.sha256()
    for path in components:
        state.update(path.suffix.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return state.hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which chunks may answer; empty tuples and None allow all."""

    languages: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    files: Sequence[int] | None = None

    def clauses(self) -> Iterator[tuple[str, list[Any]]]:
        """Field and allowed values of each restriction."""
        if self.languages:
            yield "language", list(self.languages)
        if self.kinds:
            yield "kind", [kind.value for kind in self.kinds]
        if self.files is not None:
            yield "file", list(self.files)


class LexicalIndex:
    """The BM25 index of a bundle, open for searching."""

    def __init__(self, index: tantivy.Index, *, count: int) -> None:
        """Take an index that :func:`open_index` or :func:`rebuild_index` made.

        Raises:
            FormatError: it does not hold ``count`` documents.
        """
        self._index = index
        self._schema = _schema()
        with _guarded(_damaged):
            self._searcher = index.searcher()
        if self._searcher.num_docs != count:
            raise _damaged(f"it has {self._searcher.num_docs} documents, not {count}")

    def search(self, terms: Mapping[str, Sequence[tuple[str, float]]], limit: int, only: Filter) -> list[tuple[int, float]]:
        """The ``limit`` best chunks as (ordinal, BM25), best first, equal scores in ordinal order.

        Args:
            terms: field to (term, weight) pairs; each adds ``weight`` times its BM25 score in that field.
            limit: at least 1 (Tantivy panics on 0).
            only: which chunks may answer.
        """
        query, occur = tantivy.Query, tantivy.Occur
        with _guarded(_damaged):
            wanted = [
                (occur.Should, query.boost_query(query.term_query(self._schema, field, term, "freq"), weight))
                for field, pairs in terms.items()
                for term, weight in pairs
            ]
            if not wanted:
                return []
            clauses = [(occur.Must, query.boolean_query(wanted))]
            for field, values in (
                ("language", only.languages),
                ("kind", [kind.value for kind in only.kinds]),
                ("file", only.files),
            ):
                if values or (field == "file" and values is not None):
                    allowed = query.term_set_query(self._schema, field, list(values))
                    clauses.append((occur.Must, query.const_score_query(allowed, 0.0)))
            hits = self._searcher.search(query.boolean_query(clauses), limit, count=False).hits
            ordinals = self._searcher.fast_field_values("ordinal", [address for _, address in hits])
        return [(int(ordinal or 0), float(score)) for ordinal, (score, _) in zip(ordinals, hits, strict=True)]


def _damaged(what: str) -> FormatError:
    return FormatError(f"The lexical index is damaged: {what}.", field=layout.LEXICAL)


def open_index(members: Sequence[MemberFile], *, count: int) -> LexicalIndex | None:
    """Open verified index members through a private directory of links; None where no directory can be written.

    Raises:
        FormatError: Tantivy does not read them, or they hold another number of documents.
    """
    for member in members:
        if member.name == layout.LEXICAL_META:
            _check_meta(member.read(1 << 20))
    directory = _private_directory()
    if directory is None:
        return None
    try:
        for member in members:
            (directory / Path(member.name).name).symlink_to(member.engine_path)
        with _guarded(_damaged):
            index = tantivy.Index.open(str(directory))
        return LexicalIndex(index, count=count)
    finally:
        _remove(directory)


def rebuild_index(documents: Iterable[Document], *, count: int) -> LexicalIndex:
    """Index the same documents again, in memory."""
    writer = LexicalWriter(None)
    for document in documents:
        writer.add(document)
    return LexicalIndex(writer.finish(), count=count)


def _check_meta(data: bytes) -> None:
    """Refuse a ``meta.json`` that names anything but the one segment beside it, or another index format or schema."""
    try:
        meta: Any = json.loads(data)
        segments = meta["segments"]
        names = [re.fullmatch(r"[0-9a-f-]{36}", segment["segment_id"]) for segment in segments]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _damaged("its meta.json is malformed") from error
    if len(names) > 1 or not all(names):
        raise _damaged("its meta.json names other segments than one")


def _private_directory() -> Path | None:
    for parent in (None, "/dev/shm"):  # noqa: S108  (a RAM disk is as good as a temporary directory, and often there without one)
        with contextlib.suppress(OSError):
            return Path(tempfile.mkdtemp(prefix="hardtack-", dir=parent))
    return None


def _remove(directory: Path) -> None:
    """Tantivy's watcher may put its lock file back once while the directory is being removed."""
    for _ in range(_OPEN_TRIES):
        shutil.rmtree(directory, ignore_errors=True)
        if not directory.exists():
            return
        time.sleep(0.002)
