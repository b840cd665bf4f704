"""Python types in, JSON schemas out.

What is published and what is checked (:mod:`hardtack.tools.arguments`) come from one declaration, through msgspec. No schema has a
``$ref``, nor a union at its top level, because several clients accept neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

import msgspec

from hardtack.tools.tool import Tool

_REFERENCE: Final = "#/$defs/{name}"

MORE: Final = {
    "truncated": {"type": "boolean", "description": "There is more than was given."},
    "hint": {"type": "string", "description": "What to ask next, or how to ask for less."},
}
"""Properties that any result may have besides its own."""


def input_schema(tool: Tool) -> dict[str, Any]:
    """The JSON schema of a tool's arguments; optional ones may also be null, which many clients send."""
    return _with_nulls(_schemas_of(tool.parameters)[0])


def _with_nulls(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema of arguments that accepts null for each that is not required."""
    required = schema.get("required", ())
    properties = {name: each if name in required else _or_null(each) for name, each in schema["properties"].items()}
    return {**schema, "properties": properties}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in schema:
        kinds = [_with_nulls(each) if "properties" in each else each for each in schema["anyOf"]]
        return {**schema, "anyOf": kinds if {"type": "null"} in kinds else [*kinds, {"type": "null"}]}
    if "enum" in schema:
        return {**schema, "enum": list(dict.fromkeys((*schema["enum"], None)))}
    return {**schema, "type": [schema["type"], "null"]}


def output_schema(tool: Tool) -> dict[str, Any]:
    """The JSON schema of a tool's structured result, which is an object; a tool that gives a list has it under ``result``.

    A tool whose result type is a union has the properties of all its members, and requires none of them.
    """
    schemas = [_result_schema(kind) for kind in _members(tool.result)]
    properties = {name: schema for each in schemas for name, schema in each["properties"].items()}
    schema: dict[str, Any] = {"type": "object", "properties": {**properties, **MORE}}
    if len(schemas) == 1 and schemas[0].get("required"):
        schema["required"] = schemas[0]["required"]
    return schema


def _result_schema(result: Any) -> dict[str, Any]:
    if get_origin(result) is not list:
        return _schemas_of(result)[0]
    schemas = _schemas_of(*_members(*get_args(result)))
    items = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    return {"type": "object", "properties": {"result": {"type": "array", "items": items}}, "required": ["result"]}


def _schemas_of(*kinds: Any) -> list[dict[str, Any]]:
    """The schemas of types, without references: a client that validates a list would resolve one for each of its entries."""
    schemas, definitions = msgspec.json.schema_components(kinds, ref_template=_REFERENCE)
    return [_inlined(schema, definitions) for schema in schemas]


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """A schema with each reference replaced by what it refers to; ends, since no result type contains itself."""
    if isinstance(schema, list | tuple):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    own = {key: _inlined(value, definitions) for key, value in schema.items() if key != "$ref"}
    if "$ref" not in schema:
        return own
    definition = _inlined(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    # title and description come from the class name and its docstring, which are for readers of the code
    return {**{key: value for key, value in definition.items() if key not in ("title", "description")}, **own}


def _members(kind: Any) -> tuple[Any, ...]:
    """The members of a union; of anything else, itself."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def listing_of(tool: Tool) -> dict[str, Any]:
    """The tool as a server lists it."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": input_schema(tool),
        "outputSchema": output_schema(tool),
        "annotations": {
            "title": tool.title,
            "readOnlyHint": tool.is_read_only,
            "destructiveHint": tool.is_destructive,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    }
