"""Makes training pairs from one source file: its documentation, names and headings, beside the text they belong to.

A pair's left is what somebody might ask, its right is what should be found:

    doc      the first paragraph of a definition's documentation     the definition without it
    name     the words of a qualified name                           the definition, its name blanked out
    section  a section's heading below its parent's                  the section's own text

Commit subjects are the fourth kind (``collect_commits.py``). Nothing here reads a disk; what is not worth learning from is counted
by reason in ``dropped``.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hardtack.build.languages.registry import Language, cutter_of, languages
from hardtack.build.outline.definitions import parsed_file
from hardtack.build.outline.symbols import _symbols_of, seconds_for
from hardtack.build.outline.syntax import Deadline, parse, readable
from hardtack.nouns.model import CALLABLES, TYPES, Content, Kind
from hardtack.nouns.outline import SourceFile, Symbol

MAX_LEFT: Final = 300
"""Characters; a paragraph is cut at the last sentence that fits."""
MAX_RIGHT: Final = 2_000
"""Characters; more than a chunk's synopsis shows."""
_MIN_DOC_WORDS: Final = 3
_MIN_CODE_WORDS: Final = 8
_MIN_NAMED_LINES: Final = 4
"""Of a definition that is told by its name alone: shorter ones are getters."""
_MIN_SECTION_WORDS: Final = 15

_CODE_KINDS: Final = CALLABLES | TYPES


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One row of the output."""

    kind: str
    """``doc``, ``name``, ``section`` or ``commit``."""
    language: str
    package: str
    """``registry:name`` of the package it comes from."""
    symbol: str
    """What kind of symbol ``right`` defines (:class:`hardtack.nouns.model.Kind`); empty for commits."""
    name: str
    """The symbol's own name, so that a trainer can blank it out of ``right``; empty for commits."""
    path: str
    left: str
    right: str


def pairs_of(file: SourceFile, package: str, dropped: Counter[str]) -> Iterator[Pair]:
    """The pairs of one file, in source order, doc before name of the same symbol."""
    language = languages()[file.language]
    symbols = symbols_in(file.text, language)
    for index, symbol in enumerate(symbols):
        if symbol.kind is Kind.SECTION and language.content is Content.DOCUMENTATION:
            found = _section(file, symbols, index)
        elif symbol.kind in _CODE_KINDS and language.content is Content.CODE:
            found = _definition(file, symbol, dropped)
        else:
            continue
        for kind, left, right in found:
            yield Pair(
                kind=kind,
                language=file.language,
                package=package,
                symbol=symbol.kind.value,
                name=symbol.name,
                path=file.path,
                left=left,
                right=right,
            )


def symbols_in(text: bytes, language: Language) -> Sequence[Symbol]:
    """The symbols that a build finds in a text, without types, uses and repairs, which take most of the time."""
    if language.has_cutter:
        return list(cutter_of(language)(text))
    deadline = Deadline(seconds_for(text))
    tree = parse(readable(text, language), language, deadline) if language.has_query else None
    page = parsed_file(text, tree, language, deadline) if tree is not None else None
    return _symbols_of(page, language) if page is not None else ()


def _definition(file: SourceFile, symbol: Symbol, dropped: Counter[str]) -> Iterator[tuple[str, str, str]]:
    """(kind, left, right) of a definition: by its documentation where that says something, else by its name."""
    code = file.text[symbol.span.start : symbol.span.end].decode("utf-8")
    if symbol.doc:
        code = without_docstring(code, symbol.doc)
    indent = file.text[file.text.rfind(b"\n", 0, symbol.span.start) + 1 : symbol.span.start].decode("utf-8", "ignore")
    code = textwrap.dedent(code if indent.strip() else indent + code)[:MAX_RIGHT].rstrip()
    if len(_WORD.findall(code)) < _MIN_CODE_WORDS:
        return
    summary = summary_of(symbol.doc) if symbol.doc else ""
    if summary:
        fault = fault_of_doc(summary)
        if not fault and _flat(summary) in _flat(code):
            fault = "documentation stands in the code"
        if not fault:
            yield "doc", summary, code
            return
        dropped[fault] += 1
    words = words_of_name(symbol.qualified_name)
    if len(words_of_name(symbol.name)) >= 2 and code.count("\n") + 1 >= _MIN_NAMED_LINES:
        yield "name", " ".join(words), without_name(code, symbol.name)


def _section(file: SourceFile, symbols: Sequence[Symbol], index: int) -> Iterator[tuple[str, str, str]]:
    """A section's heading, its parent's before it, and the text up to the first section inside it."""
    section = symbols[index]
    inner = next((symbol.span.start for symbol in symbols[index + 1 : index + 2] if symbol.parent == index), section.span.end)
    text = file.text[section.selection.end : inner].decode("utf-8", "ignore").strip("#=-~^*+\"'`: \r\n")
    parent = symbols[section.parent].name if section.parent >= 0 else ""
    heading = " ".join(f"{parent} {section.name}".split())
    is_telling = 2 <= len(_WORD.findall(heading)) <= 16 and len(_WORD.findall(text)) >= _MIN_SECTION_WORDS
    if is_telling and not fault_of_doc(heading + " " + text[:200]) and not _CHANGES.search(heading):
        yield "section", heading, text[:MAX_RIGHT].rstrip()


_CHANGES: Final = re.compile(
    r"change ?log|changes|release notes|history|licen[sc]e|copyright|contributors|^v?\d+\.\d+", re.IGNORECASE
)
_WORD: Final = re.compile(r"\w+")
_END: Final = re.compile(
    r"\n[ \t]*\n|\n[ \t]*(?:[@\\][A-Za-z]+|:[a-z]+[^\n:]*:|#+ |-{3,}|={3,}|~{3,}|```|>>>|\* \*|\|"
    r"|(?:Args|Arguments|Parameters|Params|Returns?|Raises|Throws|Examples?|Usage|Notes?|Yields|See also|Since)"
    r"[ \t]*:?[ \t]*(?:\n|$))"
)
_TAGS: Final = re.compile(
    r"</?[A-Za-z][^<>\n]{0,80}/?>|\{@\w+\s+([^{}]*)\}|:[a-z:]+:`([^`<]*)[^`]*`|\[([^\]\n]*)\]\([^)\n]*\)|<(https?://[^>]*)>"
)
"""Markup, and in a group what stays of it."""
_LEAD: Final = re.compile(
    r"^(?:[@\\](?:brief|description|desc|summary|short|since\b.*\n|internal|private|public|api|dev|notice|title)\b[ \t]*"
    r"|[*!/#;%\-<>|\s]+)+"
)


def summary_of(doc: str) -> str:
    """The first paragraph of ``doc`` in one line, without markup and tags, at most :data:`MAX_LEFT` characters."""
    text = _LEAD.sub("", doc)
    if (see := re.search(r"<summary>(.*?)</summary>", doc, re.DOTALL)) is not None:
        text = see[1]
    text = text.strip()
    text = text[: end.start()] if (end := _END.search(text)) is not None else text
    text = _TAGS.sub(lambda tag: next((group for group in tag.groups() if group), " "), text)
    text = " ".join(text.replace("`", "").replace("**", "").split())
    if len(text) > MAX_LEFT:
        place = max(text.rfind(mark, 0, MAX_LEFT) for mark in (". ", "; ", "! "))
        text = text[: place + 1] if place > 40 else text[: text.rfind(" ", 0, MAX_LEFT)]
    return text.strip()


_LICENCE: Final = re.compile(r"copyright|licen[sc]ed?\b|spdx|all rights reserved|warranty|\(c\) \d{4}", re.IGNORECASE)
_GENERATED: Final = re.compile(
    r"auto-?generated|^generated (?:by|from|code)|this (?:file|class|code|method) (?:is|was) generated|do not edit"
    r"|inheritdoc|\(non-javadoc\)",
    re.IGNORECASE,
)
_DIRECTIVE: Final = re.compile(
    r"^(?:todo|fixme|xxx|hack|eslint|tslint|jshint|istanbul|c8 ignore|prettier|@?ts-|nolint|noqa|type:|pylint|mypy|clang-|rubocop|"
    r"phpcs|psalm|phpstan|shellcheck|swiftlint|ktlint|suppress|coverage|pragma|go:|\+build|region|endregion|webpack|@flow|see )",
    re.IGNORECASE,
)
_LOOKS_LIKE_CODE: Final = re.compile(
    r"[;{}]\s*$|^\s*(?:if|for|while|return|var|let|const|int|def|self\.\w+)\b[^.]*[=({]"
    r"|=>|::\w+\(|\w\(\w*\)\s*[;{]|\s[!=]=\s|&&|\|\|"
)


def fault_of_doc(summary: str) -> str:
    """Why a summary is no use as a question, as a reason to count; empty when it is good."""
    words = re.findall(r"[^\W\d_]{2,}", re.sub(r"https?://\S+", " ", summary))
    if len(words) < _MIN_DOC_WORDS:
        return "documentation too short"
    if _LICENCE.search(summary):
        return "licence"
    if _GENERATED.search(summary):
        return "generated or inherited"
    if summary.startswith("@") and "@" not in summary[1:]:  # Haddock writes code as @code@
        return "tag without a description before it"
    if _DIRECTIVE.match(summary):
        return "directive for a tool"
    if sum(character.isascii() for character in summary) < 0.95 * len(summary):
        return "not English"
    letters = sum(character.isalpha() or character == " " for character in summary)
    if letters < 0.7 * len(summary) or _LOOKS_LIKE_CODE.search(summary):
        return "commented-out code"
    return ""


def _flat(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


_STRING: Final = re.compile(
    r'[rRuUbB]{0,2}"""(.*?)"""|[rRuUbB]{0,2}\'\'\'(.*?)\'\'\'|"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'',
    re.DOTALL,
)


def without_docstring(code: str, doc: str) -> str:
    """The code without the string literal that is its documentation, where one stands in lines of its own."""
    wanted = _flat(doc)
    for match in _STRING.finditer(code):
        start = code.rfind("\n", 0, match.start()) + 1
        end = min(place for place in (code.find("\n", match.end()), len(code)) if place >= 0)
        if code[start : match.start()].strip() or code[match.end() : end].strip():
            continue
        text = next((group for group in match.groups() if group is not None), "")
        if wanted and _flat(text.replace("\\n", " ")) == wanted:
            return code[:start] + code[end + 1 :]
    return code


_HUMPS: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def words_of_name(name: str) -> list[str]:
    """The words of a qualified name, lower case, a word that repeats the one before it left out."""
    words = [word.lower() for word in _HUMPS.findall(name)]
    return [word for place, word in enumerate(words) if place == 0 or word != words[place - 1]]


def without_name(code: str, name: str) -> str:
    """The code with ``_`` wherever the name stands as a word of its own."""
    if not name.isidentifier():
        return code.replace(name, "_")
    return _WORD.sub(lambda word: "_" if word[0] == name else word[0], code)
