"""Finds every occurrence of names that one symbol alone has, and asks which of them the bundle explains.

    python benchmarks/occurrences.py REPO [REPO ...] [--names 60] [--seed N] [--misses FILE] [--explained FILE]

A keyword bundle of each REPO is built. Of its names that exactly one symbol has, in a language with references, some are drawn by
the seed. Every place where such a name stands in code that can see it, of a language of the same family with references (the whole
identifier; comments and strings left out by the syntax tree), is

    defined     the symbol itself
    referred    what ``hardtack references NAME`` lists, by certainty
    explained   by a rule of docs/references.md that the syntax alone decides: occurrences_rules.py; counted by rule
    missed      none of these

Printed are the parts for each repository and language, and how many each rule explains. ``--misses`` and ``--explained`` write the
places. Exit status 1 when fewer than 99 % of all places, or 97 % of a language's, are defined, referred or explained.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hardtack import BuildOptions, build_bundle
from hardtack.build.languages.registry import Language, dialect_of, languages
from hardtack.build.outline.syntax import Deadline, parse
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.nouns.model import CALLABLES, NAMESPACES, PARTS, TYPES, Kind
from hardtack.query.lookup.references import references
from measure import table
from occurrences_rules import CLASSES, Known, Reading, is_text

OVERALL_MARK, LANGUAGE_MARK = 0.99, 0.97
SECONDS = 20.0
"""Processor time for parsing a file."""
NOT_NAMED = frozenset({Kind.FILE, Kind.SECTION, Kind.ELEMENT, Kind.KEY, Kind.BLOCK})
"""Kinds that code does not name."""
NAME = re.compile(r"\$?[^\W\d][\w$]*[?!]?\Z")
DEFINED, REFERRED, MISSED = "defined", "referred", "missed"


class Wanted(NamedTuple):
    """A name that one symbol has, and where the bundle says that it stands."""

    name: bytes
    kind: Kind
    family: str
    is_outside_types: bool
    """Whether it is a member of no type."""
    is_member: bool
    """Whether it is a member of a type, or a type inside one."""
    defined: tuple[int, int]
    """(file, first byte)."""
    places: dict[tuple[int, int], str]
    """(file, first byte) -> certainty."""
    lines: dict[tuple[int, int], str]
    """(file, line) -> certainty, where the byte is not known."""


class Place(NamedTuple):
    """An occurrence and what it is."""

    language: str
    what: str
    told: str
    """For a report: path, line, name, nodes and code."""


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--names", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", type=Path)
    parser.add_argument("--explained", type=Path)
    asked = parser.parse_args()
    by_language: defaultdict[str, Counter[str]] = defaultdict(Counter)
    rows, misses, explained = [], [], []
    for repository in asked.repositories:
        counts: Counter[str] = Counter()
        with tempfile.TemporaryDirectory() as scratch:
            build_bundle(repository, Path(scratch, "bundle"), BuildOptions(profile="keyword", jobs=1))
            with open_bundle(Path(scratch, "bundle")) as bundle:
                for place in places_in(bundle, f"{asked.seed} {repository.name}", asked.names):
                    counts[place.what] += 1
                    by_language[place.language][place.what] += 1
                    if place.what == MISSED:
                        misses.append(f"{repository.name}\t{place.told}")
                    elif not place.what.startswith((DEFINED, REFERRED)):
                        explained.append(f"{place.what}\t{repository.name}\t{place.told}")
        rows.append(row_of(repository.name, counts))
    total = sum(by_language.values(), Counter())
    print(table(HEAD, [*rows, row_of("together", total)]), end="\n\n")
    print(table(HEAD, [row_of(language, counts) for language, counts in sorted(by_language.items())]), end="\n\n")
    print(table(["explained by", "places"], [[each, str(total[each])] for each in CLASSES]))
    for path, lines in ((asked.misses, misses), (asked.explained, explained)):
        if path:
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return int(found(total) < OVERALL_MARK or any(found(each) < LANGUAGE_MARK for each in by_language.values()))


HEAD = ["", "places", "defined", "exact", "likely", "possible", "explained", "missed", "found"]


def row_of(title: str, counts: Counter[str]) -> list[str]:
    """A row of a table."""
    certain = [counts[f"{REFERRED} {each}"] for each in HEAD[3:6]]
    why = sum(counts[each] for each in CLASSES)
    numbers = (counts.total(), counts[DEFINED], *certain, why, counts[MISSED])
    return [title, *map(str, numbers), f"{found(counts):.2%}"]


def found(counts: Counter[str]) -> float:
    """The part of all places that is not missed."""
    return 1 - counts[MISSED] / max(counts.total(), 1)


def places_in(bundle: Bundle, seed: str, most: int) -> Iterator[Place]:
    """Every occurrence of the names drawn."""
    wanted = wanted_of(bundle, seed, most)
    known = known_of(bundle)
    for number, file in enumerate(bundle.files):
        language = languages()[file.language]
        text = bundle.text_of(file)
        here = [each for each in wanted if each.name in text]
        if not language.has_uses or not here:
            continue
        tree = parse(text, dialect_of(language, text), Deadline(SECONDS))
        if tree is None:
            continue
        reading = Reading(tree.root_node, text, language, known)
        for each in here:
            if each.family != language.family:
                continue  # languages of other families do not see the symbol
            yield from occurrences(each, number, file.path, text, language, reading)


def occurrences(each: Wanted, number: int, path: str, text: bytes, language: Language, reading: Reading) -> Iterator[Place]:
    """The places in one file where one name stands in code."""
    bare = each.name.lstrip(b"$")
    for match in re.finditer(
        rb"(?<![\w$\x80-\xff@])(\$?)"
        + re.escape(bare)
        + (rb"(?![\w$?!\x80-\xff])" if language.id == "ruby" else rb"(?![\w$\x80-\xff])"),
        text,
    ):
        start, end = match.end(1), match.end()
        starts = (match.start(), start, start - (text[start - 1 : start] == b":"))
        is_defined = any((number, at) == each.defined for at in starts)
        if match[1] and not is_defined and not text[: match.start()].rstrip().endswith(b"::"):
            continue  # a variable, not the name
        node = reading.node(start, end)
        if is_text(node) or not node.is_named:
            continue  # text, or a word of the language
        line = text.count(b"\n", 0, start) + 1
        certainty = next((each.places[number, at] for at in starts if (number, at) in each.places), each.lines.get((number, line)))
        if is_defined:
            what = DEFINED
        elif certainty is not None:
            what = f"{REFERRED} {certainty}"
        else:
            what = (
                reading.explained(start, end, each.kind, is_outside_types=each.is_outside_types, is_member=each.is_member) or MISSED
            )
        parents = [each for each in (node.parent and node.parent.parent, node.parent, node) if each is not None]
        code = text[text.rfind(b"\n", 0, start) + 1 :].split(b"\n", 1)[0].strip()[:120].decode("utf-8", "replace")
        nodes = ">".join(each.type for each in parents)
        yield Place(language.id, what, "\t".join((language.id, each.name.decode(), each.kind, f"{path}:{line}", nodes, code)))


def wanted_of(bundle: Bundle, seed: str, most: int) -> list[Wanted]:
    """The names drawn, each with its places."""
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    for ordinal in range(bundle.manifest.counts.symbols):
        by_name[bundle.symbol_name(ordinal).name].append(ordinal)
    unique = {name: ordinals[0] for name, ordinals in by_name.items() if len(ordinals) == 1 and NAME.match(name)}
    can = sorted(name for name, each in unique.items() if can_be_named(bundle, each))
    found = []
    for name in sorted(random.Random(seed).sample(can, min(most, len(can)))):
        symbol = bundle.symbol(unique[name])
        sites = references(bundle, name).sites
        found.append(
            Wanted(
                name=name.encode(),
                kind=symbol.kind,
                family=languages()[bundle.file(symbol.file).language].family,
                is_outside_types=is_outside_types(bundle, unique[name]),
                is_member=symbol.kind in PARTS or (symbol.parent >= 0 and bundle.symbol(symbol.parent).kind in TYPES),
                defined=(symbol.file, symbol.selection.start),
                places={(site.file, site.start): site.certainty.value for site in sites if site.start >= 0},
                lines={(site.file, site.line): site.certainty.value for site in sites if site.start < 0},
            )
        )
    return found


def can_be_named(bundle: Bundle, ordinal: int) -> bool:
    """Whether code names such symbols, in a language with references."""
    symbol = bundle.symbol(ordinal)
    return symbol.kind not in NOT_NAMED and languages()[bundle.file(symbol.file).language].has_uses


def is_outside_types(bundle: Bundle, ordinal: int) -> bool:
    """Whether a symbol is a member of no type."""
    symbol = bundle.symbol(ordinal)
    outer = bundle.symbol(symbol.parent).kind if symbol.parent >= 0 else None
    return (
        symbol.kind not in PARTS
        and symbol.qualified_name.endswith(symbol.name)
        and (outer is None or outer in CALLABLES | NAMESPACES)
    )


def known_of(bundle: Bundle) -> Known:
    """What the bundle declares."""
    symbols = [bundle.symbol_name(ordinal) for ordinal in range(bundle.manifest.counts.symbols)]
    packages = {bundle.symbol(ordinal).package for ordinal in range(bundle.manifest.counts.symbols)}
    parts = {part.partition(".")[0].lower().replace("-", "_") for file in bundle.files for part in file.path.split("/")}
    names = {each.name.encode() for each in symbols if each.kind is not Kind.BLOCK}
    return Known(frozenset(names), frozenset(parts), frozenset(re.sub(r"\W+", ".", each) for each in packages if each))


if __name__ == "__main__":
    sys.exit(main())
