"""Typed accounts in, Markdown out, in the shapes of seed 1 (CONTRACTS 1A)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardtack.descriptors import ClassDescriptor, Descriptor, FieldDescriptor, FunctionDescriptor, SymbolDescriptor
from hardtack.render.frameworks import framework_lines, relation_line
from hardtack.render.markdown import code, fenced
from hardtack.render.style import inert


def render_descriptors(descriptors: Sequence[Descriptor]) -> str:
    """One account in full, or a list when there are several: which of them is meant is for the reader to say."""
    if len(descriptors) == 1:
        return render_descriptor(descriptors[0])
    lines = [f"{len(descriptors)} symbols have this name:", ""]
    return "\n".join([*lines, *map(_line, descriptors), ""])


def render_descriptor(descriptor: Descriptor) -> str:
    """One account."""
    if isinstance(descriptor, ClassDescriptor):
        lines = _class(descriptor)
    elif isinstance(descriptor, FunctionDescriptor):
        lines = _function(descriptor)
    else:
        lines = iter([_line(descriptor)])
    return "\n".join(lines) + "\n"


def render_exports(package: str, symbols: Sequence[SymbolDescriptor]) -> str:
    """What a package exports, by kind."""
    lines = [f"# Package: {inert(package)}", "", f"**Total exported symbols:** {len(symbols)}"]
    for kind in sorted({symbol.kind for symbol in symbols}):
        of_kind = sorted((symbol for symbol in symbols if symbol.kind == kind), key=lambda symbol: (symbol.name, _place(symbol)))
        lines += ["", f"## {kind.capitalize()} ({len(of_kind)})", ""]
        lines += [f"- {code(symbol.signature or symbol.name)} {_place(symbol)}" for symbol in of_kind]
    return "\n".join(lines) + "\n"


def _heading(descriptor: ClassDescriptor | FunctionDescriptor) -> Iterator[str]:
    yield f"# {inert(descriptor.name)}"
    yield ""
    yield f"**Kind:** {descriptor.kind}"
    if descriptor.namespace or (package := getattr(descriptor, "package", "")):
        yield f"**Package:** {inert(descriptor.namespace or package)}"
    if descriptor.signature:
        yield f"**Signature:** {code(descriptor.signature)}"
    if descriptor.description:
        yield f"**Description:** {inert(descriptor.description)}"
    if deprecated := descriptor.metadata.get("deprecated"):
        yield f"**Deprecated:** {inert(deprecated) if isinstance(deprecated, str) else 'yes'}"
    yield f"**Location:** {_place(descriptor)}"
    if descriptor.tags:
        yield f"**Tags:** {', '.join(descriptor.tags)}"


def _class(descriptor: ClassDescriptor) -> Iterator[str]:
    yield from _heading(descriptor)
    if descriptor.relations:
        yield from ("", "**Relations:**", "")
        yield from map(relation_line, descriptor.relations)
    yield from framework_lines(descriptor)
    if descriptor.fields:
        yield from ("", "**Fields:**", "")
        yield from map(_field, descriptor.fields)
    if descriptor.methods:
        yield from ("", "**Methods:**", "")
        yield from (f"- {code(method.signature)}" for method in descriptor.methods)


def _field(field: FieldDescriptor) -> str:
    default = f" = {field.default}" if field.default else ""
    words = code(" ".join(part for part in (field.visibility, field.name, field.type) if part) + default)
    tag = f" {code(field.tag)}" if field.tag else ""
    return f"- {words}{tag}{_source(field.source_hint)}" + (f" - {inert(field.description)}" if field.description else "")


def _source(hint: str) -> str:
    """Where a type is from, unless it is declared."""
    return f" ({hint})" if hint in ("phpdoc", "inferred") else ""


def _function(descriptor: FunctionDescriptor) -> Iterator[str]:
    yield from _heading(descriptor)
    if descriptor.receiver:
        yield f"**Receiver:** {code(descriptor.receiver)}"
    if descriptor.parameters:
        yield from ("", "**Parameters:**", "")
        for parameter in descriptor.parameters:
            default = f" = {parameter.default}" if parameter.default else ""
            declared = code(": ".join(part for part in (parameter.name, parameter.type) if part) + default)
            described = f" - {inert(parameter.description)}" if parameter.description else ""
            yield f"- {declared}{_source(parameter.source_hint)}{described}"
    if descriptor.returns:
        yield from ("", "**Returns:**", "")
        yield from (
            f"- {code(each.type)}{_source(each.source_hint)}" + (f" - {inert(each.description)}" if each.description else "")
            for each in descriptor.returns
        )
    if throws := descriptor.metadata.get("throws"):
        yield from ("", "**Throws:**", "")
        yield from (f"- {inert(each)}" for each in throws)
    if descriptor.code:
        yield from ("", "**Code:**", "", fenced(descriptor.code, descriptor.language))


def _line(descriptor: Descriptor) -> str:
    return f"- {_place(descriptor)} {descriptor.kind} {code(descriptor.signature or descriptor.name)}"


def _place(descriptor: Descriptor) -> str:
    location = descriptor.location
    return code(f"{location.file_path}:{location.start_line}-{location.end_line}") if location else ""
