"""A model in, its table, keys and casts out: declared, or by Laravel's conventions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardtack.build.frameworks.laravel.inflection import plural_studly, singular, snake
from hardtack.build.frameworks.laravel.lineage import MORPH_PIVOT, PIVOT
from hardtack.build.frameworks.laravel.names import basename
from hardtack.build.frameworks.laravel.raw import ELOQUENT, RawKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hardtack.build.frameworks.laravel.lineage import Classes

DECLARED: Final = "declared"
INFERRED: Final = "inferred"
_COLUMN_LISTS: Final = {"fillable": "Fillable", "hidden": "Hidden", "visible": "Visible", "appends": "Appends"}
"""Property -> the attribute that adds to it."""


class Model:
    """A model class with its inherited members: those of its traits and parents count as its own."""

    def __init__(self, ordinal: int, classes: Classes) -> None:
        self.ordinal = ordinal
        self.classes = classes
        self.file = classes.declared[ordinal].file
        self.name = classes.name(ordinal)
        self.is_abstract = classes.is_abstract(ordinal)
        self.members = classes.lineage(ordinal).members
        self.is_morph_pivot = classes.descends(ordinal, MORPH_PIVOT)
        self.is_pivot = self.is_morph_pivot or classes.descends(ordinal, PIVOT) or classes.uses(ordinal, "AsPivot")
        self.soft_deletes = classes.uses(ordinal, "SoftDeletes")
        self._properties: dict[str, tuple[str, ...]] = {}
        self._attributes: dict[str, tuple[str, ...]] = {}
        for member in self.members:
            for name, *values in classes.raw_values(member, RawKey.PROPERTY):
                self._properties.setdefault(name, tuple(values))
            for name, *values in classes.raw_values(member, RawKey.ATTRIBUTE):
                self._attributes.setdefault(name, tuple(values))

    def property(self, name: str) -> str:
        """The nearest value of a property as text; empty if it is not set."""
        return next(iter(self._properties.get(name, ())), "")

    def table_option(self, key: str) -> str:
        """The value of ``key`` in ``#[Table]``; empty if it is not there."""
        options = dict(option.split("=", 1) for option in self._attributes.get("Table", ()))
        return options.get(key, "")

    def table(self) -> tuple[str, str]:
        """(table, :data:`DECLARED` or :data:`INFERRED`); two empty texts if it is unknown."""
        if (returned := self._override("getTable")) is not None:
            return (returned, DECLARED) if returned else ("", "")
        own = [self.ordinal, *(each for each in self.members if each != self.ordinal and self._is_own_trait(each))]
        own_table = next(
            (v[1] for each in own for v in self.classes.raw_values(each, RawKey.PROPERTY) if v[0] == "table" and v[1:]), ""
        )
        has_own_attribute = any(values[0] == "Table" for values in self.classes.raw_values(self.ordinal, RawKey.ATTRIBUTE))
        inherited = "" if has_own_attribute else self.property("table")
        stated = own_table or inherited or self.table_option("name")
        if stated:
            return stated, DECLARED
        if self.is_abstract:
            return "", ""
        last = basename(self.name)
        return snake(singular(last) if self.is_pivot and not self.is_morph_pivot else plural_studly(last)), INFERRED

    def _is_own_trait(self, member: int) -> bool:
        """Whether a member is a trait that the class itself uses."""
        names = [name.lower() for values in self.classes.raw_values(self.ordinal, RawKey.TRAITS) for name in values]
        return self.classes.name(member).lower() in names

    def key_name(self) -> str:
        """The primary key's column; empty if a method computes it."""
        if (returned := self._override("getKeyName")) is not None:
            return returned
        declared = self.property("primaryKey")
        return declared if declared not in ("", "id") else self.table_option("key") or declared or "id"

    def foreign_key(self) -> str:
        """The name of foreign keys to this model in other tables; empty if it is unknown."""
        if (returned := self._override("getForeignKey")) is not None:
            return returned
        key = self.key_name()
        return f"{snake(basename(self.name))}_{key}" if key and not self.is_pivot and not self.is_abstract else ""

    def _override(self, method: str) -> str | None:
        """The text that an overriding method returns, empty if it is unknown; None if there is no such method."""
        own = (member for member in self.members if not self.classes.name(member).startswith(f"{ELOQUENT}\\"))
        overrides = (values for member in own for values in self.classes.raw_values(member, RawKey.OVERRIDE))
        return next((text for name, text in overrides if name == method), None)

    def settings(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """(key, values) of each fact about its table and columns, in a fixed order."""
        table, how = self.table()
        if table:
            yield "table", (table, how)
        key = self.key_name()
        if key != "id" or self.property("primaryKey"):
            yield from [("primary_key", (key,))] if key else []
        if key_type := self.property("keyType") or self.table_option("keyType"):
            yield "key_type", (key_type,)
        incrementing = (self.property("incrementing"), self.table_option("incrementing"))
        if "false" in incrementing or "WithoutIncrementing" in self._attributes:
            yield "incrementing", ("false",)
        if connection := self.property("connection") or next(iter(self._attributes.get("Connection", ())), ""):
            yield "connection", (connection,)
        if not self._has_timestamps():
            yield "timestamps", ("false",)
        if self.soft_deletes:
            yield "soft_deletes", ("true",)
        for name in ("fillable", "guarded", "hidden", "visible", "appends", "dates", "touches", "with"):
            columns = self._guarded() if name == "guarded" else self._columns(name)
            if columns or (name == "guarded" and columns is not None):
                yield name, columns
        for column, cast in self.casts().items():
            yield "cast", (column, cast)

    def _has_timestamps(self) -> bool:
        if self.property("timestamps") == "false" or "WithoutTimestamps" in self._attributes:
            return False
        return self.table_option("timestamps") != "false"

    def _columns(self, name: str) -> tuple[str, ...]:
        """A list of columns: from the nearest property and the attribute."""
        added = self._attributes.get(_COLUMN_LISTS.get(name, name.capitalize()), ())
        return tuple(dict.fromkeys((*self._properties.get(name, ()), *added)))

    def _guarded(self) -> tuple[str, ...] | None:
        """The guarded columns, empty if all may be filled; None if nothing is declared."""
        declared = self._properties.get("guarded")
        if declared is not None and declared != (() if self.is_pivot else ("*",)):
            return () if declared == ("false",) else declared
        if "Unguarded" in self._attributes:
            return ()
        return self._attributes.get("Guarded", declared)

    def casts(self) -> Mapping[str, str]:
        """Column -> type: from ``$casts``, then from ``casts()`` and, if it includes them, its parent's."""
        casts = _paired(self._properties.get("casts", ()))
        merged: dict[str, str] = {}
        for values in (values for member in self.members for values in self.classes.raw_values(member, RawKey.CASTS)):
            merged = {**_paired(values[1:]), **merged}
            if values[0] != "parent":
                break
        casts |= merged
        if self.soft_deletes:
            casts.setdefault(self.property("deletedAt") or "deleted_at", "datetime")
        return casts


def _paired(flat: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(flat[::2], flat[1::2], strict=True))
