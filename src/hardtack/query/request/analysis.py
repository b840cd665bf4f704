"""A query's text in, its terms, names, identifiers and hints out, for retrieval and ranking.

Everything is derived from the text alone and from the names of the bundle's languages. No hint is a filter. A query is words, a
name, or words around a name, so most of this module tells names from words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, Protocol

from hardtack.nouns.model import Kind
from hardtack.query.request.vocabulary import (
    AFTER_A_LANGUAGE,
    AMBIGUOUS_LANGUAGES,
    BEFORE_A_LANGUAGE,
    BEFORE_A_PATH,
    INFORMATIVE_WEIGHT,
    KIND_WORDS,
    LITTLE_WEIGHT,
    REQUEST_VERBS,
    SUBJECT_WORDS,
    Subject,
    weight_of,
)
from hardtack.text import STOP_WORDS, composed, is_unspaced, parts_of, query_terms, stem_of, terms_of, unspaced_words, written_words

MAX_TERMS: Final = 64
"""Terms of a query at most. Each costs a posting list in seven fields; 64 take 2 ms over 100,000 chunks."""

# The parts of a qualified name, with the separators of all languages.
_SEPARATOR = re.compile(r"::|->|[.#\\/]")
_QUALIFIED = re.compile(r"[^\W\d]\w*(?:(?:::|->|[.#\\])[^\W\d]\w*)*")
_COMPOUND = re.compile(r"[a-z][A-Z]|[A-Z][a-z]+[A-Z]|[^_]_[^_]|::|->|[.#\\]")
_SYMBOL = re.compile(r"(?:::|->|[.#\\$@&*])?[^\W\d]\w*[!?]?(?:(?:::|->|[.#\\/])[^\W\d]\w*[!?]?)*")
_SYMBOL_MARK = re.compile(r"[^\w-]|[A-Z_]|\w[0-9]")
"""Marks a single word as a name and not prose: upper case, an underscore, a digit after a letter, a separator."""

# The identifier pattern: snake_case of any length, camelCase from 6 characters, PascalCase from 8; shorter ones are often prose.
_ASCII_WORD = re.compile(r"[A-Za-z0-9_]+")
_SNAKE = re.compile(r"[a-zA-Z0-9]_[a-zA-Z0-9]")
_CAMEL = re.compile(r"[a-z][A-Z]")
_PASCAL = re.compile(r"[A-Z][a-z]+[A-Z]")
_LEAST_CAMEL, _LEAST_PASCAL = 6, 8

_WORD = re.compile(r"\w+")
_HYPHENATED = re.compile(r"\w+(?:-\w+)*")
_CASE_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?=[A-Z][a-z]|\d|\W|$)|\d+")
_JOINT = re.compile(r"[_-]")

_QUOTED = re.compile(r'"([^"\n]+)"|`([^`\n]+)`|“([^”\n]+)”|(?<!\w)\'([^\'\n]+)\'(?!\w)')

_PATH = re.compile(r"(?:\.{0,2}/)?(?:[\w@+.-]+/)*[\w@+.-]+/?")
_AROUND = "`\"'“”()[]{}<>,;:!?"
"""Punctuation around a path in a sentence."""
_FILE_NAME = re.compile(r"(?:[\w@+-]+\.)*[\w@+-]+\.[a-z][a-z0-9]{0,9}|\.[a-z][\w-]*")
_LANGUAGE_WORD = re.compile(r"[\w+#-]+")


class NamedLanguage(Protocol):
    """A language of a bundle."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def aliases(self) -> tuple[str, ...]: ...  # noqa: D102


def language_names(languages: Iterable[NamedLanguage]) -> dict[str, str]:
    """Every name of each language, in lower case, to the language's id. Make it once a bundle."""
    names: dict[str, str] = {}
    for language in languages:
        names |= {name.lower(): language.id for name in (*language.aliases, language.name, language.id)}
    return names


def analyse(text: str, languages: Mapping[str, str] | None = None) -> TextAnalysis:
    """Analyse the text of a query.

    Args:
        text: as typed.
        languages: from :func:`language_names`; without them no language is recognised.
    """
    return TextAnalysis(text, languages or {})


class TextAnalysis:
    """The analysis of a query's text. Each property is computed at its first use and cached."""

    def __init__(self, text: str, languages: Mapping[str, str]) -> None:
        """Take a text and :func:`language_names`; nothing is computed yet."""
        self.text = composed(text)
        self.languages = languages

    # -- names --------------------------------------------------------------------------------------------------------------

    @cached_property
    def whole(self) -> str:
        """The text without surrounding space; a single name also without quotes and the ``()`` of a call."""
        whole = self.text.strip()
        if any(map(str.isspace, whole)):
            return whole
        if len(whole) > 2 and whole[0] == whole[-1] and whole[0] in "`\"'":
            whole = whole[1:-1]
        return whole.removesuffix("()") or whole

    @cached_property
    def names(self) -> list[str]:
        """Possible names of symbols: the whole text, as typed and joined by dots, then each word spelt like a compound name."""
        text = self.whole
        is_prose = text.islower() and text.replace(" ", "").isalnum()  # so no word can be a compound name
        words = [] if is_prose else [word for word in _QUALIFIED.findall(text) if _COMPOUND.search(word)]
        return list(dict.fromkeys((text, qualified(text), *map(qualified, words))))[:MAX_TERMS]

    @cached_property
    def symbol(self) -> str:
        """The query as one name, its parts joined by dots, without ``()``; empty if the query is not a single name."""
        return qualified(self.whole) if _SYMBOL.fullmatch(self.whole) else ""

    @cached_property
    def is_symbol_like(self) -> bool:
        """Whether the query is a single name and not a word of prose: ``Shelf``, ``_private``, ``std::vector``, ``open()``."""
        return bool(self.symbol) and (self.whole != self.text.strip() or _SYMBOL_MARK.search(self.whole) is not None)

    @cached_property
    def identifiers(self) -> tuple[str, ...]:
        """The words that :func:`is_identifier` accepts, in order, each once."""
        return tuple(dict.fromkeys(word for word in _ASCII_WORD.findall(self.text) if is_identifier(word)))

    @property
    def has_identifier(self) -> bool:
        """Whether there are any :attr:`identifiers`."""
        return bool(self.identifiers)

    @cached_property
    def splits(self) -> dict[str, tuple[str, ...]]:
        """Each compound word and its parts, both as written: ``getUserById`` -> ``get User By Id``."""
        words = dict.fromkeys(_HYPHENATED.findall(self.text))
        return {word: parts for word in words if (parts := split(word))}

    @cached_property
    def normalized_keyword_query(self) -> str:
        """The words in order, each compound word followed by its parts. ``analyze_query`` and ``explain`` show it."""
        tokens: list[str] = []
        for word in _HYPHENATED.findall(self.text):
            tokens += (word, *self.splits.get(word, ()))
        return " ".join(tokens)

    # -- words --------------------------------------------------------------------------------------------------------------

    @cached_property
    def terms(self) -> list[str]:
        """Distinct search terms in order, at most :data:`MAX_TERMS`."""
        return list(dict.fromkeys(query_terms(self.text)))[:MAX_TERMS]

    @cached_property
    def unspaced(self) -> tuple[tuple[str, ...], ...]:
        """The terms of each run of letters that are written without spaces between words, as far as they are :attr:`terms`."""
        terms = frozenset(self.terms)
        return tuple(run for run in dict.fromkeys(map(tuple, unspaced_words(self.text))) if terms.issuperset(run))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words in order, in lower case, repeats kept."""
        return tuple(written_words(self.text.lower()))

    @cached_property
    def content_words(self) -> tuple[str, ...]:
        """Distinct words without stop words and a leading request verb; all words if none is left."""
        words = self.words[1:] if len(self.words) > 2 and self.words[0] in REQUEST_VERBS else self.words
        return tuple(dict.fromkeys(word for word in words if word not in STOP_WORDS)) or tuple(dict.fromkeys(self.words))

    @cached_property
    def content_terms(self) -> tuple[str, ...]:
        """Those of :attr:`terms` that are no stop word or leading request verb; all terms if none is left."""
        verb = self.words[0] if len(self.words) > 2 and self.words[0] in REQUEST_VERBS else ""
        return tuple(term for term in self.terms if term not in STOP_WORDS and term != verb) or tuple(self.terms)

    @cached_property
    def parts(self) -> frozenset[str]:
        """The parts of all terms, which the parts of names are compared with."""
        return frozenset(part for term in self.terms for part in ((term,) if term.isalpha() else parts_of(term)))

    @cached_property
    def stems(self) -> dict[str, str]:
        """Each of :attr:`content_terms` to its stem."""
        return {term: stem_of(term) for term in self.content_terms}

    @cached_property
    def compounds(self) -> frozenset[str]:
        """Those of :attr:`terms` that are compound names, whose parts are terms as well."""
        of_words = map(terms_of, {*_WORD.findall(self.text)})
        return frozenset(terms[0] for terms in of_words if len(terms) > 1 and not is_unspaced(terms[0]))

    @cached_property
    def weights(self) -> dict[str, float]:
        """Each of :attr:`content_terms` to its weight.

        If all weights are below :data:`INFORMATIVE_WEIGHT`, they are scaled up until the greatest one reaches it.
        """
        weights = {term: weight_of(stem) for term, stem in self.stems.items()}
        most = min(max(weights.values(), default=1.0) / INFORMATIVE_WEIGHT, 1.0)
        return {term: weight / most for term, weight in weights.items()}

    @cached_property
    def describes_change(self) -> bool:
        """Whether the text begins like the subject of a commit, with a verb of little weight: ``Fix ...``."""
        first = self.words[0] if len(self.content_terms) > 1 else ""
        return bool(first) and first not in STOP_WORDS and weight_of(stem_of(first)) < LITTLE_WEIGHT

    # -- hints --------------------------------------------------------------------------------------------------------------

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """The texts in quotation marks or backquotes, as written."""
        return tuple(dict.fromkeys(next(filter(None, match.groups())) for match in _QUOTED.finditer(self.text)))

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of symbols that words of the query name; none for a query that is a name."""
        if self.is_symbol_like:
            return ()
        return tuple(dict.fromkeys(KIND_WORDS[word] for word in self.words if word in KIND_WORDS))

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        """The sorts of files that words of the query name."""
        return tuple(dict.fromkeys(SUBJECT_WORDS[term] for term in self.terms if term in SUBJECT_WORDS))

    @cached_property
    def language_hints(self) -> tuple[str, ...]:
        """Ids of the languages that the query probably asks for, as in ``retry in rust`` and ``python function``."""
        if not self.languages:
            return ()
        words = _LANGUAGE_WORD.findall(self.text.lower())
        hints: dict[str, None] = {}
        for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
            if word not in self.languages:
                continue
            if word in AMBIGUOUS_LANGUAGES:
                is_hint = after in ("file", "files")
            else:
                is_hint = before in BEFORE_A_LANGUAGE or after in AFTER_A_LANGUAGE or after in KIND_WORDS
            if is_hint:
                hints[self.languages[word]] = None
        return tuple(hints)

    @cached_property
    def path_hints(self) -> tuple[str, ...]:
        """Possible files, folders and ends of paths, without a leading slash: ``src/foo.py``, ``tests/``, ``Cargo.toml``."""
        if "/" not in self.text and "." not in self.text:
            return ()
        hints: dict[str, None] = {}
        before = ""
        for word in self.text.split():
            if "/" in word or "." in word:
                path = word.strip(_AROUND).rstrip(".").strip(_AROUND)
                if _PATH.fullmatch(path) and _is_path(path, before):
                    hints[path.removeprefix("./").lstrip("/")] = None
            before = word.lower()
        return tuple(hint for hint in hints if hint)


def _is_path(path: str, before: str) -> bool:
    """Whether a word that could be a path probably is: it ends in a file name or slash, has several slashes, or follows ``in``."""
    name = path.rpartition("/")[2]
    if "/" not in path:
        return _FILE_NAME.fullmatch(name) is not None
    return not name or _FILE_NAME.fullmatch(name) is not None or path.count("/") > 1 or before in BEFORE_A_PATH or path[0] in "./"


def qualified(name: str) -> str:
    """A qualified name in NFC, with the separators of any language replaced by dots; a text with a space is returned unchanged."""
    return name if " " in name else _SEPARATOR.sub(".", composed(name)).strip(".")


def is_identifier(word: str) -> bool:
    """Whether a word of ASCII letters, digits and underscores is snake_case, camelCase or PascalCase, of enough characters."""
    if "_" in word and _SNAKE.search(word):
        return True
    if word.islower():
        return False
    if len(word) >= _LEAST_CAMEL and word[0].islower() and _CAMEL.search(word):
        return True
    return len(word) >= _LEAST_PASCAL and _PASCAL.search(word) is not None


def split(word: str) -> tuple[str, ...]:
    """The parts of a compound word as written, split by case, then by ``_`` and ``-``; empty for any other word."""
    if word.islower() and word.isalpha():
        return ()
    by_case = _CASE_PART.findall(word)
    by_joint = [part for part in _JOINT.split(word) if part]
    parts = dict.fromkeys((*(by_case if len(by_case) > 1 else ()), *(by_joint if len(by_joint) > 1 else ())))
    return tuple(part for part in parts if part != word)
