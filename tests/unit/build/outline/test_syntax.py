"""Parsing under a deadline, and where a tree is broken."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest

from hardtack.build.languages.registry import languages
from hardtack.build.outline.syntax import MAX_ERROR_LINES, Deadline, Pattern, error_lines, parse, readable
from hardtack.nouns.model import Kind

PYTHON = languages()["python"]


def test_a_parse_past_its_deadline_gives_nothing_and_the_parser_works_again() -> None:
    assert parse(b"(((x =" * 10_000, PYTHON, Deadline(0.001)) is None
    tree = parse(b"x = 1\n", PYTHON, Deadline(5.0))
    assert tree is not None
    assert not tree.root_node.has_error


def test_a_long_text_is_read_whole() -> None:
    text = b"x = 1\n" * 20_000
    tree = parse(text, PYTHON, Deadline(10.0))
    assert tree is not None
    assert len(text) == tree.root_node.end_byte


def test_a_text_that_was_parsed_leaves_no_memory_behind() -> None:
    text = b"object Shop {\n" + b"".join(b"  def price%d(item: Item): Int =\n    item.price\n" % at for at in range(500)) + b"}\n"

    def size_after_parsing() -> int:
        tree = parse(text, languages()["scala"], Deadline(10.0))
        assert tree is not None
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    before = size_after_parsing()
    after = max(size_after_parsing() for _ in range(20))
    assert after - before < 8 << 20


def test_error_lines_are_the_first_lines_of_errors_ascending() -> None:
    tree = parse(b"x = = 1\ny = 2\nz = )\n", PYTHON, Deadline(5.0))
    assert tree is not None
    assert error_lines(tree) == (1, 3)


def test_a_missing_token_is_an_error_too() -> None:
    tree = parse(b"int f() { return 1 }\n", languages()["c"], Deadline(5.0))
    assert tree is not None
    assert error_lines(tree) == (1,)


def test_error_lines_are_no_more_than_the_limit() -> None:
    tree = parse(b"x = = 1\ny = 2\n" * 300, PYTHON, Deadline(5.0))
    assert tree is not None
    assert len(error_lines(tree)) == MAX_ERROR_LINES


def test_a_whole_tree_has_no_error_lines() -> None:
    tree = parse(b"x = 1\n", PYTHON, Deadline(5.0))
    assert tree is not None
    assert error_lines(tree) == ()


def test_a_pattern_defines_one_kind_of_ours() -> None:
    assert Pattern("(a) @definition.class", {}).kind is Kind.CLASS
    assert Pattern("(a) @comment", {}).kind is None
    with pytest.raises(ValueError, match="one pattern defines class and enum"):
        Pattern("[(a) @definition.class (b) @definition.enum]", {})
    with pytest.raises(ValueError, match="gadget"):
        Pattern("(a) @definition.gadget", {})


def test_what_a_language_says_the_grammar_cannot_know_reads_as_blank_and_moves_nothing() -> None:
    text, cpp = b"class LIB_API Shop {\n int size;\n};\n", languages()["cpp"]
    tree = parse(readable(text, cpp), cpp, Deadline(5.0))
    assert tree is not None
    assert not tree.root_node.has_error
    (shop,) = [node for node in tree.root_node.children if node.type == "class_specifier"]
    name = shop.child_by_field_name("name")
    assert name is not None
    assert 14 == name.start_byte
    assert len(text) == tree.root_node.end_byte


def test_a_deadline_counts_this_process_alone_and_passes() -> None:
    assert not Deadline(60.0).has_passed()
    deadline = Deadline(0.02)
    time.sleep(0.05)
    assert not deadline.has_passed()
    while time.process_time() < deadline._processor:
        pass
    assert deadline.has_passed()
