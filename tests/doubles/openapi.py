"""An OpenAPI 3.0 description in, faults of requests and answers out; and documents that have every field it requires."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

_URN = "urn:description"
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_FILLERS: Mapping[str, Any] = {"integer": 0, "number": 0, "boolean": False, "array": [], "string": ""}
_FORMATS = {"date-time": "2001-02-03T04:05:06Z", "uri": "https://example.invalid/", "email": "nobody@example.invalid"}


@dataclass(frozen=True, slots=True)
class Operation:
    id: str
    document: Mapping[str, Any]
    arguments: Mapping[str, str]
    """Of the path, decoded."""


class Description:
    """The description, ready to be asked."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self._paths = [
            (re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path))), methods)
            for path, methods in document["paths"].items()
        ]
        root = {"components": _as_json_schema(document["components"])}
        self._registry = Registry().with_resource(_URN, DRAFT202012.create_resource(root))

    def operation(self, method: str, path: str) -> Operation | None:
        found = [
            (match, methods[method.lower()])
            for pattern, methods in self._paths
            if (match := pattern.fullmatch(path)) and method.lower() in methods
        ]
        if not found:
            return None
        match, document = min(found, key=lambda pair: len(pair[0].groupdict()))
        return Operation(document["operationId"], document, {name: unquote(value) for name, value in match.groupdict().items()})

    def faults_of_request(self, operation: Operation, target: str, body: bytes) -> list[str]:
        """What the description does not know of a request's parameters and body."""
        declared = [self._resolved(parameter) for parameter in operation.document.get("parameters", ())]
        given = dict(parse_qsl(urlsplit(target).query, keep_blank_values=True))
        faults = [f"query parameter {name!r}" for name in given if name not in {p["name"] for p in declared if p["in"] == "query"}]
        for parameter in declared:
            where = given if parameter["in"] == "query" else operation.arguments
            name, schema = parameter["name"], parameter["schema"]
            if name not in where:
                faults += [f"{name} is missing"] if parameter.get("required") else []
            elif schema.get("type") == "integer" and not where[name].isdecimal():
                faults.append(f"{name} is no number")
            elif "enum" in schema and where[name] not in schema["enum"]:
                faults.append(f"{name} is none of the values")
        if body and "requestBody" not in operation.document:
            return [*faults, "a body"]
        wanted = operation.document.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        return faults + (self._faults_of_body(wanted, body) if wanted else [])

    def _faults_of_body(self, schema: Mapping[str, Any], body: bytes) -> list[str]:
        try:
            document = json.loads(body)
        except ValueError:
            return ["a body that is no JSON"]
        validator = Draft202012Validator(_as_json_schema(schema), registry=self._registry)
        faults = [f"body: {error.message[:200]}" for error in validator.iter_errors(document)]
        return faults + list(self._unknown(schema, document, "body: "))

    def faults_of_answer(self, operation: Operation, status: int, headers: Mapping[str, str], document: Any) -> list[str]:
        """What the description says against an answer; to an error that it does not list, the schema of errors applies."""
        answer = operation.document["responses"].get(str(status))
        if answer is None:
            schema = {"$ref": "#/components/schemas/basic-error"} if status >= 400 else None
            if schema is None and status != 304:
                return [f"status {status}"]
        else:
            answer = self._resolved(answer)
            missing = [f"header {name}" for name in answer.get("headers", {}) if name == "Location" and name not in headers]
            if missing:
                return missing
            schema = answer.get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return [] if document is None or not answer or not answer.get("content") else ["a body"]
        validator = Draft202012Validator(_as_json_schema(schema), registry=self._registry)
        faults = [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in validator.iter_errors(document)]
        return faults + list(self._unknown(schema, document, ""))

    def filled(self, schema: Mapping[str, Any] | str, known: Mapping[str, Any]) -> dict[str, Any]:
        """``known`` and neutral values for whatever else the schema, or the one of that name, requires.

        A field that the schema does not have is an error of the caller.
        """
        schema = self._resolved({"$ref": f"#/components/schemas/{schema}"} if isinstance(schema, str) else schema)
        properties = schema.get("properties", {})
        assert set(known) <= set(properties), sorted(set(known) - set(properties))
        required = {name: self._neutral(properties[name]) for name in schema.get("required", ()) if name not in known}
        return {name: value for name, value in {**required, **known}.items() if name in properties}

    def _neutral(self, schema: Mapping[str, Any]) -> Any:
        schema = self._resolved(schema)
        if schema.get("nullable"):
            return None
        if "enum" in schema:
            return schema["enum"][0]
        if schema.get("type") == "object" or "properties" in schema:
            return self.filled(schema, {})
        return _FORMATS.get(schema.get("format", ""), _FILLERS.get(schema.get("type", "string")))

    def _unknown(self, schema: Mapping[str, Any], document: Any, where: str) -> Iterator[str]:
        """Fields that the description does not have: the stand-in may invent nothing."""
        schema = self._resolved(schema)
        if isinstance(document, list) and "items" in schema:
            for item in document:
                yield from self._unknown(schema["items"], item, where)
        if isinstance(document, dict) and "properties" in schema:
            for name, value in document.items():
                if name not in schema["properties"]:
                    yield f"{where}{name} is no field"
                else:
                    yield from self._unknown(schema["properties"][name], value, f"{where}{name}.")

    def _resolved(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in node:
            _, *parts = node["$ref"].split("/")
            node = self.document
            for part in parts:
                node = node[part]
        return node


def _as_json_schema(node: Any) -> Any:
    """OpenAPI 3.0's ``nullable`` in JSON Schema's words."""
    if isinstance(node, list):
        return [_as_json_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("$ref"), str):
        return {"$ref": _URN + node["$ref"]}
    schema = {key: _as_json_schema(value) for key, value in node.items() if key != "nullable"}
    if node.get("format") == "date-time" and node.get("type") == "string":
        schema["pattern"] = _DATE_TIME.pattern
    if node.get("nullable") is True:
        return {"anyOf": [schema, {"type": "null"}]}
    return schema
