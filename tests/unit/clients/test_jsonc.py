"""An entry is added to JSON text and removed from it; nothing else may change."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.clients import jsonc

PATH = ("mcpServers", "hardtack")
ENTRY = {"command": "hardtack", "args": ["serve"]}
SERVERS = {"hardtack": ENTRY}

GAPS = st.sampled_from(["", " ", "\n", "\r\n    ", "\t", " /* c */ ", " // l\n", "// l \r\n", "\n  // own line\n  "])
KEYS = st.sampled_from(["a", "b", "mcpServers", "other", "ключ", 'quo"te', "//"])


@st.composite
def documents(draw: st.DrawFn, depth: int = 0) -> tuple[str, Any]:
    """Text of an object in any layout, and its data."""
    data: dict[str, Any] = {}
    parts: list[str] = []
    for key in draw(st.lists(KEYS, unique=True, max_size=3)):
        leaf = draw(st.sampled_from([1, "s", True, None, [1, {"x": []}], "// not\\a comment"]))
        if key == "mcpServers" or (depth < 2 and draw(st.booleans())):
            text, data[key] = draw(documents(depth + 1)) if depth < 2 else ("{}", {})
        else:
            text, data[key] = json.dumps(leaf), leaf
        parts.append(f"{draw(GAPS)}{json.dumps(key)}{draw(GAPS)}:{draw(GAPS)}{text}{draw(GAPS)}")
    has_comma = bool(parts) and draw(st.booleans())
    comma = "," if has_comma else ""
    return "{" + ",".join(parts) + comma + draw(GAPS) + "}", data


def _comments(text: str) -> list[str]:
    without_strings = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    return re.findall(r"/\* c \*/|// (?:l ?|own line)(?=[\r\n])", without_strings)


def _full(data: Any) -> Any:
    """Data without empty objects on the path of an entry."""
    return {key: value for key, value in data.items() if key != "mcpServers" or value}


@given(documents())
def test_an_entry_that_is_put_in_is_all_that_changes(document: tuple[str, Any]) -> None:
    text, data = document
    longer = jsonc.put(text, PATH, ENTRY)
    assert {**data, "mcpServers": {**data.get("mcpServers", {}), "hardtack": ENTRY}} == jsonc.read(longer)
    assert _comments(text) == _comments(longer)
    assert longer == jsonc.put(longer, PATH, ENTRY)


@given(documents())
def test_putting_in_and_taking_out_gives_the_same_bytes_back(document: tuple[str, Any]) -> None:
    text, data = document
    back = jsonc.remove(jsonc.put(text, PATH, ENTRY), PATH)
    assert _full(data) == _full(jsonc.read(back))
    assert _comments(text) == _comments(back)
    if data and data.get("mcpServers", True):
        assert text == back


@given(documents(), st.sampled_from(["a", "b", "other", "mcpServers"]))
def test_taking_any_member_out_keeps_the_others_and_every_comment_around_it(document: tuple[str, Any], key: str) -> None:
    text, data = document
    shorter = jsonc.remove(text, (key,))
    assert {name: value for name, value in data.items() if name != key} == jsonc.read(shorter)
    if not isinstance(data.get(key), (dict, list)):
        assert len(_comments(text)) - 3 <= len(_comments(shorter))  # those between a key, its colon and its value go with it
    if key not in data:
        assert text == shorter


CASES = [
    ("\n", '\n{\n  "mcpServers": {\n    "hardtack": {\n      "command": "hardtack",\n      "args": ["serve"]\n    }\n  }\n}\n'),
    ("{}", '{\n  "mcpServers": {\n    "hardtack": {\n      "command": "hardtack",\n      "args": ["serve"]\n    }\n  }\n}'),
    ('{"a":1}', '{"a":1,"mcpServers":{"hardtack":{"command":"hardtack","args":["serve"]}}}'),
    ('{ "a": 1 }', '{ "a": 1, "mcpServers": {"hardtack": {"command": "hardtack", "args": ["serve"]}} }'),
    ('{"mcpServers":{}}', '{"mcpServers":{"hardtack": {"command": "hardtack", "args": ["serve"]}}}'),
    (
        '{\r\n\t"mcpServers": {\r\n\t\t// mine\r\n\t\t"x": {}, // last\r\n\t}\r\n}\r\n',
        '{\r\n\t"mcpServers": {\r\n\t\t// mine\r\n\t\t"x": {}, // last\r\n\t\t"hardtack": {\r\n\t\t\t"command": "hardtack",\r\n'
        '\t\t\t"args": ["serve"]\r\n\t\t},\r\n\t}\r\n}\r\n',
    ),
    (
        '{\n    "mcpServers": {\n        "x": {}\n        // "old": {}\n    },\n    "z": 1\n}',
        '{\n    "mcpServers": {\n        "x": {},\n        // "old": {}\n        "hardtack": {\n'
        '            "command": "hardtack",\n            "args": ["serve"]\n        }\n    },\n    "z": 1\n}',
    ),
]


@pytest.mark.parametrize(
    "text", ['{"a":1 // l\n /* c */ }', '{"a": 1 // l \t\n}', '{"a": 1} // l', '{ /* // */ "a": [], }', '{"a": {}\n}']
)
def test_comments_at_odd_places_do_not_keep_the_bytes_from_coming_back(text: str) -> None:
    assert text == jsonc.remove(jsonc.put(text, PATH, ENTRY), PATH)


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_an_entry_is_set_like_its_neighbours(text: str, expected: str) -> None:
    assert expected == jsonc.put(text, PATH, ENTRY)


def test_an_entry_that_says_something_else_is_replaced_where_it_stands() -> None:
    text = '{\n  "mcpServers": {\n    "hardtack": {"command": "old"}, // ours\n    "x": {}\n  }\n}'
    expected = text.replace('{"command": "old"}', '{\n      "command": "hardtack",\n      "args": ["serve"]\n    }')
    assert expected == jsonc.put(text, PATH, ENTRY)


def test_a_merge_keeps_what_else_the_entry_holds() -> None:
    text = '{"mcpServers": {"hardtack": {"env": {"A": "b"}, "command": "old", "args": []}}}'
    expected = '{"mcpServers": {"hardtack": {"env": {"A": "b"}, "command": "hardtack", "args": ["serve"]}}}'
    assert expected == jsonc.put(text, PATH, ENTRY, merge=True)


def test_a_comment_above_an_entry_does_not_swallow_what_follows_it() -> None:
    text = '{ // first\n  "mcpServers": 1, "b": 2\n}'
    assert '{ // first\n   "b": 2\n}' == jsonc.remove(text, ("mcpServers",))
    assert '{ // first\n \n"b": 2}' == jsonc.remove('{ // first\n"mcpServers": 1 ,\n"b": 2}', ("mcpServers",))


def test_objects_that_held_nothing_else_go_with_the_entry_unless_they_hold_a_comment() -> None:
    assert '{\n  "a": 1\n}' == jsonc.remove('{\n  "a": 1,\n  "mcpServers": {"hardtack": {}}\n}', PATH)
    assert "{}" == jsonc.remove('{\n  "mcpServers": {\n    "hardtack": {}\n  }\n}', PATH)
    assert '{"mcpServers" /* kept */ : {}}' == jsonc.remove('{"mcpServers" /* kept */ : {"hardtack": {}}}', PATH)
    assert "{ /* kept */ }" == jsonc.remove('{"mcpServers":{"hardtack": {}} /* kept */ ,}', PATH)
    assert '{"mcpServers": { /* kept */ }}' == jsonc.remove('{"mcpServers": { /* kept */ "hardtack": {} }}', PATH)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "an object is expected here"),
        ('{"mcpServers": []}', "an object is expected here"),
        ('{"mcpServers": null}', "an object is expected here"),
        ('{"mcpServers": {}, "mcpServers": {}}', '"mcpServers" stands here for the second time'),
        ('{"mcpServers": {"hardtack": {}, "hardtack": {}}}', '"hardtack" stands here for the second time'),
    ],
)
def test_what_cannot_hold_an_entry_is_refused(text: str, said: str) -> None:
    edits: tuple[Callable[[], str], ...] = (lambda: jsonc.put(text, PATH, ENTRY), lambda: jsonc.remove(text, PATH))
    for edit in edits:
        with pytest.raises(json.JSONDecodeError, match=said):
            edit()


@pytest.mark.parametrize("text", ["", "  \n", "{}", '{"mcpServers": {}}', '{"mcpServers": {"x": 1}}'])
def test_taking_out_what_is_not_there_changes_nothing(text: str) -> None:
    assert text == jsonc.remove(text, PATH)


def test_an_edit_that_would_say_something_else_never_gets_out() -> None:
    assert '{"a": 1}' == jsonc._saying('{"a": 1}', {"a": 1})
    with pytest.raises(json.JSONDecodeError, match="without changing something else"):
        jsonc._saying('{"a": 1}', {"a": 2})
