"""Compares our symbols with the definitions that universal-ctags lists, over whole trees in every language that ctags reads.

    python benchmarks/ctags_oracle.py REPO [REPO ...] [--misses FILE] [--sample N] [--jobs N] [--verbose]
    python benchmarks/ctags_oracle.py --listed DIR [--only LANGUAGE ...] [...]

A REPO is a git checkout, bare or not, or any other directory; ``REPO@COMMIT`` is another commit of it than HEAD. ``--listed``
takes those of ctags_repositories.toml, at the commits it names, wherever they lie below DIR: ``owner+name/repo``, ``owner+name``,
``owner/name`` or ``name``. What is compared is the tree of its commit, written out afresh, or
the directory as it is. ctags (Debian: universal-ctags 5.9) reads every file of it; a definition it lists is found when the same
file has a symbol of ours with the same name whose name, or whose definition, begins on the same line. Two figures are printed
for each repository: over the files that a build indexes, and over all files, where a skipped one (vendored, generated, minified,
too large ...) counts with everything ctags lists for it. ``KINDS`` in ctags_tables.py maps ctags' kinds to ours, and leaves out
locals, parameters and imports; those that only their place gives away are left out by ``_is_import`` and ``_is_local`` here, and
counted. ``FAULTS``, ``TEXTS`` and ``MISREAD`` in ctags_faults.py say where ctags is wrong; the figure with what that takes away is
printed too, as is how often the kind agrees. A language that ``KINDS`` lacks counts in all files only.

``--sample N`` prints N symbols of ours that ctags lacks, with their lines, for a person to judge. Exit status 1 when less than
97 % is found over the indexed files of any repository.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from ctags_faults import FAULTS, MISREAD, TEXTS
from ctags_tables import KINDS
from ctags_tags import Tag, listed_below, tags_of, write_out
from hardtack.build.languages.registry import detect
from hardtack.build.outline.symbols import outline_of
from hardtack.build.source.tree import open_tree
from hardtack.nouns.outline import SourceFile
from hardtack.text import composed

MARK = 0.97
SEED = 3
MAX_SHOWN = 110
"""Characters of a source line."""


@dataclass(slots=True)
class Tally:
    """What the comparison of one repository gave."""

    listed: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(ctags language, kind) -> definitions in indexed files."""
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    agreed: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Found, and of a kind that the table allows."""
    faulty: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Not found, and excused by ``FAULTS``."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Reason -> definitions in files that a build skips."""
    skipped_files: Counter[str] = field(default_factory=Counter)
    unpromised: Counter[str] = field(default_factory=Counter)
    """Language of ctags that ``KINDS`` does not have -> definitions."""
    faults: Counter[str] = field(default_factory=Counter)
    """What ``FAULTS``, ``TEXTS`` or ``MISREAD`` says -> definitions that are none."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Language and kind -> locals, parameters and imports that only their place gives away; in no other figure."""
    misses: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    """Symbols of ours in files that ctags reads, and which it does not list."""


def _is_import(tag: Tag, lines: list[str]) -> bool:
    """Whether a TypeScript ``alias`` is a name that an import statement brings in: the nearest keyword before it says so."""
    if (tag.language, tag.kind) != ("TypeScript", "alias"):
        return False
    before = "\n".join(lines[max(0, tag.line - 60) : tag.line - 1])
    line = lines[tag.line - 1] if tag.line <= len(lines) else ""
    place = re.search(rf"\b{re.escape(tag.name)}\b(?=[^\w]*$|\s*[,}}=<])", line)
    keywords = re.findall(r"\b(?:import|export|type)\b", f"{before}\n{line[: place.start() if place else len(line)]}")
    while keywords and keywords[-1] == "type" and "=" not in line:
        keywords.pop()
    return bool(keywords) and keywords[-1] == "import"


Found = tuple[str, str, str, int, int]
"""Name, qualified name, kind, line of the name, line of the definition."""


def _is_local(tag: Tag, lines: list[str]) -> bool:
    """Whether a tag is a local variable or a parameter, for languages whose kinds do not tell: ``KINDS`` leaves both out.

    In Kotlin, what stands in a function is a variable, or a parameter of a lambda or a loop, unless its line says ``fun``.
    """
    if (tag.language, tag.kind) == ("SCSS", "variable"):
        tops = [line for line in lines[: tag.line] if line[:1] in ("@", "}", ".", "#", "$", "%")]
        return bool(tops) and tops[-1].startswith(("@mixin", "@function"))
    if tag.language == "R" and tag.kind != "function":
        return _is_in_function_or_call(lines[: tag.line])
    if (tag.language, tag.kind) == ("PowerShell", "variable"):
        return _is_in_parameters_or_method(lines[: tag.line])
    if (tag.language, tag.kind) == ("CMake", "variable") and not re.search(r"\b(?:PARENT_SCOPE|CACHE)\b", lines[tag.line - 1]):
        bounds = re.findall(r"^\s*(end)?function\s*\(", "\n".join(lines[: tag.line - 1]), re.MULTILINE | re.IGNORECASE)
        return bool(bounds) and not bounds[-1]
    if tag.language != "Kotlin" or tag.within != "method" or tag.line > len(lines):
        return False
    return tag.kind in ("constant", "variable") or (tag.kind == "method" and not re.search(r"\bfun\b", lines[tag.line - 1]))


def _is_in_function_or_call(lines: list[str]) -> bool:
    """Whether the last line of an R text is of a function, or of what a call is given: test_that("...", { df <- ... })."""
    outer = next((line for line in reversed(lines) if line[:1].strip() and line[0] not in "})#"), "")
    is_call = re.match(r"(?:[\w.]+::+)?(?!(?:if|for|while|repeat|else)\b)[\w.]+\(", outer)
    return bool(is_call or re.search(r"\bfunction\s*\(|\\\(", outer))


def _is_in_parameters_or_method(lines: list[str]) -> bool:
    """Whether the last line of a PowerShell text stands in a list of parameters that is still open, or in a method of a class."""
    text = "\n".join(lines)
    opened = max((match.end() for match in re.finditer(r"\bparam\s*\(", text, re.IGNORECASE)), default=-1)
    listed = (
        re.sub(r"'[^'\n]*'|\"[^\"\n]*\"|#[^\n]*|<#.*?#>", "", text[opened : text.rfind("$")], flags=re.DOTALL)
        if opened >= 0
        else ")"
    )
    bounds = re.findall(r"^(?:(class)\s+\w+|\})", text, re.MULTILINE)
    deep = len(lines[-1]) - len(lines[-1].lstrip()) >= 8
    return listed.count("(") >= listed.count(")") or bool(bounds and bounds[-1] and deep)


def symbols_of(file: SourceFile) -> tuple[str, list[Found]]:
    """Path and symbols of one file; runs in a worker."""
    outline = outline_of(file.text, detect(file.path, file.text))
    return file.path, [(s.name, s.qualified_name, str(s.kind), s.selection.start_line, s.span.start_line) for s in outline.symbols]


def _plain(tag: Tag, lines: list[str]) -> str:
    """The name as we write it: ``operator()`` without blanks, ``name`` for ``:name`` and for its setter ``name=``."""
    if tag.language in ("C++", "C#") and tag.name.startswith("operator "):
        return "operator" + "".join(tag.name.removeprefix("operator ").split())
    if tag.language == "Ruby" and tag.kind == "accessor":
        return tag.name.removesuffix("=")
    if tag.language == "Kotlin":  # " Name" for that of a companion object
        return tag.name.strip()
    if tag.language == "Lua":  # Crate:lids, crates["north"], [1]
        line = lines[tag.line - 1] if tag.line <= len(lines) else ""
        cut = re.fullmatch(r"\s*(.*?" + re.escape(tag.name) + r")\s*=\s*function\b.*", line) if "]" in tag.name else None
        name = cut[1] if cut else tag.name  # ctags' begins after the last blank: north lids'] of crates['north lids'] = function()
        return re.sub(r"\[(?:(['\"])(.*?)\1|(\d+))\]", r".\2\3", name).replace(":", ".").lstrip(".{")  # {open, of a table
    if (tag.language, tag.kind) == ("SCSS", "id"):
        return f"#{tag.name}"
    if tag.language == "R":  # `[.crate`, "crate<-"
        return tag.name.strip("`\"'")
    if tag.language == "Julia":  # Crate{T}, a constructor
        return tag.name.partition("{")[0]
    if tag.language == "RSpec":
        return tag.name.removeprefix(":")
    if tag.language == "Iniconf":  # [ crates ]
        return tag.name.strip()
    return composed(tag.name)


def compare(root: Path, pool: ProcessPoolExecutor) -> Tally:
    """What ctags lists below ``root`` against our symbols."""
    tally = Tally()
    tags: dict[str, list[Tag]] = defaultdict(list)
    for tag in tags_of(root):
        tags[tag.path].append(tag)
    texts: dict[str, list[str]] = {}

    def wanted() -> Iterator[SourceFile]:
        for file in open_tree(root, worktree=True).files():
            if isinstance(file, SourceFile):
                if file.path in tags:
                    texts[file.path] = file.text.decode("utf-8").split("\n")
                    yield file
            elif file.path in tags:
                tally.skipped[file.reason] += len(tags[file.path])
                tally.skipped_files[file.reason] += 1

    for path, symbols in pool.map(symbols_of, wanted(), chunksize=8):
        judge(tally, tags[path], symbols, texts[path])
    return tally


def fault_of(tag: Tag, lines: list[str]) -> str:
    """What ``MISREAD``, ``FAULTS`` or ``TEXTS`` says is wrong with a definition of ctags; empty when nothing does."""
    line = lines[tag.line - 1].rstrip() if tag.line <= len(lines) else ""
    for language, path, reason in MISREAD:
        if tag.language == language and re.fullmatch(path, tag.path):
            return f"{language}: {reason}"
    for index, (kind, name, _, reason) in enumerate(FAULTS):
        if (
            re.fullmatch(kind, f"{tag.language} {tag.kind}")
            and re.fullmatch(name, tag.name)
            and _line_rule(index, tag.name).fullmatch(line)
        ):
            return f"{kind}: {reason}"
    if tag.language in TEXTS and _is_text(tag, lines):
        return f"{tag.language}: text in a string or a comment of several lines"
    return ""


def _moved(tag: Tag, symbols: Iterable[Found], lines: list[str]) -> str:
    """What is wrong with a method of Objective-C that is ours too, but which ctags puts further down."""
    if tag.language != "ObjectiveC" or tag.kind not in ("method", "class", "function"):
        return ""
    for name, _, _, line, _ in symbols:
        if name == tag.name and line < tag.line and not re.search(r"[;{}]", "".join(lines[line - 1 : tag.line - 1])):
            return "ObjectiveC: the line on which a method's heading ends; ours is where it begins"
        if name == tag.name and line < tag.line and tag.kind == "function" and tag.name not in lines[tag.line - 1]:
            return "ObjectiveC: the line of the next method; ours is its own"
    return ""


def _is_text(tag: Tag, lines: list[str]) -> bool:
    """Whether the name stands in a string or a comment, wherever it stands on its line."""
    start = sum(len(line) + 1 for line in lines[: tag.line - 1])
    line = lines[tag.line - 1] if tag.line <= len(lines) else ""
    places = [start + match.start() for match in re.finditer(re.escape(tag.name), line)] or [start]
    spans = _texts_in(tag.language, "\n".join(lines))
    return all(any(first <= place < last for first, last in spans) for place in places)


@lru_cache(maxsize=4)
def _texts_in(language: str, text: str) -> list[tuple[int, int]]:
    """Where the strings and comments are that ``TEXTS`` captures."""
    return [match.span("text") for match in re.finditer(TEXTS[language], text, re.DOTALL | re.MULTILINE) if match["text"]]


@cache
def _line_rule(index: int, name: str) -> re.Pattern[str]:
    bounded = re.escape(name)
    before, after = (r"(?<!\w)" if name[:1].isalnum() else ""), (r"(?!\w)" if name[-1:].isalnum() else "")
    return re.compile(FAULTS[index][2].replace("NAME", f"{before}(?:{bounded}){after}"))


def judge(tally: Tally, tags: Iterable[Tag], symbols: list[Found], lines: list[str]) -> None:
    """Add one file's figures."""
    places: dict[tuple[str, int], set[str]] = defaultdict(set)
    for name, qualified, kind, line, start in symbols:
        parts = qualified.split(".")
        if name.startswith("operator "):
            name = "".join(name.split())
        for known in (name, *(".".join(parts[-count:]) for count in range(2, len(parts) + 1))):
            places[known, line].add(kind)
            places[known, start].add(kind)
    path, listed = "", set()
    for tag in tags:
        path = tag.path
        listed.add((tag.name, tag.line))
        if _is_import(tag, lines) or _is_local(tag, lines):
            tally.left_out[f"{tag.language} {tag.kind}"] += 1
            continue
        kinds = places.get((_plain(tag, lines), tag.line)) or places.get((tag.name, tag.line))
        if tag.language not in KINDS:
            tally.unpromised[tag.language] += 1
            continue
        key = (tag.language, tag.kind)
        tally.listed[key] += 1
        if kinds is None:
            source = lines[tag.line - 1].rstrip() if tag.line <= len(lines) else ""
            if fault := fault_of(tag, lines) or _moved(tag, symbols, lines):
                tally.faults[fault] += 1
                tally.faulty[key] += 1
            else:
                tally.misses.append(f"{tag.language} {tag.kind}\t{tag.name}\t{tag.path}:{tag.line}\t{source.strip()[:MAX_SHOWN]}")
            continue
        tally.found[key] += 1
        tally.agreed[key] += not kinds.isdisjoint(KINDS.get(tag.language, {}).get(tag.kind, "").split())
    for name, _, kind, line, start in symbols:
        if (name, line) not in listed and (name, start) not in listed:
            tally.extra.append(f"{path}:{line}\t{kind}\t{name}\t{lines[line - 1].strip()[:MAX_SHOWN]}")


def show(name: str, commit: str, tally: Tally, *, is_verbose: bool) -> bool:
    """Print one repository's figures; whether it reaches the mark."""
    listed, found, faulty = tally.listed.total(), tally.found.total(), tally.faults.total()
    skipped = tally.skipped.total() + tally.unpromised.total()
    share = found / (listed - faulty) if listed > faulty else 1.0
    print(
        f"{name:24} {commit[:12]:12} {share:7.2%} of {listed - faulty:6}, {tally.agreed.total() / max(1, found):.1%} of one kind;"
        f" {found / max(1, listed):7.2%} with {faulty} that are none;"
        f" {found / max(1, listed + skipped):7.2%} of {listed + skipped} in all files{'' if share >= MARK else '   BELOW'}",
        flush=True,
    )
    for fault, count in sorted(tally.faults.items()):
        print(f"    {count:6} {fault}")
    for reason in sorted(tally.skipped):
        print(f"    skipped as {reason}: {tally.skipped_files[reason]} files, {tally.skipped[reason]} definitions")
    if tally.left_out:
        print("    locals, parameters, imports: " + ", ".join(f"{name} {count}" for name, count in sorted(tally.left_out.items())))
    if tally.unpromised:
        print(
            "    in languages without symbols: " + ", ".join(f"{name} {count}" for name, count in sorted(tally.unpromised.items()))
        )
    for language, kind in sorted(tally.listed):
        key = (language, kind)
        if kind not in KINDS.get(language, {}):
            print(f"    not in KINDS: {language} {kind} ({tally.listed[key]})")
        listed = tally.listed[key] - tally.faulty[key]
        if is_verbose or tally.found[key] < MARK * listed:
            print(f"    {language + ' ' + kind:30} {tally.found[key]:6} of {listed:6}, {tally.agreed[key]} of one kind")
    return share >= MARK


def main() -> None:
    """Read the arguments, compare, print, and leave with 1 below the mark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*")
    parser.add_argument("--listed", type=Path, metavar="DIR", help="those of ctags_repositories.toml, which lie below DIR")
    parser.add_argument("--only", nargs="+", default=[], metavar="LANGUAGE", help="of the listed ones, those of these languages")
    parser.add_argument("--misses", type=Path, help="a file for every definition not found")
    parser.add_argument("--sample", type=int, default=0, help="how many symbols that ctags lacks to print")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true", help="every kind, not only those below the mark")
    arguments = parser.parse_args()
    targets = [(Path(place), commit) for place, _, commit in (name.partition("@") for name in arguments.repositories)]
    targets += listed_below(arguments.listed, arguments.only) if arguments.listed else []
    if not targets:
        parser.error("name a repository, or the directory of the listed ones")
    extra: list[str] = []
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    reached = True
    with ProcessPoolExecutor(arguments.jobs) as pool, Path(arguments.misses or os.devnull).open("w", encoding="utf-8") as misses:
        for repository, wanted in targets:
            with tempfile.TemporaryDirectory() as scratch:
                commit = write_out(repository, wanted or "HEAD", Path(scratch))
                if wanted and not commit:
                    sys.exit(f"{repository} has no commit {wanted}")
                tally = compare(Path(scratch, "tree") if commit else repository, pool)
            name = repository.resolve().name if repository.resolve().name != "repo" else repository.resolve().parent.name
            reached &= show(name, commit, tally, is_verbose=arguments.verbose)
            misses.writelines(f"{name}\t{miss}\n" for miss in tally.misses)
            extra += (f"{name}/{line}" for line in tally.extra)
            for key, count in tally.listed.items():
                row = totals[key[0]]
                row[0] += tally.found[key]
                row[1] += count - tally.faulty[key]
                row[2] += tally.agreed[key]
    print("\nby language")
    for language, (found, listed, agreed) in sorted(totals.items()):
        print(f"    {language:20} {found / max(1, listed):7.2%} of {listed:6}, {agreed} of {found} of one kind")
    for line in random.Random(SEED).sample(extra, min(arguments.sample, len(extra))):
        print(line)
    sys.exit(not reached)


if __name__ == "__main__":
    main()
