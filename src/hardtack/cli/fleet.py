"""``hardtack fleet``: builds and publishes the repositories of a list, on this machine or on a Dask cluster."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, missing_extra, say, show
from hardtack.errors import BuildError, SourceError

if TYPE_CHECKING:
    from hardtack.fleet.report import FleetReport

_limit_options = options.together(
    click.option(
        "--max-file-size", default="1M", show_default=True, callback=options.size, metavar="SIZE", help="Skip larger files."
    ),
    click.option("--max-files", type=click.IntRange(min=1), metavar="N", help="Refuse a tree of more paths [2000000]."),
    click.option("--max-source", callback=options.size, metavar="SIZE", help="Refuse a tree of more source [8G]."),
    click.option("--max-size", callback=options.size, metavar="SIZE", help="Refuse to make a larger bundle."),
    click.option(
        "--max-clone", default="4G", show_default=True, callback=options.size, metavar="SIZE", help="Refuse a larger clone."
    ),
    click.option(
        "--max-time",
        type=click.IntRange(min=1),
        default=3600,
        show_default=True,
        metavar="SECONDS",
        help="Stop a repository after.",
    ),
    click.option(
        "--max-memory",
        default="4G",
        show_default=True,
        callback=options.size,
        metavar="SIZE",
        help="Stop a repository that takes more.",
    ),
    click.option(
        "--follow-git", is_flag=True, help="Read a path whose git directory leads into a repository that does not name it."
    ),
)


@click.command("fleet")
@click.argument("repositories", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="REPOSITORIES")
@click.option("--to", "target", required=True, metavar="ADDRESS", help="A folder, or a bucket: s3://bucket/directory.")
@click.option("--cluster", metavar="ADDRESS", help="Scheduler of a Dask cluster that does it: tcp://host:8786 [this machine].")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=0), default=0, metavar="N", help="Repositories at once here [one for each core]."
)
@click.option(
    "--profile", type=click.Choice(["hybrid", "keyword"]), default="hybrid", show_default=True, help="With or without vectors."
)
@click.option("--text", type=click.Choice(["full", "none"]), default="full", show_default=True, help="With or without source text.")
@click.option("--no-tests", is_flag=True, help="Leave tests out.")
@click.option("--vendor", is_flag=True, help="Index vendored trees too.")
@click.option(
    "--secrets",
    type=click.Choice(["redact", "fail", "warn"]),
    default="redact",
    show_default=True,
    help="Take secrets out, refuse to build, or keep them.",
)
@_limit_options
@click.option("--replace", "replaces", is_flag=True, help="Replace bundles that another version or other options made.")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write the account as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@options.json_option
def command(
    *,
    repositories: Path,
    target: str,
    cluster: str | None,
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
    plan = Plan(shelf=target, tests=not no_tests, **{name: value for name, value in of_each.items() if value is not None})
    told = (lambda line: None) if quiet else say
    account = run_fleet(read_list(repositories), plan, environment.source_settings(), cluster=cluster or "", jobs=jobs, told=told)
    return _tell(account, report, quiet=quiet, as_json=as_json)


def _tell(account: FleetReport, report: Path | None, *, quiet: bool, as_json: bool) -> int:
    """Show the account, then write it where it is wanted; gives the exit code."""
    from hardtack.fleet.outcome import FAILED
    from hardtack.fleet.report import render_fleet

    document = json.dumps(account.to_json(), indent=2, ensure_ascii=True) + "\n"
    if as_json:
        click.echo(document, nl=False)
    elif not quiet:
        show(render_fleet(account))
    if report:
        try:
            report.write_text(document, encoding="ascii")
        except OSError as error:
            raise SourceError(f"The account could not be written to {report}: {error.strerror}.") from error
    return BuildError.exit_code if account.counts[FAILED] else 0
