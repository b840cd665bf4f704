"""An answer as Markdown for a reader who pays by the token: the best hits with their code, then further files, a line each.

The path of a file is given once, with its best hit; its other hits follow beneath. An answer takes at most
:data:`style.MARKDOWN_TOKENS` unless ``max_tokens`` is given. The fence of a snippet is longer than any in the snippet's text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hardtack.bundle.format.layout import is_identifier
from hardtack.nouns.model import Answer, Hit, Place
from hardtack.render.fit import fitted
from hardtack.render.style import MARKDOWN_TOKENS, Costs, Style, inert, inert_line
from hardtack.render.text import by_file, freshness_shown, path_shown, place_shown, text_shown, twins_shown

_TITLE = "Further files, best first:\n"

_FENCE = re.compile(r"`{3,}")
_FENCE_LINE = re.compile(r"^(`{3,})(\S*)[ \t]*$", re.MULTILINE)
_BACKTICKS = re.compile(r"`+")
_MARKUP = re.compile(r"<(?=[A-Za-z/!?])|\[|^(?=[#>~+*=|-])")
"""Where a tag, a link, or at the beginning of a line a block of another sort, begins."""


def render_answer(answer: Answer, style: Style) -> str:
    """A heading and a fenced snippet for each hit, those of one file together; the further files; the hint at the end."""
    costs = Costs(
        hit=lambda hit: len(_hit(hit, style, is_best=False)),
        file=lambda hit: len(_hit(hit, style, is_best=True)) - len(_hit(hit, style, is_best=False)) + 1,
        place=lambda place: len(_place(place)),
        further=len(_further(answer.further)) + 1 - sum(len(_place(place)) for place in answer.further),
        rest=len(prose(answer.hint)) + 2 if answer.hint else 0,
    )
    answer = fitted(answer, style.max_tokens or MARKDOWN_TOKENS, costs)
    blocks = ["".join(_hit(hit, style, is_best=not number) for number, hit in enumerate(hits)) for hits in by_file(answer.hits)]
    if answer.further:
        blocks.append(_further(answer.further))
    if answer.hint:
        blocks.append(prose(answer.hint) + "\n")
    return "\n".join(blocks)


def _hit(hit: Hit, style: Style, *, is_best: bool) -> str:
    place = f"{path_shown(hit) if is_best else ''}:{place_shown(hit)}"
    what = f" {hit.kind} {code(hit.qualified_name)}" if hit.name else ""
    state = f" ({freshness})" if (freshness := freshness_shown(hit)) else ""
    lines = [f"{f'**{hit.file_rank}.** ' if is_best else ''}{code(place)}{what}{state}"]
    if hit.also:
        lines.append(f"also: {twins_shown(hit, code)}")
    if style.reasons and hit.reasons:
        lines.append(f"({'; '.join(map(prose, hit.reasons))})")
    if hit.snippet:
        lines.append(fenced(text_shown(hit), hit.language))
    return "\n".join(lines) + "\n"


def _further(places: Sequence[Place]) -> str:
    return _TITLE + fenced("".join(map(_place, places)).rstrip("\n"), "") + "\n"


def _place(place: Place) -> str:
    """A line for one further file, with the symbol's name unless the file is called so."""
    name = " ".join(place.name.split())
    stem = place.path.rpartition("/")[2].partition(".")[0]
    shown = "" if name.lower() in ("", stem.lower()) else f" {name}"
    return inert_line(f"{path_shown(place)}:{place.line}{shown}") + "\n"


def fenced(text: str, language: str) -> str:
    """A code block with a fence longer than any run of backticks in it; a language that is no identifier is left out."""
    shown = inert(text)
    fence = "`" * max((len(run) + 1 for run in _FENCE.findall(shown)), default=3)
    return f"{fence}{language if is_identifier(language) else ''}\n{shown}\n{fence}"


def open_fence(text: str) -> str:
    """The fence of the code block that a text ends in; empty if it ends in none. In a block only its own fence closes it."""
    opened = ""
    for fence, language in _FENCE_LINE.findall(text):
        if not opened:
            opened = fence
        elif len(fence) >= len(opened) and not language:
            opened = ""
    return opened


def code(text: str) -> str:
    """Inline code on one line, between one more backtick than any run of them in it (CommonMark 6.1)."""
    shown = inert_line(text)
    if "`" not in shown:
        return f"`{shown}`"
    fence = "`" * (max(map(len, _BACKTICKS.findall(shown))) + 1)
    return f"{fence} {shown} {fence}"


def prose(text: str) -> str:
    """Indexed words on one line of Markdown: no tag, link or image begins in them, and none of their backticks is left open."""
    shown = inert_line(text)
    if _MARKUP.search(shown):
        shown = _MARKUP.sub(r"\\\g<0>", shown)
    if "`" in shown and not _are_closed(shown):
        shown = shown.replace("`", "\\`")
    return shown


def table(heading: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int = 0) -> str:
    """A table of cells that are Markdown already; the last ``numbers`` columns are aligned to the right."""
    rule = [*["---"] * (len(heading) - numbers), *["--:"] * numbers]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in (heading, rule, *rows))


def path_in_prose(path: str) -> str:
    """A path among words: as it is, or as inline code where Markdown would read something else in it, so that it can be copied."""
    return path if prose(path) == path else code(path)


def _are_closed(text: str) -> bool:
    """Whether each run of backticks that opens a code span has one of its length that closes it."""
    opened = ""
    for run in _BACKTICKS.findall(text):
        if not opened:
            opened = run
        elif run == opened:
            opened = ""
    return not opened
