"""Descriptors of symbols in, Markdown or JSON values out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from hardtack.nouns.descriptors import (
    ClassDescriptor,
    Descriptor,
    FieldDescriptor,
    FunctionDescriptor,
    SymbolDescriptor,
    descriptor_to_json,
)
from hardtack.nouns.model import Tag
from hardtack.render.frameworks import framework_lines, heritage_lines
from hardtack.render.links import uri_of
from hardtack.render.markdown import code, fenced, prose

_VISIBLE_IN_NAME = frozenset({"go", "python"})
"""Languages in which the name of a symbol shows its visibility."""


def descriptor_json(descriptor: Descriptor | Sequence[Descriptor], index_name: str) -> Any:
    """A descriptor, or several, as JSON values; each location has its address in the bundle of that name."""
    return _addressed(descriptor_to_json(descriptor), index_name)


def _addressed(value: Any, index_name: str) -> Any:
    if isinstance(value, list):
        return [_addressed(item, index_name) for item in value]
    if not isinstance(value, dict):
        return value
    addressed = {key: _addressed(item, index_name) for key, item in value.items() if key != "metadata"}
    if isinstance(location := addressed.get("location"), dict):
        path, first, last = location["file_path"], location["start_line"], location["end_line"]
        uri = uri_of(index_name, path, first, last)
        addressed["location"] = {"file_path": path, "uri": uri, "start_line": first, "end_line": last}
    return {key: addressed.get(key, item) for key, item in value.items()}


# -- Markdown -----------------------------------------------------------------------------------------------------------------


def render_descriptors(descriptors: Sequence[Descriptor], text: str = "", *, note: str = "") -> str:
    """A single descriptor in full; of several a list, from which the reader can choose, and the note on them."""
    if len(descriptors) == 1:
        return render_descriptor(descriptors[0], text)
    lines = [f"{len(descriptors)} symbols have this name:", ""]
    return "\n".join([*lines, *map(_line, descriptors), ""]) + note_line(note)


def note_line(note: str) -> str:
    """The note on an answer, behind a blank line; empty without one."""
    return f"\n{prose(note)}\n" if note else ""


def render_descriptor(descriptor: Descriptor, text: str = "") -> str:
    """One descriptor in full; ``text`` is the source text of a type, if it is to be shown."""
    if isinstance(descriptor, ClassDescriptor):
        lines = _class(descriptor, text)
    elif isinstance(descriptor, FunctionDescriptor):
        lines = _function(descriptor)
    else:
        lines = iter([_line(descriptor)])
    return "\n".join(lines) + "\n"


def render_exports(package: str, symbols: Sequence[SymbolDescriptor], *, total: int) -> str:
    """The exports of a package, or a page of them, sorted by kind; ``total`` is the number on all pages."""
    shown = "" if len(symbols) == total else f" ({len(symbols)} shown)"
    lines = [f"# Package: {prose(package)}", "", f"**Total exported symbols:** {total}{shown}"]
    for kind, group in groupby(symbols, key=lambda symbol: symbol.kind):
        of_kind = list(group)
        lines += ["", f"## {kind.capitalize()} ({len(of_kind)})"]
        for symbol in of_kind:
            lines += ["", f"### {code(symbol.name)}", ""]
            lines += [part for part in (code(symbol.signature) if symbol.signature else "", prose(symbol.description)) if part]
            lines.append(f"📍 {_spot(symbol)}{from_lines(symbol)}")
    return "\n".join(lines) + "\n"


def _class(descriptor: ClassDescriptor, text: str) -> Iterator[str]:
    is_php = descriptor.language == "php"
    yield from (f"# {prose(descriptor.name)}", "", f"**Kind:** {descriptor.kind}")
    if home := descriptor.package or descriptor.namespace:
        yield f"**{'Namespace' if is_php else 'Package'}:** {prose(home)}"
    yield from _introduction(descriptor)
    yield from heritage_lines(descriptor)
    if descriptor.fields:
        yield from ("", "**Fields:**", "")
        yield from (_php_field(field) if is_php else _field(field, descriptor.language) for field in descriptor.fields)
    if descriptor.methods:
        yield from ("", "**Methods:**", "")
        for method in descriptor.methods:
            yield f"- {code(method.signature)}{_tag(' '.join(method.metadata.get('decorators', ())))}"
            yield from _nested(method) if is_php else ()
    yield from framework_lines(descriptor)
    yield from _places(descriptor)
    if text:
        yield from ("", "**Code:**", "", fenced(text, descriptor.language))


def _function(descriptor: FunctionDescriptor) -> Iterator[str]:
    is_php = descriptor.language == "php"
    yield from (f"# {prose(descriptor.name)}", "", f"**{'Kind' if is_php else 'Type'}:** {descriptor.kind}")
    if descriptor.namespace:
        yield f"**{'Namespace' if is_php else 'Package'}:** {prose(descriptor.namespace)}"
    if descriptor.receiver:
        yield f"**{'Receiver' if descriptor.language == 'go' else 'Class'}:** {code(descriptor.receiver)}"
    yield from _introduction(descriptor)
    if descriptor.parameters:
        yield from ("", "**Parameters:**", "")
        yield from _parameters(descriptor)
    if descriptor.returns:
        yield from ("", "**Returns:**", "")
        yield from _returns(descriptor)
    if throws := descriptor.metadata.get("throws"):
        yield from ("", "**Throws:**", "")
        yield from (f"- {prose(each)}" for each in throws)
    yield from _places(descriptor)
    if descriptor.code:
        yield from ("", "**Code:**", "", fenced(descriptor.code, descriptor.language))


def _introduction(descriptor: ClassDescriptor | FunctionDescriptor) -> Iterator[str]:
    if descriptor.signature:
        yield f"**Signature:** {code(descriptor.signature)}"
    if decorators := descriptor.metadata.get("decorators"):
        yield f"**Decorators:** {', '.join(map(code, decorators))}"
    if "\n" in descriptor.description:  # it may look like Markdown, so it is put into a fence
        yield from ("**Description:**", "", fenced(descriptor.description, ""), "")
    elif descriptor.description:
        yield f"**Description:** {prose(descriptor.description)}"
    if deprecated := descriptor.metadata.get("deprecated"):
        yield f"**Deprecated:** {prose(deprecated) if isinstance(deprecated, str) else 'yes'}"
    yield f"**Location:** {_place(descriptor)}{from_lines(descriptor)}"
    if note := descriptor.metadata.get("note"):
        yield f"**Note:** {prose(note)}"
    if descriptor.tags:
        yield f"**Tags:** {', '.join(descriptor.tags)}"


def _places(descriptor: ClassDescriptor | FunctionDescriptor) -> Iterator[str]:
    """Overloads, variants and further declarations of a symbol, and other symbols of its name."""
    for title, key in (("Overloads", "overloads"), ("Variants", "variants")):
        if others := descriptor.metadata.get(key):
            yield from ("", f"**{title}:**", "")
            yield from (f"- {code(each['signature'])} {code(_lines(each))}" for each in others)
    for title, key in (("Parts", "parts"), ("Declared", "declarations"), ("Others of this name", "namesakes")):
        if places := descriptor.metadata.get(key):
            yield from ("", f"**{title}:** {', '.join(map(code, places))}")


def _field(field: FieldDescriptor, language: str) -> str:
    shows_visibility = field.visibility in ("private", "protected") and language not in _VISIBLE_IN_NAME
    visibility = field.visibility if shows_visibility else ""
    default = f" = {field.default}" if field.default else ""
    declared = code(" ".join(part for part in (visibility, field.name, field.type) if part) + default)
    return f"- {declared}{_tag(field.tag)}{_source(field.source_hint)}{_description(field.description)}"


def _php_field(field: FieldDescriptor) -> str:
    default = f" = {field.default}" if field.default else ""
    declared = code(f"{field.visibility or 'public'} {field.type or 'mixed'} ${field.name.removeprefix('$')}{default}")
    return f"- {declared}{_tag(field.tag)}{_source(field.source_hint)}{_description(field.description)}"


def _tag(text: str) -> str:
    """A struct tag of Go, or decorators, behind what they belong to."""
    return f" {code(text)}" if text else ""


def _nested(method: FunctionDescriptor) -> Iterator[str]:
    """The nested list beneath each method of a PHP type."""
    yield f"    - Location: {_place(method)}"
    if method.parameters:
        yield "    - Parameters:"
        yield from (f"        {line}" for line in _parameters(method))
    if method.returns:
        yield "    - Returns:"
        yield from (f"        {line}" for line in _returns(method))


def _parameters(function: FunctionDescriptor) -> Iterator[str]:
    for parameter in function.parameters:
        default = f" = {parameter.default}" if parameter.default else ""
        if function.language == "php":
            declared = code(f"${parameter.name.removeprefix('$')}{default}") + (
                f": {code(parameter.type)}" if parameter.type else ""
            )
        else:
            declared = code(": ".join(part for part in (parameter.name, parameter.type) if part) + default)
        yield f"- {declared}{_source(parameter.source_hint)}{_description(parameter.description)}"


def _returns(function: FunctionDescriptor) -> Iterator[str]:
    for each in function.returns:
        yield f"- {code(each.type)}{_source(each.source_hint)}{_description(each.description)}"


def _description(description: str) -> str:
    """The description at the end of a list entry, on one line."""
    return f" - {prose(description)}" if description else ""


def _source(hint: str) -> str:
    """The origin of a type that the code does not declare."""
    return f" ({hint})" if hint in ("phpdoc", "inferred") else ""


def _line(descriptor: Descriptor) -> str:
    return f"- {_place(descriptor)} {descriptor.kind} {code(descriptor.signature or descriptor.name)}{from_lines(descriptor)}"


def from_lines(descriptor: Descriptor) -> str:
    """Says of a symbol that a line named that the grammar could not read it; else empty."""
    return " (read from lines: its file parses only in part)" if Tag.READ_FROM_LINES in descriptor.tags else ""


def _place(descriptor: Descriptor) -> str:
    location = descriptor.location
    return code(f"{location.file_path}:{location.start_line}-{location.end_line}") if location else ""


def _lines(place: dict[str, Any]) -> str:
    return f"{place['file_path']}:{place['start_line']}-{place['end_line']}"


def _spot(descriptor: Descriptor) -> str:
    location = descriptor.location
    return code(f"{location.file_path}:{location.start_line}") if location else ""
