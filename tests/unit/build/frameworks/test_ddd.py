"""Which roles names, fields and supertypes speak of; the judged table is ``fixtures/ddd/judged.tsv``."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.build.frameworks.ddd import tags_in, tags_of
from hardtack.build.languages.registry import languages
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.details import Supertype
from hardtack.nouns.model import Kind, Tag

TABLE = Path(__file__).parents[4] / "fixtures" / "ddd" / "judged.tsv"
LINES = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")][1:]
JUDGED = [[cell if cell != "-" else "" for cell in line] for line in LINES]


def roles(kind: Kind, name: str, fields: str = "", supertypes: str = "") -> list[str]:
    written = [entry.split(":", 1) for entry in supertypes.split("; ") if entry]
    return [*tags_of(kind, name, fields.split(), [Supertype(relation=relation, name=base) for relation, base in written])]


@pytest.mark.parametrize("row", JUDGED, ids=lambda row: f"{row[0]}-{row[2]}")
def test_a_type_has_the_roles_that_a_person_gives_it(row: list[str]) -> None:
    _, kind, name, fields, supertypes, judged, recognised = row[:7]
    assert (recognised == "yes") == (judged.split() == roles(Kind(kind), name, fields, supertypes))


def test_the_table_is_large_enough_to_mean_something() -> None:
    recognised = sum(row[6] == "yes" for row in JUDGED)
    assert (len(JUDGED) >= 90, True) == (True, recognised / len(JUDGED) > 0.9)
    assert len({tuple(row[:5]) for row in JUDGED}) == len(JUDGED)
    assert {row[6] for row in JUDGED} == {"yes", "no"}


def test_the_page_about_roles_says_how_many_of_the_sample_were_judged_right() -> None:
    lines = (TABLE.parent / "sampled.tsv").read_text(encoding="utf-8").splitlines()
    verdicts = [line.split("\t")[6] for line in lines if not line.startswith("#")][1:]
    page = " ".join((TABLE.parents[2] / "docs" / "roles.md").read_text(encoding="utf-8").split())
    claim = f"of {len(verdicts)} tagged types drawn from projects that follow them, {verdicts.count('yes')} play their roles"
    assert claim in page


SUFFIXES = {
    "Repository": Tag.REPOSITORY,
    "Repo": Tag.REPOSITORY,
    "Service": Tag.SERVICE,
    "Command": Tag.COMMAND,
    "Query": Tag.QUERY,
    "Handler": Tag.HANDLER,
    "VO": Tag.VALUE_OBJECT,
    "ValueObject": Tag.VALUE_OBJECT,
    "Entity": Tag.ENTITY,
    "Aggregate": Tag.AGGREGATE,
    "AggregateRoot": Tag.AGGREGATE,
}
TYPES = st.sampled_from([Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TYPE])
WORDS = st.lists(st.from_regex(r"[A-Z][a-z]{1,6}", fullmatch=True), max_size=4).map("".join)
FIELDS = st.lists(st.sampled_from(["id", "ID", "name", "OrderId", "uuid", "valid"]), max_size=3)
SUPERTYPES = st.lists(
    st.builds(
        Supertype,
        relation=st.sampled_from(["inherits", "implements", "embeds", "uses"]),
        name=st.text(max_size=8) | st.sampled_from(["Base", "AggregateRoot<T>", "x.Service", "*Entity", "Event"]),
    ),
    max_size=3,
)


@given(TYPES, WORDS, st.sampled_from([*SUFFIXES]), FIELDS)
def test_the_last_word_decides_whatever_stands_before_it_and_whatever_the_fields(
    kind: Kind, words: str, suffix: str, fields: list[str]
) -> None:
    role = SUFFIXES[suffix]
    expected = (Tag.AGGREGATE, Tag.ENTITY) if role is Tag.AGGREGATE else (role,)
    assert expected == tags_of(kind, words + suffix, fields, ())


@given(st.sampled_from(Kind), st.text(max_size=12) | WORDS, FIELDS, SUPERTYPES)
def test_tags_come_once_in_their_order_and_every_aggregate_is_an_entity(
    kind: Kind, name: str, fields: list[str], supertypes: list[Supertype]
) -> None:
    tags = tags_of(kind, name, fields, supertypes)
    assert [tag for tag in Tag if tag in tags] == [*tags]
    assert Tag.AGGREGATE not in tags or Tag.ENTITY in tags
    assert tags == tags_of(kind, name, [*reversed(fields)], [*reversed(supertypes)])


@given(st.sampled_from(["UserID", "user_id", "userId", "USER_ID", "_userId", "$user_id", "id", "ID", "Id", "_id", "uuid"]))
def test_an_identity_is_found_however_it_is_spelt(field: str) -> None:
    assert ["entity"] == roles(Kind.CLASS, "User", field)


SOURCES = {
    "php": "<?php class Video { public function __construct(private readonly VideoId $id, private string $title) {} }\n",
    "typescript": "class Video { constructor(private readonly id: string) {} }\n",
    "kotlin": "data class Video(val id: Long, val title: String)\n",
    "java": "public record Video(long id, String title) {}\n",
    "csharp": "public record Video(int Id, string Title);\n",
    "go": "package a\n\ntype Video struct {\n\tID int\n}\n",
    "rust": "pub struct Video { id: u32 }\n",
    "scala": "case class Video(id: Int, title: String)\n",
    "swift": "struct Video { let id: UUID }\n",
    "ruby": "class Video\n  attr_reader :id\nend\n",
}


@pytest.mark.parametrize("language", SOURCES)
def test_the_fields_of_each_language_are_seen(language: str) -> None:
    outline = outline_of(SOURCES[language].encode(), languages()[language])
    (index,) = (number for number, symbol in enumerate(outline.symbols) if symbol.name == "Video")
    assert {index: (Tag.ENTITY,)} == tags_in(outline, language)


def test_fields_belong_to_the_type_they_stand_in() -> None:
    outline = outline_of(b"class Outer {\n  static class Inner { int id; }\n  String name;\n}\n", languages()["java"])
    assert ["Inner"] == [outline.symbols[index].name for index in tags_in(outline, "java")]


def test_a_table_of_a_database_has_columns_and_no_identity() -> None:
    outline = outline_of(b"CREATE TABLE users (\n  id INT PRIMARY KEY,\n  name TEXT\n);\n", languages()["sql"])
    assert [("users", Kind.STRUCT)] == [(symbol.name, symbol.kind) for symbol in outline.symbols if symbol.parent < 0]
    assert ({}, 1) == (tags_in(outline, "sql"), len(tags_in(outline, "go")))


def test_a_bundle_numbers_the_tags_as_they_have_always_been() -> None:
    expected = [
        *("framework:laravel", "laravel:model", "laravel:controller", "laravel:route"),
        *("aggregate", "entity", "value_object", "repository", "service", "command", "query", "handler"),
    ]
    assert expected == [*Tag][: len(expected)]
    assert len(Tag) <= 32
