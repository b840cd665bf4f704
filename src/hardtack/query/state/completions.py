"""The beginning of a path, a name or a package in, what it may become out: at once, from the tables that ranking uses anyway.

Deliberately no search: what is offered begins as was typed, for a path also its base name does, and what begins in the same case
comes first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final
from weakref import WeakKeyDictionary

from hardtack.bundle.indexes.names import Family
from hardtack.bundle.reader import Bundle
from hardtack.text.terms import whole_name

_LOOKED_AT: Final = 20
"""Symbols that are looked at for each name that is wanted: one name has many."""


def path_position(bundle: Bundle, path: str) -> int:
    """How many files' paths come before ``path``: its ordinal, if there is such a file."""
    return bisect_left(range(bundle.manifest.counts.files), path.encode("utf-8", "surrogatepass"), key=lambda at: _key(bundle, at))


def paths_from(bundle: Bundle, beginning: str, most: int) -> list[str]:
    """Paths that begin so, in order, then those whose base names have a word that does."""
    return _distinct(_paths(bundle, beginning), most)


def names_from(bundle: Bundle, beginning: str, most: int) -> list[str]:
    """Names of symbols that begin so; after ``Type.`` the qualified names of its members."""
    return _distinct(_members(bundle, beginning) if "." in beginning else _names(bundle, beginning, most), most)


def packages_from(bundle: Bundle, beginning: str, most: int) -> list[str]:
    """Packages that begin so, in order, then those of which a later part does."""
    packages, folded = _packages(bundle), beginning.lower()
    first = (package for package in packages if package.lower().startswith(folded))
    later = (package for package in packages if f".{folded}" in package.lower().replace("/", ".").replace("\\", "."))
    return _distinct((each for some in (first, later) for each in some), most)


def languages_from(bundle: Bundle, beginning: str, most: int) -> list[str]:
    """Ids of the bundle's languages that begin so, in any case."""
    languages = (language.id for language in bundle.manifest.languages)
    return [language for language in languages if language.startswith(beginning.lower())][:most]


def _paths(bundle: Bundle, beginning: str) -> Iterator[str]:
    for ordinal in range(path_position(bundle, beginning), bundle.manifest.counts.files):
        path = bundle.file(ordinal).path
        if not path.startswith(beginning):
            break
        yield path
    word = beginning.lower()
    for row in bundle.names.rows_from(word) if word.isalnum() else ():
        for ordinal in bundle.names.postings(Family.STEM, row).tolist():
            yield bundle.file(ordinal).path


def _names(bundle: Bundle, beginning: str, most: int) -> Iterator[str]:
    """Those that begin so in the same case, then the others."""
    found: dict[str, None] = {}
    for row in bundle.names.rows_from(whole_name(beginning)):
        for ordinal in bundle.names.postings(Family.WHOLE, row)[:_LOOKED_AT].tolist():
            found[bundle.symbol_name(ordinal).name] = None
        if len(found) >= most * _LOOKED_AT:
            break
    return iter(sorted(found, key=lambda name: (not name.startswith(beginning), len(name), name)))


def _members(bundle: Bundle, beginning: str) -> Iterator[str]:
    owner = beginning.rpartition(".")[0]
    names = (bundle.symbol_name(ordinal).qualified_name for ordinal in bundle.symbols_within(owner))
    return (name for name in names if name.lower().startswith(beginning.lower()))


_packages_of: WeakKeyDictionary[Bundle, tuple[str, ...]] = WeakKeyDictionary()
"""What is derived from the files of each bundle that is open, for as long as it is."""


def _packages(bundle: Bundle) -> tuple[str, ...]:
    """Every package that a file says it is of; of files that say none, the folders."""
    if known := _packages_of.get(bundle):
        return known
    files = (bundle.file(ordinal) for ordinal in range(bundle.manifest.counts.files))
    homes = {file.package or file.path.rpartition("/")[0].replace("/", ".") for file in files}
    return _packages_of.setdefault(bundle, tuple(sorted(homes - {""})))


def _key(bundle: Bundle, ordinal: int) -> bytes:
    return bundle.file(ordinal).path.encode("utf-8", "surrogatepass")


def _distinct(found: Iterable[str], most: int) -> list[str]:
    return list(islice(dict.fromkeys(islice(found, most * _LOOKED_AT)), most))
