"""Near-duplicate detection among hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from hardtack.query.hits.duplicates import Duplicates, Extent, View


class Chunk(NamedTuple):
    """The part of a chunk's record that tells hits apart."""

    file: int
    start_line: int
    end_line: int
    content_hash: bytes


class Shown(NamedTuple):
    """What a hit shows, all of it known."""

    file: int
    symbol: int
    name: str
    first: int
    last: int
    match: int
    text: str
    ordinal: int = 0
    """Of its chunk."""
    content: bytes = b""
    called: str = ""
    """Of a hit that is shown with all of its chunk."""

    @property
    def chunk(self) -> Any:
        return Chunk(self.file, min(self.first, self.match), max(self.last, self.match), self.content)

    @property
    def view(self) -> View:
        extent = Extent(self.name, self.last - self.first + 1, len(self.text), self.first, self.last)
        return View(self.symbol, self.first, self.last, self.match, extent, self.called)

    def lines(self, first: int, last: int) -> str:
        assert (first, last) == (self.first, self.last)
        return self.text


LINES = [f"    statement number {number};" for number in range(10)]
JAR = Shown(file=1, symbol=7, name="fill", first=10, last=19, match=12, text="\n".join(LINES))


def _twin(*shown: Shown) -> int | None:
    """Which hit stands for the last one; all others are new. Each is of a chunk of its own, of the lines from first to match."""
    placed = [each._replace(ordinal=ordinal, content=each.content or b"%d" % ordinal) for ordinal, each in enumerate(shown)]
    duplicates: Duplicates[Shown] = Duplicates()
    *kept, last = placed
    assert all(duplicates.twin_of(each) is None for each in kept)
    twin = duplicates.twin_of(last)
    return None if twin is None else twin.ordinal


def _like(lines: Sequence[str] = LINES, **changes: Any) -> Shown:
    """:data:`JAR`, but for what it shows and these changes."""
    shown = JAR._replace(**changes, text="\n".join(lines))
    return shown._replace(last=shown.first + len(lines) - 1)


def _changed(count: int) -> list[str]:
    """The lines with so many of them others."""
    return [f"    other{number}(word{number});" for number in range(count)] + LINES[count:]


@pytest.mark.parametrize(
    ("other", "twin"),
    [
        (_like(file=2, symbol=70), 0),  # a copy
        (_like(["\t" + line.strip() for line in LINES], file=2, symbol=70), 0),  # indented otherwise
        (_like([*LINES, "    one_more();"], file=2, symbol=70), 0),
        (_like(_changed(1), file=2, symbol=70), 0),  # nine of ten
        (_like(_changed(2), file=2, symbol=70), None),
        (_like([*LINES[:9], "x" * 100], file=2, symbol=70), None),  # much longer by one line
        (_like([*LINES, "    one_more();", "    and_another();"], file=2, symbol=70), None),
        (_like(file=2, symbol=70, name="empty"), None),  # called otherwise: not compared
        (_like(file=2, symbol=-1, name=""), None),
        (_like(LINES[:6], match=10, symbol=8, name="x"), 0),  # inside the lines shown already
        (_like(LINES[:6], match=10, symbol=8, name="x", file=2), None),
        (_like([], first=15, match=18, name="x"), None),  # without text nothing is shown
        (_like(_changed(9), first=15, match=18), 0),  # the same function, its match seen already
        (_like(_changed(9), first=15, match=20), None),  # another part of it
        (_like([f"number {number} statement" for number in range(10)], first=20, match=20), None),  # same words
        (_like(_changed(9), first=15, match=18, symbol=8), None),  # another function
    ],
)
def test_a_hit_that_says_the_same_has_a_twin(other: Shown, twin: int | None) -> None:
    assert twin == _twin(JAR, other)


def test_hits_without_a_name_are_compared_by_how_they_begin() -> None:
    one = _like(symbol=-1, name="")
    assert 0 == _twin(one, one._replace(file=2))
    assert None is _twin(one, _like(LINES[1:], symbol=-1, name="", file=2))


def test_an_overload_of_one_file_is_a_twin_and_the_same_name_elsewhere_is_none() -> None:
    def overload(kind: str, file: int, first: int) -> Shown:
        lines = [
            f"public void write({kind} value) throws IOException {{",
            f"    _verifyValueWrite(value, {kind});",
            "    if (_outputTail + BYTES_MAX >= _outputEnd) { _flushBuffer(); }",
            f"    _outputTail = NumberOutput.output({kind}, value, _outputBuffer, _outputTail);",
        ]
        return _like(lines, file=file, symbol=first, name="write", first=first, match=first)

    assert 0 == _twin(overload("int", 1, 10), overload("long", 1, 20))
    assert None is _twin(overload("int", 1, 10), overload("long", 2, 20))


def test_the_twin_is_the_hit_that_was_kept() -> None:
    other = _like(_changed(9), file=3, symbol=9, name="other")
    third = _like(_changed(8), file=4, symbol=10)
    assert 2 == _twin(JAR, other, third, third._replace(file=5))


def test_what_begins_files_alike_is_told_apart_by_what_each_is_found_for() -> None:
    header = _like([f"// licence, line {number}" for number in range(20)], name="Newtonsoft.Json.Linq", called="JArray")
    assert None is _twin(header, header._replace(file=2, symbol=8, called="JObject"))
    assert 0 == _twin(header, header._replace(file=2, symbol=8))


def test_chunks_of_one_content_are_one_hit_whatever_they_are_called() -> None:
    jar = JAR._replace(content=b"the same")
    assert 0 == _twin(jar, jar._replace(file=2, name="empty"))
