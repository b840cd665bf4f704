"""A caller's arguments in, a checked instance of a tool's parameters out; what is not understood is refused in one sentence.

The published schema says what a parameter takes. Clients and models send more than that which can mean one thing only, and it is
understood here, for all tools: ``5.0`` or ``"5"`` for 5, ``"true"``, an object or a list as JSON text, one text for a list of one
and the reverse, null for what is absent, and the addresses that answers carry in place of a path.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin
from urllib.parse import unquote, urlsplit

import msgspec

from hardtack.errors import UsageError
from hardtack.query.files.path_spelling import place_of
from hardtack.query.request.filter_words import well_formed
from hardtack.tools.schema import input_schema
from hardtack.tools.tool import COMMA, DIRECTORY, FILE, Parameters, Tool

# msgspec: "Expected `int`, got `str` - at `$.filters.limit`"; "Object missing required field `query`"
_AT = re.compile(r"^(?P<what>.*) - at `\$\.?(?P<where>.*)`$", re.DOTALL)
_FIELD = re.compile(r"`(?P<name>[^`]*)`")
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{0,15})?")
_MOST: Final = 1 << 53
"""The largest whole number that a JSON number with a fraction stands for exactly."""
_SHOWN: Final = 80
"""Characters of a refused value that the refusal repeats."""
_DEEPEST: Final = 32
"""Levels of arguments at most; the deepest that a tool takes has three. Whatever walks deeper ones would run out of stack."""
_LONGEST: Final = 100_000
"""Characters of one text at most; a query has 65,536. A name, a path or a pattern may take a millisecond for a hundred."""
_MOST_VALUES: Final = 10_000
"""Values of all lists and objects together; 300,000 keys take seconds to look at, and no tool has thirty parameters."""
_NO_PARAMETER: Final = "No parameter takes that."
_LEAST_LIKE: Final = 0.6
"""The likeness of a parameter's name to an unknown one, 0 to 1, from which it is proposed."""
_TRUTH: Final = {"true": True, "false": False}
_LISTS: Final = frozenset({list, tuple})
_LINES: Final = (("start_line", "end_line"), ("line", "end_line"))
"""Parameters for the first and the last line of a file."""
_INDEXES: Final = ("index", "index_name")
"""Names of the parameter that chooses an index."""
_ACCEPTED: Final = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list of texts",
    "object": "an object",
}


def arguments_of(tool: Tool, given: object) -> Parameters:
    """The caller's arguments, checked.

    Raises:
        UsageError: INVALID_REQUEST; a parameter is missing, unknown or of a wrong type, and ``details["param"]`` names it; or there
            is more of them, or deeper, than any tool takes. QUERY_TOO_LONG: so is a text.
    """
    given = _parsed(given, dict) if isinstance(given, str) else {} if given is None else given
    if not isinstance(given, dict):
        raise UsageError(
            f"The arguments of {tool.name} are {_shown(given)}; they must be an object.",
            code="INVALID_REQUEST",
            details={"reason": "NOT_OBJECT"},
        )
    if excess := _excess_of(given):
        raise UsageError(
            f"The arguments of {tool.name} {excess.what}.", code=excess.code, details=excess.details, hint=_NO_PARAMETER
        )
    all_given: dict[str, Any] = _without_surrogates(given)
    named = {name: value for name, value in all_given.items() if name not in tool.aliases}
    for alias, parameter in tool.aliases.items():
        if named.get(parameter) is None and all_given.get(alias) is not None:
            named[parameter] = all_given[alias]
    understood = _with_addresses(tool, _understood(named, tool.parameters))
    try:
        return msgspec.convert(understood, tool.parameters)
    except msgspec.ValidationError as error:
        raise _refusal(tool, str(error), named) from None


# -- what is understood -----------------------------------------------------------------------------------------------------------


class _Excess(NamedTuple):
    """How arguments are deeper, longer or more than any tool takes."""

    what: str
    code: str = "INVALID_REQUEST"
    details: Mapping[str, Any] = {"reason": "TOO_LARGE"}


def _excess_of(given: Any) -> _Excess | None:
    """How JSON values are deeper, longer or more than any tool takes; None if they are not.

    They are looked through level by level, since recursion is one of the things that this guards against.
    """
    level, count = [given], 0
    for _ in range(_DEEPEST):
        names = [name for each in level if isinstance(each, dict) for name in each]
        longest = max((len(each) for each in (*level, *names) if isinstance(each, str)), default=0)
        if longest > _LONGEST:
            details = {"characters": longest, "most": _LONGEST}
            return _Excess(f"hold a text of more than {_LONGEST} characters", "QUERY_TOO_LONG", details)
        containers = [each for each in level if isinstance(each, dict | list)]
        level = [each for container in containers for each in (container.values() if isinstance(container, dict) else container)]
        count += len(level)
        if count > _MOST_VALUES:
            return _Excess(f"hold more than {_MOST_VALUES} values")
        if not level:
            return None
    return _Excess(f"are nested more than {_DEEPEST} levels deep")


def _without_surrogates(given: Any) -> Any:
    """JSON values with ``?`` for each lone surrogate: JSON can escape one, but UTF-8, in which replies are sent, has none."""
    if isinstance(given, str):
        return well_formed(given)
    if isinstance(given, list):
        return [_without_surrogates(each) for each in given]
    if isinstance(given, dict):
        return {_without_surrogates(name): _without_surrogates(value) for name, value in given.items()}
    return given


def _understood(given: Mapping[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The arguments as the fields of ``kind`` take them, without optional ones that are null; in nested objects as well."""
    fields = _fields_of(kind)
    kept = {}
    for name, value in given.items():
        field = fields.get(name)
        if field is None:
            kept[name] = value
        elif value is not None or field.required:
            kept[name] = _as_taken(value, field.type)
    return kept


@cache
def _fields_of(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """Fields by name; cached, because msgspec evaluates the annotations anew on each call."""
    return {field.name: field for field in msgspec.structs.fields(kind)}


def _as_taken(value: Any, kind: Any) -> Any:
    """A value as a parameter of that type takes it; unchanged where it can mean nothing or more than one thing there."""
    takes = _plain_types(kind)
    struct = next((each for each in takes if isinstance(each, type) and issubclass(each, msgspec.Struct)), None)
    if isinstance(value, str):
        listed = _parsed(value, list) if _says(kind, COMMA) else value
        value = _of_text(value, takes, is_object=struct is not None) if listed is value else _of_list(listed, kind)
    elif isinstance(value, float) and int in takes and value.is_integer() and abs(value) <= _MOST:
        value = int(value)
    elif isinstance(value, int) and bool in takes and value in (0, 1):
        value = bool(value)
    elif isinstance(value, list) and str in takes and not takes & _LISTS:
        value = _of_list(value, kind)
    return _understood(value, struct) if struct is not None and isinstance(value, Mapping) else value


def _plain_types(kind: Any) -> set[Any]:
    """The types that a declared type accepts, without their annotations, arguments, and None."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _plain_types(get_args(kind)[0])
    if origin in (Union, UnionType):
        return {each for member in get_args(kind) for each in _plain_types(member)}
    if origin is Literal:
        return {str}
    return {origin or kind} - {type(None)}


def _of_text(text: str, takes: set[Any], *, is_object: bool) -> Any:
    if is_object:
        return _parsed(text, dict)
    if takes & _LISTS:
        listed = _parsed(text, list)
        return listed if listed is not text or str in takes else [text]
    if str in takes:
        return text
    plain = text.strip()
    if bool in takes:
        return _TRUTH.get(plain.lower(), text)
    if not _NUMBER.fullmatch(plain):
        return text
    number = float(plain)
    return int(number) if int in takes and number.is_integer() else number


def _of_list(values: Any, kind: Any) -> Any:
    """The one text of a list, or several joined where a parameter takes several in one text."""
    if not all(isinstance(each, str) for each in values):
        return values
    return values[0] if len(values) == 1 else ",".join(values) if _says(kind, COMMA) else values


def _parsed(text: str, kind: type) -> Any:
    """The JSON value of a text if it is of that type and no larger than what a tool takes, else the text."""
    with suppress(ValueError, RecursionError):
        if isinstance(value := json.loads(text), kind) and not _excess_of(value):
            return value
    return text


def _says(kind: Any, what: str) -> bool:
    """Whether a declared type, or a member of it, has that mark (:data:`FILE`, :data:`DIRECTORY`, :data:`COMMA`)."""
    if get_origin(kind) is Annotated:
        inner, *notes = get_args(kind)
        return any(isinstance(note, msgspec.Meta) and what in (note.extra or ()) for note in notes) or _says(inner, what)
    return any(_says(each, what) for each in get_args(kind))


def _with_addresses(tool: Tool, given: dict[str, Any]) -> dict[str, Any]:
    """The arguments with what an address or ``path:10-20`` says besides its path: the index, and lines that were not given."""
    for name, field in _fields_of(tool.parameters).items():
        value = given.get(name)
        if not isinstance(value, str):
            continue
        if _says(field.type, DIRECTORY):
            given[name] = _directory_of(value)
        elif _says(field.type, FILE):
            given |= _besides(tool, name, value, given)
    return given


def _besides(tool: Tool, name: str, value: str, given: Mapping[str, Any]) -> dict[str, Any]:
    place, fields, more = place_of(value), _fields_of(tool.parameters), dict[str, Any]()
    index = next((each for each in _INDEXES if each in fields), "")
    if place.index_name and index:
        other = given.get(index)
        if other is not None and other != place.index_name:
            problem = f"The parameter {name!r} of {tool.name} is {_shown(value)}, which is not of the index {_shown(other)}."
            raise UsageError(problem, code="INVALID_REQUEST", details={"param": name})
        more[index] = place.index_name
    if place.first is not None:
        first, last = next((pair for pair in _LINES if pair[0] in fields), ("", ""))
        start = given.get(first)
        if first and start is None:
            more[first] = start = place.first
        end = _MOST if place.last is None else place.last
        is_one = first == "line" and place.last == place.first  # what is at that line, not that line alone
        is_said = last in fields and (fields[last].required or (place.last is not None and not is_one))
        if is_said and given.get(last) is None and isinstance(start, int) and place.first <= start <= end:
            more[last] = end
    return more


def _directory_of(value: str) -> str:
    """The directory of a ``file:`` address, the index of a ``hardtack:`` one; anything else as it is."""
    with suppress(ValueError):
        parts = urlsplit(value)
        if parts.scheme == "file" and parts.netloc in ("", "localhost"):
            return unquote(parts.path)
    return place_of(value).index_name or value


# -- what is refused --------------------------------------------------------------------------------------------------------------


def _refusal(tool: Tool, message: str, given: Mapping[str, Any]) -> UsageError:
    """A message of msgspec's as a sentence about a parameter: its name, its value and what it takes."""
    at = _AT.match(message)
    what, where = (at["what"], at["where"]) if at else (message, "")
    field = _FIELD.search(what) if "field" in what else None
    if field:
        where = f"{where}.{field['name']}".lstrip(".")
    parameter = where.partition("[")[0]
    value, schema = _value_at(given, parameter), input_schema(tool)
    accepted, outer = _accepted(_schema_at(schema, parameter)), parameter.rpartition(".")[0]
    names = ", ".join(_properties(_schema_at(schema, outer) if outer else schema))
    hint = f"{f'In {outer!r}' if outer else 'Its parameters'}: {names}." if names else "It takes none."
    if field and "missing" in what:
        problem = f"The parameter {where!r} of {tool.name} is missing; it takes {accepted}."
    elif field:
        nearest = _nearest(where, outer, schema, {} if outer else tool.aliases)
        problem = f"The parameter {where!r} of {tool.name} is not known; it was given as {_shown(value)}.{nearest}"
    else:
        problem = f"The parameter {where!r} of {tool.name} is {_shown(value)}; it takes {accepted}."
    return UsageError(problem, code="INVALID_REQUEST", details={"param": where}, hint=hint)


def _nearest(where: str, outer: str, schema: Mapping[str, Any], aliases: Mapping[str, str]) -> str:
    """``did you mean`` the known parameter that is spelt most like an unknown one; empty if none is."""
    known = {name: name for name in _properties(_schema_at(schema, outer) if outer else schema)}
    spellings = {**aliases, **known}
    name = where.rpartition(".")[2].lower()
    close = difflib.get_close_matches(name, spellings, n=1, cutoff=_LEAST_LIKE)
    sharing = [each for each in known if set(name.split("_")) & set(each.split("_"))]
    found = spellings[close[0]] if close else sharing[0] if sharing else ""
    return f" Did you mean {f'{outer}.{found}'.lstrip('.')!r}?" if found else ""


def _value_at(given: Any, parameter: str) -> Any:
    for name in parameter.split("."):
        given = _parsed(given, dict) if isinstance(given, str) else given
        given = given.get(name) if isinstance(given, Mapping) else None
    return given


def _schema_at(schema: Mapping[str, Any], parameter: str) -> Mapping[str, Any]:
    for name in parameter.split("."):
        schema = _properties(schema).get(name, {})
    return schema


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: each for kind in (schema, *schema.get("anyOf", ())) for name, each in kind.get("properties", {}).items()}


def _accepted(schema: Mapping[str, Any]) -> str:
    """What a schema takes, in words."""
    if "enum" in schema:
        return _either([repr(str(each)) for each in schema["enum"] if each is not None])
    kinds = schema.get("anyOf") or [{**schema, "type": kind} for kind in _listed(schema.get("type"))]
    bounds = {**schema, **{key: value for kind in kinds for key, value in kind.items()}}
    words = _either([_ACCEPTED[kind["type"]] for kind in kinds if kind.get("type") in _ACCEPTED])
    least, most = bounds.get("minimum"), bounds.get("maximum")
    if least is None:
        return words
    return f"{words} from {least:g}" + ("" if most is None else f" to {most:g}")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _either(words: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _shown(value: Any) -> str:
    """A value as JSON, cut if it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
