"""``hardtack doctor``: finds faults of this installation."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import click

from hardtack.cli import environment, options
from hardtack.clients.table import Places
from hardtack.doctor.findings import Surroundings, exit_code_of, findings_to_json, render_findings


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
    surroundings = Surroundings(
        start=start,
        environment=variables,
        roots=environment.bundle_roots(),
        places=Places.around(start, home=Path.home(), platform=sys.platform, environment=variables),
        now=time.time(),
        cache=environment.user_cache,
    )
    findings = examine(surroundings)
    if as_json:
        click.echo(json.dumps(findings_to_json(findings)))
    else:
        style = environment.style("auto")
        click.echo(render_findings(findings, style), nl=False, color=style.color)
    return exit_code_of(findings)
