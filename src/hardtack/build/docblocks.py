"""A detail and its symbol's documentation in, the detail with what the documentation declares out: types and descriptions.

Three styles are read, each by its tags or sections alone; prose around them is left to :class:`Symbol`'s ``doc``:

    phpdoc     ``@param type $name words``, ``@return type words``, ``@var type``
    jsdoc      ``@param {type} name words``, ``@returns {type} words``, ``@type {type}``; Javadoc, which has no types, is read too
    docstring  Python's three: Google's ``Args:``, Sphinx's ``:param name:``, NumPy's underlined ``Parameters``

What the syntax states wins over what a comment says. Texts are the documentation's words, comment marks already gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from hardtack.model import Detail, Parameter, Return

LONGEST: Final = 200
"""Characters of the longest type, default, value or description that is kept."""
_LONGEST_ENTRY: Final = 2_000
"""Characters of one tag or entry that are looked at; a comment may be a megabyte."""
_FROM_COMMENT: Final = "phpdoc"
_TAG = re.compile(r"^[ \t]*@([a-zA-Z][\w-]*)", re.MULTILINE)
_FIELD = re.compile(r"^:(\w+)(?:[ \t]([^:\n]*))?:", re.MULTILINE)
_SECTION = re.compile(r"^(\w+(?: \w+)?)(:?)[ \t]*$")
_UNDERLINE = re.compile(r"^-{3,}\s*$")
_GOOGLE_ENTRY = re.compile(r"^(\*{0,2}\w+)[ \t]*(?:\((.*?)\))?[ \t]*:(?!:)[ \t]*(.*)$")
_NUMPY_ENTRY = re.compile(r"^([^:]+?)[ \t]*(?::[ \t]*(.*))?$")
_UNION = re.compile(r"[\w.]+(?: ?\| ?[\w.]+)*")
_OPTIONAL = re.compile(r"(?:^|,)[ \t]*(?:\*?optional\*?|required|defaults?\b.*)")
_JS_NAME = re.compile(r"\[?[ \t]*([\w$.]+)(?:[ \t]*=[^\]]*)?\]?(?:[ \t]+-)?[ \t]*")
_OPENING: Final = "<([{"
_CLOSING: Final = ">)]}"

_PARAMETER_SECTIONS: Final = frozenset(
    {"args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters"}
)
_RETURN_SECTIONS: Final = frozenset({"returns", "return", "yields", "yield"})
_OTHER_SECTIONS: Final = frozenset(
    {
        *("raises", "raise", "warns", "attributes", "methods", "see also", "notes", "note", "references", "example", "examples"),
        *("warning", "warnings", "receives", "todo", "todos", "usage"),
    }
)
_SPHINX_PARAMETERS: Final = frozenset({"param", "parameter", "arg", "argument", "key", "keyword"})


@dataclass(slots=True)
class _Docblock:
    """What one comment declares."""

    parameters: dict[str, Parameter] = field(default_factory=dict)
    """By bare name, in the comment's order."""
    returns: list[Return] = field(default_factory=list)
    type: str = ""
    deprecated: str | None = None


def one_line(text: str) -> str:
    """The text on one line, cut to :data:`LONGEST` characters."""
    words = " ".join(text.split())
    return words if len(words) <= LONGEST else words[: LONGEST - 3] + "..."


def with_documented(detail: Detail, doc: str, style: str) -> Detail:
    """The detail with the types and descriptions that its documentation adds.

    Args:
        detail: what the syntax says.
        doc: the symbol's documentation.
        style: ``phpdoc``, ``jsdoc`` or ``docstring``.
    """
    block = _read(doc, style)
    if block is None:
        return detail
    names = [_bare(parameter.name) for parameter in detail.parameters]
    strangers = [parameter for name, parameter in block.parameters.items() if name not in names]
    parameters = []
    for name, parameter in zip(names, detail.parameters, strict=True):
        said = block.parameters.get(name)
        if said is None and parameter.name.startswith(("{", "[")) and strangers:  # a destructured one has no name of its own
            said = strangers.pop(0)
        if said is not None:
            parameter = replace(parameter, type=parameter.type or said.type, description=said.description)
        parameters.append(parameter)
    returns = list(detail.returns)
    if not returns:
        returns = [said for said in block.returns if said.type]
    elif len(returns) == len(block.returns):
        pairs = zip(returns, block.returns, strict=True)
        returns = [replace(stated, description=said.description or stated.description) for stated, said in pairs]
    decorators = detail.decorators
    if block.deprecated is not None:
        decorators = (*decorators, f"@deprecated {block.deprecated}".rstrip())
    return replace(
        detail,
        type=detail.type or block.type,
        decorators=decorators,
        parameters=tuple(parameters),
        returns=tuple(returns),
    )


def _bare(name: str) -> str:
    """A parameter's name without what marks it as optional, variadic, by reference or a variable."""
    return name.lstrip("&.$*").rstrip("?")


def _read(doc: str, style: str) -> _Docblock | None:
    """What the comment declares, or None where nothing in it looks like a declaration."""
    if style == "docstring":
        return _docstring(doc) if ":" in doc or "---" in doc else None
    if "@" not in doc:
        return None
    return _tagged(doc, typed_in_braces=style != "phpdoc")


def _tagged(doc: str, *, typed_in_braces: bool) -> _Docblock:
    """PHPDoc, or with types in braces JSDoc."""
    block = _Docblock()
    for tag, text in _sections_at(_TAG, doc):
        if tag == "deprecated":
            block.deprecated = one_line(text)
        elif tag in ("param", "arg", "argument"):
            parameter = _jsdoc_parameter(text) if typed_in_braces else _phpdoc_parameter(text)
            if parameter is not None and "." not in parameter.name:
                block.parameters.setdefault(parameter.name, parameter)
        elif tag in ("return", "returns"):
            type_, words = _braced_type(text) if typed_in_braces else _leading_type(text)
            block.returns.append(Return(type=one_line(type_), description=one_line(_undashed(words)), source_hint=_FROM_COMMENT))
        elif tag in ("var", "type") and not block.type:
            block.type = one_line((_braced_type(text) if typed_in_braces else _leading_type(text))[0])
    return block


def _sections_at(mark: re.Pattern[str], doc: str) -> Iterator[tuple[str, str]]:
    """Each mark's first group, and the text from the mark to the next one."""
    found = list(mark.finditer(doc))
    for match, end in zip(found, [*(following.start() for following in found[1:]), len(doc)], strict=False):
        yield match[1], doc[match.end() : min(end, match.end() + _LONGEST_ENTRY)].strip()


def _phpdoc_parameter(text: str) -> Parameter | None:
    """``type $name words``; the type may be missing, and may hold variables of its own in brackets."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character in _OPENING) - (character in _CLOSING)
        if character == "$" and depth <= 0:
            match = re.compile(r"\$(\w+)").match(text, at)
            if match is None:
                return None
            type_ = text[:at].strip().removesuffix("...").rstrip("& ").rstrip()
            return Parameter(name=match[1], type=one_line(type_), description=one_line(_undashed(text[match.end() :])))
    return None


def _leading_type(text: str) -> tuple[str, str]:
    """PHPDoc's type and the words after it: it ends at the first blank outside brackets that joins no two parts of it."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character in _OPENING) - (character in _CLOSING)
        if character.isspace() and depth <= 0:
            rest = text[at:].lstrip()
            joins = rest.startswith(("|", "& ")) or text[:at].endswith(("|", "&", ":"))
            if not joins:
                return text[:at], rest
    return text, ""


def _braced_type(text: str) -> tuple[str, str]:
    """JSDoc's type and the words after it; no braces, no type."""
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


def _docstring(doc: str) -> _Docblock:
    """Google's, NumPy's and Sphinx's fields, whichever are there."""
    block = _Docblock()
    lines = doc.splitlines()
    starts = [*_headers(lines), ("", False, 0, len(lines))]
    for (section, is_numpy, first, _), following in pairwise(starts):
        body = lines[first : following[3]]
        if section in _PARAMETER_SECTIONS:
            _add_parameters(block, body, _NUMPY_ENTRY if is_numpy else _GOOGLE_ENTRY)
        elif section in _RETURN_SECTIONS and not block.returns:
            _add_returns(block, body, is_numpy=is_numpy)
    _add_fields(block, doc)
    return block


def _headers(lines: list[str]) -> Iterator[tuple[str, bool, int, int]]:
    """Each section's name, whether it is underlined, the index of its first line and of its header."""
    for index, line in enumerate(lines):
        match = _SECTION.match(line)
        if match is None:
            continue
        name = match[1].lower()
        is_numpy = not match[2] and index + 1 < len(lines) and bool(_UNDERLINE.match(lines[index + 1]))
        if (is_numpy or match[2]) and name in _PARAMETER_SECTIONS | _RETURN_SECTIONS | _OTHER_SECTIONS:
            yield name, is_numpy, index + 1 + is_numpy, index


def _entries(body: list[str]) -> Iterator[tuple[str, str]]:
    """The lines at the section's own indentation, each with the words that are indented below it.

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
            head, below = line.strip()[:_LONGEST_ENTRY], []
        else:
            below.append(line.strip())
    if head:
        yield head, " ".join(below)


def _add_parameters(block: _Docblock, body: list[str], entry: re.Pattern[str]) -> None:
    """Google's ``name (type): words`` or NumPy's ``name, name : type`` with the words below."""
    for head, below in _entries(body):
        match = entry.match(head)
        if match is None:
            continue
        type_ = one_line(_OPTIONAL.split(match[2] or "")[0].strip("`"))
        words = f"{match[3]} {below}" if entry is _GOOGLE_ENTRY else below
        for name in map(_bare, match[1].replace(" ", "").split(",")):
            block.parameters.setdefault(name, Parameter(name=name, type=type_, description=one_line(words)))


def _add_returns(block: _Docblock, body: list[str], *, is_numpy: bool) -> None:
    """Google's ``type: words``, or one NumPy entry for each value, ``type`` or ``name : type``."""
    if is_numpy:
        for head, below in _entries(body):
            name, colon, type_ = head.partition(" : ")
            stated = one_line(type_ if colon else name)
            words = one_line(below)
            if stated.endswith("."):  # a sentence is no type
                stated, words = "", one_line(f"{head} {below}")
            block.returns.append(Return(type=stated, description=words, source_hint=_FROM_COMMENT))
        return
    text = " ".join(" ".join(entry) for entry in _entries(body))
    type_, words = _google_type(text)
    block.returns.append(Return(type=one_line(type_), description=one_line(words), source_hint=_FROM_COMMENT))


def _google_type(text: str) -> tuple[str, str]:
    """The type before the first colon outside brackets, where it looks like one, and the words after it."""
    outside, depth = "", 0
    for at, character in enumerate(text[:LONGEST]):
        depth += (character in _OPENING) - (character in _CLOSING)
        if character == ":" and depth <= 0:
            is_type = _UNION.fullmatch(outside) is not None
            return (text[:at], text[at + 1 :].lstrip()) if is_type else ("", text)
        if depth <= 0 and character not in _CLOSING:
            outside += character
    return "", text


def _add_fields(block: _Docblock, doc: str) -> None:
    """Sphinx's ``:param type name: words``, ``:type name: type``, ``:returns: words`` and ``:rtype: type``."""
    found = list(_FIELD.finditer(doc))
    types: dict[str, str] = {}
    words_of_return = type_of_return = ""
    for match, end in zip(found, [*(following.start() for following in found[1:]), len(doc)], strict=False):
        text = doc[match.end() : end].partition("\n\n")[0]
        field_name, argument = match[1], (match[2] or "").strip()
        if field_name in _SPHINX_PARAMETERS and argument:
            type_, _, name = argument.rpartition(" ")
            name = _bare(name.replace("\\", ""))
            block.parameters.setdefault(name, Parameter(name=name, type=one_line(type_), description=one_line(text)))
        elif field_name == "type" and argument:
            types[_bare(argument)] = one_line(text)
        elif field_name in ("return", "returns"):
            words_of_return = one_line(text)
        elif field_name == "rtype":
            type_of_return = one_line(text)
    _join_types(block.parameters, types)
    if (words_of_return or type_of_return) and not block.returns:
        block.returns.append(Return(type=type_of_return, description=words_of_return, source_hint=_FROM_COMMENT))


def _join_types(parameters: dict[str, Parameter], types: Mapping[str, str]) -> None:
    """Give parameters the types that stand in fields of their own."""
    for name, type_ in types.items():
        known = parameters.get(name, Parameter(name=name))
        parameters[name] = replace(known, type=known.type or type_)
