"""What callers send besides what the schemas say: understood where it can mean one thing, else refused in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tool_calls import outcome_of

from hardtack.errors import UsageError
from hardtack.tools import names_of, tool_named
from hardtack.tools.arguments import arguments_of
from hardtack.tools.catalog import Catalog
from hardtack.tools.tool import Call


def _as_read(tool: str, given: object) -> dict[str, Any]:
    arguments = arguments_of(tool_named(tool, allow_build=True), given)
    return {name: getattr(arguments, name) for name in arguments.__struct_fields__}


@pytest.mark.parametrize(
    ("tool", "given", "meant"),
    [
        ("search_code", {"limit": 7.0}, {"limit": 7}),
        ("search_code", {"limit": "7"}, {"limit": 7}),
        ("search_code", {"limit": " 7.0 "}, {"limit": 7}),
        ("search_code", {"limit": None, "language": None, "filters": None}, {"limit": 10, "language": None, "filters": None}),
        ("search_code", {"smart_context": "False"}, {"smart_context": False}),
        ("search_code", {"smart_context": 0}, {"smart_context": False}),
        ("search_code", {"use_hybrid_search": "true"}, {"use_hybrid_search": True}),
        ("search_code", {"language": ["go", "c"]}, {"language": "go,c"}),
        ("search_code", {"language": '["go", "c"]'}, {"language": "go,c"}),
        ("search_code", {"symbol_name": ["get*"]}, {"symbol_name": "get*"}),
        ("search_code", {"symbol_type": '["class", "method"]'}, {"symbol_type": ("class", "method")}),
        ("search_code", {"symbol_type": "class"}, {"symbol_type": "class"}),
        ("search_code", {"index_names": "jar"}, {"index_names": ("jar",)}),
        ("search_code", {"index_names": '["jar", "pot"]'}, {"index_names": ("jar", "pot")}),
        ("search_code", {"query": "lid \ud83d\ude00\ud800"}, {"query": "lid ???"}),
        ("search_code", {"query": '["not a list"]'}, {"query": '["not a list"]'}),
        ("find_similar", {"line": 3, "min_score": "0.25"}, {"min_score": 0.25}),
        ("find_similar", {"path": "lib/lid.rs:9"}, {"line": 9, "end_line": None}),
        ("find_similar", {"path": "lib/lid.rs:9-12"}, {"line": 9, "end_line": 12}),
        ("find_similar", {"path": "lib/lid.rs:9-12", "line": 1}, {"line": 1, "end_line": None}),
        ("get_snippet", {"path": "hardtack://jar/lib/lid.rs#L4-L6"}, {"start_line": 4, "end_line": 6, "index_name": "jar"}),
        ("get_snippet", {"path": "hardtack://jar/lib/lid.rs#L4"}, {"start_line": 4, "end_line": 4, "index_name": "jar"}),
        ("get_snippet", {"path": "lib/lid.rs:4-"}, {"start_line": 4, "end_line": 1 << 53}),
        ("open_file", {"file_path": ["lib/lid.rs"]}, {"path": "lib/lid.rs"}),
        ("open_file", {"path": "hardtack://two%20words/a.c"}, {"index_name": "two words"}),
        ("list_dir", {"path": "hardtack://jar/lib"}, {"index_name": "jar"}),
        ("get_status", {"path": "file:///srv/my%20jar"}, {"path": "/srv/my jar"}),
        ("get_status", {"path": "hardtack://jar/lib/lid.rs"}, {"path": "jar"}),
        ("analyze_query", {"track_paths": "lib/lid.rs"}, {"track_paths": ("lib/lid.rs",)}),
    ],
)
def test_what_can_mean_one_thing_only_is_understood(tool: str, given: dict[str, Any], meant: dict[str, Any]) -> None:
    required = {"search_code": {"query": "x"}, "find_similar": {"path": "x"}, "analyze_query": {"query": "x"}}.get(tool, {})
    read = _as_read(tool, {**required, **given})
    assert meant == {name: read[name] for name in meant}


def test_an_object_may_be_given_as_its_json(tmp_path: Path) -> None:
    read = _as_read("search_code", '{"query": "x", "filters": "{\\"exclude\\": \\"vendor/\\", \\"min_relevance\\": \\"0.5\\"}"}')
    assert (("vendor/",), 0.5) == (read["filters"].exclude, read["filters"].min_relevance)


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("search_code", {"limit": "ten"}, "'limit' of search_code is \"ten\"; it takes a whole number from 1 to 100."),
        ("search_code", {"limit": 2.5}, "'limit' of search_code is 2.5; it takes a whole number from 1 to 100."),
        ("search_code", {"limit": True}, "'limit' of search_code is true; it takes a whole number from 1 to 100."),
        ("search_code", {"limit": 1e300}, "'limit' of search_code is 1e+300; it takes a whole number from 1 to 100."),
        ("search_code", {"smart_context": "maybe"}, "'smart_context' of search_code is \"maybe\"; it takes true or false."),
        ("search_code", {"query": ["two", "texts"]}, '\'query\' of search_code is ["two", "texts"]; it takes a text.'),
        ("search_code", {"query": 5}, "'query' of search_code is 5; it takes a text."),
        ("search_code", {"query": None}, "'query' of search_code is null; it takes a text."),
        ("search_code", {"symbol_type": [1]}, "'symbol_type[0]' of search_code is [1]; it takes a text or a list of texts."),
        ("search_code", {"filters": "vendor"}, "'filters' of search_code is \"vendor\"; it takes an object."),
        ("search_code", {"filters": {"min_relevance": 3}}, "is 3; it takes a number from 0 to 1."),
        ("search_code", {"filters": {"lid": "blue"}}, "'filters.lid' of search_code is not known; it was given as \"blue\"."),
        ("get_snippet", {"path": "a.py"}, "'start_line' of get_snippet is missing; it takes a whole number from 1."),
        ("hybrid_search", {"query": "x", "output_format": "xml"}, "is \"xml\"; it takes 'json' or 'markdown'."),
        (
            "open_file",
            {"path": "hardtack://jar/a.c", "index_name": "pot"},
            '"hardtack://jar/a.c", which is not of the index "pot".',
        ),
    ],
)
def test_what_is_not_understood_is_refused_by_name_with_its_value_and_what_is_taken(
    tool: str, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError) as refused:
        _as_read(tool, {**({"query": "x"} if tool == "search_code" else {}), **given})
    assert str(refused.value).endswith(said)
    assert ("INVALID_REQUEST", True) == (refused.value.code, "param" in refused.value.details)


@pytest.mark.parametrize(
    "given",
    [
        {f"key{number}": 1 for number in range(300_000)},
        {"query": "jar", "filters": {"paths": ["x"] * 300_000}},
        {"query": [[["x"] * 200] * 10] * 10},
    ],
)
def test_more_values_than_any_call_needs_are_refused_before_each_is_looked_at(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        arguments_of(tool_named("search_code"), given)
    assert "TOO_LARGE" == caught.value.details["reason"]


def test_a_long_value_is_cut_in_its_refusal() -> None:
    with pytest.raises(UsageError) as refused:
        _as_read("search_code", {"query": "x", "limit": "9" * 100_000})
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize("depth", [40, 600, 950])
@pytest.mark.parametrize("place", ["query", "filters", "unknown"])
def test_arguments_that_are_nested_too_deeply_are_refused_however_deep_they_are(place: str, depth: int) -> None:
    nested: Any = "x"
    for level in range(depth):
        nested = [nested] if level % 2 else {"a": nested}
    with pytest.raises(UsageError, match="nested more than 32 levels"):
        _as_read("search_code", {"query": "x", place: nested})


@pytest.mark.parametrize("depth", [40, 600, 950, 10_000])
def test_json_as_text_that_is_nested_too_deeply_is_a_text(depth: int) -> None:
    nested = '{"a":' * depth + "1" + "}" * depth
    with pytest.raises(UsageError, match="'filters'"):
        _as_read("search_code", {"query": "x", "filters": nested})
    with pytest.raises(UsageError):
        arguments_of(tool_named("search_code"), nested)


@pytest.mark.parametrize(
    "value", [5.0, "5", "true", '{"a": 1}', ["a"], [], {}, None, "\ud800", "./a:10", "file:///a", "hardtack://a/b", ""]
)
def test_whatever_is_sent_a_tool_answers_or_refuses_in_one_sentence(pantry_bundle: Path, value: object) -> None:
    call = Call(catalog=Catalog(named=[str(pantry_bundle)]))
    for name in names_of():
        for parameter in tool_named(name).parameters.__struct_fields__:
            outcome = outcome_of(call, name, **{parameter: value})
            if outcome.error:
                failure = outcome.structured["error"]
                assert "INTERNAL_ERROR" != failure["code"], (name, parameter, value)
                assert "\n" not in failure["message"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"query": "x" * 100_001}, "hold a text of more than 100000 characters"),
        ({"x" * 100_001: 1}, "hold a text of more than 100000 characters"),
        ({"symbol_type": ["x" * 100_001]}, "hold a text of more than 100000 characters"),
        ({"symbol_type": ["x"] * 10_001}, "hold more than 10000 values"),
        ({"filters": {str(number): 1 for number in range(10_001)}}, "hold more than 10000 values"),
    ],
)
def test_arguments_that_are_larger_than_any_tool_takes_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        _as_read("search_code", {"query": "x", **given})
