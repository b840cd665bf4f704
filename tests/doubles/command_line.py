"""The command line in this process."""

from __future__ import annotations

from collections.abc import Callable

from click.testing import CliRunner, Result

from hardtack.cli import main

Run = Callable[..., Result]


def run(*arguments: object) -> Result:
    """What came of a command line; the error that it ended with, if any, is its ``exception``."""
    return CliRunner().invoke(main.commands, [*map(str, arguments)], standalone_mode=False)


def run_or_raise(*arguments: object) -> Result:
    """The same; the error is raised."""
    result = run(*arguments)
    if result.exception:
        raise result.exception
    return result
