"""What a build makes of a source grows as the source does. Rows and steps are counted; ``benchmarks/growth.py`` measures times."""

from __future__ import annotations

import io
import signal
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from source_files import source_file

from hardtack.build.frameworks.laravel.lineage import Classes
from hardtack.build.frameworks.laravel.raw import RawKey
from hardtack.build.languages.registry import languages
from hardtack.build.outline import symbols
from hardtack.build.outline.symbols import outline_of
from hardtack.build.outline.syntax import Deadline, matches_of, parse
from hardtack.build.relations.names import SymbolNames
from hardtack.build.workers import worker
from hardtack.build.workers.analyse import analyse
from hardtack.build.workers.worker import pack_batch, pack_file, write_message
from hardtack.nouns.outline import ParseStatus
from hardtack.nouns.relations import RelationKind

Write = Callable[..., Any]

ATTRIBUTES = [
    ("python", "@tin\n", "def lid(): pass\n"),
    ("java", "@Tin\n", "class Lid {}\n"),
    ("csharp", "[Tin]\n", "class Lid {}\n"),
    ("rust", "#[tin]\n", "fn lid() {}\n"),
    ("php", "#[Tin]\n", "class Lid {}\n"),
    ("scala", "@tin\n", "class Lid\n"),
    ("swift", "@tin\n", "class Lid {}\n"),
    ("dart", "@tin\n", "class Lid {}\n"),
]


@pytest.mark.parametrize(("language", "attribute", "definition"), ATTRIBUTES, ids=[each[0] for each in ATTRIBUTES])
def test_unfinished_matches_are_few_and_the_definition_is_found_whatever_stands_before_it(
    language: str, attribute: str, definition: str
) -> None:
    entry = languages()[language]
    text = (("<?php\n" if language == "php" else "") + 2_000 * attribute + definition).encode()
    tree = parse(text, entry, Deadline(60))
    assert tree is not None
    assert len(matches_of(tree, entry).details) <= 300
    assert [symbol.name.lower() for symbol in outline_of(text, entry).symbols] == ["lid"]


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_each_name_of_a_list_before_its_module_is_imported_by_one_match(language: str) -> None:
    entry = languages()[language]
    names = ",\n".join(f"tin{number} as pot{number}" if number % 2 else f"tin{number}" for number in range(2_000))
    text = f"import {{ {names} }} from './shelf';\n".encode()
    tree = parse(text, entry, Deadline(60))
    assert tree is not None
    assert len(matches_of(tree, entry).imports) == 1
    imported = outline_of(text, entry).imported
    assert len(imported) == 2_000
    assert [(each.module, each.name, each.alias) for each in imported[:2]] == [
        ("./shelf", "tin0", "tin0"),
        ("./shelf", "tin1", "pot1"),
    ]


@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_a_method_has_each_of_its_decorators_in_a_time_that_grows_as_they_do(language: str) -> None:
    entry = languages()[language]
    decorators = [f"@tin{number}" for number in range(16_000)]
    lines = "\n".join(decorators)
    text = f"class Pot {{\n  @lid stir() {{}}\n{lines}\n  boil() {{}}\n}}\n".encode()
    tree = parse(text, entry, Deadline(60))
    assert tree is not None
    start = time.process_time()
    matches_of(tree, entry)
    assert time.process_time() - start < 1.5, "a tenth of this is usual; one pattern for all decorators takes five seconds"
    outline = outline_of(text, entry)
    of = {symbol.name: outline.details[index].decorators for index, symbol in enumerate(outline.symbols) if symbol.name != "Pot"}
    assert of == {"stir": ("@lid",), "boil": tuple(decorators)}


@pytest.mark.parametrize(
    ("language", "head", "unit", "tail"),
    [("scala", "object Pot { val lid = tin", ".stir()", " }\n"), ("perl", "sub pot { return $lid", "->stir()", "; }\n")],
)
def test_a_line_that_its_grammar_reads_again_at_every_word_is_given_up_by_its_length(
    language: str, head: str, unit: str, tail: str
) -> None:
    entry = languages()[language]
    short, long = ((head + count * unit + tail).encode() for count in (100, 8_000))
    assert parse(short, entry, Deadline(600)) is not None
    assert parse(long, entry, Deadline(600)) is None
    outline = outline_of(long, entry)
    assert outline.status is ParseStatus.ERROR
    assert [symbol.name.lower() for symbol in outline.symbols] == ["pot"]


def test_a_long_line_that_is_read_once_is_parsed_whole() -> None:
    text = ("let lid = [" + 60_000 * "tin, " + "]\n").encode()
    tree = parse(text, languages()["javascript"], Deadline(600))
    assert tree is not None
    assert (tree.root_node.end_byte, tree.root_node.has_error) == (len(text), False)


@pytest.mark.parametrize("language", ["c", "javascript", "bash"])
def test_thousands_of_brackets_that_nothing_closes_are_no_text_of_a_language(language: str) -> None:
    entry = languages()[language]
    broken, noise = (b"f() {\n" + count * (b"(" * 80 + b"\n") + b"}\n" for count in (2, 200))
    assert parse(broken, entry, Deadline(600)) is not None
    assert parse(noise, entry, Deadline(600)) is None
    assert outline_of(noise, entry).status is ParseStatus.ERROR


def test_the_time_for_a_file_grows_with_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float] = []
    times: list[float] = []

    def limited(limit: float) -> Deadline:
        seconds.append(limit)
        return Deadline(limit)

    monkeypatch.setattr(symbols, "Deadline", limited)
    monkeypatch.setattr(signal, "setitimer", lambda _, limit: times.append(limit))
    files = [pack_file(source_file("a.py", b"x = 1\n" * count)) for count in (1, 2_000, 4_000, 8_000)]
    requests = io.BytesIO()
    write_message(requests, pack_batch(files, use_grammar=True))
    requests.seek(0)
    worker._serve(partial(analyse, encoder=None), requests, io.BytesIO(), with_readings=False)
    for limits in (seconds, times):
        assert sorted(limits) == limits
        assert limits[0] < 4
        assert limits[3] - limits[2] == pytest.approx(2 * (limits[2] - limits[1]), rel=0.01)
    assert all(ends > limit for ends, limit in zip(times, seconds, strict=True)), "a parse stops before its process does"


def test_a_stage_of_a_dockerfile_reaches_to_the_next_and_its_instructions_are_no_parts_of_its_match() -> None:
    entry = languages()["dockerfile"]
    text = ("FROM tin AS lid\n" + "# stir\nRUN boil\n" * 2_000 + "\n# a pot\nFROM pot\nCMD boil\n").encode()
    tree = parse(text, entry, Deadline(60))
    assert tree is not None
    stages = [captures for _, captures in matches_of(tree, entry).tags if "definition.stage" in captures]
    assert [sum(map(len, captures.values())) for captures in stages] == [2, 2]
    assert [(each.name, each.span.start_line, each.span.end_line, each.signature) for each in outline_of(text, entry).symbols] == [
        ("lid", 1, 4_001, "FROM tin AS lid"),
        ("pot", 4_004, 4_005, "FROM pot"),
    ]


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_match_takes_few_of_thousands_of_qualifiers_and_all_of_a_usual_type(language: str) -> None:
    entry = languages()[language]
    tree = parse(b"const " * 2_000 + b"int tin;\n", entry, Deadline(60))
    assert tree is not None
    assert sum(len(nodes) for _, captures in matches_of(tree, entry).details for nodes in captures.values()) <= 20
    assert outline_of(b"volatile const int tin;\n", entry).details[0].type == "volatile const int"


class Sliced(bytes):
    """A text that counts the bytes that are copied of it."""

    copied = 0

    def __getitem__(self, part: Any) -> Any:
        found = super().__getitem__(part)
        if isinstance(part, slice):
            Sliced.copied += len(found)
        return found


@pytest.mark.parametrize(
    ("language", "head", "unit", "tail"),
    [
        ("ruby", "class Pot\n  attr_reader ", ":tin{}, ", ":lid\nend\n"),
        ("c", "int ", "tin{}, ", "lid;\n"),
        ("java", "class Pot { int ", "tin{}, ", "lid; }\n"),
    ],
)
def test_thousands_of_names_in_one_statement_do_not_copy_it_for_each(language: str, head: str, unit: str, tail: str) -> None:
    copied = []
    for count in (1_000, 2_000):
        Sliced.copied = 0
        names = "".join(unit.format(number) + ("\n" if number % 50 == 0 else "") for number in range(count))
        outline = outline_of(Sliced((head + names + tail).encode()), languages()[language])
        assert len(outline.symbols) > count
        copied.append(Sliced.copied)
    assert copied[1] <= 2.2 * copied[0]


def test_the_facts_of_a_class_are_read_once_however_many_descend_from_it(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    raw_values = Classes.raw_values

    def counted(self: Classes, ordinal: int, key: RawKey) -> Any:
        read.append(ordinal)
        return raw_values(self, ordinal, key)

    monkeypatch.setattr(Classes, "raw_values", counted)
    tins = "".join(f"class Tin{number} extends Tin{number - 1} {{}}\n" for number in range(1, 300))
    write({"tins.php": f"<?php\nclass Tin0 {{}}\n{tins}"})
    assert 300 <= len(read) <= 3 * 300


def shelf(count: int) -> dict[str, str]:
    return {
        f"s{number}/a.go": f"package s{number}\ntype Opener{number} interface {{ Open() }}\ntype Jar{number} struct{{}}\n"
        f"func (j Jar{number}) Open() {{}}\n"
        for number in range(count)
    }


def test_relations_of_types_to_interfaces_grow_with_both_and_not_with_their_product(write: Write) -> None:
    small, large = (len(write(shelf(count)).ties(RelationKind.IMPLEMENTS)) for count in (60, 120))
    assert large <= 2.1 * small
    assert small >= 60


def test_a_type_that_embeds_many_has_no_more_relations_than_its_source_allows(write: Write) -> None:
    interfaces = "".join(f"type Opener{number} interface {{ Open{number}() }}\n" for number in range(300))
    methods = "".join(f"func (p Pot) Open{number}() {{}}\n" for number in range(300))
    jars = "".join(f"type Jar{number} struct {{ Pot }}\n" for number in range(50))
    ties = write({"a.go": f"package jar\ntype Pot struct{{}}\n{interfaces}{methods}{jars}"}).ties(RelationKind.IMPLEMENTS)
    assert sum(tie.startswith("Pot -> ") for tie in ties) == 300
    assert sum(tie.startswith("Jar7 -> ") for tie in ties) == 100


def told(repository: Any) -> dict[str, str]:
    """Name of a symbol -> what was left out of it."""
    facts = repository.related.facts
    return {repository.symbols[fact.symbol][1]: fact.values[0] for fact in facts if fact.key == "left_out"}


def test_where_relations_are_left_out_the_type_and_the_interfaces_say_so(write: Write) -> None:
    interfaces = "".join(f"type Opener{number:03} interface {{ Open{number:03}() }}\n" for number in range(300))
    methods = "".join(f"func (p Pot) Open{number:03}() {{}}\n" for number in range(300))
    repository = write({"a.go": f"package jar\ntype Pot struct{{}}\n{interfaces}{methods}type Jar struct {{ Pot }}\n"})
    ties = repository.ties(RelationKind.IMPLEMENTS)
    left_out = {f"Opener{number:03}" for number in range(300) if f"Jar -> Opener{number:03} exact" not in ties}
    assert len(left_out) == 200
    said = told(repository)
    assert said.pop("Jar") == "interfaces that it implements"
    assert said == dict.fromkeys(left_out, "types that may implement it")


def test_where_all_relations_are_given_nothing_says_otherwise(write: Write) -> None:
    assert told(write(shelf(40))) == {}


def test_no_type_implements_an_interface_that_embeds_more_than_is_followed(write: Write) -> None:
    parts = "".join(f"type Part{number} interface {{ Part{number - 1}; Do{number}() }}\n" for number in range(1, 40))
    methods = "".join(f"func (p Pot) Do{number}() {{}}\n" for number in range(20, 40))
    repository = write({"a.go": f"package jar\ntype Part0 interface {{ Do0() }}\n{parts}type Pot struct{{}}\n{methods}"})
    assert not [tie for tie in repository.ties(RelationKind.IMPLEMENTS) if tie.startswith("Pot -> Part")]
    assert told(repository)["Part39"] == "types that may implement it"
    assert "Part10" not in told(repository)


def test_what_many_namesakes_have_in_common_is_computed_once() -> None:
    names, asked = SymbolNames(), []
    many = list(range(20))

    def question(ordinals: list[int]) -> int:
        asked.append(len(ordinals))
        return sum(ordinals)

    assert [names.once(question, many), names.once(question, many), names.once(question, [1, 2])] == [190, 190, 3]
    assert asked == [20, 2]
