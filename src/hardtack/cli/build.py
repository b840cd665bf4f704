"""``hardtack build``: a source tree in, a bundle out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from hardtack.cli import build_flags, environment, options
from hardtack.cli.exits import interruptible, missing_extra, say
from hardtack.cli.progress import BuildCallbacks, build_progress
from hardtack.errors import UsageError
from hardtack.render.build_summary import render_build, render_shard

if TYPE_CHECKING:
    from hardtack.build.options import BuildOptions


def _roots(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, Path], ...]:
    pairs = [value.partition("=") for value in values]
    for name, equals, directory in pairs:
        if not (name and equals and directory):
            raise click.BadParameter("write NAME=DIR.")
    return tuple((name, Path(directory)) for name, _, directory in pairs)


@click.command("build")
@click.argument("source", type=click.Path(path_type=Path, readable=False), default=".", metavar="[SRC]")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Where the bundle goes [SRC/.hardtack/bundle]."
)
@click.option("--root", "roots", multiple=True, callback=_roots, metavar="NAME=DIR", help="Build several roots into one bundle.")
@click.option("--worktree", is_flag=True, help="Read the files on the disk, not the commit.")
@build_flags.content_options
@options.encoder_options
@click.option(
    "--keep", multiple=True, metavar="GLOB", help="Index what a rule leaves out (generated, minified, vendored, large); repeatable."
)
@build_flags.limit_options()
@build_flags.follow_git_option
@build_flags.max_size_option
@click.option("--repository", metavar="HOST/OWNER/NAME", help="What to record as the repository [git's origin].")
@build_flags.scip_option
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
@click.option("--shard", metavar="I/N", help="Build one of N shards of the tree, a file; merge makes a bundle of them.")
@click.option("-j", "--jobs", type=click.IntRange(min=0), default=0, metavar="N", help="Worker processes [one for each core].")
@build_flags.cluster_option
@build_flags.report_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Name every skipped file.")
def command(
    *,
    source: Path,
    output: Path | None,
    roots: tuple[tuple[str, Path], ...],
    no_tests: bool,
    vendor: bool,
    keep: tuple[str, ...],
    secrets: Literal["redact", "fail", "warn"],
    max_file_size: int,
    shard: str | None,
    report: Path | None,
    quiet: bool,
    verbose: bool,
    **as_named: Any,
) -> int:
    """Build the bundle of a directory or a git checkout.

    A git checkout is read from its commit, so nothing untracked gets in; --worktree reads the files instead.

    \b
    hardtack build . -o /tmp/bundle
    hardtack build --root docs=../handbook --root code=. -o /tmp/bundle
    hardtack build --shard 1/4 -o /tmp/shard-1
    hardtack build --cluster tcp://dask:8786
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    _require_parsers()
    from hardtack.build.options import BuildOptions
    from hardtack.build.source.tree import SourceOptions

    _require_place(roots, output)
    interruptible()
    # The other flags are called as the fields of the options.
    build_options = BuildOptions(
        roots=roots,
        source=SourceOptions(tests=not no_tests, vendor=vendor, keep=keep, max_file_size=max_file_size, secrets=secrets),
        encoder=options.encoder_settings(),
        **as_named,
    )
    made = _bundle if shard is None else partial(_shard, shard)
    try:
        with build_progress(quiet=quiet) as callbacks:
            built, summary = made(source, output, build_flags.with_limits(build_options), callbacks)
    except KeyboardInterrupt:
        say(_interrupted(source, output, is_shard=shard is not None))
        raise
    build_flags.write_report(report, built)
    if not quiet:
        say(summary(verbose=verbose))
    return 0


def _interrupted(source: Path, output: Path | None, *, is_shard: bool) -> str:
    """What is kept of a build that its user stopped."""
    from hardtack.build.pipeline import default_destination
    from hardtack.bundle.placing import checkpoint_at

    if not is_shard and checkpoint_at(output or default_destination(source)).exists():
        return "hardtack: interrupted. The files that were analysed are kept: the same command goes on from there."
    return "hardtack: interrupted. Nothing of it is kept; what stood there before still does."


def build_here(tree: Path) -> None:
    """Build the bundle of a tree at its usual place, as ``hardtack build TREE`` does, and say what was made on standard error."""
    _require_parsers()
    from hardtack.build.options import BuildOptions

    interruptible()
    with build_progress(quiet=False) as callbacks:
        _, summary = _bundle(tree, None, BuildOptions(encoder=options.encoder_settings()), callbacks)
    say(summary(verbose=False))


def _require_parsers() -> None:
    try:
        from hardtack.build.pipeline import require_parsers

        require_parsers()
    except ImportError as error:
        raise missing_extra(error, "Building a bundle", "build") from error


def _bundle(
    source: Path, output: Path | None, build_options: BuildOptions, callbacks: BuildCallbacks
) -> tuple[build_flags.Report, Callable[..., str]]:
    """Build a bundle; (its report, what renders a summary of it)."""
    from hardtack.build.pipeline import build_bundle

    step, own = environment.kill_switch(), environment.own_work()
    built = build_bundle(source, output, build_options, step=step, own=own, **callbacks)
    return built, partial(render_build, built)


def _shard(
    shard: str, source: Path, output: Path | None, build_options: BuildOptions, callbacks: BuildCallbacks
) -> tuple[build_flags.Report, Callable[..., str]]:
    """Build a shard; the same of it."""
    from hardtack.build.sharding import build_shard
    from hardtack.build.source.part import parse_part

    step, progress = environment.kill_switch(), callbacks.get("progress")
    built = build_shard(source, parse_part(shard), output, build_options, step=step, progress=progress)
    return built, partial(render_shard, built)


def _require_place(roots: tuple[tuple[str, Path], ...], output: Path | None) -> None:
    if roots and output is None:
        raise UsageError("A bundle of several roots has no place of its own.", hint="Say where it goes with -o DIR.")
