"""A detail and its symbol's documentation in, the detail with what the documentation declares out: types, words, notes.

Styles are read by their tags or sections alone; prose around them is left to :class:`Symbol`'s ``doc``. ``docstring`` is Python's
three (:mod:`.docstrings`), ``xmldoc`` C#'s (:mod:`.xmldoc`), ``markup`` Swift's (:mod:`.markup`); ``phpdoc``, ``jsdoc``, ``yard``,
``doxygen`` and ``godoc`` go by tags (:mod:`.tags`). What the syntax states wins over what a comment says, and that over what a
value shows. Texts are the words of the documentation, comment marks already gone.
"""

from __future__ import annotations

from dataclasses import replace

from hardtack.build.docblocks.block import FROM_COMMENT, Docblock, bare
from hardtack.build.docblocks.docstrings import docstring
from hardtack.build.docblocks.markup import swift_comment
from hardtack.build.docblocks.tags import go_comment, tagged
from hardtack.build.docblocks.xmldoc import xml_comment
from hardtack.nouns.details import Detail, Parameter


def with_documented(detail: Detail, doc: str, style: str) -> Detail:
    """The detail with the types, descriptions and notes that its documentation adds.

    Args:
        detail: what the syntax says.
        doc: the symbol's documentation.
        style: one of those above.
    """
    block = _read(doc, style)
    if block is None:
        return detail
    returns = list(detail.returns)
    if not returns:
        returns = [said for said in block.returns if said.type]
    elif len(returns) == len(block.returns):
        pairs = zip(returns, block.returns, strict=True)
        returns = [replace(stated, description=said.description or stated.description) for stated, said in pairs]
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
    """The same for parameters alone: a class's documentation may tell of those of its constructor."""
    block = _read(doc, style)
    return detail if block is None else replace(detail, parameters=_documented(detail.parameters, block))


def _documented(parameters: tuple[Parameter, ...], block: Docblock) -> tuple[Parameter, ...]:
    """The parameters with what the block says of each."""
    names = [bare(parameter.name) for parameter in parameters]
    strangers = [parameter for name, parameter in block.parameters.items() if name not in names]
    found = []
    for name, parameter in zip(names, parameters, strict=True):
        said = block.parameters.get(name)
        if said is None and parameter.name.startswith(("{", "[")) and strangers:  # a destructured one has no name of its own
            said = strangers.pop(0)
        if said is not None:
            is_typed_here = bool(said.type) and not parameter.type
            parameter = replace(
                parameter,
                type=said.type if is_typed_here else parameter.type,
                description=said.description or parameter.description,
                source_hint=FROM_COMMENT if is_typed_here else parameter.source_hint,
            )
        found.append(parameter)
    return tuple(found)


def _read(doc: str, style: str) -> Docblock | None:
    """What the comment declares, or None where nothing in it looks like a declaration."""
    if style == "docstring":
        return docstring(doc) if ":" in doc or "---" in doc else None
    if style == "xmldoc":
        return xml_comment(doc) if "<" in doc else None
    if style == "markup":
        return swift_comment(doc) if ":" in doc else None
    if style == "godoc":
        return go_comment(doc) if "Deprecated: " in doc else None
    return tagged(doc, style) if "@" in doc or (style == "doxygen" and "\\" in doc) else None
