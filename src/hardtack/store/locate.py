"""What a user named, or nothing, in; the place of a bundle, and how far to trust it, out.

A bundle below one of the roots in ``HARDTACK_BUNDLE_PATH`` was hashed by whoever installed it there, so opening it checks sizes
alone; any other is hashed in full. The environment is read by the edge, not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hardtack.bundle import layout
from hardtack.bundle.manifest import Manifest
from hardtack.bundle.naming import OWN_PLACE, index_name
from hardtack.bundle.reader import Check
from hardtack.bundle.verify import read_manifest
from hardtack.errors import BundleError, BundleNotFound

_HINT = "Build one with: hardtack build SRC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A place that should hold a bundle."""

    path: Path
    check: Check


@dataclass(frozen=True, slots=True, kw_only=True)
class AtHand:
    """A bundle that could be opened, or why it could not."""

    name: str
    """What tools and verbs call it."""
    located: Located
    manifest: Manifest | None = None
    """None when it cannot be read."""
    digest: str = ""
    trouble: str = ""
    """Why it cannot be read, one sentence."""


def locate(named: str | None, roots: Sequence[Path], start: Path) -> Located:
    """Find a bundle.

    Args:
        named: a bundle's directory, a directory that was built, or the name of a bundle in one of the roots; None looks for the
            bundle of the directory the user stands in, going up, and then for the only bundle in the roots.
        roots: read-only directories of installed bundles; each is a bundle or holds some.
        start: the directory the user stands in.

    Raises:
        BundleNotFound: there is none, or there are several to choose from.
    """
    path = _named(named, roots) if named else _nearby(roots, start)
    return Located(path=path, check="sizes" if _is_below(path, roots) else "hashes")


def locate_all(named: Sequence[str], roots: Sequence[Path], starts: Sequence[Path]) -> list[Located]:
    """Every bundle that is at hand, the one meant first.

    Args:
        named: as for :func:`locate`; when any is named, these are all.
        roots: read-only directories of installed bundles.
        starts: directories a user may stand in; the nearest bundle of each comes before those installed.

    Raises:
        BundleNotFound: a bundle that was named is not there.
    """
    found = [_named(name, roots) for name in named]
    for path in found:
        if not _is_bundle(path):
            raise BundleNotFound(f"There is no bundle at {path}.", hint=_HINT)
    if not named:
        own = (directory / OWN_PLACE for start in starts for directory in (start, *start.parents))
        nearest = next((path for path in own if _is_bundle(path)), None)
        found = [*([nearest] if nearest else []), *_installed(roots)]
    return [Located(path=path, check="sizes" if _is_below(path, roots) else "hashes") for path in dict.fromkeys(found)]


def at_hand(named: Sequence[str], roots: Sequence[Path], starts: Sequence[Path]) -> list[AtHand]:
    """What :func:`locate_all` finds, each with its manifest, of which alone is read; a name that comes again gets a number."""
    bundles: dict[str, AtHand] = {}
    for located in locate_all(named, roots, starts):
        name = wanted = index_name(located.path)
        number = 2
        while name in bundles:
            name, number = f"{wanted}-{number}", number + 1
        try:
            manifest, digest = read_manifest(located.path)
            bundles[name] = AtHand(name=name, located=located, manifest=manifest, digest=digest)
        except BundleError as error:
            bundles[name] = AtHand(name=name, located=located, trouble=str(error))
    return [*bundles.values()]


def _named(name: str, roots: Sequence[Path]) -> Path:
    path = Path(name)
    if not _is_bundle(path):
        if _is_bundle(path / OWN_PLACE):
            return path / OWN_PLACE
        if path.parent == Path() and not path.exists():
            for bundle in _installed(roots):
                if bundle.name == name:
                    return bundle
    return path


def _nearby(roots: Sequence[Path], start: Path) -> Path:
    for directory in (start, *start.parents):
        if _is_bundle(directory / OWN_PLACE):
            return directory / OWN_PLACE
    installed = _installed(roots)
    if len(installed) == 1:
        return installed[0]
    if installed:
        names = ", ".join(sorted(bundle.name for bundle in installed))
        raise BundleNotFound("Several bundles are installed and none was named.", hint=f"Name one with -b: {names}")
    raise BundleNotFound(f"There is no bundle in or above {start}.", hint=_HINT)


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
    try:
        return (path / layout.MANIFEST).is_file()
    except (OSError, ValueError):
        return False


def _is_below(path: Path, roots: Sequence[Path]) -> bool:
    resolved = path.resolve()
    return any(resolved.is_relative_to(root.resolve()) for root in roots)
