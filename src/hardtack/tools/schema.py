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

_NOTHING: Final[tuple[Any, ...]] = (None, "", [], 0.0)
ALWAYS_LOADED: Final = "default"
"""The toolset that clients are asked to load at once."""

MORE: Final = {
    "truncated": {"type": "boolean", "description": "There is more than was given."},
    "hint": {"type": "string", "description": "What to ask next, or how to ask for less."},
}
"""Properties that any result may have besides its own."""


def input_schema(tool: Tool) -> dict[str, Any]:
    """The JSON schema of a tool's arguments, required ones first.

    That null stands for what is absent goes without saying, to save tokens.
    """
    schema: dict[str, Any] = _without_nulls(_schemas_of(tool.parameters)[0])
    required = schema.get("required", ())
    schema["properties"] = dict(sorted(schema["properties"].items(), key=lambda each: each[0] not in required))
    return schema


def _without_nulls(schema: Any) -> Any:
    """A schema without null among its types and values, and without what is nothing: defaults, an empty list of required ones."""
    if isinstance(schema, list):
        return [_without_nulls(each) for each in schema if each != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _without_nulls(each) for key, each in schema.items() if key not in ("default", "required") or each not in _NOTHING}
    if "enum" in kept:
        kept["enum"] = [each for each in kept["enum"] if each is not None]
    if len(kinds := kept.get("anyOf", ())) == 1:
        del kept["anyOf"]
        kept = {**kinds[0], **kept}
    return kept


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


def listing_of(tool: Tool, *, with_output: bool = False) -> dict[str, Any]:
    """The tool as a server lists it; the schema of its result, which is long, only ``with_output``.

    Clients that load tools only when a search for tools finds them are told to load those of the default set at once.
    """
    hints = {"readOnlyHint": tool.is_read_only, "openWorldHint": False}
    if not tool.is_read_only:
        hints |= {"destructiveHint": tool.is_destructive, "idempotentHint": True}
    listing = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": input_schema(tool),
        "annotations": hints,
    }
    if with_output and tool.result is not None:
        listing["outputSchema"] = output_schema(tool)
    if tool.toolset == ALWAYS_LOADED:
        listing["_meta"] = {"anthropic/alwaysLoad": True}
    return listing
