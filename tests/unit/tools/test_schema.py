"""The published schemas of tools, and the check of arguments, which come from one declaration."""

from __future__ import annotations

from dataclasses import dataclass
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
    assert (1, ["integer", "null"]) == (schema["properties"]["limit"]["minimum"], schema["properties"]["limit"]["type"])


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


def test_what_may_be_left_out_may_be_null_and_is_published_so() -> None:
    given = {"jar": "blue", "limit": None, "kind": None, "filters": {"kinds": None, "least": None}, "pot": None}
    assert Arguments(jar="blue", filters=Narrowed()) == arguments_of(TOOL, given)
    del given["pot"]
    jsonschema.validate(given, input_schema(TOOL))
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
    hints = listing_of(TOOL)["annotations"]
    assert (True, False, True, False) == tuple(
        hints[name] for name in ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
    )


def test_a_call_without_a_listener_is_silent(tmp_path: Any) -> None:
    from hardtack.tools.catalog import Catalog

    call = Call(catalog=Catalog())
    call.report(1, 2, "half")
    call.check()
