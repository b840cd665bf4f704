"""References by name, packed while they wait."""

from __future__ import annotations

import gc
import weakref

import pytest

from hardtack.build.relations.by_file import ReferencesByName
from hardtack.build.relations.names import SymbolNames
from hardtack.build.relations.relate import Relater
from hardtack.nouns.relations import Certainty, Reference


def test_references_come_out_as_they_were_put_in() -> None:
    most = (1 << 31) - 1
    given = [
        *(Reference(3, 1, 0, -1, False, -1, certainty) for certainty in Certainty),
        *(Reference(most, most, most, most, True, most, certainty) for certainty in Certainty),
    ]
    filed = ReferencesByName()
    for reference in given:
        filed.add("a", reference)
    filed.add("b", given[0])
    assert {"a": given, "b": given[:1]} == dict(filed)
    assert ([*map(type, filed["a"][0])], 2) == ([*map(type, given[0])], len(filed))


def test_a_name_without_references_is_not_there() -> None:
    filed = ReferencesByName()
    with pytest.raises(KeyError):
        filed["a"]
    assert ([], 0) == (list(filed), len(filed))


def test_no_declaration_is_kept_when_all_are_related() -> None:
    relater = Relater([])
    names: SymbolNames = relater._names
    kept = weakref.ref(names)
    del names
    related = relater.relate([])
    gc.collect()
    assert (None, {}) == (kept(), dict(related.references))
