"""The raw facts of all PHP files in, the confirmed facts of models, controllers and routes out."""

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
    from hardtack.build.relations.declarations import Declaration, File

_DESCRIPTION: Final = "Laravel Eloquent relation"
_SOURCE_HINT: Final = "inferred_relation"
_MAX_DEPTH: Final = 5
"""Maximum number of relations that refer to each other."""
_RAW: Final = frozenset(RawKey) - {RawKey.ROUTE}


def confirm(
    declared: Sequence[Declaration], files: Sequence[File], facts: Sequence[Fact]
) -> tuple[tuple[Fact, ...], Mapping[int, frozenset[Tag]]]:
    """The confirmed facts of the bundle's symbols, and their tags.

    Args:
        declared: every symbol of the bundle.
        files: every file of the bundle.
        facts: the raw facts of all files, with ordinals as ``symbol``; facts of other frameworks are returned unchanged.

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
    """The models of a bundle, each computed once, since relations lead from one to the next."""

    def __init__(self, classes: Classes) -> None:
        self._classes = classes
        self._models: dict[int, Model | None] = {}
        self._methods: dict[int, tuple[Fact, ...]] = {}
        """The facts of each method of a model, by its ordinal."""

    def all(self) -> Iterator[Model]:
        """Every model, by ordinal."""
        return (model for ordinal in self._classes if (model := self._model(ordinal)) is not None)

    def find(self, name: str, file: int) -> Model | None:
        """The model of this full name, as seen from a file."""
        ordinal = self._classes.find(name, file)
        return self._model(ordinal) if ordinal >= 0 else None

    def _model(self, ordinal: int) -> Model | None:
        if ordinal not in self._models:
            self._models[ordinal] = Model(ordinal, self._classes) if self._classes.is_model(ordinal) else None
        return self._models[ordinal]

    def facts_of(self, model: Model) -> Iterator[Fact]:
        """The facts of the model itself."""
        for key, values in model.settings():
            yield Fact(model.ordinal, key, values)
        for relationship, method in self._relationships(model):
            self._add_method(method, "relation", relation_type(relationship.kind, relationship.related))
            yield Fact(model.ordinal, "relation", relationship.values())
        for method in self._methods_of(model):
            name = self._classes.declared[method].name
            for (scope,) in self._classes.raw_values(method, RawKey.SCOPE):
                self._add_method(method, "scope")
                yield Fact(model.ordinal, "scope", (scope, name))
            for attribute, role in self._classes.raw_values(method, RawKey.ACCESS):
                self._add_method(method, "mutator" if role == "mutator" else "accessor")
                yield Fact(model.ordinal, "attribute", (attribute, name, role))

    def _methods_of(self, model: Model) -> Iterator[int]:
        """Its own and inherited methods; of several with one name the nearest."""
        seen: set[str] = set()
        for member in model.members:
            own = {self._classes.declared[method].name.lower(): method for method in self._classes.methods(member)}
            yield from (method for name, method in own.items() if name not in seen)
            seen |= own.keys()

    def _relationships(self, model: Model) -> Iterator[tuple[Relationship, int]]:
        for method in self._methods_of(model):
            for raw in self._classes.raw_values(method, RawKey.RELATION):
                if (relationship := self._relationship(model, method, raw, 0)) is not None:
                    yield relationship, method

    def _relationship(self, model: Model, method: int, raw: tuple[str, ...], depth: int) -> Relationship | None:
        """One relation; None if it refines a method that is no relation."""
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

        If one of the two relations is unknown, it stays a ``through`` without a related model.
        """
        local_stated, distant_stated = (
            tuple(value.removeprefix(side) for value in raw if value.startswith(side)) for side in ("local=", "distant=")
        )
        local = self._stated(model, local_stated, depth)
        between = self.find(local.related, model.file) if local else None
        distant = self._stated(between, distant_stated, depth) if between else None
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

    def _stated(self, model: Model, stated: tuple[str, ...], depth: int) -> Relationship | None:
        """A relation of the model that is given by its name, or by a kind and arguments."""
        if stated and stated[0] in PARAMETERS:
            return relationship_of(model, "", stated, self.find, "")
        return self._named(model, stated[0], depth) if stated else None

    def _named(self, model: Model, name: str, depth: int) -> Relationship | None:
        """The model's relation of this name, unless it refers to too many others, or to itself."""
        if depth > _MAX_DEPTH:
            return None
        for method in self._methods_of(model):
            if self._classes.declared[method].name.lower() == name.lower():
                for raw in self._classes.raw_values(method, RawKey.RELATION):
                    return self._relationship(model, method, raw, depth)
        return None

    def _add_method(self, method: int, kind: str, type_: str = "") -> None:
        """Add the facts of a method. If several models share it, or it may return several relations, the first counts.

        Args:
            method: its ordinal.
            kind: ``scope``, ``accessor``, ``mutator`` or ``relation``.
            type_: of the relation that it returns; empty if it is unknown.
        """
        if method not in self._methods:
            returns = [Fact(method, "returns", (type_, _DESCRIPTION, _SOURCE_HINT))] if type_ else []
            self._methods[method] = (Fact(method, "kind", (kind,)), *returns)

    def facts_of_methods(self) -> Iterator[Fact]:
        """The facts of the models' methods, also of anonymous models; call it after :meth:`facts_of` of all models."""
        for ordinal, facts in self._classes.facts.items():
            file = self._classes.declared[ordinal].file
            if any(fact.key == RawKey.ANONYMOUS and self._classes.leads_to_model(fact.values[0], file) for fact in facts):
                self._add_anonymous(ordinal, facts)
        for method in sorted(self._methods):
            yield from self._methods[method]

    def _add_anonymous(self, method: int, facts: Sequence[Fact]) -> None:
        for fact in facts:
            if fact.key == RawKey.SCOPE:
                self._add_method(method, "scope")
            elif fact.key == RawKey.ACCESS:
                self._add_method(method, "mutator" if fact.values[1] == "mutator" else "accessor")
            elif fact.key == RawKey.RELATION and fact.values[0] != REFINED:
                related = next((value.removeprefix("related=") for value in fact.values if value.startswith("related=")), "")
                self._add_method(method, "relation", relation_type(fact.values[0], related))


def _symbol(fact: Fact) -> int:
    return fact.symbol
