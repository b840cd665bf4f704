"""Flags that mean the same in every verb; those of a search are data (``flags.py``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from hardtack.cli import environment, flags
from hardtack.cli.completion import Completions
from hardtack.encoders import EncoderSettings

_Command = TypeVar("_Command", bound=Callable[..., Any])

CERTAINTIES = ("exact", "likely", "possible")


completions = Completions(lambda named: environment.opened_bundle(named), lambda: environment.installed_bundles())
"""What flags complete to in a shell."""


def bundle_option(command: _Command) -> _Command:
    """``-b/--bundle``."""
    return click.option(
        *("-b", "--bundle"),
        metavar="DIR",
        envvar=flags.BUNDLES.variable,
        shell_complete=completions.bundles,
        help="Bundle to read (default: the one of this directory).",
    )(command)


class _Whole(click.types.StringParamType):
    """One value, also from the environment, where a list would be split at blanks: directories have blanks in their names."""

    def split_envvar_value(self, rv: str) -> Sequence[str]:
        return (rv,)


def declared(*described: flags.Flag) -> Callable[[_Command], _Command]:
    """The options that flags describe, in their order."""

    def declare(command: _Command) -> _Command:
        for flag in reversed(described):
            command = _option(flag)(command)
        return command

    return declare


def _option(flag: flags.Flag) -> Callable[[_Command], _Command]:
    said: dict[str, Any] = {"metavar": flag.metavar, "default": flag.default, "show_default": flag.shows_default, "help": flag.help}
    if flag.kind is bool:
        return click.option("/".join(flag.names), flag.to, is_flag=True, **said)
    if flag.choices:
        said["type"] = click.Choice(flag.choices)
    elif flag.kind is int:
        said["type"] = int if flag.least is None else click.IntRange(min=flag.least)
    elif flag.variable:
        said["type"] = _Whole()
    if flag.completes:
        said["shell_complete"] = getattr(completions, flag.completes)
    return click.option(*flag.names, flag.to, multiple=flag.many, envvar=flag.variable, **said)


bundles_option = declared(flags.BUNDLES)
"""``-b/--bundle`` for what answers from several."""

digest_option = declared(flags.DIGEST)
"""``--digest``."""

tag_option = declared(flags.TAGS)
"""``--tag``."""

format_options = declared(*flags.SHAPES)
"""``--format``, ``--json`` and ``--color``."""


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


def search_options(command: _Command) -> _Command:
    """``--limit``, what narrows a search, ``--mode`` and :func:`query_encoder_options`: what every search takes.

    Named as :class:`SearchOptions` names them, to be handed on as they come, but for ``--package``: ``package`` in every verb.
    """
    command = declared(flags.MODE)(query_encoder_options(command))
    command = click.option("--min-score", type=click.FloatRange(0, 1), default=0.0, help="Only hits that score as much, 0 to 1.")(
        command
    )
    return declared(flags.LIMIT, *flags.FILTERS)(command)


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
