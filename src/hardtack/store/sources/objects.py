"""A bucket (S3, Google Cloud Storage, and other stores that fsspec has a driver for) as a store of plain files.

The ``remote`` extra installs fsspec and the driver for S3. The driver finds credentials as the store's own tools do. Nothing is
listed and nothing is cached, so a moved pointer is seen at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hardtack.errors import HardtackError, MissingExtra, SourceError, UsageError
from hardtack.store.sources.partial import Partial, copy_rest
from hardtack.store.sources.pointer import document_in
from hardtack.store.sources.source import DENIED, Progress

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

SCHEMES: Final = ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss", "hdfs", "webhdfs", "sftp", "ssh", "smb", "hf")
"""Schemes of remote stores. fsspec knows more, some of which run programs or lead to files of this machine."""

_EXTRAS: Final = {"gs": "gcs", "gcs": "gcs"}
_FRESH: Final[Mapping[str, Any]] = {"use_listings_cache": False, "skip_instance_cache": True}
_ANONYMOUS: Final[Mapping[str, Mapping[str, Any]]] = {
    "s3": {"anon": True},
    "s3a": {"anon": True},
    "gs": {"token": "anon"},
    "gcs": {"token": "anon"},
}
_BLOCK: Final = 8 << 20


class Objects:
    """A :class:`FileStore` in a bucket."""

    def __init__(self, base: str, *, is_anonymous: bool = False) -> None:
        """Load the driver; nothing is read yet.

        Args:
            base: the address of a bucket or of a directory in it, ``s3://bucket/directory``.
            is_anonymous: read without credentials; for S3 and Google Cloud Storage.

        Raises:
            UsageError: ``base`` is no such address.
            MissingExtra: fsspec, or its driver, is not installed.
        """
        scheme, separator, rest = base.partition("://")
        if not separator or scheme not in SCHEMES or not rest.strip("/") or "::" in base or not base.isprintable():
            raise UsageError(f"{base!r} is no address of a bucket.", hint="Write it like s3://bucket/directory")
        if any(part in ("", ".", "..") for part in rest.rstrip("/").split("/")) or "@" in rest.partition("/")[0]:
            raise UsageError(f"{base!r} is no plain address of a bucket.", hint="Write it like s3://bucket/directory")
        self.name = base.rstrip("/")
        self._base = rest.rstrip("/")
        what, extra = f"Reaching {scheme}://", _EXTRAS.get(scheme, "remote")
        try:
            import fsspec
        except ImportError as error:
            raise MissingExtra(what, extra) from error
        options = {**_FRESH, **(_ANONYMOUS.get(scheme, {}) if is_anonymous else {})}
        try:
            self._store: AbstractFileSystem = fsspec.filesystem(scheme, **options)
        except ImportError as error:
            raise MissingExtra(what, extra) from error

    @property
    def can_be_anonymous(self) -> bool:
        """Whether this store can be read without credentials (S3 and Google Cloud Storage)."""
        return self.name.partition("://")[0] in _ANONYMOUS

    def read_json(self, path: str, limit: int) -> dict[str, Any] | None:
        """See :meth:`FileStore.read_json`."""
        with self._asked(path):
            try:
                data: bytes = self._store.cat_file(self._key(path), start=0, end=limit + 1)
            except FileNotFoundError:
                return None
        return document_in(data, limit, f"{self.name}/{path}")

    def download(
        self, path: str, destination: Path, *, limit: int, size: int | None, digest: str, progress: Progress | None
    ) -> None:
        """See :meth:`FileStore.download`."""
        with (
            self._asked(path),
            self._store.open(self._key(path), "rb", cache_type="readahead", block_size=_BLOCK) as file,
            Partial(destination, resumes=bool(digest)) as part,
        ):
            copy_rest(
                file, file.size, part, address=f"{self.name}/{path}", limit=limit, size=size, digest=digest, progress=progress
            )

    def has(self, path: str) -> bool:
        """See :meth:`FileStore.has`."""
        is_there = False
        with self._asked(path), suppress(FileNotFoundError):
            is_there = self._store.info(self._key(path))["type"] == "file"
        return is_there

    def upload(self, path: str, file: Path, progress: Progress | None) -> None:
        """See :meth:`FileStore.upload`; a bucket shows an object only once it has arrived completely."""
        with self._asked(path):
            self._store.put_file(str(file), self._key(path))

    def write(self, path: str, data: bytes) -> None:
        """See :meth:`FileStore.write`."""
        with self._asked(path):
            self._store.pipe_file(self._key(path), data)

    def alone(self, path: str) -> AbstractContextManager[object]:
        """See :meth:`FileStore.alone`; no driver has locks."""
        return nullcontext()

    def _key(self, path: str) -> str:
        return f"{self._base}/{path}"

    @contextmanager
    def _asked(self, path: str) -> Iterator[None]:
        """Turn any error of a driver into a :class:`SourceError`."""
        try:
            yield
        except HardtackError:
            raise
        except FileNotFoundError as error:
            raise SourceError(f"{self.name}/{path} is not there.", is_temporary=True) from error
        except PermissionError as error:
            raise SourceError(
                f"{self.name}/{path} may not be read or written, or is not there.",
                hint="Credentials are found as the store's own tools find them.",
                code=DENIED,
            ) from error
        except Exception as error:  # each driver is another library with errors of its own
            reason = " ".join(str(error).split())[:200].rstrip(".")
            raise SourceError(f"{self.name}/{path} cannot be had: {reason or type(error).__name__}.", is_temporary=True) from error
