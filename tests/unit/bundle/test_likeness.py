"""Which chunks a bundle says could come to say the same as another: all that do, and few besides."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hardtack
from hardtack.bundle.likeness import LikenessWriter, likeness_of
from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import ChunkRecord, SymbolRecord
from hardtack.bundle.shown import MAX_LINES, scope_of, scopes_of, shape_of
from hardtack.bundle.wording import Wording, is_as_long, is_mostly
from hardtack.model import Kind, Query
from hardtack.query.collapse import Collapse, Columns, View
from hardtack.query.focus import Focus
from hardtack.query.snippet import Cutter

TREE = Path(__file__).parents[3]


def _function(name: str, lines: list[str]) -> tuple[str, list[SymbolRecord], list[ChunkRecord]]:
    """A file of one function, its text, symbol and chunk."""
    text = "\n".join([f"def {name}():", *lines])
    size, last = len(text.encode()), len(lines) + 1
    symbol = SymbolRecord(0, Kind.FUNCTION, name, name, 0, size, 1, last, 0, 1, 4, 4 + len(name), 1, "", "", "", -1)
    return text, [symbol], [ChunkRecord(0, 0, size, 1, last, 0, 1, -1, 1, 1, 1, bytes(32))]


def _numbers(*files: tuple[str, list[SymbolRecord], list[ChunkRecord]]) -> list[int]:
    """What number each chunk of these files has."""
    writer = LikenessWriter()
    for file in files:
        writer.add(*likeness_of(*file))
    return list(writer.columns()["alike"])


lines = st.lists(st.text("abc {}\u00e9", max_size=12), min_size=1, max_size=60)


@given(lines, st.data())
def test_no_copy_is_missed_however_the_lines_are_changed(lines: list[str], data: st.DataObject) -> None:
    changed = data.draw(st.permutations(lines)) if data.draw(st.booleans()) else list(lines)
    for _ in range(data.draw(st.integers(0, max(len(lines) // 8, 1)))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.text("abc{}", max_size=12))
    changed += data.draw(st.lists(st.text("abc{}", max_size=12), max_size=2))
    one, other = _function("fill", lines), _function("fill", changed)
    here, there = (shape_of(file[1].__getitem__, file[2][0], file[1][0]) for file in (one, other))
    if is_as_long(here, there) and is_mostly(Wording(one[0]).lines, Wording(other[0]).lines):
        assert [1, 1] == _numbers(one, other)


@given(st.integers(1, 300))
def test_a_tenth_of_the_lines_may_be_others(count: int) -> None:
    lines = [f"    put_jar_number({number})" for number in range(count)]
    other = [*lines[: count // 10], *(f"    take({number})" for number in range(count // 10, count))]
    barely = [f"    something_else_of_length({number})" for number in range((count + 1) // 10)] + lines[(count + 1) // 10 :]
    assert [1, 1] == _numbers(_function("fill", lines), _function("fill", barely))
    if count > 20:
        assert [0, 0] == _numbers(_function("fill", lines), _function("fill", other))


def test_a_long_list_has_no_more_keys_than_lines() -> None:
    for count in (53, 54, 60, 61, 500):
        _, (keys,), _ = likeness_of(*_function("fill", [f"    word{number}" for number in range(count)]))
        assert len(keys) / 8 <= max(count, 100)


def test_what_is_nested_deep_takes_no_longer_than_what_is_not() -> None:
    depth = 30_000
    symbols = [SymbolRecord(0, Kind.KEY, "a", "a", 0, 1, 1, 1, 0, 1, 0, 1, 1, "", "", "", place - 1) for place in range(depth)]
    assert [None] * depth == scopes_of(symbols)
    functions = [symbol._replace(kind=Kind.FUNCTION) for symbol in symbols]
    assert [functions[0]] * depth == scopes_of(functions)


def test_what_is_called_otherwise_is_not_alike() -> None:
    body = ["    jar.add(1)", "    return jar"]
    assert [1, 0, 1] == _numbers(_function("fill", body), _function("empty", body), _function("fill", body))


def test_numbers_are_in_order_of_their_first_chunks() -> None:
    one, other, third = (_function(name, [f"    return {name}"]) for name in ("one", "other", "third"))
    assert [1, 2, 0, 2, 1] == _numbers(one, other, third, other, one)


def test_lines_are_compared_as_they_are_shown() -> None:
    long = "x" * 197
    one, other = _function("fill", [f"{long}abcdef", "    a"]), _function("fill", [f"{long}ghijkl", "a\r"])
    assert [1, 1] == _numbers(one, other)
    assert [0, 0] == _numbers(_function("fill", [f"{long[:190]}abc", "a"]), _function("fill", [f"{long[:190]}xyz", "a"]))


class _Told:
    """A hit of one chunk under one query."""

    content = b""

    def __init__(self, cutter: Cutter, ordinal: int, view: View) -> None:
        self.file = cutter.bundle.chunk(ordinal).file
        self.ordinal = ordinal
        self.view = view
        self.content = cutter.bundle.chunk(ordinal).content_hash
        self._cutter = cutter

    def wording(self, first: int, last: int) -> Wording:
        return self._cutter.wording(self.ordinal, first, last)


def _views(cutter: Cutter, ordinal: int) -> Iterator[View]:
    """All that a search may show of a chunk: for each of its lines and symbols."""
    bundle = cutter.bundle
    chunk = bundle.chunk(ordinal)
    words = bundle.text_of(bundle.file(chunk.file), chunk.start, chunk.end).decode().lower().split()
    for options in ({}, {"smart_context": False}, {"before": 1}):
        query = Query(text="any", **options)
        for word in dict.fromkeys(words):
            yield cutter.view(query, Focus([word]), ordinal, -1)
        for symbol in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count):
            yield cutter.view(query, Focus([bundle.symbol(symbol).name.lower()]), ordinal, symbol)


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    """A bundle of some of our own files, each beside a copy with one line in a dozen left out."""
    root = tmp_path_factory.mktemp("copies")
    for path in (*sorted((TREE / "fixtures" / "repos" / "tiny").glob("**/*.*")), *sorted((TREE / "src").glob("*/query/[f-l]*.py"))):
        text = path.read_text("utf-8", "replace")
        for folder, kept in (("as_it_was", text), ("changed", _without_some(text))):
            place = root / folder / path.relative_to(TREE)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(kept)
    hardtack.build_bundle(root, root / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(root / "bundle") as opened:
        yield opened.bundle


def _without_some(text: str) -> str:
    return "\n".join(line for number, line in enumerate(text.split("\n")) if number % 12 != 5)


def test_hits_that_say_the_same_are_of_chunks_of_one_number(copies: Bundle) -> None:
    alike = list(copies.columns.of_chunks("alike"))
    everything = Columns(*([0] * len(alike) for _ in range(4)), [1] * len(alike))
    cutter = Cutter(copies)
    shapes = {
        (view.shape, ordinal): _Told(cutter, ordinal, view) for ordinal in range(len(alike)) for view in _views(cutter, ordinal)
    }
    by_name: dict[str, list[_Told]] = {}
    for (shape, _), told in shapes.items():
        by_name.setdefault(shape.name, []).append(told)
    same = 0
    for namesakes in by_name.values():
        for one, other in itertools.combinations(namesakes, 2):
            collapse: Collapse[_Told] = Collapse(everything)
            if one.ordinal != other.ordinal and collapse.twin_of(one) is None and collapse.twin_of(other) is one:
                same += 1
                assert alike[one.ordinal] == alike[other.ordinal] > 0, (one.view, other.view)
    assert same > 100


def test_all_scopes_are_what_each_is_by_itself(copies: Bundle) -> None:
    for file in copies.files:
        first = file.first_symbol
        symbols = [copies.symbol(first + number) for number in range(file.symbol_count)]
        local = [symbol._replace(parent=symbol.parent - first) if symbol.parent >= 0 else symbol for symbol in symbols]
        assert [scope_of(local.__getitem__, number) for number in range(len(local))] == scopes_of(local)


def test_most_chunks_are_like_no_other(tmp_path: Path) -> None:
    hardtack.build_bundle(TREE / "src", tmp_path / "bundle", hardtack.BuildOptions(profile="keyword"))
    with hardtack.open_bundle(tmp_path / "bundle") as opened:
        alike = list(opened.bundle.columns.of_chunks("alike"))
        assert len(alike) > 1000
        assert alike.count(0) > 0.8 * len(alike)
        assert {*range(max(alike) + 1)} == {*alike}
        assert min(alike.count(number) for number in {*alike} - {0}) > 1


def test_overloads_of_one_file_are_alike_and_many_namesakes_are_taken_for_alike(tmp_path: Path) -> None:
    checked = "        check({kind}.class, value, at); out.put({kind}.class, value, at);\n"
    overload = f"    void write({{kind}} value, int at) {{{{\n{checked}{{more}}    }}}}\n"
    more = "".join(f"        flush_and_count({{kind}}, {number}, 'to the left');\n" for number in range(MAX_LINES // 2))
    methods = "".join(overload.format(kind=kind, more=more.format(kind=kind)) for kind in ("long", "byte"))
    (tmp_path / "Writer.java").write_text(f"class Writer {{\n{methods}}}\n")
    many = "".join(f"def fill():\n    return {number}\n\n\n" + "x = 1\n" * number for number in range(200))
    (tmp_path / "many.py").write_text(many)
    hardtack.build_bundle(tmp_path, tmp_path / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(tmp_path / "bundle") as opened:
        bundle = opened.bundle
        numbers: dict[str, set[int]] = {}
        for ordinal in range(bundle.manifest.counts.chunks):
            chunk = bundle.chunk(ordinal)
            if any(symbol.name in ("write", "fill") for symbol in bundle.symbols_of(chunk)):
                numbers.setdefault(bundle.file(chunk.file).path, set()).add(bundle.columns.of_chunks("alike")[ordinal])
        assert [1, 1] == [len(found) for found in numbers.values()]
        assert 0 not in set().union(*numbers.values())
