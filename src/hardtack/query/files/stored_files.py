"""Lists, reads and searches the files that a bundle stores, by their paths. Nothing is read from a checkout.

Lines end with LF or CR LF and count from 1; a lone CR is text. As for ``wc -l``, no line follows the last line ending, and an empty
file has no line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hardtack.bundle.format.records import SkipRecord
from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.query.files.grep import LineMatch, grep
from hardtack.query.files.left_out import left_out_below, left_out_matching, sentence_of
from hardtack.query.files.line_starts import start_of_line
from hardtack.query.files.path_spelling import details_of, place_of
from hardtack.query.files.patterns import LineRule
from hardtack.query.files.tree import BOTH, PathEntry, Tree
from hardtack.query.request.globs import override_predicate

LINES: Final = 200
"""The default limit of a search, in lines."""
MAX_LINES: Final = 10_000
MAX_QUERY_CHARACTERS: Final = 10_000

_REGEX_SIGNS: Final = ("\\", ".*", ".+", "|", "[", "^", "$")
"""Signs of a regular expression, which are rare in a literal search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Lines of one file, or all of them."""

    path: str
    repo: str
    """The part of the bundle that the file is in: ``docs`` or ``code``."""
    start_line: int
    end_line: int
    """0 of an empty file."""
    line_count: int
    """Number of lines of the whole file."""
    encoding: str
    """Of the original file; the text is UTF-8."""
    encoding_basis: str
    """How that is known: by the ``content``, ``declared`` or ``guessed``; empty in a bundle that does not say it."""
    text: bytes
    """The lines with their endings."""

    @property
    def lines(self) -> list[str]:
        """The lines without their endings."""
        return [*self.each_line()]

    def each_line(self, most_bytes: int | None = None) -> Iterator[str]:
        """The lines without their endings, one by one; each with no more than ``most_bytes``, if that is given."""
        start = 0
        while start < len(self.text):
            end = self.text.find(b"\n", start)
            last = len(self.text) if end < 0 else end - (self.text[end - 1 : end] == b"\r" and end > start)
            yield self.text[start : last if most_bytes is None else min(last, start + most_bytes)].decode("utf-8", "replace")
            start = len(self.text) if end < 0 else end + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """The entries of one directory."""

    path: str
    """``.`` for the top directory."""
    repo: str
    """The listed part: ``docs``, ``code`` or ``both``."""
    entries: tuple[PathEntry, ...]
    """Sorted by name, in order of code points."""
    hidden: tuple[PathEntry, ...] = ()
    """Entries not in ``entries`` because their names start with a dot."""
    left_out: tuple[SkipRecord, ...] = ()
    """What the build saw directly in the directory and left out, in order of paths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLines:
    """The lines that a search found: those of documentation, then those of code, each by path and line."""

    repo: str
    """The searched part: ``docs``, ``code`` or ``both``."""
    matches: tuple[LineMatch, ...]
    truncated: bool
    """Whether more lines match."""
    reached: tuple[int, int] | None
    """The position of the last of ``matches``, to pass as ``after`` for the next lines; None if there are none."""
    hint: str
    """What to try if nothing was found; else empty."""
    cut: int = 0
    """How many of ``matches`` are long lines that are cut."""


class StoredFiles:
    """The files of one open bundle. Safe to share between threads; what is derived from paths is cached."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._tree = Tree(bundle)

    def read(self, path: str, first: int = 1, last: int | None = None, *, repo: str | None = None) -> Excerpt:
        """Lines ``first`` to ``last`` of a file, inclusive; to its end if ``last`` is None or greater than its number of lines.

        Args:
            path: of the file, in any spelling that :mod:`hardtack.query.files.path_spelling` accepts.
            first: from 1.
            last: from ``first``.
            repo: ``docs`` or ``code`` if the file must be in that part.

        Raises:
            UsageError: PATH_EMPTY, PATH_OUT_OF_ROOT, PATH_AMBIGUOUS, REPO_INVALID; RANGE_INVALID: the file has no such lines;
                FILE_UNREADABLE: the bundle was built without text.
            NotFound: FILE_NOT_FOUND.
        """
        file = self._tree.file(path, repo)
        _require_text(self._bundle)
        text = self._bundle.text_of(file)
        count = text.count(b"\n") + (not text.endswith(b"\n") and bool(text))
        end = count if last is None else min(last, count)
        if not 1 <= first <= end and (first, last) != (1, None):
            wanted = f"line {first}" if last in (None, first) else f"lines {first} to {last}"
            details = details_of(file.path, start_line=first, **({} if last is None else {"end_line": last}), line_count=count)
            hint = f"Its last line is {count}." if count else "It is empty."
            raise UsageError(f"{file.path} has no {wanted}.", code="RANGE_INVALID", details=details, hint=hint)
        if (first, end) != (1, count):
            start = start_of_line(text, first)
            text = text[start : start_of_line(text, end - first + 2, start)]
        return Excerpt(
            path=file.path,
            repo=self._tree.part_of(file),
            start_line=first,
            end_line=end,
            line_count=count,
            encoding=file.encoding,
            # Hardly any file asks for the columns, which load numpy.
            encoding_basis="content" if file.encoding == "utf-8" else self._bundle.columns.encoding_basis(file.path),
            text=text,
        )

    def read_target(self, target: str) -> Excerpt:
        """A file, or the lines after its path, as :func:`place_of` reads them; errors as for :meth:`read`.

        A file whose whole path is ``target`` is read before lines of another file.
        """
        place = place_of(target)
        if place.first is None or self._bundle.file_at(target):
            return self.read(target)
        return self.read(place.path, place.first, place.last)

    def directory(self, path: str | None = None, *, repo: str | None = None, hidden: bool = False) -> Directory:
        """The entries of a directory.

        Args:
            path: of the directory. None is the top directory, or without ``repo`` the list of the parts or roots.
            repo: ``docs`` or ``code`` to list only files of that part, and directories that contain some.
            hidden: also list names that start with a dot.

        Raises:
            UsageError: PATH_EMPTY, PATH_OUT_OF_ROOT, PATH_AMBIGUOUS, REPO_INVALID.
            NotFound: DIR_NOT_FOUND.
        """
        if path is None and repo is None:
            return Directory(path=".", repo=BOTH, entries=tuple(self._tree.top()))
        directory, part = self._tree.directory("." if path is None else path, repo)
        entries = self._tree.entries(directory, part)
        listed = tuple(entry for entry in entries if hidden or not _is_hidden(entry))
        unlisted = () if hidden else tuple(filter(_is_hidden, entries))
        skips = (skip for skip in left_out_below(self._bundle, directory) if skip.path.rpartition("/")[0] == directory)
        return Directory(path=directory or ".", repo=part, entries=listed, hidden=unlisted, left_out=tuple(skips))

    def search(
        self,
        query: str,
        *,
        repo: str | None = None,
        globs: Sequence[str] = (),
        limit: int = LINES,
        regex: bool = False,
        after: tuple[int, int] | None = None,
        overrides: Sequence[str] = (),
        rule: LineRule = LineRule(),  # noqa: B008  (a value that nobody can change)
    ) -> FoundLines:
        """Every stored line that contains ``query``, with the same case unless ``rule`` says otherwise.

        Args:
            query: a text of 10,000 characters at most.
            repo: ``docs`` or ``code`` to search only that part.
            globs: search only files that match any of them; they are anchored (:mod:`hardtack.query.request.globs`).
            limit: lines at most; never more than 10,000 are given.
            regex: ``query`` is a regular expression.
            after: :attr:`FoundLines.reached` of an earlier answer to the same query.
            overrides: globs that narrow the files further, as ripgrep's ``-g`` does (:func:`globs.override_predicate`).
            rule: ignore case, whole words, lines without a match.

        Raises:
            UsageError: QUERY_EMPTY, QUERY_TOO_LONG, LIMIT_INVALID, REPO_INVALID, FILE_GLOB_INVALID, REGEX_INVALID; FILE_UNREADABLE:
                the bundle was built without text.
        """
        _check(query, limit)
        selection = self._tree.select(repo, globs)
        _require_text(self._bundle)
        files = selection.files
        if overrides:
            takes = override_predicate(overrides)
            files = [ordinal for ordinal in files if takes(self._bundle.files[ordinal].path)]
        found = grep(self._bundle, query, files=files, limit=min(limit, MAX_LINES), regex=regex, after=after, rule=rule)
        return FoundLines(
            repo=selection.repo,
            matches=found.matches,
            truncated=found.truncated or limit > MAX_LINES,
            reached=found.reached if found.truncated else None,
            cut=found.cut,
            hint="" if found.matches or after else self._advice(query, (*globs, *overrides), regex=regex, has_files=bool(files)),
        )

    def _advice(self, query: str, globs: Sequence[str], *, regex: bool, has_files: bool) -> str:
        """What to try when nothing was found."""
        if globs and not has_files:
            return sentence_of(left_out_matching(self._bundle, globs)) or _glob_advice(globs)
        return _query_advice(query, regex=regex)

    @property
    def documentation(self) -> frozenset[str]:
        """The paths of the files in ``docs``. All others are in ``code``."""
        return self._tree.documentation


def _require_text(bundle: Bundle) -> None:
    if not bundle.has_text:
        raise UsageError("The bundle was built without source text.", code="FILE_UNREADABLE", hint="Build it with --text full.")


def _is_hidden(entry: PathEntry) -> bool:
    return entry.path.rpartition("/")[2].startswith(".")


def _check(query: str, limit: int) -> None:
    if not query:
        raise UsageError("The query is empty.", code="QUERY_EMPTY", hint="Give the text that a line must have.")
    if len(query) > MAX_QUERY_CHARACTERS:
        raise UsageError(f"The query has {len(query)} characters; at most {MAX_QUERY_CHARACTERS} are taken.", code="QUERY_TOO_LONG")
    if limit < 1:
        raise UsageError(f"A limit of {limit} is impossible.", code="LIMIT_INVALID", hint="Give at least 1.")


def _query_advice(query: str, *, regex: bool) -> str:
    """What to try when no line was found."""
    if "\n" in query:
        return "No line has a newline in it; look for one line of the text."
    if regex:
        return "No line matches; (?i) at the start ignores case."
    if any(sign in query for sign in _REGEX_SIGNS):
        return "No line has this text. It is taken literally; a pattern needs regex."
    return "No line has this text. Case counts; the regex (?i) ignores it."


def _glob_advice(globs: Sequence[str]) -> str:
    """What to try when no path matches."""
    if any(mark in glob for glob in globs for mark in "{["):
        return "No path matches: in globs braces and brackets stand for themselves."
    deeper = next((f"**/{glob}" for glob in globs if "/" not in glob), "")
    return f"No path matches: globs are held against whole paths{f'; try {deeper}' if deeper else ', as in src/**/*.py'}."
