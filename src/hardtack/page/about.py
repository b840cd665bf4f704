"""A bundle in, what it says of itself out: where it comes from, what it holds, what was left out and what was taken out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.statistics import created_at
from hardtack.page.addresses import Addresses, Here, card_anchor, definition_anchor
from hardtack.page.uses import Uses
from hardtack.render.stats import encodings_of, history_of, readable_size, source_of
from hardtack.render.style import inert_line

_SKIPS: Final = 500
"""Paths that the list of what was left out names."""
_OPTION: Final = 300
"""Characters of an option's value."""
_MOST_USED: Final = 20


class Fact(NamedTuple):
    """A line of a list."""

    label: str
    text: str


class Skip(NamedTuple):
    """A path that the build left out."""

    path: str
    reason: str
    detail: str


class Language(NamedTuple):
    """A language of the bundle."""

    name: str
    files: int
    lines: int


class MostUsed(NamedTuple):
    """A symbol that much else uses."""

    name: str
    kind: str
    href: str
    card: str
    place: str
    uses: int


class About(NamedTuple):
    """All that is said of a bundle as a whole."""

    facts: tuple[Fact, ...]
    options: tuple[Fact, ...]
    languages: tuple[Language, ...]
    parsed: tuple[Fact, ...]
    skipped: tuple[Fact, ...]
    """Reason and number of paths."""
    skips: tuple[Skip, ...]
    skips_more: int
    secrets: str
    found: tuple[Fact, ...]
    """Rule and number of secrets."""


def about(bundle: Bundle) -> About:
    """What a bundle says of itself."""
    manifest = bundle.manifest
    languages = sorted(manifest.languages, key=lambda each: (-each.lines, each.id))
    skips = tuple(
        Skip(inert_line(each.path), inert_line(each.reason), inert_line(each.detail))
        for each in map(bundle.skips.skip, range(min(len(bundle.skips), _SKIPS)))
    )
    return About(
        facts=tuple(_facts(bundle)),
        options=tuple(Fact(inert_line(name), _option(value)) for name, value in sorted(manifest.options.items())),
        languages=tuple(Language(inert_line(each.name), each.files, each.lines) for each in languages),
        parsed=_counted(manifest.parse_status),
        skipped=_counted(manifest.skipped),
        skips=skips,
        skips_more=len(bundle.skips) - len(skips),
        secrets=_secrets(bundle),
        found=_counted(manifest.secrets.found) if manifest.secrets else (),
    )


def _facts(bundle: Bundle) -> Iterator[Fact]:
    manifest = bundle.manifest
    counts, encoder = manifest.counts, manifest.encoder
    yield Fact("Source", source_of(manifest.provenance))
    if made := created_at(manifest.provenance):
        yield Fact("Commit time", made)
    yield Fact("Digest", bundle.digest)
    yield Fact("Built by", f"{inert_line(manifest.tool)}, format {manifest.format_version}")
    yield Fact("Holds", f"{counts.files:,} files, {counts.symbols:,} symbols, {readable_size(counts.text_bytes)} of text")
    yield Fact("Encoder", f"{inert_line(encoder.name)}, {encoder.dimension} dimensions" if encoder else "none (keyword only)")
    if said := history_of(manifest):
        yield Fact("History", said)
    if said := encodings_of(manifest):
        yield Fact("Encodings", said.removeprefix("encodings: "))
    for project in manifest.projects[:10]:
        words = (project.ecosystem, project.name, project.version)
        yield Fact("Project", f"{' '.join(inert_line(each) for each in words if each)} ({inert_line(project.path)})")
    if len(manifest.projects) > 10:
        yield Fact("Project", f"and {len(manifest.projects) - 10} more")


def _option(value: object) -> str:
    text = inert_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True))
    return text if len(text) <= _OPTION else f"{text[:_OPTION]} …"


def _counted(counts: Mapping[str, int]) -> tuple[Fact, ...]:
    pairs = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Fact(inert_line(name), f"{count:,}") for name, count in pairs)


def _secrets(bundle: Bundle) -> str:
    """What was done with secrets, one sentence."""
    secrets = bundle.manifest.secrets
    if secrets is None:
        return "The builder of this bundle looked for no secrets."
    number = sum(secrets.found.values())
    if not number:
        return "The build found no secret."
    found = f"{number:,} secret{'s' if number > 1 else ''}"
    if secrets.mode == "redact":
        return f"The build took out {found}: a marker stands in the place of each, and files that are secrets were left out."
    return f"The build found {found} and left them where they are (secrets: {inert_line(secrets.mode)})."


def most_used(bundle: Bundle, uses: Uses, addresses: Addresses, here: Here) -> Iterator[MostUsed]:
    """The symbols of most uses that are in no test, the most first."""
    own = (each for each in uses.most_used() if not bundle.file(bundle.symbol(each).file).is_test)
    for ordinal in islice(own, _MOST_USED):
        symbol = bundle.symbol(ordinal)
        file = bundle.file(symbol.file)
        number = ordinal - file.first_symbol
        page = addresses.file(symbol.file)
        yield MostUsed(
            name=inert_line(symbol.qualified_name),
            kind=symbol.kind.value,
            href=addresses.to(page, here, definition_anchor(number)),
            card=addresses.to(page, here, card_anchor(number)),
            place=f"{inert_line(file.path)}:{symbol.selection_line}",
            uses=uses.count_of(ordinal),
        )
