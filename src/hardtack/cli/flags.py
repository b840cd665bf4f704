"""What can be said to a search, as data: click's options are made of it (``options.py``), and what is said plainly is read by it.

Loading click and having it read a command line takes a tenth of a cold search. So :func:`said` reads what needs none of its care:
known flags, each written out, with values that are right as they stand. Whatever else is left to click, with its help, its
completion and its sentences about what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hardtack.hints import Any, Final
from hardtack.render.style import MARKDOWN_FURTHER, MARKDOWN_TOKENS
from hardtack.tuples import NamedTuple

FORMATS: Final = ("text", "json", "jsonl", "markdown")
_DIGITS: Final = 9
"""Of a number at most; click has the word on longer ones."""


class Flag(NamedTuple):
    """One flag of a command line."""

    names: tuple[str, ...]
    """As they are written; a switch that can be turned off has the name for that last."""
    to: str
    """The parameter that takes it."""
    help: str
    kind: type[str] | type[int] | type[bool] = str
    """Text, a number, or a switch, which has no value."""
    metavar: str | None = None
    default: Any = None
    shows_default: bool = False
    many: bool = False
    """May be repeated."""
    choices: tuple[str, ...] = ()
    least: int | None = None
    """Of a number."""
    variable: str | None = None
    """Of the environment, which says it where the flag does not."""
    completes: str = ""
    """The method of :class:`Completions` that says what it may be."""


BUNDLES: Final = Flag(
    ("-b", "--bundle"),
    "bundle",
    "Bundle to read (default: the one of this directory); may be repeated.",
    metavar="DIR",
    many=True,
    variable="HARDTACK_BUNDLE",
    completes="bundles",
)
DIGEST: Final = Flag(("--digest",), "digest", "Refuse any bundle but this one (sha256:...).", metavar="SHA256")
LIMIT: Final = Flag(("-n", "--limit"), "limit", "Hits at most.", int, default=10, shows_default=True)
MODE: Final = Flag(
    ("--mode",),
    "mode",
    "Search by terms, by meaning, or both.",
    default="hybrid",
    shows_default=True,
    choices=("hybrid", "vector", "keyword"),
)
TAGS: Final = Flag(("--tag",), "tags", "Only what has this tag; may be repeated.", metavar="TAG", many=True)
FILTERS: Final = (
    Flag(("--lang",), "languages", "Only this language; may be repeated.", metavar="LANG", many=True, completes="languages"),
    Flag(("--kind",), "kinds", "Only chunks that define a symbol of this kind.", metavar="KIND", many=True, completes="kinds"),
    Flag(("--path",), "paths", "Only paths that match; may be repeated.", metavar="GLOB", many=True, completes="paths"),
    TAGS,
    Flag(("--name",), "symbol_name", "Only chunks that define a symbol so called.", metavar="GLOB", default=""),
    Flag(
        ("--package",),
        "package",
        "Only this package or namespace; may be repeated.",
        metavar="NAME",
        many=True,
        completes="packages",
    ),
    Flag(("--takes",), "parameter_type", "Only functions that take this type.", metavar="TYPE", default=""),
    Flag(("--returns",), "returns", "Only functions that give back this type.", metavar="TYPE", default=""),
)
WHY: Final = Flag(("--why",), "why", "Say why each hit ranks where it does.", bool, default=False)
CONTEXT: Final = (
    Flag(("--context",), "context", "Short for --before N --after N.", int, metavar="N", least=0),
    Flag(("--before",), "before", "Show N lines before each hit.", int, metavar="N", least=0),
    Flag(("--after",), "after", "Show N lines after each hit.", int, metavar="N", least=0),
    Flag(
        ("--surroundings",),
        "surroundings",
        "In JSON, give each hit's imports and the signatures that follow it.",
        bool,
        default=False,
    ),
    Flag(
        ("--smart-context", "--no-smart-context"),
        "smart_context",
        "Show the function or type around each match, else the chunk.",
        bool,
        default=True,
        shows_default=True,
    ),
)
SIZES: Final = (
    Flag(
        ("--max-tokens",),
        "max_tokens",
        f"Characters of the whole answer at most, divided by 4.  [default: {MARKDOWN_TOKENS} in markdown, else no bound]",
        int,
        metavar="N",
        least=1,
    ),
    Flag(
        ("--further",),
        "further",
        f"Name N files that come after those of the hits.  [default: {MARKDOWN_FURTHER} in markdown, else 0]",
        int,
        metavar="N",
        least=0,
    ),
)
SHAPES: Final = (
    Flag(("--format",), "format_", "Shape of the answer.", default="text", choices=FORMATS),
    Flag(("--json",), "as_json", "Short for --format json.", bool, default=False),
    Flag(("--color",), "color", "Colours.", default="auto", choices=("auto", "always", "never")),
)

SEARCH: Final = (BUNDLES, DIGEST, LIMIT, *FILTERS, MODE, WHY, *CONTEXT, *SIZES, *SHAPES)
"""What a search may be told plainly."""


def said(arguments: Iterable[str], flags: Sequence[Flag]) -> tuple[tuple[str, ...], dict[str, Any]] | None:
    """The words of a command line, and what its flags say, by parameter, of those that are there; None for anything unusual.

    Args:
        arguments: what follows the verb.
        flags: those that are understood.
    """
    by_name = {name: flag for flag in flags for name in flag.names}
    words: list[str] = []
    given: dict[str, Any] = {}
    left = iter(arguments)
    for argument in left:
        if argument == "--":
            words += left
            break
        if not argument.startswith("-"):
            words.append(argument)
            continue
        name, has_value, value = argument.partition("=") if argument.startswith("--") else (argument, "", "")
        flag = by_name.get(name)
        if flag is None or (flag.kind is bool and has_value):
            return None
        if flag.kind is bool:
            given[flag.to] = name == flag.names[0]
            continue
        if not has_value and (value := next(left, "-")).startswith("-"):
            return None
        if (taken := _taken(flag, value)) is None:
            return None
        given[flag.to] = (*given.get(flag.to, ()), taken) if flag.many else taken
    return (tuple(words), given) if words else None


def _taken(flag: Flag, value: str) -> str | int | None:
    """A value as its flag takes it; None where click has to say."""
    if flag.kind is int:
        if not (value.isascii() and value.isdecimal() and len(value) <= _DIGITS):
            return None
        return int(value) if int(value) >= (flag.least or 0) else None
    return value if not flag.choices or value in flag.choices else None
