"""Flags that mean the same in every verb; those of a search are data (``flags.py``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar, cast

import click

from hardtack.cli import environment
from hardtack.encoders import EncoderSettings
from hardtack.errors import UsageError
from hardtack.nouns.model import Mode
from hardtack.query.request.filters import BY_NAME, FILTERS, Filter
from hardtack.render import RENDERERS
from hardtack.render.style import Style

_Command = TypeVar("_Command", bound=Callable[..., Any])

CERTAINTIES = ("exact", "likely", "possible")
_BUNDLE_VARIABLE = "HARDTACK_BUNDLE"


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def size(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """A size as users write it in bytes, for ``callback``: ``500K`` is 512,000; None stays None."""
    if value is None:
        return None
    number, unit = value.upper().removesuffix("B").removesuffix("I"), ""
    if number and number[-1] in "KMG":
        number, unit = number[:-1], number[-1]
    if not number.isdecimal() or not int(number):
        raise click.BadParameter(f"{value!r} is not a size; write 500K or 2M.")
    return int(number) * _UNITS[unit]


def _completion_of(values: str) -> Callable[[click.Context, click.Parameter, str], Any]:
    """Calls that method of :class:`Completions`, whose module is imported when a shell asks for completions, and by no verb."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> Any:
        from hardtack.cli.completion import Completions

        found = Completions(partial(environment.opened_bundle, as_built=True), environment.installed_bundles)
        return getattr(found, values)(context, parameter, incomplete)

    return complete


completions = SimpleNamespace(
    **{values: _completion_of(values) for values in ("bundles", "kinds", "languages", "names", "packages", "paths", "roles")}
)
"""What flags and arguments complete to in a shell, for ``shell_complete``."""


def bundle_option(command: _Command) -> _Command:
    """``-b/--bundle``."""
    return click.option(
        *("-b", "--bundle"),
        metavar="DIR",
        envvar=_BUNDLE_VARIABLE,
        shell_complete=completions.bundles,
        help="Bundle to read (default: the one of this directory).",
    )(command)


class _WholeText(click.types.StringParamType):
    """One value, also from the environment, where click would split a list at blanks: directories have blanks in their names."""

    def split_envvar_value(self, rv: str) -> Sequence[str]:
        return (rv,)


bundles_option = click.option(
    *("-b", "--bundle", "bundles"),
    metavar="DIR",
    multiple=True,
    type=_WholeText(),
    envvar=_BUNDLE_VARIABLE,
    shell_complete=completions.bundles,
    help="Bundle to read (default: the one of this directory); may be repeated.",
)
"""``-b/--bundle`` for what answers from several."""

digest_option = click.option("--digest", metavar="SHA256", help="Refuse any bundle but this one (sha256:...).")


def together(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Several options as one decorator; help shows them in this order."""

    def declare(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return declare


format_options = together(
    click.option("--format", "format_", type=click.Choice([*RENDERERS]), default="text", help="Shape of the answer."),
    click.option("--json", "as_json", is_flag=True, help="Short for --format json."),
    click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours."),
    click.option(
        "--no-pager",
        is_flag=True,
        expose_value=False,
        callback=environment.note_no_pager,
        help="Print an answer that is longer than the screen at once.",
    ),
)
"""``--format``, ``--json``, ``--color`` and ``--no-pager``."""


class Listing(NamedTuple):
    """How a list is printed."""

    format: str
    limit: int | None
    """Results at most; None for all."""
    shows_counts: bool
    """Print how many places each file has, not the places."""
    style: Style
    terminal: environment.Terminal | None = None
    """Where text goes to; None of a pipe."""


count_option = click.option("-c", "--count", "shows_counts", is_flag=True, help="Print how many results there are, by file.")
"""``-c/--count``."""


def require_text_for_counts(format_: str, *, shows_counts: bool) -> None:
    """Raise a :class:`UsageError` for counts in a format that has none."""
    if shows_counts and format_ != "text":
        raise UsageError("Counts are given as text.", hint="Drop -c, or --format.")


def answer_options(command: _Command) -> _Command:
    """:data:`format_options`, handed on as a :class:`Listing` of everything, ``listing``."""

    @wraps(command)
    def answered(*, format_: str, as_json: bool, color: str, **others: Any) -> Any:
        style, terminal = environment.style(color), environment.terminal(color)
        return command(listing=Listing("json" if as_json else format_, None, False, style, terminal), **others)

    return cast("_Command", format_options(answered))


def list_options(limit: int | None = None) -> Callable[[_Command], _Command]:
    """:data:`format_options`, ``-n`` and ``-c``, handed on as one :class:`Listing`, ``listing``.

    Args:
        limit: results at most unless the caller says otherwise; None for all.
    """
    most = "Results at most; all by default." if limit is None else "Results at most."

    def declare(command: _Command) -> _Command:
        @wraps(command)
        def listed(*, format_: str, as_json: bool, color: str, limit: int | None, shows_counts: bool, **others: Any) -> Any:
            format_ = "json" if as_json else format_
            require_text_for_counts(format_, shows_counts=shows_counts)
            style, terminal = environment.style(color), environment.terminal(color)
            return command(listing=Listing(format_, limit, shows_counts, style, terminal), **others)

        declared = together(
            click.option("-n", "--limit", type=click.IntRange(min=1), default=limit, show_default=limit is not None, help=most),
            count_option,
            format_options,
        )
        return cast("_Command", declared(listed))

    return declare


def as_built_option(command: _Command) -> _Command:
    """``--as-built``; what it says is found by :mod:`environment`."""
    return click.option(
        "--as-built",
        is_flag=True,
        expose_value=False,
        callback=environment.note_as_built,
        help="Answer from the bundle as it was built, not for the working tree (env HARDTACK_AS_BUILT=1).",
    )(command)


def checkout_option(command: _Command) -> _Command:
    """``--checkout``."""
    return click.option(
        "--checkout",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        help="Say of each hit whether this checkout still has it.",
    )(command)


def json_option(command: _Command) -> _Command:
    """``--json`` alone, for verbs that answer in text or JSON."""
    return click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(command)


def filter_option(row: Filter) -> Callable[[_Command], _Command]:
    """The flag of a filter."""
    said: dict[str, Any] = {"metavar": row.metavar, "multiple": row.is_many, "help": row.help}
    if not row.is_many:
        said["default"] = ""
    if row.completes:
        said["shell_complete"] = getattr(completions, row.completes)
    return click.option(row.flag, row.name, **said)


tag_option = filter_option(BY_NAME["tags"])
"""``--tag``."""


def search_options(command: _Command) -> _Command:
    """``--limit``, what narrows a search, ``--mode`` and :func:`query_encoder_options`: what every search takes.

    Named as :class:`SearchOptions` names them, to be handed on as they come.
    """
    return together(
        click.option("-n", "--limit", type=int, default=10, show_default=True, help="Hits at most."),
        *map(filter_option, FILTERS),
        click.option("--min-score", type=click.FloatRange(0, 1), default=0.0, help="Only hits that score as much, 0 to 1."),
        click.option(
            "--mode",
            type=click.Choice([mode.value for mode in Mode]),
            default="hybrid",
            show_default=True,
            help="Search by terms, by meaning, or both.",
        ),
        query_encoder_options,
    )(command)


def mention_options(command: _Command) -> _Command:
    """``--package`` and ``--class``, which narrow the symbols meant, ``--certainty`` and ``--path``, which narrow what is found.

    Named as the parameters of :class:`LookUps` are, to be handed on as they come.
    """
    for option in (
        click.option(
            *("--path", "paths"),
            multiple=True,
            metavar="GLOB",
            shell_complete=completions.paths,
            help="Only paths that match; may be repeated.",
        ),
        click.option("--certainty", type=click.Choice(CERTAINTIES), default=CERTAINTIES[-1], help="The least that is wanted."),
        click.option("--class", "owner", default="", help="Only a member of this type."),
        click.option("--package", default="", shell_complete=completions.packages, help="Only in this package or namespace."),
    ):
        command = option(command)
    return command


def encoder_options(command: _Command) -> _Command:
    """``--encoder`` and ``--encoder-url``; what they say is found by :func:`encoder_settings`. There is no flag for a key."""
    for option in (
        click.option(
            "--encoder-url",
            metavar="URL",
            expose_value=False,
            callback=_note_encoder,
            help="Base address of an OpenAI-compatible service of your own (env HARDTACK_ENCODER_URL).",
        ),
        click.option(
            "--encoder",
            metavar="NAME",
            expose_value=False,
            callback=_note_encoder,
            help="static, st:MODEL, openai[:MODEL] or jina[:MODEL] (env HARDTACK_ENCODER).",
        ),
    ):
        command = option(command)
    return command


def query_encoder_options(command: _Command) -> _Command:
    """The same, and ``--encoder-network``, without which no query leaves this machine."""
    return click.option(
        "--encoder-network",
        is_flag=True,
        expose_value=False,
        callback=_note_encoder,
        help="Let the query be sent to the encoder's service (env HARDTACK_ENCODER_NETWORK=1).",
    )(encoder_options(command))


def _note_encoder(context: click.Context, parameter: click.Parameter, value: object) -> None:
    context.meta[f"hardtack.{parameter.name}"] = value


def encoder_settings() -> EncoderSettings:
    """What the flags of this command and the environment say about the encoder; a flag wins."""
    said = click.get_current_context().meta
    return environment.encoder_settings(
        name=said.get("hardtack.encoder"),
        url=said.get("hardtack.encoder_url"),
        network=said.get("hardtack.encoder_network") or None,
    )
