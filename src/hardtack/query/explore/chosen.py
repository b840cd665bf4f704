"""Several symbols of one name in, the one that the rest of the question speaks of out, and why.

What is looked at, in this order; the first that tells them apart decides:

1. the language that the question names,
2. words of the question in the path, the package or the type of a symbol, those beside the name twice,
3. whether it is in the file, the folder or the language of what else the question names,
4. where a search for the whole question finds it,
5. how often the repository refers to it.

The last one alone is no more than a guess, and is said to be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Content, Hit
from hardtack.query.explore.asked import NamedSymbols
from hardtack.query.request.analysis import TextAnalysis, language_names
from hardtack.query.request.vocabulary import AMBIGUOUS_LANGUAGES
from hardtack.text import STOP_WORDS, parts_of, stem_of

_BESIDE: Final = 3
"""Words before and after a name that say most of it."""
_MOST_COMPARED: Final = 200
"""Symbols of one name that are compared."""
_LEAST_LETTERS: Final = 3
"""Of the name of a language that may be a word (``go``, ``c``): a shorter one counts where it is written with a capital."""
_WORD: Final = re.compile(r"[\w+#]+")
_PART: Final = re.compile(
    r"\bin\s+(?:the\s+)?([\w+#]{1,20})\b(?!\.)|\b([\w+#]{1,20})\s+(?:client|server|library|lib|implementation|bindings?|port|side|sdk|package)s?\b",
    re.IGNORECASE,
)
"""Where a question may say in which language the part is that it is about."""
_FAMILIES: Final[Mapping[str, str]] = {"tsx": "typescript", "jsx": "javascript"}
_WHY: Final = (
    "the question names its language",
    "words of the question are in its path or type",
    "it is nearest to what else is named",
    "a search for the question finds it first",
    "it is referred to most, a guess",
)


class Chosen(NamedTuple):
    """What a name of a question is taken for."""

    name: str
    symbol: int
    why: str
    """Empty where the name has one meaning."""
    others: tuple[int, ...] = ()
    """What else it can mean, the likeliest first."""
    equal: tuple[int, ...] = ()
    """``symbol`` and those of ``others`` that no more than a guess tells from it."""
    is_words: bool = False
    """The name is words that were searched for."""
    is_weak: bool = False
    """What was found is not likely enough to be shown if no way leads there."""

    @property
    def is_said(self) -> bool:
        """Whether what the question says tells it from all others."""
        return len(self.equal) == 1

    @property
    def is_guess(self) -> bool:
        """Whether nothing that the question says tells it from the others."""
        return self.why == _WHY[-1]


class Context:
    """What a question says beside a name."""

    def __init__(self, bundle: Bundle, text: str, analysis: TextAnalysis, hits: Sequence[Hit], clear: Iterable[int]) -> None:
        """Read a question, with what a search for it found and the symbols of its names that have one meaning."""
        self._bundle = bundle
        self._text = text
        self._languages = languages_in(bundle, text)
        self._paths = [hint.rstrip("/") for hint in analysis.path_hints]
        self._hits = [(hit.path, hit.qualified_name or "", hit.score) for hit in hits]
        self._near = [bundle.file(bundle.symbol(each).file) for each in clear]
        self._counts = bundle.columns.of_symbols("references")

    def choose(self, named: NamedSymbols) -> Chosen:
        """What a name is taken for."""
        groups = [group.symbol for group in named.groups]
        if len(groups) == 1:
            return Chosen(named.name, groups[0], "", equal=(groups[0],))
        near, far = self._words_around(named.name)
        scores = {each: self._score(each, near, far) for each in groups[:_MOST_COMPARED]}
        ordered = sorted(scores, key=lambda each: (*(-score for score in scores[each]), each))
        best, second = scores[ordered[0]], scores[ordered[1]]
        place = next((place for place, score in enumerate(best) if score != second[place]), len(_WHY) - 1)
        equal = tuple(each for each in ordered if scores[each][:-2] == best[:-2])
        return Chosen(named.name, ordered[0], _WHY[place], tuple(ordered[1:]) + tuple(groups[_MOST_COMPARED:]), equal)

    def _score(self, ordinal: int, near: frozenset[str], far: frozenset[str]) -> tuple[float, ...]:
        symbol = self._bundle.symbol(ordinal)
        file = self._bundle.file(symbol.file)
        language = _FAMILIES.get(file.language, file.language)
        owner = symbol.qualified_name.rpartition(".")[0]
        said = {stem_of(part) for part in (*_parts(file.path), *_parts(symbol.package), *_parts(owner))}
        said.add(owner.rpartition(".")[2].lower())
        hinted = sum(4 for hint in self._paths if hint and (file.path.endswith(hint) or f"{hint}/" in file.path))
        found = max(
            (score * (2 if name.startswith(symbol.qualified_name) else 1) for path, name, score in self._hits if path == file.path),
            default=0.0,
        )
        return (
            float(language in self._languages),
            float(2 * len(said & near) + len(said & far) + hinted),
            max((_nearness(file.path, file.language, one.path, one.language) for one in self._near), default=0.0),
            found,
            float(self._counts[ordinal]),
        )

    def _words_around(self, name: str) -> tuple[frozenset[str], frozenset[str]]:
        """The stems of words right beside a name, and of the others; those that the name itself has say nothing."""
        written = _WORD.findall(self._text)
        words, spelt = [word.lower() for word in written], [parts_of(word) for word in written]
        own = {stem_of(part) for part in _parts(name)}
        last = name.rpartition(".")[2].lower()
        places = [place for place, word in enumerate(words) if word == last]
        near, far = set[str](), set[str]()
        for place, word in enumerate(words):
            if word not in STOP_WORDS:
                stems = {stem_of(part) for part in (word, *spelt[place])} - own
                (near if any(abs(place - each) <= _BESIDE for each in places) else far).update(stems)
        return frozenset(near), frozenset(far - near)


def languages_in(bundle: Bundle, text: str) -> frozenset[str]:
    """The languages of the bundle that a question names: a short or ambiguous name counts with a capital alone."""
    return frozenset(found for match in _WORD.finditer(text) if (found := _language(bundle, match[0])))


def language_of_part(bundle: Bundle, text: str) -> tuple[str, ...]:
    """The languages that the part of the repository is in which a question is about: ``in Go``, ``the TypeScript client``."""
    named = {_language(bundle, match[1] or match[2]) for match in _PART.finditer(text)} - {""}
    files = {file.language for file in bundle.files if file.content == Content.CODE.value}
    return tuple(sorted(each for each in files if _FAMILIES.get(each, each) in named))


def _language(bundle: Bundle, word: str) -> str:
    """The language that a word names, a dialect as what it is one of; empty if it names none."""
    names, lower = language_names(bundle.manifest.languages), word.lower()
    is_plain = len(lower) < _LEAST_LETTERS or lower in AMBIGUOUS_LANGUAGES
    return "" if lower not in names or (is_plain and word == lower) else _FAMILIES.get(names[lower], names[lower])


def _nearness(path: str, language: str, other: str, other_language: str) -> float:
    if path == other:
        return 3.0
    if path.rpartition("/")[0] == other.rpartition("/")[0]:
        return 2.0
    return float(language == other_language)


def _parts(text: str) -> list[str]:
    return [part for word in re.findall(r"\w+", text) for part in parts_of(word)]
