"""Relations, references and facts come back as they were written, whatever they are, and no damage is worse than an error."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.bundle.format import layout
from hardtack.bundle.format.postings import read_postings, write_postings
from hardtack.bundle.format.relations import RelationTables, fact_table, reference_table, relation_table
from hardtack.bundle.format.tables import render_table
from hardtack.nouns.relations import Certainty, Fact, Reference, Relation, RelationKind

SYMBOLS_OF_A_FILE = 200
FILES = 5
SYMBOLS = SYMBOLS_OF_A_FILE * FILES
TEXT = 1 << 20

text = st.text(st.characters(exclude_categories=["Cs"]))
name = st.sampled_from(["a", "A", "é", "名", "a.b", ""])
number = st.integers(min_value=0, max_value=FILES - 1)
symbol = st.integers(min_value=0, max_value=SYMBOLS - 1)
certainty = st.sampled_from(Certainty)


@st.composite
def references(draw: st.DrawFn) -> list[Reference]:
    found = []
    for file in sorted(draw(st.sets(number))):
        starts = sorted(draw(st.sets(st.integers(min_value=0, max_value=TEXT - 1), min_size=1, max_size=6)))
        for line, start in enumerate(starts, draw(st.integers(min_value=1, max_value=9))):
            local = draw(st.integers(min_value=-1, max_value=SYMBOLS_OF_A_FILE - 1))
            source = local if local < 0 else file * SYMBOLS_OF_A_FILE + local
            target = draw(st.just(-1) | symbol)
            found.append(Reference(file, line, start, source, draw(st.booleans()), target, draw(certainty)))
    return found


@st.composite
def relations(draw: st.DrawFn) -> Relation:
    file = draw(number)
    source = draw(st.just(-1) | st.integers(min_value=file * SYMBOLS_OF_A_FILE, max_value=(file + 1) * SYMBOLS_OF_A_FILE - 1))
    target = draw(st.just(-1) | symbol)
    target_file = target // SYMBOLS_OF_A_FILE if target >= 0 else draw(st.just(-1) | number)
    line = draw(st.integers(min_value=1, max_value=TEXT))
    return Relation(file, line, source, draw(st.sampled_from(RelationKind)), draw(text), target, target_file, draw(certainty))


key = st.from_regex(r"[a-z][a-z_]{0,20}", fullmatch=True)
facts = st.builds(Fact, symbol, key, st.lists(text, max_size=3).map(tuple) | st.integers(0, 500).map(lambda count: ("x",) * count))


def read(found: Any, used: Any, told: Any) -> RelationTables:
    """What was written, mapped again over a bundle of five files with 200 symbols each."""
    written = {
        layout.RELATIONS: relation_table(found),
        layout.REFERENCES: reference_table(used, range(0, SYMBOLS, SYMBOLS_OF_A_FILE)),
        layout.FACTS: fact_table(told),
    }

    def file(ordinal: int) -> Any:
        assert ordinal < FILES
        first = ordinal * SYMBOLS_OF_A_FILE
        return SimpleNamespace(first_symbol=first, symbol_count=SYMBOLS_OF_A_FILE, text_length=TEXT, line_count=TEXT)

    members = {key: memoryview(b"".join(render_table(*table))) for key, table in written.items()}
    return RelationTables(members, file=file, file_count=FILES, symbol_count=SYMBOLS)


@settings(max_examples=60)
@given(st.lists(relations(), max_size=20))
def test_relations_are_found_from_both_ends_and_by_file(found: list[Relation]) -> None:
    tables = read(found, (), ())
    assert sorted(found, key=str) == sorted(tables.relations(), key=str)
    for ordinal in {relation.source for relation in found} - {-1}:
        assert {each for each in found if each.source == ordinal} == set(tables.relations_from(ordinal))
    for ordinal in {relation.target for relation in found} - {-1}:
        assert {each for each in found if each.target == ordinal} == set(tables.relations_to(ordinal))
    for ordinal in range(FILES):
        assert sorted((each for each in found if each.file == ordinal), key=str) == sorted(
            tables.relations_of_file(ordinal), key=str
        )
    tables.check(lambda _: "")


@settings(max_examples=60)
@given(st.dictionaries(name, references()))
def test_references_are_found_under_their_names(used: dict[str, list[Reference]]) -> None:
    shuffled = {key: list(reversed(values)) for key, values in reversed(used.items())}
    tables = read((), shuffled.items(), ())
    for key in ("a", "A", "é", "名", "a.b", "", "b", "z"):
        assert tuple(used.get(key, ())) == tables.references_of(key)


@settings(max_examples=60)
@given(st.lists(facts, max_size=10))
def test_the_facts_of_a_symbol_come_back_in_their_order(told: list[Fact]) -> None:
    tables = read((), (), told)
    of_symbols = defaultdict(list)
    for fact in told:
        of_symbols[fact.symbol].append(fact)
    for ordinal in (*of_symbols, 0, SYMBOLS - 1):
        assert tuple(of_symbols.get(ordinal, ())) == tables.facts_of(ordinal)
    tables.check(lambda _: "")


@settings(max_examples=200)
@given(references().filter(bool), st.data())
def test_no_damage_to_a_posting_list_is_more_than_a_value_error(found: list[Reference], data: st.DataObject) -> None:
    damaged = bytearray(write_postings(found, range(0, SYMBOLS, SYMBOLS_OF_A_FILE)))
    at = data.draw(st.integers(min_value=0, max_value=len(damaged)))
    damaged[at : at + data.draw(st.integers(min_value=0, max_value=9))] = data.draw(st.binary(max_size=9))
    with contextlib.suppress(ValueError):
        again = read_postings(bytes(damaged), len(found))
        assert len(found) == len(again)
        assert again == sorted(again, key=lambda each: (each.file, each.start))
