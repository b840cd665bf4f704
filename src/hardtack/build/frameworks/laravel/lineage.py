"""The classes and traits of all PHP files in, their ancestors and traits out, which decide what is a model or a controller."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.frameworks.laravel.names import basename
from hardtack.build.frameworks.laravel.raw import ELOQUENT, RawKey
from hardtack.nouns.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hardtack.build.relations.declarations import Declaration, File
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
"""Models of libraries, whose source is rarely in the bundle; ``Eloquent`` is an alias in Laravel 4 and 5."""
_MAX_ANCESTORS: Final = 50
"""More than any class of a real program has; each of as many classes that extend each other is compared with all of these."""


class _Lineage(NamedTuple):
    """The ancestors and traits of a class."""

    members: tuple[int, ...]
    """Ordinals of the classes and traits that may declare its members, nearest first: itself, its traits, its parent and so on."""
    names: tuple[str, ...]
    """Full names of its ancestors, nearest first; the last may be outside the bundle."""
    traits: tuple[str, ...]
    """Full names of its traits and its ancestors' traits, in the bundle or not."""


class _Step(NamedTuple):
    """What one class adds to a lineage."""

    parent: str
    """Full name of the class that it extends; empty for none."""
    members: Sequence[int]
    """Ordinals of its traits and of theirs."""
    traits: Sequence[str]
    """Full names of these, in the bundle or not."""


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
        self._lineages: dict[int, _Lineage] = {}
        self._steps: dict[int, _Step] = {}
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
        """The ordinals of the classes, without traits, ascending."""
        return iter(sorted(each for known in self._by_name.values() for each in known if self.declared[each].kind is Kind.CLASS))

    def name(self, ordinal: int) -> str:
        """The full name of a class or trait."""
        symbol = self.declared[ordinal]
        return f"{symbol.package}\\{symbol.name}" if symbol.package else symbol.name

    def methods(self, ordinal: int) -> Sequence[int]:
        """The methods that a class or trait declares itself, in order."""
        return self._methods.get(ordinal, ())

    def find(self, name: str, file: int) -> int:
        """The class or trait of this full name, as seen from a file; -1 if the bundle has none.

        Tests may declare one name in many files: one in the same file counts first, then one in the same directory.
        """
        known = self._by_name.get(name.lower(), ())
        if len(known) < 2:
            return known[0] if known else -1
        directory = self.files[file].path.rpartition("/")[0]
        places = [(each, self.declared[each].file) for each in known]
        same = [each for each, place in places if place == file]
        near = [each for each, place in places if self.files[place].path.rpartition("/")[0] == directory]
        return (same or near or known)[0]

    def raw_values(self, ordinal: int, key: RawKey) -> Iterator[tuple[str, ...]]:
        """The values of each of a symbol's raw facts with this key."""
        return (fact.values for fact in self.facts.get(ordinal, ()) if fact.key == key)

    def lineage(self, ordinal: int) -> _Lineage:
        """The ancestors and traits of a class, without Eloquent's own base class."""
        if ordinal not in self._lineages:
            self._lineages[ordinal] = self._traced(ordinal)
        return self._lineages[ordinal]

    def _traced(self, ordinal: int) -> _Lineage:
        members: dict[int, None] = {}
        names: list[str] = []
        traits: list[str] = []
        current = ordinal
        while current >= 0 and current not in members and len(names) < _MAX_ANCESTORS:
            step = self._step(current)
            members.update(dict.fromkeys((current, *step.members)))
            traits += step.traits
            if not step.parent:
                break
            names.append(step.parent)
            if step.parent.lower() == MODEL.lower():
                break
            current = self.find(step.parent, self.declared[current].file)
        return _Lineage(tuple(members), tuple(names), tuple(traits))

    def _step(self, ordinal: int) -> _Step:
        """What one class adds to the lineage of each of its descendants."""
        step = self._steps.get(ordinal)
        if step is None:
            parent = next((values[0] for values in self.raw_values(ordinal, RawKey.EXTENDS)), "")
            step = self._steps[ordinal] = _Step(parent, *self._traits_of(ordinal))
        return step

    def _traits_of(self, ordinal: int) -> tuple[Sequence[int], Sequence[str]]:
        """The ordinals and the full names of the traits that a class uses, directly or not."""
        used: dict[int, None] = {ordinal: None}
        traits: list[str] = []
        waiting = [ordinal]
        for user in waiting:
            for name in (name for values in self.raw_values(user, RawKey.TRAITS) for name in values):
                traits.append(name)
                trait = self.find(name, self.declared[user].file)
                if trait >= 0 and trait not in used:
                    used[trait] = None
                    waiting.append(trait)
        return waiting[1:], traits

    def is_model(self, ordinal: int) -> bool:
        """Whether a class descends from Eloquent's base class or from a library's model."""
        return _leads_to_model(self.lineage(ordinal).names)

    def leads_to_model(self, parent: str, file: int) -> bool:
        """Whether an anonymous class that extends ``parent`` in this file is a model."""
        ordinal = self.find(parent, file)
        return _leads_to_model((parent, *(self.lineage(ordinal).names if ordinal >= 0 else ())))

    def descends(self, ordinal: int, ancestor: str) -> bool:
        """Whether ``ancestor`` is among a class's ancestors."""
        return any(name.lower() == ancestor.lower() for name in self.lineage(ordinal).names)

    def uses(self, ordinal: int, trait: str) -> bool:
        """Whether it or an ancestor uses a trait whose last name is this."""
        return any(basename(name) == trait for name in self.lineage(ordinal).traits)

    def is_abstract(self, ordinal: int) -> bool:
        """Whether the class is abstract."""
        detail = self.declared[ordinal].detail
        return detail is not None and "abstract" in detail.modifiers


_KNOWN: Final[Mapping[str, str]] = {name.lower(): name for name in _MODELS_ELSEWHERE}


def _leads_to_model(names: Iterable[str]) -> bool:
    return any(name.lower() in _KNOWN or name.endswith("\\Eloquent\\Model") for name in names)
