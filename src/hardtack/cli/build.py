"""``hardtack build``: a source tree in, a bundle out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, missing_extra, say
from hardtack.cli.progress import build_progress
from hardtack.errors import SourceError, UsageError
from hardtack.render.build_summary import render_build

if TYPE_CHECKING:
    from hardtack.build.options import BuildOptions
    from hardtack.build.report import BuildReport


def _roots(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, Path], ...]:
    pairs = [value.partition("=") for value in values]
    for name, equals, directory in pairs:
        if not (name and equals and directory):
            raise click.BadParameter("write NAME=DIR.")
    return tuple((name, Path(directory)) for name, _, directory in pairs)


def _note(context: click.Context, parameter: click.Parameter, value: object) -> None:
    context.meta[f"hardtack.{parameter.name}"] = value


def _limit_options(command: Callable[..., int]) -> Callable[..., int]:
    """What a build is refused for, whatever is built; :func:`_with_limits` finds what they say."""
    count = click.IntRange(min=1)
    for option in (
        click.option(
            "--follow-git",
            is_flag=True,
            expose_value=False,
            callback=_note,
            help="Read a checkout whose git directory leads into a repository that does not name it.",
        ),
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


def _with_limits(build_options: BuildOptions) -> BuildOptions:
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
        follow_git=said["hardtack.follow_git"],
    )


@click.command("build")
@click.argument("source", type=click.Path(path_type=Path, readable=False), default=".", metavar="[SRC]")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Where the bundle goes [SRC/.hardtack/bundle]."
)
@click.option("--root", "roots", multiple=True, callback=_roots, metavar="NAME=DIR", help="Build several roots into one bundle.")
@click.option("--worktree", is_flag=True, help="Read the files on the disk, not the commit.")
@click.option(
    "--profile", type=click.Choice(["hybrid", "keyword"]), default="hybrid", show_default=True, help="With or without vectors."
)
@options.encoder_options
@click.option("--text", type=click.Choice(["full", "none"]), default="full", show_default=True, help="With or without source text.")
@click.option("--no-tests", is_flag=True, help="Leave tests out.")
@click.option("--vendor", is_flag=True, help="Index vendored trees too.")
@click.option(
    "--keep", multiple=True, metavar="GLOB", help="Index what a rule leaves out (generated, minified, vendored, large); repeatable."
)
@click.option(
    "--secrets",
    type=click.Choice(["redact", "fail", "warn"]),
    default="redact",
    show_default=True,
    help="Take secrets out, refuse to build, or keep them; all are reported.",
)
@click.option("--max-file-size", default="1M", show_default=True, callback=options.size, metavar="SIZE", help="Skip larger files.")
@_limit_options
@click.option("--max-size", callback=options.size, metavar="SIZE", help="Refuse to make a larger bundle.")
@click.option("--repository", metavar="HOST/OWNER/NAME", help="What to record as the repository [git's origin].")
@click.option(
    "--scip",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Take references from an index that a language's own indexer wrote; repeatable.",
)
@click.option(
    "--history",
    type=click.IntRange(0, 10_000),
    default=0,
    show_default=True,
    metavar="N",
    help="Keep what the last N commits say and which files and symbols each changed.",
)
@click.option(
    "--base",
    default="auto",
    show_default=True,
    metavar="DIR|auto|none",
    help="Take over what has not changed from this bundle; auto is the one that is replaced.",
)
@click.option("-j", "--jobs", type=click.IntRange(min=0), default=0, metavar="N", help="Worker processes [one for each core].")
@click.option(
    "--report", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write an account of the build as JSON."
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Name every skipped file.")
def command(
    *,
    source: Path,
    output: Path | None,
    roots: tuple[tuple[str, Path], ...],
    worktree: bool,
    profile: str,
    text: str,
    no_tests: bool,
    vendor: bool,
    keep: tuple[str, ...],
    secrets: Literal["redact", "fail", "warn"],
    max_file_size: int,
    max_size: int | None,
    repository: str | None,
    scip: tuple[Path, ...],
    history: int,
    base: str,
    jobs: int,
    report: Path | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Build the bundle of a directory or a git checkout.

    A git checkout is read from its commit, so nothing untracked gets in; --worktree reads the files instead.

    \b
    hardtack build . -o /tmp/bundle
    hardtack build --root docs=../handbook --root code=. -o /tmp/bundle
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    try:
        from hardtack.build.pipeline import BuildOptions, build_bundle, require_parsers
        from hardtack.build.source.tree import SourceOptions

        require_parsers()
    except ImportError as error:
        raise missing_extra(error, "Building a bundle", "build") from error
    _require_place(roots, output)
    interruptible()
    build_options = BuildOptions(
        roots=roots,
        worktree=worktree,
        source=SourceOptions(tests=not no_tests, vendor=vendor, keep=keep, max_file_size=max_file_size, secrets=secrets),
        profile=profile,
        text=text,
        encoder=options.encoder_settings(),
        max_size=max_size,
        repository=repository,
        scip=scip,
        history=history,
        base=base,
        jobs=jobs,
    )
    step, own = environment.kill_switch(), environment.own_work()
    with build_progress(quiet=quiet) as callbacks:
        built = build_bundle(source, output, _with_limits(build_options), step=step, own=own, **callbacks)
    _tell(built, report, quiet=quiet, verbose=verbose)
    return 0


def _require_place(roots: tuple[tuple[str, Path], ...], output: Path | None) -> None:
    if roots and output is None:
        raise UsageError("A bundle of several roots has no place of its own.", hint="Say where it goes with -o DIR.")


def _tell(built: BuildReport, report: Path | None, *, quiet: bool, verbose: bool) -> None:
    """Write the report where it is wanted, and say what was built."""
    _write_report(report, built)
    if not quiet:
        say(render_build(built, verbose=verbose))


def _write_report(path: Path | None, built: BuildReport) -> None:
    if path is None:
        return
    try:
        path.write_text(json.dumps(built.to_json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise SourceError(f"The report could not be written to {path}: {error.strerror}.") from error
