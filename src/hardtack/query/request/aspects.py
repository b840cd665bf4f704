"""A query's text in, its aspects out: a question has one, an issue two, each searched for on its own.

The title of an issue says in a line what is wrong; its body says it in words, names, errors and code, and much besides. Looked for
as one text, the body drowns the title. So both are retrieved and compared with files as if each were a query, and ranking weighs
what either says (:mod:`hardtack.query.ranking.features`). The words of the body are weighed by the part of the issue that they
stand in, and only those of the greatest weight and rarity are looked up, so a long issue costs little more than a short one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.query.request.analysis import TextAnalysis, qualified
from hardtack.query.request.issue import Issue, Part, Sort, names_in, read_issue
from hardtack.query.request.vocabulary import weight_of
from hardtack.text import STOP_WORDS, query_terms, stem_of

QUESTION: Final = "question"
TITLE: Final = "title"
BODY: Final = "body"

PART_WEIGHTS: Final[Mapping[Sort, float]] = {
    Sort.TITLE: 1.0,
    Sort.NAME: 0.8,
    Sort.ERROR: 0.6,
    Sort.PROSE: 0.5,
    Sort.CODE: 0.25,
    Sort.LOG: 0.1,
    Sort.TEMPLATE: 0.0,
}
"""What a word counts for in each part of an issue. Set by hand: a title is what it is about, code is mostly about other things."""

MOST_BODY_TERMS: Final = 48
"""Terms of a body that are looked up; each costs a posting list in seven fields."""
_MOST_NAMES: Final = 64
_MOST_COUNTED: Final = 1_000
"""Distinct terms of a body whose rarity is looked up: those with the greatest weight."""

_ENCODED: Final = (Sort.TITLE, Sort.PROSE, Sort.ERROR, Sort.NAME)
"""Parts whose text makes the vector of a body."""


class Aspect(NamedTuple):
    """A text that is searched for on its own."""

    name: str
    analysis: TextAnalysis
    encoded: str
    """The text whose vector is searched for."""


class Reading(NamedTuple):
    """A query's text as a search reads it."""

    analysis: TextAnalysis
    """Of the whole text; the terms of an issue are those of its body."""
    aspects: tuple[Aspect, ...]
    issue: Issue | None
    """None for a question."""


def read_text(bundle: Bundle, text: str, languages: Mapping[str, str]) -> Reading:
    """Read the text of a query.

    Args:
        bundle: is searched; it knows how rare words are.
        text: as typed.
        languages: from :func:`hardtack.query.request.analysis.language_names`.
    """
    issue = read_issue(text)
    if issue is None:
        analysis = TextAnalysis(text, languages)
        return Reading(analysis, (Aspect(QUESTION, analysis, text),), None)
    title = TextAnalysis(issue.title, languages)
    body = IssueAnalysis(text, languages, terms=_most_telling(bundle, _weighed(issue.parts)), names=names_of(issue), title=title)
    encoded = "\n".join(issue.texts(*_ENCODED))
    return Reading(body, (Aspect(TITLE, title, issue.title), Aspect(BODY, body, encoded)), issue)


class IssueAnalysis(TextAnalysis):
    """The analysis of an issue's text, of which parts weigh differently."""

    def __init__(
        self, text: str, languages: Mapping[str, str], *, terms: Mapping[str, float], names: Iterable[str], title: TextAnalysis
    ) -> None:
        """Take what was read of the issue.

        Args:
            text: the whole issue.
            languages: from :func:`hardtack.query.request.analysis.language_names`.
            terms: those to look up, with their weights.
            names: that the issue mentions.
            title: asks for sorts of files, kinds and languages; words further down mention them.
        """
        super().__init__(text, languages)
        # in place of what the base class computes from the text
        self.terms = list(terms)
        self.content_terms = tuple(terms)
        self.weights = dict(terms)
        self.names = list(names)
        self.subjects, self.kinds, self.language_hints = title.subjects, title.kinds, title.language_hints


def names_of(issue: Issue) -> list[str]:
    """The names that an issue mentions outside its code, as symbols are called, each once."""
    names = (part.text.removesuffix("()") for part in issue.parts if part.sort is Sort.NAME)
    return list(dict.fromkeys(qualified(name) for name in names if " " not in name))[:_MOST_NAMES]


def code_names_of(issue: Issue) -> list[str]:
    """The names in an issue's code, errors and frames, each once."""
    in_code = (name for text in issue.texts(Sort.CODE, Sort.ERROR) for name in names_in(text))
    of_frames = (frame.function for frame in issue.frames if frame.function.isidentifier())
    return list(dict.fromkeys(qualified(name.removesuffix("()")) for names in (in_code, of_frames) for name in names))[:_MOST_NAMES]


def _weighed(parts: Iterable[Part]) -> dict[str, float]:
    """Each term of an issue to its weight.

    That is the weight of its stem times that of the part where it counts most, times the root of 1 + ln n for what would be n
    occurrences in that part: a word that comes back is what the issue is about, and one of a long log is not.
    """
    most: dict[str, float] = {}
    sums: dict[str, float] = {}
    for part in parts:
        if weight := PART_WEIGHTS[part.sort]:
            for term in query_terms(part.text):
                most[term] = max(most.get(term, 0.0), weight)
                sums[term] = sums.get(term, 0.0) + weight
    return {
        term: weight_of(stem_of(term)) * weight * math.sqrt(1 + math.log(sums[term] / weight))
        for term, weight in most.items()
        if term not in STOP_WORDS
    }


def _most_telling(bundle: Bundle, weights: Mapping[str, float]) -> dict[str, float]:
    """The :data:`MOST_BODY_TERMS` terms with the greatest product of weight and rarity, in the order of the text.

    The rarity is BM25's inverse document frequency among chunks. A term that no chunk has counts as half as telling as the rarest:
    it names nothing here.
    """
    heaviest = sorted(weights, key=lambda term: -weights[term])[:_MOST_COUNTED]
    chunks = bundle.manifest.counts.chunks
    counts = bundle.lexical.chunks_with(heaviest)
    unknown = 0.35 * math.log1p(chunks)
    telling = {
        term: weights[term] * (math.log1p((chunks - count + 0.5) / (count + 0.5)) if count else unknown)
        for term, count in zip(heaviest, counts, strict=True)
    }
    kept = frozenset(sorted(telling, key=lambda term: -telling[term])[:MOST_BODY_TERMS])
    return {term: weight for term, weight in weights.items() if term in kept}
