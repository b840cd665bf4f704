"""The files of a bundle, to be listed, read and looked through by their paths; all from the bundle, nothing from a disk.

Lines end with LF or CR LF and count from 1; a lone CR is text. The lines of a text are what lies between its newlines, so one that
ends with a newline has a last line that is empty. A search does not look into that one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.query.files.grep import LineMatch, grep
from hardtack.query.files.path_spelling import details_of
from hardtack.query.files.tree import BOTH, Tree, TreeEntry

LINES: Final = 200
"""Lines that a search gives unless told otherwise."""
MAX_LINES: Final = 10_000
MAX_QUERY_CHARACTERS: Final = 10_000

_TARGET: Final = re.compile(r"(?P<path>.+):(?P<first>\d{1,9})(?P<to>-(?P<last>\d{1,9})?)?")

_PATTERN_SIGNS: Final = ("\\", ".*", ".+", "|", "[", "^", "$")
"""What people write in regular expressions and seldom look for as it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Some lines of one file, or all of them."""

    path: str
    repo: str
    """The part of the bundle that it is in: ``docs`` or ``code``."""
    start_line: int
    end_line: int
    line_count: int
    """Lines of the whole file."""
    text: bytes
    """The lines as they are stored, with their endings."""

    @property
    def lines(self) -> list[str]:
        """The lines without their endings."""
        lines = self.text.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        return lines[: self.end_line - self.start_line + 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """What lies directly in one directory."""

    path: str
    """``.`` for the top."""
    repo: str
    """The part whose files are listed: ``docs``, ``code`` or ``both``."""
    entries: tuple[TreeEntry, ...]
    """By name, in order of code points."""
    hidden: tuple[TreeEntry, ...] = ()
    """Those left out of ``entries`` because their names begin with a dot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLines:
    """The lines that a search found: documentation first, then code, each by path and line."""

    repo: str
    """Where was looked: ``docs``, ``code`` or ``both``."""
    matches: tuple[LineMatch, ...]
    truncated: bool
    """More lines match than are given."""
    reached: tuple[int, int] | None
    """Where the last of ``matches`` is: what to pass as ``after`` to go on; None when there is nothing to go on to."""
    hint: str
    """What to try next; empty when there is nothing to say."""


class StoredFiles:
    """The files of one open bundle. What is derived from their paths is derived once; safe to share between threads."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._tree = Tree(bundle)

    def read(self, path: str, first: int = 1, last: int | None = None, *, repo: str | None = None) -> Excerpt:
        """Lines ``first`` to ``last`` of a file, inclusive; to its end if ``last`` is None or beyond it.

        Args:
            path: of the file, in any spelling that :mod:`hardtack.query.files.path_spelling` takes.
            first: 1 or more.
            last: not before ``first``.
            repo: ``docs`` or ``code`` when the file must be in that part.

        Raises:
            UsageError: PATH_EMPTY, PATH_OUT_OF_ROOT, PATH_AMBIGUOUS, REPO_INVALID; RANGE_INVALID, the file has no such lines;
                FILE_UNREADABLE, the bundle was built without text.
            NotFound: FILE_NOT_FOUND.
        """
        file = self._tree.file(path, repo)
        _require_text(self._bundle)
        text = self._bundle.text_of(file)
        count = text.count(b"\n") + 1
        end = count if last is None else min(last, count)
        if not 1 <= first <= end:
            wanted = f"line {first}" if last in (None, first) else f"lines {first} to {last}"
            details = details_of(file.path, start_line=first, **({} if last is None else {"end_line": last}), line_count=count)
            hint = f"Its last line is {count}."
            raise UsageError(f"{file.path} has no {wanted}.", code="RANGE_INVALID", details=details, hint=hint)
        if (first, end) != (1, count):
            text = b"\n".join(text.split(b"\n")[first - 1 : end]) + (b"\n" if end < count else b"")
        return Excerpt(path=file.path, repo=self._tree.part_of(file), start_line=first, end_line=end, line_count=count, text=text)

    def read_target(self, target: str) -> Excerpt:
        """``PATH``, ``PATH:LINE``, ``PATH:FIRST-LAST`` or ``PATH:FIRST-``; errors as for :meth:`read`.

        A file whose whole path is ``target`` is read before lines of another file.
        """
        match = _TARGET.fullmatch(target)
        if match is None or self._bundle.file_at(target):
            return self.read(target)
        first = int(match["first"])
        last = int(match["last"]) if match["last"] else None if match["to"] else first
        return self.read(match["path"], first, last)

    def directory(self, path: str | None = None, *, repo: str | None = None, hidden: bool = False) -> Directory:
        """What lies directly in a directory.

        Args:
            path: of the directory; None is the top, or, when no ``repo`` is told either, the list of the parts or roots themselves.
            repo: ``docs`` or ``code`` to see the files of that part alone, and the directories that hold any.
            hidden: also give what begins with a dot.

        Raises:
            UsageError: PATH_EMPTY, PATH_OUT_OF_ROOT, PATH_AMBIGUOUS, REPO_INVALID.
            NotFound: DIR_NOT_FOUND.
        """
        if path is None and repo is None:
            return Directory(path=".", repo=BOTH, entries=tuple(self._tree.top()))
        directory, part = self._tree.directory("." if path is None else path, repo)
        entries = self._tree.entries(directory, part)
        left_out = () if hidden else tuple(entry for entry in entries if _is_hidden(entry))
        kept = tuple(entry for entry in entries if hidden or not _is_hidden(entry))
        return Directory(path=directory or ".", repo=part, entries=kept, hidden=left_out)

    def search(
        self,
        query: str,
        *,
        repo: str | None = None,
        globs: Sequence[str] = (),
        limit: int = LINES,
        regex: bool = False,
        after: tuple[int, int] | None = None,
    ) -> FoundLines:
        """Every stored line that has ``query`` in it, in this very case.

        Args:
            query: what a line must have; at most 10,000 characters.
            repo: ``docs`` or ``code`` to look there alone.
            globs: paths to look in, any of which may match, anchored as :mod:`hardtack.query.request.globs` says.
            limit: lines at most; never more than 10,000 are given.
            regex: ``query`` is a regular expression.
            after: :attr:`FoundLines.reached` of an earlier answer to the same question.

        Raises:
            UsageError: QUERY_EMPTY, QUERY_TOO_LONG, LIMIT_INVALID, REPO_INVALID, FILE_GLOB_INVALID; REGEX_INVALID; FILE_UNREADABLE,
                the bundle was built without text.
        """
        _check(query, limit)
        selection = self._tree.select(repo, globs)
        _require_text(self._bundle)
        found = grep(self._bundle, query, files=selection.files, limit=min(limit, MAX_LINES), regex=regex, after=after)
        return FoundLines(
            repo=selection.repo,
            matches=found.matches,
            truncated=found.truncated or limit > MAX_LINES,
            reached=found.reached if found.truncated else None,
            hint="" if found.matches or after else _advice(query, globs, regex=regex, is_anywhere=bool(selection.files)),
        )

    @property
    def documentation(self) -> frozenset[str]:
        """The paths of the files in ``docs``; all others are in ``code``."""
        return self._tree.documentation


def _require_text(bundle: Bundle) -> None:
    if not bundle.has_text:
        raise UsageError("The bundle was built without source text.", code="FILE_UNREADABLE", hint="Build it with --text full.")


def _is_hidden(entry: TreeEntry) -> bool:
    return entry.path.rpartition("/")[2].startswith(".")


def _check(query: str, limit: int) -> None:
    if not query:
        raise UsageError("The query is empty.", code="QUERY_EMPTY", hint="Give the text that a line must have.")
    if len(query) > MAX_QUERY_CHARACTERS:
        raise UsageError(f"The query has {len(query)} characters; at most {MAX_QUERY_CHARACTERS} are taken.", code="QUERY_TOO_LONG")
    if limit < 1:
        raise UsageError(f"A limit of {limit} is impossible.", code="LIMIT_INVALID", hint="Give at least 1.")


def _advice(query: str, globs: Sequence[str], *, regex: bool, is_anywhere: bool) -> str:
    """What to try when nothing was found."""
    if globs and not is_anywhere:
        return _advice_on(globs)
    if "\n" in query:
        return "No line has a newline in it; look for one line of the text."
    if regex:
        return "No line matches; (?i) at the start ignores case."
    if any(sign in query for sign in _PATTERN_SIGNS):
        return "No line has this text. It is taken literally; a pattern needs regex."
    return "No line has this text. Case counts; the regex (?i) ignores it."


def _advice_on(globs: Sequence[str]) -> str:
    """What to try when no path matches."""
    if any(mark in glob for glob in globs for mark in "{["):
        return "No path matches: in globs braces and brackets stand for themselves."
    deeper = next((f"**/{glob}" for glob in globs if "/" not in glob), "")
    return f"No path matches: globs are held against whole paths{f'; try {deeper}' if deeper else ', as in src/**/*.py'}."
