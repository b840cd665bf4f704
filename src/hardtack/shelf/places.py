"""The bundles that a user named in, where each lies and what a catalogue says of it out.

    A directory of bundles    its catalogue, where it was published to; else every bundle and pack in it
    Entries                   from the catalogue, else from the user's cache, else from the bundle, which is opened for it once

What a catalogue says decides which bundles are opened, no more: each is verified against its digest when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.pack import is_pack, open_pack
from hardtack.bundle.integrity import read_manifest_bytes
from hardtack.bundle.naming import CATALOGUE_PLACE, distinct_names, fitting_index_name
from hardtack.errors import BundleError, BundleNotFound, PolicyError
from hardtack.nouns.catalogue import CatalogueEntry
from hardtack.store.entries import KeptEntries
from hardtack.store.in_checkouts import CacheOf, is_bundle
from hardtack.store.locate import Located, open_located
from hardtack.store.sources.catalogue import MOST_BUNDLES, MOST_BYTES, entry_of, parse_catalogue
from hardtack.store.sources.folder import Folder
from hardtack.store.sources.pointer import pack_path


class Shelved(NamedTuple):
    """A bundle on a shelf, not opened yet."""

    name: str
    """Unique among those of the shelf."""
    located: Located
    entry: CatalogueEntry


def gathered(places: Sequence[Located | Path], cache: CacheOf, notice: Callable[[int], None]) -> tuple[list[Shelved], list[str]]:
    """The bundles of several places, each once, and one sentence for each that is left out.

    Args:
        places: bundles that were found, and directories of bundles (:func:`hardtack.store.in_checkouts.is_shelf`).
        cache: returns the user's cache, which keeps what was read of bundles before, and says what the user built.
        notice: called with the number of bundles that have to be opened, before they are, where there are any.

    Raises:
        BundleNotFound: none of them can be read.
        FormatError, PolicyError: a catalogue is not what it should be.
        SourceError: a catalogue cannot be read.
    """
    catalogued: list[tuple[Located, CatalogueEntry]] = []
    found: list[Located] = []
    beside: list[str] = []
    for place in places:
        if isinstance(place, Located):
            found.append(place)
            continue
        loose = sorted(_bundles_in(place))
        if (document := Folder(place).read_json(CATALOGUE_PLACE, MOST_BYTES)) is None:
            found += (Located(path=path, check="hashes") for path in loose)
            continue
        entries = parse_catalogue(document, str(place / CATALOGUE_PLACE))
        packed = (each for each in entries if each.pack_digest)
        catalogued += ((Located(path=place / pack_path(each.pack_digest), check="hashes"), each) for each in packed)
        beside += (f"{path.name} is left out: it lies beside a catalogue that does not name it." for path in loose)
    read, troubles = _with_entries(found, cache, notice)
    placed = {located.key: (located, entry) for located, entry in (*catalogued, *read)}
    if not placed:
        raise BundleNotFound("None of the bundles can be read.", hint=" ".join(troubles[:1]))
    names = distinct_names(_name_of(*each) for each in placed.values())
    return [Shelved(name, *each) for name, each in zip(names, placed.values(), strict=True)], [*beside, *troubles]


def _with_entries(
    found: Sequence[Located], cache: CacheOf, notice: Callable[[int], None]
) -> tuple[list[tuple[Located, CatalogueEntry]], list[str]]:
    """Bundles that were found, each with its entry, and one sentence for each that cannot be read."""
    kept = KeptEntries(cache)
    troubles: list[str] = []
    digests: list[tuple[Located, str]] = []
    for located in found:
        try:
            digests.append((located, located.digest or _digest_at(located.path)))
        except BundleError as error:
            troubles.append(f"{located.name} is left out: {error}")
    known = {digest: entry for _, digest in digests if (entry := kept.find(digest)) is not None}
    if missing := sum(digest not in known for _, digest in digests):
        notice(missing)
    placed: list[tuple[Located, CatalogueEntry]] = []
    for located, digest in digests:
        try:
            placed.append((located, known.get(digest) or _read(located, digest, kept, cache)))
        except (BundleError, PolicyError) as error:
            troubles.append(f"{located.name} is left out: {error}")
    return placed, troubles


def _read(located: Located, digest: str, kept: KeptEntries, cache: CacheOf) -> CatalogueEntry:
    """The entry of a bundle, which is opened for it."""
    with open_located(lambda: located, digest=digest, cache=cache) as bundle:
        entry = entry_of(bundle)
    kept.keep(entry)
    return entry


def _digest_at(path: Path) -> str:
    if not is_pack(path):
        return digest_of(read_manifest_bytes(path))
    with open_pack(path) as pack:
        return pack.bundle_digest


def _bundles_in(directory: Path) -> Iterator[Path]:
    for number, path in enumerate(directory.iterdir()):
        if number >= MOST_BUNDLES:
            raise PolicyError(f"{directory} has more than {MOST_BUNDLES} entries.", hint="Name some of the bundles with -b.")
        if is_bundle(path) or is_pack(path):
            yield path


def _name_of(located: Located, entry: CatalogueEntry) -> str:
    """The name of a bundle: of a published one its repository's, else that of its directory."""
    place = "/".join(filter(None, (entry.repository.partition("/")[2], entry.root)))
    return fitting_index_name(place.replace("/", "-")) if entry.pack_digest and place else located.name
