"""Text that a stranger wrote in, plain values out: the one place where JSON, TOML, INI and XML of strangers are parsed.

A manifest, a lock file, a source list or a notebook comes from whoever wrote the repository, and a short text can make a parser
take hours or gigabytes. So each text is looked at before it is parsed: its size, its nesting, the parts of its keys, the digits of
its numbers and the number of its values have limits that do not depend on the caller's stack or on the version of Python. Every
fault is a ``ValueError``, and nothing else is raised. YAML is not read at all: aliases multiply, and nothing here needs it.
"""

from __future__ import annotations

import configparser
import json
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, Final
from xml.parsers import expat

SETTINGS_LIMIT: Final = 64 << 10
"""Bytes of the largest file of settings that a person writes by hand, such as ``hardtack.toml``."""
MANIFEST_LIMIT: Final = 1 << 20
"""Bytes of the largest manifest."""

_DEEPEST: Final = 100
"""Arrays, objects and tables inside one another; manifests have fewer than ten."""
_MOST_CONTAINERS: Final = 500_000
"""Arrays, objects and inline tables of one text: an empty one of 2 bytes takes up to 230 bytes of memory."""
_MOST_VALUES: Final = 5_000_000
"""Commas and brackets outside of strings, of one text."""
_MOST_QUOTES: Final = 4_000_000
"""Quotes of one text of JSON, also those inside of strings."""
_MOST_DIGITS: Final = 400
"""Digits in a row of a number; Python's time for an integer grows with their square. 64 bits need 20."""

_MOST_PARTS: Final = 32
"""Parts of a dotted key of TOML."""
_MOST_STEPS: Final = 4_000_000
"""``tomllib`` walks from the top for each prefix of a key: parts times the parts of the key with those of its header, summed up."""

_MOST_BLANKS: Final = 100
"""Blanks in a row inside a line of an INI file: ``configparser`` takes time with their square."""

_MOST_ELEMENTS_TEXT: Final = 8 << 20
"""Characters of all reported paths and texts of an XML file; a path has the names of all elements around."""
_DEEPEST_ELEMENT: Final = 8
"""Deeper elements are not reported; a POM's own are at most seven deep."""
_LONGEST_NAME: Final = 100
"""Maximum characters of an element's name; a longer one is replaced by an empty one, since it is part of each child's path."""

# Possessive quantifiers and atomic groups do not go back, so none of these takes more than linear time.
_JSON_STRING: Final = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"?', re.DOTALL)
_DIGITS: Final = re.compile(rf"[0-9]{{{_MOST_DIGITS + 1}}}")
_LINE_STRING: Final = r'"(?>(?:[^"\\\n]++|\\.)*)"?'
_NUMBER_BEGINS: Final = frozenset("+-0123456789")
_COMMENT: Final = re.compile(rf"({_LINE_STRING})|//[^\n]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA: Final = re.compile(rf"({_LINE_STRING})|,(?=\s*+[}}\]])", re.DOTALL)
_STEPS: Final = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_OTHERS: Final = bytes(set(range(256)) - set(b"[]{}"))

# A string of more than one line ends at the last of three to five quotes.
_TOML_STRING: Final = (
    r'"""(?>(?:[^"\\]++|\\.|"{1,2}+(?!"))*)(?:"{3,5})?'
    r"|'''(?>(?:[^']++|'{1,2}+(?!'))*)(?:'{3,5})?"
    rf"|{_LINE_STRING}|'[^'\n]*+'?"
)
_TOML_PART: Final = rf"(?>{_TOML_STRING}|[A-Za-z0-9_+-]++)"
_TOML_TOKEN: Final = re.compile(rf"(?P<key>{_TOML_PART}(?>(?:[ \t]*+\.[ \t]*+{_TOML_PART})*))|\#[^\n]*+|[\[\]{{}}\n]", re.DOTALL)
_TOML_DOT: Final = re.compile(rf"{_TOML_STRING}|(?P<dot>\.)", re.DOTALL)


def parse_json(text: str, *, most: int = MANIFEST_LIMIT, is_strict: bool = False) -> object:
    """Parse standard JSON.

    Args:
        text: of a stranger.
        most: bytes that it may have.
        is_strict: refuse what two parsers could read differently: a key that is there twice, NaN, infinities, and integers of more
            than 20 characters, which 64 bits do not hold.

    Raises:
        ValueError: it is no JSON, or over a limit.
    """
    _require_size(text, most)
    if text.count('"') > _MOST_QUOTES:
        raise ValueError("it has too many values")
    structure = _JSON_STRING.sub("", text)
    if _DIGITS.search(structure):
        raise ValueError("it has a number that is too long")
    _require_shallow(structure)
    hooks: dict[str, Any] = {}
    if is_strict:
        hooks = {"object_pairs_hook": _distinct, "parse_int": _integer, "parse_float": _float, "parse_constant": _constant}
    try:
        value: object = json.loads(text, **hooks)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def parse_json_with_comments(text: str, *, most: int = MANIFEST_LIMIT) -> object:
    """Parse JSON with ``//`` and ``/* */`` comments and trailing commas, as TypeScript reads its settings.

    Raises:
        ValueError: it is not that, or over a limit.
    """
    _require_size(text, most)
    without_comments = _COMMENT.sub(lambda match: match[1] or " ", text)
    return parse_json(_TRAILING_COMMA.sub(lambda match: match[1] or "", without_comments), most=most)


def parse_toml(text: str, *, most: int = MANIFEST_LIMIT) -> dict[str, Any]:
    """Parse TOML.

    Raises:
        ValueError: it is over a limit; a ``tomllib.TOMLDecodeError``, which names the line, if it is no TOML.
    """
    _require_size(text, most)
    keys: list[int] = []
    structure: list[str] = []
    for token in _TOML_TOKEN.finditer(text):
        if (key := token["key"]) is None:
            structure.append(token[0][0])
        elif key[0] in _NUMBER_BEGINS and len(key) > _MOST_DIGITS:
            raise ValueError("it has a number that is too long")
        elif "." in key:
            keys.append(1 + sum(each["dot"] is not None for each in _TOML_DOT.finditer(key)))
        else:
            keys.append(1)
    _require_shallow("".join(structure))
    longest = max(keys, default=0)
    if longest > _MOST_PARTS:
        raise ValueError(f"it has a key of more than {_MOST_PARTS} parts")
    if sum(parts * (parts + longest) for parts in keys) > _MOST_STEPS:
        raise ValueError("it has too many keys of many parts")
    import tomllib  # a build that finds nothing changed reads no TOML

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def toml_statements(text: str) -> list[str]:
    """The statements of TOML that parses: each is a header, an assignment, a comment or an empty line, with its line break."""
    statements: list[str] = []
    begin = depth = 0
    for token in _TOML_TOKEN.finditer(text):
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
        elif token[0] == "\n" and not depth:
            statements.append(text[begin : token.end()])
            begin = token.end()
    return [*statements, text[begin:]] if begin < len(text) else statements


def toml_comment(statement: str) -> str:
    """The comment at the end of a statement of TOML, with the blanks before it; empty when there is none."""
    text = statement.rstrip("\r\n")
    last = next((token for token in _last_line_tokens(text) if token[0].startswith("#")), None)
    if last is None:
        return ""
    before = text[: last.start()]
    return text[len(before.rstrip(" \t")) :]


def _last_line_tokens(text: str) -> Iterator[re.Match[str]]:
    """The tokens after the last line break that is outside of strings."""
    tokens: list[re.Match[str]] = []
    for token in _TOML_TOKEN.finditer(text):
        if token[0] == "\n":
            tokens.clear()
        else:
            tokens.append(token)
    yield from tokens


def parse_ini(text: str, *, most: int = MANIFEST_LIMIT) -> dict[str, dict[str, str]]:
    """Section -> option -> value, as setuptools reads ``setup.cfg``; nothing is interpolated, and no section gives others defaults.

    Raises:
        ValueError: it is no INI file, or over a limit.
    """
    _require_size(text, most)
    if re.search(rf"\S[^\S\n]{{{_MOST_BLANKS}}}", text):
        raise ValueError("it has a line with too many blanks in a row")
    # With a section of defaults, each section would have all of them: a number that grows with the square of the text.
    parser = configparser.RawConfigParser(default_section="")
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError("it is no INI file") from error
    return {section: dict(parser.items(section)) for section in parser.sections()}


def parse_xml(text: str, *, most: int = MANIFEST_LIMIT) -> list[tuple[str, str]]:
    """(path, text) of every element that holds only text, in the order of their ends; a path is ``project/parent/version``.

    A document type is refused: it may declare entities that expand without limit, and no manifest has one.

    Raises:
        ValueError: it is no XML, or over a limit.
    """
    _require_size(text, most)
    found: list[tuple[str, str]] = []
    names: list[str] = []
    pieces: list[str] = []
    size = 0

    def refuse(*_: object) -> None:
        raise ValueError("it has a document type")

    def start(name: str, _: dict[str, str]) -> None:
        names.append(name.rpartition(":")[2] if len(name) <= _LONGEST_NAME else "")
        pieces.clear()

    def end(_: str) -> None:
        nonlocal size
        if len(names) <= _DEEPEST_ELEMENT and (value := "".join(pieces).strip()):
            found.append(("/".join(names), value))
            size += sum(map(len, found[-1]))
            if size > _MOST_ELEMENTS_TEXT:
                raise ValueError("it has too many elements with long names around them")
        names.pop()
        pieces.clear()

    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = pieces.append
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        raise ValueError("it is no XML") from error
    return found


def _require_size(text: str, most: int) -> None:
    if len(text) > most or len(text.encode("utf-8", "surrogatepass")) > most:
        raise ValueError(f"it is larger than {most} bytes")


def _require_shallow(structure: str) -> None:
    """Check the nesting and the number of values of a text without its strings."""
    brackets = structure.encode("ascii", "ignore").translate(None, _OTHERS)
    opened = brackets.count(b"[") + brackets.count(b"{")
    if opened > _DEEPEST and max(accumulate(memoryview(brackets.translate(_STEPS)).cast("b"))) > _DEEPEST:
        raise ValueError("it is nested too deeply")
    if opened > _MOST_CONTAINERS or opened + structure.count(",") > _MOST_VALUES:
        raise ValueError("it has too many values")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("it has a key twice")
    return document


def _integer(digits: str) -> int:
    if len(digits) > 20:
        raise ValueError("it has a number that is too long")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError("it has a number that is too large")
    return value


def _constant(name: str) -> float:
    raise ValueError(f"it has {name} for a number")
