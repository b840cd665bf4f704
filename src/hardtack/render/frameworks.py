"""What frameworks add to the account of a type in, Markdown lines out: its table, columns, casts, scopes and attributes."""

from __future__ import annotations

from collections.abc import Iterator

from hardtack.descriptors import ClassDescriptor, RelationDescriptor
from hardtack.render.markdown import code
from hardtack.render.style import inert


def framework_lines(descriptor: ClassDescriptor) -> Iterator[str]:
    """Blocks of lines, each after an empty one; none for a type of which no framework says anything."""
    if descriptor.table:
        inferred = " (inferred from the name)" if descriptor.metadata.get("table_is_inferred") else ""
        yield from ("", f"**Table:** {code(descriptor.table)}{inferred}")
    lists = {
        "Fillable": descriptor.fillable,
        "Guarded": descriptor.metadata.get("guarded", ()),
        "Hidden": descriptor.hidden,
        "Visible": descriptor.visible,
        "Appends": descriptor.appends,
    }
    for title, columns in lists.items():
        if columns:
            yield from ("", f"**{title}:** {', '.join(map(code, columns))}")
    if descriptor.casts:
        yield from ("", "**Casts:**", "")
        yield from (f"- {code(column)}: {code(cast)}" for column, cast in descriptor.casts.items())
    for title, functions in (("Scopes", descriptor.scopes), ("Attributes", descriptor.attributes)):
        if functions:
            yield from ("", f"**{title}:**", "")
            yield from (f"- {each.kind} {code(each.name)}: {code(each.signature or each.name)}" for each in functions)
    if actions := descriptor.metadata.get("actions"):
        yield from ("", f"**Actions:** {', '.join(map(code, actions))}")


def relation_line(relation: RelationDescriptor) -> str:
    """One relation: its kind, its name, what it leads to where that is another name, and by which keys."""
    related = f": {code(relation.related_symbol)}" if relation.related_symbol not in ("", relation.name) else ""
    keys = {"foreign_key": relation.foreign_key, "local_key": relation.local_key}
    said = [f"{key}={value}" for key, value in keys.items() if value]
    if relation.description:
        said.append(relation.description)
    return f"- {relation.relation_kind} {code(relation.name)}{related}" + (f" ({inert('; '.join(said))})" if said else "")
