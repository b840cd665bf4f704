"""The raw fact of a relation in, its related model and keys out: stated, or by Laravel's conventions and marked as inferred."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.frameworks.laravel.inflection import plural, snake
from hardtack.build.frameworks.laravel.names import basename
from hardtack.build.frameworks.laravel.relationships import THROUGH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardtack.build.frameworks.laravel.tables import Model

    Finder = Callable[[str, int], "Model | None"]
    """(full name, file that uses it) -> the model, if the bundle has it."""

_SINGLE: Final = {"hasMany": "hasOne", "hasManyThrough": "hasOneThrough", "morphMany": "morphOne"}
"""Kind of relation -> its kind after ``->one()``."""
_TO_MANY: Final = frozenset({"belongsToMany", "morphToMany", "morphedByMany"})
_EXTRAS: Final = (
    *("through", "second_key", "second_local_key", "owner_key", "morph_name", "morph_type", "related_pivot_key", "related_key"),
    *("using", "as", "pivot_columns", "pivot_timestamps", "of_many", "declared_in"),
)


class Relationship(NamedTuple):
    """One relation of one model."""

    method: str
    kind: str
    related: str
    """Full name; empty if it is computed at run time."""
    keys: Mapping[str, str]
    """``foreign_key``, ``local_key``, ``pivot_table`` and those of :data:`_EXTRAS`, if they are known."""
    inferred: frozenset[str]
    """The keys that follow from Laravel's conventions."""

    def values(self) -> tuple[str, ...]:
        """The values of its fact: method, kind, related, foreign key, local key, pivot table, then ``key=value`` for the rest."""
        keys = [self.keys.get(key, "") for key in ("foreign_key", "local_key", "pivot_table")]
        extras = [f"{key}={self.keys[key]}" for key in _EXTRAS if self.keys.get(key)]
        inferred = sorted(key for key in self.inferred if self.keys.get(key))
        return (self.method, self.kind, self.related, *keys, *extras, *([f"inferred={','.join(inferred)}"] if inferred else []))


class _Keys:
    """Collects keys: the stated ones, else those of Laravel's conventions."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = given
        self.known: dict[str, str] = {}
        self.inferred: set[str] = set()

    def take(self, key: str, parameter: str, default: str) -> None:
        """Set ``key`` to the argument of ``parameter``, empty if its value is unknown; without an argument to ``default``."""
        if parameter in self.given:
            self.known[key] = self.given[parameter]
        else:
            self.known[key] = default
            self.inferred.add(key)


def relation_type(kind: str, related: str) -> str:
    """The return type of a method that declares a relation: ``HasMany<Post>``, with the full name of the related model.

    Empty for a ``through`` whose relations are unknown.
    """
    if kind == THROUGH:
        return ""
    name = "MorphToMany" if kind == "morphedByMany" else kind[:1].upper() + kind[1:]
    return f"{name}<{related}>" if related else name


def refined(base: Relationship, method: str, raw: tuple[str, ...], declared_in: str) -> Relationship:
    """A relation that refines another one: ``$this->posts()->one()``."""
    refinements = dict(value[2:].split("=", 1) for value in raw if value.startswith("->"))
    keys = {key: value for key, value in base.keys.items() if key != "declared_in"}
    keys |= {key: value for key, value in refinements.items() if key in _EXTRAS}
    if declared_in:
        keys["declared_in"] = declared_in
    kind = _SINGLE.get(base.kind, base.kind) if "one" in refinements else base.kind
    return Relationship(method, kind, base.related, keys, base.inferred)


def relationship_of(model: Model, method: str, raw: tuple[str, ...], find: Finder, declared_in: str) -> Relationship:
    """One relation, from its raw fact (see :class:`RawKey`).

    Args:
        model: the model that has it, which may inherit it.
        method: the declaring method's name.
        raw: the fact's values.
        find: finds models of the bundle.
        declared_in: full name of the trait or parent that declares it; empty if the model itself does.
    """
    kind = raw[0]
    given = dict(value.split("=", 1) for value in raw[1:] if not value.startswith("->"))
    refinements = dict(value[2:].split("=", 1) for value in raw[1:] if value.startswith("->"))
    keys = _Keys(given)
    related = given.get("related", "").lstrip("\\")
    other = find(related, model.file) if related else None
    related_key = (other.key_name() if other else "id") if related else ""
    related_foreign = (other.foreign_key() if other else f"{snake(basename(related))}_id") if related else ""
    own_key, own_foreign = model.key_name(), model.foreign_key()
    if kind in ("hasOne", "hasMany"):
        keys.take("foreign_key", "foreignKey", own_foreign)
        keys.take("local_key", "localKey", own_key)
    elif kind == "belongsTo":
        keys.take("foreign_key", "foreignKey", related_key and f"{snake(given.get('relation') or method)}_{related_key}")
        keys.take("owner_key", "ownerKey", related_key)
    elif kind in ("hasOneThrough", "hasManyThrough"):
        _through_keys(keys, model, find)
    elif kind == "morphTo":
        name = given.get("name") or method
        keys.take("morph_name", "name", name)
        keys.take("morph_type", "type", f"{snake(name)}_type")
        keys.take("foreign_key", "id", f"{snake(name)}_id")
        if given.get("ownerKey"):
            keys.take("owner_key", "ownerKey", "")
    elif kind in ("morphOne", "morphMany"):
        name = given.get("name", "")
        keys.take("morph_name", "name", "")
        keys.take("morph_type", "type", name and f"{name}_type")
        keys.take("foreign_key", "id", name and f"{name}_id")
        keys.take("local_key", "localKey", own_key)
    elif kind in _TO_MANY:
        _pivot_keys(keys, kind, model, (related, related_key, related_foreign), find)
    for key in _EXTRAS:
        if key in refinements:
            keys.known[key] = refinements[key]
    if declared_in:
        keys.known["declared_in"] = declared_in
    kind = _SINGLE.get(kind, kind) if "one" in refinements else kind
    return Relationship(method, kind, related, keys.known, frozenset(keys.inferred))


def _through_keys(keys: _Keys, model: Model, find: Finder) -> None:
    through = keys.given.get("through", "").lstrip("\\")
    between = find(through, model.file) if through else None
    keys.known["through"] = through
    keys.take("foreign_key", "firstKey", model.foreign_key())
    keys.take("local_key", "localKey", model.key_name())
    default = between.foreign_key() if between else f"{snake(basename(through))}_id"
    keys.take("second_key", "secondKey", default if through else "")
    keys.take("second_local_key", "secondLocalKey", (between.key_name() if between else "id") if through else "")


def _pivot_keys(keys: _Keys, kind: str, model: Model, related: tuple[str, str, str], find: Finder) -> None:
    """Add the keys of a relation with a pivot table.

    Args:
        keys: added to.
        kind: of relation.
        model: the model that has it.
        related: full name of the related model, its primary key, and the name of foreign keys to it.
        find: finds models of the bundle.
    """
    name, related_key, related_foreign = related
    morph = keys.given.get("name", "")
    if kind == "belongsToMany":
        segments = sorted([snake(basename(name)), snake(basename(model.name))])
        default = "_".join(segments).lower() if name and not model.is_abstract else ""
        own, others = model.foreign_key(), related_foreign
    else:
        keys.take("morph_name", "name", "")
        keys.take("morph_type", "morph_type", morph and f"{morph}_type")  # Laravel has no parameter for it
        head, underscore, last = morph.rpartition("_")
        default = head + underscore + plural(last)
        morph_key = morph and f"{morph}_id"
        own, others = (morph_key, related_foreign) if kind == "morphToMany" else (model.foreign_key(), morph_key)
    keys.take("pivot_table", "table", default)
    keys.take("foreign_key", "foreignPivotKey", own)
    keys.take("related_pivot_key", "relatedPivotKey", others)
    keys.take("local_key", "parentKey", model.key_name())
    keys.take("related_key", "relatedKey", related_key)
    table = keys.known["pivot_table"]
    if "\\" in table or (table[:1].isupper() and find(table, model.file)):  # a model class in place of a table name
        between = find(table.lstrip("\\"), model.file)
        keys.known["using"] = table.lstrip("\\")
        keys.known["pivot_table"] = between.table()[0] if between else ""
