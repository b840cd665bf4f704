"""The name that a user gave, or none, in; the path of a bundle, and which checks opening it needs, out.

An installed bundle (below a root of ``HARDTACK_BUNDLE_PATH``, or in the user's cache) was hashed when it was installed, so opening
it checks sizes only; any other bundle is hashed in full. The command line reads the environment, not this module.

A bundle that lies in a checkout is found only if this user built it there (:mod:`hardtack.store.built`): whoever can commit to a
repository can put one there. Any other has to be named, and one that is passed over is spoken of.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.naming import OWN_PLACE, distinct_names, index_name
from hardtack.bundle.reader import Bundle, Check, open_bundle
from hardtack.errors import BundleError, BundleNotFound, NoBundleHere, PolicyError, SourceError
from hardtack.git import is_same_repository, repository_of
from hardtack.store.in_checkouts import CacheOf, digest_at, is_bundle, is_file, none_at, own_places, sentence_of, stranger

if TYPE_CHECKING:
    from hardtack.store.cache import Installed

_HINT = "Build one with: hardtack build SRC"
_TRIES = 3

OriginKind = Literal["you", "installed", "bundle path", "unknown"]
"""Who answers for a bundle: the user who built it where it lies; whoever installed it in the user's cache; whoever set
``HARDTACK_BUNDLE_PATH``; or nobody that is known, since it was only named."""


def no_cache() -> None:
    """A :data:`CacheOf` without a cache."""


class Located(NamedTuple):
    """The path of a bundle that was found, not opened yet."""

    path: Path
    check: Check
    installed: Installed | None = None
    """The cache's record of the bundle, if it lies in the cache."""
    is_own: bool = False
    """Found in a checkout, since this user built it there; what lies there when it is opened has to be such a bundle too."""
    passed_over: str = ""
    """Why a nearer bundle was not taken, one sentence; empty when there is none."""

    @property
    def name(self) -> str:
        """The bundle's name in tools and verbs."""
        return self.installed.index_name if self.installed else index_name(self.path)

    @property
    def digest(self) -> str | None:
        """The digest that the bundle must have; None when any will do."""
        return self.installed.digest if self.installed else None

    @property
    def key(self) -> Path:
        """Identifies the bundle across replacements: its path, or in the cache the record of its name."""
        return self.installed.ref if self.installed else self.path.resolve()


class AtHand(NamedTuple):
    """A bundle with its manifest, or with the reason why that cannot be read."""

    name: str
    """The bundle's name in tools and verbs, unique among those listed."""
    located: Located
    manifest: Manifest | None = None
    """None when it cannot be read."""
    digest: str = ""
    trouble: str = ""
    """Why it cannot be read, one sentence; empty when it can."""


def locate(named: str | None, roots: Sequence[Path], start: Path, cache: CacheOf = no_cache) -> Located:
    """Find a bundle.

    Args:
        named: a bundle's directory, a pack, a directory that was built, or the name or digest of an installed bundle. None takes,
            in this order: the bundle that the user built of the current directory or of one above it in the same checkout, the
            only bundle in the roots, the cache's bundle of the current checkout's repository, the cache's only bundle.
        roots: read-only directories of installed bundles; each is a bundle or contains some.
        start: the current directory.
        cache: returns the user's cache.

    Raises:
        NoBundleHere: none was named, and there is none.
        BundleNotFound: there is none of that name, or there are several to choose from.
        PolicyError: there is one in the checkout, which the user did not build there; or others may write to the cache.
    """
    return _named(named, roots, cache) if named else _nearby(roots, start, cache)


def locate_all(named: Sequence[str], roots: Sequence[Path], starts: Sequence[Path], cache: CacheOf = no_cache) -> list[Located]:
    """Every bundle that can be searched from here, the default first.

    Args:
        named: as for :func:`locate`; if any is named, only these are listed.
        roots: read-only directories of installed bundles.
        starts: current directories (an MCP client may have several); the nearest bundle of any comes before those installed.
        cache: returns the user's cache.

    Raises:
        BundleNotFound: a bundle that was named does not exist.
        PolicyError: others may write to the cache, and there are no bundles outside it.
    """
    found = [_named(name, roots, cache) for name in named]
    for located in found:
        if not is_bundle(located.path) and not is_file(located.path):
            raise BundleNotFound(f"There is no bundle at {located.path}.", hint=_HINT)
    if not named:
        nearest = next((own for start in starts if (own := _in_checkout(start, roots, cache)[0])), None)
        found = [*([nearest] if nearest else []), *(_placed(path, roots) for path in _installed(roots))]
        try:
            found += _cached(starts, cache)
        except (PolicyError, SourceError):
            if not found:
                raise
    first: dict[Path, Located] = {}
    for located in found:
        first.setdefault(located.path, located)
    return [*first.values()]


def passed_over(starts: Sequence[Path], roots: Sequence[Path], cache: CacheOf = no_cache) -> list[str]:
    """A sentence for each bundle in the checkouts that :func:`locate_all` leaves out, since the user did not build it there."""
    return [*dict.fromkeys(sentence_of(error) for start in starts for error in _in_checkout(start, roots, cache)[1])]


def remedy(starts: Sequence[Path], roots: Sequence[Path], cache: CacheOf) -> str:
    """What to do where :func:`locate_all` finds nothing; names no path, as agents are told it."""
    if passed_over(starts, roots, cache):
        return "The checkout's bundle is not one that you built there: name it with -b DIR, or build one with: hardtack build SRC"
    return _HINT


def at_hand(named: Sequence[str], roots: Sequence[Path], starts: Sequence[Path], cache: CacheOf = no_cache) -> list[AtHand]:
    """The bundles of :func:`locate_all`, each with its manifest; nothing else is read. A repeated name gets a number appended."""
    found = locate_all(named, roots, starts, cache)
    bundles: list[AtHand] = []
    for name, located in zip(distinct_names(each.name for each in found), found, strict=True):
        try:
            manifest, digest = read_manifest(located.path)
            bundles.append(AtHand(name=name, located=located, manifest=manifest, digest=digest))
        except BundleError as error:
            bundles.append(AtHand(name=name, located=located, trouble=str(error)))
    return bundles


def locate_listed(name: str, roots: Sequence[Path], start: Path, cache: CacheOf = no_cache) -> Located:
    """The bundle that has that name in :func:`at_hand`, else the one that :func:`locate_all` finds by it.

    Raises:
        BundleNotFound: there is none.
        PolicyError: others may write to the cache, and there are no bundles outside it.
    """
    for bundle in at_hand([], roots, [start], cache):
        if bundle.name == name:
            return bundle.located
    return locate_all([name], roots, [start], cache)[0]


def open_located(find: Callable[[], Located], *, digest: str | None = None, cache: CacheOf = no_cache) -> Bundle:
    """Open the bundle that ``find`` returns. If opening fails, it is found again: it may just have been replaced or collected.

    Args:
        find: returns the place.
        digest: refuse any other bundle.
        cache: returns the user's cache.

    Raises:
        BundleError: there is no bundle, or it differs from its manifest.
        PolicyError: what lies there by now is not the user's own.
    """

    def opened() -> Bundle:
        return checked(located, open_bundle(located.path, check=located.check, digest=digest or located.digest), cache)

    located = find()
    for _ in range(_TRIES):
        try:
            bundle = opened()
        except (BundleError, PolicyError):
            before, located = located, find()
            if located == before and (located.installed is None or is_bundle(located.path)):
                raise
        else:
            bundle.name = located.name
            return bundle
    return opened()


def checked(located: Located, bundle: Bundle, cache: CacheOf) -> Bundle:
    """The bundle that was opened there, if that is one that was named, or one that the user built there; else it is closed.

    Raises:
        PolicyError: it took the place of one that the user built.
    """
    if located.is_own and (error := stranger(located.path, bundle.digest, cache)):
        bundle.close()
        raise error
    return bundle


def origin_of(located: Located, digest: str, cache: CacheOf) -> OriginKind:
    """Who answers for the bundle of that digest that lies there."""
    if located.installed:
        return "installed"
    if located.check == "sizes":
        return "bundle path"
    real = Path(os.path.realpath(located.path.parent), located.path.name)
    return "unknown" if stranger(real, digest, cache) else "you"


def _in_checkout(start: Path, roots: Sequence[Path], cache: CacheOf) -> tuple[Located | None, list[PolicyError]]:
    """The nearest bundle in the checkout around ``start`` that the user built there; and the refusals of those that are nearer."""
    refused: list[PolicyError] = []
    for place in own_places(start):
        if not is_bundle(place):
            continue
        if _is_below(place, roots):  # who set the roots named it
            return _placed(place, roots), refused
        if (error := stranger(place, digest_at(place), cache)) is None:
            return Located(path=place, check="hashes", is_own=True, passed_over=sentence_of(refused[0]) if refused else ""), refused
        refused.append(error)
    return None, refused


def _named(name: str, roots: Sequence[Path], cache: CacheOf) -> Located:
    path = Path(name)
    if is_bundle(path):
        return _placed(path, roots)
    if is_bundle(path / OWN_PLACE):
        return _placed(path / OWN_PLACE, roots)
    if not _is_there(path):
        if path.parent == Path():  # a name, not a path
            for bundle in _installed(roots):
                if bundle.name == name:
                    return _placed(bundle, roots)
        found = cache()
        if found and (installed := _called(name, found.entries())):
            return _in_cache(installed)
    return _placed(path, roots)


def _called(name: str, entries: Sequence[Installed]) -> Installed | None:
    """The installed bundle of that name or digest: by its full name, else by its name in tools, else by the end of its name."""
    for is_meant in (
        lambda each: name in (each.name, each.digest),
        lambda each: name == each.index_name,
        lambda each: each.name.endswith(f"/{name}"),
    ):
        meant = {each.digest: each for each in reversed(entries) if is_meant(each)}
        if len(meant) > 1:
            names = ", ".join(sorted(each.name for each in meant.values()))
            raise BundleNotFound(f"Several installed bundles are called {name!r}.", hint=f"Name one with -b: {names}")
        if meant:
            return next(iter(meant.values()))
    return None


def _nearby(roots: Sequence[Path], start: Path, cache: CacheOf) -> Located:
    own, refused = _in_checkout(start, roots, cache)
    if own:
        return own
    try:
        return _installed_for(roots, start, cache)._replace(passed_over=sentence_of(refused[0]) if refused else "")
    except (BundleNotFound, PolicyError, SourceError):
        if refused:
            raise refused[0] from None
        raise


def _installed_for(roots: Sequence[Path], start: Path, cache: CacheOf) -> Located:
    """The installed bundle that is meant by default where the checkout has none of its own."""
    installed = _installed(roots)
    if len(installed) == 1:
        return _placed(installed[0], roots)
    if installed:
        raise _several(bundle.name for bundle in installed)
    found = cache()
    if entries := found.entries() if found else []:
        return _in_cache(_of_checkout(entries, start))
    raise NoBundleHere(f"{none_at(start)}.", hint=_HINT)


def _of_checkout(entries: Sequence[Installed], start: Path) -> Installed:
    """The installed bundle of the repository that ``start`` is a checkout of; outside a checkout, the only bundle.

    Raises:
        NoBundleHere: there is none of it.
        BundleNotFound: there are several. In a checkout, a bundle of another repository is never taken.
    """
    repository = repository_of(start)
    meant = [each for each in entries if is_same_repository(each.origin.repository, repository)] if repository else [*entries]
    if repository and not meant:
        hint = f"Name another with -b: {', '.join(each.name for each in entries)}"
        raise NoBundleHere(f"{none_at(start)}, and none of {repository} is installed.", hint=hint)
    if len({each.digest for each in meant}) > 1:
        meant = [each for each in meant if is_same_repository(each.name, repository)] or meant
    if len({each.digest for each in meant}) > 1:
        raise _several(each.name for each in meant)
    return meant[0]


def _several(names: Iterable[str]) -> BundleNotFound:
    return BundleNotFound("Several bundles are installed and none was named.", hint=f"Name one with -b: {', '.join(sorted(names))}")


def _cached(starts: Sequence[Path], cache: CacheOf) -> list[Located]:
    """The bundles in the cache, those of the repositories that ``starts`` are checkouts of first."""
    found = cache()
    entries = found.entries() if found else []
    if len(entries) > 1:
        around = [repository.casefold() for start in starts if (repository := _repository_around(start))]
        entries.sort(key=lambda each: (each.origin.repository.casefold() not in around, each.name))
    return [_in_cache(each) for each in entries]


@lru_cache(maxsize=64)
def _repository_around(start: Path) -> str:
    """The repository of a checkout, cached: a server asks every second, and a checkout's origin hardly ever changes."""
    return repository_of(start)


def _placed(path: Path, roots: Sequence[Path]) -> Located:
    return Located(path=path, check="sizes" if _is_below(path, roots) else "hashes")


def _in_cache(installed: Installed) -> Located:
    return Located(path=installed.path, check="sizes", installed=installed)


def _installed(roots: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for root in roots:
        if is_bundle(root):
            found.append(root)
            continue
        with suppress(OSError):
            state = root.stat()
            found += [path for path in _listed(root, state.st_ino, state.st_mtime_ns) if is_bundle(path)]
    return found


@lru_cache(maxsize=64)
def _listed(root: Path, inode: int, changed: int) -> tuple[Path, ...]:
    """The entries of a root, sorted. Cached by inode and time, because a server lists the roots every second."""
    return tuple(sorted(root.iterdir()))


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_below(path: Path, roots: Sequence[Path]) -> bool:
    try:
        resolved = path.resolve()
    except ValueError:  # no valid path: it contains a NUL
        return False
    return any(resolved.is_relative_to(root.resolve()) for root in roots)
