"""The web address of a single pack in, its file out: for ``hardtack install URL``.

Such a pack belongs to no source, so no digest is known beforehand; it is checked like any pack that is installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from hardtack.bundle.naming import PACK_SUFFIX
from hardtack.descriptors import work_directory
from hardtack.errors import UsageError
from hardtack.store.cache import BundleCache
from hardtack.store.cache_writing import prepare_cache
from hardtack.store.records import Origin, fitting_name
from hardtack.store.scratch import scratch_directory
from hardtack.store.sources.named import SourceSettings
from hardtack.store.sources.pointer import PACK_LIMIT
from hardtack.store.sources.requests import parts_of
from hardtack.store.sources.source import Progress
from hardtack.store.sources.transfer import Transfer, shown

_WEB: Final = ("http", "https")


@contextmanager
def pack_file(
    pack: str, cache: BundleCache | None, settings: SourceSettings, progress: Progress | None
) -> Iterator[tuple[Path, Origin]]:
    """The file of a pack and its origin; a pack on the web is fetched into the cache, or else into a temporary directory.

    Args:
        pack: a path, or an address with ``://`` in it.
        cache: the cache that the pack will be installed in; None for another destination.
        settings: as for :func:`fetch_pack`, like the errors.
        progress: called as bytes arrive.
    """
    if "://" not in pack:
        yield Path(pack), Origin()
        return
    if cache:
        prepare_cache(cache)
    with scratch_directory(cache.tmp) if cache else work_directory() as directory:
        file, address = fetch_pack(pack, directory, settings, progress)
        yield file, Origin(source=address)


def fetch_pack(url: str, directory: Path, settings: SourceSettings, progress: Progress | None) -> tuple[Path, str]:
    """Fetch the pack at ``url`` into an empty directory; gives its file, and its address without secrets.

    Args:
        url: an http or https address.
        directory: an empty directory.
        settings: tokens and limits; ``token`` is sent to this host and no other.
        progress: called as bytes arrive.

    Raises:
        UsageError: it is no http or https address.
        SourceError: network or disk, or the file does not exist.
        PolicyError: it is larger than any pack may be, or a redirect leads to a forbidden address.
    """
    if url.partition(":")[0].lower() not in _WEB:
        hint = "A pack is installed from a file or an http(s) address; 'hardtack pull --from' knows other places."
        raise UsageError(f"{url.partition('?')[0]!r} cannot be installed from.", hint=hint)
    path = parts_of(url).path
    tokens = {url: settings.token} if settings.token else {}
    transfer = Transfer(tokens=tokens, limits=settings.limits, proxies=settings.proxies)
    called = unquote(path).rpartition("/")[2].removesuffix(PACK_SUFFIX)
    pack = directory / f"{fitting_name(called).replace('/', '-')}{PACK_SUFFIX}"
    transfer.download(url, pack, limit=PACK_LIMIT, progress=progress)
    return pack, shown(url)
