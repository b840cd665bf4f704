"""The web address of one pack in, a file with what lies there out: a pack that belongs to no source.

Nothing is known of it beforehand but where it is, so all that holds it is what holds any pack that is installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import unquote

from hardtack.bundle.naming import PACK_SUFFIX
from hardtack.errors import UsageError
from hardtack.store.cache import Cache
from hardtack.store.records import Origin, fitting_name
from hardtack.store.sources.named import SourceSettings
from hardtack.store.sources.pointer import PACK_LIMIT
from hardtack.store.sources.requests import parts_of
from hardtack.store.sources.source import Progress
from hardtack.store.sources.transfer import Transfer, shown

_WEB: Final = ("http", "https")


@contextmanager
def pack_file(pack: str, cache: Cache | None, settings: SourceSettings, progress: Progress | None) -> Iterator[tuple[Path, Origin]]:
    """The file of a pack and its origin; a pack on the web is fetched into the cache, or else into a temporary directory.

    Args:
        pack: a path, or an address with ``://`` in it.
        cache: the user's installed bundles, if the pack goes there.
        settings: as for :func:`fetch_pack`, as are the last argument and the errors.
        progress: told how far it is.
    """
    if "://" not in pack:
        yield Path(pack), Origin()
        return
    if cache:
        cache.prepare()
    with cache.scratch() if cache else TemporaryDirectory(prefix="hardtack-") as directory:
        file, address = fetch_pack(pack, Path(directory), settings, progress)
        yield file, Origin(source=address)


def fetch_pack(url: str, directory: Path, settings: SourceSettings, progress: Progress | None) -> tuple[Path, str]:
    """Fetch the pack at ``url`` into an empty directory; its file, and the address as people may see it.

    Args:
        url: the user's own.
        directory: where to.
        settings: tokens and limits; ``token`` is sent to this host and no other.
        progress: told how far it is.

    Raises:
        UsageError: it is no address on the web.
        SourceError: network or disk, or nothing is there.
        PolicyError: it is larger than any pack, or a redirect leads where nothing is fetched from.
    """
    if url.partition(":")[0].lower() not in _WEB:
        hint = "A pack is installed from a file or an http(s) address; 'hardtack pull --from' knows other places."
        raise UsageError(f"{url.partition('?')[0]!r} cannot be installed from.", hint=hint)
    path = parts_of(url).path
    tokens = {url: settings.token} if settings.token else {}
    transfer = Transfer(tokens=tokens, patience=settings.patience, proxies=settings.proxies)
    called = unquote(path).rpartition("/")[2].removesuffix(PACK_SUFFIX)
    pack = directory / f"{fitting_name(called).replace('/', '-')}{PACK_SUFFIX}"
    transfer.download(url, pack, limit=PACK_LIMIT, progress=progress)
    return pack, shown(url)
