from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from hardtack.bundle.format import layout, postings
from hardtack.bundle.format.postings import read_postings, write_postings
from hardtack.bundle.format.relations import RelationTables, fact_table, reference_table, relation_table
from hardtack.bundle.format.tables import render_table
from hardtack.errors import FormatError
from hardtack.nouns.relations import Certainty, Fact, Reference, Relation, RelationKind

EXAMPLE = [
    Reference(5, 21, 512, 22, False, 14, Certainty.EXACT),
    Reference(5, 38, 542, 23, True, 14, Certainty.POSSIBLE),
]


def tables(relations: Any = (), references: Any = (), facts: Any = ()) -> RelationTables:
    """Over a bundle of three files of ten symbols and 99 lines each."""
    written = {
        layout.RELATIONS: relation_table(relations),
        layout.REFERENCES: reference_table(references, [0, 10, 20]),
        layout.FACTS: fact_table(facts),
    }

    def file(ordinal: int) -> Any:
        return SimpleNamespace(first_symbol=10 * ordinal, symbol_count=10, text_length=1 << 30, line_count=99)

    members = {name: memoryview(b"".join(render_table(*table))) for name, table in written.items()}
    return RelationTables(members, file=file, file_count=3, symbol_count=30)


def test_a_posting_list_has_the_bytes_that_the_specification_describes() -> None:
    expected = bytes.fromhex("01 0E 11 06 80 04 15 0A 1A 1E 11 0B")  # FORMAT.md 4.9 has the same example
    assert expected == write_postings(EXAMPLE, [0] * 5 + [13])
    assert EXAMPLE == [reference._replace(source=reference.source + 13) for reference in read_postings(expected, 2)]


def test_postings_out_of_order_are_our_own_bug() -> None:
    with pytest.raises(AssertionError, match="not in order"):
        write_postings(EXAMPLE[::-1], [0] * 6)


def test_a_name_that_is_used_more_often_than_a_row_takes_has_several_rows() -> None:
    many = [Reference(1, 1, start, -1, False, 12, Certainty.LIKELY) for start in range(2 * postings.MOST_POSTINGS + 1)]
    few = [Reference(0, 1, 0, 3, False, -1, Certainty.POSSIBLE)]
    found = tables(references=[("b", few), ("many", many), ("a", few)])
    assert 5 == len(found._references)
    assert tuple(many) == found.references_of("many")
    assert tuple(few) == found.references_of("a") == found.references_of("b")
    assert () == found.references_of("man") == found.references_of("many ") == found.references_of("\udcff")
    found.check(lambda _: "many")


def test_references_filed_under_a_name_their_symbol_does_not_have_do_not_verify() -> None:
    found = tables(references=[("a", [Reference(0, 1, 0, -1, False, 3, Certainty.EXACT)])])
    with pytest.raises(FormatError, match="filed under another name"):
        found.check(lambda _: "b")


def test_a_relation_is_found_from_its_source_its_target_and_its_file() -> None:
    inherits = Relation(1, 7, 12, RelationKind.INHERITS, "Base", 3, 0, Certainty.EXACT)
    imports = Relation(1, 2, -1, RelationKind.IMPORTS, "base Base", -1, 0, Certainty.EXACT)
    embeds = Relation(2, 2, 21, RelationKind.EMBEDS, "io.Reader", -1, -1, Certainty.POSSIBLE)
    found = tables([embeds, inherits, imports])
    assert (inherits,) == found.relations_from(12) == found.relations_to(3)
    assert (imports, inherits) == found.relations_of_file(1)
    assert () == found.relations_from(3) == found.relations_to(12) == found.relations_of_file(0)
    assert [imports, inherits, embeds] == list(found.relations())


def test_more_values_than_one_array_takes_are_read_as_one() -> None:
    fillable = Fact(4, "fillable", tuple(f"column_{number}" for number in range(250)))
    found = tables(facts=[Fact(9, "table", ("users", "declared")), fillable, Fact(4, "cast", ("id", "int"))])
    assert (fillable, Fact(4, "cast", ("id", "int"))) == found.facts_of(4)
    assert () == found.facts_of(5)


def test_a_reference_in_the_first_symbol_of_a_file_comes_back_with_that_symbol() -> None:
    from_each = [Reference(file, 1, 0, 10 * file, True, 3, Certainty.EXACT) for file in range(3)]
    from_none = [Reference(file, 2, 9, -1, False, 3, Certainty.LIKELY) for file in range(3)]
    found = tables(references=[("name", sorted([*from_each, *from_none]))])
    assert tuple(sorted([*from_each, *from_none])) == found.references_of("name")
