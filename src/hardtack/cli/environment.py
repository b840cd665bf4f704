"""Reads the environment, the terminal and the working directory for all verbs; no other module does.

Environment: ``HARDTACK_BUNDLE`` (as ``-b``), ``HARDTACK_BUNDLE_PATH`` (read-only roots of installed bundles, separated as in
``PATH``), ``HARDTACK_CACHE`` (where bundles are installed), ``HARDTACK_AS_BUILT`` (as ``--as-built``), ``NO_COLOR``,
``CLICOLOR``, ``CLICOLOR_FORCE``, ``TERM``, ``PAGER`` and ``LESS`` (what goes to a terminal), for tests
alone ``HARDTACK_KILL_AT``, those that
``docs/encoders.md`` lists for encoders, and for sources ``HARDTACK_SOURCE`` (as ``--from``), ``HARDTACK_OFFLINE``,
``HARDTACK_REQUIRE_FRESH``, ``HARDTACK_TOKEN`` (for the one that is named first), ``GH_TOKEN`` or ``GITHUB_TOKEN`` (for GitHub's
API), ``GITHUB_API_URL``, ``GITHUB_SERVER_URL`` and the usual variables for proxies.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from hardtack.cli.moved_on import remember, say_once
from hardtack.encoders import EncoderSettings
from hardtack.errors import HardtackError, NoBundleHere, SourceError, UsageError
from hardtack.render.style import Style

if TYPE_CHECKING:
    from hardtack.bundle.reader import Bundle
    from hardtack.nouns.model import Provenance
    from hardtack.overlay.working_tree import Over
    from hardtack.query.checkout.head import Checkout
    from hardtack.shelf.shelf import Shelf
    from hardtack.store.built import BuiltHere
    from hardtack.store.cache import BundleCache
    from hardtack.store.counts import AnswerCounts
    from hardtack.store.locate import Located
    from hardtack.store.sources.named import SourceSettings
    from hardtack.tools.catalog import Catalog


_AS_BUILT, _NO_PAGER = "hardtack.as_built", "hardtack.no_pager"


def encoder_settings(*, name: str | None = None, url: str | None = None, network: bool | None = None) -> EncoderSettings:
    """The settings of the encoder from the environment; arguments that are given win."""
    return EncoderSettings.from_environment(os.environ, name=name, url=url, network=network)


def source_settings() -> SourceSettings:
    """The settings of bundle sources from the environment."""
    from hardtack.encoders.settings import proxies_of
    from hardtack.store.sources.named import SourceSettings  # loads urllib3, which a search does not need

    given = os.environ
    return SourceSettings(
        token=given.get("HARDTACK_TOKEN", "").strip(),
        github_token=(given.get("GH_TOKEN") or given.get("GITHUB_TOKEN") or "").strip(),
        proxies=proxies_of(given),
        github_api=given.get("GITHUB_API_URL", "").strip(),
        github_server=given.get("GITHUB_SERVER_URL", "").strip(),
        asks_login=True,
    )


def working_directory() -> Path:
    """The working directory.

    Raises:
        UsageError: it was deleted.
    """
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UsageError(
            "The working directory does not exist any more.",
            hint="Change into another one; or name the bundle with -b and an absolute path.",
        ) from None


def home_directory() -> Path:
    """The user's home directory.

    Raises:
        UsageError: this user has none, as in many containers.
    """
    try:
        return Path.home()
    except RuntimeError:
        raise UsageError("This user has no home directory.", hint="Set HOME to a directory.") from None


def starts() -> list[Path]:
    """The working directory, for what does without one."""
    with suppress(UsageError):
        return [working_directory()]
    return []


def opened_bundle(named: str | None, digest: str | None = None, checkout: Path | None = None, *, as_built: bool = False) -> Bundle:
    """The bundle that the flags and the environment name, verified, or the one of the working tree over it.

    How the tree differs is remembered, to be said.

    Args:
        named: as ``-b`` names it.
        digest: refuse any other bundle, even that of the tree.
        checkout: that of ``--checkout``; by default the one that the bundle is of.
        as_built: the bundle itself, whatever the tree is.
    """
    from hardtack.query.checkout.around import checkout_at, moved_on
    from hardtack.store.locate import open_located  # loads the engines; 'doctor' must run where one is missing

    bundle = open_located(lambda: located_bundle(named), digest=digest, cache=user_cache)
    provenance = bundle.manifest.provenance

    found = [each for each in (checkout and checkout_at(checkout), checkout_for(bundle.path, provenance)) if each]
    bundle.places = lambda: [each.directory for each in found]
    if found and not digest and not as_built and not _is_as_built():
        return _laid_over(bundle, found[0])
    remember(moved_on(found[0] if found else None, provenance, bundle.name))
    return bundle


def note_as_built(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Remember ``--as-built`` of the running verb."""
    context.meta[_AS_BUILT] = value


def _is_as_built() -> bool:
    """Whether answers are to be of the bundles themselves, whatever their working trees are."""
    return _context_has(_AS_BUILT) or os.environ.get("HARDTACK_AS_BUILT", "") not in ("", "0")


def _laid_over(bundle: Bundle, checkout: Checkout) -> Bundle:
    """The bundle of the working tree over ``bundle``, which is closed then; ``bundle`` itself where that is to answer."""
    from hardtack.bundle.reader import open_bundle

    path, moved = working_tree(bundle, checkout)
    remember(moved)
    if path is None:
        return bundle
    with bundle:
        over = open_bundle(path, check="sizes")
        over.name, over.places, over.moved_on = bundle.name, bundle.places, moved
        return over


def working_tree(bundle: Bundle, checkout: Checkout) -> Over:
    """What answers for the working tree of a checkout, of which ``bundle`` is; it stays until the running verb ends."""
    from hardtack.overlay.working_tree import Over, Overlays

    if _is_as_built():
        return Over(None, None)
    overlays = Overlays(user_cache)
    if context := click.get_current_context(silent=True):
        context.call_on_close(overlays.close)
    return overlays.over(bundle, checkout)


def shelf(named: Sequence[str], *, every: bool, encoder: EncoderSettings) -> tuple[Shelf | None, list[str]]:
    """The many bundles that answer as one, and a sentence for each that is left out; None where few are named, and all are opened.

    Args:
        named: as ``-b`` names them; one of them may be a directory of bundles.
        every: all bundles that ``hardtack list`` shows, where none is named.
        encoder: settings from flags and environment.

    Raises:
        BundleNotFound: there is none.
    """
    from hardtack.store.in_checkouts import is_shelf

    shelves = {each for each in named if is_shelf(Path(each))}
    if not every and not shelves and len(named) < 2:
        return None, []  # before what searches many is imported
    from hardtack.shelf.places import gathered
    from hardtack.shelf.shelf import MOST_SEARCHED, Shelf
    from hardtack.store.locate import locate_all

    if not every and not shelves and len(named) <= MOST_SEARCHED:
        return None, []
    if every:
        places: list[Located | Path] = [*locate_all([], bundle_roots(), starts(), user_cache)]
    else:
        places = [Path(each) if each in shelves else located_bundle(each) for each in named]
    shelved, left_out = gathered(places, user_cache, _say_reading)
    return Shelf(shelved, encoder=encoder, cache=user_cache), left_out


def _say_reading(count: int) -> None:
    """Say that bundles are read for the first time, which takes a while where they are many."""
    from hardtack.cli.exits import say

    if count > 1:
        say(f"hardtack: {count} bundles are read for the first time, to know what is in them.")


def checkout_for(place: Path, provenance: Provenance) -> Checkout | None:
    """The checkout that a bundle is of, as far as the working directory tells; None without one."""
    from hardtack.query.checkout.around import checkout_of

    return next((found for start in starts() if (found := checkout_of(place, provenance, start))), None)


def located_bundle(named: str | None) -> Located:
    """The place of the bundle that the flags and the environment name."""
    from hardtack.store.locate import locate

    start = Path(os.sep) if named else working_directory()  # a bundle that was named needs none
    try:
        located = locate(named, bundle_roots(), start, user_cache)
    except NoBundleHere as error:
        raise NoBundleHere(str(error), hint=_ways_to_one(start, error.hint)) from error
    say_once(located.passed_over)
    return located


def _ways_to_one(start: Path, hint: str) -> str:
    """What to type for a bundle of a directory without one, one sentence; after ``hint`` where that names other bundles."""
    from hardtack.store.first_bundle import ways_to_one
    from hardtack.store.sources.github_api import host_of

    host = ""
    with suppress(HardtackError):  # what is wrong with an address is said by the pull
        host = host_of(api=os.environ.get("GITHUB_API_URL", "").strip(), server=os.environ.get("GITHUB_SERVER_URL", "").strip())
    ways = ways_to_one(start, os.environ.get("HARDTACK_SOURCE", "").split(), host)
    return f"{hint}. {ways}" if hint.startswith("Name ") else ways


def own_bundle() -> Located:
    """The bundle of the working directory; never an installed one.

    Raises:
        UsageError: there is only an installed one.
    """
    located = located_bundle(None)
    if located.installed or not located.is_own:
        raise UsageError(
            "There is no bundle of this directory, only an installed one.", hint="Build one, or name the bundle or pack."
        )
    return located


def catalog(bundles: Sequence[str], checkout: Path | None, encoder: EncoderSettings) -> Catalog:
    """The bundles that the flags and the environment name, or those at hand.

    Args:
        bundles: as ``-b`` names them.
        checkout: a checkout of the first one's repository.
        encoder: settings from flags and environment.
    """
    from hardtack.tools.catalog import Catalog  # loads query and store, which a search does in part

    near = [*([checkout] if checkout else []), *starts()]
    return Catalog(
        named=bundles,
        roots=bundle_roots(),
        starts=near,
        checkout=checkout,
        encoder=encoder,
        cache=user_cache,
        as_built=_is_as_built(),
    )


def variables() -> Mapping[str, str]:
    """The environment variables, for verbs that report them or find files by them."""
    return os.environ


def installed_bundles() -> list[str]:
    """Names of the bundles below the roots and in the user's cache."""
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
    """The user's installed bundles; None where there is no place for them."""
    try:
        return cache()
    except SourceError:
        return None


def answer_counts() -> AnswerCounts:
    """What servers count of their answers, in the user's cache."""
    from hardtack.store.counts import AnswerCounts

    return AnswerCounts(user_cache)


def own_work() -> BuiltHere:
    """What this user's builder made, which the user's cache remembers."""
    from hardtack.store.built import BuiltHere

    return BuiltHere(user_cache)


class Terminal(NamedTuple):
    """The terminal that standard output is, and what may be sent to it."""

    columns: int
    rows: int
    has_color: bool
    has_pager: bool
    host: str
    """The name of this machine, for addresses of its files."""


def terminal(color: str) -> Terminal | None:
    """What standard output is; None of a pipe, a file, or a terminal that can do nothing (``TERM=dumb``)."""
    if not sys.stdout.isatty() or _is_dumb():
        return None
    import platform  # only an answer to a terminal has addresses with a host

    size = shutil.get_terminal_size()
    # Without a pager of the user's own, less: it leaves at once what fits, keeps colours, and what was shown stays.
    os.environ.setdefault("LESS", "FRX")
    pager = os.environ.get("PAGER", "less" if shutil.which("less") else "")
    has_pager = bool(pager) and sys.stdin.isatty() and not _context_has(_NO_PAGER)
    return Terminal(size.columns, size.lines, _wants_color(color), has_pager, platform.node())


def can_rewrite_lines() -> bool:
    """Whether standard error is a terminal on which a line can be written over."""
    return sys.stderr.isatty() and not _is_dumb()


def has_color_on_errors() -> bool:
    """Whether what is shown on standard error, a terminal, has colours."""
    return not os.environ.get("NO_COLOR") and os.environ.get("CLICOLOR") != "0"


def note_no_pager(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Remember ``--no-pager`` of the running verb."""
    context.meta[_NO_PAGER] = value


def _context_has(key: str) -> bool:
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(key))


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def _wants_color(color: str) -> bool:
    """Whether answers are coloured: as the flag says, else as the environment does, else on a terminal."""
    if color != "auto" or os.environ.get("NO_COLOR"):
        return color == "always"
    if os.environ.get("CLICOLOR_FORCE", "0") != "0":
        return True
    return sys.stdout.isatty() and not _is_dumb() and os.environ.get("CLICOLOR") != "0"


def style(color: str, *, reasons: bool = False, max_tokens: int | None = None) -> Style:
    """The style of an answer on standard output."""
    is_terminal = sys.stdout.isatty()
    columns = shutil.get_terminal_size().columns if is_terminal else 0
    return Style(color=_wants_color(color), reasons=reasons, columns=columns, max_tokens=max_tokens or 0)


def kill_switch() -> Callable[[str], None]:
    """For tests: kills this process at step ``HARDTACK_KILL_AT`` of writing a bundle; does nothing where that is not set."""
    wanted = os.environ.get("HARDTACK_KILL_AT")
    steps = 0

    def step(_: str) -> None:
        nonlocal steps
        steps += 1
        if wanted is not None and steps == int(wanted):
            os.kill(os.getpid(), signal.SIGKILL)

    return step
