"""The catalogue of a place of many bundles <-> its entries: one static file, by which the few that may answer are found.

    f1/catalogue.json    {"format": 1, "bundles": [...]}, by repository, directory and profile; replaced by each publish

A catalogue is untrusted: it says which bundles are worth opening, and each is verified when it is opened. It is bounded: where the
entries would take more than :data:`MOST_BYTES`, each names fewer words and symbols, the same number of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from hardtack.bundle.format.digest import canonical_json, is_digest
from hardtack.bundle.telling import MOST_SYMBOLS, MOST_WORDS, telling_of
from hardtack.errors import PolicyError
from hardtack.git import is_commit
from hardtack.nouns.catalogue import CatalogueEntry, Telling
from hardtack.store.sources.pointer import FORMAT, check_format, demand, fault, profile_of

if TYPE_CHECKING:
    from hardtack.bundle.format.manifest import LanguageCount
    from hardtack.bundle.reader import Bundle

MOST_BYTES: Final = 64 << 20
MOST_BUNDLES: Final = 50_000
_LONGEST_TEXT: Final = 1000
_LONGEST_LIST: Final = 1 << 17
"""Characters of an entry's words, symbols or languages."""
_MOST_LANGUAGES: Final = 8
_TEXTS: Final = ("repository", "root", "profile")
_NUMBERS: Final = ("commit_time", "size", "files")


def entry_of(bundle: Bundle, *, pack_digest: str = "", size: int = 0) -> CatalogueEntry:
    """What a catalogue says of an open bundle.

    Args:
        bundle: the bundle.
        pack_digest: of the pack that it lies in.
        size: bytes of that pack; of a bundle without one, its members count.

    Raises:
        FormatError: a member breaks the format.
    """
    manifest = bundle.manifest
    provenance = manifest.provenance
    return CatalogueEntry(
        repository=provenance.repository,
        root=provenance.subdirectory,
        profile=profile_of(manifest),
        commit=provenance.commit,
        commit_time=provenance.commit_time or 0,
        bundle_digest=bundle.digest,
        pack_digest=pack_digest,
        size=size or sum(member.size for member in manifest.members),
        files=manifest.counts.files,
        languages=_most_of(manifest.languages),
        telling=telling_of(bundle),
    )


def with_entries(entries: Iterable[CatalogueEntry], news: Iterable[CatalogueEntry]) -> list[CatalogueEntry]:
    """The entries with each of ``news`` in place of the one of its repository, directory and profile, unless that is newer."""
    held = {each.key: each for each in entries}
    for entry in news:
        before = held.get(entry.key)
        if before is None or before.commit_time <= entry.commit_time:
            held[entry.key] = entry
    return sorted(held.values(), key=lambda each: each.key)


def are_named(entries: Iterable[CatalogueEntry], news: Iterable[CatalogueEntry]) -> bool:
    """Whether the entries name each of ``news``, or a newer bundle of the same repository, directory and profile."""
    held = {each.key: each for each in entries}

    def is_named(entry: CatalogueEntry) -> bool:
        there = held.get(entry.key)
        if there is None or there.commit_time > entry.commit_time:
            return there is not None
        return (there.bundle_digest, there.pack_digest) == (entry.bundle_digest, entry.pack_digest)

    return all(map(is_named, news))


def render_catalogue(entries: Iterable[CatalogueEntry], *, most: int = MOST_BYTES) -> bytes:
    """The catalogue as canonical JSON of at most ``most`` bytes: equal entries give equal bytes.

    Raises:
        PolicyError: there are more than :data:`MOST_BUNDLES` entries, or they do not fit without a word.
    """
    listed = sorted(entries, key=lambda each: each.key)
    if len(listed) > MOST_BUNDLES:
        raise PolicyError(f"A catalogue names {MOST_BUNDLES} bundles at most.", hint="Publish to several places.")
    words, symbols = MOST_WORDS, MOST_SYMBOLS
    while True:
        data = canonical_json({"format": FORMAT, "bundles": [_document_of(each, words, symbols) for each in listed]})
        if len(data) <= most:
            return data
        if not words:
            raise PolicyError(f"The catalogue has more than {most} bytes.", hint="Publish to several places.")
        words, symbols = words // 2, symbols // 2


def parse_catalogue(document: Mapping[str, Any], address: str) -> list[CatalogueEntry]:
    """The entries of a catalogue that a stranger may have written. Unknown fields are ignored, for later versions.

    Raises:
        UnsupportedFormat: it has another format version.
        FormatError: a field is missing or invalid; ``field`` names it.
    """
    check_format(document, address)
    bundles = document.get("bundles")
    if not isinstance(bundles, list) or len(bundles) > MOST_BUNDLES:
        raise fault(address, "bundles")
    entries = [_entry_in(each, address) for each in bundles]
    if len({each.key for each in entries}) < len(entries):
        raise fault(address, "bundles")
    return entries


def _most_of(languages: Iterable[LanguageCount]) -> tuple[str, ...]:
    most = sorted(languages, key=lambda each: (-each.files, each.id))
    return tuple(each.id for each in most[:_MOST_LANGUAGES])


def _document_of(entry: CatalogueEntry, words: int, symbols: int) -> dict[str, Any]:
    # Lists are single strings: thirty strings an entry in place of a thousand.
    return {
        **{name: getattr(entry, name) for name in (*_TEXTS, *_NUMBERS, "commit", "bundle_digest", "pack_digest")},
        "languages": " ".join(entry.languages),
        "words": " ".join(entry.telling.words[:words]),
        "symbols": " ".join(entry.telling.symbols[:symbols]),
    }


def _entry_in(document: object, address: str) -> CatalogueEntry:
    if not isinstance(document, dict):
        raise fault(address, "bundles")
    for name in _TEXTS:
        value = document.get(name)
        demand(isinstance(value, str) and len(value) <= _LONGEST_TEXT and (not value or value.isprintable()), address, name)
    for name in _NUMBERS:
        value = document.get(name)
        demand(type(value) is int and 0 <= value < 1 << 63, address, name)
    for name in ("languages", "words", "symbols"):
        value = document.get(name)
        demand(isinstance(value, str) and len(value) <= _LONGEST_LIST and (not value or value.isprintable()), address, name)
    demand(document.get("commit") == "" or is_commit(document.get("commit")), address, "commit")
    for name in ("bundle_digest", "pack_digest"):
        value = document.get(name)
        demand(isinstance(value, str) and (is_digest(value) or (not value and name == "pack_digest")), address, name)
    telling = Telling(tuple(document["words"].split()[:MOST_WORDS]), tuple(document["symbols"].split()[:MOST_SYMBOLS]))
    languages = tuple(document["languages"].split()[:_MOST_LANGUAGES])
    simple = {name: document[name] for name in (*_TEXTS, *_NUMBERS, "commit", "bundle_digest", "pack_digest")}
    return CatalogueEntry(**simple, languages=languages, telling=telling)
