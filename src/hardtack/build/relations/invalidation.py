"""What files declared before and declare now in, the words out in whose meaning that may make a difference.

Resolving looks up everything by name: the declarations, imports and attributes of a name, and then, by name again, what those are
written with: types, values, bases, and what is around them. So where a word stands for the same declarations as before, and so do
all words that these are written with, and so on, it means what it meant. A word is *touched* when what it stands for differs, and
when one of its declarations is written with a touched word. A file that says no touched word refers to what it referred to.

That holds while there are the same files of the same languages and packages, and the same projects, so that paths and modules lead
where they led; and because an answer follows from its question alone (:mod:`answers`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hardtack.build.relations.names import VALUES, Names
from hardtack.build.relations.words import CALLED
from hardtack.nouns.model import NAMESPACES, TYPES, Kind
from hardtack.nouns.relations import Import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hardtack.build.relations.imports import Imports
    from hardtack.bundle.format.tables import Row
    from hardtack.nouns.details import Detail

_WORD: Final = re.compile(r"\w+")
_DEFAULT: Final = "default"
_WHOLE: Final = "*"
_OUTWARD: Final = frozenset({Kind.CONSTRUCTOR, Kind.ENUM_MEMBER})
"""What stands for the type that it is a part of."""

Words = frozenset[str]
Stated = tuple[Any, ...]


class Earlier(NamedTuple):
    """What a file declared when the base was built."""

    file: int
    """Ordinal, the same as now."""
    symbols: Sequence[Row]
    details: Sequence[Row]
    imported: Sequence[Row]
    project: tuple[Any, ...] | None


@lru_cache(maxsize=1 << 16)
def words_in(text: str) -> Words:
    """The words that a text is written with; one without any is its own."""
    return frozenset(_WORD.findall(text) or ((text,) if text else ()))


def touched_words(names: Names, imports: Imports, earlier: Iterable[Earlier]) -> Words | None:
    """The words that may mean something else than before; None for any.

    Args:
        names: what all files declare now.
        imports: their imports.
        earlier: what each file that was read anew declared before.
    """
    touched: set[str] = set()
    for before in earlier:
        entry = names.files[before.file]
        alone = Names()
        alone.add(
            entry.path, entry.language, entry.package, before.symbols, before.details, [Import(*row) for row in before.imported]
        )
        was = _stated(alone, 0, lambda each, file=before.file: imports.called(file, each))  # type: ignore[misc]
        now = _stated(names, before.file, lambda each, file=before.file: imports.called(file, each))  # type: ignore[misc]
        touched.update(word for word in was.keys() | now.keys() if was.get(word) != now.get(word))
    words = _spread(names, imports, touched) if touched else frozenset()
    # What is taken whole has any name; what calling a value calls is asked for though nobody says it.
    return words if words.isdisjoint((_WHOLE, *CALLED)) else None


def _stated(names: Names, file: int, called: Callable[[Import], str]) -> dict[str, list[Stated]]:
    """What a file says of each word, in order: everything that resolving may ask of its declarations and imports."""
    found: dict[str, list[Stated]] = defaultdict(list)
    entry = names.files[file]
    beside: dict[int, list[str]] = defaultdict(list)
    owners: set[str] = set()
    for each in names.imports[file]:
        beside[each.line].append(each.alias)
        for word in (_WHOLE,) if each.name == _WHOLE else words_in(called(each)) | words_in(each.alias):
            found[word].append((each.module, each.name, each.alias))
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
        if parent is None or parent.kind in VALUES:  # whether an object has parts at all is asked of the object
            owners |= words_in(symbol.qualified_name[: -len(symbol.name)])
    for word in owners:
        found[word].append(())
    return found


def _called(name: str, detail: Detail | None) -> Iterable[str]:
    """The words by which a declaration is asked for."""
    is_default = detail is not None and _DEFAULT in detail.modifiers
    return words_in(name) | {_DEFAULT} if is_default else words_in(name)


def _spread(names: Names, imports: Imports, touched: set[str]) -> Words:
    """The touched words, and all whose declarations are written with one, and so on."""
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
            for word in words_in(each.name) | words_in(each.module):
                users[word] |= words_in(imports.called(file, each)) | words_in(each.alias)
    waiting = list(touched)
    for word in waiting:
        more = users.get(word, set()) - touched
        touched |= more
        waiting += more
    return frozenset(touched)


def _written(detail: Detail | None) -> Iterator[str]:
    """The words that what a declaration is, gives or rests on is written with."""
    if detail is None:
        return
    texts = [detail.type, detail.value, *(each.type for each in detail.parameters), *(each.type for each in detail.returns)]
    texts += (each.name for each in detail.supertypes)
    for text in texts:
        yield from words_in(text)


def _around(names: Names, ordinal: int) -> Words:
    """The words that what is around a declaration is called by."""
    symbol = names.symbols[ordinal]
    found = set(words_in(symbol.qualified_name[: -len(symbol.name)]))
    while symbol.parent >= 0:
        symbol = names.symbols[symbol.parent]
        found |= words_in(symbol.name)
    return frozenset(found)


def said_by(names: Names, file: int, uses: Sequence[tuple[Any, ...]], bindings: Sequence[tuple[Any, ...]]) -> Iterator[str]:
    """The words that a file's references may depend on, some of them more than once.

    Args:
        names: what all files declare.
        file: the file's ordinal.
        uses: its :class:`relations.Use` values.
        bindings: its :class:`relations.Binding` values.
    """
    texts = {text for use in uses for text in use[:2]}
    texts.update(binding[2] for binding in bindings)
    for each in names.imports[file]:
        texts.update((each.module, each.name))
    entry = names.files[file]
    for symbol in names.symbols[entry.first_symbol : entry.first_symbol + entry.symbol_count]:
        whole, name = symbol.qualified_name, symbol.name
        texts.add(whole if symbol.kind in TYPES | NAMESPACES else whole[: -len(name)])
        if symbol.detail is not None:
            yield from _written(symbol.detail)
            texts.update(attribute.type for attribute in symbol.detail.attributes)
    for text in texts:
        yield from words_in(text)
