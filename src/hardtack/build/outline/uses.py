"""A syntax tree and its symbols in, the file's uses of names and the bindings of its variables out.

The language's ``uses.scm`` captures single nodes:

    @name     an identifier that may name something defined elsewhere
    @call     the name of a function that is called, or of a type that is instantiated
    @applied  a @call if arguments follow directly, else a @name; a query for the arguments would take longer
    @sent     an @applied that is also a @call if it has a qualifier: Ruby's ``a.b``
    @local    the name of a parameter or variable where it is bound: bare uses of it in the same scope refer to nothing outside
    @pattern  a @local if it begins with a small letter, else a @name: a name in a pattern
    @scope    a scope that is no callable symbol: an anonymous function, a comprehension
    @member   the name of a member whose owner does not precede it: the key of a structure literal
    @bare     besides: the text before it does not qualify it, though it looks so: Kotlin's ``::print``
    @variable a variable whose sigil belongs to its name, at the beginning of a chain: Ruby's ``@label.size``
    @names    a text whose words are names: a quoted annotation, an expression in a template; but the strings in Python's
              ``Literal`` are values
    @quoted   a text that is a @names where a name of Python's ``typing`` takes it
    @ability  a text that Laravel may look up in a model's policy
    @outer    the name of a variable that the enclosing function declares as bound outside: Python's ``global``
    @skip     an identifier that is none of these: a label, the keyword of an argument; unless it is a @member

The chain before a name (``a.b.name``, ``self->name``, ``ns::name``) is read from the text, since all languages write it alike while
their grammars differ. Macros that were blanked before parsing are uses, too. Nothing here knows other files.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.build.frameworks.laravel.abilities import abilities_in
from hardtack.build.languages.prose import line_starts
from hardtack.build.outline.expressions import Brackets, bindings_of, literal_before
from hardtack.build.outline.imported import imports_of
from hardtack.build.outline.qualifiers import UNKNOWN, chains_of, qualifier_of
from hardtack.build.outline.quoted import quoted_types
from hardtack.build.outline.syntax import uses_in
from hardtack.nouns.model import CALLABLES
from hardtack.nouns.relations import Use
from hardtack.text import composed

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray
    from tree_sitter import Tree

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.syntax import Match
    from hardtack.nouns.outline import Symbol
    from hardtack.nouns.relations import Binding, Import

    Captures = Mapping[str, Sequence[tuple[int, int]]]

MAX_USES: Final = 100_000
"""Maximum uses of one file; a file with more is data."""
_MAX_BYTES: Final = 200
"""Maximum length of a name; a longer word is no name."""
_REACH: Final = 160
"""Bytes before or after a name that are read."""
_BLANK_NAMES: Final = (b"_", b"")
"""Placeholders for a name."""
_WORD: Final = re.compile(rb"""'[^'\n]*'|"[^"\n]*"|\b([^\W\d]\w*)\b(?!:)""")
"""A name in group 1, or a quoted text; a word before a colon is a key."""
_MACRO: Final = re.compile(rb"(?:[A-Z][A-Z0-9_]+|[A-Za-z]\w*_\w*)\b")
_GENERIC: Final = rb"<(?>(?:[^<>(){};]++|<(?>(?:[^<>(){};]++|<[^<>(){};]*+>)*)>)*)>"
_ARGUMENTS: Final = re.compile(rb"(?:\?\.|!|(?:::)?" + _GENERIC + rb")?\(|[ \t]+\(|`")
"""The text after a name that is called: an operator or generic arguments, if any, then a bracket."""
_BEFORE_ARGUMENTS: Final = frozenset(b"?!:< \t`")
"""Bytes that may follow a name that is called, other than the bracket itself."""
_OPENING: Final = b"("[0]
_SPACE: Final = b" "[0]
_LITERAL: Final = re.compile(rb"\bLiteral\[[^\]]*\Z|\bAnnotated\[[^\]]*,[^\]]*\Z")
_MAX_DEPTH: Final = 100
"""Maximum number of enclosing scopes that are searched for a binding."""
_FIRST_WORD: Final = re.compile(r"[\w$]+(?!\()")
NOT_BOUND: Final = -1
"""The binding of a name that is no local variable."""
BOUND_SOMEHOW: Final = -2
"""The binding of a variable whose type and value are unknown."""


class FileUsages(NamedTuple):
    """A file's imports, uses and bindings, each in the order of the source."""

    imported: tuple[Import, ...] = ()
    uses: tuple[Use, ...] = ()
    bindings: tuple[Binding, ...] = ()


def usages_of(
    tree: Tree, imports: Sequence[Match], text: bytes, clean: bytes, language: Language, symbols: Sequence[Symbol]
) -> FileUsages:
    """The imports, uses and bindings of one file.

    Args:
        tree: the file's tree.
        imports: the matches of the language's imports query in it.
        text: the file's text.
        clean: the text that was parsed, without macros that the grammar does not know; these are uses, too.
        language: its language.
        symbols: its symbols.
    """
    lines = line_starts(text)
    imported = imports_of(imports, text, language, lines) if language.has_imports else ()
    if not language.has_uses:
        return FileUsages(imported)
    found = uses_in(tree, language)
    captures = {capture: [node.byte_range for node in nodes] for capture, nodes in found.items()}
    captures["macro"] = _macros_without(clean, text)
    captures["names"] = [*captures.get("names", ()), *quoted_types(captures.get("quoted", ()), text, imported)]
    holders = _NestedIntervals([(symbol.extent.start, symbol.extent.end) for symbol in symbols])
    bound = _BoundNames(captures, text, symbols)
    bindings = bound.linked(bindings_of(captures.get("local", ()), text, language, holders.innermost))
    uses = _uses(captures, text, language, symbols, holders, bound, lines)
    for start, name, owner in abilities_in(captures.get("ability", ()), text):
        scope = bound.scopes_of(np.array([start]))[0]
        line = bisect_right(lines, start)
        uses += (Use(name, owner, True, bound.binding(first_word(owner), start, scope), holders.innermost(start), start, line),)
    return FileUsages(imported, tuple(sorted(uses, key=attrgetter("start"))) if "ability" in captures else uses, bindings)


def _uses(
    captures: Captures,
    text: bytes,
    language: Language,
    symbols: Sequence[Symbol],
    holders: _NestedIntervals,
    bound: _BoundNames,
    lines: Sequence[int],
) -> tuple[Use, ...]:
    places = _places_of(captures, text, symbols)
    chains, calls, sent, bare, members = chains_of(language), places.calls, places.sent, places.bare, places.members
    brackets = Brackets(text if members else b"")
    starts = sorted(places.ends)[:MAX_USES]
    at = np.array(starts, dtype=np.int64)
    table = zip(
        starts,
        map(places.ends.__getitem__, starts),
        chains.may_qualify(text, at).tolist(),
        holders.innermost_of(at),
        bound.scopes_of(at),
        np.searchsorted(np.array(lines), at, side="right").tolist(),
        strict=True,
    )
    found: list[tuple[str, str, bool, int, int, int, int]] = []
    for start, end, may_qualify, holder, scope, line in table:
        word = text[start:end]
        qualifier = qualifier_of(text, start, chains, places.variables) if may_qualify and start not in bare else ""
        if not qualifier and start in members and start not in bare:
            made = literal_before(text, start, brackets)
            qualifier = UNKNOWN if made is None else f"{made}()" if made else ""
        if qualifier:
            if len(word) <= _MAX_BYTES and word not in _BLANK_NAMES:
                binding = bound.binding(first_word(qualifier), start, scope)
                is_call = start in calls or start in sent
                found.append((_name(word), qualifier, is_call, binding, holder, start, line))
        elif len(word) <= _MAX_BYTES and not bound.holds(word, scope) and word not in _BLANK_NAMES:
            found.append((_name(word), "", start in calls, NOT_BOUND, holder, start, line))
    return tuple(map(_use, found))


def _name(word: bytes) -> str:
    """A name as symbols have it."""
    return word.decode() if word.isascii() else composed(word.decode("utf-8", "replace"))


_use: Final = partial(tuple.__new__, Use)
"""``Use`` from a tuple of its fields: it takes a third of the time of its constructor, for each name of each file."""


@lru_cache(maxsize=1 << 14)
def first_word(chain: str) -> bytes:
    """The first name of a chain; empty if it begins with a call or no name."""
    first = _FIRST_WORD.match(chain)
    return first[0].encode() if first else b""


def _macros_without(clean: bytes, text: bytes) -> list[tuple[int, int]]:
    """(start, end) of each macro that the text has and the cleaned text has not."""
    if clean == text:
        return []
    differing = np.flatnonzero(np.frombuffer(clean, np.uint8) != np.frombuffer(text, np.uint8))
    starts = differing[np.diff(differing, prepend=-2) > 1].tolist()
    found, comment_end = [], 0
    for start in starts:
        if text.startswith(b"/*", start):
            comment_end = text.find(b"*/", start)
        elif start > comment_end and (macro := _MACRO.match(text, start)):
            found.append(macro.span())
    return found


class _Places(NamedTuple):
    """The positions of uses, and those with each capture."""

    ends: dict[int, int]
    """First byte -> one past the last."""
    calls: Collection[int]
    sent: Collection[int]
    members: Collection[int]
    bare: Collection[int]
    variables: Collection[int]


def _places_of(captures: Captures, text: bytes, symbols: Sequence[Symbol]) -> _Places:
    """The names that the captures mark, without skipped ones and the names of symbols."""
    ends = dict((*captures.get("macro", ()), *captures.get("name", ())))
    applied = (*captures.get("applied", ()), *captures.get("sent", ()))
    ends.update(applied)
    calls = _applied_in(text, applied)
    for start, end in captures.get("names", ()):
        if not _LITERAL.search(text, max(0, start - _REACH), start):
            ends.update(match.span(1) for match in _WORD.finditer(text, start, end) if match[1])
    ends.update(captures.get("call", ()))
    for start, _ in captures.get("skip", ()):
        ends.pop(start, None)
    ends.update(captures.get("member", ()))
    for symbol in symbols:
        ends.pop(symbol.selection.start, None)
    calls.update(start for start, _ in captures.get("call", ()))
    rest = ({start for start, _ in captures.get(capture, ())} for capture in ("sent", "member", "bare", "variable"))
    return _Places(ends, calls, *rest)


def _applied_in(text: bytes, names: Sequence[tuple[int, int]]) -> set[int]:
    """The first bytes of those names that are called; the next byte decides for most of them, before the regular expression."""
    found: set[int] = set()
    following = text + b"  "  # so that following[end + 1] exists after the last name
    for start, end in names:
        sign = following[end]
        if sign == _OPENING or (
            sign in _BEFORE_ARGUMENTS
            and (sign != _SPACE or following[end + 1] in b" \t(")
            and _ARGUMENTS.match(text, end, end + _REACH)
        ):
            found.add(start)
    return found


class _NestedIntervals:
    """Intervals that are nested or disjoint, and the innermost one that holds a position."""

    def __init__(self, intervals: Sequence[tuple[int, int]]) -> None:
        """``intervals`` are (start, end) in the order of their starts, outer first."""
        self._starts = [start for start, _ in intervals]
        self._ends = [end for _, end in intervals]
        self.parents: list[int] = []
        """For each interval the index of the innermost enclosing one, or -1."""
        opened: list[int] = []
        for index, (start, _) in enumerate(intervals):
            while opened and self._ends[opened[-1]] <= start:
                opened.pop()
            self.parents.append(opened[-1] if opened else -1)
            opened.append(index)

    def innermost_of(self, places: NDArray[np.int64]) -> list[int]:
        """:meth:`innermost` of many positions: computed once for each stretch between two borders, where it is constant."""
        borders = np.unique(np.array((-1, *self._starts, *self._ends)))
        inside = np.array([self.innermost(border) for border in borders.tolist()])
        found: list[int] = inside[np.searchsorted(borders, places, side="right") - 1].tolist()
        return found

    def innermost(self, at: int) -> int:
        """Index of the innermost interval that holds ``at``, or -1."""
        index = bisect_right(self._starts, at) - 1
        while index >= 0 and self._ends[index] <= at:
            index = self.parents[index]
        return index


class _BoundNames:
    """The names that functions bind, each within the innermost function or ``@scope`` around its binding."""

    def __init__(self, captures: Captures, text: bytes, symbols: Sequence[Symbol]) -> None:
        own = {symbol.selection.start for symbol in symbols}
        spans = {(symbol.extent.start, symbol.extent.end) for symbol in symbols if symbol.kind in CALLABLES}
        spans.update(captures.get("scope", ()))
        self._scopes = _NestedIntervals(sorted(spans, key=lambda span: (span[0], -span[1])))
        self.scopes_of = self._scopes.innermost_of
        """The innermost scope of each of many positions, or -1."""
        self._scopes_of: dict[bytes, set[int]] = {}
        self._bindings: dict[tuple[bytes, int], list[tuple[int, int]]] = {}
        """(name, scope) -> (position, index) of each binding, in order."""
        for start, end in captures.get("local", ()):
            self._bind(text[start:end], start, own)
        for start, end in captures.get("pattern", ()):
            if text[start : start + 1].islower():
                self._bind(text[start:end], start, own)
        for start, end in captures.get("outer", ()):
            self._scopes_of.get(text[start:end], set()).discard(self._scopes.innermost(start))

    def _bind(self, name: bytes, start: int, own: Collection[int]) -> None:
        if start not in own and (scope := self._scopes.innermost(start)) >= 0:
            self._scopes_of.setdefault(name, set()).add(scope)

    def holds(self, name: bytes, scope: int) -> bool:
        """Whether the bare ``name`` in ``scope`` is bound by a function."""
        return name in self._scopes_of and self._scope(name, scope) >= 0

    def _scope(self, name: bytes, scope: int) -> int:
        """The innermost scope that binds the name, searched from ``scope`` outwards; -1 for none."""
        scopes = self._scopes_of.get(name, ())
        for _ in range(_MAX_DEPTH if scopes else 0):
            if scope < 0 or scope in scopes:
                return scope
            scope = self._scopes.parents[scope]
        return -1

    def linked(self, bindings: Sequence[Binding]) -> tuple[Binding, ...]:
        """The bindings, each with the binding of its own value's first name; they are stored for :meth:`binding`."""
        for index, each in enumerate(bindings):
            self._bindings.setdefault((each.name.encode(), self._scopes.innermost(each.start)), []).append((each.start, index))
        return tuple(
            each._replace(bound=self.binding(first, each.start, self._scopes.innermost(each.start), is_earlier=True))
            if not each.is_type and (first := first_word(each.value))
            else each
            for each in bindings
        )

    def binding(self, name: bytes, at: int, scope: int, *, is_earlier: bool = False) -> int:
        """Index of the binding of the name at ``at``: the last one before it in the innermost scope that binds it.

        Args:
            name: any name; ``NOT_BOUND`` for one that is no variable.
            at: the position of its use.
            scope: the innermost scope around it.
            is_earlier: a later binding does not count, as for ``x = x.next``.
        """
        if name not in self._scopes_of:
            return NOT_BOUND
        around, scope = scope, self._scope(name, scope)
        while scope >= 0:
            known = self._bindings.get((name, scope), ())
            place = bisect_left(known, (at, -1)) - 1
            if place >= 0 or (known and not is_earlier):
                return known[max(place, 0)][1]
            if not is_earlier:
                return BOUND_SOMEHOW
            scope = self._scope(name, self._scopes.parents[scope])
        return BOUND_SOMEHOW if self.holds(name, around) else NOT_BOUND
