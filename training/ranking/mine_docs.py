"""Queries from documentation: the first sentence of what is said of a file, type or function, and a tree in which it is not said.

The sentence stands in its file word for word, so a ranking that learned from it would learn to trust exact phrases. Therefore each
such query is asked of a copy of the tree where the documentation it was taken from is blanked out, line for line.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from mine_definitions import CALLABLES, TYPES, Definition
from mine_symbols import hash_of

from hardtack.nouns.model import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WORDS = range(4, 23)
CHARACTERS = range(20, 160)
MOST_IN_A_FILE = 2
_DESCRIBED = (TYPES | CALLABLES | {Kind.FILE}) - {Kind.CONSTRUCTOR}
SHARE_OF_FUNCTIONS = 0.4
"""The benchmark asks what files are for; what a file or a type is said to be is nearer to that than what one function does."""

_LINKS = (
    (re.compile(r"\{@(?:link|linkplain|code|literal|see)\s+([^}]*)\}"), r"\1"),
    (re.compile(r"""<(?:see|paramref|typeparamref|inheritdoc)\s+\w+=["'](?:[A-Z]:)?([^"']*)["']\s*/>"""), r"\1"),
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\[`?([^\]`]+)`?\](?:\[[^\]]*\])?"), r"\1"),
    (re.compile(r":\w+:`~?([^`<]+?)(?:\s*<[^>]*>)?`"), r"\1"),
    (re.compile(r"``?([^`]+)``?"), r"\1"),
    (re.compile(r"<[^>]{1,40}>|\*\*|\\[a-z]\b|[@\\]brief\b|^\s*#+\s"), " "),
    (re.compile(r"['\"]([A-Z]\w+(?:\.\w+)*)['\"]|(?<!\w)[@/](\w[\w-]*)[@/](?!\w)"), r"\1\2"),
)
_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)[.!?:](?=\s|$)")
_PARAGRAPH = re.compile(
    r"\n\s*\n|</summary>|<(?:param|returns|remarks|typeparam|exception|value|example)\b|\n\s*(?=[@\\](?!brief|link|code|see)\w|:\w+|[-*+•]\s|```|~~~|\d+[.)]\s|={3,}|-{3,}|#+\s|>>>|\|)"
)
_NO_QUERY = re.compile(
    r"\b(?:todo|fixme|xxx|hack|deprecated|internal use|copyright|licen[cs]e|see also|@\w+|inherited|override[sn]?|overridden|no-?op"
    r"|auto-?generated|do not edit|same as|e\.g|noqa|lint)\b|https?://|[{}|=<>;\\]|^\W*$|\(c\)|--",
    re.IGNORECASE,
)
_OF_ANYTHING = re.compile(
    r"^(?:(?:initiali[sz]es|creates|constructs) a new instance|gets?(?: or sets?)? |sets? |constructor|returns? (?:true|a string)"
    r"|go:|defines? the (?:type|class)|main entry|\W"
    r"|(?:a |the )?(?:class|type|interface|struct|module|function|method|private|public|default) (?:for|of|that) \w+$)",
    re.IGNORECASE,
)
"""What could be said of anything, and so finds nothing."""
_DULL_START = re.compile(
    r"^(?:this|the (?:following|below)|these|it|see|note|example|usage|warning|same|like|used by|if|we|but|so|and|or)\b",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"\b(?:the|an?|and|or|of|to|in|for|by|with|when|that|which|is|are|was|if|on|from|as|its|it's|have|has|be|'s)$|[(,]$",
    re.IGNORECASE,
)
"""What a sentence cannot end in: a name in markup stood there, or a list follows."""
_NAMED_FIRST = re.compile(r"^(?:the |an? )?(\S+?)(?:\(\))? (?=[a-z])")


def first_sentence(doc: str) -> str | None:
    """The first sentence of a documentation comment as one line without markup; None when it makes no query.

    Too short, too long, code, a notice or a pointer to elsewhere make none.
    """
    paragraph = re.sub(r"^\s*@\w+(?:doc)?\s*~?[sS]?\"*", "", _first_paragraph(doc))
    for pattern, kept in _LINKS:
        paragraph = pattern.sub(kept, paragraph)
    line = " ".join(paragraph.split())
    sentence = _END.split(line, maxsplit=1)[0].strip(" .:,-*\"'")
    if len(sentence) not in CHARACTERS or len(sentence.split(" ")) not in WORDS:
        return None
    if any(pattern.search(sentence) for pattern in (_NO_QUERY, _DULL_START, _OF_ANYTHING, _CUT)) or not sentence.isprintable():
        return None
    letters = sum(map(str.isalpha, sentence)) + sentence.count(" ")
    return sentence if sentence.isascii() and letters > 0.85 * len(sentence) else None


def _first_paragraph(doc: str) -> str:
    return _PARAGRAPH.split(doc.strip(), maxsplit=1)[0]


def as_query(sentence: str, name: str) -> str:
    """The sentence, with the name it begins with left off in every other one, as Go and C have it: ``Foo returns the bar``."""
    begins = _NAMED_FIRST.match(sentence)
    if begins and name and begins[1].strip("'\"`").casefold() == name.casefold() and hash_of(sentence) % 2:
        rest = sentence[begins.end() :]
        rest = re.sub(r"^(?:is|are) (?:used )?(?:the |an? |to )?", "", rest)
        if len(rest.split(" ")) >= WORDS.start:
            return rest
    return sentence


def mine_docs(
    definitions: Sequence[Definition], texts: Mapping[str, str], *, most: int
) -> tuple[list[dict[str, object]], dict[str, str]]:
    """At most ``most`` queries, and the texts in which what they were taken from is blanked, by path.

    A sentence said of two things asks for neither, and one that is still in its file after blanking is left out.
    """
    sentences = {}
    for number, definition in enumerate(definitions):
        if definition.doc and definition.kind in _DESCRIBED:
            sentence = first_sentence(definition.doc)
            if sentence is not None:
                sentences[number] = sentence
    said_in = defaultdict(set)
    for number, sentence in sentences.items():
        said_in[sentence.casefold()].add(definitions[number].path)
    numbers = [number for number, sentence in sentences.items() if len(said_in[sentence.casefold()]) == 1]
    numbers.sort(key=lambda number: hash_of(definitions[number].path + sentences[number]))
    functions = [number for number in numbers if definitions[number].kind in CALLABLES]
    others = [number for number in numbers if definitions[number].kind not in CALLABLES]
    limits = ((others, most - round(most * SHARE_OF_FUNCTIONS)), (functions, most), (others, most))
    queries: list[dict[str, object]] = []
    blanked: dict[str, str] = {}
    used, taken = Counter[str](), set()
    for pool, limit in limits:
        for number in pool:
            definition, sentence = definitions[number], sentences[number]
            key = sentence.casefold()
            if len(queries) >= limit or key in taken or used[definition.path] >= MOST_IN_A_FILE:
                continue
            text = without_doc(blanked.get(definition.path, texts[definition.path]), definition)
            if text is None or key in _flat(text):
                continue
            blanked[definition.path] = text
            used[definition.path] += 1
            taken.add(key)
            query = as_query(sentence, definition.name)
            queries.append({"query": query, "kind": "doc", "relevant": [definition.path], "tree": "blanked"})
    return queries, blanked


def without_doc(text: str, definition: Definition) -> str | None:
    """``text`` with the first paragraph of the definition's documentation gone, every line still there; None when it was not found.

    Marks of comments and strings stay, so that the file parses as before.
    """
    lines = text.split("\n")
    wanted = [line for line in map(str.strip, _first_paragraph(definition.doc).splitlines()) if line]
    found = 0
    for index in range(definition.lines.start - 1, min(definition.lines.stop - 1, len(lines))):
        if found == len(wanted):
            break
        start = lines[index].find(wanted[found])
        if start >= 0:
            lines[index] = (lines[index][:start] + lines[index][start + len(wanted[found]) :]).rstrip()
            found += 1
    return "\n".join(lines) if wanted and found == len(wanted) else None


def _flat(text: str) -> str:
    """The words of a text without marks and line ends, to look for a sentence that spans lines."""
    for pattern, kept in _LINKS:
        text = pattern.sub(kept, text)
    return " ".join(re.sub(r"(?m)^\s*(?:///?!?|#+|--+\s?\|?|\*+|;+|/\*\*?)", " ", text).casefold().split())
