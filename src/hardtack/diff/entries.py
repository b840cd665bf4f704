"""A bundle and some of its files in, their symbols out, each with what a comparison asks of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from hardtack.bundle.format.records import FileRecord, SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.diff.bodies import MOST_BYTES, Body, body_of
from hardtack.diff.statements import SCRIPTS
from hardtack.diff.surface import Surface, address_of_module
from hardtack.nouns.changes import SymbolState
from hardtack.nouns.details import Detail, Parameter
from hardtack.nouns.model import CALLABLES, FUNCTIONS, NAMESPACES, TYPES, VALUES, Content, Kind
from hardtack.query.lookup.metadata import role_of

_COMPARED = TYPES | CALLABLES | VALUES | {Kind.ENUM_MEMBER}


@dataclass(eq=False)
class Entry:
    """One symbol of one bundle."""

    surface: Surface
    ordinal: int
    file: FileRecord
    record: SymbolRecord
    detail: Detail
    owner: Entry | None
    """The type that it is a member of, if that is written around it or, in Go and Rust, stands in a changed file beside it."""
    members: list[Entry] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Qualified."""
        return self.record.qualified_name

    @property
    def path(self) -> str:
        """Of its file."""
        return self.file.path

    @cached_property
    def is_exported(self) -> bool:
        """Whether code outside of the repository can name it."""
        return self.surface.is_exported(self.ordinal)

    @cached_property
    def is_value(self) -> bool:
        """Whether it is read and set, not called: a field, or a function that stands for one."""
        return self.record.kind in VALUES or (self.record.kind in FUNCTIONS and role_of(self.detail) != "")

    @cached_property
    def sort(self) -> str:
        """Its kind as callers see it: one word for all kinds that are used in the same way."""
        kind = self.record.kind
        if self.is_value:
            return "value"
        if kind in FUNCTIONS:
            return "function"
        return "class" if kind is Kind.STRUCT else kind.value

    @cached_property
    def home(self) -> str:
        """What code outside imports it from: a module, a package, a folder."""
        path, language = self.path, self.file.language
        if language == "go":
            return path.rpartition("/")[0]
        if self.surface.crates.package_of(self.file):
            return self.surface.crates.home_of(self.ordinal)
        if language in SCRIPTS or language in ("python", "rust"):
            return address_of_module(path)
        return self.record.package.replace("\\", ".")

    @cached_property
    def body(self) -> Body | None:
        """Its own text; None where text is not read."""
        if not self.surface.reads_text:
            return None
        bundle = self.surface.bundle
        return body_of(bundle, self.ordinal, _outermost(bundle, self.ordinal, self.file))

    @cached_property
    def whole(self) -> Body | None:
        """Its text with that of its members; None where text is not read."""
        return body_of(self.surface.bundle, self.ordinal, ()) if self.surface.reads_text else None

    def forget_text(self) -> None:
        """Free the tokens, which take as much as the source several times over; they are made again if asked for."""
        for name in ("body", "whole"):
            self.__dict__.pop(name, None)

    @property
    def text(self) -> str:
        """Its text with that of its members, of a bundle with text: the first :data:`MOST_BYTES`."""
        record = self.record
        end = min(record.end, record.start + MOST_BYTES)
        return self.surface.bundle.text_of(self.file, record.start, end).decode("utf-8", "replace")

    @property
    def state(self) -> SymbolState:
        """What an answer says of it."""
        record = self.record
        return SymbolState(
            kind=record.kind.value, name=self.name, path=self.path, line=record.selection_line, signature=record.signature
        )


def type_of_parameter(entry: Entry, parameter: Parameter) -> str:
    """As declared; with the brackets that Java may have behind the name."""
    if entry.file.language == "java" and re.search(rf"\b{re.escape(parameter.name)}\s*\[\s*\]", entry.record.signature):
        return f"{parameter.type}[]"
    return parameter.type


def entries_of(surface: Surface, files: Iterable[int]) -> list[Entry]:
    """The symbols of these files, in order, without those inside functions, which are part of their bodies."""
    found: list[Entry] = []
    for number in files:
        file = surface.bundle.file(number)
        if file.content == Content.CODE:
            found += _entries_of_file(surface, file)
    _join_members(found)
    return found


def _join_members(entries: list[Entry]) -> None:
    """Give methods that stand outside of their types, as Go's and Rust's, those types, where they are among the entries."""
    outside = [each for each in entries if each.owner is None and "." in each.name and each.file.language in ("go", "rust")]
    if not outside:
        return
    types = {(each.file.language, each.home, each.name): each for each in entries if each.record.kind in TYPES and not each.owner}
    inside = {(each.path, each.record.name): each for each in types.values() if each.file.language == "rust"}
    for each in outside:
        written = each.name.rpartition(".")[0]
        owner = types.get((each.file.language, each.home, written)) or inside.get((each.path, written.rpartition(".")[2]))
        if owner and owner is not each:
            each.owner = owner
            owner.members.append(each)


def _entries_of_file(surface: Surface, file: FileRecord) -> list[Entry]:
    bundle = surface.bundle
    kept: dict[int, Entry] = {}
    hidden: set[int] = set()
    for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
        record = bundle.symbol(ordinal)
        above = bundle.symbol(record.parent) if record.parent >= 0 else None
        owner = kept.get(record.parent)
        if above and (record.parent in hidden or above.kind in FUNCTIONS):
            if not (record.kind is Kind.PROPERTY and above.kind is Kind.CONSTRUCTOR and owner and owner.owner):
                hidden.add(ordinal)
                continue
            if record.qualified_name.rpartition(".")[0] != owner.owner.name:
                hidden.add(ordinal)
                continue
            owner = owner.owner
        if record.kind in _COMPARED:
            kept[ordinal] = entry = Entry(surface, ordinal, file, record, bundle.detail(ordinal), owner)
            if owner:
                owner.members.append(entry)
        elif record.kind not in NAMESPACES and record.kind is not Kind.BLOCK:
            hidden.add(ordinal)
    return list(kept.values())


def _outermost(bundle: Bundle, ordinal: int, file: FileRecord) -> list[int]:
    """The outermost symbols inside a type; of a function none, since what is inside it is its own text."""
    symbol = bundle.symbol(ordinal)
    if symbol.kind not in TYPES:
        return []
    inside: list[int] = []
    for each in range(ordinal + 1, file.first_symbol + file.symbol_count):
        other = bundle.symbol(each)
        if other.start >= symbol.end:
            break
        if other.parent == ordinal:
            inside.append(each)
    return inside
