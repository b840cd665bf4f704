"""Each style of documentation declares what its tags and sections say, and nothing that its prose happens to hold."""

from __future__ import annotations

import time

import pytest

from hardtack.build.docblocks import with_documented
from hardtack.nouns.details import Detail, Note, Parameter, Return


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


def test_a_variable_takes_its_type_and_a_deprecation_is_noted() -> None:
    found = documented("phpdoc", "Words.\n\n@var array<int, Crate> $crates\n@deprecated since 2.0,\n    use others")
    assert (found.type, found.notes) == ("array<int, Crate>", (Note(tag="deprecated", text="since 2.0, use others"),))


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


def noted(style: str, doc: str) -> list[tuple[str, str]]:
    return [(note.tag, note.text) for note in documented(style, doc).notes]


TAGS = "@throws IOException when\n    stuck\n@deprecated use b\n@see Other#c\n@since 1.2\n@example\n  f(1)"
DOXYGEN = "\\throws IOException when stuck\n\\deprecated use b\n\\sa Other#c\n@since 1.2\n@example f(1)"
GOOGLE_NOTES = """Does it.

Raises:
    IOException: when
        stuck

Deprecated:
    use b

See Also:
    Other#c

Since:
    1.2

Example:
    f(1)
"""
NUMPY_NOTES = """Does it.

Raises
------
IOException
    when stuck

Deprecated
----------
use b

See Also
--------
Other#c

Since
-----
1.2

Examples
--------
f(1)
"""


@pytest.mark.parametrize(
    ("style", "doc"),
    [("phpdoc", TAGS), ("jsdoc", TAGS), ("doxygen", DOXYGEN), ("docstring", GOOGLE_NOTES), ("docstring", NUMPY_NOTES)],
    ids=["phpdoc", "jsdoc", "doxygen", "google", "numpy"],
)
def test_every_style_tells_what_is_thrown_deprecated_seen_since_and_for_example(style: str, doc: str) -> None:
    wanted = [("throws", "IOException when stuck"), ("deprecated", "use b"), ("see", "Other#c"), ("since", "1.2")]
    assert noted(style, doc) == [*wanted, ("example", "f(1)")]


def test_sphinx_tells_what_is_raised_and_deprecated() -> None:
    doc = "Does it.\n\n:raises ValueError: if bad.\n:raises OSError: if worse.\n\n.. deprecated:: 2.0\n   Use b.\n\nProse.\n"
    wanted = [("throws", "ValueError if bad."), ("throws", "OSError if worse."), ("deprecated", "2.0 Use b.")]
    assert noted("docstring", doc) == wanted


def test_go_deprecates_in_a_paragraph_of_its_own() -> None:
    assert noted("godoc", "Open opens.\n\nDeprecated: use\nShut.\n\nMore.") == [("deprecated", "use Shut.")]
    assert noted("godoc", "Open is not Deprecated: it stays.") == []


XML = """<summary>Puts <see cref="T:Yard.Crate"/> away.</summary>
<param name="a">Words <paramref name="b"/> of
<c>it</c>.</param>
<param name="unclosed">
<returns>Whether it <see langword="true"/> fits.</returns>
<exception cref="T:System.IO.IOException">when stuck</exception>
<seealso cref="Other"/>
"""


def test_csharp_documents_in_elements() -> None:
    detail = Detail(parameters=(Parameter(name="a", type="int"),), returns=(Return(type="bool"),))
    found = with_documented(detail, XML, "xmldoc")
    assert [(each.type, each.description, each.source_hint) for each in found.parameters] == [("int", "Words b of it.", "")]
    assert [(each.type, each.description) for each in found.returns] == [("bool", "Whether it true fits.")]
    assert [(each.tag, each.text) for each in found.notes] == [("throws", "System.IO.IOException when stuck"), ("see", "Other")]


YARD = """@param a [Array<String>] Words
  that go on.
@param [Symbol] key: More.
@param rest Others.
@return [Crate, nil] it
@raise [IOException] when stuck
"""


def test_yard_writes_types_in_brackets_before_or_after_the_name() -> None:
    found = documented("yard", YARD, "a", "key:", "*rest")
    assert told(found) == [("Array<String>", "Words that go on."), ("Symbol", "More."), ("", "Others.")]
    assert found.returns == (Return(type="Crate, nil", description="it", source_hint="phpdoc"),)
    assert noted("yard", YARD) == [("throws", "IOException when stuck")]


SWIFT = """Puts it away.

- Parameters:
  - a: Words
    that go on.
  - b: More.
- Parameter c: Third.
- Returns: Whether it fits.

  And prose.
- Throws: `E` when stuck.
- Note: b: prose.
- d: prose.
"""


def test_swift_documents_in_a_list() -> None:
    detail = Detail(parameters=tuple(Parameter(name=name) for name in ("a", "at b", "c", "d")), returns=(Return(type="Bool"),))
    found = with_documented(detail, SWIFT, "markup")
    assert [each.description for each in found.parameters] == ["Words that go on.", "More.", "Third.", ""]
    assert [each.description for each in found.returns] == ["Whether it fits."]
    assert noted("markup", SWIFT) == [("throws", "`E` when stuck.")]


@pytest.mark.parametrize(
    ("style", "doc"),
    [
        ("phpdoc", "@property int $a Words.\n@property-read $b"),
        ("jsdoc", "@property {int} a - Words.\n@prop b"),
        ("docstring", "Attributes:\n    a (int): Words.\n    b:\n"),
        ("docstring", "Attributes\n----------\na : int\n    Words.\nb\n"),
        ("docstring", ":ivar a: Words.\n:vartype a: int\n:ivar b:\n"),
    ],
)
def test_every_style_declares_attributes(style: str, doc: str) -> None:
    found = documented(style, doc).attributes
    assert [(each.name, each.type, each.description, each.source_hint) for each in found] == [
        ("a", "int", "Words.", "phpdoc"),
        ("b", "", "", ""),
    ]


def test_a_type_that_a_comment_gives_says_so_and_one_that_is_declared_does_not() -> None:
    detail = Detail(parameters=(Parameter(name="$a", type="int"), Parameter(name="$b")))
    found = with_documented(detail, "@param string $a\n@param string $b", "phpdoc")
    assert [(each.type, each.source_hint) for each in found.parameters] == [("int", ""), ("string", "phpdoc")]
    for declared, wanted in (
        (Detail(), "phpdoc"),
        (Detail(type="int"), ""),
        (Detail(type="int", type_source="inferred"), "phpdoc"),
    ):
        assert with_documented(declared, "@var string", "phpdoc").type_source == wanted


@pytest.mark.parametrize("style", ["phpdoc", "jsdoc", "yard", "doxygen", "docstring", "xmldoc", "markup", "godoc"])
def test_a_megabyte_of_tags_is_read_in_time(style: str) -> None:
    pieces = (
        "@throws ",
        "\\throws ",
        "Raises:\n  x",
        ":raises x:",
        ".. deprecated:: ",
        '<param name="a">',
        "<see <",
        "Deprecated: a\n",
    )
    start = time.process_time()
    for piece in pieces:
        documented(style, f"{piece}\n" * (300_000 // len(piece)), "a")
    assert time.process_time() - start < 8
