"""A detail and its symbol's documentation in, the detail with the documented types, descriptions and notes out.

Only the tags or sections of each style are read; the prose around them is in :class:`Symbol`'s ``doc``. ``docstring`` is Python's
three styles (:mod:`.docstrings`), ``xmldoc`` C#'s (:mod:`.xmldoc`), ``markup`` Swift's (:mod:`.markup`); ``phpdoc``, ``jsdoc``,
``yard``, ``doxygen`` and ``godoc`` have tags (:mod:`.tags`). A type in the syntax takes precedence over one in a comment, and that
over one inferred from a value. Texts come without comment marks.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from hardtack.build.docblocks.block import FROM_COMMENT, Docblock, bare
from hardtack.build.docblocks.docstrings import docstring
from hardtack.build.docblocks.markup import swift_comment
from hardtack.build.docblocks.tags import go_comment, tagged
from hardtack.build.docblocks.xmldoc import xml_comment
from hardtack.nouns.details import Detail, Parameter


def with_documented(detail: Detail, doc: str, style: str) -> Detail:
    """The detail with the types, descriptions and notes that its documentation adds."""
    block = _read(doc, style)
    if block is None:
        return detail
    returns = list(detail.returns)
    if not returns:
        returns = [documented for documented in block.returns if documented.type]
    elif len(returns) == len(block.returns):
        pairs = zip(returns, block.returns, strict=True)
        returns = [replace(stated, description=documented.description or stated.description) for stated, documented in pairs]
    is_typed_here = bool(block.type) and (not detail.type or detail.type_source != "")
    return replace(
        detail,
        type=block.type if is_typed_here else detail.type,
        type_source=FROM_COMMENT if is_typed_here else detail.type_source,
        parameters=_documented(detail.parameters, block),
        returns=tuple(returns),
        attributes=(*detail.attributes, *block.attributes.values()),
        notes=(*detail.notes, *block.notes),
    )


def with_documented_parameters(detail: Detail, doc: str, style: str) -> Detail:
    """The detail with the documented parameters alone: a class's documentation may describe those of its constructor."""
    block = _read(doc, style)
    return detail if block is None else replace(detail, parameters=_documented(detail.parameters, block))


def _documented(parameters: tuple[Parameter, ...], block: Docblock) -> tuple[Parameter, ...]:
    """The parameters with their documented types and descriptions."""
    names = [bare(parameter.name) for parameter in parameters]
    known = set(names)
    unmatched = deque(parameter for name, parameter in block.parameters.items() if name not in known)
    found = []
    for name, parameter in zip(names, parameters, strict=True):
        documented = block.parameters.get(name)
        if documented is None and parameter.name.startswith(("{", "[")) and unmatched:  # a destructured parameter has no name
            documented = unmatched.popleft()
        if documented is not None:
            is_typed_here = bool(documented.type) and not parameter.type
            parameter = replace(
                parameter,
                type=documented.type if is_typed_here else parameter.type,
                description=documented.description or parameter.description,
                source_hint=FROM_COMMENT if is_typed_here else parameter.source_hint,
            )
        found.append(parameter)
    return tuple(found)


def _read(doc: str, style: str) -> Docblock | None:
    """The declarations in a comment, or None if nothing in it looks like one."""
    if style == "docstring":
        return docstring(doc) if ":" in doc or "---" in doc else None
    if style == "xmldoc":
        return xml_comment(doc) if "<" in doc else None
    if style == "markup":
        return swift_comment(doc) if ":" in doc else None
    if style == "godoc":
        return go_comment(doc) if "Deprecated: " in doc else None
    return tagged(doc, style) if "@" in doc or (style == "doxygen" and "\\" in doc) else None
