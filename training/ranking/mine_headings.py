"""Queries from handbooks: what a documentation page says about named types and functions, without the names.

Two shapes are read: a sentence that says what a name is ("`RetryPolicy` decides when ..."), and a section's heading with the names
its text speaks of most. Change logs and pages about upgrading are left out: they speak of what was. So are pages inside the
indexed directory: they would hold the query word for word.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mine_definitions import CALLABLES, TYPES, Definition
from mine_docs import first_sentence
from mine_repositories import Repository, git
from mine_symbols import hash_of, is_telling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

SUFFIXES = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".livemd")
LARGEST_PAGE = 600_000
MOST_OF_ONE_FILE = 4
WORDS = range(3, 18)

_JOINING = re.compile(
    r"(?:your|with|from|that|this|into|when|what|using|writing|adding|creating|defining|other|more|about|between)"
)
"""Words of headings that say nothing of what the section is about."""
_CODE = re.compile(r"``?([^`\n]+)``?|:\w+:`~?!?([^`<\n]+?)(?:\s*<[^>`]*>)?`|\[`?([A-Z]\w+)`?\]")
_NAME = re.compile(r"[A-Za-z_][\w']*[?!]?")
_SAYS = re.compile(
    r"^(?:[-*+]\s+|\d+\.\s+|>\s+)?(?:the |an? )?(?:\*\*)?{code}(?:\*\*)?(?:\(\))?"
    r"(?: (?:class|type|function|method|module|struct|interface|trait|helper|component|middleware|plugin|option|protocol|object"
    r"|hook|decorator)s?)?"
    r"(?: (?:is|are)(?: used)?(?: to| for)?(?: an?\b| the\b)?|(?=\s+[a-z]+s\b)|\s*(?:—|–|:|-)\s)\s*(?P<rest>[^\n]+)".replace(
        "{code}", f"(?:{_CODE.pattern})"
    ),
    re.IGNORECASE,
)
_HISTORY = re.compile(
    r"chang|history|news|release|upgrad|migrat|whats?[-_]?new|roadmap|announce|contribut|governance|security|blog|/adr/",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"^(?:now|no longer|not|has been|have been|also|still|only|deprecated|removed|added|subject to|the same|available|similar)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^(#{1,5})\s+(?P<title>[^\n]+?)\s*#*$")
_BEGINS = re.compile(r"\s*(?:(?:[-*+]|\d+\.)\s|[|#])")
"""What a line begins with that does not go on with the paragraph above it."""
_UNDERLINE = re.compile(r"^([=\-~^\"'*+#.])\1{2,}\s*$")
_GENERAL = re.compile(
    r"^(?:"
    + "|".join(
        (
            r"\W*v?\d|\w+ \d|.*\d\.\d|unreleased|changelog|changes|breaking changes|bug ?fix\w*|features|new features",
            r"what'?s new.*|added|fixed|changed|removed|deprecated\b.*|security|license|contribut\w*|minor.*|major.*",
            r"getting started|installation|install|usage|basic usage|advanced usage|examples?|example code|introduction|overview",
            r"quick ?start|table of contents|summary|motivation|background|faq|notes?|tips?|conclusion|next steps|resources",
            r"patch.*|release.*|final.*|api|api reference|reference|options|parameters|arguments|returns|see also|further reading",
            r"migration|migrating|upgrad\w*|requirements|before|after|how to use|other|misc\w*|internal\w*|improvements?|setup",
            r"related.*|more .*|about.*|enhancements?|definition|going further|integration tests|code style|type(?:script)?",
        )
    )
    + r")$",
    re.IGNORECASE,
)
"""Headings that could stand in any handbook."""


@dataclass(frozen=True, slots=True)
class _Found:
    query: str
    paths: tuple[str, ...]
    rank: int
    """Which shape it came from; the more telling ones first."""


def mine_headings(
    repository: Repository, checkout: Path, definitions: Sequence[Definition], texts: Mapping[str, str], *, most: int
) -> list[dict[str, object]]:
    """At most ``most`` queries; none when all of the repository is indexed, its handbook with it.

    ``texts`` are the texts of the files that may be asked for, by path: a heading of which they say no word is left out.
    """
    if not repository.root:
        return []
    homes = homes_of(definitions)
    found: list[_Found] = []
    for path in git(checkout, "ls-tree", "-r", "--name-only", repository.revision).splitlines():
        is_read = path.endswith(SUFFIXES) and not _HISTORY.search(path) and not repository.has_in_root(path)
        if is_read and (checkout / path).is_file():
            text = (checkout / path).read_text("utf-8", "replace")
            if len(text) <= LARGEST_PAGE:
                found.extend(found_in(text, homes))
    found = [each for each in found if each.rank == 0 or any(shares_a_word(each.query, texts[path]) for path in each.paths)]
    queries: list[dict[str, object]] = []
    seen, asked = set(), Counter[str]()
    for each in sorted(found, key=lambda each: (each.rank, hash_of(each.query))):
        key = each.query.casefold()
        if len(queries) < most and key not in seen and all(asked[path] < MOST_OF_ONE_FILE for path in each.paths):
            seen.add(key)
            asked.update(each.paths)
            queries.append({"query": each.query, "kind": "heading", "relevant": list(each.paths), "tree": "plain"})
    return queries


def homes_of(definitions: Iterable[Definition]) -> dict[str, str]:
    """The file of each name that one file alone defines and that is more than a word."""
    homes = defaultdict(set)
    for definition in definitions:
        if definition.kind in TYPES | CALLABLES:
            homes[definition.name].add(definition.path)
            homes[definition.qualified_name].add(definition.path)
    return {name: next(iter(paths)) for name, paths in homes.items() if len(paths) == 1 and is_telling(name)}


def found_in(text: str, homes: Mapping[str, str]) -> Iterator[_Found]:
    """What one page yields; ``homes`` is as :func:`homes_of` gives it."""
    for title, body in _sections(text):
        yield from _of_heading(title, body, homes)
        for paragraph in _paragraphs(body):
            yield from _of_paragraph(paragraph, homes)


def _of_paragraph(paragraph: str, homes: Mapping[str, str]) -> Iterator[_Found]:
    says = _SAYS.match(paragraph)
    if says is not None:
        path = _home(next(filter(None, says.groups()[:3]), ""), homes)
        sentence = first_sentence(says["rest"])
        if path is not None and sentence is not None and len(sentence.split()) in WORDS and not _PAST.match(sentence):
            yield _Found(sentence, (path,), 0)


def _of_heading(title: str, body: Sequence[str], homes: Mapping[str, str]) -> Iterator[_Found]:
    """A heading with the files of the names its section speaks of: those said at least half as often as the first."""
    plain = _CODE.sub("", title) if _CODE.search(title) else title
    query = " ".join(re.sub(r"\{[^}]*\}|%%.*|[*_`#]|\[([^\]]*)\]\([^)]*\)", r"\1", plain).split()).strip(" :.-?")
    query = re.sub(r"^\d+[.)] ", "", query)
    is_query = 2 <= len(query.split()) <= 9 and query.isascii() and query.isprintable() and not _GENERAL.match(query)
    if not is_query or plain != title or any(word in homes for word in query.split()):
        return
    said = Counter(path for name in _names_in("\n".join(body)) if (path := _home(name, homes)) is not None)
    if not said:
        return
    most = max(said.values())
    paths = sorted(path for path, count in said.items() if 2 * count >= most)
    if most >= 2 and len(paths) <= 2 and len(said) <= 4:
        yield _Found(query, tuple(paths), 1)


def shares_a_word(query: str, text: str) -> bool:
    """Whether a word of the query that says something, or one of its stem, stands in the text."""
    folded = text.casefold()
    return any(word[:6] in folded for word in re.findall(r"[a-z]{4,}", query.casefold()) if not _JOINING.fullmatch(word))


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each heading with the lines up to the next one, whatever its level; what stands before the first has an empty title."""
    title, body, is_code, previous = "", list[str](), False, ""
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        heading = None if is_code else _HEADING.match(line)
        is_rule = not is_code and bool(_UNDERLINE.match(line))
        is_underlined = is_rule and 0 < len(previous.strip()) <= len(line.rstrip())
        if heading is not None or is_underlined:
            yield title, body[:-1] if is_underlined else body
            title, body = (heading["title"] if heading is not None else previous.strip()), []
        else:
            body.append(line)
        previous = line
    yield title, body


def _paragraphs(body: Sequence[str]) -> Iterator[str]:
    """Paragraphs and entries of lists, each on one line; no code."""
    words, is_code = list[str](), False
    for line in [*body, ""]:
        is_fence = line.lstrip().startswith(("```", "~~~"))
        if words and (is_fence or not line.strip() or _BEGINS.match(line)):
            yield " ".join(words)
            words = []
        is_code ^= is_fence
        if not is_fence and not is_code and line.strip() and (words or not line.startswith("    ")):
            words.append(line.strip())


def _names_in(text: str) -> Iterator[str]:
    """The names in inline code, each as often as it stands there."""
    for code in _CODE.finditer(text):
        yield next(filter(None, code.groups()))


def _home(code: str, homes: Mapping[str, str]) -> str | None:
    """The file that defines what a piece of inline code names, a call or a qualified name; None when it is unknown."""
    name = re.split(r"[(\s<{\[/]", code.strip().lstrip("@&%:~.#"), maxsplit=1)[0].replace("::", ".").rstrip(".:,")
    parts = name.split(".")
    for candidate in (name, ".".join(parts[-2:]), parts[-1]):
        if candidate in homes and _NAME.fullmatch(parts[-1]):
            return homes[candidate]
    return None
