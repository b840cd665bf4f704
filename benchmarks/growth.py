"""Measures whether a build, its bundle and queries of it grow with the source, or faster.

    python benchmarks/growth.py [--language NAME]... [--shape TEXT]... [--bytes N] [--rounds N] [--limit RATIO] [--queries]

``growth_shapes.txt`` lists shapes of source, for every language: many functions, long chains of inheritance, thousands of
attributes before a definition, one long line, deep nesting. Each is built at N bytes, twice and four times as many, as a keyword
bundle by one worker. From the processor time and the bytes those of a tree of one line are subtracted. A shape fails if the larger
of the two doublings takes more than RATIO times the time or the bytes; it is then measured N rounds in all, and the least of each
counts, since other programs only add. With ``--queries`` the times of ``define``, ``references``, ``callers``,
``implementations``, ``search`` and ``grep`` for the first name are held to the same. A build leaves files of long lines out as
minified; those shapes say nothing. Linux alone. Exits 1 when a shape fails.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardtack.bundle.format.text import BLOCK_SIZE, DICTIONARY_SIZE
from measure import ONE_THREAD, Command, spend, table

_SHAPES: Final = Path(__file__).with_name("growth_shapes.txt")
_SIZES: Final = (1, 2, 4)
_MOST_FILES: Final = 500
_LEAST_SECONDS: Final = 0.3
"""Less processor time than this at the largest size is noise."""
_LEAST_BYTES: Final = 20_000
_SMALLEST: Final = {"z.py": "a0 = 1\n"}
"""In every tree, since a build of nothing fails."""
_QUERIES: Final = ("define", "references", "callers", "implementations", "search", "grep")
_ESCAPES: Final = {"n": "\n", "t": "\t"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Source of any size; the texts are those that ``growth_shapes.txt`` describes."""

    language: str
    name: str
    path: str
    head: str
    unit: str
    middle: str
    close: str
    tail: str

    def files(self, count: int) -> dict[str, str]:
        """Path -> text, of ``count`` units."""
        units = [_filled(self.unit, number) for number in range(count)]
        if "{i}" in self.path:
            return {_filled(self.path, number): f"{self.head}{unit}{self.middle}{self.tail}" for number, unit in enumerate(units)}
        closing = "".join(_filled(self.close, number) for number in reversed(range(count)))
        return {self.path: f"{self.head}{''.join(units)}{self.middle}{closing}{self.tail}"}

    def count_of(self, size: int) -> int:
        """How many units make about ``size`` bytes."""
        count = max(size // len(_filled(self.unit + self.close, 1000).encode()), 8)
        return min(count, _MOST_FILES) if "{i}" in self.path else count


def shapes() -> Iterator[Shape]:
    """Every shape of the list."""
    language = path = ""
    for line in _SHAPES.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        label, *parts = re.split(r"(?<!\\)\|", line)
        if not parts:
            language, path = label.split()
            continue
        name, _, own = label.strip().rpartition(" ") if re.search(r"[/{]\S*$", label.strip()) else (label.strip(), "", "")
        stem, _, ending = path.partition(".")
        head, unit, middle, close, tail = map(_text, [*parts, "", "", "", ""][:5])
        yield Shape(
            language=language,
            name=name,
            path=own or (f"{stem}{{i}}.{ending}" if name.startswith("files") else path),
            head=head,
            unit=f"{unit}\n" if unit.endswith(",") else unit if unit.endswith(("\n", " ")) else f"{unit} ",
            middle=middle,
            close=close,
            tail=tail,
        )


def _text(part: str) -> str:
    part = part.removeprefix(" ").removesuffix(" ")
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), part).replace("␣", " ")


def _filled(text: str, number: int) -> str:
    return text.replace("{i}", str(number)).replace("{j}", str(max(number - 1, 0)))


def measured(files: Mapping[str, str], *, queries: bool) -> dict[str, float]:
    """What is measured -> the seconds or bytes of one build of the files, and of queries of its bundle."""
    with tempfile.TemporaryDirectory() as scratch:
        tree, bundle = Path(scratch, "tree"), Path(scratch, "bundle")
        for path, text in {**_SMALLEST, **files}.items():
            place = tree / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        build = ["build", str(tree), "-o", str(bundle), "--quiet", "--jobs", "1", "--profile", "keyword"]
        found = {"build": _seconds(build), "bytes": float(sum(each.stat().st_size for each in bundle.iterdir()))}
        if sum(map(len, files.values())) >= DICTIONARY_SIZE + BLOCK_SIZE:
            found["bytes"] -= DICTIONARY_SIZE  # which a text has once, from that length on
        words = re.findall(r"[A-Za-z]\w*0\b", "".join([*files.values(), *_SMALLEST.values()]))
        for query in _QUERIES if queries else ():
            found[query] = _seconds([query, words[0], "--bundle", str(bundle)])
        return found


def _seconds(arguments: list[str]) -> float:
    """Processor seconds of one command; a look-up may find nothing."""
    command = [sys.executable, "-m", "hardtack", *arguments]
    return spend(Command(arguments=command, environment=ONE_THREAD, exit_codes=(0, 1))).cpu_seconds


def ratio_of(values: list[float], base: float, least: float) -> float:
    """The larger of the growths from size to size, less what the smallest build takes; 0 where all of it is noise."""
    own = [max(value - base, least / 4) for value in values]
    return max(own[1] / own[0], own[2] / own[1]) if own[-1] > least else 0.0


def judged(shape: Shape, size: int, base: dict[str, list[float]], *, rounds: int, limit: float) -> dict[str, float]:
    """What is measured -> its growth; measured again, up to ``rounds`` times, while one is above the limit."""
    taken: list[list[dict[str, float]]] = [[] for _ in _SIZES]
    growth: dict[str, float] = {}
    for round_ in range(rounds):
        for name, value in measured({}, queries=len(base) > 2).items() if round_ else ():
            base[name].append(value)
        for times, results in zip(_SIZES, taken, strict=True):
            results.append(measured(shape.files(times * shape.count_of(size)), queries=len(base) > 2))
        for name in taken[0][0]:
            values = [min(each[name] for each in results) for results in taken]
            least = _LEAST_BYTES if name == "bytes" else _LEAST_SECONDS
            growth[name] = ratio_of(values, min(base[name]), least)
        if max(growth.values()) <= limit:
            break
    return growth


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", action="append", metavar="NAME", help="only shapes of this language")
    parser.add_argument("--shape", action="append", metavar="TEXT", help="only shapes whose language and name hold this text")
    parser.add_argument("--bytes", type=int, default=25_000, metavar="N", help="of the smallest size [25000]")
    parser.add_argument("--rounds", type=int, default=4, metavar="N", help="of what seems to grow too fast [3]")
    parser.add_argument("--limit", type=float, default=2.3, metavar="RATIO", help="for a doubling [2.3]")
    parser.add_argument("--queries", action="store_true", help="measure queries too")
    options = parser.parse_args()
    smallest = [measured({}, queries=options.queries) for _ in range(3)]
    base = {name: [each[name] for each in smallest] for name in smallest[0]}
    failed = []
    for shape in shapes():
        label = f"{shape.language} {shape.name}"
        if options.language and shape.language not in options.language:
            continue
        if options.shape and not any(text in label for text in options.shape):
            continue
        growth = judged(shape, options.bytes, base, rounds=options.rounds, limit=options.limit)
        print(label, *(f"{name} {ratio:.2f}" for name, ratio in growth.items() if ratio), sep="  ", flush=True)
        failed += [[label, name, f"{ratio:.2f}"] for name, ratio in growth.items() if ratio > options.limit]
    print(table(["shape", "of", "ratio"], failed) if failed else "Nothing grows faster than its source.")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
