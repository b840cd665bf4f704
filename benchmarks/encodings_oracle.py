"""Reads every file of checkouts that is not UTF-8, and sets the encoding found beside that of charset-normalizer.

    python benchmarks/encodings_oracle.py REPO [REPO ...] [--bundle DIR] [--words 40] [--misses FILE]

A file agrees if both decode it to the same text. Where they differ, a line of the file as each reads it goes to ``--misses``, to be
read by a person: charset-normalizer is wrong more often than right on short texts. With ``--bundle``, of the one repository, words
beyond ASCII are drawn from the texts, decoded by Python with the encoding that was found: whole words, and of text without spaces
two to four letters that stand together. Each must have the lines in ``hardtack grep`` that it has there, and one of the first ten
hits of ``hardtack search --mode keyword`` must show a line with it. Exits 1 if a word is missed.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

from charset_normalizer import from_bytes

from hardtack.build.source.encodings.reading import Text, text_of
from hardtack.bundle.reader import open_bundle
from hardtack.nouns.model import Hit
from hardtack.query.files.grep import grep
from hardtack.query.searcher import Searcher

MAX_BYTES = 1 << 20
WORD = re.compile(r"[^\W\d_]{2,}")
UNSPACED = re.compile(r"[\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff]{2,}")
HANGUL = re.compile(r"[\uac00-\ud7a3]{2,}")
"""Apart from the Latin letters that a particle is joined to."""
MAX_UNSPACED = 4


def files_of(root: Path) -> dict[str, bytes]:
    """Path -> bytes of the tracked files that are not plain UTF-8."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True).stdout
    found = {}
    for path in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        place = root / path
        if place.is_symlink() or not place.is_file() or place.stat().st_size > MAX_BYTES:
            continue
        data = place.read_bytes()
        read = text_of(path, data)
        if not (isinstance(read, Text) and read.encoding == "utf-8") and not (not isinstance(read, Text) and read.is_binary):
            found[path] = data
    return found


def first_foreign(text: str) -> str:
    """A piece of the first line that is not all ASCII."""
    found = re.search(r".{0,30}[^\x00-\x7f].{0,50}", text)
    return found[0] if found else ""


def compare(root: Path, files: dict[str, bytes], misses: list[str]) -> None:
    """Print how many files agree, by encoding and by how it is known."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for path, data in files.items():
        read = text_of(path, data)
        if not isinstance(read, Text):
            seen["none", read.reason, ""] += 1
            misses.append(f"{root.name}/{path}: {read.reason}")
            continue
        best = from_bytes(data).best()
        agrees = best is not None and str(best).removeprefix("\ufeff") == read.text.decode()
        seen[read.encoding, read.basis.value, "agrees" if agrees else "differs"] += 1
        if not agrees:
            misses.append(f"{root.name}/{path}: {read.encoding} {read.basis.value}: {first_foreign(read.text.decode())}")
            misses.append(f"    {best.encoding if best else 'none'}: {first_foreign(str(best)) if best else ''}")
    for (encoding, basis, verdict), count in sorted(seen.items()):
        print(f"{root.name:20} {encoding:12} {basis:10} {verdict:8} {count:5}")


def is_of_two_scripts(word: str) -> bool:
    """Whether Latin letters stand in it beside others: an escape, the name of a colour, a particle."""
    return len({unicodedata.name(letter, "").partition(" ")[0] == "LATIN" for letter in word}) == 2


def words_of(text: str, chance: random.Random) -> set[str]:
    """What somebody may type to find a place of this text."""
    words = {word for word in WORD.findall(text) if not (word.isascii() or UNSPACED.search(word) or is_of_two_scripts(word))}
    words.update(HANGUL.findall(text))
    for run in UNSPACED.findall(text):
        length = chance.randint(2, min(MAX_UNSPACED, len(run)))
        start = chance.randint(0, len(run) - length)
        words.add(run[start : start + length])
    return words


def shows(hit: Hit, lines: set[tuple[str, int]]) -> bool:
    """Whether a hit covers one of ``lines``."""
    return any(path == hit.path and hit.start_line <= line <= hit.end_line for path, line in lines)


def missed_words(bundle_path: Path, files: dict[str, bytes], count: int, misses: list[str]) -> int:
    """How many of the drawn words have other lines in the bundle than in the decoded files, or are not found by keyword."""
    missed = {"grep": 0, "search": 0}
    is_first = 0
    with Searcher(open_bundle(bundle_path)) as searcher:
        bundle = searcher.bundle
        numbers = {file.path: number for number, file in enumerate(bundle.files) if file.path in files}
        texts = {path: files[path].decode(bundle.files[number].encoding) for path, number in numbers.items()}
        chance = random.Random(1)
        words = sorted({word for text in texts.values() for word in words_of(text, chance)})
        drawn = chance.sample(words, min(count, len(words)))
        for word in drawn:
            found = {
                (match.path, match.line) for match in grep(bundle, word, files=sorted(numbers.values()), limit=1 << 40).matches
            }
            expected = {(path, line) for path, text in texts.items() for line, it in enumerate(text.split("\n"), 1) if word in it}
            if found != expected:
                missed["grep"] += 1
                misses.append(f"grep {word}: {sorted(found ^ expected)[:5]}")
            # Everywhere, since a file in UTF-8 may rank first.
            anywhere = {(match.path, match.line) for match in grep(bundle, word, limit=1 << 40).matches}
            hits = searcher.search(word, mode="keyword", limit=10).hits
            is_first += bool(hits) and shows(hits[0], anywhere)
            if not any(shows(hit, anywhere) for hit in hits):
                missed["search"] += 1
                misses.append(f"search {word}: {[f'{hit.path}:{hit.start_line}' for hit in hits[:3]]}, not {sorted(expected)[:3]}")
    print(f"{len(drawn) - missed['grep']} of {len(drawn)} words have the lines of the decoded files in grep")
    print(f"{len(drawn) - missed['search']} of {len(drawn)} words are found by keyword, {is_first} of them by the first hit")
    return missed["grep"] + missed["search"]


def main() -> int:
    """Compare and search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
    parser.add_argument("--bundle", type=Path)
    parser.add_argument("--words", type=int, default=40)
    parser.add_argument("--misses", type=Path, default=Path("encodings-misses.txt"))
    arguments = parser.parse_args()
    misses: list[str] = []
    missed = 0
    for root in arguments.repositories:
        files = files_of(root)
        compare(root, files, misses)
        if arguments.bundle:
            missed += missed_words(arguments.bundle, files, arguments.words, misses)
    arguments.misses.write_text("\n".join(misses) + "\n", encoding="utf-8")
    print(f"{len(misses)} lines in {arguments.misses}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
