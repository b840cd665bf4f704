"""A bundle in, a map of its repository out.

The source that people wrote (where there is none, the documents) is cut into parts: the top is split into what is in it, then the
largest part again, until there are as many as are wanted. What a part is for stands in its README, or in the comment that its main
file begins with. Everything follows from the bundle alone, so that the same bundle gives the same map.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush, nlargest
from itertools import pairwise
from typing import Final

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import ExploredSymbol
from hardtack.nouns.model import TYPES, Content, Kind
from hardtack.nouns.repository_map import Part, RepositoryMap
from hardtack.nouns.roles import Role
from hardtack.query.explore.around import explored
from hardtack.query.files.tree import Tree

_TOLD: Final = frozenset(
    {
        Kind.CLASS,
        Kind.STRUCT,
        Kind.INTERFACE,
        Kind.TRAIT,
        Kind.ENUM,
        Kind.TYPE,
        Kind.FUNCTION,
        Kind.METHOD,
        Kind.MACRO,
        Kind.CONSTANT,
        Kind.SECTION,
    }
)
"""Kinds of symbols that a map names."""
_MOST_SYMBOLS: Final = 8
_MOST_USES: Final = 6
_MOST_ENTRIES: Final = 20
_HEAD: Final = 4000
"""Bytes of a file in which its first sentence is looked for."""
_LEAST_WORDS: Final = 4
"""Words of a purpose; fewer are a name."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LONGEST: Final = 200
"""Characters of a purpose."""

_MAIN_FILES: Final = (
    "__init__.py",
    "doc.go",
    "mod.rs",
    "lib.rs",
    "package-info.java",
    "index.ts",
    "index.js",
    "main.go",
    "main.rs",
)
_README: Final = re.compile(r"readme(\.(md|rst|txt|adoc))?$", re.IGNORECASE)
_DIRECTIVE: Final = r"#\s*(?:if|ifdef|ifndef|define|include|pragma|endif|else|undef|import|error|region)\b"
_COMMENT: Final = re.compile(
    rf"^\s*(?!{_DIRECTIVE})" r'(?:#!.*|"{3}|\'{3}|/\*+|\*+/|\*|//[/!]*|#+|--+\[*|;+|\{-|-\}|<!--|%+)[ \t]?'
)
_HEADING: Final = re.compile(r"#|={1,6} \S")
_UNDERLINE: Final = re.compile(r"([=\-~^*+#\"'`.:_])\1{2,}")
_LICENCE: Final = re.compile(r"copyright|licen[cs]e|permission|warrant|spdx|all rights", re.IGNORECASE)
_NO_PURPOSE: Final = re.compile(
    r"go:build|-\*-|generated|eslint|pylint|noqa|coding[:=]|use strict|!\[|\]\(|https?://|^[\[<*>=|]|^[-+] |^\.\.|\|.*\|",
    re.IGNORECASE,
)
"""Paragraphs of a head that say nothing of what a file is for: directives, badges, links, markup."""
_PREAMBLE: Final = re.compile(rf"{_DIRECTIVE}|#!?\[|[\"']use strict|<\?php")
"""Lines of code that may stand before the comment of a file; one after its imports is of what follows."""
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|(?<=[.!?])$")
_OPENS: Final = (("/*", "*/"), ('"""', '"""'), ("'''", "'''"), ("{-", "-}"), ("<!--", "-->"), ("(*", "*)"), ("=begin", "=end"))
"""How a comment of several lines begins and ends."""


def repository_map(bundle: Bundle, path: str = ".", *, parts: int = 30) -> RepositoryMap:
    """The map of a repository, or of a directory in it, in at most some ``parts`` parts.

    Raises:
        UsageError: PATH_OUT_OF_ROOT, PATH_AMBIGUOUS.
        NotFound: DIR_NOT_FOUND.
    """
    directory, _ = Tree(bundle).directory(path)
    prefix = f"{directory}/" if directory else ""
    inside = [(number, file) for number, file in enumerate(bundle.files) if file.path.startswith(prefix)]
    source = {number: file for number, file in inside if _is_source(file)}
    if not source:  # a directory of documents has parts and sections too
        source = {number: file for number, file in inside if file.content == Content.DOCUMENTATION.value and file.line_count}
    chosen = frozenset(_parts(prefix, {file.path: file.text_length for file in source.values()}, parts))
    part_of = {number: _part_of(file.path, chosen) for number, file in source.items()}
    readmes = _readmes(bundle.files)
    ties = _ties(bundle, part_of)
    members: dict[str, list[int]] = defaultdict(list)
    for number, part in part_of.items():
        members[part].append(number)
    lines: Counter[str] = Counter()
    for file in source.values():
        lines[file.language] += file.line_count
    entries = _entries(bundle, source)
    return RepositoryMap(
        path=directory or ".",
        purpose=_purpose(bundle, prefix, list(source.values()), readmes),
        projects=tuple(
            " ".join(filter(None, (each.ecosystem, each.name, each.version)))
            for each in bundle.manifest.projects
            if each.path.startswith(prefix)
        ),
        files=len(inside),
        languages=tuple(lines.most_common()),
        entries=tuple(explored(bundle, each) for each in entries[:_MOST_ENTRIES]),
        entry_count=len(entries),
        parts=tuple(_described(bundle, each, members[each], ties[each], readmes) for each in sorted(members)),
        aside=tuple(_aside(prefix, (file for number, file in inside if number not in source))),
    )


def _is_source(file: FileRecord) -> bool:
    """Whether a file is code that people wrote for the program itself."""
    is_code = file.content == Content.CODE.value and file.language != "text"
    return is_code and file.role == Role.SOURCE and bool(file.line_count)


def _parts(prefix: str, sizes: Mapping[str, int], wanted: int) -> list[str]:
    """The parts: directories, with a slash at the end, and files."""
    weights: Counter[str] = Counter()
    children: dict[str, set[str]] = defaultdict(set)
    for path, size in sizes.items():
        ends = [len(prefix), *(match.end() for match in re.finditer("/", path) if match.end() > len(prefix))]
        way = [*(path[:end] for end in ends), path]
        for outer, inner in pairwise(way):
            children[outer].add(inner)
        for each in way:
            weights[each] += size
    parts = {prefix}
    waiting = [(-weights[prefix], prefix)] if prefix in children else []
    while waiting:  # the largest first; one that has too much in it to be split stays whole
        _, largest = heappop(waiting)
        if len(parts) - 1 + len(children[largest]) <= wanted or len(parts) == 1:
            parts.remove(largest)
            parts |= children[largest]
            for each in children[largest]:
                if each in children:
                    heappush(waiting, (-weights[each], each))
    return sorted(parts)


def _part_of(path: str, parts: Collection[str]) -> str:
    """The longest of the parts that holds a path."""
    part = path
    while part not in parts:
        part = part[: part.rstrip("/").rfind("/") + 1]
    return part


def _readmes(files: Iterable[FileRecord]) -> dict[str, FileRecord]:
    """Directory, with a slash at the end -> its first README."""
    found: dict[str, FileRecord] = {}
    for file in files:
        directory, slash, name = file.path.rpartition("/")
        if _README.match(name):
            found.setdefault(f"{directory}{slash}", file)
    return found


def _ties(bundle: Bundle, part_of: Mapping[int, str]) -> dict[str, Counter[str]]:
    """Of each part how often it imports, inherits from, or otherwise relates to others."""
    ties: dict[str, Counter[str]] = defaultdict(Counter)
    for relation in bundle.related.relations():
        one, other = part_of.get(relation.file), part_of.get(relation.target_file)
        if one is not None and other is not None and one != other:
            ties[one][other] += 1
    return ties


def _described(bundle: Bundle, path: str, files: Sequence[int], uses: Counter[str], readmes: Mapping[str, FileRecord]) -> Part:
    records = [bundle.file(number) for number in files]
    lines: Counter[str] = Counter()
    for file in records:
        lines[file.language] += file.line_count
    symbols, symbol_count = _most_used(bundle, records)
    return Part(
        path=path or "./",
        files=len(files),
        lines=sum(lines.values()),
        languages=tuple(language for language, _ in lines.most_common()),
        purpose=_purpose(bundle, path, records, readmes),
        symbols=tuple(symbols),
        symbol_count=symbol_count,
        uses=tuple(uses.most_common(_MOST_USES)),
        use_count=len(uses),
    )


def _most_used(bundle: Bundle, files: Iterable[FileRecord]) -> tuple[list[tuple[ExploredSymbol, int]], int]:
    """The symbols that other files refer to most, and how many they refer to; if to none, the first types and functions."""
    counts = bundle.columns.of_symbols("references")
    ordinals = [each for file in files for each in range(file.first_symbol, file.first_symbol + file.symbol_count)]
    told = [(int(counts[each]), -each) for each in ordinals if bundle.symbol_name(each).kind in _TOLD]
    used = [each for each in told if each[0]]
    best = nlargest(_MOST_SYMBOLS, used) or told[: _MOST_SYMBOLS // 2]
    return [(explored(bundle, -number), count) for count, number in best], len(used) or len(told)


def _entries(bundle: Bundle, source: Mapping[int, FileRecord]) -> list[int]:
    """Functions ``main`` outside any type or directly in one, then routes."""
    found: list[tuple[int, int]] = []
    for file in source.values():
        for each in range(file.first_symbol, file.first_symbol + file.symbol_count):
            name = bundle.symbol_name(each)
            if name.name in ("main", "Main") and name.kind in (Kind.FUNCTION, Kind.METHOD):
                found.append((0, each))
            elif name.kind is Kind.ROUTE:
                found.append((1, each))
    return [each for _, each in sorted(found)]


def _aside(prefix: str, files: Iterable[FileRecord]) -> Iterator[tuple[str, int, str]]:
    """What is no source, by role: how many files, and where most of them are."""
    by_role: dict[str, Counter[str]] = defaultdict(Counter)
    for file in files:
        role = file.role if file.role != Role.SOURCE else Content(file.content).name.lower()
        top, slash, _ = file.path.removeprefix(prefix).partition("/")
        by_role[str(role)][f"{prefix}{top}{slash}"] += 1
    for role, places in sorted(by_role.items(), key=lambda entry: (-entry[1].total(), entry[0])):
        yield role, places.total(), places.most_common(1)[0][0]


# -- what a part is for -----------------------------------------------------------------------------------------------------------


def _purpose(bundle: Bundle, path: str, files: Sequence[FileRecord], readmes: Mapping[str, FileRecord]) -> str:
    if not bundle.has_text:
        return ""
    if path.endswith("/") or not path:
        readme = readmes.get(path)
        if readme is not None and (said := _first_sentence(bundle, readme)):
            return said
    stem = path.rstrip("/").rpartition("/")[2]
    own = [file for file in files if "/" not in file.path.removeprefix(path)]
    main = [file for name in (*_MAIN_FILES, f"{stem}.go", f"{stem}.rs") for file in own if file.path.rpartition("/")[2] == name]
    for file in [*main, *(own if len(own) == 1 else ())]:
        if said := _first_sentence(bundle, file) or _of_only_type(bundle, file):
            return said
    return ""


def _of_only_type(bundle: Bundle, file: FileRecord) -> str:
    """What the documentation of a type says, where a file has no other symbol outside of it."""
    ordinals = range(file.first_symbol, file.first_symbol + file.symbol_count)
    outer = [each for each in map(bundle.symbol, ordinals) if each.parent < 0 or bundle.symbol_name(each.parent).kind not in TYPES]
    types = [each for each in outer if each.kind in TYPES]
    others = [each for each in outer if each.kind not in TYPES | {Kind.PACKAGE, Kind.NAMESPACE, Kind.MODULE}]
    return _sentence_of(types[0].doc) if len(types) == 1 and not others else ""


def _first_sentence(bundle: Bundle, file: FileRecord) -> str:
    """The first sentence of prose that a document says, or the comment at the top of a file of code."""
    is_document = file.content == Content.DOCUMENTATION.value
    text = bundle.text_of(file, 0, min(_HEAD, file.text_length)).decode("utf-8", "replace")
    lines = _without_headings(text) if is_document else _comments(text)
    paragraphs = [" ".join(paragraph.split()) for paragraph in "\n".join(lines).split("\n\n")]
    licences = [] if is_document else [place for place, each in enumerate(paragraphs) if _LICENCE.search(each)]
    kept = paragraphs[max(licences, default=-1) + 1 :]
    return next(filter(None, (_sentence_of(each) for each in kept if not (is_document and _LICENCE.search(each)))), "")


def _without_headings(text: str) -> Iterator[str]:
    """The lines of a document, empty ones in place of its headings: ``# Title``, ``== Title``, and lines that are underlined."""
    lines = text.split("\n")
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        is_heading = _HEADING.match(line) or _UNDERLINE.fullmatch(line.rstrip())
        is_underlined = line.strip() and _UNDERLINE.fullmatch(after.rstrip()) and len(after.rstrip()) >= len(line.rstrip())
        yield "" if is_heading or is_underlined else line.strip()


def _sentence_of(text: str) -> str:
    """The first sentence of a text, shortened; empty if it says nothing of what a file is for."""
    sentence = _SENTENCE.split(" ".join(text.split()))[0].strip()
    if _NO_PURPOSE.search(sentence) or len(_WORD.findall(sentence)) < _LEAST_WORDS:
        return ""
    return sentence if len(sentence) <= _LONGEST else f"{sentence[:_LONGEST].rsplit(' ', 1)[0]} ..."


def _comments(text: str) -> Iterator[str]:
    """The lines of the comments that a file of code begins with, without their marks; an empty one between two comments."""
    closing = ""
    for line in text.split("\n"):
        plain = line.strip()
        opening = next((pair for pair in _OPENS if plain.startswith(pair[0])), None) if not closing else None
        if opening:
            closing, plain = opening[1], plain.removeprefix(opening[0])
        elif not closing and plain and not _COMMENT.match(line) and not _PREAMBLE.match(plain):
            return  # the first line of code
        if closing and closing in plain:
            yield _COMMENT.sub("", plain.partition(closing)[0]).strip()
            yield ""
            closing = ""
        elif closing or _COMMENT.match(line):
            yield _COMMENT.sub("", plain).strip()
        else:
            yield ""
