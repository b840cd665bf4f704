"""The page of changes shows a comparison: what breaks first, each change with its place, and what a bundle says as text alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bundles import built
from hostile_page import PAYLOADS
from page_files import Parsed, dead_links, pages_of

from hardtack.bundle.reader import open_bundle
from hardtack.diff.comparison import compare
from hardtack.nouns.changes import Comparison, SymbolState
from hardtack.page.changes import changes_view
from hardtack.page.page import write_page

OLD = {
    "jar.py": "def open_jar(lid):\n    return lid\n\n\ndef close_jar(lid):\n    return lid * 2\n",
    "same.py": "LID = 1\n",
    "pyproject.toml": '[project]\nname = "jars"\nversion = "1"\n',
}
NEW = {
    "jar.py": "import os\n\n\ndef open_jar(lid, force):\n    return lid\n\n\ndef shake():\n    return os\n",
    "same.py": "LID = 1\n",
    "pyproject.toml": '[project]\nname = "jars"\nversion = "2"\n',
}
FORMS = ("jars", "jars.html")


def _no_step(_: str) -> None: ...


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    place = tmp_path_factory.mktemp("bundles")
    return built(place / "old", OLD), built(place / "new", NEW)


@pytest.fixture(scope="module")
def comparison(bundles: tuple[Path, Path]) -> Comparison:
    with open_bundle(bundles[0]) as old, open_bundle(bundles[1]) as new:
        return compare(old, new)


def _pages(bundle: Path, comparison: Comparison, place: Path) -> dict[str, Parsed]:
    return pages_of(write_page(bundle, place, name="jars", step=_no_step, comparison=comparison).path)


def _changes(pages: dict[str, Parsed]) -> Parsed:
    return pages.get("changes.html") or pages["jars.html"]


@pytest.mark.parametrize("form", FORMS)
def test_what_breaks_is_told_first_with_its_reason_and_its_place(
    bundles: tuple[Path, Path], comparison: Comparison, tmp_path: Path, form: str
) -> None:
    pages = _pages(bundles[1], comparison, tmp_path / form)
    text = " ".join(_changes(pages).text.split())
    assert "Changes since bundle" in text
    places = [text.index(words) for words in ("Breaks callers (2)", "close_jar", "Added (1)", "shake", "version: 1 → 2")]
    assert places == sorted(places)
    for words in ("parameter `force` was added", "def open_jar(lid)", "def open_jar(lid, force)", "imports os"):
        assert words in text
    assert [] == list(dead_links(pages))
    for page in pages.values():
        assert any(link.endswith(("changes.html", "#changes", "#top")) for link in page.links)


def test_without_a_comparison_there_is_no_page_of_changes(bundles: tuple[Path, Path], tmp_path: Path) -> None:
    pages = pages_of(write_page(bundles[1], tmp_path / "jars", name="jars", step=_no_step).path)
    assert "changes.html" not in pages
    assert not any("changes" in link for page in pages.values() for link in page.links)


def test_what_does_not_fit_is_counted(comparison: Comparison) -> None:
    (added,) = (each for each in comparison.symbols if each.old is None)
    view = changes_view(replace(comparison, symbols=(added,) * 501, relations=(), projects=()), lambda path, line: "")
    (section,) = view.sections
    assert ("Added", 501, 500, 1) == (section.title, section.total, len(section.symbols), section.more)


def test_where_nothing_differs_the_page_says_so(bundles: tuple[Path, Path], comparison: Comparison, tmp_path: Path) -> None:
    nothing = replace(comparison, symbols=(), relations=(), projects=(), notes=())
    assert "No symbol, relation or project differs." in _changes(_pages(bundles[1], nothing, tmp_path / "jars")).text


@pytest.mark.parametrize("payload", PAYLOADS)
def test_whatever_the_older_bundle_says_is_text(
    bundles: tuple[Path, Path], comparison: Comparison, tmp_path: Path, payload: str
) -> None:
    def said(state: SymbolState | None) -> SymbolState | None:
        return state and replace(state, name=payload, path=payload, signature=payload)

    symbols = tuple(
        replace(
            each,
            old=said(each.old),
            new=said(each.new),
            breakages=tuple(replace(why, sentence=payload) for why in each.breakages),
        )
        for each in comparison.symbols
    )
    hostile = replace(
        comparison,
        old=replace(comparison.old, name=payload, commit=payload),
        symbols=symbols,
        relations=tuple(replace(each, path=payload, source=payload, target=payload) for each in comparison.relations),
        projects=tuple(replace(each, path=payload, old=payload, new=payload) for each in comparison.projects),
        notes=(payload,),
    )
    shown = _changes(_pages(bundles[1], hostile, tmp_path / "jars"))
    plain = _changes(_pages(bundles[1], comparison, tmp_path / "plain"))
    assert {tag for tag, _ in shown.tags} <= {tag for tag, _ in plain.tags} | {"p"}
    assert not any(name.startswith("on") for _, attributes in shown.tags for name in attributes)
    assert [] == [link for link in shown.links if not link.endswith((".html", "#top", "#main")) and "#L" not in link]
    assert all(character.isprintable() or character in "\n\t" for character in shown.text)
