"""A catalog in, its first bundle as a page for a browser out: a shell at ``/``, and pages and answers for who has the token.

A browser sends no token with the address that a person opens, so the shell is given to anybody who calls the server by its name. It
is the same for every bundle and says nothing of any. Its script takes the token from the fragment, which a browser keeps to itself,
and asks for all else with the token in a header, as every other request to the server does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar

from anyio import CapacityLimiter, to_thread
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings

from hardtack.errors import HardtackError
from hardtack.tools.failure import failure_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route
    from starlette.types import ASGIApp, Receive, Scope, Send

    from hardtack.page.live import LivePages
    from hardtack.tools.catalog import Catalog

_Result = TypeVar("_Result")

_THREADS: Final = 4
"""Requests that are answered at once; further ones wait."""
_HEADERS: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
_NO_FRAME: Final = {"Content-Security-Policy": "frame-ancestors 'none'"}
"""What a policy inside of a page cannot say."""


class LivePage:
    """Answers the requests of a browser for one catalog."""

    def __init__(self, catalog: Catalog, ready: Callable[[], None] = lambda: None) -> None:
        """Answer from the catalog's first bundle.

        Args:
            catalog: the bundles that are served.
            ready: waits until the engines are loaded; called in a worker thread before each answer.
        """
        self._catalog = catalog
        self._ready = ready
        self._limiter = CapacityLimiter(_THREADS)
        self._lock = Lock()
        self._pages: LivePages | None = None

    def routes(self, security: TransportSecuritySettings) -> list[Route]:
        """The addresses that want the token; who has it is checked before, and here by which name the server is called."""
        from starlette.routing import Route

        return [
            Route("/page/{place:path}", partial(self._page, TransportSecurityMiddleware(security)), methods=["GET"]),
            Route("/search", partial(self._search, TransportSecurityMiddleware(security)), methods=["GET"]),
        ]

    async def _page(self, guard: TransportSecurityMiddleware, request: Request) -> Response:
        place: str = request.path_params["place"]
        return await self._answered(guard, request, partial(self._page_at, place))

    async def _search(self, guard: TransportSecurityMiddleware, request: Request) -> Response:
        return await self._answered(guard, request, partial(self._found, request.query_params.get("q", "")))

    async def _answered(
        self, guard: TransportSecurityMiddleware, request: Request, work: Callable[[], dict[str, Any] | None]
    ) -> Response:
        from starlette.responses import JSONResponse

        if refusal := await guard.validate_request(request):
            return refusal
        try:
            found = await to_thread.run_sync(work, limiter=self._limiter)
        except HardtackError as error:
            return JSONResponse(failure_of(error, self._catalog.places), 400, _HEADERS)
        if found is None:
            missing = {"error": {"code": "NOT_FOUND", "message": "The bundle has no such page.", "hint": "Search for it."}}
            return JSONResponse(missing, 404, _HEADERS)
        return JSONResponse(found, headers=_HEADERS)

    def _page_at(self, place: str) -> dict[str, Any] | None:
        from hardtack.page.live import LivePages

        self._ready()
        with self._catalog.searcher() as searcher:
            with self._lock:
                if self._pages is None or self._pages.bundle is not searcher.bundle:
                    if self._pages:
                        self._pages.close()
                    self._pages = LivePages(searcher.bundle, searcher.bundle.name)
                pages = self._pages
            return pages.page(place)

    def _found(self, query: str) -> dict[str, Any]:
        from hardtack.page.live import MOST_HITS, answer_to_json

        self._ready()
        with self._catalog.searcher() as searcher:
            return answer_to_json(searcher.search(query, limit=MOST_HITS))


class Shell:
    """Gives the shell of the page to whoever asks for ``/``, and every other request to ``app``."""

    def __init__(self, app: ASGIApp, security: TransportSecuritySettings) -> None:
        self._app = app
        self._guard = TransportSecurityMiddleware(security)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"] != "/" or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        from starlette.requests import Request
        from starlette.responses import HTMLResponse

        from hardtack.page.live import shell

        refusal = await self._guard.validate_request(Request(scope))
        await (refusal or HTMLResponse(await to_thread.run_sync(shell), headers=_HEADERS | _NO_FRAME))(scope, receive, send)
