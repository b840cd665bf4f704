"""The published schemas of tools, and the check of arguments, which come from one declaration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict

import jsonschema
import pytest
from msgspec import Meta, field

from hardtack.errors import UsageError
from hardtack.tools.arguments import arguments_of
from hardtack.tools.schema import input_schema, listing_of, output_schema
from hardtack.tools.tool import Call, Parameters, Tool, ToolReply


class Narrowed(Parameters, kw_only=True, frozen=True):
    """Filters."""

    kinds: list[str] = field(default_factory=list)
    least: float = 0.0


class Arguments(Parameters, kw_only=True, frozen=True):
    """A jar and how many."""

    jar: Annotated[str, Meta(description="Which jar.")]
    limit: Annotated[int, Meta(extra_json_schema={"minimum": 1})] = 10
    kind: str | list[str] | None = None
    filters: Narrowed | None = None


class Jar(TypedDict, total=False):
    """A jar."""

    name: str


class Note(TypedDict):
    """A word about jars."""

    message: str


@dataclass(frozen=True)
class Shelf:
    """Several jars."""

    jars: tuple[Jar, ...]
    hidden: bool = False


def _tool(result: Any) -> Tool:
    return Tool(
        name="find_jar",
        toolset="search",
        title="Find a jar",
        description="Finds a jar.",
        parameters=Arguments,
        result=result,
        call=lambda call, arguments: ToolReply(value=[]),
        aliases={"pot": "jar"},
    )


TOOL = _tool(list[Jar])


def test_the_arguments_schema_is_an_object_that_takes_nothing_it_does_not_name() -> None:
    schema = input_schema(TOOL)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert ("object", False, ["jar"]) == (schema["type"], schema["additionalProperties"], schema["required"])
    assert {"type": "string", "description": "Which jar."} == schema["properties"]["jar"]
    assert (1, "integer") == (schema["properties"]["limit"]["minimum"], schema["properties"]["limit"]["type"])


@pytest.mark.parametrize("result", [list[Jar], list[Jar | Note], Jar | list[Jar], Shelf], ids=str)
def test_every_schema_is_an_object_without_a_reference_or_union_at_its_top(result: Any) -> None:
    for schema in (input_schema(_tool(result)), output_schema(_tool(result))):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert "object" == schema["type"]
        assert not {"$ref", "anyOf", "oneOf", "allOf"} & set(schema)


@pytest.mark.parametrize(
    ("result", "value"),
    [
        (list[Jar], {"result": [{"name": "a"}], "truncated": True, "hint": "More."}),
        (list[Jar | Note], {"result": [{"name": "a"}, {"message": "b"}]}),
        (Jar | list[Jar], {"name": "a"}),
        (Jar | list[Jar], {"result": [{"name": "a"}]}),
        (Shelf, {"jars": [{"name": "a"}]}),
    ],
)
def test_what_a_tool_gives_fits_its_schema(result: Any, value: dict[str, Any]) -> None:
    jsonschema.validate(value, output_schema(_tool(result)))


def test_what_a_tool_cannot_give_does_not_fit() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"result": [{"name": 3}]}, output_schema(TOOL))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({}, output_schema(TOOL))


def test_arguments_become_what_the_tool_declares() -> None:
    given = {"jar": "blue", "kind": ["a", "b"], "filters": {"least": 1}}
    assert Arguments(jar="blue", kind=["a", "b"], filters=Narrowed(least=1.0)) == arguments_of(TOOL, given)


def test_what_may_be_left_out_may_be_null_though_the_schema_saves_the_words() -> None:
    given = {"jar": "blue", "limit": None, "kind": None, "filters": {"kinds": None, "least": None}, "pot": None}
    assert Arguments(jar="blue", filters=Narrowed()) == arguments_of(TOOL, given)
    assert "null" not in str(input_schema(TOOL))
    jsonschema.validate({"jar": "blue", "filters": {"least": 1}}, input_schema(TOOL))
    assert Arguments(jar="blue") == arguments_of(TOOL, {"jar": None, "pot": "blue"})


def test_a_parameter_may_go_by_another_name_but_its_own_wins() -> None:
    assert Arguments(jar="blue") == arguments_of(TOOL, {"pot": "blue"})
    assert Arguments(jar="blue") == arguments_of(TOOL, {"pot": "red", "jar": "blue"})


@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        ({}, "jar"),
        ({"jar": 3}, "jar"),
        ({"jar": None}, "jar"),
        ({"jar": "a", "limit": "five"}, "limit"),
        ({"jar": "a", "limit": 1.5}, "limit"),
        ({"jar": "a", "lid": True}, "lid"),
        ({"jar": "a", "kind": [1]}, "kind[0]"),
        ({"jar": "a", "filters": {"least": "much"}}, "filters.least"),
        ({"jar": "a", "filters": {"most": 1}}, "filters.most"),
    ],
)
def test_a_wrong_argument_is_refused_by_name(given: dict[str, Any], parameter: str) -> None:
    with pytest.raises(UsageError) as caught:
        arguments_of(TOOL, given)
    assert ("INVALID_REQUEST", parameter) == (caught.value.code, caught.value.details["param"])
    assert repr(parameter) in str(caught.value)
    assert (
        "In 'filters': kinds, least." if "." in parameter else "Its parameters: jar, limit, kind, filters."
    ) == caught.value.hint


@pytest.mark.parametrize("given", [[], "jar", 3, True])
def test_arguments_that_are_no_object_are_refused(given: object) -> None:
    with pytest.raises(UsageError) as caught:
        arguments_of(TOOL, given)
    assert "NOT_OBJECT" == caught.value.details["reason"]


def test_no_arguments_are_an_empty_object() -> None:
    with pytest.raises(UsageError, match="'jar' of find_jar is missing"):
        arguments_of(TOOL, None)


def test_a_listing_tells_that_a_tool_only_reads() -> None:
    assert {"readOnlyHint": True, "openWorldHint": False} == listing_of(TOOL)["annotations"]
    writing = listing_of(replace(TOOL, is_read_only=False))["annotations"]
    assert {"readOnlyHint": False, "openWorldHint": False, "destructiveHint": False, "idempotentHint": True} == writing


def test_a_listing_has_the_schema_of_results_only_where_it_is_wanted_and_there_is_one() -> None:
    assert "outputSchema" not in listing_of(TOOL)
    assert output_schema(TOOL) == listing_of(TOOL, with_output=True)["outputSchema"]
    assert "outputSchema" not in listing_of(_tool(None), with_output=True)


def test_clients_that_load_tools_late_are_asked_to_load_those_of_the_default_set_at_once() -> None:
    assert {"anthropic/alwaysLoad": True} == listing_of(replace(TOOL, toolset="default"))["_meta"]
    assert "_meta" not in listing_of(TOOL)


@pytest.mark.parametrize(
    ("unknown", "meant"), [("jars", "jar"), ("Limit", "limit"), ("max_limit", "limit"), ("pott", "jar"), ("filter", "filters")]
)
def test_an_unknown_parameter_is_answered_with_the_nearest_that_is_known(unknown: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"Did you mean '{meant}'\\?"):
        arguments_of(TOOL, {"jar": "blue", unknown: 1})


def test_in_an_object_the_nearest_is_one_of_that_object() -> None:
    with pytest.raises(UsageError, match=r"'filters\.kind' .* Did you mean 'filters\.kinds'\?"):
        arguments_of(TOOL, {"jar": "blue", "filters": {"kind": []}})


def test_an_unknown_parameter_that_is_like_none_is_refused_without_a_guess() -> None:
    with pytest.raises(UsageError) as refused:
        arguments_of(TOOL, {"jar": "blue", "xyzzy": 1})
    assert "Did you mean" not in str(refused.value)


def test_a_call_without_a_listener_is_silent(tmp_path: Any) -> None:
    from hardtack.tools.catalog import Catalog

    call = Call(catalog=Catalog())
    call.report(1, 2, "half")
    call.check()
