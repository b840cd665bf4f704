"""``hardtack ci``: builds and packs a checkout on a CI runner, and writes outputs and summary of the step."""

from __future__ import annotations

from pathlib import Path

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, missing_extra
from hardtack.errors import HardtackError


@click.command("ci")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the pack goes [RUNNER_TEMP/hardtack, or .hardtack/ci].",
)
@options.encoder_options
def command(*, output: Path | None) -> int:
    """Build and pack the commit that a CI job has checked out.

    Inputs come from the environment: HARDTACK_CI_ and an input's name, as docs/github.md lists them. On a GitHub runner the
    outputs, the summary and the annotations of the step are written.
    """
    try:
        from hardtack.build.pipeline import BuildOptions, require_parsers
        from hardtack.ci import job

        require_parsers()
    except ImportError as error:
        raise missing_extra(error, "Building a bundle", "build") from error
    from hardtack.ci.inputs import Inputs
    from hardtack.ci.runner import Runner

    interruptible()
    runner = Runner.from_environment(environment.variables())
    try:
        inputs = Inputs.from_environment(environment.variables())
        job.run(
            inputs,
            runner,
            job.place_of(output, inputs, runner),
            BuildOptions(encoder=options.encoder_settings()),
            environment.source_settings(),
            environment.own_work(),
        )
    except HardtackError as error:
        runner.fail(str(error))
        raise
    finally:
        for line in runner.lines:
            click.echo(line)
    return 0
