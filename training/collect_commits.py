"""Makes pairs of (commit subject, changed definitions) from a git history.

A subject says in a person's words what a change is about, which is how people search too. Counted are commits of one parent that
touch one to three files of code, tests aside; the right side is the text, after the change, of the definitions that hold changed
lines. What only says that something was merged, bumped, released, formatted or fixed in spelling is left out.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from collect_licences import Terms
from collect_pairs import MAX_RIGHT, Pair, fault_of_doc, symbols_in
from collect_sources import OPTIONS, Package
from exclusions import is_excluded_path
from hardtack.build.languages.registry import languages
from hardtack.build.source.decode import decode
from hardtack.nouns.model import CALLABLES, TYPES, Content
from hardtack.nouns.outline import Skip, Symbol

MAX_COMMITS: Final = 1_500
"""The latest of a history that are looked at."""
_MAX_FILES: Final = 3
_MAX_FILE_BYTES: Final = 60_000
_NOISE: Final = re.compile(
    r"^(?:merge|bump|release|revert|version|v?\d+\.\d+|prepare|upgrade|backport|cherry|sync\b|import\b|initial commit|regenerat"
    r"|run |apply |update (?:dependenc|version|change|readme|copyright|licen|lock|deps)|add copyright|changelog|docs?\b|chore"
    r"|\[?(?:ci|skip)|ci\b|fix(?:ed)? (?:typos?|lint|format|spelling|whitespace|indent|build|ci|tests?|warnings?)\b|typos?\b"
    r"|nits?\b|oops|wip\b|minor\b|format|auto-?format"
    r"|clang-format|rubocop|prettier|lint|style|cosmetic|cleanup\b|clean up\b|remove trailing|tests?\b)"
    r"|^(?:update|create|delete|rename) \S+$|\bchangelog\b|\btypos?\b|dependabot|renovate|whitespace|\bspelling\b",
    re.IGNORECASE,
)
_PREFIX: Final = re.compile(
    r"^(?:(?:feat|fix|perf|refactor|impl|build)(?:\([^)]*\))?!?:|\[[^\]]{1,24}\]:?|:\w+:)\s*",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"\s*(?:\((?:#|gh-|[A-Z]+-)\d+\)|\[(?:#|[A-Z]+-)\d+\]|(?:closes|fixes|refs?|see|issue) #\d+|#\d+)\.?",
    re.IGNORECASE,
)


def subject_of(subject: str, commit: str) -> str:
    """A commit's subject as a question; empty when it tells nothing. Every other commit keeps a prefix like ``feat:``."""
    words = _REFERENCE.sub("", subject).strip().rstrip(".,;:")
    bare = _PREFIX.sub("", words).strip()
    if not bare or _NOISE.search(words) or _NOISE.match(bare) or fault_of_doc(bare):
        return ""
    return words if int(commit[:2], 16) % 2 else bare


def pairs_of_history(repository: Path, package: Package, terms: Terms, dropped: Counter[str]) -> Iterator[Pair]:
    """The pairs of a repository's latest commits, newest first; a mirror that lacks an object ends its history there."""
    git = ["git", "-c", "safe.directory=*", "-c", "core.quotePath=false", "-C", str(repository)]
    log = [
        *git,
        "log",
        f"--max-count={MAX_COMMITS}",
        "--no-merges",
        "--no-renames",
        "--format=%x01%H%x02%s",
        "--unified=0",
        "--no-color",
    ]
    log += ["--no-ext-diff", "--no-textconv", "--diff-filter=AM", "-p", package.version]
    with (
        subprocess.Popen(log, stdout=subprocess.PIPE) as history,
        subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as blobs,
    ):
        assert history.stdout and blobs.stdin and blobs.stdout
        for commit, subject, changes in _commits(history.stdout):
            left = subject_of(subject, commit)
            code = {path: lines for path, lines in changes.items() if _is_code(path)}
            if not left or not 1 <= len(code) <= _MAX_FILES or len(changes) > 2 * _MAX_FILES:
                dropped["commit that tells nothing or too much"] += 1
                continue
            for path, lines in sorted(code.items()):
                if not terms.allows(path) or is_excluded_path(path):
                    continue
                blobs.stdin.write(f"{commit}:{path}\n".encode())
                blobs.stdin.flush()
                header = blobs.stdout.readline().split()
                if len(header) != 3 or header[1] != b"blob":
                    continue
                data = blobs.stdout.read(int(header[2]) + 1)[:-1]
                if (pair := _pair(path, data, lines, left, package)) is not None:
                    yield pair
        blobs.stdin.close()


_NO_CODE: Final = frozenset(
    {
        *("md", "rst", "txt", "json", "lock", "toml", "yml", "yaml", "xml", "cfg", "ini", "gradle", "html", "css", "svg"),
        *("mod", "sum"),
    }
)
"""Extensions of what a change to code often takes with it."""


def _is_code(path: str) -> bool:
    return path.rpartition(".")[2].lower() not in _NO_CODE


def _commits(stream: Iterator[bytes]) -> Iterator[tuple[str, str, dict[str, list[int]]]]:
    """(commit, subject, {path: changed lines after the change}) of a ``git log -p --unified=0``."""
    commit, subject, path = "", "", ""
    changes: dict[str, list[int]] = {}
    for raw in stream:
        if raw.startswith(b"\1"):
            if commit:
                yield commit, subject, changes
            commit, _, subject = raw[1:].decode("utf-8", "replace").rstrip("\n").partition("\2")
            changes, path = {}, ""
        elif raw.startswith(b"+++ b/"):
            path = raw[6:].decode("utf-8", "replace").rstrip("\n").rstrip("\t")
            changes[path] = []
        elif raw.startswith(b"@@ ") and path and (hunk := re.match(rb"@@ -\S+ \+(\d+)(?:,(\d+))? @@", raw)):
            start, count = int(hunk[1]), int(hunk[2] or 1)
            changes[path] += range(start, start + max(count, 1))
    if commit:
        yield commit, subject, changes


def _pair(path: str, data: bytes, lines: list[int], left: str, package: Package) -> Pair | None:
    """The definitions of one file that hold changed lines, most changed first, as far as they fit."""
    if len(data) > _MAX_FILE_BYTES or isinstance(file := decode(path, data, OPTIONS), Skip) or file.content is not Content.CODE:
        return None
    counts: Counter[int] = Counter()
    symbols = symbols_in(file.text, languages()[file.language])
    for line in lines[:400]:
        inner = -1
        for index, symbol in enumerate(symbols):
            is_definition = symbol.kind in CALLABLES or (
                symbol.kind in TYPES and symbol.span.end_line - symbol.span.start_line < 60
            )
            if is_definition and symbol.extent.start_line <= line <= symbol.span.end_line:
                inner = index
        if inner >= 0:
            counts[inner] += 1
    chosen = [symbols[index] for index, _ in counts.most_common(4)]
    if not chosen:
        return None
    right = "\n\n".join(_text(file.text, symbol) for symbol in chosen)[:MAX_RIGHT].rstrip()
    if len(right.split()) < 8:
        return None
    return Pair(kind="commit", language=file.language, package=package.label, symbol="", name="", path=path, left=left, right=right)


def _text(text: bytes, symbol: Symbol) -> str:
    return text[symbol.extent.start : symbol.span.end].decode("utf-8", "ignore")
