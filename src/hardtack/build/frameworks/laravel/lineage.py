"""The classes and traits of all PHP files in, who descends from whom out: what makes a class a model or a controller."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.frameworks.laravel.names import basename
from hardtack.build.frameworks.laravel.raw import ELOQUENT, RawKey
from hardtack.nouns.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hardtack.build.relations.names import Declaration, File
    from hardtack.nouns.relations import Fact

MODEL: Final = f"{ELOQUENT}\\Model"
PIVOT: Final = f"{ELOQUENT}\\Relations\\Pivot"
MORPH_PIVOT: Final = f"{ELOQUENT}\\Relations\\MorphPivot"
CONTROLLER: Final = "Illuminate\\Routing\\Controller"
_MODELS_ELSEWHERE: Final = frozenset(
    {
        *(MODEL, PIVOT, MORPH_PIVOT, "Eloquent"),
        *("Illuminate\\Foundation\\Auth\\User", "Illuminate\\Notifications\\DatabaseNotification"),
        *("MongoDB\\Laravel\\Auth\\User", "Jenssegers\\Mongodb\\Auth\\User"),
        *("Laravel\\Sanctum\\PersonalAccessToken", "Laravel\\Cashier\\Subscription", "Laravel\\Cashier\\SubscriptionItem"),
        *(
            "Laravel\\Passport\\Client",
            "Laravel\\Passport\\Token",
            "Laravel\\Passport\\AuthCode",
            "Laravel\\Passport\\RefreshToken",
        ),
        *("Laravel\\Jetstream\\Team", "Laravel\\Jetstream\\Membership", "Laravel\\Jetstream\\TeamInvitation"),
    }
)
"""Classes that are models though their source is rarely at hand; ``Eloquent`` is the alias that Laravel 4 and 5 set up."""
_MOST_ANCESTORS: Final = 200


class _Lines(NamedTuple):
    """Where a class comes from."""

    members: tuple[int, ...]
    """Ordinals of what its members may stand in, nearest first: itself, its traits, its parent, that one's traits, ..."""
    names: tuple[str, ...]
    """Full names of its ancestors, nearest first; the last may be none of the bundle's."""
    traits: tuple[str, ...]
    """Full names of all traits used on the way, of the bundle or not."""


class Classes:
    """The classes and traits of the PHP files, by ordinal and by full name."""

    def __init__(self, declared: Sequence[Declaration], files: Sequence[File], facts: Iterable[Fact]) -> None:
        self.declared = declared
        self.files = files
        self.facts: dict[int, list[Fact]] = defaultdict(list)
        """The raw facts of each symbol that has any."""
        for fact in facts:
            self.facts[fact.symbol].append(fact)
        self._by_name: dict[str, list[int]] = defaultdict(list)
        self._methods: dict[int, list[int]] = defaultdict(list)
        self._lines: dict[int, _Lines] = {}
        for ordinal in self._php_symbols():
            symbol = declared[ordinal]
            if symbol.kind in (Kind.CLASS, Kind.TRAIT):
                self._by_name[self.name(ordinal).lower()].append(ordinal)
            elif symbol.kind in (Kind.METHOD, Kind.CONSTRUCTOR) and symbol.parent >= 0:
                self._methods[symbol.parent].append(ordinal)

    def _php_symbols(self) -> Iterator[int]:
        for file in self.files:
            if file.language == "php":
                yield from range(file.first_symbol, file.first_symbol + file.symbol_count)

    def __iter__(self) -> Iterator[int]:
        """The classes, traits left out, by ordinal."""
        return iter(sorted(each for known in self._by_name.values() for each in known if self.declared[each].kind is Kind.CLASS))

    def name(self, ordinal: int) -> str:
        """The full name of a class or trait."""
        symbol = self.declared[ordinal]
        return f"{symbol.package}\\{symbol.name}" if symbol.package else symbol.name

    def methods(self, ordinal: int) -> Sequence[int]:
        """The methods that a class or trait declares itself, in order."""
        return self._methods.get(ordinal, ())

    def find(self, name: str, file: int) -> int:
        """The class or trait of this full name, as a file means it; -1 when the bundle has none.

        Tests declare one name in many files: the nearest is meant, in the same file, else in the same directory.
        """
        known = self._by_name.get(name.lower(), ())
        if len(known) < 2:
            return known[0] if known else -1
        directory = self.files[file].path.rpartition("/")[0]
        places = [(each, self.declared[each].file) for each in known]
        same = [each for each, place in places if place == file]
        near = [each for each, place in places if self.files[place].path.rpartition("/")[0] == directory]
        return (same or near or known)[0]

    def said(self, ordinal: int, key: RawKey) -> Iterator[tuple[str, ...]]:
        """The values of each of a symbol's raw facts with this key."""
        return (fact.values for fact in self.facts.get(ordinal, ()) if fact.key == key)

    def lines(self, ordinal: int) -> _Lines:
        """Where a class comes from, up to, and without, Eloquent's own base class."""
        if ordinal not in self._lines:
            self._lines[ordinal] = self._traced(ordinal)
        return self._lines[ordinal]

    def _traced(self, ordinal: int) -> _Lines:
        members: list[int] = []
        names: list[str] = []
        traits: list[str] = []
        current = ordinal
        while current >= 0 and current not in members and len(names) < _MOST_ANCESTORS:
            members.append(current)
            self._add_traits(current, members, traits)
            parent = next((values[0] for values in self.said(current, RawKey.EXTENDS)), "")
            if not parent:
                break
            names.append(parent)
            if parent.lower() == MODEL.lower():
                break
            current = self.find(parent, self.declared[current].file)
        return _Lines(tuple(members), tuple(names), tuple(traits))

    def _add_traits(self, ordinal: int, members: list[int], traits: list[str]) -> None:
        """The traits that a class or trait uses, and those that these use."""
        waiting = [ordinal]
        while waiting:
            user = waiting.pop(0)
            for name in (name for values in self.said(user, RawKey.TRAITS) for name in values):
                traits.append(name)
                used = self.find(name, self.declared[user].file)
                if used >= 0 and used not in members:
                    members.append(used)
                    waiting.append(used)

    def is_model(self, ordinal: int) -> bool:
        """Whether a class descends from Eloquent's base class, through the bundle or by the name of what it extends."""
        return _leads_to_model(self.lines(ordinal).names)

    def leads_to_model(self, parent: str, file: int) -> bool:
        """Whether a class that extends ``parent`` in this file is a model: for classes that have no name."""
        ordinal = self.find(parent, file)
        return _leads_to_model((parent, *(self.lines(ordinal).names if ordinal >= 0 else ())))

    def descends(self, ordinal: int, ancestor: str) -> bool:
        """Whether ``ancestor`` is among a class's ancestors."""
        return any(name.lower() == ancestor.lower() for name in self.lines(ordinal).names)

    def uses(self, ordinal: int, trait: str) -> bool:
        """Whether it, or an ancestor, uses a trait of this last name."""
        return any(basename(name) == trait for name in self.lines(ordinal).traits)

    def is_abstract(self, ordinal: int) -> bool:
        """Whether the class is never what an object is."""
        detail = self.declared[ordinal].detail
        return detail is not None and "abstract" in detail.modifiers


_KNOWN: Final[Mapping[str, str]] = {name.lower(): name for name in _MODELS_ELSEWHERE}


def _leads_to_model(names: Iterable[str]) -> bool:
    return any(name.lower() in _KNOWN or name.endswith("\\Eloquent\\Model") for name in names)
