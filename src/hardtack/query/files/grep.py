"""A text or a pattern in, every stored line that contains it out: like ``grep -n``, from the bundle alone.

    n-gram filter    text    -> blocks that may contain it                     bundle/indexes/ngrams.py
    text store       blocks  -> their bytes, few blocks first, then more       bundle/format/text.py
    scan             bytes   -> lines that match a text, or a pattern          here, patterns.py

Lines end with LF or CR LF and count from 1; there is no line after a last LF. They come in the order of the given files, each line
once. Text is searched as bytes, some blocks at a time; only around matches is it split into lines.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple, Protocol

from hardtack.bundle.reader import Bundle
from hardtack.query.files.patterns import Find, LineRule, finder, required_text
from hardtack.query.files.stored_lines import StoredLines

MOST_LINE: Final = 4096
"""Bytes of a line that are shown; of a longer one those around its first match."""
_MOST_SHOWN: Final = 8 << 20
"""Bytes of all lines of one answer together; the last line may exceed them."""
_BEFORE: Final = 1024
"""Bytes of a longer line that are shown before the match."""
_CUT: Final = "[cut here]"
_PLAIN: Final = LineRule()
_MAX_BLOCKS: Final = 16
"""Blocks that are inflated together, by several threads: half a megabyte."""


class LineMatch(NamedTuple):
    """One line that matches."""

    path: str
    line: int
    text: str
    """The line without its ending; invalid UTF-8 is replaced by U+FFFD. Where a long line is cut, it says so: ``[cut here]``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrepResult:
    """The lines that a search found."""

    matches: tuple[LineMatch, ...]
    truncated: bool
    """Whether more lines match than the limit allows, or than one answer holds."""
    reached: tuple[int, int] | None
    """The position of the last of ``matches``, to pass as ``after`` to :func:`grep`; None without matches."""
    cut: int = 0
    """How many of ``matches`` are longer than :data:`MOST_LINE` and cut."""


class PlacedMatch(NamedTuple):
    """A matching line, and where in the order of the answer it stands."""

    place: int
    """Index of its file in the given files."""
    match: LineMatch
    is_cut: bool = False
    """Whether the line is longer than what is shown of it."""


@dataclass(frozen=True, slots=True)
class FileRange:
    """Files that follow one another both in the given files and in the bundle, so that their text is one range of bytes."""

    shift: int
    """Add it to a file's ordinal to get its index in the given files."""
    low: int
    high: int
    """Start and end of their text, as offsets in the text of all files."""


class _Scan(Protocol):
    """Finds matching lines in blocks of text."""

    done: int
    """End of the last line that was searched, as an offset in the text of all files."""

    def lines(self, block: int, data: bytes, files: FileRange) -> list[PlacedMatch]:
        """The matching lines of ``files`` in these blocks that were not searched yet; may stop after as many as are wanted.

        Args:
            block: number of the first block.
            data: the bytes of that block and of any number of those that follow it.
            files: the files to search.
        """


def grep(
    bundle: Bundle,
    wanted: str,
    *,
    files: Sequence[int] | None = None,
    limit: int,
    regex: bool = False,
    after: tuple[int, int] | None = None,
    rule: LineRule = _PLAIN,
) -> GrepResult:
    """The lines that contain ``wanted``, with the same case unless ``rule`` says otherwise.

    Args:
        bundle: the bundle to search.
        wanted: not empty; a text that a line must contain, or with ``regex`` a pattern that must match in it.
        files: ordinals of the files to search, in this order; None for all, in order of their paths.
        limit: lines at most; at least 1.
        regex: ``wanted`` is a regular expression in the syntax of RE2.
        after: give only lines after this position: (index of a file in ``files``, line number).
        rule: which of these lines, or which others.

    Raises:
        UsageError: the bundle was built without text, or the pattern is malformed or too large.
        MissingExtra: RE2 is not installed, and ``regex`` is set or case is ignored.
    """
    stored = StoredLines(bundle)
    text = (required_text(wanted) if regex else wanted).encode("utf-8", "surrogatepass")
    # What every line contains leads to the blocks to read; another case or no match at all can be anywhere.
    anchor = b"" if rule.ignore_case or rule.inverted else text
    # A scan may stop after so many lines: one more than the limit, and those of the file of ``after`` that are dropped below.
    most = limit + 1 + (after[1] if after else 0)
    scan: _Scan = LiteralScan(stored, text, most)
    if regex or rule != _PLAIN:
        scan = PatternScan(stored, finder(wanted, rule, regex=regex), most, inverted=rule.inverted)
    blocks: Sequence[int] = () if b"\n" in anchor else bundle.runs.blocks_with(anchor)
    ranges = _file_ranges(stored, range(bundle.manifest.counts.files) if files is None else files, after[0] if after else 0)
    page: list[PlacedMatch] = []
    room, has_more = _MOST_SHOWN, False
    for line in (line for lines in _found(stored, scan, blocks, ranges) for line in lines):
        if after and (line.place, line.match.line) <= after:
            continue
        if len(page) == limit or room <= 0:
            has_more = True
            break
        page.append(line)
        room -= len(line.match.text)
    return GrepResult(
        matches=tuple(line.match for line in page),
        truncated=has_more,
        reached=(page[-1].place, page[-1].match.line) if page else None,
        cut=sum(line.is_cut for line in page),
    )


def _placed(place: int, path: str, number: int, line: bytes, at: int) -> PlacedMatch:
    """A line that matches at byte ``at``, cut if it is too long to be shown."""
    if len(line) <= MOST_LINE:
        return PlacedMatch(place, LineMatch(path, number, line.decode("utf-8", "replace")))
    start = max(0, min(at - _BEFORE, len(line) - MOST_LINE))
    end = start + MOST_LINE
    shown = line[start:end].decode("utf-8", "ignore")  # a character that the cut splits is left out
    text = f"{_CUT if start else ''}{shown}{_CUT if end < len(line) else ''}"
    return PlacedMatch(place, LineMatch(path, number, text), is_cut=True)


def _file_ranges(stored: StoredLines, files: Sequence[int], place: int) -> Iterator[FileRange]:
    """The ranges of the given files, from the index ``place`` on."""
    while place < len(files):
        start, first = place, files[place]
        end = first + 1
        place += 1
        if isinstance(files, range) and files.step == 1:  # the usual case, without a loop over all files
            place, end = len(files), files.stop
        while place < len(files) and files[place] == end:
            place, end = place + 1, end + 1
        yield FileRange(start - first, stored.starts[first], stored.starts[end])


def _found(stored: StoredLines, scan: _Scan, blocks: Sequence[int], ranges: Iterator[FileRange]) -> Iterator[list[PlacedMatch]]:
    """The matching lines in order. Each step inflates twice as many blocks as the one before, up to ``_MAX_BLOCKS``."""
    tasks = ((files, block) for files in ranges for block in _blocks_of(stored, files, blocks))
    size, last = 1, None
    while batch := list(islice(tasks, size)):
        numbers = list(dict.fromkeys(block for _, block in batch))
        inflated = dict(zip(numbers, stored.text.blocks(numbers), strict=True))
        # Adjacent blocks of one range are searched as one piece, so that fewer lines cross a border.
        pieces: list[tuple[FileRange, int, list[bytes]]] = []
        for files, block in batch:
            if pieces and pieces[-1][0] is files and pieces[-1][1] + len(pieces[-1][2]) == block:
                pieces[-1][2].append(inflated[block])
            else:
                pieces.append((files, block, [inflated[block]]))
        for files, block, data in pieces:
            if files is not last:
                last, scan.done = files, 0
            yield scan.lines(block, b"".join(data), files)
        size = min(2 * size, _MAX_BLOCKS)


def _blocks_of(stored: StoredLines, files: FileRange, blocks: Sequence[int]) -> Iterator[int]:
    """Those of the blocks that hold text of a range of files."""
    at = bisect_left(blocks, files.low // stored.block_size)
    while files.low < files.high and at < len(blocks) and blocks[at] * stored.block_size < files.high:
        yield blocks[at]
        at += 1


class LiteralScan:
    """Finds the lines that contain a text. A match belongs to the block of its first byte."""

    def __init__(self, stored: StoredLines, text: bytes, most: int) -> None:
        """Search for ``text``, which is not empty; find ``most`` lines at a time at most."""
        self._stored = stored
        self._text = text
        self._most = most
        self.done = 0

    def lines(self, block: int, data: bytes, files: FileRange) -> list[PlacedMatch]:
        """See :class:`_Scan`. All offsets here are relative to ``data``; those before it are negative."""
        stored, text, length = self._stored, self._text, len(self._text)
        base = block * stored.block_size
        end_of_find = min(files.high - base, len(data)) + length - 1  # the last match may start at the last byte
        data = self._with_rest_of_match(data, base)
        found: list[PlacedMatch] = []
        start, file_end = max(files.low - base, self.done - base, 0), -1
        while len(found) < self._most and (at := data.find(text, start, end_of_find)) >= 0:
            if at >= file_end:
                file, path, file_start, file_end = stored.file_at(base + at, base)
                # Lines are counted from the start of the file, or of the block if the file starts in an earlier one.
                line, counted = (1, file_start) if file_start >= 0 else (1 + stored.lines_before[block], 0)
                floor = counted
            line += data.count(b"\n", counted, at)
            counted = at
            line_start = data.rfind(b"\n", floor, at) + 1 or file_start
            line_end = data.find(b"\n", at + length, file_end)
            if line_start >= 0 and line_end >= 0:
                whole = data[line_start:line_end]
            else:  # the line goes beyond these blocks
                line_start = stored.line_start(base + at, base + file_start) - base
                line_end = stored.line_end(base + at, base + file_end) - base
                whole = stored.text.read(base + line_start, base + line_end)
            if whole.endswith(b"\r") and line_end < file_end:
                whole = whole[:-1]
            if at + length <= line_start + len(whole):  # not a match that goes into the line's ending, or into the next file
                found.append(_placed(file + files.shift, path, line, whole, at - line_start))
            start = min(line_end + 1, file_end)
        self.done = base + start
        return found

    def _with_rest_of_match(self, data: bytes, base: int) -> bytes:
        """The data, and as many bytes after it as a match needs that starts in its last line; none if no match can start there."""
        text, least = self._text, max(len(data) - len(self._text), data.rfind(b"\n")) + 1
        at = data.find(text[:1], least)
        while at >= 0 and not text.startswith(data[at:]):
            at = data.find(text[:1], at + 1)
        if at < 0:
            return data
        end = base + len(data)
        return data + self._stored.text.read(end, min(end + len(text) - 1, self._stored.text.length))


class PatternScan:
    """Finds the lines in which something matches, or nothing. A line is searched with the first block that has a byte of it."""

    def __init__(self, stored: StoredLines, find: Find, most: int, *, inverted: bool = False) -> None:
        """Search by ``find``, for lines without a match if ``inverted``; find ``most`` lines of a file at a time at most."""
        self._stored = stored
        self._find = find
        self._most = most
        self._lines = self._others if inverted else self._matches
        self.done = 0

    def lines(self, block: int, data: bytes, files: FileRange) -> list[PlacedMatch]:
        """See :class:`_Scan`. ``begin``, ``stop`` and ``done`` are offsets in the text of all files, the others in ``data``."""
        stored = self._stored
        base = block * stored.block_size
        start, end = max(files.low - base, self.done - base, 0), min(files.high - base, len(data))
        found: list[PlacedMatch] = []
        while start < end and len(found) < self._most:
            file, path, file_start, file_end = stored.file_at(base + start, base)
            line, counted = (1, file_start) if file_start >= 0 else (1 + stored.lines_before[block], 0)
            begin = base + file_start if file_start >= 0 else stored.line_start(base, base + file_start)
            if begin < self.done:
                begin = self.done
                line += data.count(b"\n", counted, begin - base)
            stop = base + file_end
            if file_end > len(data):  # up to the end of the line that goes beyond these blocks
                stop = min(stored.line_end(base + len(data) - 1, stop) + 1, stop)
            if begin < stop:
                inside = data[begin - base : stop - base] if begin >= base else b""
                whole = inside if len(inside) == stop - begin else stored.text.read(begin, stop)
                place = file + files.shift
                matches = islice(self._lines(whole), self._most)
                found += (_placed(place, path, line + number, text, at) for number, text, at in matches)
                self.done = stop
            start = file_end
        return found

    def _matches(self, text: bytes) -> Iterator[tuple[int, bytes, int]]:
        """(number from 0, line, where it matches) of each line in ``text`` that does; ``text`` consists of whole lines."""
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n")
        start = line = counted = 0
        while start < len(text):
            at = self._find(text, start)
            if at < 0 or (at == len(text) and text.endswith(b"\n")):
                return
            line += text.count(b"\n", counted, at)
            counted = at
            end = text.find(b"\n", at)
            end = len(text) if end < 0 else end
            begin = text.rfind(b"\n", 0, at) + 1
            yield line, text[begin:end], at - begin
            start = end + 1

    def _others(self, text: bytes) -> Iterator[tuple[int, bytes, int]]:
        """The same of each line in ``text`` that does not."""
        matching = self._matches(text)
        skipped = next(matching, None)
        for number, line in enumerate(text.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n")):
            if skipped and skipped[0] == number:
                skipped = next(matching, None)
            else:
                yield number, line, 0
