"""Source files of every language, as a worker process reads them: outline, details, uses, chunks, documents.

A case is a language, a line feed, and a text: a real snippet that was changed.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgpack
from driver import Generator, Target
from mutations import in_text
from source_files import source_file

from hardtack.build.docblocks import with_documented
from hardtack.build.languages.registry import detect, languages
from hardtack.build.workers.analyse import analyse
from hardtack.build.workers.worker import pack_indexed, unpack_indexed
from hardtack.bundle.format.records import ChunkRecord, SymbolRecord
from hardtack.bundle.format.tables import Row
from hardtack.nouns.details import Detail, Parameter
from hardtack.nouns.outline import SourceFile

_FIXTURES = Path(__file__).parents[3] / "fixtures" / "languages"
_TOKENS = (
    *(
        b"(",
        b")",
        b"{",
        b"}",
        b"[",
        b"]",
        b"<",
        b">",
        b"((((((((",
        b"{{{{{{{{",
        b'"',
        b"'",
        b"`",
        b'"""',
        b"'''",
        b"//",
        b"/*",
        b"*/",
        b"#",
    ),
    *(
        b"=",
        b"=>",
        b"->",
        b"::",
        b".",
        b",",
        b";",
        b":",
        b"@",
        b"$",
        b"\\\n",
        b"\t",
        b"class ",
        b"def ",
        b"function ",
        b"fn ",
        b"struct ",
    ),
    *(
        b"import ",
        b"from ",
        b"namespace ",
        b"public ",
        b"type ",
        b"<<<X\n",
        b"X\n",
        b"<?php ",
        b"?>",
        b"<script>",
        b"</script>",
        b"{%",
        b"%}",
    ),
    *(
        b"\n\n\n",
        b"\r\n",
        b"\r",
        b"\x0c",
        b"```\n",
        b"==\n",
        b"---\n",
        b"@param a b\n",
        b":param a: b\n",
        b"<!--",
        b"-->",
        b"\xe2\x80\xa8",
    ),
    *(
        b"\xef\xbb\xbf",
        "é".encode(),
        "漢字".encode(),
        "𝔘".encode(),
        b"\x1b[0m",
        b"=begin\n",
        b"=cut\n",
        b"#define A(x) x\n",
        b"#if 0\n",
        b"#endif\n",
    ),
)


@cache
def _snippets() -> Sequence[bytes]:
    found: list[bytes] = []
    for folder in sorted(_FIXTURES.iterdir()):
        for path in sorted(folder.rglob("input*")):
            if path.is_file():
                text = path.read_bytes()
                language = detect(path.name, text).id
                found.append(language.encode() + b"\n" + text)
    covered = {case.partition(b"\n")[0].decode() for case in found}
    some = found[0].partition(b"\n")[2]
    return [*found, *(name.encode() + b"\n" + some for name in sorted(languages().keys() - covered))]


def _seeds() -> Sequence[bytes]:
    for case in _snippets():  # grammars and queries are loaded and compiled before the fork
        _analyse(case)
    return _snippets()


def _another(generator: Generator, seed: bytes) -> bytes:
    language, _, text = seed.partition(b"\n")
    other = generator.choice(_snippets()).partition(b"\n")
    if generator.random() < 0.1:
        at = generator.randrange(len(text) + 1)
        text = text[:at] + other[2][generator.randrange(len(other[2]) + 1) :] + text[at:]
    if generator.random() < 0.03:
        language = other[0]
    return language + b"\n" + in_text(generator, text, _TOKENS)[:20_000]


def _analyse(case: bytes) -> str:
    name, _, data = case.partition(b"\n")
    language = name.decode("ascii", "replace")
    if language not in languages():
        return "no case"
    text = data.replace(b"\0", b" ").decode("utf-8", "replace").encode()
    file = source_file("some/where/input.txt", text, language)
    indexed = analyse(file, None, keep_synopses=zlib.crc32(case) % 4 == 0)
    assert len(unpack_indexed(pack_indexed(indexed)).symbols) == len(indexed.symbols)
    _check(file, indexed.symbols, indexed.chunks)
    for row in indexed.symbols:
        symbol = SymbolRecord(*row)
        assert symbol.name, "a symbol without a name"
        "".join((symbol.name, symbol.signature, symbol.doc)).encode("utf-8", "strict")
    msgpack.unpackb(indexed.uses, use_list=False)
    return indexed.parse_status


def _check(file: SourceFile, symbols: Sequence[Row], chunks: Sequence[Row]) -> None:
    """What ``check_records`` asks of one file's rows."""
    size, start = len(file.text), 0
    rows = [SymbolRecord(*row) for row in symbols]
    for number, row in enumerate(rows):
        assert start <= row.extent_start <= row.start <= row.end <= size, "symbols are out of order, or outside"
        assert row.selection_end <= size
        assert 1 <= row.start_line <= row.end_line, "impossible lines"
        start = row.extent_start
        assert -1 <= row.parent < number, "a parent comes later"
        if row.parent >= 0:
            outer = rows[row.parent]
            assert outer.start <= row.start <= row.end <= outer.end, "a symbol outside its parent"
    end, taken = 0, 0
    for each in chunks:
        chunk = ChunkRecord(*each)
        assert end <= chunk.start < chunk.end <= size, "chunks overlap, or are empty"
        assert chunk.first_symbol == taken, "symbols are left out"
        file.text[chunk.start : chunk.end].decode("utf-8")
        end, taken = chunk.end, taken + chunk.symbol_count
    assert taken == len(rows) or not chunks, "symbols are left over"


# -- documentation comments -------------------------------------------------------------------------------------------------------

_STYLES = ("docstring", "xmldoc", "markup", "phpdoc", "jsdoc", "yard", "doxygen", "godoc")
_DOCS = (
    *("Does it.\n\nArgs:\n    a (int): first\n    b: second\n\nReturns:\n    str: text\n\nRaises:\n    ValueError: no\n",),
    *(
        "Does it.\n\n:param int a: first\n:type b: str\n:returns: text\n:rtype: str\n",
        "Parameters\n----------\na : int\n    first\n",
    ),
    *('<summary>Does</summary><param name="a">first</param><returns>x</returns><exception cref="T:E">y</exception>',),
    *(
        "- Parameters:\n  - a: first\n  - b: second\n- Returns: x\n- Throws: y\n",
        "@param {int} a - first\n@returns {Promise<x>} y\n@throws {E} z\n",
    ),
    *(
        "@param int|null $a first\n@return array<string, int> x\n@var T $b\n@deprecated since 2\n",
        "@param a [Integer] first\n@return [String, nil] x\n",
    ),
    *("\\brief Does.\n\\param[in] a first\n\\return x\n", "Deprecated: use b.\n\nMore.\n"),
)
_TAGS = (
    *(
        b"@param ",
        b"@return ",
        b"{",
        b"}",
        b"[",
        b"]",
        b"<",
        b">",
        b"|",
        b"\\param[in,out] ",
        b":param ",
        b"Args:\n",
        b"    ",
        b"\n\n",
        b"- ",
    ),
    *(
        b"<param name=",
        b"</param>",
        b"<![CDATA[",
        b"&",
        b"----\n",
        b"$a",
        b"...",
        b"*",
        b"{@link ",
        b"Returns:\n",
        b"@",
        b"@" * 50,
        b"{" * 200,
    ),
)


def _docs() -> Sequence[bytes]:
    return [style.encode() + b"\n" + doc.encode() for style in _STYLES for doc in _DOCS]


def _another_doc(generator: Generator, seed: bytes) -> bytes:
    style, _, doc = seed.partition(b"\n")
    return style + b"\n" + in_text(generator, doc, _TAGS)[:20_000]


def _document(case: bytes) -> str:
    style, _, doc = case.partition(b"\n")
    if style.decode("ascii", "replace") not in _STYLES:
        return "no case"
    detail = Detail(parameters=(Parameter(name="a"), Parameter(name="{b}")))
    found = with_documented(detail, doc.decode("utf-8", "replace"), style.decode())
    assert len(found.parameters) == 2
    return "documented" if found != detail else "nothing said"


TARGETS = (
    Target(
        name="languages",
        seeds=_seeds,
        mutate=_another,
        execute=_analyse,
        share=4,
        stopped=frozenset({"more than 10 s in syntax.parse"}),
    ),
    Target(name="docblocks", seeds=_docs, mutate=_another_doc, execute=_document),
)
