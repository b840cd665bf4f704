"""``hardtack export``: writes a bundle as Parquet tables."""

from __future__ import annotations

from pathlib import Path

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, missing_extra, show
from hardtack.render.exported import export_to_json, render_export
from hardtack.render.style import inert_json


@click.command("export")
@click.argument("directory", required=False, metavar="[BUNDLE]")
@click.option("--to", "target", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where the tables go.")
@options.bundle_option
@options.json_option
def command(*, directory: str | None, target: Path, bundle: str | None, as_json: bool) -> int:
    """Write a bundle as Parquet tables: files, symbols, chunks with their vectors, relations and references.

    The bundle is verified first. DuckDB and its like read the tables as they are. An export that lies at its destination is
    replaced, anything else is left alone.

    \b
    hardtack export --to tables
    duckdb -c "SELECT path FROM 'tables/files.parquet' WHERE is_test"
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    try:
        from hardtack.export.export import export_bundle
    except ImportError as error:
        raise missing_extra(error, "Exporting a bundle", "export") from error
    located = environment.located_bundle(directory or bundle)
    interruptible()
    info = export_bundle(located.path, target, step=environment.kill_switch())
    if as_json:
        click.echo(inert_json(export_to_json(info.path, info.account), is_spaced=True))
    else:
        show(render_export(info.path, info.account))
    return 0
