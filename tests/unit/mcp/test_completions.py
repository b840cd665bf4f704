"""Completions of an argument: they begin as was typed, the likeliest first, and are no more than the protocol allows."""

from __future__ import annotations

import mcp_types as types
import pytest

from hardtack.errors import BundleNotFound, UsageError
from hardtack.mcp.completions import complete
from hardtack.mcp.resources import TEMPLATES
from hardtack.query.searcher import Searcher
from hardtack.query.state.completions import names_from, packages_from, path_position, paths_from
from hardtack.tools.catalog import Catalog

PROMPT = types.PromptReference(name="explain_symbol")
FILE = types.ResourceTemplateReference(uri=TEMPLATES[0].uri_template)


Reference = types.PromptReference | types.ResourceTemplateReference


def _completed(catalog: Catalog, reference: Reference, name: str, value: str, **known: str) -> list[str]:
    return complete(catalog, reference, types.CompletionArgument(name=name, value=value), known).values


def test_a_path_becomes_those_that_begin_so_and_then_those_whose_names_do(searcher: Searcher) -> None:
    every = [file.path for file in searcher.bundle.files]
    assert paths_from(searcher.bundle, "", 1000) == every
    assert paths_from(searcher.bundle, "src/pantry/", 10) == [path for path in every if path.startswith("src/pantry/")]
    assert paths_from(searcher.bundle, "shel", 10) == ["src/pantry/shelf.py", "tests/test_shelf.py", "web/shelf.ts"]
    assert paths_from(searcher.bundle, "src/pantry/shelf.py", 10) == ["src/pantry/shelf.py"]
    assert paths_from(searcher.bundle, "zzz", 10) == []
    assert len(paths_from(searcher.bundle, "", 3)) == 3


def test_a_place_is_how_many_paths_come_before(searcher: Searcher) -> None:
    for ordinal, file in enumerate(searcher.bundle.files):
        assert ordinal == path_position(searcher.bundle, file.path)
        assert ordinal + 1 == path_position(searcher.bundle, f"{file.path}\0")
    assert path_position(searcher.bundle, "") == 0


def test_a_name_becomes_those_of_symbols(searcher: Searcher) -> None:
    assert names_from(searcher.bundle, "open_sh", 10) == ["open_shelf"]
    assert names_from(searcher.bundle, "Shelf", 10)[0] == "Shelf"
    assert "ShelfFull" in names_from(searcher.bundle, "shelff", 10)
    assert {name for name in names_from(searcher.bundle, "Shelf.", 10) if name.startswith("Shelf.")} >= {"Shelf.put", "Shelf.save"}
    assert names_from(searcher.bundle, "Shelf.ta", 10) == ["Shelf.take_oldest"]
    assert names_from(searcher.bundle, "nothing_is_called_so", 10) == []


def test_a_package_becomes_those_that_begin_so_and_those_that_hold_it(searcher: Searcher) -> None:
    every = packages_from(searcher.bundle, "", 100)
    assert "label" in every
    assert packages_from(searcher.bundle, "LAB", 10) == ["label"]
    assert packages_from(searcher.bundle, "pantry", 10) == [name for name in every if "pantry" in name]


def test_every_argument_of_prompts_and_addresses_is_completed(catalog: Catalog) -> None:
    assert _completed(catalog, PROMPT, "name", "open_sh") == ["open_shelf"]
    assert _completed(catalog, PROMPT, "package", "lab") == ["label"]
    assert _completed(catalog, PROMPT, "language", "PY") == ["python"]
    assert _completed(catalog, PROMPT, "index_name", "pa") == ["pantry"]
    assert _completed(catalog, FILE, "index_name", "x") == []
    assert _completed(catalog, FILE, "path", "web/") == ["web/shelf.ts"]
    assert _completed(catalog, FILE, "path", "web/", index_name="pantry") == ["web/shelf.ts"]
    assert _completed(catalog, PROMPT, "goal", "make it") == []


def test_no_more_are_given_than_the_protocol_takes(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.mcp.completions.MOST", 3)
    found = complete(catalog, FILE, types.CompletionArgument(name="path", value=""), {})
    assert (len(found.values), found.has_more) == (3, True)
    found = complete(catalog, FILE, types.CompletionArgument(name="path", value="web/"), {})
    assert (len(found.values), found.has_more) == (1, False)


def test_an_argument_of_nothing_that_is_offered_is_refused(catalog: Catalog) -> None:
    for reference in (types.PromptReference(name="other"), types.ResourceTemplateReference(uri="file:///{path}")):
        with pytest.raises(UsageError):
            _completed(catalog, reference, "path", "")
    with pytest.raises(BundleNotFound):
        _completed(catalog, FILE, "path", "", index_name="elsewhere")
