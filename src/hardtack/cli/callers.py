"""``hardtack callers``: a name in, who calls it out."""

from __future__ import annotations

import click

from hardtack.cli import options
from hardtack.cli.descriptors import Shape, tell
from hardtack.query.mentions import calling_symbols
from hardtack.query.relations import by_caller, callers, is_wanted_by
from hardtack.relations import Certainty
from hardtack.render.mentions import caller_to_json, render_callers

_SHAPE = Shape("calls", caller_to_json, render_callers)


@click.command("callers")
@click.argument("name")
@options.bundle_option
@options.digest_option
@options.mention_options
@options.json_option
def command(
    *,
    name: str,
    bundle: str | None,
    digest: str | None,
    package: str,
    owner: str,
    certainty: str,
    paths: tuple[str, ...],
    as_json: bool,
) -> int:
    """List who calls a function or method, or instantiates a type, and at which lines.

    \b
    hardtack callers ServeHTTP --class Engine
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with options.opened_bundle(bundle, digest) as opened:
        found = callers(opened, name, package=package, owner=owner)
        is_wanted = is_wanted_by(opened, Certainty(certainty), paths)
        grouped = by_caller(site for site in found.sites if is_wanted(site.certainty, site.file))
        return tell(opened, "callers", name, found.symbols, list(calling_symbols(opened, grouped)), _SHAPE, as_json=as_json)
