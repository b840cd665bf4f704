"""The raw facts of all PHP files in, what holds of models, controllers and routes out: the step that needs to see every file."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from hardtack.build.frameworks.laravel.controllers import controller_facts
from hardtack.build.frameworks.laravel.keys import refined, relation_type, relationship_of
from hardtack.build.frameworks.laravel.lineage import Classes
from hardtack.build.frameworks.laravel.raw import RawKey
from hardtack.build.frameworks.laravel.relationships import PARAMETERS, REFINED, THROUGH
from hardtack.build.frameworks.laravel.tables import Model
from hardtack.nouns.model import Tag
from hardtack.nouns.relations import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hardtack.build.frameworks.laravel.keys import Relationship
    from hardtack.build.relations.names import Declaration, File

_DESCRIPTION: Final = "Laravel Eloquent relation"
_SOURCE_HINT: Final = "inferred_relation"
_DEEPEST: Final = 5
"""How many relations may rest on one another."""
_RAW: Final = frozenset(RawKey) - {RawKey.ROUTE}


def confirm(
    declared: Sequence[Declaration], files: Sequence[File], facts: Sequence[Fact]
) -> tuple[tuple[Fact, ...], Mapping[int, frozenset[Tag]]]:
    """What holds of the bundle's symbols, by symbol, and their tags.

    Args:
        declared: every symbol of the bundle.
        files: every file of the bundle.
        facts: what reading each file gave, ``symbol`` an ordinal by now; facts with keys that are not Laravel's pass through.

    Returns:
        The facts in order of their symbols, and the tags of every symbol that has any.
    """
    if not any(file.language == "php" for file in files):
        return tuple(facts), {}
    classes = Classes(declared, files, facts)
    models = _Models(classes)
    tags: dict[int, set[Tag]] = defaultdict(set)
    confirmed = [fact for fact in facts if fact.key not in _RAW]
    for model in models.all():
        tags[model.ordinal] |= {Tag.FRAMEWORK_LARAVEL, Tag.LARAVEL_MODEL}
        confirmed += models.facts_of(model)
    confirmed += models.facts_of_methods()
    routes = [fact for fact in facts if fact.key == RawKey.ROUTE]
    for fact in routes:
        tags[fact.symbol] |= {Tag.FRAMEWORK_LARAVEL, Tag.LARAVEL_ROUTE}
    for fact in controller_facts(classes, routes):
        confirmed.append(fact)
        if fact.key == "controller":
            tags[fact.symbol] |= {Tag.FRAMEWORK_LARAVEL, Tag.LARAVEL_CONTROLLER}
    confirmed.sort(key=_symbol)
    return tuple(confirmed), {symbol: frozenset(found) for symbol, found in sorted(tags.items())}


class _Models:
    """The models of a bundle; what is learned of one is kept, since relations lead from one to the next."""

    def __init__(self, classes: Classes) -> None:
        self._classes = classes
        self._models: dict[int, Model | None] = {}
        self._methods: dict[int, tuple[Fact, ...]] = {}
        """What is said of each method that a model has, by its ordinal."""

    def all(self) -> Iterator[Model]:
        """Every model, by ordinal."""
        return (model for ordinal in self._classes if (model := self._model(ordinal)) is not None)

    def find(self, name: str, file: int) -> Model | None:
        """The model of this full name, as a file means it."""
        ordinal = self._classes.find(name, file)
        return self._model(ordinal) if ordinal >= 0 else None

    def _model(self, ordinal: int) -> Model | None:
        if ordinal not in self._models:
            self._models[ordinal] = Model(ordinal, self._classes) if self._classes.is_model(ordinal) else None
        return self._models[ordinal]

    def facts_of(self, model: Model) -> Iterator[Fact]:
        """What is said of the model itself."""
        for key, values in model.settings():
            yield Fact(model.ordinal, key, values)
        for relationship, method in self._relationships(model):
            self._say(method, "relation", relation_type(relationship.kind, relationship.related))
            yield Fact(model.ordinal, "relation", relationship.values())
        for method in self._methods_of(model):
            name = self._classes.declared[method].name
            for (scope,) in self._classes.said(method, RawKey.SCOPE):
                self._say(method, "scope")
                yield Fact(model.ordinal, "scope", (scope, name))
            for attribute, role in self._classes.said(method, RawKey.ACCESS):
                self._say(method, "mutator" if role == "mutator" else "accessor")
                yield Fact(model.ordinal, "attribute", (attribute, name, role))

    def _methods_of(self, model: Model) -> Iterator[int]:
        """Its methods, those that it inherits too, each name once: the nearest."""
        seen: set[str] = set()
        for member in model.members:
            own = {self._classes.declared[method].name.lower(): method for method in self._classes.methods(member)}
            yield from (method for name, method in own.items() if name not in seen)
            seen |= own.keys()

    def _relationships(self, model: Model) -> Iterator[tuple[Relationship, int]]:
        """Its relations, each with its method."""
        for method in self._methods_of(model):
            for raw in self._classes.said(method, RawKey.RELATION):
                if (relationship := self._relationship(model, method, raw, 0)) is not None:
                    yield relationship, method

    def _relationship(self, model: Model, method: int, raw: tuple[str, ...], depth: int) -> Relationship | None:
        """One relation; None where it refines what is no relation.

        Args:
            model: whose it is.
            method: ordinal of the method that declares it.
            raw: what it says.
            depth: how many relations were found to rest on it already.
        """
        symbol = self._classes.declared[method]
        declared_in = "" if symbol.parent == model.ordinal else self._classes.name(symbol.parent)
        if raw[0] == REFINED:
            base = self._named(model, raw[1].removeprefix("base="), depth + 1)
            return refined(base, symbol.name, raw, declared_in) if base else None
        if raw[0] == THROUGH:
            raw = self._through(model, raw, depth + 1)
        return relationship_of(model, symbol.name, raw, self.find, declared_in)

    def _through(self, model: Model, raw: tuple[str, ...], depth: int) -> tuple[str, ...]:
        """``through('cars')->has('owner')`` as the ``hasManyThrough`` or ``hasOneThrough`` that Laravel makes of it.

        Where either relation is not known it stays a ``through`` to nobody.
        """
        local_told, distant_told = (
            tuple(value.removeprefix(side) for value in raw if value.startswith(side)) for side in ("local=", "distant=")
        )
        local = self._told(model, local_told, depth)
        between = self.find(local.related, model.file) if local else None
        distant = self._told(between, distant_told, depth) if between else None
        if local is None or distant is None:
            return (THROUGH,)
        many = any(each.kind in ("hasMany", "morphMany") for each in (local, distant))
        stated = {
            "related": distant.related,
            "through": local.related,
            "firstKey": local.keys.get("foreign_key", ""),
            "secondKey": distant.keys.get("foreign_key", ""),
            "localKey": local.keys.get("local_key", ""),
            "secondLocalKey": distant.keys.get("local_key", ""),
        }
        return ("hasManyThrough" if many else "hasOneThrough", *(f"{key}={value}" for key, value in stated.items()))

    def _told(self, model: Model, told: tuple[str, ...], depth: int) -> Relationship | None:
        """A relation of the model that is told by its name, or declared on the spot."""
        if told and told[0] in PARAMETERS:
            return relationship_of(model, "", told, self.find, "")
        return self._named(model, told[0], depth) if told else None

    def _named(self, model: Model, name: str, depth: int) -> Relationship | None:
        """The model's relation of this name, unless it rests on too many others, or on itself."""
        if depth > _DEEPEST:
            return None
        for method in self._methods_of(model):
            if self._classes.declared[method].name.lower() == name.lower():
                for raw in self._classes.said(method, RawKey.RELATION):
                    return self._relationship(model, method, raw, depth)
        return None

    def _say(self, method: int, kind: str, type_: str = "") -> None:
        """Note what a method is; of several models that share it, or several relations that it may return, the first counts.

        Args:
            method: its ordinal.
            kind: ``scope``, ``accessor``, ``mutator`` or ``relation``.
            type_: of the relation that it returns; empty when it cannot be told.
        """
        if method not in self._methods:
            returns = [Fact(method, "returns", (type_, _DESCRIPTION, _SOURCE_HINT))] if type_ else []
            self._methods[method] = (Fact(method, "kind", (kind,)), *returns)

    def facts_of_methods(self) -> Iterator[Fact]:
        """What is said of the models' methods, to be asked when all models have been; models without a name come with it."""
        for ordinal, said in self._classes.facts.items():
            file = self._classes.declared[ordinal].file
            if any(fact.key == RawKey.ANONYMOUS and self._classes.leads_to_model(fact.values[0], file) for fact in said):
                self._say_of_unnamed(ordinal, said)
        for method in sorted(self._methods):
            yield from self._methods[method]

    def _say_of_unnamed(self, method: int, said: Sequence[Fact]) -> None:
        for fact in said:
            if fact.key == RawKey.SCOPE:
                self._say(method, "scope")
            elif fact.key == RawKey.ACCESS:
                self._say(method, "mutator" if fact.values[1] == "mutator" else "accessor")
            elif fact.key == RawKey.RELATION and fact.values[0] != REFINED:
                related = next((value.removeprefix("related=") for value in fact.values if value.startswith("related=")), "")
                self._say(method, "relation", relation_type(fact.values[0], related))


def _symbol(fact: Fact) -> int:
    return fact.symbol
