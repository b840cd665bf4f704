"""Hostile relations, references, facts and tags: rows that point elsewhere, posting lists without end, columns and orders that lie.

Every attack begins from sound tables about the frozen bundle's ``pantry/stock.py`` (file 5, symbols 13 to 23), whatever the frozen
tables hold themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attacks_on_records import retold
from forge import Attack, Forge

from hardtack.bundle.format.layout import CHUNKS, FACTS, FILES, REFERENCES, RELATIONS, SYMBOLS
from hardtack.bundle.format.relations import RELATION_FIELDS

BIG = (1 << 64) - 1
NOTHING = (1 << 32) - 1
FILE, CRATE, STOCK, PARSE = 5, 14, 18, 23
RELATION = [FILE, 18, STOCK, 3, "Crate", CRATE, FILE, 0]
IMPORT = [FILE, 3, -1, 0, "dataclasses dataclass", -1, -1, 2]
POSTINGS = bytes([1, CRATE, 0b10001, 6, 0x80, 4, 21, 10, 0b10010, 30, 17, 11])
"""``Crate`` at byte 512 on line 21 in the file's tenth symbol, and called 30 bytes and 17 lines further, in its eleventh."""


def relations(
    *rows: Sequence[Any], source: Sequence[int] | None = None, target: Sequence[int] | None = None
) -> Callable[[Forge], None]:
    """A table of these relations, with the columns that belong to them if no others are given."""

    def apply(forge: Forge) -> None:
        columns = {
            "source": [row[2] % (1 << 32) if type(row[2]) is int else 0 for row in rows] if source is None else source,
            "target": [row[5] % (1 << 32) if type(row[5]) is int else 0 for row in rows] if target is None else target,
        }
        forge.set_table(RELATIONS, rows, **columns)

    return apply


def related(name: str, value: Any) -> Callable[[Forge], None]:
    """One sound relation but for one field."""
    place = RELATION_FIELDS.index(name)
    return relations([*RELATION[:place], value, *RELATION[place + 1 :]])


def references(*rows: Sequence[Any]) -> Callable[[Forge], None]:
    return lambda forge: forge.set_table(REFERENCES, rows)


def postings(data: bytes, count: int = 2) -> Callable[[Forge], None]:
    return references(["Crate", count, data])


def changed(place: int, *numbers: int) -> Callable[[Forge], None]:
    """The sound posting list with other bytes from ``place`` on."""
    return postings(POSTINGS[:place] + bytes(numbers) + POSTINGS[place + len(numbers) :])


def facts(*rows: Sequence[Any], symbol: Sequence[int]) -> Callable[[Forge], None]:
    return lambda forge: forge.set_table(FACTS, rows, symbol=symbol)


def column_of(member: str, name: str, row: int, value: int) -> Callable[[Forge], None]:
    return lambda forge: forge.set_column(member, name, row, value)


def without_columns(member: str) -> Callable[[Forge], None]:
    """The table with its rows alone."""
    return lambda forge: forge.set_table(member, forge.rows(member))


RELATIONS_ = [
    Attack("relation: sound", retold(relations(IMPORT, RELATION)), ""),
    *(
        Attack(f"relation: {name} of {value!r}", related(name, value), words="row 0")
        for name in ("file", "line", "source", "kind", "target", "target_file", "certainty")
        for value in (BIG, -2, True, "1", 1 << 31)
    ),
    Attack("relation: a name that is a number", related("name", 7), words="impossible name"),
    Attack("relation: a line before the first", related("line", 0), words="points outside"),
    Attack("relation: a line after the last", related("line", 46), words="points outside"),
    Attack("relation: a source in another file", related("source", 24), words="points outside"),
    Attack("relation: a target in another file", related("target", 24), words="points outside"),
    Attack("relation: a target in no file", related("target_file", -1), words="points outside"),
    Attack("relation: a kind of the future", related("kind", 200), words="impossible kind"),
    Attack("relation: a certainty of the future", related("certainty", 3), words="impossible kind or certainty"),
    Attack("relation: out of order", relations(RELATION, IMPORT), words="too late"),
    Attack("relation: a source column that hides", relations(RELATION, source=[STOCK + 1]), words="other numbers"),
    Attack("relation: a target column that claims", relations(IMPORT, target=[CRATE]), words="other numbers"),
    Attack("relation: no columns", lambda forge: forge.set_table(RELATIONS, [RELATION]), words="no column"),
]
REFERENCES_ = [
    Attack("reference: sound", retold(postings(POSTINGS)), ""),
    *(
        Attack(f"reference: count of {value!r}", references(["Crate", value, POSTINGS]))
        for value in (BIG, -1, 0, 1, 3, 1 << 16, True)
    ),
    Attack("reference: a name of bytes", references([b"Crate", 2, POSTINGS]), words="impossible name"),
    Attack("reference: postings of text", references(["Crate", 2, "x"]), words="impossible postings"),
    Attack("reference: no postings", postings(b""), words="ends early"),
    Attack("reference: cut short", postings(POSTINGS[:-1]), words="ends early"),
    Attack("reference: bytes left over", postings(POSTINGS + b"\0"), words="left over"),
    Attack("reference: a number that does not end", postings(POSTINGS[:-1] + b"\x80"), words="inside a number"),
    Attack("reference: a number of six bytes", postings(POSTINGS[:-1] + b"\x80\x80\x80\x80\x80\1"), words="too long"),
    Attack("reference: a number of more bytes than it needs", postings(POSTINGS[:-1] + b"\x8b\0"), words="longer than it must"),
    Attack("reference: 2^32 targets", postings(b"\xff\xff\xff\xff\x0f" + POSTINGS[1:]), words="ends early"),
    Attack("reference: a target twice", postings(b"\2" + POSTINGS[1:2] + b"\0" + POSTINGS[2:]), words="twice"),
    Attack("reference: a target beyond the last symbol", changed(1, 33), words="points outside"),
    Attack("reference: a target called otherwise", changed(1, STOCK), words="another name"),
    Attack("reference: a target that is not listed", changed(2, 0b100001), words="names what is not there"),
    Attack("reference: a certainty of the future", changed(2, 0b11101), words="names what is not there"),
    Attack("reference: no first file", postings(bytes([0, 0b0010, 1, 1, 0]), 1), words="begins in no file"),
    Attack("reference: a file twice", postings(bytes([0, 1, 6, 1, 1, 0, 1, 0, 2, 1, 0])), words="a file comes twice"),
    Attack("reference: a file beyond the last", changed(3, 8), words="points outside"),
    Attack("reference: a file of 2^34", postings(bytes([0, 1, 255, 255, 255, 255, 63, 1, 1, 0]), 1), words="points outside"),
    Attack("reference: a place after the end of the text", changed(4, 0x80, 100), words="points outside"),
    Attack("reference: a line after the last", changed(6, 46), words="points outside"),
    Attack("reference: a line before the first", changed(6, 0), words="points outside"),
    Attack("reference: a symbol of the next file", changed(7, 12), words="points outside"),
    Attack("reference: names out of order", references(["Crate", 2, POSTINGS], ["Box", 2, POSTINGS]), words="too late"),
    Attack("reference: a list twice", references(["Crate", 2, POSTINGS], ["Crate", 2, POSTINGS]), words="too late"),
    Attack("reference: zeros without end", postings(bytes(4_000_000), 1 << 16), words="impossible postings"),
    Attack("reference: as many zeros as may be", postings(bytes(1_900_000), 1 << 16), words="impossible postings"),
    Attack("reference: numbers without end", postings(b"\x80" * 1_900_000, 1 << 16), words="too long"),
    Attack(
        "reference: as many postings as may be, all in one place", retold(postings(b"\0\1\6\1\1\0" + bytes(4 * 65535), 1 << 16)), ""
    ),
    Attack("reference: a million empty lists", references(*[["", 0, b""]] * 1_000_000), words="impossible postings"),
]
FACTS_ = [
    Attack("fact: sound", facts([CRATE, "fillable", [["a"] * 100, ["b"]]], [STOCK, "table", []], symbol=[CRATE, STOCK]), ""),
    Attack("fact: of a symbol beyond the last", facts([33, "table", [["x"]]], symbol=[33]), words="points outside"),
    Attack(
        "fact: of another symbol than its column says", facts([STOCK, "table", [["x"]]], symbol=[CRATE]), words="points outside"
    ),
    Attack("fact: out of order", facts([STOCK, "a", []], [CRATE, "a", []], symbol=[STOCK, CRATE]), words="too late"),
    Attack("fact: no columns", lambda forge: forge.set_table(FACTS, [[CRATE, "a", []]]), words="no column"),
    *(Attack(f"fact: symbol of {value!r}", facts([value, "a", []], symbol=[CRATE])) for value in (BIG, -1, True, "1")),
    *(Attack(f"fact: key of {value!r}", facts([CRATE, value, []], symbol=[CRATE]), words="key") for value in (1, None, b"a")),
    *(
        Attack(f"fact: values of {str(value)[:20]}", facts([CRATE, "a", value], symbol=[CRATE]), words="values")
        for value in (1, "a", ["a"], [[1]], [[["a"]]], [[b"a"]], None)
    ),
    Attack("fact: values without end", facts([CRATE, "a", [["x"] * 1000]], symbol=[CRATE]), words="no msgpack"),
    Attack("fact: values a million deep", facts([CRATE, "a", [[["x"] * 120] * 120] * 120], symbol=[CRATE]), words="values"),
]
TAGS_ = [
    Attack("tags: a chunk that claims one", column_of(CHUNKS, "tags", 0, 1), words="other tags"),
    Attack("tags: a symbol that claims one", column_of(SYMBOLS, "tags", 0, 1), words="other tags"),
    Attack("tags: no column", without_columns(SYMBOLS), words="no column"),
]

ROLES_ = [
    Attack("role: code that claims to be a test", column_of(FILES, "role", 1, 1), words="other languages"),
    Attack("role: one of a later builder", column_of(FILES, "role", 1, 4_000_000_000), ""),
]

ATTACKS = [*RELATIONS_, *REFERENCES_, *FACTS_, *TAGS_, *ROLES_]
