"""A written page in, what is in its HTML out: text, links, anchors, attributes; read with the standard library's own parser."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urldefrag

VOID: Final = frozenset({"meta", "link", "input", "br", "img", "hr", "base"})


class Parsed(HTMLParser):
    """One HTML file."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        """Of all but scripts and styles."""
        self._inside: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self._inside):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def anchors(self) -> list[str]:
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    @property
    def links(self) -> list[str]:
        return [attributes["href"] for tag, attributes in self.tags if tag == "a"]


def pages_of(place: Path) -> dict[str, Parsed]:
    """Place of each HTML file -> what is in it; of a page that is one file, its name."""
    files = [place] if place.is_file() else sorted(place.rglob("*.html"))
    root = place.parent if place.is_file() else place
    return {path.relative_to(root).as_posix(): Parsed(path.read_text(encoding="utf-8")) for path in files}


def dead_links(pages: dict[str, Parsed]) -> Iterator[tuple[str, str]]:
    """(page, address) of every link that leads to no anchor of these pages."""
    anchors = {name: set(page.anchors) for name, page in pages.items()}
    for name, page in pages.items():
        for link in page.links:
            target, anchor = urldefrag(link)
            there = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(target))) if target else name
            if there not in anchors or (anchor and unquote(anchor) not in anchors[there]):
                yield name, link
