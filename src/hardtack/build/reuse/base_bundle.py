"""Earlier bundle in, its unchanged files out, as a worker would have analysed them.

A base is a bundle that this program built of the same repository with the same options, and every member of it is hashed. Files are
compared by content (``source/known.py``). Hashes show that a bundle is what it was when it was built, not who built it. So the
bundle that lies at the destination is a base only if this user's builder is remembered to have made it there (:class:`OwnWork`);
any other has to be named. And some files of it, which nobody can foretell, are analysed again (:attr:`BaseBundle.sampled`): if it
holds something else for one of them, it is not used.
"""

from __future__ import annotations

import codecs
import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import zip_longest
from random import SystemRandom
from typing import Any, Final

from hardtack.build.encoding import bounds_of
from hardtack.build.outline.synopsis import parts_of, synopsis_of, vectors_of
from hardtack.build.projects import project_of
from hardtack.build.relations.invalidation import EarlierFile
from hardtack.build.reuse.tool_fingerprint import tool_fingerprint
from hardtack.build.source.known import Digests
from hardtack.build.workers.executors import Analysed
from hardtack.bundle.engines.documents import TEXT_FIELDS
from hardtack.bundle.engines.vector_codes import Coded
from hardtack.bundle.format import layout, records
from hardtack.bundle.format.cached_parses import CachedParses
from hardtack.bundle.format.records import KINDS, ChunkRecord, FileRecord, SymbolRecord, Table
from hardtack.bundle.format.tables import Row
from hardtack.bundle.reader import Bundle
from hardtack.bundle.writer import IndexedFile
from hardtack.encoders import Encoder
from hardtack.nouns.model import Content
from hardtack.nouns.outline import ParseStatus, SourceFile
from hardtack.nouns.projects import project_row
from hardtack.nouns.relations import Reference
from hardtack.nouns.statistics import Contents
from hardtack.text import term_text

_PATH: Final = TEXT_FIELDS.index("path")
_UTF_8: Final = "utf-8"
SAMPLED_FILES: Final = 8
"""Files of a base that are analysed again and compared."""
_SAMPLED_OF_NAMED: Final = 20
"""Of a base that was named, one file in so many; more than :data:`SAMPLED_FILES` and at most :data:`_MOST_SAMPLED`."""
_MOST_SAMPLED: Final = 256


class Unusable(Exception):
    """The base cannot be used, for the reason that the message gives. It never leaves ``build``, which goes on without a base."""


class BaseBundle:
    """A verified bundle whose unchanged files are reused; valid while the bundle is open."""

    def __init__(self, bundle: Bundle, encoder: Encoder | None, *, is_named: bool, is_believed: bool = False) -> None:
        """Reuse files of ``bundle``.

        Args:
            bundle: the base.
            encoder: makes the vectors of files that were moved.
            is_named: whether the base was taken at its caller's word, so that more of it is compared.
            is_believed: compare none of it.

        Raises:
            Unusable: it has no cached parses, or another program made it.
        """
        self._bundle = bundle
        self._encoder = encoder
        member = bundle.member(layout.READINGS)
        if member is None:
            raise Unusable("it was packed without what builds read")
        self._readings = CachedParses(member.map(), files=bundle.manifest.counts.files)
        if self._readings.tool_fingerprint != tool_fingerprint():
            raise Unusable("another Hardtack made it")
        self._ordinals = {file.path: ordinal for ordinal, file in enumerate(bundle.files)}
        table = self._table(layout.FILES, records.FILE_FIELDS)
        self.known: Mapping[str, Digests] = {
            file.path: Digests(file.blob_id, file.sha256)
            for file, secrets, is_kept in zip(bundle.files, table.column("secrets"), table.column("kept"), strict=True)
            if file.parse_status != ParseStatus.ERROR and not secrets and not is_kept and file.encoding == _UTF_8
        }
        """Path -> digests of the files that can be reused. Four kinds cannot: a file whose parser failed, since it may not fail
        again; one with secrets, of which only the number is stored; one that was kept against a rule, as this build may not keep
        it; and one in another encoding, since its original bytes cannot be computed from the stored text to check it."""
        number = max(SAMPLED_FILES, min(len(self._ordinals) // _SAMPLED_OF_NAMED, _MOST_SAMPLED) if is_named else 0)
        number = 0 if is_believed else number
        # The system's own randomness: whoever could foretell the sample would make a base that passes it.
        self.sampled = frozenset(SystemRandom().sample([*self._ordinals], min(number, len(self._ordinals))))
        """Paths of the files that are analysed again although they are known. The new bundle does not depend on which they are."""

    @property
    def has_indexes(self) -> bool:
        """Whether indexes of compilers decided some of its references."""
        return bool(self._bundle.manifest.indexers)

    @property
    def contents(self) -> Contents:
        """Path -> git's id of the content, of every file."""
        return {file.path: file.blob_id for file in self._bundle.files}

    def _file(self, path: str) -> FileRecord:
        return self._bundle.files[self._ordinals[path]]

    def source(self, path: str) -> SourceFile:
        """The decoded file at that path.

        Raises:
            Unusable: the stored text does not have the stored digests.
        """
        file = self._file(path)
        text = self._bundle.text_of(file)
        if not any(_has_digests(file, data) for data in (text, codecs.BOM_UTF8 + text)):
            raise Unusable(f"it keeps another text of {path}")
        try:
            content = Content(file.content)
        except ValueError as error:
            raise Unusable(f"it calls {path} {file.content!r}") from error
        return SourceFile(
            path=path,
            text=text,
            size=file.size,
            sha256=file.sha256.hex(),
            blob_id=file.blob_id.hex(),
            encoding=file.encoding,
            language=file.language,
            content=content,
            is_test=file.is_test,
        )

    @cached_property
    def _by_content(self) -> Mapping[tuple[str, str], str]:
        """(git's id of the content, language) -> path, of the files that can be reused."""
        usable = (self._file(path) for path in self.known if path not in self.sampled)
        return {(file.blob_id.hex(), file.language): file.path for file in usable}

    def has_elsewhere(self, source: SourceFile) -> bool:
        """Whether it holds the file's content, in the same language, at another path: the file was moved or copied.

        Never for a file with secrets, since the path may decide what is a secret.
        """
        return not source.secrets and (source.blob_id, source.language) in self._by_content

    def moved(self, source: SourceFile, *, keep_synopses: bool = False) -> Analysed:
        """A moved or copied file: everything that depends on its path is computed again, everything else is reused.

        Args:
            source: the file; its text may be empty.
            keep_synopses: as for :meth:`analysed`.
        """
        path = self._by_content[source.blob_id, source.language]
        stored, source = self._indexed(path), replace(source, text=self.source(path).text)
        path_terms = term_text(source.path)
        documents = [(*texts[:_PATH], path_terms, *texts[_PATH + 1 :]) for texts in stored.documents]
        project = project_of(source.path, source.text)
        indexed = replace(stored, documents=documents, project=project_row(project) if project else None, reading=b"")
        return Analysed(file=source, indexed=self._with_vectors(source, indexed, keep_synopses=keep_synopses))

    def analysed(self, path: str, *, keep_synopses: bool = False) -> Analysed:
        """The file at that path as a worker would have analysed it.

        Args:
            path: of a file in ``known``.
            keep_synopses: include the texts that are encoded, not their vectors.

        Raises:
            BundleError: the base holds malformed rows although its hashes are right.
        """
        source, indexed = self.source(path), self._indexed(path)
        if self._codes is None or keep_synopses:
            return Analysed(file=source, indexed=self._with_vectors(source, indexed, keep_synopses=keep_synopses))
        return Analysed(file=source, indexed=replace(indexed, codes=self._codes_of(path, self._codes)))

    def recomputed(self, path: str, *, keep_synopses: bool = False) -> IndexedFile:
        """The stored analysis with vectors, not their codes, to be compared with a worker's result."""
        return self._with_vectors(self.source(path), self._indexed(path), keep_synopses=keep_synopses)

    def has_codes_of(self, path: str, vectors: bytes) -> bool:
        """Whether it stores the codes of these vectors for the file at that path; True if it has no codes that can be reused."""
        if self._codes is None or not vectors:
            return True
        import numpy as np

        rows = np.frombuffer(vectors, dtype=np.float32).reshape(-1, self._codes.codes.shape[1])
        return self._codes_of(path, self._codes) == self._codes.bounds.codes_of(rows).tobytes()

    @cached_property
    def _codes(self) -> Coded | None:
        """The codes of its vectors, if the encoder has fixed bounds; other encoders' vectors are in the encoder's own cache.

        Raises:
            Unusable: they were made with other bounds than the encoder's.
        """
        bounds = bounds_of(self._encoder)
        if bounds is None:
            return None
        coded = self._bundle.vectors.coded()
        if not coded.bounds.are(bounds):
            raise Unusable("its vectors are kept otherwise than this Hardtack keeps them")
        return coded

    def _codes_of(self, path: str, coded: Coded) -> bytes:
        file = self._file(path)
        return coded.codes[file.first_chunk : file.first_chunk + file.chunk_count].tobytes()

    # -- the protocol relations.reused.EarlierRelations --------------------------------------------------------------------------

    def is_of_files(self, files: Iterable[tuple[str, str, str]]) -> bool:
        """Whether it has exactly these files, by path, language and package."""
        own = ((file.path, file.language, file.package) for file in self._bundle.files)
        return all(one == other for one, other in zip_longest(own, files))

    def earlier(self, file: int) -> EarlierFile:
        """The declarations of the file with that ordinal."""
        indexed = self._indexed(self._bundle.files[file].path)
        return EarlierFile(file, indexed.symbols, indexed.details, indexed.imported, indexed.project)

    def first_symbols(self) -> Sequence[int]:
        """Ordinal of the first symbol of each file, then the number of symbols."""
        return [*(file.first_symbol for file in self._bundle.files), self._bundle.manifest.counts.symbols]

    def references(self) -> Iterable[tuple[str, Sequence[Reference]]]:
        """(name, references) of all references."""
        return self._bundle.related.references_by_name()

    # -- rows ----------------------------------------------------------------------------------------------------------------

    def _indexed(self, path: str) -> IndexedFile:
        """The file at that path as a worker would have analysed it, without vectors."""
        ordinal = self._ordinals[path]
        file = self._bundle.files[ordinal]
        return IndexedFile(
            line_count=file.line_count,
            package=file.package,
            imports=file.imports,
            parse_status=file.parse_status,
            error_lines=file.error_lines,
            symbols=self._symbol_rows(file),
            chunks=self._chunk_rows(file),
            details=self._detail_rows(file),
            words=self._words[ordinal],
            vectors=b"",
            reading=self._readings.packed(ordinal),
            **self._readings.parse(ordinal)._asdict(),
        )

    # Rows of a bundle count symbols and files from 0; a worker's rows count symbols from the file's first, and its file is 0.

    def _symbol_rows(self, file: FileRecord) -> list[Row]:
        first = file.first_symbol
        rows = self._symbols.rows(first, first + file.symbol_count)
        return [(0, *middle, parent - first if parent >= 0 else -1) for _, *middle, parent in rows]

    def _chunk_rows(self, file: FileRecord) -> list[Row]:
        first = file.first_symbol
        rows = self._chunks.rows(file.first_chunk, file.first_chunk + file.chunk_count)
        return [
            chunk._replace(
                file=0,
                first_symbol=chunk.first_symbol - first,
                enclosing=chunk.enclosing - first if chunk.enclosing >= 0 else -1,
            )
            for chunk in map(ChunkRecord._make, rows)
        ]

    def _detail_rows(self, file: FileRecord) -> list[Row]:
        symbols = self._details.column("symbol")
        first = bisect_left(symbols, file.first_symbol)
        last = bisect_left(symbols, file.first_symbol + file.symbol_count, lo=first)
        return [(symbol - file.first_symbol, *rest) for symbol, *rest in self._details.rows(first, last)]

    def _with_vectors(self, source: SourceFile, indexed: IndexedFile, *, keep_synopses: bool) -> IndexedFile:
        """The same with the vectors of its chunks, or with the texts that are encoded."""
        if self._encoder is None or not indexed.chunks:
            return indexed
        inputs = self._encoder_inputs(source, indexed)
        if keep_synopses:
            return replace(indexed, synopses=[synopsis_of(**each) for each in inputs])
        return replace(indexed, vectors=vectors_of([parts_of(**each) for each in inputs], self._encoder).tobytes())

    @staticmethod
    def _encoder_inputs(source: SourceFile, indexed: IndexedFile) -> list[dict[str, Any]]:
        """The arguments of :func:`synopsis_of` and :func:`parts_of` for each chunk."""
        symbols = [SymbolRecord(file, KINDS[kind], *rest) for file, kind, *rest in indexed.symbols]
        return [
            {
                "path": source.path,
                "symbols": symbols[chunk.first_symbol : chunk.first_symbol + chunk.symbol_count],
                "enclosing": symbols[chunk.enclosing] if chunk.enclosing >= 0 else None,
                "code": source.text[chunk.start : chunk.end].decode("utf-8"),
            }
            for chunk in map(ChunkRecord._make, indexed.chunks)
        ]

    def _table(self, name: str, fields: tuple[str, ...]) -> Table:
        member = self._bundle.member(name)
        assert member is not None  # a bundle without its required members does not open
        return Table(name, member.map(), fields)

    @cached_property
    def _symbols(self) -> Table:
        return self._table(layout.SYMBOLS, records.SYMBOL_FIELDS)

    @cached_property
    def _chunks(self) -> Table:
        return self._table(layout.CHUNKS, records.CHUNK_FIELDS)

    @cached_property
    def _details(self) -> Table:
        return self._table(layout.DETAILS, records.DETAIL_FIELDS)

    @cached_property
    def _words(self) -> list[tuple[bytes, bytes]]:
        return self._bundle.words.of_files(self._bundle.manifest.counts.files)


def _has_digests(file: FileRecord, data: bytes) -> bool:
    """Whether ``data`` has both digests that are stored of the file's original bytes."""
    blob = hashlib.sha1(b"blob %d\0" % len(data), usedforsecurity=False)
    blob.update(data)
    return blob.digest() == file.blob_id and hashlib.sha256(data).digest() == file.sha256
