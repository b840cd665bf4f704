"""``hardtack fleet``: builds and publishes the repositories of a list, on this machine or on a Dask cluster."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardtack.cli import build_flags, environment, options
from hardtack.cli.exits import interruptible, missing_extra, say, show
from hardtack.errors import BuildError

if TYPE_CHECKING:
    from hardtack.fleet.report import FleetReport


@click.command("fleet")
@click.argument("repositories", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="REPOSITORIES")
@click.option("--to", "target", required=True, metavar="ADDRESS", help="A folder, or a bucket: s3://bucket/directory.")
@build_flags.cluster_option
@click.option(
    "-j", "--jobs", type=click.IntRange(min=0), default=0, metavar="N", help="Repositories at once here [one for each core]."
)
@build_flags.content_options
@build_flags.limit_options(usual_seconds=3600)
@build_flags.follow_git_option
@build_flags.max_size_option
@click.option("--max-clone", callback=options.size, metavar="SIZE", help="Refuse a larger clone [4G].")
@click.option("--max-memory", callback=options.size, metavar="SIZE", help="Stop a repository that takes more [4G].")
@click.option("--replace", "replaces", is_flag=True, help="Replace bundles that another version or other options made.")
@build_flags.report_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@options.json_option
def command(
    *,
    repositories: Path,
    target: str,
    cluster: str,
    jobs: int,
    no_tests: bool,
    report: Path | None,
    quiet: bool,
    as_json: bool,
    **of_each: Any,
) -> int:
    """Build the repositories of a list, one bundle each, and publish all of them in one place.

    A line is an address (https, http, ssh, or a path), then, if wanted, a branch, tag or commit (- for HEAD), then a name. What is
    published already is left alone, so a run that was stopped is run again. One that fails costs itself; then the exit code is 4.

    \b
    hardtack fleet repositories.txt --to /srv/bundles
    hardtack fleet repositories.txt --to s3://all --cluster tcp://dask:8786
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    try:
        from hardtack.build.pipeline import require_parsers
        from hardtack.fleet.listing import read_list
        from hardtack.fleet.running import run_fleet
        from hardtack.fleet.task import Plan

        require_parsers()
    except ImportError as error:
        raise missing_extra(error, "Building a bundle", "build") from error
    interruptible()
    # The other flags are called as the fields of a plan; one that was not given leaves the plan's own value.
    given = {name: value for name, value in of_each.items() if value is not None}
    plan = Plan(shelf=target, tests=not no_tests, **given, **build_flags.limits())
    told = (lambda line: None) if quiet else say
    account = run_fleet(read_list(repositories), plan, environment.source_settings(), cluster=cluster, jobs=jobs, told=told)
    return _tell(account, report, quiet=quiet, as_json=as_json)


def _tell(account: FleetReport, report: Path | None, *, quiet: bool, as_json: bool) -> int:
    """Show the account, then write it where it is wanted; gives the exit code."""
    from hardtack.fleet.outcome import FAILED
    from hardtack.fleet.report import render_fleet

    if as_json:
        click.echo(json.dumps(account.to_json(), indent=2))
    elif not quiet:
        show(render_fleet(account))
    build_flags.write_report(report, account)
    return BuildError.exit_code if account.counts[FAILED] else 0
