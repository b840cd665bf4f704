"""Indexes and the bundle's files in, one by one, what all of them say out: the one way into this package for a build.

An index names its files from the root of its project, which may be a directory of the bundle's tree or around it. Each directory at
the end of that root's path is tried as the place, and the one where most files fit is taken: no place on this machine decides.
Where several indexes speak of a place, the first of them decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.scip.documents import Reading, Said
from hardtack.build.scip.index_file import indexers_of
from hardtack.build.scip.symbols import SymbolTable

if TYPE_CHECKING:
    from hardtack.build.scip.index_file import IndexFile
    from hardtack.bundle.format.manifest import Indexer
    from hardtack.bundle.writer import IndexedFile
    from hardtack.nouns.model import Provenance
    from hardtack.nouns.outline import SourceFile

_SPARE: Final = 1 << 16
_MOST_SAID: Final = 256
"""Bytes that a document may have for each byte of its file, and beyond; ten are many."""
_AROUND: Final = "/"
"""Begins the name of a place from which paths are those of the whole repository, of which the bundle has a directory."""


class DefinitionSite(NamedTuple):
    """A place that defines a symbol of an index."""

    file: int
    symbol: int
    """Index of the file's symbol that has its name there, or -1."""
    holder: int
    """Index of the innermost one around it, or -1."""


@dataclass(slots=True)
class Knowledge:
    """What indexes say of a bundle's files."""

    said: dict[int, list[Said]] = field(default_factory=dict)
    """By ordinal of the file, that of the first index first."""
    definitions: dict[int, list[DefinitionSite]] = field(default_factory=dict)
    """By number of a symbol."""
    aliases: dict[int, list[int]] = field(default_factory=dict)
    """By number of a member of an object literal: the variables that it is."""
    uncertain: set[int] = field(default_factory=set)
    """Symbols that are defined in files whose documents do not fit."""
    packages: Sequence[int] = ()
    """By number of a symbol: that of its package; -1 for one of a single document."""
    package_names: Sequence[str] = ()


@dataclass(slots=True)
class _AtPlace:
    """What an index says if its project lies in one directory."""

    said: dict[int, Said] = field(default_factory=dict)
    strange: dict[int, tuple[str, str, int]] = field(default_factory=dict)
    """By file: the paths of those that do not fit, here and in the index, and their sizes."""


class CompilerIndexes:
    """The indexes of one attempt to build a bundle."""

    def __init__(self, files: Sequence[IndexFile], provenance: Provenance) -> None:
        self._files = files
        self._subdirectory = provenance.subdirectory
        self._table = SymbolTable()
        self._reading = Reading(self._table)
        self._places: list[dict[str, _AtPlace]] = [{} for _ in files]
        self._prefixes = [_prefixes_of(each.root, provenance) for each in files]

    @property
    def indexers(self) -> tuple[Indexer, ...]:
        """What the manifest says of the indexes."""
        return indexers_of(self._files)

    def read(self, number: int, file: SourceFile, indexed: IndexedFile) -> None:
        """Read what the indexes say of the bundle's next file; ``number`` is its ordinal."""
        for index, (opened, places, prefixes) in enumerate(zip(self._files, self._places, self._prefixes, strict=True)):
            for name, path in self._named(file.path, prefixes):
                if (span := opened.documents.get(path)) is None:
                    continue
                at = places.setdefault(name, _AtPlace())
                is_plausible = span.size <= _SPARE + _MOST_SAID * len(file.text)
                document = opened.document(span) if is_plausible else None
                said = self._reading.said_of(document, f"{index} {path}", file.text, indexed) if document is not None else None
                if said is not None:
                    at.said[number] = said
                else:
                    at.strange[number] = (file.path, path, len(file.text))

    def _named(self, path: str, prefixes: Sequence[str]) -> Iterator[tuple[str, str]]:
        """(place, path in the index) of each place where a file may be the index's."""
        for prefix in prefixes:
            if path.startswith(prefix):
                yield prefix, path[len(prefix) :]
        if self._subdirectory:
            whole = f"{self._subdirectory}/{path}"
            for prefix in prefixes:
                if whole.startswith(prefix):
                    yield _AROUND + prefix, whole[len(prefix) :]

    def settled(self) -> tuple[Knowledge, list[str]]:
        """What the indexes say, after the last file, and a sentence for each that is of no or little use."""
        knowledge, notes = Knowledge(), []
        for index, (opened, places) in enumerate(zip(self._files, self._places, strict=True)):
            fault = opened.fault or ("" if opened.is_as_it_was else "it was written to while it was read")
            at = _best(places, self._prefixes[index])
            if fault or not at.said:
                why = fault or ("it fits none of the files" if places else "it has none of the files")
                notes.append(f"The SCIP index {opened.path.name} was left out: {why}")
                continue
            self._add(knowledge, index, at)
            if said := _trouble_of(opened, at):
                notes.append(f"The SCIP index {opened.path.name} {said}")
        knowledge.packages, knowledge.package_names = self._table.packages, self._table.package_names
        return knowledge, notes

    def _add(self, knowledge: Knowledge, index: int, at: _AtPlace) -> None:
        for number, said in at.said.items():
            knowledge.said.setdefault(number, []).append(said)
            for symbol, own, holder in said.definitions:
                knowledge.definitions.setdefault(symbol, []).append(DefinitionSite(number, own, holder))
            for symbol, other in said.aliases:
                knowledge.aliases.setdefault(symbol, []).append(other)
        opened = self._files[index]
        for _, path, size in at.strange.values():
            if (span := opened.documents[path]).size <= _SPARE + _MOST_SAID * size:
                defined = self._reading.defined_in(opened.document(span), f"{index} {path}", size)
                knowledge.uncertain.update(defined)


def _prefixes_of(root: Sequence[str], provenance: Provenance) -> Sequence[str]:
    """The directories of the bundle's tree, each with a slash at its end, in which a project with that root may lie."""
    tails = ["", *("".join(f"{part}/" for part in root[start:]) for start in range(len(root) - 1, -1, -1))]
    return [f"{name}{tail}" for name in ("", *(f"{each}/" for each in provenance.roots)) for tail in tails]


def _best(places: Mapping[str, _AtPlace], prefixes: Sequence[str]) -> _AtPlace:
    """The place where most files fit; of several the one that the project's root names."""

    def fitness(name: str) -> tuple[int, int, int]:
        return len(places[name].said), -len(places[name].strange), -prefixes.index(name.removeprefix(_AROUND))

    return places[max(places, key=fitness)] if places else _AtPlace()


def _trouble_of(opened: IndexFile, at: _AtPlace) -> str:
    """What part of an index is not used, and why; empty if all is."""
    parts = []
    if at.strange:
        first, *_ = next(iter(at.strange.values()))
        count, whole = len(at.strange), len(at.said) + len(at.strange)
        parts.append(f"does not fit {count} of {whole} files, the first of them {first}, which were changed since")
    if opened.refused:
        parts.append(f"names {opened.refused} files by paths that are none, or says too much of them")
    return ", and ".join(parts)
