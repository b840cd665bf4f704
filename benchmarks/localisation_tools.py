"""The tools that ``localisation.py`` compares: Hardtack, BM25 over files, semble, and an agent with grep.

Each gets the whole text of an issue over the whole tree of its commit. All but semble read the files from the bundle, which has
every file of the tree but those that a build leaves out (binary, minified, private keys, too large).
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import tantivy

from hardtack import Searcher
from hardtack.bundle.reader import open_bundle
from hardtack.nouns.model import Hit, Place
from hardtack.query.request.parse import MAX_LIMIT, MAX_QUERY_CHARACTERS
from hardtack.render import RENDERERS, Style
from hardtack.render.style import MARKDOWN_FURTHER
from localisation_issues import Lines
from retrieval_process import Process

TOKEN = 4
BUDGETS = (2000, 4000)
"""Tokens of four characters, as in ``token_efficiency.py``."""
WARM_UP = "where are errors raised"

_HEADING = re.compile(r"(?:\*\*\d+\.\*\* )?`([^`]*):(\d+)(?:-\d+)?`")
_FENCE = re.compile(r"`{3,}")
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_BACKTICKED = re.compile(r"`([^`\n]+)`")
_CAMEL = re.compile(r"[a-z0-9][A-Z]")
_NAMES, _LINES_PRINTED, _WINDOW = 10, 10, 100


class Found(NamedTuple):
    """What a tool answered for one issue."""

    files: list[str]
    """Distinct, best first."""
    places: list[Lines] | None
    """The hits with the lines they show, best first; None of a tool that finds files alone."""
    shown: dict[int, set[tuple[str, int]]] | None
    """Of each budget the lines that are read within it; None of a tool that prints none."""
    seconds: float | None
    """The query alone, of a tool that answered another just before; None of one that is only acted here."""


class Tree:
    """The files of one issue's commit."""

    def __init__(self, bundle: Path, write: Callable[[Path], None]) -> None:
        self.bundle = bundle
        self.write = write
        """Writes the files into an empty directory."""

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each file of the bundle, by path."""
        with open_bundle(self.bundle, check="sizes") as bundle:
            return {file.path: bundle.text_of(file).decode("utf-8", "replace") for file in bundle.files}


class Tool(ABC):
    """A way to find places in a tree."""

    name: ClassVar[str]

    @abstractmethod
    def find(self, tree: Tree, text: str) -> Found:
        """What it finds in ``tree`` for the issue ``text``."""


class Hardtack(Tool):
    """What ``hardtack search`` prints in Markdown: its hits, and the files that it names after them.

    A search of 100 hits and 100 more files is asked as well, for the ranks of what is not there; it comes after all of that.
    """

    name = "hardtack"

    def find(self, tree: Tree, text: str) -> Found:
        """Timed is the search of what is printed."""
        query = text[:MAX_QUERY_CHARACTERS]
        with Searcher(open_bundle(tree.bundle, check="sizes"), kept_answers=0) as searcher:
            searcher.search(WARM_UP, further=MARKDOWN_FURTHER)
            start = time.perf_counter()
            printed = searcher.search(query, further=MARKDOWN_FURTHER)
            seconds = time.perf_counter() - start
            wider = searcher.search(query, limit=MAX_LIMIT, further=MAX_LIMIT)
        found: list[Hit | Place] = [*printed.hits, *printed.further, *wider.hits, *wider.further]
        places = [
            Lines(hit.path, hit.snippet_start_line or hit.start_line, hit.snippet_end_line or hit.end_line)
            for hit in (*printed.hits, *wider.hits)
        ]
        shown = {n: set(lines_in_markdown(RENDERERS["markdown"](printed, Style(max_tokens=n)), TOKEN * n)) for n in BUDGETS}
        return Found(distinct(each.path for each in found), places, shown, seconds)


class Bm25(Tool):
    """Tantivy's BM25 over whole files and their paths, its default tokenizer, nothing tuned."""

    name = "bm25"

    def find(self, tree: Tree, text: str) -> Found:
        """Every occurrence of a word in the issue is a term of the query."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("path", stored=True, tokenizer_name="raw")
        builder.add_text_field("body", index_option="freq")
        index = tantivy.Index(builder.build())
        writer = index.writer(heap_size=128_000_000, num_threads=1)
        for path, body in tree.texts.items():
            writer.add_document(tantivy.Document(path=[path], body=[f"{path}\n{body}"]))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        searcher = index.searcher()

        def search(query: str) -> list[str]:
            words = " ".join(_WORD.findall(query.lower()))
            hits = searcher.search(index.parse_query(words, ["body"]), 2 * MAX_LIMIT).hits if words else []
            return [str(searcher.doc(address)["path"][0]) for _, address in hits]

        search(WARM_UP)
        start = time.perf_counter()
        files = search(text)
        return Found(files, None, None, time.perf_counter() - start)


class Semble(Tool):
    """semble over the written tree, through its adapter. Lines: its chunks in order, each after a line with its place."""

    name = "semble"

    def __init__(self, python: str) -> None:
        adapter = Path(__file__).with_name("semble_adapter.py")
        self._command = (python, str(adapter), "{root}", "--limit", str(MAX_LIMIT))

    def find(self, tree: Tree, text: str) -> Found:
        """A process for each tree."""
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch, "tree")
            root.mkdir()
            tree.write(root)
            with Process(self._command, str(root)) as process:
                process.ask(WARM_UP)
                answer: dict[str, Any] = process.ask(text)
            places = [Lines(path, first, last) for path, first, last in answer["hits"]]
            shown = {n: set(_within(places, root, TOKEN * n)) for n in BUDGETS}
        return Found(distinct(place.path for place in places), places, shown, answer["ms"] / 1000)


class Grep(Tool):
    """An agent that greps for the names in an issue and reads around the hits.

    Names are what stands in backticks, is followed by ``(``, or has an underscore or an inner capital; ten at most, in the order
    of the issue. For each, ``rg -n -w --sort path NAME | head`` is read, ten lines of ``path:line:text``. Then, name by name, the
    100 lines around its first hit outside what was read, again and again until nothing is left.
    """

    name = "grep"

    def find(self, tree: Tree, text: str) -> Found:
        """Files in the order in which they are read."""
        lines = {path: body.split("\n") for path, body in tree.texts.items()}
        hits = [_grepped(tree.texts, lines, name) for name in names_in(text)]
        reads = list(_reads(lines, hits))
        shown: dict[int, set[tuple[str, int]]] = {}
        for budget in BUDGETS:
            left = TOKEN * budget
            seen: set[tuple[str, int]] = set()
            for path, line, cost in reads:
                left -= cost
                if left < 0:
                    break
                seen.add((path, line))
            shown[budget] = seen
        return Found(distinct(path for path, *_ in reads), None, shown, None)


def names_in(text: str) -> list[str]:
    """The names in an issue that an agent would grep for."""
    quoted = {name for inside in _BACKTICKED.findall(text) for name in _NAME.findall(inside)}
    found = [
        word[0]
        for word in _NAME.finditer(text)
        if len(word[0]) > 2
        and (word[0] in quoted or "_" in word[0].strip("_") or _CAMEL.search(word[0]) or text[word.end() : word.end() + 1] == "(")
    ]
    return distinct(found)[:_NAMES]


def _grepped(texts: Mapping[str, str], lines: Mapping[str, Sequence[str]], name: str) -> list[tuple[str, int]]:
    """Path and line of each line with the word ``name``, in the order of paths."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    files = [path for path in sorted(texts) if name in texts[path]]
    return [(path, number) for path in files for number, line in enumerate(lines[path], 1) if word.search(line)]


def _reads(lines: Mapping[str, Sequence[str]], hits: Sequence[Sequence[tuple[str, int]]]) -> Iterator[tuple[str, int, int]]:
    """Path, line and cost in characters of each line in the order of reading."""
    for found in hits:
        for path, line in found[:_LINES_PRINTED]:
            yield path, line, len(f"{path}:{line}:{lines[path][line - 1]}\n")
    seen: set[tuple[str, int]] = set()
    rest = [list(found) for found in hits]
    while any(rest):
        for number, found in enumerate(rest):
            rest[number] = found = [hit for hit in found if hit not in seen]
            if found:
                path, line = found[0]
                first = max(1, line - _WINDOW // 2)
                for each in range(first, min(first + _WINDOW, len(lines[path]) + 1)):
                    seen.add((path, each))
                    yield path, each, len(lines[path][each - 1]) + 1
        if len(seen) > _WINDOW * _WINDOW:
            return  # far beyond every budget


def _within(places: Sequence[Lines], root: Path, characters: int) -> Iterator[tuple[str, int]]:
    """The lines of files below ``root`` that are shown until so many characters are read."""
    for path, first, last in places:
        body = (root / path).read_text(encoding="utf-8", errors="replace").split("\n")
        characters -= len(f"{path}:{first}-{last}\n")
        for line in range(first, last + 1):
            characters -= len(body[line - 1]) + 1
            if characters < 0:
                return
            yield path, line


def lines_in_markdown(text: str, characters: int) -> Iterator[tuple[str, int]]:
    """Path and line of each source line that stands whole in the first ``characters`` of an answer in Markdown."""
    path, line, fence, read = "", 0, "", 0
    for printed in text.split("\n"):
        read += len(printed) + 1
        if read > characters + 1:
            return
        if fence:
            if printed == fence:
                fence = ""
            elif line:
                yield path, line
                line += 1
        elif opening := _FENCE.match(printed):
            fence = opening[0]
        elif heading := _HEADING.match(printed):
            path, line = heading[1] or path, int(heading[2])
        elif printed.startswith("Further files"):
            line = 0


def distinct(values: Iterable[str]) -> list[str]:
    """Each value once, in the order of first occurrence."""
    return list(dict.fromkeys(values))


NAMES = (Hardtack.name, Bm25.name, Semble.name, Grep.name)
_OTHERS: dict[str, Callable[[], Tool]] = {"hardtack": Hardtack, "bm25": Bm25, "grep": Grep}


def tools_named(names: Sequence[str], semble: str | None) -> list[Tool]:
    """The tools of those names.

    Raises:
        SystemExit: semble is among them and cannot be run.
    """
    tools: list[Tool] = []
    for name in names:
        if name == Semble.name:
            if not semble or not os.environ.get("SEMBLE_MODEL_NAME"):
                raise SystemExit(
                    "semble wants --semble PYTHON, the Python of its environment, and SEMBLE_MODEL_NAME, a Model2Vec folder."
                )
            tools.append(Semble(semble))
        else:
            tools.append(_OTHERS[name]())
    return tools
