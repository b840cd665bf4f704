"""What the verbs that make a bundle share: the flags of its limits, and the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from hardtack.cli import options
from hardtack.errors import SourceError

if TYPE_CHECKING:
    from hardtack.build.options import BuildOptions


def _note(context: click.Context, parameter: click.Parameter, value: object) -> None:
    context.meta[f"hardtack.{parameter.name}"] = value


def follow_git_option(command: Callable[..., int]) -> Callable[..., int]:
    """``--follow-git``, which :func:`with_limits` finds too."""
    return click.option(
        "--follow-git",
        is_flag=True,
        expose_value=False,
        callback=_note,
        help="Read a checkout whose git directory leads into a repository that does not name it.",
    )(command)


def scip_option(command: Callable[..., int]) -> Callable[..., int]:
    """``--scip``, of what compilers know."""
    return click.option(
        "--scip",
        multiple=True,
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        metavar="FILE",
        help="Take references from an index that a language's own indexer wrote; repeatable.",
    )(command)


def limit_options(command: Callable[..., int]) -> Callable[..., int]:
    """What a build is refused for, whatever is built; :func:`with_limits` finds what they say."""
    count = click.IntRange(min=1)
    for option in (
        click.option("--max-time", type=count, expose_value=False, callback=_note, metavar="SECONDS", help="Stop after [21600]."),
        click.option(
            "--max-source",
            expose_value=False,
            callback=lambda context, parameter, value: _note(context, parameter, options.size(context, parameter, value)),
            metavar="SIZE",
            help="Refuse a tree of more source [8G].",
        ),
        click.option(
            "--max-files",
            type=count,
            expose_value=False,
            callback=_note,
            metavar="N",
            help="Refuse a tree of more paths [2000000].",
        ),
    ):
        command = option(command)
    return command


def with_limits(build_options: BuildOptions) -> BuildOptions:
    """The options with the limits that this command's flags set."""
    from hardtack.build.source.limits import TreeLimits

    said = click.get_current_context().meta
    limits = TreeLimits(
        paths=said["hardtack.max_files"] or TreeLimits().paths, bytes=said["hardtack.max_source"] or TreeLimits().bytes
    )
    return replace(
        build_options,
        source=replace(build_options.source, limits=limits),
        max_seconds=said["hardtack.max_time"] or build_options.max_seconds,
        follow_git=said.get("hardtack.follow_git", False),
    )


class Report(Protocol):
    """An account of a build."""

    def to_json(self) -> dict[str, Any]:
        """As JSON."""


def write_report(path: Path | None, built: Report) -> None:
    """Write the report to ``path``, if there is one.

    Raises:
        SourceError: it cannot be written.
    """
    if path is None:
        return
    try:
        path.write_text(json.dumps(built.to_json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise SourceError(f"The report could not be written to {path}: {error.strerror}.") from error
