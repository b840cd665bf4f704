r"""A doc comment with tags in, its declarations out: PHPDoc, JSDoc and similar styles, YARD, Doxygen, Go's paragraphs.

phpdoc    ``@param type $name words``, ``@return type words``, ``@var type``, ``@property type $name words``
jsdoc     ``@param {type} name words``, ``@returns {type} words``, ``@type {type}``; also Javadoc, KDoc, Scaladoc and NatSpec,
which have no types
yard      ``@param [type] name words``, ``@param name [type] words``, ``@return [type] words``, ``@raise [type] words``
doxygen   ``@param[in] name words``, ``\return words``, ``\throws type words``
godoc     a paragraph that begins with ``Deprecated:``
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from hardtack.build.docblocks.block import CLOSING, FROM_COMMENT, OPENING, Docblock, one_line, sections_at
from hardtack.nouns.details import Parameter, Return

_TAG = re.compile(r"^[ \t]*@([a-zA-Z][\w-]*)", re.MULTILINE)
_DOXYGEN_TAG = re.compile(r"^[ \t]*[@\\]([a-zA-Z]+)(?:[ \t]*\[[^\]\n]*\])?", re.MULTILINE)
_JS_NAME = re.compile(r"\[?[ \t]*([\w$.]+)(?:[ \t]*=[^\]]*)?\]?(?:[ \t]+-)?[ \t]*")
_YARD_PARAMETER = re.compile(r"(?:\[([^\]\n]*)\]\s*)?[*&]{0,2}(\w+):?(?:\s*\[([^\]\n]*)\])?\s*(?:-\s+)?")
_GO_DEPRECATION = re.compile(r"^Deprecated: (.*(?:\n.+)*)", re.MULTILINE)
_TAGS_OF_NOTES: Final = {
    **dict.fromkeys(("throws", "throw", "exception", "raises", "raise"), "throws"),
    **dict.fromkeys(("see", "sa", "seealso"), "see"),
    **dict.fromkeys(("example", "sample", "examples"), "example"),
    "deprecated": "deprecated",
    "since": "since",
}
"""Tag in a comment -> tag of its notes."""


def go_comment(doc: str) -> Docblock:
    """Go's deprecation paragraph."""
    block = Docblock()
    if (match := _GO_DEPRECATION.search(doc)) is not None:
        block.note("deprecated", match[1])
    return block


def tagged(doc: str, style: str) -> Docblock:
    """The declarations of a comment; ``style`` is ``phpdoc``, ``jsdoc``, ``yard`` or ``doxygen``."""
    block = Docblock()
    type_of, parameter_of = _READERS.get(style, (_braced_type, _jsdoc_parameter))
    for match, text in sections_at(_DOXYGEN_TAG if style == "doxygen" else _TAG, doc):
        tag = match[1]
        if (note := _TAGS_OF_NOTES.get(tag)) is not None:
            type_, words = _bracketed_type(text) if style == "yard" else _braced_type(text)
            block.note(note, f"{type_} {words}")
        elif tag in ("param", "arg", "argument"):
            parameter = parameter_of(text)
            if parameter is not None and "." not in parameter.name:
                block.parameters.setdefault(parameter.name, parameter)
        elif tag in ("return", "returns", "result"):
            type_, words = type_of(text)
            block.returns.append(Return(type=one_line(type_), description=one_line(_undashed(words)), source_hint=FROM_COMMENT))
        elif tag in ("var", "type") and not block.type:
            block.type = one_line(type_of(text)[0])
        elif tag in ("property", "prop", "property-read", "property-write", "attr", "attr_reader", "attr_writer"):
            parameter = parameter_of(text)
            if parameter is not None and "." not in parameter.name:
                block.attribute(parameter.name, parameter.type, parameter.description)
    return block


def _phpdoc_parameter(text: str) -> Parameter | None:
    """``type $name words``; the type may be missing, and may hold variables in brackets."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character in OPENING) - (character in CLOSING)
        if character == "$" and depth <= 0:
            match = re.compile(r"\$(\w+)").match(text, at)
            if match is None:
                return None
            type_ = text[:at].strip().removesuffix("...").rstrip("& ").rstrip()
            return Parameter(name=match[1], type=one_line(type_), description=one_line(_undashed(text[match.end() :])))
    return None


def _leading_type(text: str) -> tuple[str, str]:
    """(PHPDoc's type, words after it); the type ends at a blank outside brackets that is not beside ``|``, ``&`` or ``:``."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character in OPENING) - (character in CLOSING)
        if character.isspace() and depth <= 0:
            rest = text[at:].lstrip()
            joins = rest.startswith(("|", "& ")) or text[:at].endswith(("|", "&", ":"))
            if not joins:
                return text[:at], rest
    return text, ""


def _braced_type(text: str) -> tuple[str, str]:
    """(JSDoc's type, words after it); without braces the type is empty."""
    if not text.startswith("{"):
        return "", text
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return text[1:at].strip(), text[at + 1 :].strip()
    return "", text


def _jsdoc_parameter(text: str) -> Parameter | None:
    """``{type} name - words``, ``{type} [name=default] words``."""
    type_, rest = _braced_type(text)
    match = _JS_NAME.match(rest)
    if match is None:
        return None
    return Parameter(name=match[1], type=one_line(type_), description=one_line(rest[match.end() :]))


def _undashed(words: str) -> str:
    return words.strip().removeprefix("- ").lstrip()


def _bracketed_type(text: str) -> tuple[str, str]:
    """(YARD's type, words after it); without brackets the type is empty."""
    type_, bracket, words = text.partition("]")
    return (type_[1:].strip(), words.strip()) if bracket and text.startswith("[") else ("", text)


def _yard_parameter(text: str) -> Parameter | None:
    """``[Type] name words``, ``name [Type] words``."""
    match = _YARD_PARAMETER.match(text)
    if match is None:
        return None
    return Parameter(name=match[2], type=one_line(match[1] or match[3] or ""), description=one_line(text[match.end() :]))


_READERS: Final[Mapping[str, tuple[Callable[[str], tuple[str, str]], Callable[[str], Parameter | None]]]] = {
    "phpdoc": (_leading_type, _phpdoc_parameter),
    "yard": (_bracketed_type, _yard_parameter),
}
"""Style -> (reader of a type, reader of a parameter); other styles are read like JSDoc."""
