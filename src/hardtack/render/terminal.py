"""An answer in, what a terminal shows of it out: colours, highlighted code, columns that fit its width, links to file and line.

    markdown_on    any answer as Markdown, as renderers make it    headings, lists, tables and code, wrapped between words
    places_on      places, one after the other                     grouped by file, each with its highlighted line

The only module that knows rich, which takes a tenth of a second to load: it is imported where there is a terminal, never for a
pipe. Rich gets text and Markdown tokens, no markup of its own; what it gets was made inert before, so that a terminal obeys nothing
that a bundle holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from itertools import groupby
from typing import ClassVar, Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement, TableElement
from rich.padding import Padding
from rich.segment import Segment, Segments
from rich.style import Style
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from hardtack.render.places import Place
from hardtack.render.style import inert, inert_line

_NARROWEST: Final = 20
"""Columns that are used at least; a narrower terminal breaks lines itself."""
_SIDE_BY_SIDE: Final = 100
"""Columns from which on what is said of a place stands beside its line, not beneath it."""
_OF_NUMBERS: Final = 20
"""Columns for numbers of lines and columns, and what is between."""
_MOST_HIGHLIGHTED: Final = 50_000
"""Characters of a piece of code that is highlighted at most: lexers of some languages are slow."""
_CODE_THEME: Final = "ansi_dark"
"""The terminal's own sixteen colours, which its user chose to be readable."""
_THEME: Final = Theme(
    {
        "markdown.code": "cyan",
        "markdown.h1": "bold",
        "markdown.h2": "bold",
        "markdown.h3": "bold",
        "markdown.link_url": "",
        "markdown.item.bullet": "dim",
        "markdown.table.border": "dim",
        "markdown.table.header": "bold",
        "place.path": "magenta",
        "place.line": "green",
        "place.aside": "dim",
    }
)
_OBEYED_MARKDOWN: Final = ("html_block", "html_inline", "link", "image", "autolink", "entity", "reference", "lheading")
"""Rules that no answer needs: what looks like any of these is shown as it is written."""
_EMPHASIS: Final = frozenset({"em_open", "em_close", "strong_open", "strong_close"})
_PLACE: Final = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?:-\d+)?")


def _no_link(path: str, line: int) -> str:
    return ""


class Screen(NamedTuple):
    """A terminal, as far as an answer depends on it."""

    columns: int
    has_color: bool = True
    """Without it weights and links stay."""
    link: Callable[[str, int], str] = _no_link
    """A path of the bundle and a line, 0 for none -> an address to link to; empty without one."""


def markdown_on(text: str, screen: Screen) -> str:
    """Markdown as a terminal shows it; code spans that are places, as ``path:line``, become links."""
    shown = _Markdown(inert(text), code_theme=_CODE_THEME)
    shown.parsed = [*_prepared(_parser().parse(shown.markup), screen)]
    return _printed([shown], screen)


def places_on(places: Sequence[Place], screen: Screen) -> str:
    """Places, those of a file together: its path, then for each the line and column, the code, and what is said of it."""
    blocks: list[RenderableType] = []
    for path, of_path in groupby(places, key=lambda place: place.path):
        if blocks:
            blocks.append(Text())
        blocks.append(_linked(inert_line(path), "place.path", screen.link(path, 0)))
        blocks.append(_rows(path, [*of_path], screen))
    return _printed(blocks, screen)


# -- places -------------------------------------------------------------------------------------------------------------------


def _rows(path: str, places: Sequence[Place], screen: Screen) -> Table:
    """A row for each place; what is said of it stands beside its code where no word of either needs to be broken for that."""
    asides = [inert_line(", ".join(place.aside)) for place in places]
    codes = [inert_line(place.code.strip()) for place in places]
    widest = [max((len(word) for text in texts for word in text.split()), default=0) for texts in (codes, asides)]
    is_wide = screen.columns >= _SIDE_BY_SIDE and sum(widest) + _OF_NUMBERS <= screen.columns
    table = Table.grid(padding=(0, 2, 0, 0), expand=is_wide)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(ratio=1 if is_wide else None, overflow="fold")
    if is_wide:
        beside = screen.columns - _OF_NUMBERS
        table.add_column(width=min(max(widest[1], beside // 3), beside - widest[0]), overflow="fold")
    lexer = Syntax.guess_lexer(path)
    for place, code, said in zip(places, codes, asides, strict=True):
        where = _linked(f"  {place.where}", "place.line", screen.link(path, place.line))
        shown, aside = _highlighted(code, lexer), Text(said, "place.aside")
        if is_wide:
            table.add_row(where, shown, aside)
        else:
            table.add_row(where, Text("\n").join(each for each in (shown, aside) if each.plain))
    return table


def _highlighted(code: str, lexer: str) -> Text:
    if not code or len(code) > _MOST_HIGHLIGHTED:
        return Text(code)
    text = Syntax("", lexer, theme=_CODE_THEME).highlight(code)
    text.rstrip()
    text.no_wrap, text.overflow = False, "fold"
    return text


def _linked(text: str, style: str, address: str) -> Text:
    shown = Text(text, style)
    if address:
        shown.stylize(Style(link=address), len(text) - len(text.lstrip()))
    return shown


# -- Markdown -----------------------------------------------------------------------------------------------------------------


def _parser() -> MarkdownIt:
    return MarkdownIt().enable("table").disable(_OBEYED_MARKDOWN)


def _prepared(tokens: Iterable[Token], screen: Screen) -> Iterator[Token]:
    """The tokens with lines kept as they are, links around places, and no language for code that is too long to highlight."""
    for token in tokens:
        if token.children is not None:
            token.children = [*_prepared(token.children, screen)]
        if token.type in _EMPHASIS and token.markup != "**":  # the marks are those of a name: __init__, *args
            token.type, token.tag, token.nesting, token.content = "text", "", 0, token.markup
        if token.type == "softbreak":
            token.type = "hardbreak"
        if token.type == "fence" and len(token.content) > _MOST_HIGHLIGHTED:
            token.info = ""
        address = _address(token.content, screen) if token.type == "code_inline" else ""
        if address:
            yield Token("link_open", "a", 1, attrs={"href": address})
        yield token
        if address:
            yield Token("link_close", "a", -1)


def _address(span: str, screen: Screen) -> str:
    place = _PLACE.fullmatch(span)
    return screen.link(place["path"], int(place["line"][:9])) if place else screen.link(span, 0)


class _Heading(Heading):
    """A heading at the left."""

    LEVEL_ALIGN: ClassVar = dict.fromkeys(Heading.LEVEL_ALIGN, "left")


class _Code(CodeBlock):
    """A block of code, indented."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = str(self.text).rstrip()
        yield Padding(Syntax(code, self.lexer_name, theme=self.theme, word_wrap=True), (0, 0, 0, 2))


class _Table(TableElement):
    """A table without edges that breaks long words rather than cutting them off."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                table.show_edge = False
                for column in table.columns:
                    column.overflow = "fold"
            yield table


class _Markdown(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
        "table_open": _Table,
    }


# -- printing -----------------------------------------------------------------------------------------------------------------


def _printed(blocks: Sequence[RenderableType], screen: Screen) -> str:
    """What the terminal is sent: whole lines without blanks at their ends."""
    stream = StringIO()
    console = Console(
        file=stream,
        width=max(screen.columns, _NARROWEST),
        force_terminal=True,
        color_system="standard",
        no_color=not screen.has_color,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        theme=_THEME,
        _environ={},
    )
    lines = [_stripped(line) for block in blocks for line in console.render_lines(block, pad=False)]
    console.print(Segments([segment for line in lines for segment in line]), end="", soft_wrap=True)
    return stream.getvalue()


def _stripped(line: list[Segment]) -> list[Segment]:
    """A line without blanks at its end, and what ends it."""
    kept = [*line]
    while kept and not kept[-1].text.strip():
        kept.pop()
    return [*kept[:-1], *(Segment(each.text.rstrip(), each.style) for each in kept[-1:]), Segment.line()]
