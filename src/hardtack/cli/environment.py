"""What the environment, the terminal and the machine say, for every verb: the one place that looks.

Environment: ``HARDTACK_BUNDLE`` (as ``-b``), ``HARDTACK_BUNDLE_PATH`` (read-only roots of installed bundles, separated as in
``PATH``), ``HARDTACK_CACHE`` (where bundles are installed), ``NO_COLOR``, for tests alone ``HARDTACK_KILL_AT``, what
``docs/encoders.md`` lists for encoders, and for sources ``HARDTACK_SOURCE`` (as ``--from``), ``HARDTACK_OFFLINE``,
``HARDTACK_TOKEN`` (for the one that is named first), ``GH_TOKEN`` or ``GITHUB_TOKEN`` (for GitHub's API), ``GITHUB_API_URL``,
``GITHUB_SERVER_URL`` and the usual variables for proxies.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hardtack.errors import SourceError
from hardtack.render.style import Style

if TYPE_CHECKING:
    from hardtack.bundle.reader import Bundle
    from hardtack.encoders import EncoderSettings
    from hardtack.store.cache import BundleCache
    from hardtack.store.locate import Located
    from hardtack.store.sources.named import SourceSettings
    from hardtack.tools.catalog import Catalog


def encoder_settings(*, name: str | None = None, url: str | None = None, network: bool | None = None) -> EncoderSettings:
    """What the environment says about the encoder; what is given wins."""
    from hardtack.encoders import EncoderSettings  # a search by keyword asks none

    return EncoderSettings.from_environment(os.environ, name=name, url=url, network=network)


def source_settings() -> SourceSettings:
    """What the environment says of how sources may be asked."""
    from hardtack.encoders.settings import proxies_of
    from hardtack.store.sources.named import SourceSettings  # a search asks none

    given = os.environ
    return SourceSettings(
        token=given.get("HARDTACK_TOKEN", "").strip(),
        github_token=(given.get("GH_TOKEN") or given.get("GITHUB_TOKEN") or "").strip(),
        proxies=proxies_of(given),
        github_api=given.get("GITHUB_API_URL", "").strip(),
        github_server=given.get("GITHUB_SERVER_URL", "").strip(),
        asks_login=True,
    )


def opened_bundle(named: str | None, digest: str | None = None) -> Bundle:
    """The bundle that the flags and the environment name, verified."""
    from hardtack.store.locate import open_located  # 'doctor' must be able to say that an engine is missing

    return open_located(lambda: located_bundle(named), digest=digest)


def located_bundle(named: str | None) -> Located:
    """Where the bundle lies that the flags and the environment name."""
    from hardtack.store.locate import locate

    return locate(named, bundle_roots(), Path.cwd(), user_cache)


def catalog(bundles: Sequence[str], checkout: Path | None, encoder: EncoderSettings) -> Catalog:
    """The bundles that the flags and the environment name, or those at hand.

    Args:
        bundles: as ``-b`` names them.
        checkout: a checkout of the first one's repository.
        encoder: what flags and environment say about it.
    """
    from hardtack.tools.catalog import Catalog

    starts = [place for place in (checkout, Path.cwd()) if place]
    return Catalog(named=bundles, roots=bundle_roots(), starts=starts, checkout=checkout, encoder=encoder, cache=user_cache)


def variables() -> Mapping[str, str]:
    """The environment, for verbs that tell of it or find files by it."""
    return os.environ


def installed_bundles() -> list[str]:
    """Names of those below the roots, and of those in the user's cache."""
    from hardtack.store.locate import locate_all

    found = locate_all([], bundle_roots(), [], user_cache)
    return [located.name if located.installed else located.path.name for located in found]


def bundle_roots() -> list[Path]:
    """Read-only roots of installed bundles."""
    return [Path(root) for root in os.environ.get("HARDTACK_BUNDLE_PATH", "").split(os.pathsep) if root]


def cache() -> BundleCache:
    """The user's installed bundles.

    Raises:
        SourceError: there is no place for them.
    """
    from hardtack.store.cache import BundleCache, cache_root

    return BundleCache(cache_root(os.environ.get("HARDTACK_CACHE", "")))


def user_cache() -> BundleCache | None:
    """The user's installed bundles, for who reads them; None where there is no place for them."""
    try:
        return cache()
    except SourceError:
        return None


def style(color: str, *, reasons: bool = False, max_tokens: int | None = None) -> Style:
    """How to dress an answer on standard output."""
    is_terminal = sys.stdout.isatty()
    wants_color = color == "always" or (color == "auto" and is_terminal and "NO_COLOR" not in os.environ)
    return Style(color=wants_color, reasons=reasons, columns=_columns() if is_terminal else 0, max_tokens=max_tokens or 0)


def _columns() -> int:
    from shutil import get_terminal_size  # with compressions: what is piped does without

    return get_terminal_size().columns


def kill_switch() -> Callable[[str], None]:
    """For tests: end this process at step ``HARDTACK_KILL_AT`` of writing a bundle, or at none."""
    wanted = os.environ.get("HARDTACK_KILL_AT")
    steps = 0

    def step(_: str) -> None:
        nonlocal steps
        steps += 1
        if wanted is not None and steps == int(wanted):
            import signal

            os.kill(os.getpid(), signal.SIGKILL)

    return step
