"""Earlier and new declarations of changed files in, the words whose meaning may have changed out: invalidation.

Resolving looks up everything by name: the declarations, imports and attributes of a name, and then, by name again, the words in
them: types, values, supertypes and enclosing scopes. So a word has the same meaning as before if its declarations are the same, and
the words in those have the same meaning, and so on. A word is *invalidated* if its declarations differ, or if one of them contains
an invalidated word. A file that uses no invalidated word has the same references as before.

This requires that the files, their languages and packages, and the projects are the same, so that paths and modules are found as
before, and that an answer depends on its question alone (:mod:`memo`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hardtack.build.frameworks.laravel.abilities import POLICY
from hardtack.build.relations.import_scopes import import_scopes
from hardtack.build.relations.names import SymbolNames
from hardtack.build.relations.shared_imports import is_sharing
from hardtack.build.relations.words import UNWRITTEN
from hardtack.nouns.model import NAMESPACES, TYPES, VALUES, Kind
from hardtack.nouns.relations import Import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hardtack.build.relations.imports import Imports
    from hardtack.bundle.format.tables import Row
    from hardtack.nouns.details import Detail

_WORD: Final = re.compile(r"\w+")
_DEFAULT: Final = "default"
_EXPORTS: Final = "exports"
_WHOLE: Final = "*"
_OUTWARD: Final = frozenset({Kind.CONSTRUCTOR, Kind.ENUM_MEMBER})
"""Kinds whose name leads to the type that they are part of."""

Words = frozenset[str]
Statement = tuple[Any, ...]
"""One declaration, import or attribute, comparable."""


class EarlierFile(NamedTuple):
    """The declarations of a file when the base was built."""

    file: int
    """Ordinal, the same as now."""
    symbols: Sequence[Row]
    """Rows in :data:`records.SYMBOL_FIELDS` order."""
    details: Sequence[Row]
    """Rows in :data:`records.DETAIL_FIELDS` order."""
    imported: Sequence[Row]
    """:class:`relations.Import` values."""
    project: tuple[Any, ...] | None


@lru_cache(maxsize=1 << 16)
def words_in(text: str) -> Words:
    """The words of a text; a text without any (an operator) is a word itself."""
    return frozenset(_WORD.findall(text) or ((text,) if text else ()))


def invalidated_words(names: SymbolNames, imports: Imports, earlier: Iterable[EarlierFile]) -> Words | None:
    """The words whose meaning may have changed; None if that may be any word.

    Args:
        names: the declarations of all files now.
        imports: their imports.
        earlier: the earlier declarations of each file that was analysed again.
    """
    changed: set[str] = set()
    for before in earlier:
        entry = names.files[before.file]
        alone = SymbolNames()
        alone.add(
            entry.path, entry.language, entry.package, before.symbols, before.details, [Import(*row) for row in before.imported]
        )
        was = _statements(alone, 0, lambda each, file=before.file: imports.called(file, each))  # type: ignore[misc]
        now = _statements(names, before.file, lambda each, file=before.file: imports.called(file, each))  # type: ignore[misc]
        changed.update(word for word in was.keys() | now.keys() if was.get(word) != now.get(word))
    words = _closure(names, imports, changed) if changed else frozenset()
    # A wildcard import may bring any name, and the members in UNWRITTEN are looked up without being written in the source.
    return words if words.isdisjoint((_WHOLE, *UNWRITTEN)) else None


def _statements(names: SymbolNames, file: int, called: Callable[[Import], str]) -> dict[str, list[Statement]]:
    """Word -> a file's statements about it, in order: everything that resolving may ask of its declarations and imports."""
    found: dict[str, list[Statement]] = defaultdict(list)
    entry = names.files[file]
    beside: dict[int, list[str]] = defaultdict(list)
    owners: set[str] = set()
    around = {start: names.symbols[scope].qualified_name for start, scope in import_scopes(names, file).items()}
    for each in names.imports[file]:
        beside[each.line].append(each.alias)
        for word in (_WHOLE,) if each.name == _WHOLE else words_in(called(each)) | words_in(each.alias):
            found[word].append((each.module, each.name, each.alias, around.get(each.start, "")))
    for ordinal in range(entry.first_symbol, entry.first_symbol + entry.symbol_count):
        symbol = names.symbols[ordinal]
        parent = names.symbols[symbol.parent] if symbol.parent >= 0 else None
        outer = (parent.kind, parent.qualified_name, names.is_top(symbol.parent)) if parent is not None else ()
        detail = replace(symbol.detail, attributes=(), notes=(), decorators=()) if symbol.detail is not None else None
        stated = (symbol.kind, symbol.qualified_name, symbol.package, names.is_top(ordinal), outer, detail, beside.get(symbol.line))
        for word in _called(symbol.name, symbol.detail):
            found[word].append(stated)
        for attribute in symbol.detail.attributes if symbol.detail is not None else ():
            for word in words_in(attribute.name):
                found[word].append((symbol.qualified_name, attribute.name, attribute.type))
        if parent is None or parent.kind in VALUES:  # resolving also asks whether an object has any parts
            owners |= words_in(symbol.qualified_name[: -len(symbol.name)])
    for word in owners:
        found[word].append(())
    if is_sharing(names, file):  # once it declares something, what it imports is its own
        found[_WHOLE].append(())
    return found


def _called(name: str, detail: Detail | None) -> Iterable[str]:
    """The words under which a declaration is looked up."""
    if name.endswith("Policy"):
        return words_in(name) | words_in(POLICY)
    is_default = detail is not None and _DEFAULT in detail.modifiers
    return words_in(name) | {_DEFAULT} if is_default or name == _EXPORTS else words_in(name)


def _closure(names: SymbolNames, imports: Imports, changed: set[str]) -> Words:
    """The changed words, and all words whose declarations contain one of them, and so on."""
    users: dict[str, set[str]] = defaultdict(set)
    for ordinal, symbol in enumerate(names.symbols):
        if symbol.detail is None and symbol.kind not in _OUTWARD:
            continue
        written = set(_written(symbol.detail))
        if written or symbol.kind in _OUTWARD:
            for word in written.union(_around(names, ordinal)):
                users[word].update(_called(symbol.name, symbol.detail))
        for attribute in symbol.detail.attributes if symbol.detail is not None else ():
            for word in words_in(attribute.type) | _around(names, ordinal) | words_in(symbol.name):
                users[word] |= words_in(attribute.name)
    for file, entries in enumerate(names.imports):
        for each in entries:
            for word in words_in(each.name or _DEFAULT) | words_in(each.module):
                users[word] |= words_in(imports.called(file, each)) | words_in(each.alias)
    queue = list(changed)
    for word in queue:
        more = users.get(word, set()) - changed
        changed |= more
        queue += more
    return frozenset(changed)


def _written(detail: Detail | None) -> Iterator[str]:
    """The words in a declaration's type, value, parameters, results and supertypes."""
    if detail is None:
        return
    texts = [
        detail.type,
        detail.value,
        *detail.type_parameters,
        *(each.type for each in detail.parameters),
        *(each.type for each in detail.returns),
    ]
    texts += (each.name for each in detail.supertypes)
    for text in texts:
        yield from words_in(text)


def _around(names: SymbolNames, ordinal: int) -> Words:
    """The words in the names of the scopes around a declaration."""
    symbol = names.symbols[ordinal]
    found = set(words_in(symbol.qualified_name[: -len(symbol.name)]))
    while symbol.parent >= 0:
        symbol = names.symbols[symbol.parent]
        found |= words_in(symbol.name)
    return frozenset(found)


def used_words(
    names: SymbolNames, file: int, uses: Sequence[tuple[Any, ...]], bindings: Sequence[tuple[Any, ...]]
) -> Iterator[str]:
    """The words on which a file's references may depend, some of them more than once.

    Args:
        names: the declarations of all files.
        file: the file's ordinal.
        uses: its :class:`relations.Use` values.
        bindings: its :class:`relations.Binding` values.
    """
    texts = {text for name, qualifier, *_, given in uses for text in (name, qualifier, given)}
    texts.update(value for _, _, value, *_ in bindings)
    for each in names.imports[file]:
        texts.update((each.module, each.name or _DEFAULT))
    entry = names.files[file]
    for symbol in names.symbols[entry.first_symbol : entry.first_symbol + entry.symbol_count]:
        whole, name = symbol.qualified_name, symbol.name
        texts.add(whole if symbol.kind in TYPES | NAMESPACES else whole[: -len(name)])
        if symbol.detail is not None:
            yield from _written(symbol.detail)
            texts.update(attribute.type for attribute in symbol.detail.attributes)
    for text in texts:
        yield from words_in(text)
