"""Questions made from a bundle, each put as a library call, a command line and a tool call, and how each answer is read.

What a question is about is drawn from the bundle by a seeded choice: its symbols, packages, paths and words. Every answer is
brought to the same facts, so that two of them are equal exactly when hits, order, scores and text are.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from hardtack.bundle.reader import Bundle
from hardtack.errors import HardtackError
from hardtack.nouns.descriptors import descriptor_to_json
from hardtack.nouns.model import FUNCTIONS, TYPES, Answer
from hardtack.nouns.statistics import created_at
from hardtack.query.explain.explanation import explain
from hardtack.query.files.stored_files import FoundLines, StoredFiles
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.lookup.results import ResultPage
from hardtack.query.searcher import Searcher
from hardtack.query.similar import similar
from hardtack.query.state.statistics import size_of, statistics_of
from hardtack.render.mentions import mention_to_json

Facts = Any
_SEED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question, put in three ways, and how each answer is read."""

    tool: str
    arguments: dict[str, Any]
    argv: list[str]
    library: Callable[[], Facts]
    of_tool: Callable[[dict[str, Any]], Facts]
    of_verb: Callable[[dict[str, Any]], Facts]

    def asked(self) -> Facts:
        """The facts of the library's answer; of what it refuses, the code."""
        try:
            return self.library()
        except HardtackError as error:
            return error.code


def questions(searcher: Searcher) -> list[Question]:
    """Every tool at least twice: with filters, a limit, a truncation, an ambiguity and an error among them."""
    draw = _Drawn(searcher.bundle)
    return [
        *_searches(searcher, draw),
        *_similar(searcher, draw),
        *_definitions(searcher, draw),
        *_mentions(searcher, draw),
        *_commits(searcher, draw),
        *_lines(searcher, draw),
        *_files(searcher, draw),
        *_indexes(searcher),
    ]


class _Drawn:
    """What questions are about, drawn from a bundle."""

    def __init__(self, bundle: Bundle) -> None:
        self._random = random.Random(_SEED)
        count = bundle.manifest.counts.symbols
        named: dict[str, Counter[str]] = {"types": Counter(), "functions": Counter(), "methods": Counter()}
        for ordinal in range(count):
            symbol = bundle.symbol_name(ordinal)
            if symbol.name.startswith("_"):
                continue
            if symbol.kind in TYPES:
                named["types"][symbol.name] += 1
            elif symbol.kind in FUNCTIONS:
                named["functions" if "." not in symbol.qualified_name else "methods"][symbol.name] += 1
        self._named = named
        self.files = [file.path for file in bundle.files if file.line_count > 30]
        self.directories = sorted({path.rpartition("/")[0] for path in self.files} - {""})
        self.modules = [path.removesuffix(".py") for path in self.files if path.endswith(".py")]

    def one_of(self, entries: list[str]) -> str:
        return self._random.choice(entries)

    def unique(self, what: str) -> str:
        """A name that one symbol has."""
        return self.one_of(sorted(name for name, count in self._named[what].items() if count == 1))

    def shared(self, what: str) -> str:
        """The name that most have."""
        return min(self._named[what].items(), key=lambda pair: (-pair[1], pair[0]))[0]

    def words(self, bundle: Bundle) -> str:
        """The first sentence of some symbol's documentation."""
        while True:
            symbol = bundle.symbol(self._random.randrange(bundle.manifest.counts.symbols))
            if len(words := symbol.doc.partition(".")[0].split()) > 3:
                return " ".join(words[:10])


# -- commits ------------------------------------------------------------------------------------------------------------------


def _commits(searcher: Searcher, draw: _Drawn) -> Iterator[Question]:
    names = LookUps(searcher.bundle)
    for name in (draw.one_of(draw.files), draw.unique("methods"), "nothing_is_called_so"):

        def library(name: str = name) -> Facts:
            found = names.history(name, page=ResultPage(0, 5))
            return (
                [(each.id, each.date, each.subject, list(each.symbols)) for each in found.results],
                found.total,
                found.note * bool(found.total),
            )

        yield Question(
            tool="get_history",
            arguments={"name": name, "limit": 5},
            argv=["history", name, "-n", "5", "--json"],
            library=library,
            of_tool=lambda structured: _commits_in(structured, structured["result"]),
            of_verb=lambda document: _commits_in(document, document["results"]),
        )


def _commits_in(answer: dict[str, Any], entries: list[dict[str, Any]]) -> Facts:
    listed = [(each["commit"], each["date"], each["subject"], each.get("symbols", [])) for each in entries]
    return listed, answer["total"], answer.get("note", "") * bool(answer["total"])


# -- searches -----------------------------------------------------------------------------------------------------------------


def _hits(answer: Answer) -> Facts:
    return [(hit.path, hit.rank, hit.score, hit.snippet, hit.chunk_id, hit.name, hit.kind) for hit in answer.hits]


def _hits_of_tool(structured: dict[str, Any]) -> Facts:
    hits = [hit for hit in structured["result"] if "file_path" in hit]
    keys = ("file_path", "rank", "score", "content", "chunk_id", "symbol_name", "block_type")
    return [tuple(hit.get(key, "") for key in keys) for hit in hits]


def _hits_of_verb(document: dict[str, Any]) -> Facts:
    keys = ("path", "rank", "score", "snippet", "chunk_id", "name", "kind")
    return [tuple(hit.get(key, "") for key in keys) for hit in document["hits" if "hits" in document else "results"]]


def _searches(searcher: Searcher, draw: _Drawn) -> Iterator[Question]:
    bundle = searcher.bundle
    asked: list[tuple[str, dict[str, Any], dict[str, Any], list[str]]] = [
        (draw.unique("functions"), {"limit": 5}, {"limit": 5}, ["-n", "5"]),
        (draw.unique("types"), {"limit": 3}, {"limit": 3}, ["-n", "3"]),
        (
            draw.words(bundle),
            {"search_mode": "vector", "limit": 4},
            {"mode": "vector", "limit": 4},
            ["--mode", "vector", "-n", "4"],
        ),
        (
            draw.words(bundle),
            {"search_mode": "keyword", "symbol_type": ["class", "function"]},
            {"mode": "keyword", "kinds": ["class", "function"]},
            ["--mode", "keyword", "--kind", "class", "--kind", "function"],
        ),
        (
            draw.words(bundle),
            {"language": "py", "filters": {"file_pattern": "**/query/**", "min_relevance": 0.01}},
            {"languages": ["py"], "paths": ["**/query/**"], "min_score": 0.01},
            ["--lang", "py", "--path", "**/query/**", "--min-score", "0.01"],
        ),
        (
            draw.words(bundle),
            {"context_before": 2, "context_after": 1},
            {"before": 2, "after": 1},
            ["--before", "2", "--after", "1"],
        ),
        (" ", {}, {}, []),
        ("jar", {"language": "cobolish"}, {"languages": ["cobolish"]}, ["--lang", "cobolish"]),
        ("jar", {"limit": 0}, {"limit": 0}, ["-n", "0"]),
    ]
    for text, arguments, options, flags in asked:
        yield Question(
            tool="search_code",
            arguments={"query": text, **arguments},
            argv=["search", text, "--json", *flags],
            library=partial(lambda text, options: _hits(searcher.search(text, **options)), text, options),
            of_tool=_hits_of_tool,
            of_verb=_hits_of_verb,
        )
    for text, limit in ((draw.words(bundle), 5), (draw.unique("methods"), 2)):
        yield Question(
            tool="hybrid_search",
            arguments={"query": text, "limit": limit},
            argv=["search", text, "--json", "-n", str(limit)],
            library=partial(
                lambda text, limit: [
                    (hit.path, hit.score, hit.vector_score, hit.keyword_score) for hit in searcher.search(text, limit=limit).hits
                ],
                text,
                limit,
            ),
            of_tool=lambda structured: [
                (
                    each["location"]["file_path"],
                    *(each["metadata"].get(f"{kind}_score") for kind in ("hybrid", "semantic", "lexical")),
                )
                for each in structured["result"]
            ],
            of_verb=lambda document: [
                (hit["path"], hit["score"], hit.get("vector_score"), hit.get("keyword_score")) for hit in document["hits"]
            ],
        )
    for text in (draw.unique("functions"), draw.words(bundle)):
        yield Question(
            tool="analyze_query",
            arguments={"query": text, "limit": 5},
            argv=["explain", text, "--json", "-n", "5"],
            library=partial(
                lambda text: (
                    (told := explain(searcher, text, limit=5)).fusion.total_fused,
                    told.keyword_search.normalized_query,
                    [(hit.path, hit.rank, hit.score, hit.chunk_id) for hit in told.answer.hits],
                ),
                text,
            ),
            of_tool=lambda structured: (
                structured["fusion"]["total_fused"],
                structured["keyword_search"]["normalized_query"],
                [(hit["file_path"], hit["rank"], hit["score"], hit["chunk_id"]) for hit in structured["results"]],
            ),
            of_verb=lambda document: (
                document["fusion"]["total_fused"],
                document["keyword_search"]["normalized_query"],
                [(hit["path"], hit["rank"], hit["score"], hit["chunk_id"]) for hit in document["results"]],
            ),
        )


def _similar(searcher: Searcher, draw: _Drawn) -> Iterator[Question]:
    for path, line, limit in ((draw.one_of(draw.files), 20, 10), (draw.one_of(draw.files), 5, 2), ("no/such/file.py", 1, 3)):
        yield Question(
            tool="find_similar",
            arguments={"path": path, "line": line, "limit": limit},
            argv=["similar", f"{path}:{line}", "--json", "-n", str(limit)],
            library=partial(lambda path, line, limit: _hits(similar(searcher.bundle, path, line, limit=limit)), path, line, limit),
            of_tool=_hits_of_tool,
            of_verb=_hits_of_verb,
        )


# -- names --------------------------------------------------------------------------------------------------------------------


def _account(described: dict[str, Any]) -> Facts:
    """What stands in a typed account, but for the address that the server adds and the code that it leaves to another tool."""
    location = {key: value for key, value in described.get("location", {}).items() if key != "uri"}
    members = {key: [_account(each) for each in described[key]] for key in ("methods", "scopes", "attributes") if key in described}
    return {**{key: value for key, value in described.items() if key != "code"}, "location": location, **members}


def _the_one_of_verb(document: dict[str, Any]) -> Facts:
    results = document["results"]
    if len(results) == 1:
        return _account(results[0])
    return "SYMBOL_AMBIGUOUS" if results else "SYMBOL_NOT_FOUND"


def _definitions(searcher: Searcher, draw: _Drawn) -> Iterator[Question]:
    look_ups = LookUps(searcher.bundle)
    for name in (draw.unique("types"), draw.unique("types"), draw.shared("types"), "NoSuchTypeAnywhere"):
        yield Question(
            tool="find_type_definition",
            arguments={"type_name": name, "output_format": "json"},
            argv=["define", name, "--json"],
            library=partial(lambda name: _account(descriptor_to_json(look_ups.one_type(name))), name),
            of_tool=_account,
            of_verb=_the_one_of_verb,
        )
    for name in (draw.unique("functions"), draw.unique("methods"), draw.shared("methods")):
        yield Question(
            tool="get_function_details",
            arguments={"function_name": name},
            argv=["function", name, "--json"],
            library=partial(lambda name: _account(descriptor_to_json(look_ups.one_function(name))), name),
            of_tool=_account,
            of_verb=_the_one_of_verb,
        )
    package = draw.one_of(draw.modules)
    for kinds in ((), ("function",), ("class", "constant")):
        yield Question(
            tool="list_package_exports",
            arguments={"package": package, **({"symbol_type": list(kinds)} if kinds else {})},
            argv=["exports", package, "--json", *(flag for kind in kinds for flag in ("--kind", kind))],
            library=partial(
                lambda kinds: [_account(descriptor_to_json(each)) for each in look_ups.exports(package, kinds=kinds).results[:50]],
                kinds,
            ),
            of_tool=lambda structured: [_account(each) for each in structured["result"]],
            of_verb=lambda document: [_account(each) for each in document["results"][:50]],
        )


def _mention(told: dict[str, Any]) -> Facts:
    return {("path" if key == "file_path" else key): value for key, value in told.items() if key != "uri"}


def _mentions(searcher: Searcher, draw: _Drawn) -> Iterator[Question]:
    look_ups = LookUps(searcher.bundle)
    asked: list[tuple[str, str, dict[str, Any], dict[str, Any], list[str]]] = [
        ("references", draw.unique("functions"), {}, {}, []),
        ("references", draw.unique("types"), {"certainty": "exact"}, {"certainty": "exact"}, ["--certainty", "exact"]),
        ("references", draw.unique("types"), {"file_pattern": "**/query/*"}, {"paths": ["**/query/*"]}, ["--path", "**/query/*"]),
        ("references", draw.shared("methods"), {"limit": 30}, {}, []),
        ("implementations", draw.unique("types"), {}, {}, []),
        ("implementations", "HardtackError", {"limit": 3}, {}, []),
        ("implementations", "HardtackError", {"limit": 0}, {}, []),
    ]
    for verb, name, arguments, options, flags in asked[:-1]:
        limit = arguments.get("limit", 50)
        yield Question(
            tool=f"find_{verb}",
            arguments={"symbol_name": name, **arguments},
            argv=[verb, name, "--json", *flags],
            library=partial(
                lambda verb, name, options, limit: [
                    mention_to_json(each) for each in getattr(look_ups, verb)(name, **options).results[:limit]
                ],
                verb,
                name,
                options,
                limit,
            ),
            of_tool=lambda structured: [_mention(each) for each in structured["result"]],
            of_verb=partial(lambda limit, document: document["results"][:limit], limit),
        )


# -- files --------------------------------------------------------------------------------------------------------------------


def _found(found: FoundLines) -> Facts:
    return [tuple(match) for match in found.matches], found.truncated


def _lines(searcher: Searcher, draw: _Drawn) -> Iterator[Question]:
    files = StoredFiles(searcher.bundle)
    asked: list[tuple[str, str, dict[str, Any], dict[str, Any], list[str]]] = [
        ("search", draw.unique("functions"), {}, {}, ["--limit", "200"]),
        ("search", "import", {"limit": 7}, {"limit": 7}, ["--limit", "7"]),
        ("search", "def ", {"file_glob": "**/query/*.py"}, {"globs": ["**/query/*.py"]}, ["**/query/*.py", "--limit", "200"]),
        ("search", r"def \w+_of\(", {"regex": True, "limit": 20}, {"regex": True, "limit": 20}, ["-E", "--limit", "20"]),
        ("search", "(", {"regex": True}, {"regex": True}, ["-E"]),
        ("smart_search", draw.unique("types"), {"repo": "code"}, {"repo": "code"}, ["--repo", "code", "--limit", "200"]),
        ("smart_search", "the", {"repo": "docs", "limit": 5}, {"repo": "docs", "limit": 5}, ["--repo", "docs", "--limit", "5"]),
    ]
    for tool, text, arguments, options, flags in asked:
        yield Question(
            tool=tool,
            arguments={"query": text, **arguments},
            argv=["grep", "--json", text, *flags],
            library=partial(lambda text, options: _found(files.search(text, **options)), text, options),
            of_tool=lambda structured: (
                [(each["path"], each["line"], each["preview"]) for each in structured["result"]],
                structured["meta"]["truncated"],
            ),
            of_verb=lambda document: (
                [(each["path"], each["line"], each["preview"]) for each in document["results"]],
                document["truncated"],
            ),
        )


def _numbered(result: dict[str, Any]) -> Facts:
    return [(line["line"], line["text"]) for line in result["lines"]]


def _files(searcher: Searcher, draw: _Drawn) -> Iterator[Question]:
    files = StoredFiles(searcher.bundle)
    short = [path for path in draw.files if (file := searcher.bundle.file_at(path)) and file.text_length < 8_000]
    for path, first, last in (
        (draw.one_of(short), 1, None),
        (draw.one_of(short), 1, None),
        ("../outside", 1, None),
        (draw.one_of(draw.files), 3, 9),
        (draw.one_of(short), 30, 10**6),
        (draw.one_of(draw.files), 10**7, 10**7 + 1),
    ):
        lines = {} if last is None else {"start_line": first, "end_line": last}
        yield Question(
            tool="open_file" if last is None else "get_snippet",
            arguments={"path": path, **lines},
            argv=["cat", path if last is None else f"{path}:{first}-{last}", "--json"],
            library=partial(
                lambda path, first, last: [
                    *enumerate(files.read(path, first, last).lines, start=first),
                ],
                path,
                first,
                last,
            ),
            of_tool=lambda structured: _numbered(structured["result"]),
            of_verb=lambda document: _numbered(document["results"][0]),
        )
    for path in (draw.one_of(draw.directories), ".", "no/such/place"):
        yield Question(
            tool="list_dir",
            arguments={"path": path},
            argv=["ls", path, "--json"],
            library=partial(lambda path: [(entry.path, entry.type) for entry in files.directory(path).entries], path),
            of_tool=lambda structured: [(entry["path"], entry["type"]) for entry in structured["result"]["entries"]],
            of_verb=lambda document: [(entry["path"], entry["type"]) for entry in document["entries"]],
        )


# -- indexes ------------------------------------------------------------------------------------------------------------------


def _indexes(searcher: Searcher) -> Iterator[Question]:
    bundle = searcher.bundle
    manifest = bundle.manifest
    for _ in range(2):
        yield Question(
            tool="list_indexes",
            arguments={},
            argv=["list", "--json"],
            library=lambda: [(bundle.name, bundle.digest)],
            of_tool=lambda structured: [(each["name"], each["table_name"]) for each in structured["result"]],
            of_verb=lambda document: [(each["name"], each["digest"]) for each in document["bundles"]],
        )
    for arguments in ({"index_name": bundle.name}, {"index_name": bundle.name, "include_failures": True}):
        yield Question(
            tool="index_stats",
            arguments=arguments,
            argv=["stats", "--json"],
            library=lambda: (
                manifest.counts.chunks,
                size_of(manifest),
                dict((told := statistics_of(bundle)).symbols),
                told.health.percent,
                created_at(manifest.provenance),
            ),
            of_tool=lambda structured: (
                structured["chunk_count"],
                structured["storage_size"],
                structured["symbols"],
                structured["parse_stats"]["parse_health_pct"],
                structured.get("created_at"),
            ),
            of_verb=lambda document: (
                document["counts"]["chunks"],
                document["bytes"],
                document["symbols"],
                document["parse_stats"]["parse_health_pct"],
                document.get("created_at"),
            ),
        )
    for _ in range(2):
        yield Question(
            tool="get_status",
            arguments={},
            argv=["status", "--json"],
            library=lambda: (bundle.name, bundle.digest),
            of_tool=lambda structured: (structured["project"]["name"], structured["project"]["id"]),
            of_verb=lambda document: (document["name"], document["digest"]),
        )
