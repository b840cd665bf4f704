"""``hardtack doctor``: finds faults of this installation."""

from __future__ import annotations

import json
import sys
import time

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import show
from hardtack.clients.table import Places
from hardtack.doctor.findings import Surroundings, exit_code_of, findings_to_json, render_findings
from hardtack.errors import UsageError


@click.command("doctor")
@options.json_option
def command(*, as_json: bool) -> int:
    """Say what is wrong with this installation, and what to do about it.

    Looks at Python, the libraries, the extras, the temporary directory, the environment, the bundles that are
    found from here and the entries of MCP clients. Leaves with 0 if there is no problem, with 3 if a bundle is
    bad, with 2 if something else is.

    \b
    hardtack doctor
    hardtack doctor --json
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.doctor.examination import examine  # its checks load what help can be shown without

    variables, start = environment.variables(), environment.working_directory()
    try:
        home = environment.home_directory()
    except UsageError:
        home = start  # it has no user's configuration either
    surroundings = Surroundings(
        start=start,
        environment=variables,
        roots=environment.bundle_roots(),
        places=Places.around(start, home=home, platform=sys.platform, environment=variables),
        now=time.time(),
        cache=environment.user_cache,
    )
    findings = examine(surroundings)
    if as_json:
        click.echo(json.dumps(findings_to_json(findings)))
    else:
        style = environment.style("auto")
        show(render_findings(findings, style))
    return exit_code_of(findings)
