"""Python types in, JSON schemas out; a caller's arguments in, a checked instance of a tool's parameters out.

Both come from one declaration, through msgspec, so what is published is what is checked. No schema has a reference or a union at
its top: several clients take none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

import msgspec

from hardtack.errors import UsageError
from hardtack.tools.tool import Parameters, Tool

_REFERENCE: Final = "#/$defs/{name}"
_AT = re.compile(r"^(?P<what>.*) - at `\$\.?(?P<where>.*)`$", re.DOTALL)
_FIELD = re.compile(r"`(?P<name>[^`]*)`")

MORE: Final = {
    "truncated": {"type": "boolean", "description": "There is more than was given."},
    "hint": {"type": "string", "description": "What to ask next, or how to ask for less."},
}
"""What any result may say of itself besides."""


def input_schema(tool: Tool) -> dict[str, Any]:
    """The JSON schema of a tool's arguments: what may be left out may be null as well, as many clients send it."""
    return _with_nulls(_schemas_of(tool.parameters)[0])


def _with_nulls(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema of arguments that takes null for each that is not required."""
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
    """The JSON schema of a tool's structured result: an object, whose ``result`` is the list where the tool gives a list.

    A tool that gives either one thing or a list of them has the properties of both, and requires none.
    """
    schemas = [_result_schema(kind) for kind in _members(tool.result)]
    properties = {name: schema for each in schemas for name, schema in each["properties"].items()}
    schema: dict[str, Any] = {"type": "object", "properties": {**properties, **MORE}}
    if len(schemas) == 1 and schemas[0].get("required"):
        schema["required"] = schemas[0]["required"]
    return schema


def _result_schema(result: Any) -> dict[str, Any]:
    """The schema of one kind of result."""
    if get_origin(result) is not list:
        return _schemas_of(result)[0]
    schemas = _schemas_of(*_members(*get_args(result)))
    items = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    return {"type": "object", "properties": {"result": {"type": "array", "items": items}}, "required": ["result"]}


def _schemas_of(*kinds: Any) -> list[dict[str, Any]]:
    """The schemas of types, each whole: a client that checks what it gets would follow a reference for each entry of a list."""
    schemas, definitions = msgspec.json.schema_components(kinds, ref_template=_REFERENCE)
    return [_whole(schema, definitions) for schema in schemas]


def _whole(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """A schema with what it refers to in place of the references; none of our types holds itself."""
    if isinstance(schema, list | tuple):
        return [_whole(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {key: _whole(value, definitions) for key, value in schema.items() if key != "$ref"}
    if "$ref" not in schema:
        return whole
    meant = _whole(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    # title and description are the class's, which speak to readers of the code
    return {**{key: value for key, value in meant.items() if key not in ("title", "description")}, **whole}


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


def arguments_of(tool: Tool, given: object) -> Parameters:
    """The caller's arguments, checked.

    Raises:
        UsageError: INVALID_REQUEST; a parameter is missing, unknown or of a wrong type: ``details.param`` says which.
    """
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise UsageError(
            f"The arguments of {tool.name} are no JSON object.", code="INVALID_REQUEST", details={"reason": "NOT_OBJECT"}
        )
    named = {name: value for name, value in given.items() if name not in tool.aliases}
    for alias, meant in tool.aliases.items():
        if named.get(meant) is None and given.get(alias) is not None:
            named[meant] = given[alias]
    try:
        return msgspec.convert(_said(named, tool.parameters), tool.parameters)
    except msgspec.ValidationError as error:
        raise _refusal(tool, str(error)) from None


def _said(given: Mapping[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The arguments without those that are null and could have been left out, in what they hold as well."""
    fields = _fields_of(kind)
    said = {}
    for name, value in given.items():
        field = fields.get(name)
        if value is None and field is not None and not field.required:
            continue
        inner = next((each for each in get_args(field.type) if _is_struct(each)), None) if field is not None else None
        said[name] = _said(value, inner) if inner is not None and isinstance(value, Mapping) else value
    return said


@cache
def _fields_of(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """By name; msgspec reads the annotations anew whenever it is asked."""
    return {field.name: field for field in msgspec.structs.fields(kind)}


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _refusal(tool: Tool, said: str) -> UsageError:
    """What msgspec says, as a sentence about a parameter."""
    at = _AT.match(said)
    what, where = (at["what"], at["where"]) if at else (said, "")
    if named := _FIELD.search(what) if "field" in what else None:
        where = f"{where}.{named['name']}".lstrip(".")
        what = "is missing" if "missing" in what else "is not known"
    else:
        what = f"is wrong: {what[:1].lower()}{what[1:]}".replace("`", "")
    names = ", ".join(tool.parameters.__struct_fields__)
    return UsageError(
        f"The parameter {where!r} of {tool.name} {what}.",
        code="INVALID_REQUEST",
        details={"param": where},
        hint=f"Its parameters: {names}." if names else "It takes none.",
    )
