"""Measures whether ``search --mode keyword`` finds words of any script that a literal search finds.

    python benchmarks/words_oracle.py DIR [DIR ...] [--words 40] [--script THAI] [--seed 1] [--mode keyword] [--misses FILE]

Words are drawn from the lines of the indexed files, by a rule that does not look at how text is split into terms: a file, a line
of it and a run of letters of the script, each at random. Where the script has no spaces between words, and in Hangul, whose words
carry their particles, the word is a stretch of 2 to 4 characters at any place of the run, a character being a letter with the
marks on it; elsewhere it is the run. ``--script`` is the first word of the letters' Unicode names (CJK, HIRAGANA, KATAKANA,
HANGUL, THAI, LATIN, CYRILLIC ...; several with commas); without it, all letters but those of ASCII.

A word is found when one of the first ten hits shows it, letter for letter; the first hit is counted apart. Exits 1 when a word is
not found. Bytes and seconds are those of the bundle and its build.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
import unicodedata
from functools import cache
from pathlib import Path

from hardtack import BuildOptions, Searcher, build_bundle, open_bundle

STRETCHES = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR"}
"""Scripts of which pieces of runs are drawn, and whose letters make one run together."""
ATTEMPTS = 200
"""Draws for each wanted word, at most."""


@cache
def script_of(character: str) -> str:
    """The first word of a letter's name; empty for what is no letter or mark."""
    return unicodedata.name(character, "").partition(" ")[0] if unicodedata.category(character)[0] in "LM" else ""


def runs_in(line: str, scripts: frozenset[str]) -> list[str]:
    """The runs of letters of the scripts, with the marks on them; of any script but with a letter beyond ASCII for no scripts."""
    if not scripts:
        return [run for run in re.findall(r"[^\W\d_]+", line) if not run.isascii()]
    wanted = (c if script_of(c) in scripts or (script_of(c) == "COMBINING" and i) else " " for i, c in enumerate(line))
    return "".join(wanted).split()


def word_from(run: str, rng: random.Random) -> str:
    """A stretch of the run, or the run itself."""
    if script_of(run[0]) not in STRETCHES:
        return run
    characters = re.findall(r".\W*", run)
    length = rng.randint(2, 4)
    start = rng.randrange(max(len(characters) - length, 0) + 1)
    return "".join(characters[start : start + length])


def words_of(searcher: Searcher, scripts: frozenset[str], count: int, rng: random.Random) -> list[str]:
    """Up to ``count`` different words."""
    texts = [text for file in searcher.bundle.files if not (text := searcher.bundle.text_of(file).decode()).isascii()]
    lines = [[line for line in text.split("\n") if runs_in(line, scripts)] for text in texts]
    lines = [each for each in lines if each]
    words: dict[str, None] = {}
    for _ in range(ATTEMPTS * count if lines else 0):
        word = word_from(rng.choice(runs_in(rng.choice(rng.choice(lines)), scripts)), rng)
        if len(word) > 1:
            words[word] = None
        if len(words) == count:
            break
    return list(words)


def check(source: Path, arguments: argparse.Namespace) -> list[str]:
    """The words of one directory that were not found."""
    with tempfile.TemporaryDirectory() as scratch:
        began = time.perf_counter()
        build_bundle(source, Path(scratch, "bundle"), BuildOptions(worktree=True))
        seconds = time.perf_counter() - began
        size = sum(path.stat().st_size for path in Path(scratch, "bundle").rglob("*") if path.is_file())
        with open_bundle(Path(scratch, "bundle")) as searcher:
            words = words_of(
                searcher, frozenset(filter(None, arguments.script.split(","))), arguments.words, random.Random(arguments.seed)
            )
            shown = {
                word: [word in hit.snippet for hit in searcher.search(word, mode=arguments.mode, limit=10).hits] for word in words
            }
    misses = [word for word in words if not any(shown[word])]
    first = sum(holds[:1] == [True] for holds in shown.values())
    print(
        f"{source}: {len(words) - len(misses)} of {len(words)} words found, {first} by the first hit; "
        f"bundle of {size:,} bytes in {seconds:.1f} s"
    )
    return [f"{source}\t{word}" for word in misses]


def main() -> int:
    """Search for words, and say how many were found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directories", type=Path, nargs="+")
    parser.add_argument("--words", type=int, default=40, help="words of each directory")
    parser.add_argument("--script", default="", help="of the words, as in THAI or CJK,HIRAGANA,KATAKANA; all but ASCII without it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mode", default="keyword", choices=("keyword", "hybrid"))
    parser.add_argument("--misses", type=Path, help="write what was not found here")
    arguments = parser.parse_args()
    misses = [miss for directory in arguments.directories for miss in check(directory, arguments)]
    if arguments.misses:
        arguments.misses.write_text("".join(f"{miss}\n" for miss in misses), encoding="utf-8")
    return int(bool(misses))


if __name__ == "__main__":
    sys.exit(main())
