"""Compares ``grep`` with ripgrep, line for line, for every flag that they share and queries drawn from the text of any directories.

    python benchmarks/ripgrep_oracle.py DIR [DIR ...] [--queries 40] [--seed 1]

Each directory is built into a bundle, whose stored text is written to files for ripgrep, so that both read the same. Queries are
words, pieces of lines, words in other letters than ASCII, and patterns made of them; each is asked with each of ``-i``, ``-w``,
``-v`` and what they make together, some with lines around them (``-C``), and some in files that ``-g`` takes. A long line is
compared by its place, as ours is cut. Exits 1 when an answer differs. Wants ripgrep on ``PATH``.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hardtack import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.query.files.around import with_context
from hardtack.query.files.grep import grep
from hardtack.query.files.patterns import LineRule
from hardtack.query.files.stored_files import StoredFiles
from hardtack.query.request.globs import override_predicate

UNLIMITED = 1 << 40
_SHOWN = 3000
"""Characters of a line that are compared: of a longer one ours is cut."""
FLAGS = {
    "": LineRule(),
    "-i": LineRule(ignore_case=True),
    "-w": LineRule(whole_words=True),
    "-v": LineRule(inverted=True),
    "-iw": LineRule(ignore_case=True, whole_words=True),
    "-iv": LineRule(ignore_case=True, inverted=True),
    "-wv": LineRule(whole_words=True, inverted=True),
}
GLOBS = (["*.py"], ["!*.md"], ["*.{go,js,ts,rb}"], ["src/**"], ["**/test*/**"], ["*.py", "!*test*"], ["/*.md"])


class Asked(NamedTuple):
    """One question to both."""

    wanted: str
    regex: bool
    flag: str
    context: int = 0
    globs: tuple[str, ...] = ()


def questions(bundle: Bundle, count: int, rng: random.Random) -> Iterator[Asked]:
    """Queries with each flag."""
    texts = [text for file in bundle.files if (text := bundle.text_of(file).decode())]
    words = sorted({word for text in texts for word in re.findall(r"\w+", text) if len(word) < 60})
    foreign = [word for word in words if not word.isascii()]
    for number in range(count):
        lines = rng.choice(texts).split("\n")
        line = rng.choice(lines).strip().removesuffix("\r")
        begin = rng.randrange(max(len(line) - 3, 1))
        word = rng.choice(foreign) if foreign and number % 5 == 0 else rng.choice(words)
        made = (word, False), (line[begin : begin + rng.randrange(1, 20)] or "e", False), (_pattern(words, rng), True)
        for wanted, regex in made:
            for flag in FLAGS:
                yield Asked(wanted, regex, flag)
            yield Asked(wanted, regex, rng.choice([*FLAGS]), context=rng.randrange(1, 6))
            yield Asked(wanted, regex, "-i", globs=tuple(rng.choice(GLOBS)))


def _pattern(words: list[str], rng: random.Random) -> str:
    first, second = (re.escape(rng.choice(words)) for _ in range(2))
    middle = first[: max(len(first) // 2, 1)].rstrip("\\")
    made = (
        f"{first}|{second}",
        rf"{middle}\w*",
        f"^\\s*{first}",
        f"{second}$",
        f"{middle}.",
        f"-?{first}",
        f"({middle}|{second})+",
    )
    return rng.choice(made)


def ours(bundle: Bundle, asked: Asked) -> list[str]:
    """Our lines, as ripgrep prints them, sorted."""
    takes = override_predicate(asked.globs) if asked.globs else lambda path: True
    files = [ordinal for ordinal, file in enumerate(bundle.files) if takes(file.path)]
    found = grep(bundle, asked.wanted, files=files, limit=UNLIMITED, regex=asked.regex, rule=FLAGS[asked.flag])
    if not asked.context:
        return sorted(f"{each.path}:{each.line}:{each.text}"[:_SHOWN] for each in found.matches)
    groups = with_context(StoredFiles(bundle), found.matches, asked.context, asked.context)
    near = [(each, "-:"[each.is_match]) for group in groups for each in group]
    return sorted(f"{each.path}{sign}{each.line}{sign}{each.text}"[:_SHOWN] for each, sign in near)


def ripgreps(root: Path, asked: Asked) -> list[str]:
    """Ripgrep's lines, sorted."""
    flags = [*(["--crlf"] if asked.regex else ["-F"]), *([asked.flag] if asked.flag else []), f"-C{asked.context}"]
    flags += [part for glob in asked.globs for part in ("-g", glob)]
    command = ["rg", "--no-config", "--no-ignore", "--hidden", "-a", "-nH", "--no-heading", *flags, "-e", asked.wanted, "."]
    done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    if done.returncode == 2:
        raise ValueError(done.stderr.decode())
    lines = [line.removesuffix("\r") for line in done.stdout.decode("utf-8", "replace").split("\n")[:-1]]
    return sorted(line.removeprefix("./")[:_SHOWN] for line in lines if line != "--")


def check(source: Path, count: int, seed: int) -> tuple[int, list[Asked], float]:
    """How many questions were asked, those to which the answers differ, and the seconds that ours took."""
    with tempfile.TemporaryDirectory() as work:
        build_bundle(source, Path(work) / "bundle", BuildOptions(profile="keyword"))
        with open_bundle(Path(work) / "bundle") as bundle:
            root = Path(work) / "files"
            for file in bundle.files:
                (root / file.path).parent.mkdir(parents=True, exist_ok=True)
                (root / file.path).write_bytes(bundle.text_of(file))
            differing, seconds = [], 0.0
            asked_all = [*questions(bundle, count, random.Random(seed))]
            for asked in asked_all:
                begun = time.perf_counter()
                lines = ours(bundle, asked)
                seconds += time.perf_counter() - begun
                if _differ(lines, ripgreps(root, asked)):
                    differing.append(asked)
            return len(asked_all), differing, seconds


def _differ(lines: list[str], theirs: list[str]) -> bool:
    def placed(line: str) -> str:
        return line if len(line) < _SHOWN and "[cut here]" not in line else ":".join(line.split(":")[:2])

    return sorted(map(placed, lines)) != sorted(map(placed, theirs))


def main() -> int:
    """Compare, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--queries", type=int, default=40, help="of each sort, for each directory [40]")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failed = False
    for directory in arguments.directories:
        number, differing, seconds = check(directory, arguments.queries, arguments.seed)
        print(f"{directory.name}: {number} questions, {len(differing)} answers differ; {1000 * seconds / number:.0f} ms each")
        for asked in differing[:10]:
            print(f"  {asked}")
        failed = failed or bool(differing)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
