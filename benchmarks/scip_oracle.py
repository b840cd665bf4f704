"""Holds the references of a bundle against the SCIP indexes of its languages' own indexers, with and without --scip.

    python benchmarks/scip_oracle.py REPO --scip FILE [--scip FILE ...] [--misses FILE] [--worktree]

Of the indexes' references those count whose symbol is defined at a symbol of the bundle, in files that fit the text. Asked are

    found     those that the bundle has to the same symbol, by certainty; as an import if they stand in one
    named otherwise   those it has not, and whose word there is not the symbol's name: an indexer's own idea of what a place means
    beside a member   references in { name } to the variable, where the index names the member alone; not counted as against
    against   references of the bundle at places of which the index knows that they mean something else, by certainty

once for a bundle that was built without the indexes and once for one with them. Exit status 1 if with them one of the references is
not exact, or any is against.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hardtack.build.options import BuildOptions
from hardtack.build.pipeline import build_bundle
from hardtack.build.scip.documents import stands_alone
from hardtack.build.scip.index_file import IndexFile, opened_indexes
from hardtack.build.scip.ranges import Lines
from hardtack.build.scip.symbols import is_name_of, parsed
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.nouns.model import Kind
from hardtack.nouns.relations import Reference, RelationKind


class Use(NamedTuple):
    """A place of an index and the symbols that it names there."""

    file: int
    start: int
    line: int
    word: str
    symbols: tuple[str, ...]


class Told(NamedTuple):
    """What the indexes say: uses, and where each symbol is defined, as (file, first byte of the name)."""

    uses: dict[tuple[int, int], Use]
    definitions: dict[str, set[tuple[int, int]]]

    def behind(self, places: Iterable[tuple[int, int]], symbols: Mapping[tuple[int, int], int]) -> set[int]:
        """The symbols that are members of object literals by their names alone, ``{ open }``, where they are defined there."""
        used = (symbol for place in places if place in self.uses for symbol in self.uses[place].symbols)
        return {symbols[each] for symbol in used for each in self.definitions.get(symbol, ()) if each in symbols}


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--scip", type=Path, action="append", required=True)
    parser.add_argument("--misses", type=Path)
    parser.add_argument("--worktree", action="store_true")
    arguments = parser.parse_args()
    clean, lines = False, []
    for label, scip in (("without", ()), ("with", tuple(arguments.scip))):
        with tempfile.TemporaryDirectory() as folder:
            options = BuildOptions(profile="keyword", scip=scip, jobs=1, worktree=arguments.worktree)
            report = build_bundle(arguments.repository, Path(folder, "bundle"), options)
            with open_bundle(Path(folder, "bundle")) as bundle, opened_indexes(arguments.scip) as indexes:
                found, against, misses = compared(bundle, told_of(indexes, bundle))
        whole = sum(found.values()) - found["named otherwise"]
        wrong = sum(against.values()) - against["beside a member"]
        print(f"{label} --scip: {report.seconds:.1f} s; {whole} references in the indexes, against {wrong}")
        print(f"  found   {dict(found.most_common())}, exact {found['exact'] / max(whole, 1):.2%}")
        print(f"  against {dict(against.most_common())}")
        lines += [f"{label}\t{each}" for each in misses]
        clean = found["exact"] == whole and not sum(against.values()) - against["beside a member"]
    if arguments.misses:
        arguments.misses.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return int(not clean)


def told_of(indexes: Sequence[IndexFile], bundle: Bundle) -> Told:
    """What indexes of the bundle's own root say of its files; one of a directory in it is not placed here."""
    uses: dict[tuple[int, int], Use] = {}
    definitions: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for number, index in enumerate(indexes):
        for file, record in enumerate(bundle.files):
            if record.path not in index.documents:
                continue
            document, text = index.document(index.documents[record.path]), bundle.text_of(record)
            here: dict[int, Use] = {}
            for start, end, symbol, is_definition in _occurrences(document, text, f"{number} {record.path} "):
                if is_definition:
                    definitions[symbol].add((file, start))
                    continue
                line = text.count(b"\n", 0, start) + 1
                before = here.get(start, Use(file, start, line, text[start:end].decode(), ()))
                here[start] = before._replace(symbols=(*before.symbols, symbol))
            for start, use in here.items():
                uses.setdefault((file, start), use)
    return Told(uses, definitions)


def _occurrences(document: object, text: bytes, document_name: str) -> Iterator[tuple[int, int, str, bool]]:
    """(first byte, end, symbol, whether it is defined there) of each name in a document."""
    lines = Lines(text)
    positions = lines.reader(lines.encodings(document.position_encoding)[0])  # type: ignore[attr-defined]
    for each in document.occurrences:  # type: ignore[attr-defined]
        span = positions.span(each)
        read = parsed(each.symbol)
        if span is None or span[0] == span[1] or read is None or read.is_module:
            continue
        start, end = span
        if text[start:end][:1] in b"'\"`":
            start, end = start + 1, end - 1
        yield start, end, document_name + each.symbol if read.is_local else each.symbol, bool(each.symbol_roles & 0x41)


def compared(bundle: Bundle, told: Told) -> tuple[Counter[str], Counter[str], list[str]]:
    """(found by certainty, against by certainty, a line for each that is not exact or is against)."""
    found: Counter[str] = Counter()
    against: Counter[str] = Counter()
    misses: list[str] = []
    ours, imports, symbols = _references(bundle), _imports(bundle), _symbols(bundle)
    alike = _alike(bundle)
    for use in told.uses.values():
        places = set[tuple[int, int]]().union(*(told.definitions.get(symbol, ()) for symbol in use.symbols))
        wanted = {alike(_named(bundle, symbols[place], use.word)) for place in places if place in symbols}
        here = ours.get((use.file, use.start), ())
        same = [each for each in here if alike(each.target) in wanted]
        where = f"{bundle.files[use.file].path}:{use.line}\t{use.word}\t{' | '.join(use.symbols)}"
        is_strange = not same and not any(_is_named(symbol, use.word) for symbol in use.symbols)
        behind = {alike(each) for each in told.behind(places, symbols)}
        others = [each for each in here if each not in same and each.target >= 0]
        others = [] if is_strange or not places else [each for each in others if alike(each.target) not in behind]
        if others and stands_alone(bundle.text_of(bundle.files[use.file]), use.start, use.start + len(use.word)):
            against["beside a member"] += 1
        elif others:
            against[others[0].certainty.value] += 1
            misses.append(f"against, {others[0].certainty.value}\t{where}\t{_shown(bundle, others[0].target)}")
        if wanted:
            certainty = same[0].certainty.value if same else ""
            if not same:
                certainty = next((sure for to, sure in imports[use.file, use.line] if alike(to) in wanted), "")
            outcome = certainty or ("named otherwise" if is_strange else "not found")
            found[outcome] += 1
            if certainty != "exact":
                misses.append(f"{outcome}\t{where}\t{sorted(_shown(bundle, each) for each in wanted)}")
    return found, against, misses


def _is_named(symbol: str, word: str) -> bool:
    """Whether a word is the symbol's own name; indexers also have places that are called otherwise and are no import."""
    read = parsed(symbol)
    return read is None or read.is_local or is_name_of(word, read)


def _references(bundle: Bundle) -> dict[tuple[int, int], list[Reference]]:
    found: dict[tuple[int, int], list[Reference]] = defaultdict(list)
    for _, references in bundle.related.references_by_name():
        for each in references:
            found[each.file, each.start].append(each)
    return found


def _imports(bundle: Bundle) -> dict[tuple[int, int], list[tuple[int, str]]]:
    """(file, line) -> (target, certainty) of what is imported there."""
    found: dict[tuple[int, int], list[tuple[int, str]]] = defaultdict(list)
    for each in bundle.related.relations():
        if each.kind is RelationKind.IMPORTS and each.target >= 0:
            found[each.file, each.line].append((each.target, each.certainty.value))
    return found


def _symbols(bundle: Bundle) -> dict[tuple[int, int], int]:
    """(file, first byte of the name) -> ordinal."""
    ordinals = range(bundle.manifest.counts.symbols)
    return {(symbol.file, symbol.selection.start): ordinal for ordinal in ordinals if (symbol := bundle.symbol(ordinal))}


class _Alike:
    """Finds the symbol that stands for another of its qualified name, in its file or one beside it: ``jar.d.ts``, ``jar.js``."""

    def __init__(self, bundle: Bundle) -> None:
        self._firsts: dict[int, int] = {}
        seen: dict[tuple[str, str], int] = {}
        for ordinal in range(bundle.manifest.counts.symbols):
            symbol = bundle.symbol(ordinal)
            folder, _, name = bundle.files[symbol.file].path.rpartition("/")
            self._firsts[ordinal] = seen.setdefault((f"{folder}/{name.partition('.')[0]}", symbol.qualified_name), ordinal)

    def __call__(self, ordinal: int) -> int:
        """The first of those; itself if there is no such symbol."""
        return self._firsts.get(ordinal, ordinal)


def _alike(bundle: Bundle) -> _Alike:
    return _Alike(bundle)


def _named(bundle: Bundle, ordinal: int, word: str) -> int:
    """The symbol that a word means: a constructor that goes by the name of its type is that type."""
    symbol = bundle.symbol(ordinal)
    is_type = symbol.kind is Kind.CONSTRUCTOR and symbol.name != word and symbol.parent >= 0
    return symbol.parent if is_type else ordinal


def _shown(bundle: Bundle, ordinal: int) -> str:
    symbol = bundle.symbol(ordinal)
    return f"{bundle.files[symbol.file].path}:{symbol.selection.start_line} {symbol.qualified_name}"


if __name__ == "__main__":
    raise SystemExit(main())
