"""``hardtack tool``: calls a tool of the server, with the same parameters."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import OUR_BUG, missing_extra
from hardtack.errors import HardtackError, UsageError
from hardtack.render.style import inert_json


@click.command("tool")
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--json", "given", metavar="ARGUMENTS", default="{}", help="The arguments as a JSON object; - reads standard input.")
@click.option("--structured", is_flag=True, help="Print the structured result, which clients read, not the text.")
@click.option("--schema", is_flag=True, help="Print the tool as the server lists it: its description and schemas.")
@options.bundles_option
@options.checkout_option
@options.as_built_option
@options.query_encoder_options
@click.option("--allow-build", is_flag=True, help="Let the tools that build and delete bundles be called.")
def command(
    *,
    name: str | None,
    given: str,
    structured: bool,
    schema: bool,
    allow_build: bool,
    bundles: tuple[str, ...],
    checkout: Path | None,
) -> int:
    """Call a tool of the server, as an agent would; without a name, list them.

    \b
    hardtack tool search_code --json '{"query": "check hashes", "limit": 3}'
    hardtack tool find_references --schema
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    try:
        from hardtack.cli.building import build_by_process
        from hardtack.tools import tool_named, tools_of
        from hardtack.tools.run import run
        from hardtack.tools.schema import listing_of
        from hardtack.tools.tool import Call
    except ImportError as error:
        raise missing_extra(error, "Calling tools", "mcp") from error

    if name is None:
        for each in tools_of(allow_build=allow_build):
            click.echo(f"{each.name.ljust(22)} {each.title}")
        return 0
    tool = tool_named(name, allow_build=allow_build)
    if schema:
        click.echo(json.dumps(listing_of(tool, with_output=True), indent=2))
        return 0
    try:
        arguments = json.loads(sys.stdin.read() if given == "-" else given)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The arguments are no JSON: {error}.", code="INVALID_REQUEST") from error
    catalog = environment.catalog(bundles, checkout, options.encoder_settings())
    outcome = run(tool, Call(catalog=catalog, build=build_by_process if allow_build else None), arguments)
    catalog.close()
    if outcome.error:
        click.echo(outcome.text, err=True)
        return outcome.error.exit_code if isinstance(outcome.error, HardtackError) else OUR_BUG
    click.echo(inert_json(outcome.structured) if structured else outcome.text.rstrip("\n"))
    return 0
