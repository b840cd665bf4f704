"""What a user named, or nothing, in; the place of a bundle, and how far to trust it, out.

A bundle that was installed, below one of the roots in ``HARDTACK_BUNDLE_PATH`` or in the user's cache, was hashed then, so opening
it checks sizes alone; any other is hashed in full. The environment is read by the edge, not here, and the cache is asked for only
where nothing nearer is found, because a search should not pay for what it does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.naming import OWN_PLACE, index_name
from hardtack.bundle.reader import Bundle, Check, open_bundle
from hardtack.errors import BundleError, BundleNotFound, PolicyError, SourceError

if TYPE_CHECKING:
    from hardtack.store.cache import BundleCache, Installed

_HINT = "Build one with: hardtack build SRC"
_TRIES = 3

CacheOf = Callable[[], "BundleCache | None"]
"""Gives the user's cache; None where there is no place for one."""


def no_cache() -> None:
    """No cache."""


class Located(NamedTuple):
    """A place that should hold a bundle."""

    path: Path
    check: Check
    installed: Installed | None = None
    """What the cache says of a bundle that lies there."""

    @property
    def name(self) -> str:
        """What the bundle is called."""
        return self.installed.index_name if self.installed else index_name(self.path)

    @property
    def digest(self) -> str | None:
        """Which bundle it has to be; None when it may be any."""
        return self.installed.digest if self.installed else None

    @property
    def key(self) -> Path:
        """What stays the same when a bundle is replaced: its place, or in the cache the record of its name."""
        return self.installed.ref if self.installed else self.path.resolve()


class AtHand(NamedTuple):
    """A bundle that could be opened, or why it could not."""

    name: str
    """What tools and verbs call it."""
    located: Located
    manifest: Manifest | None = None
    """None when it cannot be read."""
    digest: str = ""
    trouble: str = ""
    """Why it cannot be read, one sentence."""


def locate(named: str | None, roots: Sequence[Path], start: Path, cache: CacheOf = no_cache) -> Located:
    """Find a bundle.

    Args:
        named: a bundle's directory, a pack, a directory that was built, or the name or digest of an installed bundle; None looks
            for the bundle of the directory the user stands in, going up, and then for the only one that is installed in the roots,
            or the one in the cache that is of the checkout the user stands in, or the only one there.
        roots: read-only directories of installed bundles; each is a bundle or holds some.
        start: the directory the user stands in.
        cache: gives the user's cache, if it comes to that.

    Raises:
        BundleNotFound: there is none, or there are several to choose from.
        PolicyError: the cache that it comes to can be written by others.
    """
    return _named(named, roots, cache) if named else _nearby(roots, start, cache)


def locate_all(named: Sequence[str], roots: Sequence[Path], starts: Sequence[Path], cache: CacheOf = no_cache) -> list[Located]:
    """Every bundle that is at hand, the one meant first.

    Args:
        named: as for :func:`locate`; when any is named, these are all.
        roots: read-only directories of installed bundles.
        starts: directories a user may stand in; the nearest bundle of each comes before those installed.
        cache: gives the user's cache.

    Raises:
        BundleNotFound: a bundle that was named is not there.
        PolicyError: the cache can be written by others, and there is no bundle but those in it.
    """
    found = [_named(name, roots, cache) for name in named]
    for located in found:
        if not _is_bundle(located.path) and not _is_file(located.path):
            raise BundleNotFound(f"There is no bundle at {located.path}.", hint=_HINT)
    if not named:
        own = (directory / OWN_PLACE for start in starts for directory in (start, *start.parents))
        nearest = next((path for path in own if _is_bundle(path)), None)
        found = [_placed(path, roots) for path in (*([nearest] if nearest else []), *_installed(roots))]
        try:
            found += _cached(starts, cache)
        except (PolicyError, SourceError):
            if not found:
                raise
    first: dict[Path, Located] = {}
    for located in found:
        first.setdefault(located.path, located)
    return [*first.values()]


def at_hand(named: Sequence[str], roots: Sequence[Path], starts: Sequence[Path], cache: CacheOf = no_cache) -> list[AtHand]:
    """What :func:`locate_all` finds, each with its manifest, of which alone is read; a name that comes again gets a number."""
    bundles: dict[str, AtHand] = {}
    for located in locate_all(named, roots, starts, cache):
        name = wanted = located.name
        number = 2
        while name in bundles:
            name, number = f"{wanted}-{number}", number + 1
        try:
            manifest, digest = read_manifest(located.path)
            bundles[name] = AtHand(name=name, located=located, manifest=manifest, digest=digest)
        except BundleError as error:
            bundles[name] = AtHand(name=name, located=located, trouble=str(error))
    return [*bundles.values()]


def open_located(find: Callable[[], Located], *, digest: str | None = None) -> Bundle:
    """Open what is found; found again when what lay there is gone, as an installed bundle may be that was replaced long ago.

    Args:
        find: finds it.
        digest: refuse any bundle but this one.

    Raises:
        BundleError: there is none, or it is not what its manifest says.
    """
    located = find()
    for _ in range(_TRIES):
        try:
            bundle = open_bundle(located.path, check=located.check, digest=digest or located.digest)
        except BundleError:
            before, located = located, find()
            if located == before and (located.installed is None or _is_bundle(located.path)):
                raise
        else:
            bundle.name = located.name
            return bundle
    return open_bundle(located.path, check=located.check, digest=digest or located.digest)


def _named(name: str, roots: Sequence[Path], cache: CacheOf) -> Located:
    path = Path(name)
    if _is_bundle(path):
        return _placed(path, roots)
    if _is_bundle(path / OWN_PLACE):
        return _placed(path / OWN_PLACE, roots)
    if not _is_there(path):
        if path.parent == Path():  # a name, and no path
            for bundle in _installed(roots):
                if bundle.name == name:
                    return _placed(bundle, roots)
        found = cache()
        if found and (installed := _called(name, found.entries())):
            return _in_cache(installed)
    return _placed(path, roots)


def _called(name: str, entries: Sequence[Installed]) -> Installed | None:
    """The installed bundle of that name or digest: its whole name, else what tools call it, else the end of its name.

    Raises:
        BundleNotFound: several are called that.
    """
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
    for directory in (start, *start.parents):
        if _is_bundle(directory / OWN_PLACE):
            return _placed(directory / OWN_PLACE, roots)
    installed = _installed(roots)
    if len(installed) == 1:
        return _placed(installed[0], roots)
    if installed:
        raise _several(bundle.name for bundle in installed)
    found = cache()
    if entries := found.entries() if found else []:
        return _in_cache(_of_checkout(entries, start))
    raise BundleNotFound(f"There is no bundle in or above {start}.", hint=_HINT)


def _of_checkout(entries: Sequence[Installed], start: Path) -> Installed:
    """The installed bundle that is of the checkout around ``start``; outside of any, the only one.

    Raises:
        BundleNotFound: it cannot be told which is meant. In a checkout, no bundle of another repository ever is.
    """
    from hardtack.store.checkout import repository_of  # who finds a bundle nearer does without the two
    from hardtack.store.records import is_same_repository

    repository = repository_of(start)
    meant = [each for each in entries if is_same_repository(each.origin.repository, repository)] if repository else [*entries]
    if repository and not meant:
        hint = f"Name another with -b: {', '.join(each.name for each in entries)}"
        raise BundleNotFound(f"There is no bundle in or above {start}, and none of {repository} is installed.", hint=hint)
    if len({each.digest for each in meant}) > 1:
        meant = [each for each in meant if is_same_repository(each.name, repository)] or meant
    if len({each.digest for each in meant}) > 1:
        raise _several(each.name for each in meant)
    return meant[0]


def _several(names: Iterable[str]) -> BundleNotFound:
    return BundleNotFound("Several bundles are installed and none was named.", hint=f"Name one with -b: {', '.join(sorted(names))}")


def _cached(starts: Sequence[Path], cache: CacheOf) -> list[Located]:
    """All that are in the cache, those of the checkouts around ``starts`` first."""
    found = cache()
    entries = found.entries() if found else []
    if len(entries) > 1:
        around = [repository.casefold() for start in starts if (repository := _repository_around(start))]
        entries.sort(key=lambda each: (each.origin.repository.casefold() not in around, each.name))
    return [_in_cache(each) for each in entries]


@lru_cache(maxsize=64)
def _repository_around(start: Path) -> str:
    """A server asks every second; a checkout does not become another's."""
    from hardtack.store.checkout import repository_of

    return repository_of(start)


def _placed(path: Path, roots: Sequence[Path]) -> Located:
    return Located(path=path, check="sizes" if _is_below(path, roots) else "hashes")


def _in_cache(installed: Installed) -> Located:
    return Located(path=installed.path, check="sizes", installed=installed)


def _installed(roots: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for root in roots:
        if _is_bundle(root):
            found.append(root)
            continue
        with suppress(OSError):
            state = root.stat()
            found += [path for path in _listed(root, state.st_ino, state.st_mtime_ns) if _is_bundle(path)]
    return found


@lru_cache(maxsize=64)
def _listed(root: Path, inode: int, changed: int) -> tuple[Path, ...]:
    """What lies in a root, in order; a server looks every second, and the disk is asked again only when something came or went."""
    return tuple(sorted(root.iterdir()))


def _is_bundle(path: Path) -> bool:
    """Whether a bundle seems to lie there; what may not be looked into, or cannot be a path, is none."""
    return _is_file(path / layout.MANIFEST)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_below(path: Path, roots: Sequence[Path]) -> bool:
    try:
        resolved = path.resolve()
    except ValueError:  # no path at all
        return False
    return any(resolved.is_relative_to(root.resolve()) for root in roots)
