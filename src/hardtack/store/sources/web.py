"""A static web server as a store of plain files, read only: packs are published to the folder or bucket that it serves."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Never
from urllib.parse import quote

from hardtack.errors import UsageError
from hardtack.store.sources.requests import parts_of
from hardtack.store.sources.source import Progress
from hardtack.store.sources.transfer import Transfer


class WebFolder:
    """A :class:`FileStore` over HTTP."""

    def __init__(self, base: str, transfer: Transfer) -> None:
        """Take the address; nothing is sent yet.

        Args:
            base: the address of the directory of the files.
            transfer: sends the requests; it holds the token.

        Raises:
            UsageError: ``base`` has a query or a fragment, or is no http or https address.
        """
        if parts_of(base).query or "#" in base:
            raise UsageError(f"{base.partition('?')[0]!r} must have no query.", hint="A token goes into HARDTACK_TOKEN.")
        self.name = base.rstrip("/")
        self._transfer = transfer

    def read_json(self, path: str, limit: int) -> dict[str, Any] | None:
        """See :meth:`FileStore.read_json`."""
        return self._transfer.get_json(self._url(path), limit=limit)

    def download(
        self, path: str, destination: Path, *, limit: int, size: int | None, digest: str, progress: Progress | None
    ) -> None:
        """See :meth:`FileStore.download`."""
        self._transfer.download(self._url(path), destination, limit=limit, size=size, digest=digest, progress=progress)

    def has(self, path: str) -> bool:
        """Refused, like everything that publishing needs."""
        self._refuse()

    def upload(self, path: str, file: Path, progress: Progress | None) -> None:
        """Refused."""
        self._refuse()

    def write(self, path: str, data: bytes) -> None:
        """Refused."""
        self._refuse()

    def alone(self, path: str) -> AbstractContextManager[object]:
        """Refused."""
        self._refuse()

    def _refuse(self) -> Never:
        raise UsageError(f"{self.name} cannot be published to.", hint="Publish to the folder or the bucket that it serves.")

    def _url(self, path: str) -> str:
        return f"{self.name}/{quote(path)}"
