"""What a line says plainly is a symbol where the grammar fails, is marked as read from lines, and costs linear time."""

from __future__ import annotations

import time

import pytest

from hardtack.build.languages.registry import Language, languages
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.outline import Outline, ParseStatus

WITH_LINES = [language for language in languages().values() if language.lines]
PROCEDURES = b"""CREATE PROCEDURE dbo.stack_jars @n INT
AS
SELECT TOP (@n) * FROM [jars] OPTION (RECOMPILE)
GO
CREATE PROC [dbo].[clear jars] AS TRUNCATE TABLE [jars]
GO
"""


def _read(text: bytes, language: str, *, use_grammar: bool = True) -> Outline:
    return outline_of(text, languages()[language], use_grammar=use_grammar)


def _names(outline: Outline) -> dict[str, bool]:
    """Name of each symbol -> whether a line said it."""
    return {symbol.name: symbol.is_from_lines for symbol in outline.symbols}


def test_what_the_grammar_cannot_read_is_read_from_lines_and_says_so() -> None:
    outline = _read(PROCEDURES, "sql")
    assert (outline.status, _names(outline)) == (ParseStatus.PARTIAL, {"stack_jars": True, "clear jars": True})


def test_a_definition_ends_where_a_line_says_so() -> None:
    assert [(symbol.span.start_line, symbol.span.end_line) for symbol in _read(PROCEDURES, "sql").symbols] == [(1, 3), (5, 5)]


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("python", b"class Jar:\n    def fill(self):\n        pass\nx = 1\n", ["Jar", "fill"]),
        ("perl", b"package Jar;\nsub fill {\n  1\n}\n", ["Jar", "fill"]),
        ("ruby", b"module Jar\n  def self.full?\n    true\n  end\nend\n", ["Jar", "full?"]),
        ("go", b"type Jar struct {\n}\nfunc (j *Jar) Fill() {\n}\nfunc Open() {\n}\n", ["Jar", "Fill", "Open"]),
        ("rust", b"pub struct Jar {\n}\npub(crate) async fn fill<T>() {\n}\n", ["Jar", "fill"]),
        ("java", b"public class Jar {\n    public static int fill(int n) {\n    }\n}\n", ["Jar", "fill"]),
        ("kotlin", b"data class Jar(val n: Int)\nfun Jar.fill() {\n}\n", ["Jar", "fill"]),
        ("php", b"<?php\nfinal class Jar\n{\n    public function fill()\n    {\n    }\n}\n", ["Jar", "fill"]),
        ("typescript", b"export interface Jar {\n}\nexport async function fill<T>(n: T) {\n}\n", ["Jar", "fill"]),
        ("elixir", b"defmodule Jar do\n  def full?(n), do: n\nend\n", ["Jar", "full?"]),
        ("lua", b"local function fill(n)\nend\nfunction Jar:open()\nend\n", ["fill", "open"]),
        ("bash", b"fill() {\n  :\n}\nfunction open {\n  :\n}\n", ["fill", "open"]),
        ("swift", b"public struct Jar {\n}\nfunc fill(n: Int) {\n}\n", ["Jar", "fill"]),
        ("scala", b"case class Jar(n: Int)\ndef fill(n: Int) = n\n", ["Jar", "fill"]),
        (
            "csharp",
            b"namespace Shop\n{\n    public class Jar\n    {\n        internal static unsafe int Fill(\n",
            ["Shop", "Jar", "Fill"],
        ),
        ("powershell", b"function Open-Jar {\n}\n", ["Open-Jar"]),
    ],
)
def test_a_file_whose_parser_was_stopped_has_the_symbols_of_its_lines(language: str, text: bytes, names: list[str]) -> None:
    outline = _read(text, language, use_grammar=False)
    assert (outline.status, _names(outline)) == (ParseStatus.ERROR, dict.fromkeys(names, True))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("sql", b"/*\nCREATE PROCEDURE a AS\n*/\nSET @s = 'it''s\nCREATE PROCEDURE b AS'\n-- '\n"),
        ("perl", b"=pod\n\nsub a {\n\n=cut\n\nprint <<'END';\nsub b {\nEND\n__END__\nsub c {\n"),
        ("python", b"x = \"\"\"\ndef a(n):\n\"\"\"\ny = '''\nclass B:\n'''\n"),
        ("ruby", b"=begin\ndef a\n=end\nx = <<~TEXT\n  def b\nTEXT\n"),
        ("go", b"/*\nfunc a() {\n*/\nvar x = `\nfunc b() {\n`\n"),
        ("javascript", b"/*\nfunction a() {\n*/\nlet x = `\nfunction b() {\n`\n"),
        ("bash", b"cat <<'EOF'\nfunction a {\nEOF\n"),
        ("php", b"<?php\n/*\nfunction a() {\n*/\n$x = <<<END\nfunction b() {\nEND;\n"),
        ("lua", b"--[[\nfunction a()\n]]\nlocal x = [==[\nfunction b()\n]==]\n"),
        ("csharp", b'/*\nclass A {\n*/\nvar x = @"\nclass B {\n";\n// namespace C\n'),
        ("elixir", b'@doc """\ndef a(n), do: n\n"""\n'),
    ],
)
def test_strings_comments_and_here_documents_hold_no_symbols(language: str, text: bytes) -> None:
    assert _read(text, language, use_grammar=False).symbols == ()


def test_what_the_tree_has_is_not_read_again() -> None:
    outline = _read(b"class Jar(\n    def fill(self):\n        pass\n\ndef stack(n):\n    return n\n", "python")
    assert _names(outline) == {"Jar": True, "fill": False, "stack": False}


def test_a_file_without_errors_is_not_read_by_lines() -> None:
    outline = _read(b"text = '''\ndef a(n):\n'''\n", "python")
    assert (outline.status, [symbol.name for symbol in outline.symbols]) == (ParseStatus.OK, ["text"])


@pytest.mark.parametrize("language", WITH_LINES, ids=lambda language: language.id)
@pytest.mark.parametrize(
    "unit", [b"function a(", b"sub a {\n", b"CREATE PROCEDURE a ", b'"', b"/*", b"<<A\n", b" ", b"  a(", b"kind: a\n"]
)
def test_reading_lines_takes_time_in_proportion_to_their_length(language: Language, unit: bytes) -> None:
    assert any(_seconds(language, unit, 1 << 18) < max(0.2, 24 * _seconds(language, unit, 1 << 15)) for _ in range(3)), (
        "three times: another process on the same core makes one of the two slower"
    )


def _seconds(language: Language, unit: bytes, size: int) -> float:
    """Processor time of reading ``size`` bytes by lines."""
    start = time.process_time()
    outline_of(unit * (size // len(unit)), language, use_grammar=False)
    return time.process_time() - start
