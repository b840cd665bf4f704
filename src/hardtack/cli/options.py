"""Flags that mean the same in every verb, and every look at the environment.

Environment: ``HARDTACK_BUNDLE`` (as ``-b``), ``HARDTACK_BUNDLE_PATH`` (read-only roots of installed bundles, separated as in
``PATH``), ``HARDTACK_CACHE`` (where bundles are installed), ``NO_COLOR``, for tests alone ``HARDTACK_KILL_AT``, what
``docs/encoders.md`` lists for encoders, and for sources ``HARDTACK_SOURCE`` (as ``--from``), ``HARDTACK_OFFLINE``,
``HARDTACK_TOKEN`` (for the one that is named first), ``GH_TOKEN`` or ``GITHUB_TOKEN`` (for GitHub's API), ``GITHUB_API_URL``,
``GITHUB_SERVER_URL`` and the usual variables for proxies.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hardtack.cli.completion import Completions
from hardtack.encoders import EncoderSettings
from hardtack.encoders.settings import proxies_of
from hardtack.errors import SourceError
from hardtack.render.markdown import FURTHER, TOKENS
from hardtack.render.style import Style

if TYPE_CHECKING:
    from hardtack.bundle.reader import Bundle
    from hardtack.store.cache import Cache
    from hardtack.store.locate import Located
    from hardtack.store.sources.named import SourceSettings
    from hardtack.tools.catalog import Catalog

_Command = TypeVar("_Command", bound=Callable[..., Any])

FORMATS = ("text", "json", "jsonl", "markdown")
CERTAINTIES = ("exact", "likely", "possible")


completions = Completions(lambda named: opened_bundle(named), lambda: installed_bundles())
"""What flags complete to in a shell."""


def bundle_option(command: _Command) -> _Command:
    """``-b/--bundle``."""
    return click.option(
        *("-b", "--bundle"),
        metavar="DIR",
        envvar="HARDTACK_BUNDLE",
        shell_complete=completions.bundles,
        help="Bundle to read (default: the one of this directory).",
    )(command)


class _Whole(click.types.StringParamType):
    """One value, also from the environment, where a list would be split at blanks: directories have blanks in their names."""

    def split_envvar_value(self, rv: str) -> Sequence[str]:
        return (rv,)


def bundles_option(command: _Command) -> _Command:
    """``-b/--bundle`` for what answers from several."""
    return click.option(
        *("-b", "--bundle"),
        metavar="DIR",
        multiple=True,
        type=_Whole(),
        envvar="HARDTACK_BUNDLE",
        shell_complete=completions.bundles,
        help="Bundle to read (default: the one of this directory); may be repeated.",
    )(command)


def checkout_option(command: _Command) -> _Command:
    """``--checkout``."""
    return click.option(
        "--checkout",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        help="Say of each hit whether this checkout still has it.",
    )(command)


def digest_option(command: _Command) -> _Command:
    """``--digest``."""
    return click.option("--digest", metavar="SHA256", help="Refuse any bundle but this one (sha256:...).")(command)


def format_options(command: _Command) -> _Command:
    """``--format``, ``--json`` and ``--color``."""
    command = click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours.")(command)
    command = click.option("--json", "as_json", is_flag=True, help="Short for --format json.")(command)
    return click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help="Shape of the answer.")(command)


def json_option(command: _Command) -> _Command:
    """``--json`` alone, for verbs that answer in text or JSON."""
    return click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(command)


def tag_option(command: _Command) -> _Command:
    """``--tag``."""
    return click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only what has this tag; may be repeated.")(command)


def filter_options(command: _Command) -> _Command:
    """What narrows a search: ``--lang``, ``--kind``, ``--path``, ``--tag``, ``--name``, ``--package``, ``--takes``, ...

    Named as :class:`SearchOptions` names them, to be handed on as they come, but for ``--package``: ``package`` in every verb.
    """
    for option in (
        click.option("--min-score", type=click.FloatRange(0, 1), default=0.0, help="Only hits that score as much, 0 to 1."),
        click.option("--returns", metavar="TYPE", default="", help="Only functions that give back this type."),
        click.option("--takes", "parameter_type", metavar="TYPE", default="", help="Only functions that take this type."),
        click.option(
            "--package",
            multiple=True,
            metavar="NAME",
            shell_complete=completions.packages,
            help="Only this package or namespace; may be repeated.",
        ),
        click.option("--name", "symbol_name", metavar="GLOB", default="", help="Only chunks that define a symbol so called."),
        tag_option,
        click.option(
            *("--path", "paths"),
            multiple=True,
            metavar="GLOB",
            shell_complete=completions.paths,
            help="Only paths that match; may be repeated.",
        ),
        click.option(
            *("--kind", "kinds"),
            multiple=True,
            metavar="KIND",
            shell_complete=completions.kinds,
            help="Only chunks that define a symbol of this kind.",
        ),
        click.option(
            *("--lang", "languages"),
            multiple=True,
            metavar="LANG",
            shell_complete=completions.languages,
            help="Only this language; may be repeated.",
        ),
    ):
        command = option(command)
    return command


def search_options(command: _Command) -> _Command:
    """``--limit``, ``--mode``, :func:`filter_options` and :func:`query_encoder_options`: what every search takes."""
    for option in (
        query_encoder_options,
        click.option(
            "--mode",
            type=click.Choice(["hybrid", "vector", "keyword"]),
            default="hybrid",
            show_default=True,
            help="Search by terms, by meaning, or both.",
        ),
        filter_options,
        click.option("-n", "--limit", type=int, default=10, show_default=True, help="Hits at most."),
    ):
        command = option(command)
    return command


def context_options(command: _Command) -> _Command:
    """``--context``, ``--before`` and ``--after``, lines around each hit; ``--smart-context``, which they turn off."""
    for option in (
        click.option(
            "--smart-context/--no-smart-context",
            default=True,
            show_default=True,
            help="Show the function or type around each match, else the chunk.",
        ),
        click.option("--surroundings", is_flag=True, help="In JSON, give each hit's imports and the signatures that follow it."),
        click.option("--after", type=click.IntRange(min=0), metavar="N", help="Show N lines after each hit."),
        click.option("--before", type=click.IntRange(min=0), metavar="N", help="Show N lines before each hit."),
        click.option("--context", type=click.IntRange(min=0), metavar="N", help="Short for --before N --after N."),
    ):
        command = option(command)
    return command


def size_options(command: _Command) -> _Command:
    """``--max-tokens``, which bounds the whole answer, and ``--further``, files to be named beneath the hits."""
    command = click.option(
        "--further",
        type=click.IntRange(min=0),
        metavar="N",
        help=f"Name N files that come after those of the hits.  [default: {FURTHER} in markdown, else 0]",
    )(command)
    return click.option(
        "--max-tokens",
        type=click.IntRange(min=1),
        metavar="N",
        help=f"Characters of the whole answer at most, divided by 4.  [default: {TOKENS} in markdown, else no bound]",
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
    return EncoderSettings.from_environment(
        os.environ,
        name=said.get("hardtack.encoder"),
        url=said.get("hardtack.encoder_url"),
        network=said.get("hardtack.encoder_network") or None,
    )


def source_settings() -> SourceSettings:
    """What the environment says of how sources may be asked."""
    from hardtack.store.sources.named import SourceSettings  # a search asks none

    given = os.environ
    return SourceSettings(
        token=given.get("HARDTACK_TOKEN", "").strip(),
        github_token=(given.get("GH_TOKEN") or given.get("GITHUB_TOKEN") or "").strip(),
        proxies=proxies_of(given),
        github_api=given.get("GITHUB_API_URL", "").strip(),
        github_server=given.get("GITHUB_SERVER_URL", "").strip(),
        asks_login=True,
    )


def opened_bundle(named: str | None, digest: str | None = None) -> Bundle:
    """The bundle that the flags and the environment name, verified."""
    from hardtack.store.locate import open_located  # 'doctor' must be able to say that an engine is missing

    return open_located(lambda: located_bundle(named), digest=digest)


def located_bundle(named: str | None) -> Located:
    """Where the bundle lies that the flags and the environment name."""
    from hardtack.store.locate import locate

    return locate(named, bundle_roots(), Path.cwd(), user_cache)


def catalog(bundles: Sequence[str], checkout: Path | None) -> Catalog:
    """The bundles that the flags and the environment name, or those at hand.

    Args:
        bundles: as ``-b`` names them.
        checkout: a checkout of the first one's repository.
    """
    from hardtack.tools.catalog import Catalog

    starts = [place for place in (checkout, Path.cwd()) if place]
    settings = encoder_settings()
    return Catalog(named=bundles, roots=bundle_roots(), starts=starts, checkout=checkout, encoder=settings, cache=user_cache)


def environment() -> Mapping[str, str]:
    """The environment, for verbs that tell of it or find files by it."""
    return os.environ


def installed_bundles() -> list[str]:
    """Names of those below the roots, and of those in the user's cache."""
    from hardtack.store.locate import locate_all

    found = locate_all([], bundle_roots(), [], user_cache)
    return [located.name if located.installed else located.path.name for located in found]


def bundle_roots() -> list[Path]:
    """Read-only roots of installed bundles."""
    return [Path(root) for root in os.environ.get("HARDTACK_BUNDLE_PATH", "").split(os.pathsep) if root]


def cache() -> Cache:
    """The user's installed bundles.

    Raises:
        SourceError: there is no place for them.
    """
    from hardtack.store.cache import Cache, cache_root

    return Cache(cache_root(os.environ.get("HARDTACK_CACHE", "")))


def user_cache() -> Cache | None:
    """The user's installed bundles, for who reads them; None where there is no place for them."""
    try:
        return cache()
    except SourceError:
        return None


def style(color: str, *, reasons: bool = False, max_tokens: int | None = None) -> Style:
    """How to dress an answer on standard output."""
    is_terminal = sys.stdout.isatty()
    wants_color = color == "always" or (color == "auto" and is_terminal and "NO_COLOR" not in os.environ)
    return Style(color=wants_color, reasons=reasons, columns=_columns() if is_terminal else 0, max_tokens=max_tokens or 0)


def _columns() -> int:
    from shutil import get_terminal_size  # with compressions: what is piped does without

    return get_terminal_size().columns


def kill_switch() -> Callable[[str], None]:
    """For tests: end this process at step ``HARDTACK_KILL_AT`` of writing a bundle, or at none."""
    wanted = os.environ.get("HARDTACK_KILL_AT")
    steps = 0

    def step(_: str) -> None:
        nonlocal steps
        steps += 1
        if wanted is not None and steps == int(wanted):
            import signal

            os.kill(os.getpid(), signal.SIGKILL)

    return step
