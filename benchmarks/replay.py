"""Replay: the answers of every verb and tool before and after a change of the code, process by process.

    python benchmarks/replay.py draw BUNDLE REQUESTS.jsonl --count 200 --seed 1     writes requests about one bundle
    python benchmarks/replay.py record REQUESTS.jsonl... --into ANSWERS.jsonl       runs them with a program, keeps what it prints
    python benchmarks/replay.py compare BEFORE.jsonl AFTER.jsonl                    lists every request whose answer differs

A request is a bundle and the arguments after ``hardtack``; a list of requests may also be written by hand. An answer is the exit
code, standard output and standard error. ``--program`` says which program answers, so that one list serves two checkouts:
``--program "env PYTHONPATH=OLD/src python -m hardtack"``. Figures that two runs of one program do not share (milliseconds, ages)
are masked before they are kept. ``compare --mask-digests`` also masks digests and sizes, for bundles that were built anew.
Exit code 1 when an answer differs.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

MODES = ("hybrid", "vector", "keyword")
KINDS = ("function", "method", "class", "interface", "type", "constant", "variable", "field")
_CLOCK = (
    (re.compile(r'("(?:\w*_ms|\w*_seconds|ms|seconds|staleness_days|age\w*)": ?)[0-9.e+-]+'), r"\1#"),
    (re.compile(r"\s+[0-9]+(?:\.[0-9]+)? (?:ms|s|seconds?|minutes?|hours?|days?|weeks?|months?|years?)( old| ago)?\b"), " # time"),
)
_DIGESTS = (
    (re.compile(r"(sha256:)?\b[0-9a-f]{12,64}\b"), "#digest"),
    (re.compile(r"\b[0-9.,]+ (?:bytes|[kKMG]i?B)\b"), "# bytes"),
    (re.compile(r'("\w*(?:size|bytes)": ?)[0-9]+'), r"\1#"),
    (re.compile(r'("cursor"|"next_cursor"): ?"[^"]*"'), r'\1: "#"'),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Draw requests, record answers or compare two recordings; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    draw = verbs.add_parser("draw", help="write requests about a bundle")
    draw.add_argument("bundle", type=Path)
    draw.add_argument("requests", type=Path)
    draw.add_argument("--count", type=int, default=200)
    draw.add_argument("--seed", type=int, default=1)
    record = verbs.add_parser("record", help="run requests and keep the answers")
    record.add_argument("requests", type=Path, nargs="+")
    record.add_argument("--into", type=Path, required=True)
    compare = verbs.add_parser("compare", help="list the answers that differ")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    compare.add_argument("--mask-digests", action="store_true", help="bundles were built anew")
    compare.add_argument("--show", type=int, default=3, metavar="N", help="print the lines that differ for the first N (default 3)")
    for verb in (draw, record):
        verb.add_argument("--program", default="hardtack", help="the program that answers (default: hardtack)")
    options = parser.parse_args(argv)
    if options.verb == "draw":
        return _draw(options)
    return _record(options) if options.verb == "record" else _compare(options)


def _run(program: str, bundle: str, arguments: Sequence[str]) -> dict[str, Any]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HARDTACK_")}
    environment |= {"HARDTACK_CACHE": "/nonexistent", "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(
        [*shlex.split(program), arguments[0], "-b", bundle, *arguments[1:]],
        capture_output=True, text=True, errors="replace", cwd="/", env=environment, timeout=300, check=False,
    )  # fmt: skip
    return {"code": done.returncode, "out": _masked(done.stdout, _CLOCK), "err": _masked(done.stderr, _CLOCK)}


def _canonical(text: str) -> str:
    """JSON with its keys in order and a line each: what is equal but for the order of keys is equal."""
    try:
        return json.dumps(json.loads(re.sub(r": ?#", ": 0", text)), sort_keys=True, indent=0, ensure_ascii=False)
    except ValueError:
        return text


def _masked(text: str, masks: Sequence[tuple[re.Pattern[str], str]]) -> str:
    for pattern, instead in masks:
        text = pattern.sub(instead, text)
    return text


def _draw(options: argparse.Namespace) -> int:
    """Write ``count`` requests whose names, paths and words are drawn from the bundle's own text."""
    bundle = str(options.bundle.resolve())
    choice = random.Random(options.seed)

    def ask(*arguments: str) -> str:
        return str(_run(options.program, bundle, arguments)["out"])

    paths = ask("grep", "-l", "--regex", r"\w").splitlines()
    if not paths:
        sys.exit(f"replay: {bundle} has no text to draw requests from; take another bundle")
    texts = {path: ask("cat", path) for path in choice.sample(paths, min(40, len(paths)))}
    words = sorted({word for text in texts.values() for word in re.findall(r"[A-Za-z_][A-Za-z0-9_]{3,}", text)})
    functions, types = (
        sorted({name for text in texts.values() for name in re.findall(rf"\b(?:{introduced_by})\s+(\w{{3,}})", text)}) or words
        for introduced_by in ("def|func|fn|function", "class|struct|interface|enum|trait|type")
    )
    phrases = sorted({line.strip(" \t#*/-") for text in texts.values() for line in text.splitlines() if line.count(" ") > 4})
    drawn = _Drawn(choice, list(texts), functions, types, words, phrases)
    requests = [request for _, request in zip(range(options.count), drawn.requests(), strict=False)]
    options.requests.write_text("".join(json.dumps({"bundle": bundle, "argv": argv}) + "\n" for argv in requests), "utf-8")
    print(f"{len(requests)} requests about {bundle} in {options.requests}")
    return 0


class _Drawn:
    """Requests without end: every verb, mode, filter and tool in turn, about things drawn from a bundle."""

    def __init__(
        self, choice: random.Random, paths: list[str], functions: list[str], types: list[str], words: list[str], phrases: list[str]
    ) -> None:
        self._choice = choice
        self._paths = paths
        self._types = types
        self._names = functions + types
        self._words = words
        self._phrases = phrases or words

    def requests(self) -> Iterator[list[str]]:
        """Requests in a fixed rotation, so that any count of them covers all kinds evenly."""
        while True:
            yield from self._searches()
            yield from self._look_ups()
            yield from self._lines_and_files()
            yield from self._tools()

    def _query(self) -> str:
        return self._choice.choice(
            [
                self._choice.choice(self._names),
                self._choice.choice(self._phrases)[:120],
                " ".join(self._choice.sample(self._words, 3)),
            ]
        )

    def _name(self) -> str:
        return self._choice.choice(self._names)

    def _path(self) -> str:
        return self._choice.choice(self._paths)

    def _searches(self) -> Iterator[list[str]]:
        for mode in MODES:
            yield ["search", "--mode", mode, "--json", "--", self._query()]
            yield ["search", "--mode", mode, "--why", "--", self._query()]
            yield ["search", "--mode", mode, "--format", "markdown", "--max-tokens", "1500", "--", self._query()]
            yield ["search", "--mode", mode, *self._filters(), "--json", "--", self._query()]
        yield ["search", "--json", "-n", "25", "--context", "3", "--surroundings", "--", self._query()]
        yield ["search", "--format", "jsonl", "--further", "10", "--", self._query()]
        yield ["explain", "--json", "--where", self._path(), "--symbol", self._name(), "--", self._query()]
        yield ["explain", *self._filters(), "--", self._query()]

    def _filters(self) -> list[str]:
        stem = self._path().rpartition(".")[2]
        folder = self._path().rpartition("/")[0]
        return self._choice.choice(
            [
                ["--lang", stem],
                ["--kind", self._choice.choice(KINDS)],
                ["--path", f"{folder}/**" if folder else "**"],
                ["--name", self._name()[:3] + "*"],
                ["--package", folder or "main"],
                ["--takes", self._choice.choice(["str", "string", "int", "bool", self._name()])],
                ["--returns", self._choice.choice(["str", "string", "int", "bool", self._name()])],
                ["--min-score", "0.2"],
                ["--tag", "repository"],
                ["--kind", "function", "--path", f"{folder}/*" if folder else "*"],
            ]
        )

    def _look_ups(self) -> Iterator[list[str]]:
        for verb in ("define", "function", "implementations", "references", "callers"):
            names = self._types if verb in ("define", "implementations") else self._names
            yield [verb, self._choice.choice(names)]
            yield [verb, "--json", self._choice.choice(names)]
        yield ["references", "--certainty", "likely", "--json", self._name()]
        yield ["define", self._choice.choice(self._words)]
        yield ["exports", self._path().rpartition("/")[0] or "main"]
        yield ["exports", "--json", self._path().rpartition(".")[0]]
        yield ["similar", "--json", f"{self._path()}:{self._choice.randrange(1, 15)}"]

    def _lines_and_files(self) -> Iterator[list[str]]:
        yield ["grep", self._choice.choice(self._words)]
        yield ["grep", "--json", self._name()]
        yield ["grep", "--regex", "-l", self._name()[:4] + r"\w+"]
        yield ["grep", "-c", self._choice.choice(self._words), "**/*" + self._path()[-4:]]
        yield ["cat", f"{self._path()}:{self._choice.randrange(1, 20)}-{self._choice.randrange(20, 60)}"]
        yield ["ls", self._path().rpartition("/")[0] or "."]
        yield ["cat", self._path() + ".absent"]
        yield ["stats"]
        yield ["stats", "--json", "--failures"]
        yield ["status", "--json"]

    def _tools(self) -> Iterator[list[str]]:
        name, path, query = self._name(), self._path(), self._query()
        calls: dict[str, dict[str, Any]] = {
            "search_code": {"query": query, "limit": 5, "search_mode": self._choice.choice(MODES)},
            "hybrid_search": {"query": query, "file_path": path},
            "analyze_query": {"query": query, "track_paths": [path], "track_symbols": [name]},
            "find_similar": {"path": path, "line": self._choice.randrange(1, 15)},
            "find_type_definition": {"type_name": self._choice.choice(self._types), "output_format": "json"},
            "get_function_details": {"function_name": name, "file_path": path},
            "list_package_exports": {"package": path.rpartition("/")[0] or "main", "limit": 20},
            "find_implementations": {"symbol_name": name},
            "find_references": {"symbol_name": name, "limit": 20},
            "search": {"query": self._choice.choice(self._words), "limit": 40},
            "smart_search": {"query": name, "repo": "code"},
            "open_file": {"path": path},
            "get_snippet": {"path": path, "start_line": 2, "end_line": 30},
            "list_dir": {"path": path.rpartition("/")[0] or "."},
            "list_indexes": {},
            "index_stats": {"include_failures": True},
            "get_status": {},
        }
        for tool, arguments in calls.items():
            yield ["tool", tool, "--json", json.dumps(arguments), *self._choice.choice([[], ["--structured"]])]
        filters = {"file_pattern": "**/*" + path[-3:], "min_relevance": 0.05}
        yield ["tool", "search_code", "--json", json.dumps({"query": query, "filters": filters, "symbol_type": "function"})]


def _record(options: argparse.Namespace) -> int:
    requests = [json.loads(line) for file in options.requests for line in file.read_text("utf-8").splitlines()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda request: _run(options.program, request["bundle"], request["argv"]), requests)
        with options.into.open("w", encoding="utf-8") as out:
            for request, answer in zip(requests, answers, strict=True):
                out.write(json.dumps(request | answer, ensure_ascii=False) + "\n")
    print(f"{len(requests)} answers in {options.into}")
    return 0


def _compare(options: argparse.Namespace) -> int:
    before, after = (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in (options.before, options.after)
    )
    if [request["argv"] for request in before] != [request["argv"] for request in after]:
        sys.exit("replay: the two recordings are of different requests; record the same list with both programs")
    masks = _DIGESTS if options.mask_digests else ()
    differing = 0
    for old, new in zip(before, after, strict=True):
        sides = [{key: _masked(_canonical(str(answer[key])), masks) for key in ("code", "out", "err")} for answer in (old, new)]
        if sides[0] == sides[1]:
            continue
        differing += 1
        print(f"differs: {shlex.join(old['argv'])}")
        if differing <= options.show:
            for key in ("code", "out", "err"):
                lines = difflib.unified_diff(
                    sides[0][key].splitlines(), sides[1][key].splitlines(), "before", "after", lineterm="", n=0
                )
                print("\n".join(f"    {line[:300]}" for line in lines))
    print(f"{differing} of {len(before)} answers differ")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
