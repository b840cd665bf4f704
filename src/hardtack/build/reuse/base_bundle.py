"""A bundle that was built before in, what a new build takes over from it out: the files it holds unchanged, as if just analysed.

Everything comes from a bundle that was hashed, and only from one that this very program made of this repository with these
options. Which of its files are taken over is decided by content (``source/known.py``); what is given here for one is what a worker
would have sent, so that nothing after it can tell the difference. Hashes say that a bundle is what it was when it was built, not
who built it: some files, chosen by the bundle's digest, are analysed again all the same (:meth:`BaseBundle.is_sampled`), and the
build does without a base that gave something else for them.
"""

from __future__ import annotations

import codecs
import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from hardtack.build.encoding import bounds_of
from hardtack.build.options import AUTO, NO_BASE, BuildOptions, recorded
from hardtack.build.outline.synopsis import parts_of, synopsis_of, vectors_of
from hardtack.build.projects import project_of
from hardtack.build.relations.invalidation import Earlier
from hardtack.build.reuse.tool_fingerprint import maker
from hardtack.build.reuse.up_to_date import is_of_same_make
from hardtack.build.source.known import Digests
from hardtack.build.workers.executors import Analysed
from hardtack.bundle.engines.lexical import TEXT_FIELDS
from hardtack.bundle.engines.vector_codes import Coded
from hardtack.bundle.format import layout, records
from hardtack.bundle.format.cached_parses import CachedParses
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.format.records import KINDS, FileRecord, SymbolRecord, Table
from hardtack.bundle.format.tables import Row
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.bundle.writer import IndexedFile
from hardtack.encoders import Encoder
from hardtack.errors import HardtackError
from hardtack.nouns.model import Content, Provenance
from hardtack.nouns.outline import ParseStatus, SourceFile
from hardtack.nouns.projects import project_row
from hardtack.nouns.relations import Reference
from hardtack.nouns.statistics import Contents
from hardtack.text import term_text

_PATH: Final = TEXT_FIELDS.index("path")
_UTF_8: Final = "utf-8"
SAMPLED_FILES: Final = 8
"""Files of a base that are analysed again."""


class Unusable(Exception):
    """A bundle that nothing can be taken over from. Stays inside ``build``: the caller builds without it, and says why."""


@contextmanager
def opened_base(
    options: BuildOptions, place: Path, provenance: Provenance, encoder: Encoder | None, notes: list[str]
) -> Iterator[BaseBundle | None]:
    """The bundle to take over from; None where there is none, or nothing can be taken over, which ``notes`` then say in one line.

    Args:
        options: what to build, and which base is wanted.
        place: where the new bundle goes.
        provenance: of the tree that is built.
        encoder: that of the new bundle.
        notes: gains a line.
    """
    path = place if options.base == AUTO else Path(options.base)
    if options.base == NO_BASE or (options.base == AUTO and not (path / layout.MANIFEST).exists()):
        yield None
        return
    with ExitStack() as stack:
        base = None
        try:
            bundle = stack.enter_context(_checked(path, options, provenance, encoder))
            base = BaseBundle(bundle, encoder)
        except (Unusable, HardtackError) as error:
            notes.append(refusal(path, error))
        yield base


def refusal(path: Path, error: Exception) -> str:
    """The line that says why all is built anew."""
    return f"Nothing was taken over from {path}: {str(error).rstrip('.')}"


def _checked(path: Path, options: BuildOptions, provenance: Provenance, encoder: Encoder | None) -> Bundle:
    """The bundle at ``path``, verified.

    Raises:
        Unusable: it was made otherwise, or of something else.
        HardtackError: it is no sound bundle.
    """
    bundle = open_bundle(path)
    manifest = bundle.manifest
    identity = manifest.encoder
    reason = ""
    if manifest.provenance.repository != provenance.repository:
        reason = f"it is of {manifest.provenance.repository or 'a repository without a name'}"
    elif manifest.provenance.roots != provenance.roots:
        reason = "it is of other roots, and what is a test is told by a path below its root"
    elif dict(manifest.options) != recorded(options):
        reason = "it was built with other options"
    elif not is_of_same_make(manifest, options):
        reason = "it was made by another version of Hardtack or of an engine"
    elif (identity and (identity.name, identity.fingerprint)) != (encoder and (encoder.name, encoder.fingerprint)):
        reason = "its vectors are of another encoder"
    elif not bundle.has_text:
        reason = "it holds no text"
    if reason:
        bundle.close()
        raise Unusable(reason)
    return bundle


class BaseBundle:
    """A verified bundle whose files can be taken over, for as long as it is open."""

    def __init__(self, bundle: Bundle, encoder: Encoder | None) -> None:
        """Take over from ``bundle``, making vectors with ``encoder``."""
        self._bundle = bundle
        self._encoder = encoder
        member = bundle.member(layout.READINGS)
        if member is None:
            raise Unusable("it holds no readings")
        self._readings = CachedParses(member.map(), files=bundle.manifest.counts.files)
        if self._readings.tool_fingerprint != maker():
            raise Unusable("another Hardtack made it")
        self._files: Mapping[str, tuple[int, FileRecord]] = {file.path: (at, file) for at, file in enumerate(bundle.files)}
        secrets = self._table(layout.FILES, records.FILE_FIELDS).column("secrets")
        self.known: Digests = {
            file.path: (file.blob_id, file.sha256)
            for file, count in zip(bundle.files, secrets, strict=True)
            if file.parse_status != ParseStatus.ERROR and not count and file.encoding == _UTF_8
        }
        """What its files hold. Three kinds are none of them: a parser that failed may not fail again, of secrets only the number is
        kept, and that a text in another encoding is what it says can only be told from the file."""
        seed = bundle.digest.encode()
        order = sorted(self._files, key=lambda path: hashlib.sha256(seed + path.encode()).digest())
        self.sampled = frozenset(order[:SAMPLED_FILES])
        """Paths of the files that are to be analysed again, wherever they are known."""

    @property
    def manifest(self) -> Manifest:
        """What the base says of itself."""
        return self._bundle.manifest

    @property
    def contents(self) -> Contents:
        """Path -> git's id of the content, of every file."""
        return {path: file.blob_id for path, (_, file) in self._files.items()}

    def source(self, path: str) -> SourceFile:
        """The file at that path as it was decoded.

        Raises:
            Unusable: what it keeps as the file's text is not of the content that it says.
        """
        _, file = self._files[path]
        text = self._bundle.text_of(file)
        if not any(_is_of(file, data) for data in (text, codecs.BOM_UTF8 + text)):
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
        """Path of a file that can be taken over, by git's id of its content and its language."""
        usable = (path for path in self.known if path not in self.sampled)
        return {(file.blob_id.hex(), file.language): path for path in usable for _, file in (self._files[path],)}

    def has_elsewhere(self, source: SourceFile) -> bool:
        """Whether it holds the content of a file, in the same language, at another path: one that was moved or copied.

        What is taken for a secret may depend on the path, so a file with any is none of them.
        """
        return not source.secrets and (source.blob_id, source.language) in self._by_content

    def moved(self, source: SourceFile, *, keep_synopses: bool = False) -> Analysed:
        """A file that it holds elsewhere: all that its path decides is made anew, and what its text decides is taken over.

        Args:
            source: the file, whose text may be left out.
            keep_synopses: as for :meth:`analysed`.
        """
        path = self._by_content[source.blob_id, source.language]
        held, source = self._indexed(path), replace(source, text=self.source(path).text)
        path_terms = term_text(source.path)
        documents = [(*texts[:_PATH], path_terms, *texts[_PATH + 1 :]) for texts in held.documents]
        project = project_of(source.path, source.text)
        indexed = replace(held, documents=documents, project=project_row(project) if project else None, reading=b"")
        return Analysed(file=source, indexed=self._with_vectors(source, indexed, keep_synopses=keep_synopses))

    def analysed(self, path: str, *, keep_synopses: bool = False) -> Analysed:
        """The file at that path and what a worker made of it.

        Args:
            path: of a file that it holds.
            keep_synopses: hand on the texts that vectors are made of, rather than vectors.

        Raises:
            BundleError: the base is damaged where no hash sees it.
        """
        source, indexed = self.source(path), self._indexed(path)
        if self._codes is None or keep_synopses:
            return Analysed(file=source, indexed=self._with_vectors(source, indexed, keep_synopses=keep_synopses))
        return Analysed(file=source, indexed=replace(indexed, codes=self._codes_of(path, self._codes)))

    def made_again(self, path: str, *, keep_synopses: bool = False) -> IndexedFile:
        """The same as a worker would make it now, vectors and not their codes: what to hold a worker's answer against."""
        return self._with_vectors(self.source(path), self._indexed(path), keep_synopses=keep_synopses)

    def has_codes_of(self, path: str, vectors: bytes) -> bool:
        """Whether it has the codes of these vectors for the file at that path; True where it has none to take over."""
        if self._codes is None or not vectors:
            return True
        import numpy as np

        rows = np.frombuffer(vectors, dtype=np.float32).reshape(-1, self._codes.codes.shape[1])
        return self._codes_of(path, self._codes) == self._codes.bounds.codes_of(rows).tobytes()

    @cached_property
    def _codes(self) -> Coded | None:
        """The codes of its vectors, if they are by fixed bounds: vectors of other encoders are kept where they were made.

        Raises:
            Unusable: they are by others than the encoder has.
        """
        bounds = bounds_of(self._encoder)
        if bounds is None:
            return None
        coded = self._bundle.vectors.coded()
        if not coded.bounds.are(bounds):
            raise Unusable("its vectors are kept otherwise than this Hardtack keeps them")
        return coded

    def _codes_of(self, path: str, coded: Coded) -> bytes:
        file = self._files[path][1]
        return coded.codes[file.first_chunk : file.first_chunk + file.chunk_count].tobytes()

    # -- what relating asks: relations.kept.Before -----------------------------------------------------------------------------

    def is_of_files(self, files: Iterable[tuple[str, str, str]]) -> bool:
        """Whether it has just these files, by path, language and package."""
        own = ((file.path, file.language, file.package) for file in self._bundle.files)
        return all(one == other for one, other in zip_longest(own, files))

    def earlier(self, file: int) -> Earlier:
        """What the file of that ordinal declares."""
        indexed = self._indexed(self._bundle.files[file].path)
        return Earlier(file, indexed.symbols, indexed.details, indexed.imported, indexed.project)

    def first_symbols(self) -> Sequence[int]:
        """Ordinal of the first symbol of each file, and at the end how many there are."""
        return [*(file.first_symbol for file in self._bundle.files), self.manifest.counts.symbols]

    def references(self) -> Iterable[tuple[str, Sequence[Reference]]]:
        """All references, with the names that they are filed under."""
        return self._bundle.related.references_by_name()

    # -- rows ----------------------------------------------------------------------------------------------------------------

    def _indexed(self, path: str) -> IndexedFile:
        """What a worker made of the file at that path, but for the vectors."""
        number, file = self._files[path]
        reading = self._readings.parse(number)
        symbols = self._local(self._symbols.rows(file.first_symbol, file.first_symbol + file.symbol_count), file.first_symbol)
        return IndexedFile(
            line_count=file.line_count,
            package=file.package,
            imports=file.imports,
            parse_status=file.parse_status,
            error_lines=file.error_lines,
            symbols=symbols,
            chunks=self._chunk_rows(file),
            details=self._detail_rows(file),
            words=self._words[number],
            vectors=b"",
            reading=self._readings.packed(number),
            **reading._asdict(),
        )

    @staticmethod
    def _local(rows: list[Row], first_symbol: int) -> list[Row]:
        return [(0, *middle, parent - first_symbol if parent >= 0 else -1) for _, *middle, parent in rows]

    def _chunk_rows(self, file: FileRecord) -> list[Row]:
        first = file.first_symbol
        rows = self._chunks.rows(file.first_chunk, file.first_chunk + file.chunk_count)
        return [
            (0, *place, symbol - first, count, enclosing - first if enclosing >= 0 else -1, *rest)
            for _, *place, symbol, count, enclosing, part, parts, tokens, content in rows
            for rest in ((part, parts, tokens, content),)
        ]

    def _detail_rows(self, file: FileRecord) -> list[Row]:
        symbols = self._details.column("symbol")
        first = bisect_left(symbols, file.first_symbol)
        last = bisect_left(symbols, file.first_symbol + file.symbol_count, lo=first)
        return [(symbol - file.first_symbol, *rest) for symbol, *rest in self._details.rows(first, last)]

    def _with_vectors(self, source: SourceFile, indexed: IndexedFile, *, keep_synopses: bool) -> IndexedFile:
        """The same with the vectors of its chunks, or with what they are made of."""
        if self._encoder is None or not indexed.chunks:
            return indexed
        given = self._given(source, indexed)
        if keep_synopses:
            return replace(indexed, synopses=[synopsis_of(**each) for each in given])
        return replace(indexed, vectors=vectors_of([parts_of(**each) for each in given], self._encoder).tobytes())

    @staticmethod
    def _given(source: SourceFile, indexed: IndexedFile) -> list[dict[str, Any]]:
        """What the vectors of its chunks are made of."""
        symbols = [SymbolRecord(file, KINDS[kind], *rest) for file, kind, *rest in indexed.symbols]
        return [
            {
                "path": source.path,
                "symbols": symbols[first : first + count],
                "enclosing": symbols[enclosing] if enclosing >= 0 else None,
                "code": source.text[start:end].decode("utf-8"),
            }
            for _, start, end, _, _, first, count, enclosing, *_ in indexed.chunks
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


def _is_of(file: FileRecord, data: bytes) -> bool:
    """Whether those are the original bytes of a file, by both digests that are kept of them."""
    blob = hashlib.sha1(b"blob %d\0" % len(data), usedforsecurity=False)
    blob.update(data)
    return blob.digest() == file.blob_id and hashlib.sha256(data).digest() == file.sha256
