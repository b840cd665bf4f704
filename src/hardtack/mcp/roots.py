"""A client's roots in, directories to look for bundles in out: once, from a client that offers them.

The protocol of 2026-07-28 has no requests to clients any more; there a bundle is named, or found where the server was started.
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

from hardtack.mcp.logs import tell
from hardtack.tools.catalog import Catalog

_log = logging.getLogger(__name__)

_PATIENCE: Final = 2.0
"""Seconds that requests wait for a client to say where its user works."""


class Roots:
    """Asks the one client of a server, and tells the catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._settled: anyio.Event | None = None

    async def ask(self, context: ServerRequestContext[Any, Any], params: types.NotificationParams) -> None:
        """The client is ready: ask it, if it offers roots and was not asked yet."""
        offered = context.session.client_capabilities
        if self._settled or offered is None or offered.roots is None or not context.session.can_send_request:
            return
        self._settled = anyio.Event()
        try:
            answer = await context.session.send_request(
                types.ListRootsRequest(), types.ListRootsResult, request_read_timeout_seconds=_PATIENCE
            )
            directories = [directory for root in answer.roots if (directory := directory_of(str(root.uri)))]
            self._catalog.look_first_in(directories)
            tell(_log, "roots_given", count=len(answer.roots), used=len(directories))
        except (MCPError, ValidationError):
            tell(_log, "roots_refused")
        finally:
            self._settled.set()

    async def settled(self) -> None:
        """Return when the client has answered, or was not asked."""
        if self._settled:
            await self._settled.wait()


def directory_of(uri: str) -> Path | None:
    """The directory of this machine that a ``file`` URI names; None when it names none."""
    parts = urlsplit(uri)
    path = unquote(parts.path)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in path:
        return None
    directory = Path(path)
    with suppress(OSError):  # not to be looked into, or too long to be one
        return directory if directory.is_absolute() and directory.is_dir() else None
    return None
