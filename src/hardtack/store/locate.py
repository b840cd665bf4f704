"""What a user named, or nothing, in; the place of a bundle, and how far to trust it, out.

A bundle below one of the roots in ``HARDTACK_BUNDLE_PATH`` was hashed by whoever installed it there, so opening it checks sizes
alone; any other is hashed in full. The environment is read by the edge, not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hardtack.bundle import layout
from hardtack.bundle.reader import Check
from hardtack.errors import BundleNotFound

_OWN = Path(".hardtack", "bundle")
_HINT = "Build one with: hardtack build SRC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A place that should hold a bundle."""

    path: Path
    check: Check


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


def _named(name: str, roots: Sequence[Path]) -> Path:
    path = Path(name)
    if not _is_bundle(path):
        if _is_bundle(path / _OWN):
            return path / _OWN
        if path.parent == Path() and not path.exists():
            for bundle in _installed(roots):
                if bundle.name == name:
                    return bundle
    return path


def _nearby(roots: Sequence[Path], start: Path) -> Path:
    for directory in (start, *start.parents):
        if _is_bundle(directory / _OWN):
            return directory / _OWN
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
        elif root.is_dir():
            found += [path for path in sorted(root.iterdir()) if _is_bundle(path)]
    return found


def _is_bundle(path: Path) -> bool:
    return (path / layout.MANIFEST).is_file()


def _is_below(path: Path, roots: Sequence[Path]) -> bool:
    resolved = path.resolve()
    return any(resolved.is_relative_to(root.resolve()) for root in roots)
