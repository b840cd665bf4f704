"""The documentation as a site: every document is in it, its links lead somewhere, and it asks nobody for anything."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from runner import read_yaml

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SITE: dict[str, Any] = read_yaml(ROOT / "mkdocs.yml")


def _hook() -> Any:
    spec = importlib.util.spec_from_file_location("site_links", ROOT / "docs" / "site_links.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _pages(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for each in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
            yield from _pages(each)


def test_every_document_is_in_the_navigation_once() -> None:
    assert sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")) == sorted(_pages(SITE["nav"]))


def test_a_link_or_an_anchor_to_nothing_stops_the_build() -> None:
    assert SITE["strict"] is True
    assert {"omitted_files", "absolute_links", "unrecognized_links", "anchors"} == {*SITE["validation"]}
    assert {"warn"} == {*SITE["validation"].values()}


def test_the_site_asks_nobody_for_anything_when_it_is_read() -> None:
    assert SITE["theme"]["font"] is False
    asking = {"repo_url", "extra_javascript", "extra_css", "extra"}  # the theme asks GitHub for the stars of repo_url
    assert set() == asking & {*SITE}
    assert [] == re.findall(r"https?://", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    for path in DOCS.glob("*.md"):
        assert [] == re.findall(r"!\[[^\]]*\]\(https?:", path.read_text(encoding="utf-8")), path


def test_links_out_of_the_documents_lead_to_the_repository() -> None:
    hook = _hook()
    given = (
        "[a](../README.md) [b](../src/hardtack/bundle/FORMAT.md#packs) [c](search.md#words) [d](https://x/../y) [e](../training)"
    )
    blob, tree = f"{hook.REPOSITORY}/blob/main", f"{hook.REPOSITORY}/tree/main"
    outside = [f"{blob}/README.md", f"{blob}/src/hardtack/bundle/FORMAT.md#packs"]
    assert [*outside, "search.md#words", "https://x/../y", f"{tree}/training"] == re.findall(
        r"\]\(([^)]*)\)", hook.outward(given, "page.md")
    )
    with pytest.raises(FileNotFoundError, match=r"docs/page.md links to nowhere.md"):
        hook.outward("[a](../nowhere.md)", "page.md")
    for path in DOCS.glob("*.md"):
        assert "](../" not in hook.outward(path.read_text(encoding="utf-8"), path.name), path


def test_a_bar_in_the_code_of_a_table_is_shown_without_its_backslash() -> None:
    assert "| `a|b` c\\|d |\n`e\\|f`" == _hook().plain_bars("| `a\\|b` c\\|d |\n`e\\|f`")
