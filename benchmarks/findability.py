"""Measures whether searches find definitions by name (listed by universal-ctags) and by words (targets that are written down).

    python benchmarks/findability.py names DIR [DIR ...]     every 50th definition that ctags lists once, searched by name
    python benchmarks/findability.py words REPOS             fixtures/relevance/words.json over checkouts REPOS/<repository>

``names`` takes any git checkouts; ctags (Debian: universal-ctags 5.9) is run over the same files that were indexed. Names that
ctags makes up (``AnonymousFunction397895b70600``, positions in a JSON array) occur in no file and are left out. A definition is
found when the first hit is in its file and holds its line. Where the first hit defines the very same name in another place, the
name does not occur once after all, only ctags did not see it (a format or a heading it does not read): those are listed for the eye
and counted apart. Misses are written to ``--misses FILE``. Exits 1 below the marks: every definition, and 16 of 20 searches in the
first five.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hardtack import BuildOptions, Searcher, build_bundle, open_bundle

# What ctags lists that is no definition: imports, and names that stand for something defined elsewhere.
NOT_DEFINITIONS = {
    ("Python", "unknown"),  # from x import NAME
    ("Python", "namespace"),  # import x
    ("Python", "module"),
    ("PHP", "alias"),  # use X
    ("Go", "packageName"),  # import "x"
    ("TypeScript", "import"),
}
STEP = 50
WORDS = Path(__file__).parent.parent / "fixtures" / "relevance" / "words.json"


def definitions(root: Path, paths: list[str]) -> Iterator[dict[str, object]]:
    """What ctags lists over ``paths``, in its order."""
    command = ["ctags", "--output-format=json", "--fields=+nKl", "--sort=no", "-L", "-", "-f", "-"]
    listed = subprocess.run(command, cwd=root, input="\n".join(paths), capture_output=True, text=True, check=True, errors="replace")
    for line in listed.stdout.splitlines():
        entry = json.loads(line)
        if entry.get("_type") == "tag" and (entry.get("language"), entry.get("kind")) not in NOT_DEFINITIONS:
            yield entry


def names(root: Path, searcher: Searcher) -> tuple[int, list[str], list[str]]:
    """How many definitions were searched, those not found, and those whose name is defined twice."""
    listed = list(definitions(root, [file.path for file in searcher.bundle.files]))
    often = Counter(str(entry["name"]) for entry in listed)
    texts = {file.path: searcher.bundle.text_of(file) for file in searcher.bundle.files}
    real = [entry for entry in listed if str(entry["name"]).encode() in texts[str(entry["path"])]]
    once = [entry for entry in real if often[str(entry["name"])] == 1][::STEP]
    misses: list[str] = []
    twice: list[str] = []
    for entry in once:
        name, path, line = str(entry["name"]), str(entry["path"]), int(str(entry["line"]))
        hits = searcher.search(name, limit=3).hits
        first = hits[0] if hits else None
        if not (first and first.path == path and first.start_line <= line <= first.end_line):
            got = [f"{hit.path}:{hit.start_line}-{hit.end_line} {hit.kind} {hit.name}" for hit in hits]
            is_twice = first is not None and first.name == name
            (twice if is_twice else misses).append(
                f"{root.name}\t{entry['language']} {entry['kind']}\t{name}\t{path}:{line}\t{got}"
            )
    return len(once) - len(twice), misses, twice


def words(repositories: Path) -> bool:
    """The searches of ``words.json``; prints where each target came."""
    asked = json.loads(WORDS.read_text(encoding="utf-8"))
    found, searchers = 0, {}
    with tempfile.TemporaryDirectory() as scratch:
        for search in asked:
            name = search["repository"]
            if name not in searchers:
                build_bundle(repositories / name, Path(scratch, name))
                searchers[name] = open_bundle(Path(scratch, name))
            paths = [hit.path for hit in searchers[name].search(search["query"], limit=10).hits]
            rank = next((number for number, path in enumerate(paths, start=1) if path in search["targets"]), 0)
            found += 1 <= rank <= 5
            print(f"{rank or '-':>3}  {name:8} {search['query']:55} {'' if rank == 1 else paths[0]}")
    print(f"{found} of {len(asked)} searches in words have their target in the first five hits")
    return found >= 16


def main() -> None:
    """Read the arguments, print, and leave with 1 below a mark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["names", "words"])
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--misses", type=Path)
    arguments = parser.parse_args()
    if arguments.what == "words":
        sys.exit(not words(arguments.roots[0]))
    all_misses: list[str] = []
    for root in arguments.roots:
        with tempfile.TemporaryDirectory() as scratch:
            build_bundle(root, Path(scratch, "bundle"), BuildOptions())
            with open_bundle(Path(scratch, "bundle")) as searcher:
                count, misses, twice = names(root, searcher)
        print(f"{root.name}: {count - len(misses)} of {count} definitions are the first hit; {len(twice)} are defined twice")
        print("".join(f"  twice: {line}\n" for line in twice), end="")
        all_misses += misses
    if arguments.misses:
        arguments.misses.write_text("".join(f"{miss}\n" for miss in all_misses), encoding="utf-8")
    else:
        print("\n".join(all_misses))
    sys.exit(bool(all_misses))


if __name__ == "__main__":
    main()
