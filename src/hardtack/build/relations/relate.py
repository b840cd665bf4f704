"""All files of a bundle in, what ties their symbols together out: the reduce stage of a build.

    add       file       -> declarations by name, imports, uses      names.py
    imports   import     -> the files and symbols it means           imports.py
    resolve   use        -> the symbol it means                      resolve.py
    touched   two builds -> the words that may mean something else   touched.py
    kept      the base   -> references of files that say none        kept.py
    filed     references -> the same by name, in little room         filed.py
    relate    everything -> relations, references, facts, tags

Reads nothing but what the workers sent, and of files that are as they were in the base what that says they refer to. What it gives
depends on the files in their order alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgpack

from hardtack.build.frameworks import CONFIRMERS
from hardtack.build.relations.by_file import Filed
from hardtack.build.relations.imports import Imports
from hardtack.build.relations.invalidation import said_by, touched_words
from hardtack.build.relations.method_sets import implicit_implements
from hardtack.build.relations.names import Names
from hardtack.build.relations.resolve import Resolver
from hardtack.build.relations.reused import add_references
from hardtack.build.relations.scopes import Place
from hardtack.nouns.model import Kind
from hardtack.nouns.relations import Fact, Import, Reference, Relation, RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hardtack.build.relations.reused import Before
    from hardtack.bundle.writer import IndexedFile
    from hardtack.nouns.outline import SourceFile
    from hardtack.nouns.projects import Project

_ABSTRACT = frozenset({Kind.INTERFACE, Kind.TRAIT})


class Related(NamedTuple):
    """What relating all files gave."""

    relations: Sequence[Relation]
    """By file and line."""
    references: Mapping[str, Sequence[Reference]]
    """By the name of what is referred to; each list in order of the source."""
    facts: Sequence[Fact]
    tags: Mapping[int, int]
    """Ordinal of a symbol -> bits, as :class:`model.Tag` numbers them."""


class Relater:
    """Takes indexed files in path order, then relates them."""

    def __init__(self) -> None:
        self._names = Names()
        self._uses: list[bytes] = []
        self._same: set[int] = set()
        self._kept: set[int] = set()
        self._projects: dict[int, tuple[Any, ...]] = {}
        self._facts: list[Fact] = []
        self._tags: dict[int, int] = {}

    def add(self, file: SourceFile, indexed: IndexedFile, *, is_same: bool = False, is_kept: bool = False) -> None:
        """Take the next file.

        Args:
            file: the file.
            indexed: what was made of it.
            is_same: the base has a file at this path with this content.
            is_kept: what was made of it is the base's.
        """
        imported = tuple(Import(*row) for row in indexed.imported)
        base = len(self._names.symbols)
        self._names.add(file.path, file.language, indexed.package, indexed.symbols, indexed.details, imported)
        if is_same:
            self._same.add(len(self._uses))
        if is_kept:
            self._kept.add(len(self._uses))
        if indexed.project is not None:
            self._projects[len(self._uses)] = indexed.project
        self._uses.append(indexed.uses)
        self._facts += (Fact(symbol + base, key, values) for symbol, key, values in indexed.facts)
        self._tags |= {symbol + base: tags for symbol, tags in indexed.tags}

    def relate(self, projects: Sequence[Project], base: Before | None = None) -> Related:
        """What ties the symbols of all files taken together; once, for nothing is kept of them.

        Args:
            projects: what the files' own package managers say of where imports lead.
            base: what was found before: references of files that are the same, and that nothing else has changed, are taken over.

        Raises:
            Contradiction: the base says of a file that was read again what it does not.
        """
        names = self._names
        imports = Imports(names, projects)
        resolver = Resolver(names, imports)
        relations = [*_imported(names, imports), *_inherited(names, resolver), *implicit_implements(names, resolver)]
        relations.sort(key=lambda each: (each.file, each.line, each.source, each.kind, each.name, each.target))
        settled = self._settled(imports, base) if base is not None else frozenset()
        references = Filed()
        for file, packed in enumerate(self._uses):
            self._uses[file] = b""  # for as much as is found out room is made
            if file in settled and file in self._kept:
                continue
            uses, bindings = msgpack.unpackb(packed, use_list=False)
            resolver.bind(file, bindings)
            for name, reference in _referred(names, imports, resolver, file, uses):
                references.add(name, reference)
        if base is not None and settled:
            add_references(names, base, references, same=self._same, kept=settled & self._kept, checked=settled - self._kept)
        facts, tags = self._confirmed()
        resolver.forget()
        imports.forget()
        self._names = Names()
        return Related(relations, references, facts, tags)

    def _settled(self, imports: Imports, base: Before) -> frozenset[int]:
        """The files that refer to what they referred to in the base."""
        if not self._same or not base.is_of_files((file.path, file.language, file.package) for file in self._names.files):
            return frozenset()
        earlier = [base.earlier(file) for file in range(len(self._uses)) if file not in self._kept]
        if any(each.project != self._projects.get(each.file) for each in earlier):
            return frozenset()
        touched = touched_words(self._names, imports, earlier)
        if touched is None:
            return frozenset()
        return frozenset(file for file in self._same if not touched or touched.isdisjoint(self._said_by(file)))

    def _said_by(self, file: int) -> Iterator[str]:
        uses, bindings = msgpack.unpackb(self._uses[file], use_list=False)
        return said_by(self._names, file, uses, bindings)

    def _confirmed(self) -> tuple[Sequence[Fact], Mapping[int, int]]:
        """The facts that hold, and all tags."""
        facts: Sequence[Fact] = self._facts
        for confirm in CONFIRMERS:
            facts, found = confirm(self._names.symbols, self._names.files, facts)
            for symbol, tags in found.items():
                self._tags[symbol] = self._tags.get(symbol, 0) | sum(tag.bit for tag in tags)
        return facts, self._tags


def _imported(names: Names, imports: Imports) -> Iterator[Relation]:
    """One relation for each import."""
    for file, entries in enumerate(names.imports):
        for entry in entries:
            if not entry.module:  # exported by another name
                continue
            meant = imports.target(file, entry)
            target = names.one_of(meant.symbols) if meant.symbols else -1
            yield Relation(
                file=file,
                line=entry.line,
                source=-1,
                kind=RelationKind.IMPORTS,
                name=f"{entry.module} {entry.name}".strip(),
                target=target,
                target_file=names.symbols[target].file if target >= 0 else meant.files[0] if meant.files else -1,
                certainty=meant.certainty,
            )


def _inherited(names: Names, resolver: Resolver) -> Iterator[Relation]:
    """One relation for each type that another is declared to rest on."""
    for ordinal, symbol in enumerate(names.symbols):
        for base in symbol.detail.supertypes if symbol.detail is not None else ():
            target, certainty = resolver.type_named(Place(symbol.file, symbol.parent), base.name)
            kind = RelationKind(base.relation)
            if kind is RelationKind.INHERITS and target >= 0 and symbol.kind not in _ABSTRACT:
                kind = RelationKind.IMPLEMENTS if names.symbols[target].kind in _ABSTRACT else kind
            yield Relation(
                file=symbol.file,
                line=symbol.line,
                source=ordinal,
                kind=kind,
                name=base.name,
                target=target,
                target_file=names.symbols[target].file if target >= 0 else -1,
                certainty=certainty,
            )


def _referred(
    names: Names, imports: Imports, resolver: Resolver, file: int, uses: Sequence[tuple[Any, ...]]
) -> Iterator[tuple[str, Reference]]:
    """Each use of a file that means a symbol of the bundle, and the name it is filed under; ``uses`` are :class:`Use` values."""
    base = names.files[file].first_symbol
    declared, imported = names.all_named(file), imports.named(file)
    for name, qualifier, is_call, bound, symbol, start, line in uses:
        if name not in declared and (qualifier or name not in imported):
            continue  # as the resolver would find, after much more
        source = symbol + base if symbol >= 0 else -1
        meaning = resolver.meaning(Place(file, source, bound), qualifier, name, is_call=is_call)
        if meaning is not None:
            target, certainty = meaning
            yield (
                names.symbols[target].name if target >= 0 else name,
                Reference(file, line, start, source, is_call, target, certainty),
            )
