"""Python types in, JSON schemas out; a caller's arguments in, a checked instance of a tool's parameters out.

Both come from one declaration, through msgspec, so what is published is what is checked. No schema has a reference or a union at
its top: several clients take none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

import msgspec

from hardtack.errors import UsageError
from hardtack.tools.tool import Parameters, Tool

_REFERENCES: Final = "#/$defs/{name}"
_AT = re.compile(r"^(?P<what>.*) - at `\$\.?(?P<where>.*)`$", re.DOTALL)
_FIELD = re.compile(r"`(?P<name>[^`]*)`")

MORE: Final = {
    "truncated": {"type": "boolean", "description": "There is more than was given."},
    "hint": {"type": "string", "description": "What to ask next, or how to ask for less."},
}
"""What any result may say of itself besides."""


def input_schema(tool: Tool) -> dict[str, Any]:
    """The JSON schema of a tool's arguments."""
    (schema,), definitions = msgspec.json.schema_components([tool.parameters], ref_template=_REFERENCES)
    return _inlined(schema, definitions)


def output_schema(tool: Tool) -> dict[str, Any]:
    """The JSON schema of a tool's structured result: an object, whose ``result`` is the list where the tool gives a list.

    A tool that gives either one thing or a list of them has the properties of both, and requires none.
    """
    schemas = [_schema_of(kind) for kind in _members(tool.result)]
    definitions = {name: schema for each in schemas for name, schema in each.get("$defs", {}).items()}
    properties = {name: schema for each in schemas for name, schema in each["properties"].items()}
    schema: dict[str, Any] = {"type": "object", "properties": {**properties, **MORE}}
    if len(schemas) == 1 and schemas[0].get("required"):
        schema["required"] = schemas[0]["required"]
    return {**schema, **({"$defs": definitions} if definitions else {})}


def _schema_of(result: Any) -> dict[str, Any]:
    """The schema of one kind of result."""
    if get_origin(result) is not list:
        (schema,), definitions = msgspec.json.schema_components([result], ref_template=_REFERENCES)
        return _inlined(schema, definitions)
    schemas, definitions = msgspec.json.schema_components(_members(*get_args(result)), ref_template=_REFERENCES)
    items = schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}
    properties = {"result": {"type": "array", "items": items}}
    return {"type": "object", "properties": properties, "required": ["result"], "$defs": definitions}


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


def _inlined(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema that a top-level reference leads to, with the definitions it uses beneath it."""
    name = schema["$ref"].rpartition("/")[2] if "$ref" in schema else None
    top = dict(definitions[name]) if name else dict(schema)
    rest = {key: value for key, value in definitions.items() if key != name}
    top.pop("title", None)
    top.pop("description", None)  # the docstring of the class, which speaks to readers of the code
    return {**top, **({"$defs": rest} if rest else {})}


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
    for alias in tool.aliases:
        if alias in given:
            named.setdefault(tool.aliases[alias], given[alias])
    try:
        return msgspec.convert(named, tool.parameters)
    except msgspec.ValidationError as error:
        raise _refusal(tool, str(error)) from None


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
