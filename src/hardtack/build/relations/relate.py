"""All indexed files in, relations, references, facts and tags out: the reduce stage of a build.

    Relater.add        file        -> declarations by name, imports, uses         names.py
    Imports            import      -> its target: files, symbols or a package     imports.py
      Modules            module      -> its files                                     modules.py
      Packages           package     -> what it or its member is                      packages.py
      import_scopes      import      -> the function or namespace around it           import_scopes.py
      Exports            module      -> the symbols that others find in it            exports.py
    join_declarations  all files   -> declarations and definitions that are one   declared.py
    Compiled           use         -> its target symbols, where a compiler says   compiled.py
    Resolver           use         -> its target symbol                           resolve.py
      Scopes             bare name   -> the symbols in the nearest scope              scopes.py
      Types              type        -> its supertypes and members                    types.py
      Chains             chain       -> the type, module or package of its value      chains.py
        TypeTexts          type        -> a value of it, with what it is made of        typed.py
        Results            function    -> the value that a call of it gives             results.py
        Contents           value       -> what it holds: an item, what it points to     contents.py
      Calls              symbols     -> the one that a call can mean                  calls.py
      Overloads          arguments   -> the overload that they tell                   overloads.py
      UnknownOwners      member      -> what its name alone tells                     unknown.py
      OnlySymbols        name        -> the only symbol that has it                   alone.py
    invalidated_words  base, files -> the words whose meaning may have changed    invalidation.py
    add_references     base        -> references of files that use none of them   reused.py
    ReferencesByName   references  -> the same by name, in little memory          by_file.py
    Relater.relate     all files   -> relations, references, facts, tags

The result depends on the files and their order alone.
"""

from __future__ import annotations

from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

import msgpack

from hardtack.build.frameworks import CONFIRMERS
from hardtack.build.relations.by_file import ReferencesByName
from hardtack.build.relations.compiled import Compiled
from hardtack.build.relations.declared import join_declarations
from hardtack.build.relations.imports import Imports
from hardtack.build.relations.invalidation import invalidated_words, used_words
from hardtack.build.relations.method_sets import implicit_implements
from hardtack.build.relations.names import SymbolNames
from hardtack.build.relations.resolve import Resolver
from hardtack.build.relations.reused import add_references
from hardtack.build.relations.scopes import UseSite
from hardtack.nouns.model import Kind, Tag
from hardtack.nouns.relations import SPELT, UNCALLED, Certainty, Fact, Import, Reference, Relation, RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hardtack.build.relations.compiled import Spoken
    from hardtack.build.relations.reused import EarlierRelations
    from hardtack.build.scip.indexes import Knowledge
    from hardtack.bundle.spool import Spool
    from hardtack.bundle.writer import IndexedFile
    from hardtack.nouns.outline import SourceFile
    from hardtack.nouns.projects import Project

_ABSTRACT = frozenset({Kind.INTERFACE, Kind.TRAIT})


class Related(NamedTuple):
    """The relations of all files."""

    relations: Sequence[Relation]
    """By file and line."""
    references: Mapping[str, Sequence[Reference]]
    """By the target's name; each list in the order of the source."""
    facts: Sequence[Fact]
    tags: Mapping[int, int]
    """Ordinal of a symbol -> bits, as :class:`model.Tag` numbers them."""


class Relater:
    """Takes indexed files in path order, then relates them."""

    def __init__(self, uses: Spool | list[bytes]) -> None:
        """Start without files; ``uses`` is empty, and takes those of each file until all files are known."""
        self._names = SymbolNames()
        self._uses = uses
        self._same: set[int] = set()
        self._reused: set[int] = set()
        self._projects: dict[int, tuple[Any, ...]] = {}
        self._facts: list[Fact] = []
        self._tags: dict[int, int] = {}

    def add(self, file: SourceFile, indexed: IndexedFile, *, is_same: bool = False, is_reused: bool = False) -> None:
        """Take the next file.

        Args:
            file: the file.
            indexed: its analysis.
            is_same: the base has a file at this path with this content.
            is_reused: its analysis comes from the base.
        """
        imported = tuple(  # many files import the same
            Import(intern(module), intern(name), intern(alias), start, line)
            for module, name, alias, start, line in indexed.imported
        )
        base = len(self._names.symbols)
        hidden = {symbol for symbol, tags in indexed.tags if tags & Tag.LOCAL.bit}
        self._names.add(file.path, file.language, indexed.package, indexed.symbols, indexed.details, imported, hidden)
        if is_same:
            self._same.add(len(self._uses))
        if is_reused:
            self._reused.add(len(self._uses))
        if indexed.project is not None:
            self._projects[len(self._uses)] = indexed.project
        self._uses.append(indexed.uses)
        self._facts += (Fact(symbol + base, key, values) for symbol, key, values in indexed.facts)
        self._tags |= {symbol + base: tags for symbol, tags in indexed.tags}

    def relate(
        self, projects: Sequence[Project], base: EarlierRelations | None = None, knowledge: Knowledge | None = None
    ) -> Related:
        """Relate the symbols of all files; once, since the files are dropped.

        Args:
            projects: the projects that the files declare, which say where imports lead.
            base: the earlier build; references of unchanged files that use no invalidated word are reused.
            knowledge: what indexes of compilers say of the files; without a ``base``.

        Raises:
            Contradiction: the base holds references of a file that the file does not have.
        """
        names = self._names
        imports = Imports(names, projects)
        join_declarations(names, imports)
        compiled = Compiled(knowledge, names, projects) if knowledge is not None and knowledge.said else None
        resolver = Resolver(names, imports)
        implied = implicit_implements(names, resolver)
        relations = [
            *_import_relations(names, imports, compiled),
            *_supertype_relations(names, resolver, compiled),
            *implied.relations,
        ]
        relations.sort(key=lambda each: (each.file, each.line, each.source, each.kind, each.name, each.target))
        valid = self._valid(imports, base) if base is not None else frozenset()
        references = ReferencesByName()
        for file, packed in enumerate(self._uses):
            if file in valid and file in self._reused:
                continue
            uses, bindings = msgpack.unpackb(packed, use_list=False)
            resolver.bind(file, bindings)
            spoken = compiled.of(file) if compiled is not None else {}
            for name, reference in _references(names, imports, resolver, file, uses, spoken):
                references.add(name, reference)
        if base is not None and valid:
            add_references(names, base, references, same=self._same, reused=valid & self._reused, checked=valid - self._reused)
        facts, tags = self._confirmed()
        facts = [*facts, *implied.facts]
        resolver.clear()
        imports.clear()
        names.forget()
        self._names = SymbolNames()
        return Related(relations, references, facts, tags)

    def _valid(self, imports: Imports, base: EarlierRelations) -> frozenset[int]:
        """The files whose references are those that the base holds."""
        if not self._same or not base.is_of_files((file.path, file.language, file.package) for file in self._names.files):
            return frozenset()
        earlier = [base.earlier(file) for file in range(len(self._uses)) if file not in self._reused]
        if any(each.project != self._projects.get(each.file) for each in earlier):
            return frozenset()
        invalidated = invalidated_words(self._names, imports, earlier)
        if invalidated is None:
            return frozenset()
        return frozenset(file for file in self._same if not invalidated or invalidated.isdisjoint(self._words_of(file)))

    def _words_of(self, file: int) -> Iterator[str]:
        uses, bindings = msgpack.unpackb(self._uses[file], use_list=False)
        return used_words(self._names, file, uses, bindings)

    def _confirmed(self) -> tuple[Sequence[Fact], Mapping[int, int]]:
        """The facts that frameworks confirm, and all tags."""
        facts: Sequence[Fact] = self._facts
        for confirm in CONFIRMERS:
            facts, found = confirm(self._names.symbols, self._names.files, facts)
            for symbol, tags in found.items():
                self._tags[symbol] = self._tags.get(symbol, 0) | sum(tag.bit for tag in tags)
        return facts, self._tags


def _import_relations(names: SymbolNames, imports: Imports, compiled: Compiled | None) -> Iterator[Relation]:
    for file, entries in enumerate(names.imports):
        for number, entry in enumerate(entries):
            if not entry.module:  # a symbol of the file that is exported under another name
                continue
            imported = imports.target(file, entry)
            said = compiled.imported(file, number) if compiled is not None else None
            if said:
                name = f"{entry.module} {entry.name}".strip()
                for target in said:
                    place = (file, entry.line, -1, RelationKind.IMPORTS, name, target, names.symbols[target].file)
                    yield Relation(*place, Certainty.EXACT)
                continue
            if said is not None:
                imported = imported._replace(symbols=())
            target = names.one_of(imported.symbols) if imported.symbols else -1
            yield Relation(
                file=file,
                line=entry.line,
                source=-1,
                kind=RelationKind.IMPORTS,
                name=f"{entry.module} {entry.name}".strip(),
                target=target,
                target_file=names.symbols[target].file if target >= 0 else imported.files[0] if imported.files else -1,
                certainty=imported.certainty,
            )


def _supertype_relations(names: SymbolNames, resolver: Resolver, compiled: Compiled | None) -> Iterator[Relation]:
    for ordinal, symbol in enumerate(names.symbols):
        for base in symbol.detail.supertypes if symbol.detail is not None else ():
            target, certainty = resolver.supertype_named(UseSite(symbol.file, symbol.parent), base.relation, base.name)
            said = compiled.supertype(ordinal, base.name) if compiled is not None else None
            if said is not None:
                target, certainty = (said[0], Certainty.EXACT) if said else (-1, certainty)
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


def _references(
    names: SymbolNames,
    imports: Imports,
    resolver: Resolver,
    file: int,
    uses: Sequence[tuple[Any, ...]],
    spoken: dict[int, Spoken],
) -> Iterator[tuple[str, Reference]]:
    """(name, reference) of each use in a file whose target is in the bundle.

    Args:
        names: the declarations of all files.
        imports: their imports.
        resolver: bound to the file.
        file: its ordinal.
        uses: :class:`Use` values.
        spoken: what compilers say of its places; those that are no use follow last.
    """
    base = names.files[file].first_symbol
    declared, imported, renamed = names.all_named(file), imports.named(file), names.renamed(file)
    for name, qualifier, arguments, bound, symbol, start, line, given in uses:
        if (said := spoken.pop(start, None)) is not None:
            yield from said.references(names, file, start, is_call=arguments not in UNCALLED)
            if not said.is_key or qualifier or not imports.has_default(file):
                continue
        if name not in declared and (name not in renamed if qualifier else name not in imported):
            continue  # the resolver would find the same, but much more slowly
        source = symbol + base if symbol >= 0 else -1
        site = UseSite(file, source, bound)
        meaning = resolver.meaning(site, qualifier, name, arguments) or resolver.alone(site, qualifier, name, arguments)
        if meaning is not None:
            if given and meaning.overloads:
                meaning = resolver.told_apart(meaning, UseSite(file, source), given)
            target, certainty, _ = meaning
            if said is not None and target in said.targets:
                continue
            is_call = arguments not in UNCALLED or (target >= 0 and qualifier != SPELT and resolver.is_called_by_name(target))
            called = names.symbols[target].name if target >= 0 else name
            yield called, Reference(file, line, start, source, is_call, target, certainty)
    for start, said in spoken.items():
        if said.is_listed:
            yield from said.references(names, file, start, is_call=said.is_call)
