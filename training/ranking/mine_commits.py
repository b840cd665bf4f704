"""Queries from history: the subject of a commit, answered by the one to three files it touched.

What is kept, and how subjects are cleaned, follows the benchmark's own ``commits.json``: no merges, no upkeep, four to fifteen
words, issue numbers and conventional prefixes taken off. Paths are followed through renames, and a file that was rewritten since
is no answer: who reads it now would not see what the subject speaks of.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mine_repositories import Blobs, Repository, files_of, git

MOST_ANSWERS = 3
MOST_TOUCHED = 12
"""Files of any kind in one commit; what touches more is a sweep, whatever its subject says."""
WORDS = range(4, 16)
CHARACTERS = range(15, 138)
HISTORY = 8_000
"""Commits read back from the pinned revision."""
LEAST_SURVIVING = 0.3
"""Share of the distinct lines of a file, as the commit left it, that still stand in it."""
MOST_OF_ONE_FILE = 12

_CONVENTIONAL = re.compile(
    r"^(?:feat|fix|fixes|perf|refactor|docs?|chore|tests?|build|ci|style|types|revert|dx|workflow|deps|enhancement|bugfix|update|new"
    r"|breaking|upgrade|security)(?:\([^)]*\))?!?:\s*",
    re.IGNORECASE,
)
_POINTS_AT = r"(?:closes?|fix(?:es|ed)?|resolves?|refs?|see|gh|issues?|pr|re|ticket)"
_BRACKETED_ISSUES = re.compile(rf"\s*[(\[](?:{_POINTS_AT}[ :-]*)*(?:[\w./-]*#\d+[, ]*)+[)\]]", re.IGNORECASE)
_ISSUES = re.compile(rf"\s*\b{_POINTS_AT}?[ :-]*(?<![\w&])#\d+\b:?", re.IGNORECASE)
_LEFT_OVER = re.compile(r"^(?:[Rr]e|[Ss]ee|[Rr]efs?|GH|[Ii]ssues?|PR)[\s:,-]+(?=[A-Z`])")
_TICKET = re.compile(r"^(?:\[?[A-Z][A-Z0-9]+-\d+\]?[ :,-]*)+")
_LEADING_MARK = re.compile(r"^(?::[a-z_0-9]+:|[^\w\s`'\"(\[<:.@$&*!-])\s*")
_VERSION = re.compile(r"^v?\d+\.\d+(\.\d+)*\S*$|^(?:version|bump|release)\b", re.IGNORECASE)
_UPKEEP = re.compile(
    r"\b(?:"
    + "|".join(
        (
            r"bump\w*|releas(?:e|ed|es|ing)|changelogs?|chang(?:es|e)\.(?:md|txt)|nightly|publish(?:ed|ing)?|wip|revert(?:s|ed)?",
            r"merg(?:e|ed|ing) (?:branch|pull|pr|remote|master|main)|sync openbsd|edition|copyright|licen[sc]es?",
            r"version (?:bump|to|number)|prepare (?:for|next)|(?:upgrade|update) dep\w*|dependabot|renovate",
            r"readme|documentation|docs?|docstrings?|javadocs?|kdocs?|haddocks?|comments?|grammar|typos?|spelling",
            r"lint(?:er|ing)?|rubocop|eslint|prettier|gofmt|rustfmt|clang-format|scalafmt|ormolu|hlint|code style|cosmetic\w*",
            r"format(?:ting)? code|formatting|reformat\w*|indentation|whitespace|trailing (?:space|whitespace)\w*",
            r"(?:extra|blank|empty|unused|missing|redundant|unneeded|unnecessary) (?:lines?|imports?|spaces?|includes?)",
            r"cleanup|clean up|clean-up|minor (?:fix|change|edit)\w*",
            r"travis|github actions?|codecov|coverage|snapshot|(?:add|fix|more|update)(?:ed|s)? (?:\w+ ){0,2}tests?(?: cases?)?",
        )
    )
    + r")\b",
    re.IGNORECASE,
)
"""Words of subjects that speak of the project's upkeep and not of what its code does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit as ``git log --raw`` tells it."""

    commit: str
    subject: str
    touched: tuple[tuple[str, str], ...]
    """Path after the commit and blob after it, of every file whose content changed or was added."""
    renamed: tuple[tuple[str, str], ...]
    """Path before and path after."""
    file_count: int


def mine_commits(repository: Repository, checkout: Path, *, most: int) -> list[dict[str, object]]:
    """At most ``most`` queries, spread over the history by the hash of their commit, in that order."""
    blobs = files_of(repository, checkout)
    candidates = list(candidates_of(parse_log(history_of(checkout, repository.revision)), repository, blobs))
    candidates.sort(key=lambda candidate: hashlib.sha256(candidate[0].commit.encode()).digest())
    queries: list[dict[str, object]] = []
    seen, asked = set(), Counter[str]()
    with Blobs(checkout) as read:
        for commit, query, answers in candidates:
            paths = sorted(answers)
            if query.casefold() in seen or any(asked[path] >= MOST_OF_ONE_FILE for path in paths):
                continue
            if any(surviving(read(answers[path]), read(blobs[path])) < LEAST_SURVIVING for path in paths):
                continue
            seen.add(query.casefold())
            asked.update(paths)
            queries.append({"query": query, "kind": "commit", "relevant": paths, "tree": "plain", "commit": commit.commit})
            if len(queries) == most:
                break
    return queries


def history_of(checkout: Path, revision: str) -> str:
    """What :func:`parse_log` reads: the last :data:`HISTORY` commits before ``revision``."""
    command = ("log", "--no-merges", "--raw", "--no-abbrev", "-l400", f"-n{HISTORY}", "--format=%x01%H %s")
    try:
        return git(checkout, *command, "-M", revision)
    except subprocess.CalledProcessError:  # a mirror without its largest blobs: only renames that changed nothing can be seen
        return git(checkout, *command, "-M100%", revision)


def parse_log(log: str) -> Iterator[Commit]:
    """The commits of ``git log --raw --no-abbrev -M --format=%x01%H %s``, in the log's order."""
    for entry in log.split("\x01")[1:]:
        header, *rows = entry.splitlines()
        commit, _, subject = header.partition(" ")
        touched, renamed, count = [], [], 0
        for row in rows:
            if not row.startswith(":"):
                continue
            fields, *paths = row.split("\t")
            blob, status = fields.split(" ")[3:5]
            count += 1
            if status[0] == "R":
                renamed.append((paths[0], paths[1]))
            if status[0] in "AMRC" and status != "R100":
                touched.append((paths[-1], blob))
        yield Commit(commit=commit, subject=subject, touched=tuple(touched), renamed=tuple(renamed), file_count=count)


def candidates_of(
    commits: Iterable[Commit], repository: Repository, files: Iterable[str]
) -> Iterator[tuple[Commit, str, dict[str, str]]]:
    """Each usable commit with its cleaned subject and, by path at the pinned revision, the blobs it left.

    ``commits`` come newest first, so that a rename is known before the commits that speak of the old path; ``files`` are what may
    be asked for at the pinned revision.
    """
    known = frozenset(files)
    now: dict[str, str] = {}
    for commit in commits:
        answers = {}
        is_whole = True
        for path, blob in commit.touched:
            current = now.get(path, path)
            if current in known:
                answers[current] = blob
            elif repository.can_answer(current):
                is_whole = False  # a file in the root that is gone: what is left would be half an answer
        if is_whole and 1 <= len(answers) <= MOST_ANSWERS and commit.file_count <= MOST_TOUCHED:
            query = cleaned(commit.subject, answers)
            if query is not None:
                yield commit, query, answers
        for before, after in commit.renamed:
            now[before] = now.get(after, after)


def cleaned(subject: str, answers: Iterable[str]) -> str | None:
    """The subject as a query, or None when it says nothing of the code that changed.

    A prefix that is the name of an answer ("router: ...") goes too: it would give the file away.
    """
    if subject.startswith("Merge ") or _UPKEEP.search(subject) or _VERSION.search(subject):
        return None
    query = _TICKET.sub("", _LEADING_MARK.sub("", subject.strip()))
    query = _LEADING_MARK.sub("", _CONVENTIONAL.sub("", query))
    query = _ISSUES.sub("", _BRACKETED_ISSUES.sub("", _TICKET.sub("", query)))
    query = _LEFT_OVER.sub("", query.strip())
    prefix, colon, rest = query.partition(": ")
    names = {name for path in answers for name in (PurePosixPath(path).stem.casefold(), PurePosixPath(path).name.casefold())}
    if colon and names & {prefix.casefold(), prefix.rpartition(".")[2].casefold()}:
        query = rest
    query = re.sub(r"\s+", " ", query).strip(" .;:-")
    if len(query) not in CHARACTERS or len(query.split(" ")) not in WORDS or query.endswith(("…", "...")):
        return None
    return query if query.isprintable() and sum(map(str.isascii, query)) > 0.9 * len(query) else None


def surviving(before: bytes, after: bytes) -> float:
    """The share of the distinct lines of ``before`` that stand in ``after`` too; blank and very short lines do not count."""
    old, new = (({line.strip() for line in text.splitlines()} - {b""}) for text in (before, after))
    telling = {line for line in old if len(line) > 3}
    return len(telling & new) / len(telling) if telling else 0.0
