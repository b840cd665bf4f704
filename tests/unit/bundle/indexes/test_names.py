"""Files and symbols are found by the words they are called by, whatever they are called."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest

from hardtack.bundle.indexes.names import Family, NameIndex, NamesWriter, folder_words, stem_words, words_of
from hardtack.errors import FormatError


def written(*files: tuple[str, Sequence[str]]) -> bytes:
    """The member of files that are given as a path and the names of its symbols."""
    writer, first = NamesWriter(), 0
    for number, (path, names) in enumerate(files):
        writer.add(number, path, first, names)
        first += len(names)
    return b"".join(writer.render())


def index(*files: tuple[str, Sequence[str]]) -> NameIndex:
    return NameIndex(memoryview(written(*files)), files=len(files), symbols=sum(len(names) for _, names in files))


def found(names: NameIndex, family: Family, word: str) -> list[int]:
    row = names.row(word)
    ordinals: list[int] = names.postings(family, row).tolist() if row >= 0 else []
    return ordinals


@pytest.mark.parametrize(
    ("path", "stem", "folder"),
    [
        ("src/http/parseRequest.test.ts", ["parse", "request", "test"], ["src", "http"]),
        ("Makefile", ["makefile"], []),
        (".gitignore", ["gitignore"], []),
        ("a.b/__init__.py", ["init"], ["a", "b"]),
        ("größe_Ändern/日本語.md", ["日本", "本語"], ["grosse", "andern"]),
        ("src/src/src.rs", ["src"], ["src"]),
        ("--/__.py", [], []),
    ],
)
def test_a_path_has_the_words_of_its_base_name_and_of_its_folders(path: str, stem: list[str], folder: list[str]) -> None:
    assert (stem, folder) == (stem_words(path), folder_words(path))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("parseHTTPRequest", ["parse", "http", "request"]),
        ("Getting Started\nwith shelves", ["getting", "started", "with", "shelves"]),
        ("shelf_shelf", ["shelf"]),
        ("größe_Ändern", ["grosse", "andern"]),
        ("", []),
        ("__", []),
        ("operator+=", ["operator"]),
    ],
)
def test_a_name_has_its_words_once_each(name: str, expected: list[str]) -> None:
    assert expected == words_of(name)


def test_files_and_symbols_are_found_by_their_words_and_symbols_by_their_whole_names() -> None:
    names = index(("pantry/shelf.py", ["Shelf", "Shelf", "put_jar"]), ("docs/shelf.md", []), ("shelf/jar.py", ["Put Jar", "jar"]))
    assert [0, 1] == found(names, Family.STEM, "shelf")
    assert [2] == found(names, Family.FOLDER, "shelf") == found(names, Family.STEM, "jar")
    assert [0, 1] == found(names, Family.PART, "shelf") == found(names, Family.WHOLE, "shelf")
    assert [2, 3, 4] == found(names, Family.PART, "jar")
    assert [2, 3] == found(names, Family.WHOLE, "put_jar")
    assert [] == found(names, Family.WHOLE, "put") == found(names, Family.PART, "docs") == found(names, Family.PART, "lid")


def test_the_words_that_begin_alike_stand_together() -> None:
    names = index(("a.py", ["shelf", "shelve", "she", "shy", "shelf_life", "シェルフ"]))
    assert ["she", "shelf", "shelf_life", "shelve"] == [names.words[row] for row in names.rows_from("she")]
    assert ["シェ", "シェルフ"] == [names.words[row] for row in names.rows_from("シェ")]
    assert [] == list(names.rows_from("z")) == list(names.rows_from("she\udcff"))
    assert -1 == names.row("") == names.row("sh") == names.row("\udcff") == names.row("\U0010ffff")


def test_a_bundle_without_files_has_no_words() -> None:
    names = index()
    assert ([], -1, []) == (names.words.between(range(len(names.words))), names.row("a"), list(names.rows_from("")))


def test_names_of_nothing_but_separators_are_in_no_list_of_parts() -> None:
    names = index(("a.py", ["", "  ", "__", "\n", "+"]), ("b.py", []))
    assert ["+", "__", "a", "b"] == names.words.between(range(len(names.words)))
    assert [2] == found(names, Family.WHOLE, "__")
    assert [4] == found(names, Family.WHOLE, "+")
    assert 0 == sum(len(names.postings(Family.PART, row)) for row in range(4))


def test_a_whole_name_is_cut_where_a_term_is() -> None:
    assert [0, 1] == found(index(("a.py", ["n" * 100, "N" * 300])), Family.WHOLE, "n" * 100)


def test_what_is_written_depends_on_the_files_alone() -> None:
    files = [(f"folder_{number % 7}/file_{number}.py", [f"name_{number % 5}", "other"]) for number in range(50)]
    assert written(*files) == written(*files)


def test_the_bytes_are_those_that_the_specification_describes() -> None:
    starts = [(0, 1, 1), (0, 0, 1), (0, 1, 1), (0, 1, 1)]  # stem a; folder b; part and whole a
    expected = b"HTKNAM\0\1" + struct.pack("<6Q", 2, 3, 1, 1, 1, 1)
    expected += b"".join(struct.pack("<3I", *each) for each in starts) + struct.pack("<4I", 0, 0, 0, 0) + b"a\nb"
    assert expected == written(("b/a.py", ["a"]))


def test_a_member_of_another_bundle_points_outside_this_one() -> None:
    member = memoryview(written(("a.py", ["x", "y"]), ("b.py", [])))
    NameIndex(member, files=2, symbols=2).check()
    for files, symbols in ((1, 2), (2, 1)):
        with pytest.raises(FormatError, match="points outside"):
            NameIndex(member, files=files, symbols=symbols).check()


@pytest.mark.parametrize(
    ("vocabulary", "what"),
    [
        (b"abc", "other words than it promises"),
        (b"a\n\n", "other words than it promises"),
        (b"a\n\xff", "no text"),
        (b"\xed\xa0\x80", "no text"),
    ],
)
def test_a_vocabulary_that_is_none_is_refused_when_it_is_opened(vocabulary: bytes, what: str) -> None:
    with pytest.raises(FormatError, match=what):
        NameIndex(memoryview(written(("b/a.py", ["a"]))[:-3] + vocabulary), files=1, symbols=1)


@pytest.mark.parametrize(
    ("vocabulary", "what"),
    [
        (b"b\na", "out of order"),
        (b"a\na", "out of order"),
        (b"\nab", "out of order"),
    ],
)
def test_a_vocabulary_out_of_order_is_refused_when_it_is_checked(vocabulary: bytes, what: str) -> None:
    names = NameIndex(memoryview(written(("b/a.py", ["a"]))[:-3] + vocabulary), files=1, symbols=1)
    with pytest.raises(FormatError, match=what):
        names.check()
