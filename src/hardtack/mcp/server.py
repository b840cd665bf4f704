"""A catalog of bundles in, a server of the Model Context Protocol out: tools, resources, prompts and completions of the catalog.

Requests are answered in worker threads, so that one long answer does not hold up others. An exception of a tool becomes a result
with ``isError``; any other becomes an error of the protocol with the same content as its data. Transports are in
:mod:`hardtack.mcp.transports`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NoReturn, TypeVar

import mcp_types as types
from anyio import CapacityLimiter, from_thread, to_thread
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from hardtack import __version__
from hardtack.errors import HardtackError, UsageError
from hardtack.mcp import completions, prompts, resources
from hardtack.mcp.logs import log_event
from hardtack.mcp.roots import Roots
from hardtack.store.counts import AnswerCounts
from hardtack.tools import names_of, tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.cost import bytes_of_files_named
from hardtack.tools.failure import INTERNAL, failure_of
from hardtack.tools.run import Outcome, failed, run
from hardtack.tools.schema import listing_of
from hardtack.tools.tool import Builder, Call

_log = logging.getLogger(__name__)

_Context = ServerRequestContext[Any, Any]
_Result = TypeVar("_Result")

THREADS: Final = 8
"""Requests that are answered at once; further ones wait. Only the engines release the GIL, so more threads would gain little."""

_STRUCTURED: Final = "The result is in structuredContent."

_FOR_AN_HOUR: Final = CacheHint(ttl_ms=3_600_000)
"""How long a client may cache lists that do not change while a server runs."""


def server_of(
    catalog: Catalog,
    toolsets: Sequence[str] = ("default",),
    *,
    output_schemas: bool = False,
    build: Builder | None = None,
    asks_roots: bool = False,
    log_queries: bool = False,
    ready: Callable[[], None] = lambda: None,
    counts: AnswerCounts | None = None,
) -> Server[Any]:
    """A server of the catalog's bundles.

    Args:
        catalog: the bundles to answer from.
        toolsets: the tools to offer.
        output_schemas: list the schemas of results, and send structured results to them.
        build: builds bundles; without it the tools that change bundles are not offered.
        asks_roots: ask the client in which directories its user works; only for a client on this machine.
        log_queries: write the arguments of calls to the log.
        ready: waits until the engines are loaded; called in a worker thread before each answer.
        counts: counts what answers cost; None counts nothing.

    Raises:
        UsageError: there is no such toolset.
    """
    tools = names_of(toolsets, allow_build=build is not None)
    handlers = Handlers(catalog, tools, output_schemas=output_schemas, build=build, log_queries=log_queries, ready=ready)
    handlers.counts = counts
    server: Server[Any] = Server(
        "hardtack",
        version=__version__,
        title="Hardtack code search",
        instructions=prompts.instructions_for(tools),
        cache_hints={"tools/list": _FOR_AN_HOUR, "prompts/list": _FOR_AN_HOUR, "resources/templates/list": _FOR_AN_HOUR},
        get_tool_input_schema=handlers.input_schema,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )
    server.middleware.clear()  # the SDK's tracing would send queries to whatever collects traces on this machine
    if asks_roots and catalog.is_found:
        handlers.roots = Roots(catalog)
        server.add_notification_handler("notifications/initialized", types.NotificationParams, handlers.roots.ask)
    return server


class Handlers:
    """The handlers of all kinds of requests."""

    def __init__(
        self,
        catalog: Catalog,
        tools: Sequence[str],
        *,
        output_schemas: bool,
        build: Builder | None,
        log_queries: bool,
        ready: Callable[[], None],
    ) -> None:
        self.roots: Roots | None = None
        """None unless the client is to be asked for its roots."""
        self.counts: AnswerCounts | None = None
        """None unless what answers cost is to be counted."""
        self._catalog = catalog
        self._tools = tuple(tools)
        self._output_schemas = output_schemas
        self._build = build
        self._log_queries = log_queries
        self._ready = ready
        self._limiter = CapacityLimiter(THREADS)

    # -- tools --------------------------------------------------------------------------------------------------------------

    async def list_tools(self, context: _Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """All tools on one page."""
        return types.ListToolsResult(
            tools=await self._work(lambda: [_listing_of(name, self._output_schemas) for name in self._tools])
        )

    async def call_tool(self, context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Run a tool; a failure is in the result, where the model that called the tool sees it."""
        started = time.perf_counter()
        outcome, bundle = await self._work(partial(self._run, params.name, params.arguments, self._call_for(context)))
        error = outcome.structured["error"] if outcome.error else {}
        log_event(
            _log,
            "tool_called",
            tool=params.name if params.name in self._tools else None,
            bundle=bundle,
            duration_ms=round((time.perf_counter() - started) * 1000, 1),
            code=error.get("code"),
            arguments=params.arguments if self._log_queries else None,
        )
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=outcome.text)]
        if outcome.error:  # as text alone, since some clients validate any structured content against the schema of a success
            return types.CallToolResult(content=content, is_error=True)
        if not (outcome.is_structured or (self._output_schemas and outcome.has_schema)):
            return types.CallToolResult(content=content)
        # Clients that show a model both forms would pay for each reply twice.
        pointer: list[types.ContentBlock] = [types.TextContent(type="text", text=_STRUCTURED)]
        return types.CallToolResult(content=pointer, structured_content=outcome.structured)

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """The schema of a tool's arguments, None if the tool is not offered; the HTTP transport checks headers against it."""
        return _listing_of(name, self._output_schemas).input_schema if name in self._tools else None

    def _call_for(self, context: _Context) -> Call:
        """A call that reports progress if the client asked for it, and ends when the client cancels."""
        if context.meta is None or context.meta.get("progress_token") is None:
            return Call(catalog=self._catalog, check=from_thread.check_cancelled, build=self._build)

        def report(done: float, total: float | None, what: str) -> None:
            from_thread.run(context.session.report_progress, done, total, what)

        return Call(catalog=self._catalog, report=report, check=from_thread.check_cancelled, build=self._build)

    def _run(self, name: str, arguments: object, call: Call) -> tuple[Outcome, str | None]:
        """Run a tool in this thread: its outcome, and the name of the index that it was called for."""
        self._ready()
        if name not in self._tools:
            hint = f"Tools: {', '.join(sorted(self._tools))}."
            return failed(UsageError(f"There is no tool {name!r}.", code="TOOL_NOT_FOUND", hint=hint), call), None
        try:
            outcome = _without_panic(lambda: run(tool_named(name, allow_build=True), call, arguments))
        except _Panic as error:
            outcome = failed(error, call)
        named = arguments.get("index_name") or arguments.get("index") if isinstance(arguments, Mapping) else None
        try:
            index = self._catalog.entry(named if isinstance(named, str) else None).name
            if self.counts and not outcome.error:
                with self._catalog.searcher(index, as_built=True) as searcher:
                    self.counts.add(name, len(outcome.text.encode()), bytes_of_files_named(outcome.text, searcher.bundle))
            return outcome, index
        except HardtackError:
            return outcome, None

    # -- resources, prompts, completions --------------------------------------------------------------------------------------

    async def list_resources(self, context: _Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """A page of the files of all bundles."""
        return await self._answer(partial(resources.page, self._catalog, params.cursor if params else None))

    async def list_templates(
        self, context: _Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """The templates of file addresses."""
        return types.ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def read_resource(self, context: _Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """The text of a file, or of some of its lines."""
        return await self._answer(partial(resources.read, self._catalog, params.uri))

    async def list_prompts(self, context: _Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """All prompts."""
        return types.ListPromptsResult(prompts=prompts.PROMPTS)

    async def get_prompt(self, context: _Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """A prompt with its arguments filled in."""
        return await self._answer(partial(prompts.filled, params.name, params.arguments or {}, self._tools))

    async def complete(self, context: _Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """The completions of an argument."""
        known = params.context.arguments if params.context else None
        found = await self._answer(partial(completions.complete, self._catalog, params.ref, params.argument, known or {}))
        return types.CompleteResult(completion=found)

    async def _answer(self, work: Callable[[], _Result]) -> _Result:
        """Answer a request that calls no tool; an exception becomes an error of the protocol."""
        try:
            return await self._work(partial(self._when_ready, work))
        except Exception as error:  # noqa: BLE001  (an edge, as tools.run is for tools)
            self._refuse(error)

    def _when_ready(self, work: Callable[[], _Result]) -> _Result:
        self._ready()
        return work()

    def _refuse(self, error: Exception) -> NoReturn:
        failure = failure_of(error, self._catalog.places)
        if is_bug := failure["error"]["code"] == INTERNAL:
            _log.error("request_failed", exc_info=error)
        raise MCPError(types.INTERNAL_ERROR if is_bug else types.INVALID_PARAMS, failure["error"]["message"], failure) from None

    async def _work(self, work: Callable[[], _Result]) -> _Result:
        """Run ``work`` in a worker thread, after the client has answered for its roots."""
        if self.roots:
            await self.roots.settled()
        return await to_thread.run_sync(_without_panic, work, limiter=self._limiter)


@cache
def _listing_of(name: str, output_schemas: bool) -> types.Tool:
    return types.Tool.model_validate(listing_of(tool_named(name, allow_build=True), with_output=output_schemas))


class _Panic(Exception):
    """An engine panicked: it raised a BaseException that is no Exception."""


def _without_panic(work: Callable[[], _Result]) -> _Result:
    """Run ``work``; turn any other BaseException than a cancellation into :class:`_Panic`, as it would end the server."""
    try:
        return work()
    except (Exception, asyncio.CancelledError):
        raise
    except BaseException as error:
        raise _Panic from error
