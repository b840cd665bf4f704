"""Filters, compared with a plain implementation over every symbol and file of a real bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.errors import UsageError
from hardtack.nouns.model import Candidate, Kind, Tag
from hardtack.query.request.filter_words import parse_kinds, parse_languages, parse_tags
from hardtack.query.request.filters import FILTERS, FilterOptions, filters_from
from hardtack.query.request.selection import Selection
from hardtack.text import terms_of

BySymbol = Callable[[Bundle, int], bool]


def _selection(bundle: Bundle, **filters: Any) -> Selection:
    return Selection(bundle, filters_from(bundle, filters))


def _is_kind(*kinds: Kind) -> BySymbol:
    return lambda bundle, symbol: bundle.symbol(symbol).kind in kinds


def _is_called(*names: str) -> BySymbol:
    return lambda bundle, symbol: bundle.symbol(symbol).qualified_name in names


SYMBOLS: list[tuple[str, dict[str, Any], BySymbol]] = [
    ("a kind", {"kinds": (Kind.METHOD,)}, _is_kind(Kind.METHOD)),
    ("two kinds", {"kinds": (Kind.SECTION, Kind.CONSTANT)}, _is_kind(Kind.SECTION, Kind.CONSTANT)),
    ("a name", {"symbol_name": "shelfFULL"}, _is_called("ShelfFull")),
    ("a glob", {"symbol_name": "TAKE_*"}, _is_called("Shelf.take_oldest", "take_oldest")),
    ("a qualified glob", {"symbol_name": "Roll::*"}, _is_called("Roll.Print", "Roll.paper")),
    ("a name that is nowhere", {"symbol_name": "shel"}, _is_called()),
    ("a kind of that name", {"kinds": (Kind.CLASS,), "symbol_name": "S*"}, _is_called("ShelfFull", "Shelf", "ShelfPage")),
    ("a kind that the name is not", {"kinds": (Kind.INTERFACE,), "symbol_name": "ShelfFull"}, _is_called()),
    ("a parameter", {"parameter_type": "Jar"}, _is_called("Shelf.__init__", "Shelf.put", "suggest_dish")),
    ("a list of them", {"parameter_type": "list[Jar]"}, _is_called("Shelf.__init__")),
    ("a result", {"returns": "Label"}, _is_called("ParseLabel")),
    ("an error", {"returns": "error"}, _is_called("ParseLabel", "Printer.Print", "Roll.Print")),
    ("both", {"parameter_type": "string", "returns": "label"}, _is_called("ParseLabel")),
    ("a tag that nothing has", {"tags": (Tag.AGGREGATE,)}, _is_called()),
    ("a kind with a tag", {"kinds": (Kind.CLASS,), "tags": (Tag.REPOSITORY,)}, _is_called()),
]
FILES: list[tuple[str, dict[str, Any], Callable[[str], bool]]] = [
    ("a language", {"languages": ("go", "typescript")}, lambda path: path.endswith((".go", ".ts"))),
    ("a path", {"paths": ("src/**",)}, lambda path: path.startswith("src/")),
    ("two paths", {"paths": ("web", "*.go")}, lambda path: path.startswith("web/") or path.endswith(".go")),
    ("all but a path", {"excluded": ("src/**", "*.md")}, lambda path: not path.startswith("src/") and not path.endswith(".md")),
    (
        "a path but for a part of it",
        {"paths": ("src",), "excluded": ("shelf.py",)},
        lambda path: path.startswith("src/") and "shelf.py" not in path,
    ),
    ("a role", {"roles": ("documentation,Configuration",)}, lambda path: not path.endswith((".py", ".go", ".ts", ".css", ".txt"))),
    ("a declared package", {"packages": ("label",)}, lambda path: path == "label/label.go"),
    ("a folder as a package", {"packages": ("pantry",)}, lambda path: path.startswith("src/pantry/")),
    ("a module", {"packages": ("pantry.shelf", "nowhere")}, lambda path: path == "src/pantry/shelf.py"),
    ("a part of a component", {"packages": ("pant",)}, lambda path: False),
    ("all at once", {"languages": ("python",), "paths": ("src",), "packages": ("pantry/advice",)}, lambda path: "advice" in path),
]


def _chunks(bundle: Bundle) -> range:
    return range(bundle.manifest.counts.chunks)


def _symbols(bundle: Bundle, chunk: int) -> range:
    first = bundle.chunk(chunk).first_symbol
    return range(first, first + bundle.chunk(chunk).symbol_count)


@pytest.mark.parametrize(("filters", "passes"), [row[1:] for row in SYMBOLS], ids=[row[0] for row in SYMBOLS])
def test_a_chunk_passes_when_one_symbol_in_it_passes_everything(bundle: Bundle, filters: dict[str, Any], passes: BySymbol) -> None:
    selection = _selection(bundle, **filters)
    expected = {chunk: [symbol for symbol in _symbols(bundle, chunk) if passes(bundle, symbol)] for chunk in _chunks(bundle)}
    assert list(expected.values()) == [list(selection.symbols(chunk)) for chunk in expected]
    assert [bool(symbols) for symbols in expected.values()] == [selection.allows(chunk) for chunk in expected]
    assert selection.is_about_symbols
    assert selection.flags is not None
    assert [chunk for chunk, symbols in expected.items() if symbols and not selection.flags[chunk]] == []


@pytest.mark.parametrize(("filters", "passes"), [row[1:] for row in FILES], ids=[row[0] for row in FILES])
def test_a_chunk_passes_with_its_file(bundle: Bundle, filters: dict[str, Any], passes: Callable[[str], bool]) -> None:
    selection = _selection(bundle, **filters)
    assert [ordinal for ordinal, file in enumerate(bundle.files) if passes(file.path)] == selection.files
    assert selection.flags is not None
    expected = [passes(bundle.file(bundle.chunk(chunk).file).path) for chunk in _chunks(bundle)]
    assert expected == selection.flags.tolist()
    assert all(list(_symbols(bundle, chunk)) == list(selection.symbols(chunk)) for chunk in _chunks(bundle))


@pytest.mark.parametrize("filters", [row[1] for row in (*SYMBOLS, *FILES)], ids=[row[0] for row in (*SYMBOLS, *FILES)])
@pytest.mark.parametrize("depth", [1, 3, 1000])
def test_an_engine_is_asked_until_enough_passes(
    bundle: Bundle, filters: dict[str, Any], depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardtack.query.request.selection._DEEPER", 2)
    selection = _selection(bundle, **filters)
    terms = {field: [(term, 1.0) for term in ("jar", "shelf", "label")] for field in ("name", "signature", "doc", "body")}
    everything = _columns(bundle.lexical.search(terms, 1000, _selection(bundle).lexical))
    files = set(range(len(bundle.files)) if selection.files is None else selection.files)
    expected = [
        chunk
        for chunk in everything[0].tolist()
        if bundle.chunk(chunk).file in files and (selection.allows(chunk) or not selection.is_about_symbols)
    ][:depth]
    found, scores = selection.first(depth, lambda limit: _columns(bundle.lexical.search(terms, limit, selection.lexical)))
    assert (expected, len(expected)) == (found.tolist(), len(scores))
    if selection.flags is not None:
        flagged = [column[selection.flags[everything[0]]] for column in everything]
        found, scores = selection.first(depth, lambda limit: (flagged[0][:limit], flagged[1][:limit]))
        assert (expected, len(expected)) == (found.tolist(), len(scores))


def _columns(found: tuple[Sequence[int], Sequence[float]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(found[0], dtype=np.int64), np.array(found[1])


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    """One class with a tag, and a method that has none, in one chunk; then a function that takes what begins with an underscore."""
    root = tmp_path_factory.mktemp("orders")
    (root / "orders.py").write_text('class OrderRepository:\n    """Keeps orders."""\n\n    def find(self, order): ...\n')
    (root / "packing.py").write_text("def pack(crate: _Crate) -> None:\n    crate.close()\n")
    build_bundle(root, root / "bundle", BuildOptions(jobs=1, profile="keyword"))
    with open_bundle(root / "bundle") as opened:
        yield opened


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"tags": (Tag.REPOSITORY,)}, ["OrderRepository"]),
        ({"kinds": (Kind.METHOD,)}, ["OrderRepository.find"]),
        ({"kinds": (Kind.CLASS,), "tags": (Tag.REPOSITORY,)}, ["OrderRepository"]),
        ({"kinds": (Kind.METHOD,), "tags": (Tag.REPOSITORY,)}, []),
    ],
)
def test_the_kind_and_the_tag_have_to_be_one_symbols(orders: Bundle, filters: dict[str, Any], expected: list[str]) -> None:
    selection = _selection(orders, **filters)
    assert expected == [orders.symbol(symbol).qualified_name for symbol in selection.symbols(0)]
    assert bool(expected) == selection.allows(0)


@pytest.mark.parametrize("written", ["_Crate", "_crate"])
def test_a_type_is_looked_up_as_the_index_has_it(orders: Bundle, written: str) -> None:
    selection = _selection(orders, parameter_type=written)
    assert selection.flags is not None
    assert ([False, True], [False, True]) == (selection.flags.tolist(), [selection.allows(chunk) for chunk in (0, 1)])


def test_a_candidate_is_about_a_symbol_that_passes(bundle: Bundle) -> None:
    selection = _selection(bundle, symbol_name="put")
    (chunk,) = (chunk for chunk in _chunks(bundle) if selection.allows(chunk))
    (put,) = selection.symbols(chunk)
    for symbol in (-1, put - 1, put):
        assert put == selection.about(Candidate(ordinal=chunk, score=1.0, symbol=symbol)).symbol
    unfiltered = Candidate(ordinal=chunk, score=1.0, symbol=-1)
    assert unfiltered is _selection(bundle).about(unfiltered)


def test_a_name_or_a_type_that_can_be_looked_up_is_not_searched_for(bundle: Bundle) -> None:
    named = _selection(bundle, symbol_name="ParseLabel")
    assert named.flags is not None
    assert (1, ["label/label.go"]) == (named.flags.sum(), [bundle.file(file).path for file in named.lexical.files or ()])
    typed = _selection(bundle, returns="Warning", parameter_type="number")
    assert typed.flags is not None
    texts = [
        bundle.text_of(bundle.file(chunk.file), chunk.span.start, chunk.span.end) for chunk in map(bundle.chunk, _chunks(bundle))
    ]
    expected = [{"warning", "number"} <= set(terms_of(text.decode())) for text in texts]
    assert (expected, True) == (typed.flags.tolist(), len(expected) > sum(expected) > 0)


def test_without_filters_everything_passes(bundle: Bundle) -> None:
    selection = _selection(bundle)
    assert (True, None, None) == (selection.is_everything, selection.flags, selection.files)
    assert all(selection.allows(chunk) for chunk in _chunks(bundle))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["METHOD"], (Kind.METHOD,)),
        (["class"], (Kind.CLASS, Kind.STRUCT, Kind.ENUM, Kind.BLOCK, Kind.RESOURCE)),
        (["interface"], (Kind.INTERFACE, Kind.TRAIT)),
        (["const, var"], (Kind.CONSTANT, Kind.VARIABLE)),
        (["function", "function"], (Kind.FUNCTION,)),
        ([], ()),
    ],
)
def test_kinds_go_by_our_names_and_by_others(names: list[str], expected: tuple[Kind, ...]) -> None:
    assert expected == parse_kinds(names)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["PY"], ("python",)),
        (["py,golang", "typescript"], ("python", "go", "typescript")),
        ([".ts"], ("typescript",)),
        (["toml", "Markdown"], ("toml", "markdown")),
    ],
)
def test_languages_go_by_id_alias_name_and_extension(bundle: Bundle, names: list[str], expected: tuple[str, ...]) -> None:
    assert expected == parse_languages(bundle, names)


def test_tags_go_by_name_in_any_case() -> None:
    assert (Tag.REPOSITORY, Tag.VALUE_OBJECT) == parse_tags(["Repository,VALUE_OBJECT", "repository"])


def test_words_that_mean_nothing_are_refused_with_what_would(bundle: Bundle) -> None:
    with pytest.raises(UsageError, match=r"^There is no kind 'thing'\.$") as refused:
        parse_kinds(["class,thing"])
    assert "class" in refused.value.hint
    with pytest.raises(UsageError, match=r"^There is no tag 'repo'\.$"):
        parse_tags(["repo"])
    with pytest.raises(UsageError, match=r"^The bundle has no language 'cobol'\.$") as refused:
        parse_languages(bundle, ["cobol"])
    assert refused.value.hint.startswith("It has: go, ")


def test_every_filter_is_one_row_and_one_line_for_type_checkers() -> None:
    assert [row.name for row in FILTERS] == list(FilterOptions.__annotations__)
    assert all((row.file_test is None) != (row.symbol_test is None) for row in FILTERS)
    assert all(len({getattr(row, key) for row in FILTERS}) == len(FILTERS) for key in ("name", "flag", "section", "kept_out_by"))


def test_an_option_that_is_no_filter_is_refused_by_name(bundle: Bundle) -> None:
    with pytest.raises(TypeError, match="takes no 'language'"):
        filters_from(bundle, {"language": ["python"]})


@pytest.mark.parametrize("name", [row.name for row in FILTERS])
@pytest.mark.parametrize("values", ["x" * 1001, ["*a" * 501], ["x"] * 1001], ids=["a long text", "a long glob", "many"])
def test_a_filter_takes_no_value_that_is_long_and_no_more_than_a_thousand(bundle: Bundle, name: str, values: Any) -> None:
    with pytest.raises(UsageError, match=f"The filter '{name}' takes at most (1000 values|1 value) of 1000 characters"):
        filters_from(bundle, {name: values})


@pytest.mark.parametrize("name", [row.name for row in FILTERS if not row.is_many])
def test_a_filter_of_one_text_takes_no_two(bundle: Bundle, name: str) -> None:
    with pytest.raises(UsageError, match="takes at most 1 value "):
        filters_from(bundle, {name: ["a", "b"]})
