"""Commits and the files of a bundle in, the history that the bundle holds out.

Commits are followed from the newest to the oldest. A file is known at each commit by the path that it had there, and by the map of
its lines at that commit to its present ones, so that a line that an old commit wrote leads to the present symbol around it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from hardtack.build.history.commits import Commits, ReadCommit
from hardtack.build.history.lines import FileSymbols, parent_map
from hardtack.build.history.log import Change
from hardtack.bundle.format import records
from hardtack.bundle.format.manifest import HistoryExtent
from hardtack.bundle.format.tables import Row
from hardtack.bundle.indexes.history import MOST_OF_COMMIT, NO_FILES, NO_SYMBOLS, CommitRecord, CommitToWrite

MOST_TEXT: Final = 32 << 20
"""Bytes of all subjects and bodies."""
_MOST_LISTED: Final = 4_000_000
"""Files and symbols of all commits together."""
_FIRST, _LAST, _PARENT = map(records.SYMBOL_FIELDS.index, ("extent_start_line", "end_line", "parent"))


class PresentFiles:
    """The files of the bundle that is built, with the lines of their symbols."""

    def __init__(self) -> None:
        self.ordinals: dict[bytes, int] = {}
        """Path from the root of the bundle -> ordinal."""
        self._line_counts = array("q")
        self._first_symbols = array("I")
        self._spans: tuple[array[int], array[int], array[int]] = (array("I"), array("I"), array("i"))

    def add(self, path: str, line_count: int | None, symbols: Sequence[Row]) -> None:
        """Take the next file.

        Args:
            path: from the root of the bundle.
            line_count: None if its lines are not those that git counts.
            symbols: rows in :data:`records.SYMBOL_FIELDS` order, with ``parent`` local.
        """
        self.ordinals[path.encode()] = len(self._line_counts)
        self._line_counts.append(-1 if line_count is None else line_count)
        self._first_symbols.append(len(self._spans[0]))
        for column, place in zip(self._spans, (_FIRST, _LAST, _PARENT), strict=True):
            column.extend(row[place] for row in symbols)

    def line_count(self, file: int) -> int:
        """Lines of a file; -1 if git counts others."""
        return self._line_counts[file]

    def first_symbol(self, file: int) -> int:
        """Ordinal of a file's first symbol."""
        return self._first_symbols[file]

    def symbols(self, file: int) -> FileSymbols:
        """The symbols of a file by line."""
        first = self._first_symbols[file]
        end = self._first_symbols[file + 1] if file + 1 < len(self._first_symbols) else len(self._spans[0])
        spans = list(zip(*(column[first:end] for column in self._spans), strict=True))
        return FileSymbols(self._line_counts[file], spans)


@dataclass(slots=True, kw_only=True)
class CollectedHistory:
    """The history of a bundle, and what a report says of it."""

    asked: int
    commits: list[CommitToWrite] = field(default_factory=list)
    """Newest first."""
    end: str = ""
    """As :class:`HistoryExtent` says."""
    secrets: int = 0
    """How many there were in the messages."""

    @property
    def extent(self) -> HistoryExtent | None:
        """What the manifest says of it; None without a commit."""
        if not self.commits:
            return None
        newest, oldest = self.commits[0].record, self.commits[-1].record
        return HistoryExtent(
            asked=self.asked,
            commits=len(self.commits),
            newest=newest.id.hex(),
            oldest=oldest.id.hex(),
            newest_time=newest.time,
            oldest_time=oldest.time,
            end=self.end,
        )

    def notes(self, secrets: str) -> list[str]:
        """Remarks for the user; ``secrets`` as for :class:`CommitsOfRepository`."""
        found = f"{len(self.commits)} of the {self.asked} commits that were asked for"
        why = {
            "shallow": f"The history has {found}: this clone is shallow ('git fetch --deepen' gets more)",
            "missing": f"The history has {found}: this clone lacks objects ('git fetch --refetch' gets them)",
            "limit": f"The history has {found}: the next one is over a limit",
        }
        notes = [why[self.end]] if self.end in why else []
        if self.secrets:
            done = "are kept" if secrets == "warn" else "were taken out"
            notes.append(f"{self.secrets} secrets of the messages of commits {done}; they are in the repository's history")
        return notes


def collect_from(commits: Commits, files: PresentFiles, asked: int) -> CollectedHistory:
    """The history of a bundle.

    Args:
        commits: newest first.
        files: every file of the bundle.
        asked: how many commits were asked for.

    Raises:
        What ``commits`` raise.
    """
    history, follower = CollectedHistory(asked=asked), _Follower(commits.prefix, files)
    with closing(iter(commits)) as each:
        _fill(history, each, follower)
    history.end = history.end or commits.end
    return history


def _fill(history: CollectedHistory, commits: Iterable[ReadCommit], follower: _Follower) -> None:
    """Take the commits, newest first; ``end`` is set if there is more than a bundle may have."""
    text, listed = 0, 0
    for commit in commits:
        row = _row_of(commit, *follower.step(commit.changes))
        text += text_bytes(commit)
        listed += len(row.files) + len(row.symbols)
        if text > MOST_TEXT or listed > _MOST_LISTED:
            history.end = "limit"
            return
        history.commits.append(row)
        history.secrets += commit.secrets


def text_bytes(commit: ReadCommit) -> int:
    """Bytes of its message as they are stored."""
    return len(commit.subject.encode()) + len(commit.body.encode())


def _row_of(commit: ReadCommit, files: set[int], symbols: set[int]) -> CommitToWrite:
    left_out = NO_FILES if len(files) > MOST_OF_COMMIT else NO_SYMBOLS if len(symbols) > MOST_OF_COMMIT else 0
    record = CommitRecord(
        id=bytes.fromhex(commit.id),
        time=commit.time,
        subject=commit.subject,
        body=commit.body,
        paths=len(commit.changes),
        left_out=left_out,
    )
    return CommitToWrite(
        record=record,
        files=() if left_out == NO_FILES else sorted(files),
        symbols=() if left_out else sorted(symbols),
    )


class _Follower:
    """Follows the bundle's files from their present paths and lines to those that they had at older commits."""

    def __init__(self, prefix: bytes, files: PresentFiles) -> None:
        self._present = files
        self._files = {prefix + path: ordinal for path, ordinal in files.ordinals.items()}
        """Path from the top of the repository, at the commit that comes next -> ordinal."""
        self._lines: dict[int, array[int] | None] = {}
        """Ordinal -> map of its lines (:mod:`hardtack.build.history.lines`); None where it is not known any more."""
        self._symbols: dict[int, FileSymbols] = {}

    def step(self, changes: Sequence[Change]) -> tuple[set[int], set[int]]:
        """The files and symbols that the next older commit changed; goes on to its parent."""
        files, symbols = set[int](), set[int]()
        left: list[bytes] = []
        taken: dict[bytes, int] = {}
        for change in changes:
            file = self._files.get(change.new) if change.new else None
            if file is None:
                continue
            files.add(file)
            symbols |= self._symbols_of(file, change)
            self._go_back(file, change)
            if change.old and change.old != change.new:
                left.append(change.new)
                taken[change.old] = file
        for path in left:
            self._files.pop(path, None)
        self._files |= taken
        return files, symbols

    def _symbols_of(self, file: int, change: Change) -> set[int]:
        lines = self._lines_of(file)
        if lines is None or not change.hunks or not change.are_known:
            return set()
        if file not in self._symbols:
            self._symbols[file] = self._present.symbols(file)
        first = self._present.first_symbol(file)
        return {first + symbol for symbol in self._symbols[file].changed_by(lines, change.hunks)}

    def _lines_of(self, file: int) -> array[int] | None:
        """The map of a file; at the newest commit each line is itself."""
        if file not in self._lines:
            count = self._present.line_count(file)
            self._lines[file] = array("I", range(1, count + 1)) if count >= 0 else None
        return self._lines[file]

    def _go_back(self, file: int, change: Change) -> None:
        lines = self._lines_of(file)
        if lines is None or change.is_same:
            return
        self._lines[file] = parent_map(lines, change.hunks) if change.are_known else None
