"""What a build makes of a source grows as the source does. Rows and steps are counted; ``benchmarks/growth.py`` measures times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardtack.build.languages.registry import languages
from hardtack.build.outline.symbols import outline_of
from hardtack.build.outline.syntax import Deadline, matches_of, parse
from hardtack.build.relations.names import SymbolNames
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


def test_what_many_namesakes_have_in_common_is_computed_once() -> None:
    names, asked = SymbolNames(), []
    many = list(range(20))

    def question(ordinals: list[int]) -> int:
        asked.append(len(ordinals))
        return sum(ordinals)

    assert [names.once(question, many), names.once(question, many), names.once(question, [1, 2])] == [190, 190, 3]
    assert asked == [20, 2]
