"""Commits in, the members ``history.msgpack`` and ``history.postings`` out; those in, commits by file and word out.

Commit 0 is the newest, so that ascending ordinals are commits from new to old. The table has one row a commit, for people; the
postings have what is asked of many commits at once (FORMAT.md 4.19, 4.20): the files and symbols that each commit changed, and an
index of the words of the messages in the form of ``words.postings``. The lists of commits of a file or a symbol are made of these
when they are first asked for.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import HistoryExtent, Manifest
from hardtack.bundle.format.members import MemberFile
from hardtack.bundle.format.tables import RowTable, pack_row, render_table
from hardtack.bundle.indexes.posting_lists import are_ascending
from hardtack.bundle.indexes.words import WordIndex, WordsWriter, pack_stems
from hardtack.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_SUBJECT_BYTES: Final = 512
MOST_BODY_BYTES: Final = 4096
MOST_OF_COMMIT: Final = 1000
"""Files of one commit that are listed, and symbols; of a commit with more, none are."""

_HEADER: Final = struct.Struct("<8sQQQ")  # magic, commits, files of all, symbols of all
_MAGIC: Final = b"HTKHST\x00\x01"
_ID_SIZES: Final = (20, 32)

NO_SYMBOLS: Final = 1
NO_FILES: Final = 2


class CommitRecord(NamedTuple):
    """A commit as stored: the fields of its row."""

    id: bytes
    """Its whole id: 20 bytes, or 32 in a repository with SHA-256."""
    time: int
    """Committer time, seconds since 1970 UTC."""
    subject: str
    body: str
    paths: int
    """Paths of the repository that it changed, in the bundle or not."""
    left_out: int
    """What is not listed, as there is too much: 0 nothing, 1 its symbols, 2 its files and symbols."""


_FIELDS: Final = CommitRecord._fields
_SHAPE: Final = "bissii"


class CommitToWrite(NamedTuple):
    """A commit of the history that is written."""

    record: CommitRecord
    files: Sequence[int]
    """Ordinals of the files of the bundle that it changed, ascending; none if there are more than :data:`MOST_OF_COMMIT`."""
    symbols: Sequence[int]
    """The same of symbols."""


def stems_of(record: CommitRecord) -> tuple[bytes, bytes]:
    """The stems of what a commit says, as :func:`words.pack_stems` gives them."""
    return pack_stems(f"{record.subject}\n{record.body}")


def render_history(commits: Sequence[CommitToWrite]) -> Iterator[tuple[str, Iterable[bytes]]]:
    """The two members and their bytes, piece by piece.

    Args:
        commits: newest first.
    """
    times = [min(commit.record.time, 0xFFFFFFFF) for commit in commits]
    yield layout.HISTORY, render_table(_FIELDS, [pack_row(commit.record) for commit in commits], {"time": times})
    yield layout.HISTORY_POSTINGS, _postings_of(commits)


def _postings_of(commits: Sequence[CommitToWrite]) -> Iterator[bytes]:
    import numpy as np

    lists = [[commit.files for commit in commits], [commit.symbols for commit in commits]]
    yield _HEADER.pack(_MAGIC, len(commits), *(sum(map(len, each)) for each in lists))
    for each in lists:
        yield np.cumsum([0, *map(len, each)]).astype("<u4").tobytes()
        yield np.concatenate([np.zeros(0, "<u4"), *(np.array(ordinals, "<u4") for ordinals in each)]).astype("<u4").tobytes()
    words = WordsWriter()
    for commit in commits:
        words.add(*stems_of(commit.record))
    yield from words.render()


class _Lists:
    """For each commit a list of ordinals of files, or of symbols; and the reverse."""

    def __init__(self, starts: NDArray[np.uint32], ordinals: NDArray[np.uint32], *, within: int) -> None:
        """Check all of it: it is small.

        Raises:
            FormatError: a list does not ascend, is too long, or has an ordinal that the bundle does not have.
        """
        import numpy as np

        self.starts = starts.astype(np.int64)
        """Where each commit's list begins, (commits + 1,)."""
        self.ordinals = ordinals
        lengths: NDArray[np.int64] = self.starts[1:] - self.starts[:-1]
        if self.starts[0] != 0 or self.starts[-1] != len(ordinals) or (len(lengths) and int(lengths.min()) < 0):
            raise _damaged("its lists are out of order")
        if len(ordinals) and (int(ordinals.max()) >= within or int(lengths.max()) > MOST_OF_COMMIT):
            raise _damaged("it points outside the bundle, or a list is too long")
        if not are_ascending(ordinals.astype(np.uint32), lengths):
            raise _damaged("a list is out of order")

    def of(self, commit: int) -> NDArray[np.uint32]:
        """The list of a commit."""
        return self.ordinals[self.starts[commit] : self.starts[commit + 1]]

    @cached_property
    def _reversed(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Ordinals, ascending, and the commit that each is of, ascending for equal ones."""
        import numpy as np

        order = self.ordinals.argsort(kind="stable")
        commits = np.repeat(np.arange(len(self.starts) - 1, dtype=np.uint32), self.starts[1:] - self.starts[:-1])
        return self.ordinals[order], commits[order]

    def commits_of(self, ordinal: int) -> NDArray[np.uint32]:
        """The commits whose list has the ordinal, ascending."""
        ordinals, commits = self._reversed
        first, last = ordinals.searchsorted((ordinal, ordinal + 1))
        return commits[first:last]


class CommitHistory:
    """The last commits of a bundle's source, newest first: commit 0 is the newest that is known."""

    def __init__(
        self,
        extent: HistoryExtent,
        table: memoryview,
        postings: memoryview,
        *,
        files: int,
        symbols: int,
        require_own_terms: Callable[[], None],
    ) -> None:
        """Check the frames, the lists and the first and last commit; rows are checked when they are read.

        Args:
            extent: what the manifest says.
            table: ``history.msgpack``, mapped.
            postings: ``history.postings``, mapped.
            files: how many files the bundle has.
            symbols: how many symbols.
            require_own_terms: raises if this program splits text into other terms than the bundle's builder.

        Raises:
            FormatError: the members are no history, or another one than the manifest says.
        """
        import numpy as np

        self.extent = extent
        self._table = RowTable(layout.HISTORY, table, _FIELDS, _SHAPE)
        self._require_own_terms = require_own_terms
        if len(postings) < _HEADER.size:
            raise _damaged("it is too short")
        magic, commits, *counts = _HEADER.unpack_from(postings)
        if magic != _MAGIC or max(commits, *counts) > len(postings):
            raise _damaged("it is no history")
        if not commits == len(self._table) == extent.commits:
            raise _damaged("it has other commits than the manifest says")
        at, lists = _HEADER.size, []
        for count, within in zip(counts, (files, symbols), strict=True):
            if at + 4 * (commits + 1 + count) > len(postings):
                raise _damaged("it ends inside its lists")
            starts = np.frombuffer(postings, dtype="<u4", count=commits + 1, offset=at)
            ordinals = np.frombuffer(postings, dtype="<u4", count=count, offset=(at := at + 4 * (commits + 1)))
            lists.append(_Lists(starts, ordinals, within=within))
            at += 4 * count
        self._files, self._symbols = lists
        self._words = postings[at:]
        for place, said in ((0, (extent.newest, extent.newest_time)), (commits - 1, (extent.oldest, extent.oldest_time))):
            commit = self.commit(place)
            if (commit.id.hex(), commit.time) != said:
                raise self._table.fault("it has another newest or oldest commit than the manifest says")

    def __len__(self) -> int:
        return len(self._table)

    def commit(self, ordinal: int) -> CommitRecord:
        """The commit of that ordinal.

        Raises:
            FormatError: its row is malformed.
        """
        record = CommitRecord._make(self._table.row(ordinal))
        texts = ((record.subject, MOST_SUBJECT_BYTES), (record.body, MOST_BODY_BYTES))
        if (
            len(record.id) not in _ID_SIZES
            or record.left_out > NO_FILES
            or "\n" in record.subject
            or any(len(text.encode("utf-8", "surrogatepass")) > most for text, most in texts)
        ):
            raise self._table.fault(f"row {ordinal} has an impossible id, text or number")
        return record

    @property
    def times(self) -> memoryview[int]:
        """For each commit its time, seconds since 1970 UTC; 2^32 - 1 for later ones."""
        return self._table.column("time")

    def files_of(self, commit: int) -> NDArray[np.uint32]:
        """Ordinals of the files that a commit changed, ascending; none where there were too many."""
        return self._files.of(commit)

    def symbols_of(self, commit: int) -> NDArray[np.uint32]:
        """Ordinals of the present symbols that a commit is known to have changed, ascending."""
        return self._symbols.of(commit)

    @property
    def files(self) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """The files of all commits: where each commit's begin, (commits + 1,), and their ordinals, commit by commit."""
        return self._files.starts, self._files.ordinals

    def of_file(self, ordinal: int) -> NDArray[np.uint32]:
        """The commits that changed a file, newest first, also under its earlier names."""
        return self._files.commits_of(ordinal)

    def of_symbol(self, ordinal: int) -> NDArray[np.uint32]:
        """The commits that are known to have changed a symbol, newest first; what is inside it has its own."""
        return self._symbols.commits_of(ordinal)

    @cached_property
    def words(self) -> WordIndex:
        """Which commits have which words in subject or body, and how often: commits stand where ``words.postings`` has files.

        Raises:
            FormatError: it is damaged, or the terms were split by other rules than this program's.
        """
        self._require_own_terms()
        words = WordIndex(self._words, files=len(self), member=layout.HISTORY_POSTINGS)
        words.check()
        return words

    def check(self, symbol_file: Callable[[int], int]) -> None:
        """Decode every row, and compare the words with those of the texts, and the symbols with the files.

        Args:
            symbol_file: gives the ordinal of a symbol's file.

        Raises:
            FormatError: they contradict each other.
        """
        words = WordsWriter()
        for ordinal in range(len(self)):
            record = self.commit(ordinal)
            words.add(*stems_of(record))
            files, symbols = self.files_of(ordinal), self.symbols_of(ordinal)
            if self.times[ordinal] != min(record.time, 0xFFFFFFFF):
                raise self._table.fault(f"row {ordinal} has another time than its column")
            if (len(files) and record.left_out == NO_FILES) or (len(symbols) and record.left_out) or record.paths < len(files):
                raise self._table.fault(f"row {ordinal} says that other files and symbols are listed")
            if not {symbol_file(int(symbol)) for symbol in symbols} <= {int(file) for file in files}:
                raise _damaged("a commit changed a symbol of a file that it did not change")
        _ = self.words
        if b"".join(words.render()) != self._words:
            raise _damaged("it has other words than the commits")


def history_of(
    manifest: Manifest, members: Mapping[str, MemberFile], require_own_terms: Callable[[], None]
) -> CommitHistory | None:
    """The history of a bundle; None if it has none. Arguments and errors as for :class:`CommitHistory`."""
    if manifest.history is None:
        return None
    table, postings = (members[name].map() for name in (layout.HISTORY, layout.HISTORY_POSTINGS))
    counts = manifest.counts
    return CommitHistory(
        manifest.history, table, postings, files=counts.files, symbols=counts.symbols, require_own_terms=require_own_terms
    )


def _damaged(what: str) -> FormatError:
    return FormatError(f"{layout.HISTORY_POSTINGS} is damaged: {what}.", field=layout.HISTORY_POSTINGS)
