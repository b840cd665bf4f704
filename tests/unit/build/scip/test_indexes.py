"""Where in a tree an index belongs, which of several decides, and the sentence that one of no use costs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from scip_indexes import document, index, occurrences, symbol
from source_files import source_file

from hardtack.build.scip.index_file import opened_indexes
from hardtack.build.scip.indexes import CompilerIndexes, Knowledge
from hardtack.build.workers.analyse import analyse
from hardtack.nouns.model import Provenance

_TEXT = "export function fill() {}\n"
_FILL = symbol("`jar.ts`/fill().")


def _jar(path: str, text: str = _TEXT) -> object:
    return document(path, occurrences(text, ("fill", _FILL, 1)))


def _known(
    place: Path, data: Sequence[bytes], files: dict[str, str], provenance: Provenance | None = None
) -> tuple[Knowledge, list[str]]:
    paths = [place / f"{number}.scip" for number in range(len(data))]
    for path_of_index, each in zip(paths, data, strict=True):
        path_of_index.write_bytes(each)
    with opened_indexes(paths) as opened:
        indexes = CompilerIndexes(opened, provenance or Provenance())
        for number, (path, text) in enumerate(files.items()):
            file = source_file(path, text)
            indexes.read(number, file, analyse(file, None))
        return indexes.settled()


@pytest.mark.parametrize(
    ("root", "files", "provenance", "found"),
    [
        ("file:///srv/jars", ["a.ts", "src/jar.ts"], Provenance(), [1]),
        ("file:///srv/jars/packages/lids", ["packages/lids/src/jar.ts", "src/jar.ts"], Provenance(), [0]),
        ("file:///srv/gr%C3%B6%C3%9Fe", ["größe/src/jar.ts"], Provenance(), [0]),
        ("file:///srv/jars", ["jar.ts"], Provenance(subdirectory="src"), [0]),
        ("file:///srv/jars/packages/lids", ["src/jar.ts"], Provenance(subdirectory="packages/lids"), [0]),
        ("file:///srv/lids", ["jars/src/jar.ts", "lids/src/jar.ts"], Provenance(roots=("jars", "lids")), [1]),
        ("file:///srv/other", ["jars/src/jar.ts"], Provenance(roots=("jars",)), [0]),
        ("file:///", ["src/jar.ts"], Provenance(), [0]),
        ("", ["src/jar.ts"], Provenance(), [0]),
        ("file:///../..", ["src/jar.ts"], Provenance(), [0]),
        ("http://[", ["src/jar.ts"], Provenance(), [0]),
        ("file:///srv/jars", ["src/lid.ts"], Provenance(), []),
    ],
)
def test_an_index_belongs_where_most_of_its_files_fit(
    tmp_path: Path, root: str, files: list[str], provenance: Provenance, found: list[int]
) -> None:
    others = [_jar(f"src/more{number}.ts") for number in range(2)] if "packages" in files[0] else []
    more = {f"packages/lids/src/more{number}.ts": _TEXT for number in range(2)} if others else {}
    knowledge, notes = _known(
        tmp_path, [index(_jar("src/jar.ts"), *others, root=root)], dict.fromkeys(files, _TEXT) | more, provenance
    )
    assert (found, not found) == ([number for number in knowledge.said if number < len(files)], bool(notes))


def test_of_two_indexes_the_first_is_asked_first_and_a_symbol_of_both_is_one(tmp_path: Path) -> None:
    lid = document("lid.ts", occurrences("fill();\n", ("fill", _FILL, 0)))
    data = [index(_jar("jar.ts")), index(_jar("jar.ts"), lid)]
    knowledge, notes = _known(tmp_path, data, {"jar.ts": _TEXT, "lid.ts": "fill();\n"})
    assert ([2, 1], [], 1) == ([len(said) for said in knowledge.said.values()], notes, len(knowledge.definitions))


def test_files_that_changed_since_are_counted_and_what_they_define_is_uncertain(tmp_path: Path) -> None:
    data = index(_jar("a.ts"), _jar("b.ts"), _jar("c.ts"), _jar("../d.ts"))
    knowledge, notes = _known(tmp_path, [data], {"a.ts": _TEXT, "b.ts": "\n" + _TEXT, "c.ts": "// gone\n"})
    assert ([0], {0}) == ([*knowledge.said], knowledge.uncertain)
    (note,) = notes
    assert note.startswith(
        "The SCIP index 0.scip does not fit 2 of 3 files, the first of them b.ts, which were changed since, and names 1"
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"nothing", "it is no SCIP index, or is cut off"),
        (index(), "it has none of the files"),
        (index(_jar("other.ts")), "it has none of the files"),
        (index(_jar("jar.ts", "export function tap() {} fill\n")), "it fits none of the files"),
    ],
)
def test_an_index_of_no_use_costs_a_sentence(tmp_path: Path, data: bytes, reason: str) -> None:
    knowledge, notes = _known(tmp_path, [data], {"jar.ts": _TEXT})
    assert ({}, [f"The SCIP index 0.scip was left out: {reason}"]) == (knowledge.said, notes)


def test_a_document_is_no_larger_than_its_file_lets_it_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.build.scip.indexes._SPARE", 0)
    large = document("jar.ts", occurrences(_TEXT, ("fill", _FILL, 1)), encoding=1)
    assert _known(tmp_path, [index(large)], {"jar.ts": _TEXT})[0].said
    for number in range(100):
        large.occurrences.add(range=[0, 0, 0], symbol=f"{_FILL}{number:0100}")
    knowledge, notes = _known(tmp_path, [index(large)], {"jar.ts": _TEXT})
    assert ({}, 1) == (knowledge.said, len(notes))


def test_an_index_that_is_written_to_while_it_is_read_is_left_out(tmp_path: Path) -> None:
    place = tmp_path / "a.scip"
    place.write_bytes(index(_jar("jar.ts")))
    file = source_file("jar.ts", _TEXT)
    with opened_indexes([place]) as opened:
        indexes = CompilerIndexes(opened, Provenance())
        indexes.read(0, file, analyse(file, None))
        os.utime(place, (1, 1))
        assert ({}, ["The SCIP index a.scip was left out: it was written to while it was read"]) == (
            indexes.settled()[0].said,
            indexes.settled()[1],
        )
