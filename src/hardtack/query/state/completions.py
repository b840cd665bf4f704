"""The start of a path, name, package or language in, its completions out, from the tables that ranking uses too.

This is no search: completions start with the typed text. Paths are also completed by a word of their base names. Names that start
with it in the same case come first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final
from weakref import WeakKeyDictionary

from hardtack.bundle.indexes.names import Family
from hardtack.bundle.reader import Bundle
from hardtack.query.lookup.symbols import symbols_within
from hardtack.text import whole_name

_READ_PER_RESULT: Final = 20
"""Symbols that are read for each completion that is wanted, as many symbols share a name."""


def path_position(bundle: Bundle, path: str) -> int:
    """Number of files whose paths sort before ``path``: its ordinal, if there is such a file."""
    files = range(bundle.manifest.counts.files)
    return bisect_left(files, _sort_key(path), key=lambda ordinal: _sort_key(bundle.file(ordinal).path))


def paths_from(bundle: Bundle, prefix: str, most: int) -> list[str]:
    """Paths that start with it, in order; then those with a word in their base names that does."""
    return _distinct(_paths(bundle, prefix), most)


def names_from(bundle: Bundle, prefix: str, most: int) -> list[str]:
    """Names of symbols that start with it; for ``Type.`` and more, the qualified names of members of the type."""
    return _distinct(_members(bundle, prefix) if "." in prefix else _names(bundle, prefix, most), most)


def packages_from(bundle: Bundle, prefix: str, most: int) -> list[str]:
    """Packages that start with it, in order; then those with a later part that does."""
    packages, folded = _packages(bundle), prefix.lower()
    first = (package for package in packages if package.lower().startswith(folded))
    later = (package for package in packages if f".{folded}" in package.lower().replace("/", ".").replace("\\", "."))
    return _distinct(chain(first, later), most)


def languages_from(bundle: Bundle, prefix: str, most: int) -> list[str]:
    """Ids of the bundle's languages that start with it, in any case."""
    languages = (language.id for language in bundle.manifest.languages)
    return [language for language in languages if language.startswith(prefix.lower())][:most]


def _paths(bundle: Bundle, prefix: str) -> Iterator[str]:
    for ordinal in range(path_position(bundle, prefix), bundle.manifest.counts.files):
        path = bundle.file(ordinal).path
        if not path.startswith(prefix):
            break
        yield path
    word = prefix.lower()
    for row in bundle.names.rows_from(word) if word.isalnum() else ():
        for ordinal in bundle.names.postings(Family.STEM, row).tolist():
            yield bundle.file(ordinal).path


def _names(bundle: Bundle, prefix: str, most: int) -> Iterator[str]:
    """Names that start with it in the same case, then in another; short ones first."""
    found: dict[str, None] = {}
    for row in bundle.names.rows_from(whole_name(prefix)):
        for ordinal in bundle.names.postings(Family.WHOLE, row)[:_READ_PER_RESULT].tolist():
            found[bundle.symbol_name(ordinal).name] = None
        if len(found) >= most * _READ_PER_RESULT:
            break
    return iter(sorted(found, key=lambda name: (not name.startswith(prefix), len(name), name)))


def _members(bundle: Bundle, prefix: str) -> Iterator[str]:
    owner = prefix.rpartition(".")[0]
    names = (bundle.symbol_name(ordinal).qualified_name for ordinal in symbols_within(bundle, owner))
    return (name for name in names if name.lower().startswith(prefix.lower()))


_packages_of: WeakKeyDictionary[Bundle, tuple[str, ...]] = WeakKeyDictionary()
"""The packages of each open bundle."""


def _packages(bundle: Bundle) -> tuple[str, ...]:
    """Every package that a file declares; for files that declare none, the dotted paths of their folders."""
    if known := _packages_of.get(bundle):
        return known
    files = (bundle.file(ordinal) for ordinal in range(bundle.manifest.counts.files))
    homes = {file.package or file.path.rpartition("/")[0].replace("/", ".") for file in files}
    return _packages_of.setdefault(bundle, tuple(sorted(homes - {""})))


def _sort_key(path: str) -> bytes:
    """Files are in byte order of their paths. A typed path may contain surrogates, which plain UTF-8 does not encode."""
    return path.encode("utf-8", "surrogatepass")


def _distinct(found: Iterable[str], most: int) -> list[str]:
    """The first ``most`` different texts, out of a limited number that is read."""
    return list(islice(dict.fromkeys(islice(found, most * _READ_PER_RESULT)), most))
