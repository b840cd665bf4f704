"""JSON with comments and trailing commas: its data and their positions."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.clients.json_places import parse

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(PLAIN, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_plain_json_says_what_the_standard_library_reads(data: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    assert data == parse(text).data


@given(PLAIN)
def test_a_value_stands_at_its_place(data: object) -> None:
    text = json.dumps({"before": 1, "it": data, "after": 2}, ensure_ascii=False)
    member = (parse(text).members or ())[1]
    assert ("it", data) == (member.key, json.loads(text[member.value.start : member.value.end]))
    assert '"it"' == text[member.start : member.start + 4]
    assert member.comma is not None
    assert "," == text[member.comma]


@given(st.text() | st.text(alphabet='{}[],:"/*\\\n 0tru.e-'))
def test_any_text_is_read_or_refused_and_nothing_else_happens(text: str) -> None:
    with contextlib.suppress(json.JSONDecodeError):
        parse(text)


def test_comments_and_trailing_commas_are_read_over() -> None:
    text = '// a\n{ /* b\n*/ "x" /* c */ : [1, /* d */ 2,], // e\n "y": {"z": "// no comment",},}\n/* f */ // g'
    assert {"x": [1, 2], "y": {"z": "// no comment"}} == parse(text).data


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "a value is missing here"),
        ('{\n"a": }', 2, "a value is missing here"),
        ('{\n"a" 1}', 2, '":" is missing here'),
        ('{"a": 1\n"b": 2}', 2, '"," or "}" is missing here'),
        ("[1 2]", 1, '"," or "]" is missing here'),
        ("{a: 1}", 1, 'a key in double quotes, or "}", is missing here'),
        ("{'a': 1}", 1, 'a key in double quotes, or "}", is missing here'),
        ("{,}", 1, 'a key in double quotes, or "}", is missing here'),
        ('{"a": 1}\n}', 2, "nothing may follow the document"),
        ("{} /* open", 1, "nothing may follow the document"),
        ('["\\x"]', 1, "Invalid \\escape"),
        ('["\ntab"]', 1, "a value is missing here"),
        ("[01]", 1, '"," or "]" is missing here'),
        ("[nan]", 1, "a value is missing here"),
        ("[" * 300 + "]" * 300, 1, "values are nested too deeply"),
    ],
)
def test_what_is_no_json_is_refused_with_the_line(text: str, line: int, said: str) -> None:
    with pytest.raises(json.JSONDecodeError) as refused:
        parse(text)
    assert (line, said) == (refused.value.lineno, refused.value.msg)
