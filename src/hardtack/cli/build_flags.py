"""What the verbs that make a bundle share: the flags of its content and its limits, and the report."""

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
    """``--follow-git``, which :func:`limits` finds too."""
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


def cluster_option(command: Callable[..., int]) -> Callable[..., int]:
    """``--cluster``, of a Dask cluster; empty for this machine."""
    return click.option(
        "--cluster",
        default="",
        metavar="ADDRESS",
        help="Scheduler of a Dask cluster that does the work: tcp://host:8786 [this machine].",
    )(command)


def content_options(command: Callable[..., int]) -> Callable[..., int]:
    """What of a tree goes into a bundle: with or without vectors, text, tests, vendored trees, secrets and large files."""
    return options.together(
        click.option(
            "--profile",
            type=click.Choice(["hybrid", "keyword"]),
            default="hybrid",
            show_default=True,
            help="With or without vectors.",
        ),
        click.option(
            "--text", type=click.Choice(["full", "none"]), default="full", show_default=True, help="With or without source text."
        ),
        click.option("--no-tests", is_flag=True, help="Leave tests out."),
        click.option("--vendor", is_flag=True, help="Index vendored trees too."),
        click.option(
            "--secrets",
            type=click.Choice(["redact", "fail", "warn"]),
            default="redact",
            show_default=True,
            help="Take secrets out, refuse to build, or keep them; all are reported.",
        ),
        click.option(
            "--max-file-size", default="1M", show_default=True, callback=options.size, metavar="SIZE", help="Skip larger files."
        ),
    )(command)


def max_size_option(command: Callable[..., int]) -> Callable[..., int]:
    """``--max-size`` of the bundle."""
    return click.option("--max-size", callback=options.size, metavar="SIZE", help="Refuse to make a larger bundle.")(command)


def report_option(command: Callable[..., int]) -> Callable[..., int]:
    """``--report``, for :func:`write_report`."""
    return click.option(
        "--report", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write an account of the build as JSON."
    )(command)


def limit_options(usual_seconds: int = 21_600) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """What a build is refused for, whatever is built; :func:`limits` finds what they say.

    Args:
        usual_seconds: the limit of time without ``--max-time``, for the help.
    """
    number: dict[str, Any] = {"type": click.IntRange(min=1), "expose_value": False, "callback": _note}
    return options.together(
        click.option("--max-files", **number, metavar="N", help="Refuse a tree of more paths [2000000]."),
        click.option(
            "--max-source",
            expose_value=False,
            callback=lambda context, parameter, value: _note(context, parameter, options.size(context, parameter, value)),
            metavar="SIZE",
            help="Refuse a tree of more source [8G].",
        ),
        click.option("--max-time", **number, metavar="SECONDS", help=f"Stop after [{usual_seconds}]."),
    )


def limits() -> dict[str, Any]:
    """What this command's flags of :func:`limit_options` and :func:`follow_git_option` say, by name; nothing of those not given."""
    said = click.get_current_context().meta
    names = ("max_files", "max_source", "max_time", "follow_git")
    return {name: value for name in names if (value := said.get(f"hardtack.{name}"))}


def with_limits(build_options: BuildOptions) -> BuildOptions:
    """The options with the limits that this command's flags set."""
    from hardtack.build.source.limits import TreeLimits

    said = limits()
    most = TreeLimits(paths=said.get("max_files", TreeLimits().paths), bytes=said.get("max_source", TreeLimits().bytes))
    return replace(
        build_options,
        source=replace(build_options.source, limits=most),
        max_seconds=said.get("max_time", build_options.max_seconds),
        follow_git=bool(said.get("follow_git")),
    )


class Report(Protocol):
    """An account of a build or of many."""

    def to_json(self) -> dict[str, Any]:
        """As JSON."""


def write_report(path: Path | None, built: Report) -> None:
    """Write the report to ``path``, if there is one.

    Raises:
        SourceError: it cannot be written.
    """
    if path is None:
        return
    document = json.dumps(built.to_json(), indent=2, ensure_ascii=False) + "\n"
    try:
        path.write_text(document, encoding="utf-8", errors="backslashreplace")  # a path that is no UTF-8, escaped as JSON does
    except OSError as error:
        raise SourceError(f"The report could not be written to {path}: {error.strerror}.") from error
