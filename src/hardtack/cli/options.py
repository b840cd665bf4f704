"""Flags that mean the same in every verb, and every look at the environment.

Environment: ``HARDTACK_BUNDLE`` (as ``-b``), ``HARDTACK_BUNDLE_PATH`` (read-only roots of installed bundles, separated as in
``PATH``), ``NO_COLOR``, and for tests alone ``HARDTACK_KILL_AT``.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.render.style import Style
from hardtack.store.locate import locate

_Command = TypeVar("_Command", bound=Callable[..., Any])

FORMATS = ("text", "json", "jsonl", "markdown")
CERTAINTIES = ("exact", "likely", "possible")


def bundle_option(command: _Command) -> _Command:
    """``-b/--bundle``."""
    return click.option(
        "-b", "--bundle", metavar="DIR", envvar="HARDTACK_BUNDLE", help="Bundle to read (default: the one of this directory)."
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


def mention_options(command: _Command) -> _Command:
    """``--package`` and ``--class``, which narrow the symbols meant, ``--certainty`` and ``--path``, which narrow what is found.

    Named as the parameters of :class:`LookUps` are, to be handed on as they come.
    """
    for option in (
        click.option("--path", "paths", multiple=True, metavar="GLOB", help="Only paths that match; may be repeated."),
        click.option("--certainty", type=click.Choice(CERTAINTIES), default=CERTAINTIES[-1], help="The least that is wanted."),
        click.option("--class", "owner", default="", help="Only a member of this type."),
        click.option("--package", default="", help="Only in this package or namespace."),
    ):
        command = option(command)
    return command


def opened_bundle(named: str | None, digest: str | None = None) -> Bundle:
    """The bundle that the flags and the environment name, verified."""
    located = locate(named, bundle_roots(), Path.cwd())
    return open_bundle(located.path, check=located.check, digest=digest)


def bundle_roots() -> list[Path]:
    """Read-only roots of installed bundles."""
    return [Path(root) for root in os.environ.get("HARDTACK_BUNDLE_PATH", "").split(os.pathsep) if root]


def style(color: str, *, reasons: bool = False) -> Style:
    """How to dress an answer on standard output."""
    is_terminal = sys.stdout.isatty()
    wants_color = color == "always" or (color == "auto" and is_terminal and "NO_COLOR" not in os.environ)
    columns = shutil.get_terminal_size().columns if is_terminal else 0
    return Style(color=wants_color, reasons=reasons, columns=columns)


def kill_switch() -> Callable[[str], None]:
    """For tests: end this process at step ``HARDTACK_KILL_AT`` of writing a bundle, or at none."""
    wanted = os.environ.get("HARDTACK_KILL_AT")
    steps = 0

    def step(_: str) -> None:
        nonlocal steps
        steps += 1
        if wanted is not None and steps == int(wanted):
            os.kill(os.getpid(), signal.SIGKILL)

    return step
