"""``hardtack merge``: the shards of one tree in, its bundle out."""

from __future__ import annotations

from pathlib import Path

import click

from hardtack.cli import build_flags, environment
from hardtack.cli.exits import interruptible, missing_extra, say
from hardtack.cli.progress import build_progress
from hardtack.render.build_summary import render_build


@click.command("merge")
@click.argument("shards", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SHARD...")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where the bundle goes.")
@build_flags.scip_option
@build_flags.limit_options()
@build_flags.max_size_option
@build_flags.report_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Name every skipped file.")
def command(
    *,
    shards: tuple[Path, ...],
    output: Path,
    scip: tuple[Path, ...],
    max_size: int | None,
    report: Path | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Make the bundle of a tree of all its shards.

    It has the bytes of a build of the whole tree. The source is not needed.

    \b
    hardtack build --shard 1/2 -o /tmp/shard-1
    hardtack build --shard 2/2 -o /tmp/shard-2
    hardtack merge /tmp/shard-1 /tmp/shard-2 -o /tmp/bundle
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    try:
        from hardtack.build.pipeline import BuildOptions, require_parsers
        from hardtack.build.sharding import merge_shards

        require_parsers()
    except ImportError as error:
        raise missing_extra(error, "Merging shards", "build") from error
    interruptible()
    build_options = build_flags.with_limits(BuildOptions(scip=scip, max_size=max_size))
    with build_progress(quiet=quiet) as callbacks:
        built = merge_shards(shards, output, build_options, step=environment.kill_switch(), progress=callbacks.get("progress"))
    build_flags.write_report(report, built)
    if not quiet:
        say(render_build(built, verbose=verbose))
    return 0
