"""``hardtack serve``: serves the tools to agents over the Model Context Protocol."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NoReturn

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, missing_extra

if TYPE_CHECKING:
    from hardtack.mcp.live_page import LivePage
    from hardtack.mcp.logs import JsonLines
    from hardtack.tools.catalog import Catalog

PORT = 8971


@click.command("serve")
@options.bundles_option
@click.option(
    "--toolsets",
    metavar="LIST",
    default="default",
    show_default=True,
    help="Offer these tools, by comma: default, search, symbols, files, history, changes, indexes, build; contract: all but "
    "default and changes; all.",
)
@click.option("--output-schemas", is_flag=True, help="List the schemas of results, and send results in that form.")
@options.checkout_option
@options.as_built_option
@click.option("--allow-build", is_flag=True, help="Offer the tools that build and delete bundles, too.")
@click.option("--http", "kind", flag_value="http", help="Listen for streamable HTTP, not on standard input.")
@click.option("--sse", "kind", flag_value="sse", help="Listen for the HTTP of before 2025, with server-sent events.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Port to listen on; 0 takes any.")
@click.option(
    *("--allowed-host", "allowed_hosts"),
    metavar="NAME",
    multiple=True,
    help="Name by which clients call the server, beside localhost; may be repeated.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="What to write to standard error.",
)
@click.option("--count-answers", is_flag=True, help="Count what answers cost, for 'hardtack savings'.")
@click.option("--log-queries", is_flag=True, help="Write what was asked to the log, too.")
@options.query_encoder_options
def command(
    *,
    bundles: tuple[str, ...],
    toolsets: str,
    output_schemas: bool,
    checkout: Path | None,
    allow_build: bool,
    kind: Literal["http", "sse"] | None,
    host: str,
    port: int,
    allowed_hosts: tuple[str, ...],
    log_level: str,
    count_answers: bool,
    log_queries: bool,
) -> int:
    """Serve the tools to an agent that speaks the Model Context Protocol.

    Without more, over standard input and output, from the bundle of this directory. Over HTTP each request must bear a token:
    that of HARDTACK_SERVE_TOKEN, or one that is made and written to standard error once. A browser is shown the bundle at /.

    \b
    hardtack serve
    hardtack serve -b bundles/api -b bundles/web --toolsets search,files
    HARDTACK_SERVE_TOKEN=... hardtack serve --http --port 8971
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    try:
        catalog = environment.catalog(bundles, checkout, options.encoder_settings())
        from hardtack.mcp import logs
        from hardtack.mcp.sdk import imported_lightly
        from hardtack.mcp.warming import WarmUp, use_few_arenas

        use_few_arenas()
        warm_up = WarmUp(catalog, allow_build=allow_build)
        with imported_lightly():
            from hardtack.mcp import transports
            from hardtack.mcp.server import server_of
    except ImportError as error:
        raise missing_extra(error, "Serving", "mcp") from error

    log = logs.start(log_level, log_queries=log_queries)
    if allow_build:
        from hardtack.cli.building import build_by_process
    server = server_of(
        catalog,
        [name.strip() for name in toolsets.split(",")] + (["build"] if allow_build else []),
        output_schemas=output_schemas,
        build=build_by_process if allow_build else None,
        asks_roots=kind is None,
        log_queries=log_queries,
        ready=warm_up.wait,
        counts=environment.answer_counts() if count_answers else None,
    )
    warm_up.load()
    interruptible()
    if kind is None:
        transports.serve_stdio(server, partial(_end, catalog, log))
        _end(catalog, log, 0)
    token = environment.variables().get("HARDTACK_SERVE_TOKEN", "")
    listening = transports.Listening(kind=kind, host=host, port=port, allowed_hosts=allowed_hosts, token=token)
    _end(catalog, log, transports.serve_http(server, listening, log.announce, _page(catalog, warm_up.wait)))


def _page(catalog: Catalog, ready: Callable[[], None]) -> LivePage | None:
    """The page for browsers; None where the 'page' extra is not installed."""
    from importlib.util import find_spec

    from hardtack.mcp.live_page import LivePage

    return LivePage(catalog, ready) if find_spec("jinja2") and find_spec("pygments") else None


def _end(catalog: Catalog, log: JsonLines, code: int) -> NoReturn:
    """Exit at once: all answers are written, and the thread that reads standard input cannot be stopped."""
    catalog.close()
    log.close()
    os._exit(code)
