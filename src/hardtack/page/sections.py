"""One file or folder of a bundle in, the section of a page that shows it out, as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from markupsafe import Markup

from hardtack.bundle.format.records import FileRecord, SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, Kind, Tag
from hardtack.nouns.relations import Certainty
from hardtack.page.addresses import Addresses, Here, card_anchor, definition_anchor
from hardtack.page.cards import Card, Cards, lines_of
from hardtack.page.folders import Folder, above
from hardtack.page.highlighting import Part, Text
from hardtack.page.shown import ShownText
from hardtack.page.source import Mark, lettered, source_html
from hardtack.page.uses import Used, Uses
from hardtack.render.stats import readable_size
from hardtack.render.style import inert_line

_LINK_CLASS: Final = {Certainty.EXACT: "x", Certainty.LIKELY: "y", Certainty.POSSIBLE: "z"}
_LETTERS: Final = {
    **dict.fromkeys(FUNCTIONS, "fn"),
    Kind.MACRO: "mc",
    Kind.CLASS: "C",
    Kind.STRUCT: "S",
    Kind.INTERFACE: "I",
    Kind.TRAIT: "T",
    Kind.ENUM: "E",
    Kind.TYPE: "T",
    Kind.CONSTANT: "c",
    Kind.VARIABLE: "v",
    Kind.NAMESPACE: "N",
    Kind.MODULE: "M",
    Kind.PACKAGE: "P",
    Kind.SECTION: "§",
}
_OUTLINED: Final = 1_000
"""Symbols that an outline lists."""
_LISTED: Final = 2_000
"""Entries of a folder that its page lists, of folders and of files."""


class Step(NamedTuple):
    """A link of the path above a page; the last one leads nowhere."""

    name: str
    href: str


class Outlined(NamedTuple):
    """A symbol in a file's outline."""

    name: str
    kind: str
    letter: str
    """What stands for the kind."""
    depth: int
    href: str
    lines: str
    uses: int


class Listed(NamedTuple):
    """An entry of a folder."""

    name: str
    href: str
    is_folder: bool
    language: str
    lines: int
    files: int


class FileView(NamedTuple):
    """What the page of a file shows."""

    here: Here
    title: str
    steps: tuple[Step, ...]
    facts: tuple[str, ...]
    notes: tuple[str, ...]
    """Sentences about what is not shown."""
    source: Markup | None
    """None in a bundle without text."""
    loose: tuple[str, ...]
    """Anchors of symbols whose names are not shown in the source."""
    outline: tuple[Outlined, ...]
    outline_more: int
    cards: tuple[Card, ...]


class FolderView(NamedTuple):
    """What the page of a folder shows."""

    here: Here
    title: str
    steps: tuple[Step, ...]
    facts: tuple[str, ...]
    entries: tuple[Listed, ...]
    more: int


class Views:
    """Makes the views of files and folders."""

    def __init__(self, bundle: Bundle, uses: Uses, addresses: Addresses, folders: Mapping[str, Folder]) -> None:
        self._bundle, self._uses, self._addresses = bundle, uses, addresses
        self._folders = folders
        self._shown = ShownText(bundle)
        self._cards = Cards(bundle, uses, addresses, self._shown)
        self._languages = {each.id: inert_line(each.name) for each in bundle.manifest.languages}

    # -- folders --------------------------------------------------------------------------------------------------------------

    def folder(self, folder: Folder) -> FolderView:
        """The view of a folder."""
        here = self._addresses.here(self._addresses.folder(folder.path))
        entries = list(self.entries(folder, here))
        languages = [self._languages.get(language, language) for language, _ in folder.lines.most_common(3)]
        return FolderView(
            here=here,
            title=f"{inert_line(folder.path)}/" if folder.path else "All files",
            steps=self._steps(folder.path, here),
            facts=(f"{folder.file_count:,} files", f"{folder.line_count:,} lines", *([", ".join(languages)] if languages else [])),
            entries=tuple(entries[:_LISTED]),
            more=max(len(entries) - _LISTED, 0),
        )

    def entries(self, folder: Folder, here: Here) -> Iterator[Listed]:
        """What lies directly in a folder: folders, then files."""
        for path in folder.folders:
            href = self._addresses.to(self._addresses.folder(path), here)
            inner = self._folders[path]
            language = self._languages.get(inner.language, inner.language)
            yield Listed(inert_line(inner.name), href, True, language, inner.line_count, inner.file_count)
        for ordinal in folder.files:
            file = self._bundle.file(ordinal)
            href = self._addresses.to(self._addresses.file(ordinal), here)
            name = inert_line(file.path.rpartition("/")[2])
            yield Listed(name, href, False, self._languages.get(file.language, file.language), file.line_count, 1)

    def _steps(self, path: str, here: Here) -> tuple[Step, ...]:
        """The way from the top to a path, each step a link but the last."""
        steps = [
            Step(inert_line(each.rpartition("/")[2]) or "top", self._addresses.to(self._addresses.folder(each), here))
            for each in (above(path) if path else [])
        ]
        return (*steps, Step(inert_line(path.rpartition("/")[2]) or "top", ""))

    # -- files ----------------------------------------------------------------------------------------------------------------

    def text(self, ordinal: int) -> Text:
        """The text of a file that is shown, up to the end of a line."""
        file = self._bundle.file(ordinal)
        return Text(file.language, file.path, self._shown.data(ordinal).decode("utf-8", "replace"))

    def has_line(self, ordinal: int, line: int) -> bool:
        """Whether the page of a file shows a line."""
        return self._shown.has_line(ordinal, line)

    def file(self, ordinal: int, text: Text, parts: Sequence[Part]) -> FileView:
        """The view of a file.

        Args:
            ordinal: of the file.
            text: what :meth:`text` gave.
            parts: its parts by colour.
        """
        file = self._bundle.file(ordinal)
        here = self._addresses.here(self._addresses.file(ordinal))
        symbols = [(number, self._bundle.symbol(file.first_symbol + number)) for number in range(file.symbol_count)]
        cards = {number: card for number, _ in symbols if (card := self._cards.card(file.first_symbol + number, here))}
        outline = list(self._outline(file, symbols, cards, here))
        source, loose = self._source(ordinal, symbols, cards, text, parts, here)
        return FileView(
            here=here,
            title=inert_line(file.path),
            steps=self._steps(file.path, here),
            facts=tuple(self._facts(file)),
            notes=tuple(self._notes(file, len(self._shown.data(ordinal)))),
            source=source if self._bundle.has_text else None,
            loose=tuple(loose),
            outline=tuple(outline[:_OUTLINED]),
            outline_more=max(len(outline) - _OUTLINED, 0),
            cards=tuple(cards.values()),
        )

    def _facts(self, file: FileRecord) -> Iterator[str]:
        yield self._languages.get(file.language, file.language)
        yield f"{file.line_count:,} line{'' if file.line_count == 1 else 's'}"
        yield readable_size(file.size)
        if file.role:
            yield inert_line(file.role)
        if file.encoding not in ("utf-8", ""):
            yield inert_line(file.encoding)

    def _notes(self, file: FileRecord, shown: int) -> Iterator[str]:
        if not self._bundle.has_text:
            yield "The bundle was built without text, so its source is not shown."
        elif shown < file.text_length:
            yield f"This page shows the first {readable_size(shown)} of {readable_size(file.text_length)}."
        if file.parse_status in ("partial", "error"):
            lines = ", ".join(map(str, file.error_lines[:10]))
            where = f" around line {lines}" if lines else ""
            yield f"The grammar could not read all of it{where}; symbols there may be missing."

    def _outline(
        self, file: FileRecord, symbols: list[tuple[int, SymbolRecord]], cards: Mapping[int, Card], here: Here
    ) -> Iterator[Outlined]:
        depths: dict[int, int] = {-1: -1}
        for number, symbol in symbols:
            ordinal = file.first_symbol + number
            depths[ordinal] = depth = min(depths.get(symbol.parent, -1) + 1, 6)
            if Tag.LOCAL not in self._bundle.tags_of(ordinal):
                is_carded = number in cards and not self._bundle.has_text
                anchor = card_anchor(number) if is_carded else definition_anchor(number)
                href = self._addresses.to(here.name, here, anchor)
                yield Outlined(
                    inert_line(symbol.name) or "(anonymous)",
                    symbol.kind.value,
                    _LETTERS.get(symbol.kind, "·"),
                    depth,
                    href,
                    lines_of(symbol),
                    self._uses.count_of(ordinal),
                )

    def _source(
        self,
        ordinal: int,
        symbols: list[tuple[int, SymbolRecord]],
        cards: dict[int, Card],
        text: Text,
        parts: Sequence[Part],
        here: Here,
    ) -> tuple[Markup, list[str]]:
        """The source, and the anchors of symbols whose names are not shown in it."""
        data = self._shown.data(ordinal)
        definitions: dict[tuple[int, int], list[tuple[int, SymbolRecord]]] = {}
        for number, symbol in symbols:
            definitions.setdefault((symbol.selection_start, symbol.selection_end), []).append((number, symbol))
        marks = [self._definition(start, end, group, cards, here) for (start, end), group in definitions.items()]
        taken = {start for start, _ in definitions}
        links: dict[int, Used] = {}
        for use in self._uses.in_file(ordinal):
            if use.target >= 0 and use.start not in taken:
                links.setdefault(use.start, use)
        marks += [self._link(use, here) for use in links.values()]
        marks.sort(key=lambda mark: mark.start)
        placed = lettered(data, text.text, marks)
        by_number = dict(symbols)
        ends: dict[int, str] = {}
        for number, card in cards.items():
            line = by_number[number].selection_line
            if card.uses and line not in ends:
                ends[line] = self._badge(card, here)
        named = {number for mark in placed for number in mark.symbols}
        loose = []
        for number, symbol in symbols:
            if number not in named and self._shown.has_line(ordinal, symbol.selection_line):
                anchor = f"<i id={here.prefix}{definition_anchor(number)}></i>"
                ends[symbol.selection_line] = anchor + ends.get(symbol.selection_line, "")
            elif number not in named:
                loose.append(definition_anchor(number))
        return source_html(text.text, parts, placed, ends, here.prefix), loose

    def _definition(self, start: int, end: int, group: list[tuple[int, SymbolRecord]], cards: dict[int, Card], here: Here) -> Mark:
        numbers = tuple(number for number, _ in group)
        first, *others = numbers
        names = "".join(f"<i id={here.prefix}{definition_anchor(each)}></i>" for each in others)
        anchor = f"id={here.prefix}{definition_anchor(first)}"
        carded = next((number for number, _ in group if number in cards), None)
        if carded is None:
            return Mark(start, end, f"{names}<span class=d {anchor}>", "</span>", numbers)
        href = escape(self._addresses.to(here.name, here, card_anchor(carded)))
        return Mark(start, end, f'{names}<a class=d {anchor} href="{href}">', "</a>", numbers)

    def _link(self, use: Used, here: Here) -> Mark:
        target = self._bundle.symbol(use.target)
        file = self._bundle.file(target.file)
        address = self._addresses.to(self._addresses.file(target.file), here, definition_anchor(use.target - file.first_symbol))
        title = (
            ""
            if use.certainty is Certainty.EXACT
            else f' title="{use.certainty.value}: {escape(inert_line(target.qualified_name))}"'
        )
        return Mark(use.start, -1, f'<a class={_LINK_CLASS[use.certainty]} href="{escape(address)}"{title}>', "</a>")

    def _badge(self, card: Card, here: Here) -> str:
        href = escape(self._addresses.to(here.name, here, card.anchor))
        count = f"{card.uses:,} use{'' if card.uses == 1 else 's'}"
        return f' <a class=u href="{href}">{count}</a>'
