"""A client's roots in, directories to look for bundles in out; a client that offers roots is asked for them once.

Version 2026-07-28 of the protocol has no requests to clients; there a bundle is named, or found where the server was started.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from hardtack.mcp.logs import log_event
from hardtack.tools.catalog import Catalog

_log = logging.getLogger(__name__)

_TIMEOUT: Final = 2.0
"""Seconds that requests wait for a client to send its roots."""


class Roots:
    """Asks the one client of a server for its roots, and passes them to the catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._settled: anyio.Event | None = None

    async def ask(self, context: ServerRequestContext[Any, Any], params: types.NotificationParams) -> None:
        """Ask the client, which is ready now, unless it offers no roots or was asked before."""
        offered = context.session.client_capabilities
        if self._settled or offered is None or offered.roots is None or not context.session.can_send_request:
            return
        self._settled = anyio.Event()
        try:
            answer = await context.session.send_request(
                types.ListRootsRequest(), types.ListRootsResult, request_read_timeout_seconds=_TIMEOUT
            )
            directories = [directory for root in answer.roots if (directory := directory_of(str(root.uri)))]
            self._catalog.look_first_in(directories)
            log_event(_log, "roots_given", count=len(answer.roots), used=len(directories))
        except (MCPError, ValidationError):
            log_event(_log, "roots_refused")
        finally:
            self._settled.set()

    async def settled(self) -> None:
        """Return when the client has answered, at once if it was not asked."""
        if self._settled:
            await self._settled.wait()


def directory_of(uri: str) -> Path | None:
    """The directory of this machine that a ``file`` URI names; None if it names none."""
    parts = urlsplit(uri)
    path = unquote(parts.path)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in path:
        return None
    directory = Path(path)
    with suppress(OSError):  # it cannot be read, or its name is too long
        return directory if directory.is_absolute() and directory.is_dir() else None
    return None
