"""Each style of documentation declares what its tags and sections say, and nothing that its prose happens to hold."""

from __future__ import annotations

import time

import pytest

from hardtack.build.docblocks import with_documented
from hardtack.model import Detail, Parameter, Return


def documented(style: str, doc: str, *names: str) -> Detail:
    return with_documented(Detail(parameters=tuple(Parameter(name=name) for name in names)), doc, style)


def told(detail: Detail) -> list[tuple[str, str]]:
    return [(parameter.type, parameter.description) for parameter in detail.parameters]


@pytest.mark.parametrize(
    ("text", "name", "wanted"),
    [
        ("@param int $a", "$a", ("int", "")),
        ("@param $a words only", "$a", ("", "words only")),
        ("@param array{x: int, y: string} $a Words\nover two lines.", "$a", ("array{x: int, y: string}", "Words over two lines.")),
        ("@param callable(int $b): string $a", "$a", ("callable(int $b): string", "")),
        ("@param int | null $a", "$a", ("int | null", "")),
        ("@param Crate &$a By reference.", "&$a", ("Crate", "By reference.")),
        ("@param string ...$a", "...$a", ("string", "")),
        ("@param int $b", "$a", ("", "")),
        ("@param int", "$a", ("", "")),
        ("Sends mail to a@param int $a", "$a", ("", "")),
    ],
)
def test_phpdoc_gives_a_parameter_its_type_and_words(text: str, name: str, wanted: tuple[str, str]) -> None:
    assert told(documented("phpdoc", text, name)) == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@return int", [("int", "")]),
        ("@return array<string, int>|null Words here.", [("array<string, int>|null", "Words here.")]),
        ("@return int | null Words.", [("int | null", "Words.")]),
        ("@return Closure(int): string", [("Closure(int): string", "")]),
        ("@throws Exception", []),
    ],
)
def test_phpdoc_gives_a_result_its_type_and_words(text: str, wanted: list[tuple[str, str]]) -> None:
    returns = documented("phpdoc", text).returns
    assert returns == tuple(Return(type=type_, description=words, source_hint="phpdoc") for type_, words in wanted)


def test_a_variable_takes_its_type_and_a_deprecation_stands_with_the_decorators() -> None:
    found = documented("phpdoc", "Words.\n\n@var array<int, Crate> $crates\n@deprecated since 2.0,\n    use others")
    assert (found.type, found.decorators) == ("array<int, Crate>", ("@deprecated since 2.0, use others",))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@param {string} a - Words.", ("string", "Words.")),
        ("@param {{x: number, y: {z: string}}} a Words.", ("{x: number, y: {z: string}}", "Words.")),
        ("@param {string} [a=none] Words.", ("string", "Words.")),
        ("@param a Words.", ("", "Words.")),
        ("@param {string a", ("", "")),
        ("@param {string} a.b Words.", ("", "")),
    ],
)
def test_jsdoc_gives_a_parameter_its_type_and_words(text: str, wanted: tuple[str, str]) -> None:
    assert told(documented("jsdoc", text, "a")) == [wanted]


def test_a_destructured_parameter_takes_the_documented_one_that_no_other_is_called() -> None:
    found = documented("jsdoc", "@param {Props} props All of it.\n@param {string} props.a Part.\n@param {number} b", "{ a }", "b")
    assert told(found) == [("Props", "All of it."), ("number", "")]


GOOGLE = """Does it.

Args:
    a (list of str, optional): Words
        that go on.
    *rest: More: words.
    b (`int`): Number.

Returns:
    dict[str, int]: Counts.

Raises:
    ValueError: c is no parameter.
"""
SPHINX = """Does it.

:param a: Words
    that go on.
:type a: list of str
:param rest: More: words.
:param int b: Number.
:returns: Counts.
:rtype: dict[str, int]

Prose: after it.
"""
NUMPY = """Does it.

Parameters
----------
a : list of str, optional
    Words
    that go on.
*rest
    More: words.
b : int, default: 3
    Number.

Returns
-------
dict[str, int]
    Counts.

Notes
-----
b : str
"""


@pytest.mark.parametrize("doc", [GOOGLE, SPHINX, NUMPY], ids=["google", "sphinx", "numpy"])
def test_the_three_styles_of_python_say_the_same(doc: str) -> None:
    found = documented("docstring", doc, "a", "*rest", "b")
    assert told(found) == [("list of str", "Words that go on."), ("", "More: words."), ("int", "Number.")]
    assert found.returns == (Return(type="dict[str, int]", description="Counts.", source_hint="phpdoc"),)


def test_a_section_ends_where_the_prose_goes_on_at_the_margin() -> None:
    found = documented("docstring", "Args:\n    a: Words.\n\n    b: More.\nc: prose.\n    a: prose.", "a", "b", "c")
    assert told(found) == [("", "Words."), ("", "More."), ("", "")]


def test_numpy_lists_one_result_after_another_and_a_sentence_is_no_type() -> None:
    found = documented("docstring", "Returns\n-------\nx : int\n    First.\ny : float\n")
    assert [(result.type, result.description) for result in found.returns] == [("int", "First."), ("float", "")]
    assert documented("docstring", "Returns\n-------\nThe width of it.\n").returns == ()


@pytest.mark.parametrize("style", ["phpdoc", "jsdoc", "docstring"])
def test_prose_declares_nothing(style: str) -> None:
    doc = "Note: this is prose.\n\n    a (int): an example\n\nSee also @link and Returns nothing: really."
    assert documented(style, doc, "a") == Detail(parameters=(Parameter(name="a"),))


@pytest.mark.parametrize("style", ["phpdoc", "jsdoc", "docstring"])
@pytest.mark.parametrize(
    "piece",
    ["@param {", "@return (", "Args:\n a (", ":param a:", "@param $", "Returns\n---\n", "Returns:\n  a[]|", ": ", "| ", "{([<"],
)
def test_hostile_documentation_costs_no_more_than_its_length(style: str, piece: str) -> None:
    start = time.process_time()
    documented(style, piece * 20_000, "a")
    documented(style, "@return a" + piece * 20_000, "a")
    documented(style, ":param" + " " * 100_000 + piece, "a")
    documented(style, "Parameters\n---\na" + " " * 100_000 + piece, "a")
    assert time.process_time() - start < 5
