"""A C# documentation comment in, its declarations out: ``<param name="x">``, ``<returns>``, ``<exception cref="T">`` and so on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardtack.build.docblocks.block import FROM_COMMENT, LONGEST_ENTRY, Docblock, one_line
from hardtack.nouns.details import Parameter, Return

_ELEMENT = re.compile(r"<(param|returns|exception|example|seealso)\b([^<>]{0,500}?)(/?)>")
_NAMED = re.compile(r"\b(?:name|cref|href|langword)\s*=\s*[\"']([^\"']*)[\"']")
_INNER = re.compile(r"<(/?)(\w+)([^<>]{0,500}?)/?>")


def xml_comment(doc: str) -> Docblock:
    """The declarations of a comment. Elements are found by patterns, since most comments are not well-formed XML."""
    block = Docblock()
    for element, name, words in _elements(doc):
        if element == "param" and name:
            block.parameters.setdefault(name, Parameter(name=name, description=one_line(words)))
        elif element == "returns" and words and not block.returns:
            block.returns.append(Return(type="", description=one_line(words), source_hint=FROM_COMMENT))
        elif element == "exception" and name:
            block.note("throws", f"{_reference(name)} {words}")
        elif element == "seealso" and name:
            block.note("see", _reference(name))
        elif element == "example" and words:
            block.note("example", words)
    return block


def _elements(doc: str) -> Iterator[tuple[str, str, str]]:
    """(tag, name, words) of each element."""
    for match in _ELEMENT.finditer(doc):
        named = _NAMED.search(match[2])
        body = ""
        if not match[3]:
            end = doc.find(f"</{match[1]}>", match.end(), match.end() + LONGEST_ENTRY)
            body = doc[match.end() : end if end >= 0 else match.end()]
        yield match[1], named[1] if named else "", _INNER.sub(_inner, body)


def _inner(match: re.Match[str]) -> str:
    """The text of an inner element: ``A.B`` for ``<see cref="T:A.B"/>``, nothing for ``<c>``."""
    named = _NAMED.search(match[3])
    return _reference(named[1]) if named and not match[1] else ""


def _reference(name: str) -> str:
    """A reference without its prefix: ``Ship.Crate`` of ``T:Ship.Crate``."""
    return name[2:] if name[1:2] == ":" else name
