"""A Python docstring in, its declarations out: Google's ``Args:``, NumPy's underlined ``Parameters``, Sphinx's ``:param name:``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from hardtack.build.docblocks.block import (
    CLOSING,
    FROM_COMMENT,
    LONGEST,
    LONGEST_ENTRY,
    OPENING,
    Docblock,
    bare,
    one_line,
    sections_at,
)
from hardtack.nouns.details import Parameter, Return

_FIELD = re.compile(r"^:(\w+)(?:[ \t]([^:\n]*))?:", re.MULTILINE)
_DIRECTIVE = re.compile(r"^\.\. (deprecated|versionadded)::[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_DIRECTIVES: Final = {"deprecated": "deprecated", "versionadded": "since"}
_SECTION = re.compile(r"^(\w+(?: \w+)?)(:?)[ \t]*$")
_UNDERLINE = re.compile(r"^-{3,}\s*$")
_GOOGLE_ENTRY = re.compile(r"^(\*{0,2}\w+)[ \t]*(?:\((.*?)\))?[ \t]*:(?!:)[ \t]*(.*)$")
_NUMPY_ENTRY = re.compile(r"^([^:]+?)[ \t]*(?::[ \t]*(.*))?$")
_UNION = re.compile(r"[\w.]+(?: ?\| ?[\w.]+)*")
_OPTIONAL = re.compile(r"(?:^|,)[ \t]*(?:\*?optional\*?|required|defaults?\b.*)")

_PARAMETER_SECTIONS: Final = frozenset(
    {"args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters"}
)
_RETURN_SECTIONS: Final = frozenset({"returns", "return", "yields", "yield"})
_ATTRIBUTE_SECTIONS: Final = frozenset({"attributes", "instance variables", "class variables"})
_NOTE_SECTIONS: Final = {
    **dict.fromkeys(("raises", "raise"), "throws"),
    **dict.fromkeys(("example", "examples"), "example"),
    "see also": "see",
    "deprecated": "deprecated",
    "since": "since",
}
"""Name of a section -> tag of its notes."""
_SECTIONS: Final = frozenset(
    {
        *("warns", "methods", "notes", "note", "references", "warning", "warnings", "receives", "todo", "todos", "usage"),
        *(*_PARAMETER_SECTIONS, *_RETURN_SECTIONS, *_ATTRIBUTE_SECTIONS, *_NOTE_SECTIONS),
    }
)
_SPHINX_PARAMETERS: Final = frozenset({"param", "parameter", "arg", "argument", "key", "keyword"})


def docstring(doc: str) -> Docblock:
    """The declarations in any of the three styles, which may be mixed."""
    block = Docblock()
    lines = doc.splitlines()
    for header, following in pairwise([*_headers(lines), _Header("", is_numpy=False, first=0, line=len(lines))]):
        body = lines[header.first : following.line]
        if header.name in _PARAMETER_SECTIONS:
            _add_parameters(block, body, _NUMPY_ENTRY if header.is_numpy else _GOOGLE_ENTRY)
        elif header.name in _RETURN_SECTIONS and not block.returns:
            _add_returns(block, body, is_numpy=header.is_numpy)
        elif header.name in _ATTRIBUTE_SECTIONS:
            _add_attributes(block, body, _NUMPY_ENTRY if header.is_numpy else _GOOGLE_ENTRY)
        elif (note := _NOTE_SECTIONS.get(header.name)) is not None:
            _add_notes(block, body, note)
    _add_fields(block, doc)
    return block


class _Header(NamedTuple):
    """The header of a section."""

    name: str
    is_numpy: bool
    """It is underlined."""
    first: int
    """Index of the section's first line."""
    line: int
    """Index of the header itself."""


def _headers(lines: list[str]) -> Iterator[_Header]:
    for index, line in enumerate(lines):
        match = _SECTION.match(line)
        if match is None:
            continue
        name = match[1].lower()
        is_numpy = not match[2] and index + 1 < len(lines) and bool(_UNDERLINE.match(lines[index + 1]))
        if (is_numpy or match[2]) and name in _SECTIONS:
            yield _Header(name, is_numpy, index + 1 + is_numpy, index)


def _entries(body: list[str]) -> Iterator[tuple[str, str]]:
    """(line at the section's own indentation, more deeply indented words below it).

    A line at the left margin ends an indented section: it is prose again.
    """
    indents = [len(line) - len(line.lstrip()) for line in body]
    own = next((indent for indent, line in zip(indents, body, strict=True) if line.strip()), 0)
    head = ""
    below: list[str] = []
    for indent, line in zip(indents, body, strict=True):
        if line.strip() and indent < own:
            break
        if line.strip() and indent == own:
            if head:
                yield head, " ".join(below)
            head, below = line.strip()[:LONGEST_ENTRY], []
        else:
            below.append(line.strip())
    if head:
        yield head, " ".join(below)


def _add_parameters(block: Docblock, body: list[str], entry: re.Pattern[str]) -> None:
    """Google's ``name (type): words`` or NumPy's ``name, name : type`` with the words below."""
    for head, below in _entries(body):
        match = entry.match(head)
        if match is None:
            continue
        type_ = one_line(_OPTIONAL.split(match[2] or "")[0].strip("`"))
        words = f"{match[3]} {below}" if entry is _GOOGLE_ENTRY else below
        for name in map(bare, match[1].replace(" ", "").split(",")):
            block.parameters.setdefault(name, Parameter(name=name, type=type_, description=one_line(words)))


def _add_attributes(block: Docblock, body: list[str], entry: re.Pattern[str]) -> None:
    """Attributes are written like parameters."""
    documented = Docblock()
    _add_parameters(documented, body, entry)
    for name, parameter in documented.parameters.items():
        block.attribute(name, parameter.type, parameter.description)


def _add_notes(block: Docblock, body: list[str], tag: str) -> None:
    """One note for each entry of ``Raises`` and ``See Also``, one for the whole text of other sections."""
    if tag in ("throws", "see"):
        for head, below in _entries(body):
            error, _, words = head.partition(":")
            block.note(tag, f"{error.strip('` ')} {words} {below}")
    elif text := " ".join(body).strip():
        block.note(tag, text[:LONGEST_ENTRY])


def _add_returns(block: Docblock, body: list[str], *, is_numpy: bool) -> None:
    """Google's ``type: words``, or one NumPy entry for each value, ``type`` or ``name : type``."""
    if is_numpy:
        for head, below in _entries(body):
            name, colon, type_ = head.partition(" : ")
            stated = one_line(type_ if colon else name)
            words = one_line(below)
            if stated.endswith("."):  # a sentence is no type
                stated, words = "", one_line(f"{head} {below}")
            block.returns.append(Return(type=stated, description=words, source_hint=FROM_COMMENT))
        return
    text = " ".join(" ".join(entry) for entry in _entries(body))
    type_, words = _google_type(text)
    block.returns.append(Return(type=one_line(type_), description=one_line(words), source_hint=FROM_COMMENT))


def _google_type(text: str) -> tuple[str, str]:
    """(type before the first colon outside brackets, words after it); the type is empty if it does not look like one."""
    outside, depth = "", 0
    for at, character in enumerate(text[:LONGEST]):
        depth += (character in OPENING) - (character in CLOSING)
        if character == ":" and depth <= 0:
            is_type = _UNION.fullmatch(outside) is not None
            return (text[:at], text[at + 1 :].lstrip()) if is_type else ("", text)
        if depth <= 0 and character not in CLOSING:
            outside += character
    return "", text


def _add_fields(block: Docblock, doc: str) -> None:
    """Sphinx's fields and directives.

    ``:param type name: words``, ``:type name: type``, ``:returns: words``, ``:rtype: type``, ``:raises type: words``,
    ``:ivar type name: words``, ``:vartype name: type``, ``.. deprecated:: version``.
    """
    types: dict[str, str] = {}
    types_of_attributes: dict[str, str] = {}
    words_of_return = type_of_return = ""
    for match, text in sections_at(_FIELD, doc):
        field_name, argument = match[1], (match[2] or "").strip()
        words = text.partition("\n\n")[0]
        type_, _, name = argument.rpartition(" ")
        name = bare(name.replace("\\", ""))
        if field_name in _SPHINX_PARAMETERS and argument:
            block.parameters.setdefault(name, Parameter(name=name, type=one_line(type_), description=one_line(words)))
        elif field_name in ("ivar", "cvar", "var") and argument:
            block.attribute(name, type_, words)
        elif field_name == "type" and argument:
            types[bare(argument)] = one_line(words)
        elif field_name == "vartype" and argument:
            types_of_attributes[argument] = words
        elif field_name in ("return", "returns"):
            words_of_return = one_line(words)
        elif field_name == "rtype":
            type_of_return = one_line(words)
        elif field_name in ("raise", "raises", "except", "exception") and argument:
            block.note("throws", f"{argument} {words}")
    _join_types(block.parameters, types)
    for name, type_ in types_of_attributes.items():
        block.attribute(name, type_, "")
    if (words_of_return or type_of_return) and not block.returns:
        block.returns.append(Return(type=type_of_return, description=words_of_return, source_hint=FROM_COMMENT))
    for match in _DIRECTIVE.finditer(doc) if ".. " in doc else ():
        block.note(_DIRECTIVES[match[1]], match[2][:LONGEST_ENTRY])


def _join_types(parameters: dict[str, Parameter], types: Mapping[str, str]) -> None:
    """Give parameters the types from separate fields."""
    for name, type_ in types.items():
        known = parameters.get(name, Parameter(name=name))
        parameters[name] = replace(known, type=known.type or type_)
