"""One source file in, everything that a bundle stores about it out; the result depends on the file alone.

It runs in a worker process, so the result holds only numbers, strings and bytes.
"""

from __future__ import annotations

from dataclasses import replace

import msgpack

from hardtack.build.frameworks.ddd import tags_in
from hardtack.build.languages.registry import languages
from hardtack.build.outline.chunks import chunks_of
from hardtack.build.outline.symbols import outline_of
from hardtack.build.outline.synopsis import parts_of, synopsis_of, vectors_of
from hardtack.build.projects import project_of
from hardtack.bundle.engines.documents import document_of
from hardtack.bundle.format import layout
from hardtack.bundle.format.details import detail_row
from hardtack.bundle.format.records import KINDS, ChunkRecord
from hardtack.bundle.format.tables import Row
from hardtack.bundle.indexes.cooccurrence import pack_pairs
from hardtack.bundle.indexes.words import pack_stems
from hardtack.bundle.writer import IndexedFile
from hardtack.encoders import Encoder
from hardtack.nouns.model import Tag
from hardtack.nouns.outline import Chunk, Outline, SourceFile, Symbol
from hardtack.nouns.projects import project_row

_ROW_CHARACTERS = layout.ROW_TEXT_LIMIT // 4
_KIND_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}


def analyse(file: SourceFile, encoder: Encoder | None, *, use_grammar: bool = True, keep_synopses: bool = False) -> IndexedFile:
    """Parse one file, cut it into chunks and encode them.

    Args:
        file: the decoded file.
        encoder: the default encoder; None in a keyword-only build, or if the building process makes the vectors.
        use_grammar: False for a file whose grammar has already ended a worker: it is not parsed.
        keep_synopses: include the text of each chunk that the building process encodes.
    """
    outline = _within_limits(outline_of(file.text, languages()[file.language], use_grammar=use_grammar))
    chunks = chunks_of(file.text, outline.symbols)
    text = file.text.decode("utf-8")
    documents: list[tuple[str, ...]] = []
    synopses: list[str] = []
    parts: list[tuple[str, ...]] = []
    for chunk in chunks:
        symbols = outline.symbols[chunk.first_symbol : chunk.first_symbol + chunk.symbol_count]
        enclosing = outline.symbols[chunk.enclosing] if chunk.enclosing >= 0 else None
        code = file.text[chunk.span.start : chunk.span.end].decode("utf-8")
        document = document_of(path=file.path, language=file.language, file=0, symbols=symbols, enclosing=enclosing, body=code)
        documents.append(document.texts)
        if encoder:
            parts.append(parts_of(path=file.path, symbols=symbols, enclosing=enclosing, code=code))
        if keep_synopses:
            synopses.append(synopsis_of(path=file.path, symbols=symbols, enclosing=enclosing, code=code))
    symbol_rows = [_symbol_row(symbol) for symbol in outline.symbols]
    chunk_rows = [_chunk_row(chunk) for chunk in chunks]
    return IndexedFile(
        line_count=file.text.count(b"\n") + (not file.text.endswith(b"\n") and bool(file.text)),
        package=outline.package,
        imports=(outline.imports.start, outline.imports.end) if outline.imports else None,
        parse_status=outline.status.value,
        error_lines=outline.error_lines,
        symbols=symbol_rows,
        chunks=chunk_rows,
        details=[detail_row(index, detail) for index, detail in sorted(outline.details.items())],
        imported=outline.imported,
        uses=msgpack.packb((outline.uses, outline.bindings)),
        facts=outline.facts,
        documents=documents,
        tags=_tags_of(outline, file.language),
        project=project_row(project) if (project := project_of(file.path, file.text)) else None,
        words=pack_stems(text),
        pairs=pack_pairs(text),
        vectors=vectors_of(parts, encoder).tobytes() if encoder and parts else b"",
        synopses=synopses,
    )


def _tags_of(outline: Outline, language: str) -> list[tuple[int, int]]:
    """(symbol, tags) of each symbol of the file that has any."""
    tags = {index: sum(tag.bit for tag in found) for index, found in tags_in(outline, language).items()}
    for index, symbol in enumerate(outline.symbols):
        if symbol.is_from_lines:
            tags[index] = tags.get(index, 0) | Tag.READ_FROM_LINES.bit
    for index in outline.locals:
        tags[index] = tags.get(index, 0) | Tag.LOCAL.bit
    return sorted(tags.items())


def _symbol_row(symbol: Symbol) -> Row:
    """A row in :data:`records.SYMBOL_FIELDS` order."""
    span, extent, selection = symbol.span, symbol.extent, symbol.selection
    return (
        *(0, _KIND_NUMBERS[symbol.kind], symbol.name, symbol.qualified_name),
        *(span.start, span.end, span.start_line, span.end_line, extent.start, extent.start_line),
        *(selection.start, selection.end, selection.start_line, symbol.signature, symbol.doc, symbol.package, symbol.parent),
    )


def _chunk_row(chunk: Chunk) -> Row:
    """A row in :data:`records.CHUNK_FIELDS` order."""
    span = chunk.span
    return ChunkRecord(
        file=0,
        start=span.start,
        end=span.end,
        start_line=span.start_line,
        end_line=span.end_line,
        first_symbol=chunk.first_symbol,
        symbol_count=chunk.symbol_count,
        enclosing=chunk.enclosing,
        part=chunk.part,
        parts=chunk.parts,
        token_count=chunk.token_count,
        content_hash=chunk.content_hash,
    )


def _within_limits(outline: Outline) -> Outline:
    """The outline, with names and documentation cut to what a row of a bundle may hold; hardly any are so long."""
    is_long = any(
        len(each.qualified_name) > layout.NAME_CHARACTERS
        or len(each.doc) > _ROW_CHARACTERS
        or len(each.package) > layout.NAME_CHARACTERS
        for each in outline.symbols
    )
    symbols = tuple(map(_cut, outline.symbols)) if is_long else outline.symbols
    return replace(outline, symbols=symbols, package=outline.package[: layout.QUALIFIED_NAME_CHARACTERS])


def _cut(symbol: Symbol) -> Symbol:
    return replace(
        symbol,
        name=symbol.name[: layout.NAME_CHARACTERS],
        qualified_name=symbol.qualified_name[: layout.QUALIFIED_NAME_CHARACTERS],
        package=symbol.package[: layout.QUALIFIED_NAME_CHARACTERS],
        doc=symbol.doc[:_ROW_CHARACTERS],
    )
