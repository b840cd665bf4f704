"""Compares literal searches with ``grep -F -n``, line for line, for queries that are drawn from the text of any directories.

    python benchmarks/literal_oracle.py DIR [DIR ...] [--queries 200] [--seed 1] [--skipped]

Each directory is built into a bundle, and GNU grep is run over the same files: ``LC_ALL=C grep -F -n -a``. A file that was stored
as something else than its bytes (UTF-16, cp1252, a byte order mark) is given to grep decoded, and a carriage return before the line
feed is taken off what grep prints. A line of which a secret was taken out is given to grep as it is stored, and named: no more is
done to its answers. Queries are words of each frequency, pieces of lines at any
place and of any length from one character, pieces in other letters than ASCII, and texts that do not occur. Every one is asked
without a limit, of all files; some are asked again of every third file, and page by page. Files that were skipped are
counted by reason; ``--skipped`` names them. Exits 1 when an answer differs.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hardtack import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.query.files.grep import LineMatch, grep

UNLIMITED = 1 << 40
ODD = ("\t", "  ", "}", "();", "zq", "\u00e9", "\u2014", "\u4e2d", "\r", "never to be found 0123456789", "x" * 5000)


def grep_says(root: Path, paths: Sequence[str], query: str) -> list[LineMatch]:
    """Every line of the files that GNU grep finds."""
    command = ["xargs", "-0", "grep", "-F", "-n", "-a", "-H", "-Z", "-e", query, "--"]
    names = "\0".join(paths).encode()
    printed = subprocess.run(command, cwd=root, input=names, capture_output=True, env={**os.environ, "LC_ALL": "C"}, check=False)
    assert not printed.stderr, printed.stderr
    return list(_parsed(printed.stdout, query.encode()))


def _parsed(printed: bytes, query: bytes) -> Iterator[LineMatch]:
    for entry in printed.split(b"\n")[:-1]:
        path, _, rest = entry.partition(b"\0")
        number, _, text = rest.partition(b":")
        text = text.removesuffix(b"\r")
        if query in text:
            yield LineMatch(path.decode(), int(number), text.decode("utf-8", "replace"))


def laid_out(bundle: Bundle, source: Path, place: Path, redacted: Mapping[str, set[int]]) -> None:
    """Put what was indexed below ``place``: the files themselves, or what they were decoded to, less the secrets in them."""
    for file in bundle.files:
        target = place / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        data = (source / file.path).read_bytes()
        if file.encoding != "utf-8":
            data = data.decode(file.encoding).encode()
        lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        if file.path in redacted:
            stored = bundle.text_of(file).split(b"\n")
            for number in redacted[file.path]:
                lines[number - 1] = stored[number - 1]
        target.write_bytes(b"\n".join(lines))


def queries(bundle: Bundle, count: int, rng: random.Random) -> list[str]:
    """Texts to look for."""
    texts = [text for file in bundle.files if (text := bundle.text_of(file).decode())]
    often = Counter(word for text in texts for word in set(re.findall(r"\w+", text)))
    words = sorted(often, key=lambda word: (often[word], word))
    drawn = [words[int(len(words) * rng.random() ** 0.3)] for _ in range(count // 4)]
    lines = [line for _ in range(count) if (line := rng.choice(rng.choice(texts).split("\n")).removesuffix("\r"))]
    for line in lines[: count // 2]:
        start = rng.randrange(len(line))
        drawn.append(line[start : start + rng.choice((1, 2, 3, 5, 8, 13, 40, 200))])
    foreign = [word for word in words if not word.isascii()]
    drawn += rng.sample(foreign, min(count // 8, len(foreign)))
    drawn += [word[1:-1] for word in rng.sample(words, min(count // 8, len(words))) if len(word) > 2]
    return list(dict.fromkeys(query for query in (*drawn, *ODD) if query))


def pages(bundle: Bundle, query: str, limit: int) -> list[LineMatch]:
    """All lines, a few at a time."""
    lines: list[LineMatch] = []
    after = None
    while True:
        page = grep(bundle, query, limit=limit, after=after)
        lines += page.matches
        if not page.truncated:
            return lines
        after = page.reached


def check(source: Path, count: int, seed: int, *, names_skipped: bool) -> int:
    """How many answers differ over one directory."""
    with tempfile.TemporaryDirectory() as scratch:
        place, copy = Path(scratch, "bundle"), Path(scratch, "files")
        report = build_bundle(source, place, BuildOptions(worktree=True, profile="keyword"))
        redacted: defaultdict[str, set[int]] = defaultdict(set)
        for secret in report.secrets:
            if secret.line:
                redacted[secret.path].add(secret.line)
        differing, lines, rng = 0, 0, random.Random(seed)
        with open_bundle(place) as bundle:
            laid_out(bundle, source, copy, redacted)
            paths = [file.path for file in bundle.files]
            asked = queries(bundle, count, rng)
            for number, query in enumerate(asked):
                expected = grep_says(copy, paths, query)
                answers = {"all": list(grep(bundle, query, limit=UNLIMITED).matches)}
                wanted = {"all": expected}
                if number % 4 == 0:
                    third, some = range(0, len(paths), 3), set(paths[::3])
                    answers["thirds"] = list(grep(bundle, query, files=third, limit=UNLIMITED).matches)
                    wanted["thirds"] = [line for line in expected if line.path in some]
                    answers["pages"] = pages(bundle, query, max(len(expected) // 5, 1))
                    wanted["pages"] = expected
                lines += len(expected)
                for way in answers:
                    if answers[way] != wanted[way]:
                        differing += 1
                        print(f"  {query!r} {way}: {len(answers[way])} lines, grep has {len(wanted[way])}")
        skipped = ", ".join(f"{number} {reason}" for reason, number in sorted(report.skipped.items())) or "none"
        print(f"{source}: {len(paths)} files, {len(asked)} queries, {lines} lines, {differing} answers differ; skipped: {skipped}")
        for path, numbers in redacted.items():
            print(f"  {path}:{','.join(map(str, sorted(numbers)))} without a secret")
        if names_skipped:
            for skip in report.skips:
                print(f"  skipped {skip.path}: {skip.reason.value}")
    return differing


def main() -> int:
    """Compare, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directories", type=Path, nargs="+")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skipped", action="store_true", help="name every file that is in no bundle")
    arguments = parser.parse_args()
    differing = [
        check(directory, arguments.queries, arguments.seed, names_skipped=arguments.skipped) for directory in arguments.directories
    ]
    return int(any(differing))


if __name__ == "__main__":
    sys.exit(main())
