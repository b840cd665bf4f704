"""FORMAT.md says what the code does: its tables are read and held against the code's own names."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np
import pytest

from hardtack.bundle.engines.documents import TEXT_FIELDS
from hardtack.bundle.format import compression, container, details, layout, postings, records, relations, sections, tables, text
from hardtack.bundle.format.manifest import (
    Counts,
    EncoderIdentity,
    HistoryExtent,
    LanguageCount,
    Manifest,
    Member,
    NamedProject,
    Secrets,
)
from hardtack.bundle.indexes import cooccurrence as pairs
from hardtack.bundle.indexes import history, names, words
from hardtack.bundle.indexes import ngrams as runs
from hardtack.encoders import static, wordpiece
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind, Provenance, Tag
from hardtack.nouns.relations import Certainty, RelationKind
from hardtack.nouns.roles import PRECEDENCE
from hardtack.text import MAX_TERM_CHARACTERS, STOP_WORDS, TERMS_VERSION, terms_of

ROOT = Path(__file__).parents[2]
SPECIFICATION = (ROOT / "src" / "hardtack" / "bundle" / "FORMAT.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """The text below a heading, up to the next heading."""
    start = SPECIFICATION.index(f"\n{heading}") + len(heading)
    return re.split(r"\n#+ ", SPECIFICATION[start:])[0]


def rows_of(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its two head lines."""
    lines = [line for line in section(heading).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def names_of(heading: str) -> list[str]:
    return [row[0].strip("`") for row in rows_of(heading)]


def field_names(record: type) -> list[str]:
    names: tuple[str, ...] = record._fields  # type: ignore[attr-defined]
    return [*names]


@pytest.mark.parametrize(
    ("heading", "record"),
    [
        ("### 2.2", EncoderIdentity),
        ("### 2.3", Provenance),
        ("### 2.4", Counts),
        ("### 2.5", LanguageCount),
        ("### 2.6", Member),
        ("### 2.7", NamedProject),
        ("### 2.8", Secrets),
        ("### 2.11", HistoryExtent),
    ],
)
def test_the_objects_of_the_manifest_have_the_fields_of_the_specification(heading: str, record: type) -> None:
    assert field_names(record) == names_of(heading)


def test_the_manifest_has_the_fields_of_the_specification() -> None:
    assert {"format", "self", *field_names(Manifest)} == set(names_of("### 2.1"))


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("### 4.2", records.FILE_FIELDS),
        ("### 4.3", records.SYMBOL_FIELDS),
        ("### 4.4", records.CHUNK_FIELDS),
        ("### 4.5", records.DETAIL_FIELDS),
        ("### 4.7", relations.RELATION_FIELDS),
        ("### 4.8", relations.REFERENCE_FIELDS),
        ("### 4.10", relations.FACT_FIELDS),
        ("### 4.18", records.SKIP_FIELDS),
        ("### 4.19", history.CommitRecord._fields),
    ],
)
def test_rows_have_the_fields_of_the_specification_in_its_order(heading: str, expected: tuple[str, ...]) -> None:
    assert expected == tuple(names_of(heading))


@pytest.mark.parametrize(
    ("member", "expected"), [(layout.FILES, records.FILE_COLUMNS), (layout.SYMBOLS, ("tags", *records.SYMBOL_COLUMNS))]
)
def test_columns_are_those_of_the_specification(member: str, expected: tuple[str, ...]) -> None:
    assert expected == tuple(names_of(f"#### Columns of `{member}`"))


def test_roles_have_the_numbers_and_the_order_of_the_specification() -> None:
    numbered, ordered = (
        re.findall(r"`(\w+)`", part)
        for part in (
            section("#### Columns of `files.msgpack`").partition("`configuration`, `source`.\n")[2].partition("A column")[0],
            section("#### Columns of `files.msgpack`").partition("in this order:")[2].partition(".\n")[0],
        )
    )
    assert [role.value for role in records.ROLES] == numbered
    assert [role.value for role in PRECEDENCE] == ordered


def test_functions_and_types_are_the_kinds_that_the_specification_counts_as_such() -> None:
    for (name, meaning), kinds in zip(rows_of(f"#### Columns of `{layout.FILES}`")[3:5], (FUNCTIONS, TYPES), strict=True):
        assert [kind.value for kind in Kind if kind in kinds] == re.findall(r"`(\w+)`", meaning), name


def test_posting_lists_begin_as_the_specification_says() -> None:
    for heading, magic, members in (
        ("### 4.13", names._MAGIC, names.Family),
        ("### 4.14", words._MAGIC, ()),
        ("### 4.20", history._MAGIC, ()),
    ):
        assert f"`{magic.hex(' ').upper()}`" in section(heading)
        assert all(f"| {family.name.lower()} |" in section(heading) for family in members)
    assert f"1 to {words._MOST}" in section("### 4.14")


def test_the_filter_of_pairs_is_that_of_the_example_in_the_specification() -> None:
    said = " ".join(section("### 4.15").split())
    example = re.search(r"For example, `(.+?)`.*together give `([0-9A-F ]+)`", said)
    assert example
    writer = pairs.PairsWriter()
    writer.add(pairs.pack_pairs(example[1]))
    assert bytes.fromhex(example[2]) == b"".join(writer.render())
    hashes = np.array([words.stem_hash(stem) for stem in ("open", "jar", "lid")], dtype=np.uint32)
    assert "hashes `{:08X}`, `{:08X}` and `{:08X}`".format(*hashes.tolist()) in said
    pair = pairs.pair_hashes(hashes[:1], hashes[1:2])
    first, step = pairs._hashes_of(np.zeros(1, dtype=np.int64), pair)
    assert f"p = `{pair[0]:08X}`" in said
    assert f"q = `{first[0]:08X}` and s = `{step[0]:08X}`" in said


def test_the_filter_of_pairs_has_the_limits_of_the_specification() -> None:
    said = " ".join(section("### 4.15").split())
    assert f"`{pairs._MAGIC.hex(' ').upper()}`" in said
    assert f"first {pairs._LINE_CHARACTERS} code points" in said
    assert f"at most {pairs._APART - 1} others between" in said
    assert pairs._MOST_BYTES == (1 << 32) - 8
    assert "at most 2^32 - 8" in said


def test_the_index_of_runs_is_that_of_the_example_in_the_specification() -> None:
    said = " ".join(section("### 4.16").split())
    example = re.search(r"in blocks of (\d+) bytes the only file `(.+?)` has two.* deflated: (.+)\.", said)
    assert example
    writer = runs.RunsWriter(int(example[1]))
    writer.add(example[2].encode().replace(b"\\n", b"\n"))
    numbers, lines, groups, *vocabulary, postings = re.findall(r"`(.+?)`|(m = .+?);", example[3])
    assert "m = 2, r = 3, g = 2, p = 5, v = 8" == numbers[1]
    member = b"".join(writer.render())
    assert (2, 3, 2, 5, 8) == struct.unpack_from("<5Q", member, 8)
    parts = runs.RunIndex(memoryview(member), blocks=2, text_bytes=15).parts()
    assert [parts.lines, parts.groups, parts.postings] == [bytes.fromhex(each[0]) for each in (lines, groups, postings)]
    assert parts.vocabulary.decode().split("\n") == [each[0] for each in vocabulary]


def test_the_index_of_runs_has_the_limits_of_the_specification() -> None:
    said = " ".join(section("### 4.16").split())
    assert f"`{runs._MAGIC.hex(' ').upper()}`" in said
    assert f"`{runs._RUN.pattern.decode()}`" in said
    assert f"the {runs.BEYOND} bytes after it" in said


def test_stop_words_are_those_of_the_specification() -> None:
    listed = re.search(r"6\. A \*\*stop word\*\* is one of: `([a-z\s]+)`", section("### 7.2"))
    assert listed
    assert sorted(STOP_WORDS) == listed[1].split()


def test_kinds_have_the_numbers_of_the_specification() -> None:
    assert [kind.value for kind in Kind] == re.findall(r"`(\w+)`", section("### 4.6"))


def test_relations_certainties_and_tags_have_the_numbers_of_the_specification() -> None:
    *_, kinds, certainties, tags = section("### 4.12").strip().split("\n\n")
    assert [kind.value for kind in RelationKind] == re.findall(r"`(\w+)`", kinds)
    assert [certainty.value for certainty in Certainty] == re.findall(r"`(\w+)`", certainties)
    assert [tag.value for tag in Tag] == re.findall(r"`([\w:]+)`", tags)


def test_members_are_those_of_the_specification() -> None:
    named = {
        layout.FILES,
        layout.SYMBOLS,
        layout.CHUNKS,
        layout.DETAILS,
        layout.RELATIONS,
        layout.REFERENCES,
        layout.FACTS,
        layout.SKIPS,
        layout.NAMES,
        layout.WORDS,
        layout.PAIRS,
        layout.RUNS,
        layout.READINGS,
        layout.TEXT,
        layout.VECTORS,
        layout.ENCODER,
        layout.ENCODER_TABLE,
        layout.ENCODER_PROBE,
        layout.HISTORY,
        layout.HISTORY_POSTINGS,
    }
    components = {f"lexical/<segment>.{component}" for component in layout.LEXICAL_COMPONENTS}
    assert named | components | {layout.NOTICE, layout.LEXICAL_META} == set(names_of("## 3."))


def test_the_members_that_are_required_are_those_of_the_specification() -> None:
    assert set(layout.REQUIRED) == {row[0].strip("`") for row in rows_of("## 3.") if row[1] == "yes"}


def test_the_lexical_fields_are_those_of_the_specification() -> None:
    assert [*TEXT_FIELDS, "language", "kind", "file", "ordinal"] == names_of("### 7.1")


def test_the_encoder_has_the_fields_of_the_specification() -> None:
    assert list(static.FIELDS) == names_of("## 8.")


def test_the_specification_names_the_rules_that_terms_are_split_by() -> None:
    import hardtack.text as terms

    rules = section("### 7.2")
    patterns = (terms._WORD.pattern, terms._PART.pattern, terms._DROPPED.pattern, terms._UNSPACED)
    assert [] == [rule for rule in patterns if f"`{rule}`" not in rules]
    assert f"digest of `{TERMS_VERSION}`, `{MAX_TERM_CHARACTERS}` and" in rules.replace("\n", " ")
    assert ["parsehttprequest", "parse", "http", "request"] == terms_of("parseHTTPRequest")


def test_the_member_name_rule_is_that_of_the_specification() -> None:
    assert f"`{layout.MEMBER_NAME.pattern}`" in section("## 1.")


def test_limits_are_those_of_the_specification() -> None:
    units = {"KiB": 1 << 10, "MiB": 1 << 20, "TiB": 1 << 40}
    written = {}
    for what, value in rows_of("## 9."):
        number, _, unit = value.replace(",", "").partition(" ")
        written[what.strip("`")] = int(number) * units.get(unit, 1)
    assert {
        "manifest.json": layout.MANIFEST_LIMIT,
        "members": layout.MEMBER_COUNT_LIMIT,
        "projects": layout.PROJECT_COUNT_LIMIT,
        "one member": layout.MEMBER_LIMIT,
        "a table's header": tables._HEADER_LIMIT,
        "a row": tables._ROW_LIMIT,
        "elements of an array in a row": tables._ROW_BOUNDS["max_array_len"],
        "postings in a row": postings.MOST_POSTINGS,
        "columns of a table": tables._COLUMN_LIMIT,
        "the text of one file": layout.TEXT_LIMIT,
        "the text of one chunk": layout.CHUNK_LIMIT,
        "a `name`, a `signature`, in a row; a text of a detail (4.5)": max(layout.NAME_LIMIT, details.MOST_TEXT),
        "a `qualified_name` or `package` in a row": layout.QUALIFIED_NAME_LIMIT,
        "any other text in a row": layout.ROW_TEXT_LIMIT,
        "a text block, inflated": text._BLOCK_LIMIT,
        "the dictionary": text.DICTIONARY_SIZE,
        "a vocabulary of runs, or their postings, inflated": runs._MOST_INFLATED,
        "encoder.msgpack": layout.ENCODER_LIMIT,
        "tokens of its vocabulary": wordpiece.MOST_TOKENS,
        "lexical/meta.json": 1 << 20,
        "a path": layout.PATH_LIMIT,
        "commits of a history": layout.COMMIT_COUNT_LIMIT,
        "files, and symbols, that are listed of a commit": history.MOST_OF_COMMIT,
        "a commit's subject": history.MOST_SUBJECT_BYTES,
        "a commit's body": history.MOST_BODY_BYTES,
        "a vector": layout.DIMENSION_LIMIT,
    } == written


def test_the_version_is_that_of_the_specification() -> None:
    assert SPECIFICATION.startswith(f"# The Hardtack bundle format, version {layout.FORMAT_VERSION}\n")
    assert f"- **{layout.FORMAT_VERSION}**:" in section("## 15.")
    oldest, newest = layout.READABLE_VERSIONS
    assert f"(here {oldest} to {newest})" in section("## 13.")


def test_every_section_that_the_code_cites_is_there() -> None:
    cited = {
        number
        for path in (ROOT / "src").rglob("*.py")
        for number in re.findall(r"FORMAT\.md (\d+(?:\.\d+)?)", path.read_text(encoding="utf-8"))
    }
    assert cited
    headings = set(re.findall(r"^#+ (\d+(?:\.\d+)?)", SPECIFICATION, re.MULTILINE))
    assert set() == cited - headings


def test_kinds_of_sections_are_those_of_the_specification() -> None:
    said = [(int(number), member.strip("`"), stored == "Zstandard") for number, member, stored in rows_of("### 16.2")]
    assert [(number, kind.name, kind.is_compressed) for number, kind in sections.KINDS.items()] == said


def test_the_framing_is_that_of_the_specification() -> None:
    header, entry = [part for part in section("### 16.1").split("\n\n") if part.startswith("|")]
    for table, framed in ((header, container._HEADER), (entry, container._ENTRY)):
        widths = [row.split("|")[2].strip() for row in table.splitlines()[2:]]
        numbers = [int(width) for width in widths if width.isdecimal()]
        assert framed.size == sum(numbers)
        assert [sum(numbers[:place]) for place in range(len(numbers))] == [
            int(row.split("|")[1]) for row in table.splitlines()[2 : 2 + len(numbers)]
        ]
    assert f"1 to {container.SECTION_LIMIT} " in section("### 16.1")
    assert f"multiple of {container.ALIGNMENT:,}" in section("### 16.1")
    assert f"kind {sections.OTHERS:,} +" in section("### 16.2")
    assert f"{compression.RATIO_LIMIT} times" in section("### 16.3")
    assert f"window of at most {1 << compression.WINDOW_LOG_LIMIT - 20} MiB" in section("### 16.3")
