"""A syntax tree and its symbols in, where the file uses names out, and what its variables are.

What to look for is said by the language's ``uses.scm``. It captures nodes, each by itself:

    @name     an identifier that may name something defined elsewhere
    @call     the name of what is called or instantiated
    @applied  a @call where arguments follow directly, else a @name: a query that looks around it would take longer
    @sent     an @applied that is a @call too where it has a qualifier: Ruby's ``a.b``
    @local    the name of a parameter or variable where it is bound: a bare use of it around there means nothing outside
    @pattern  a @local that a pattern binds if it begins with a small letter, else a @name
    @scope    what "around there" ends at, where it is no symbol that can be called: an anonymous function, a comprehension
    @member   the name of a member of something that does not stand before it: the key of a structure's literal
    @bare     besides: what stands before it does not qualify it, though it is written like that: Kotlin's ``::print``
    @variable a variable whose first sign belongs to its name, where it begins a chain: Ruby's ``@label.size``
    @names    a text whose words are names: a quoted annotation, an expression in a template; but what Python's ``Literal``
              quotes is values
    @outer    the name of a variable that the function around it says is bound outside: Python's ``global``
    @skip     an identifier that names nothing of the sort: a label, the keyword of an argument; unless it is a @member

Where a name stands in a chain (``a.b.name``, ``self->name``, ``ns::name``) is read from the text before it: that is written alike
in every language, where grammars differ in each. Macros that the grammar was not shown are uses, too.
Nothing here knows other files.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.build.languages.prose import line_starts
from hardtack.build.outline.expressions import Brackets, bindings_of, literal_before
from hardtack.build.outline.imported import imports_of
from hardtack.build.outline.qualifiers import UNKNOWN, chains_of, qualifier_of
from hardtack.build.outline.syntax import uses_in
from hardtack.nouns.model import CALLABLES
from hardtack.nouns.relations import Use

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray
    from tree_sitter import Tree

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.syntax import Match
    from hardtack.nouns.outline import Symbol
    from hardtack.nouns.relations import Binding, Import

    Captures = Mapping[str, Sequence[tuple[int, int]]]

MOST_USES: Final = 100_000
"""Of one file; a file with more is data."""
_MOST_BYTES: Final = 200
"""Of a name; what is longer is none."""
_REACH: Final = 160
"""Bytes before or after a name that are looked at."""
_BLANK_NAMES: Final = (b"_", b"")
"""Names that say that there is none."""
_WORD: Final = re.compile(rb"""'[^'\n]*'|"[^"\n]*"|\b([^\W\d]\w*)\b(?!:)""")
"""A name in group 1, or what is quoted; what a colon follows is a key."""
_MACRO: Final = re.compile(rb"(?:[A-Z][A-Z0-9_]+|[A-Za-z]\w*_\w*)\b")
_GENERIC: Final = rb"<(?>(?:[^<>(){};]++|<(?>(?:[^<>(){};]++|<[^<>(){};]*+>)*)>)*)>"
_ARGUMENTS: Final = re.compile(rb"(?:\?\.|!|(?:::)?" + _GENERIC + rb")?\(|[ \t]+\(|`")
"""What follows a name that is called: perhaps an operator or the arguments for type parameters, then a bracket."""
_BEFORE_ARGUMENTS: Final = frozenset(b"?!:< \t`")
"""What may follow a name that is called, other than the bracket itself."""
_OPENING: Final = b"("[0]
_SPACE: Final = b" "[0]
_LITERAL: Final = re.compile(rb"\bLiteral\[[^\]]*\Z")
_DEEPEST: Final = 100
"""Scopes around a name in which a binding is looked for: each is a step, for every name."""
_FIRST_WORD: Final = re.compile(r"[\w$]+(?!\()")
NOT_BOUND: Final = -1
"""The binding of a name that is no variable of a function."""
BOUND_SOMEHOW: Final = -2
"""The binding of a variable of which nothing is known."""


class FileUsages(NamedTuple):
    """What a file says of names that are defined elsewhere; each in order of the source."""

    imported: tuple[Import, ...] = ()
    uses: tuple[Use, ...] = ()
    bindings: tuple[Binding, ...] = ()


def usages_of(
    tree: Tree, imports: Sequence[Match], text: bytes, clean: bytes, language: Language, symbols: Sequence[Symbol]
) -> FileUsages:
    """What one file imports, where it uses names, and what its variables are.

    Args:
        tree: the file's.
        imports: what the language's imports query matches in it.
        text: the file's.
        clean: the same as the grammar could read it: the macros that it lacks are uses, too.
        language: its.
        symbols: its.
    """
    lines = line_starts(text)
    imported = imports_of(imports, text, language, lines) if language.has_imports else ()
    if not language.has_uses:
        return FileUsages(imported)
    found = uses_in(tree, language)
    captures = {capture: [node.byte_range for node in nodes] for capture, nodes in found.items()}
    captures["macro"] = _macros_without(clean, text)
    holders = _Nested([(symbol.extent.start, symbol.extent.end) for symbol in symbols])
    bound = _Bound(captures, text, symbols)
    bindings = bound.given(bindings_of(captures.get("local", ()), text, language, holders.innermost))
    return FileUsages(imported, _uses(captures, text, language, symbols, holders, bound, lines), bindings)


def _uses(
    captures: Captures,
    text: bytes,
    language: Language,
    symbols: Sequence[Symbol],
    holders: _Nested,
    bound: _Bound,
    lines: Sequence[int],
) -> tuple[Use, ...]:
    places = _places_of(captures, text, symbols)
    chains, calls, sent, bare, members = chains_of(language), places.calls, places.sent, places.bare, places.members
    brackets = Brackets(text if members else b"")
    starts = sorted(places.ends)[:MOST_USES]
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
            if len(word) <= _MOST_BYTES and word not in _BLANK_NAMES:
                binding = bound.binding(first_word(qualifier), start, scope)
                is_call = start in calls or start in sent
                found.append((word.decode("utf-8", "replace"), qualifier, is_call, binding, holder, start, line))
        elif len(word) <= _MOST_BYTES and not bound.holds(word, scope) and word not in _BLANK_NAMES:
            found.append((word.decode("utf-8", "replace"), "", start in calls, NOT_BOUND, holder, start, line))
    return tuple(map(_use, found))


_use: Final = partial(tuple.__new__, Use)
"""A use of a tuple of its fields: for each name of each file, a third of what its own constructor takes."""


@lru_cache(maxsize=1 << 14)
def first_word(chain: str) -> bytes:
    """The first name of a chain; empty where it begins with none, or with a call."""
    first = _FIRST_WORD.match(chain)
    return first[0].encode() if first else b""


def _macros_without(clean: bytes, text: bytes) -> list[tuple[int, int]]:
    """Start and end of each macro that a text has and, at the same place, its clean twin has not."""
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
    """Where names are used, and what is known of them before their text is looked at."""

    ends: dict[int, int]
    """First byte -> one past the last."""
    calls: Collection[int]
    sent: Collection[int]
    members: Collection[int]
    bare: Collection[int]
    variables: Collection[int]


def _places_of(captures: Captures, text: bytes, symbols: Sequence[Symbol]) -> _Places:
    """The names that the captures speak of, without what is to be skipped and the symbols' own."""
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
    """The first bytes of those names that are called; what follows most of them tells it at once."""
    found: set[int] = set()
    following = text + b"  "
    for start, end in names:
        sign = following[end]
        if sign == _OPENING or (
            sign in _BEFORE_ARGUMENTS
            and (sign != _SPACE or following[end + 1] in b" \t(")
            and _ARGUMENTS.match(text, end, end + _REACH)
        ):
            found.add(start)
    return found


class _Nested:
    """Intervals that lie in each other or apart, by what they hold."""

    def __init__(self, intervals: Sequence[tuple[int, int]]) -> None:
        """``intervals`` in order of their starts, the outer first."""
        self._starts = [start for start, _ in intervals]
        self._ends = [end for _, end in intervals]
        self.parents: list[int] = []
        """For each the index of the innermost other one around it, or -1."""
        opened: list[int] = []
        for index, (start, _) in enumerate(intervals):
            while opened and self._ends[opened[-1]] <= start:
                opened.pop()
            self.parents.append(opened[-1] if opened else -1)
            opened.append(index)

    def innermost_of(self, places: NDArray[np.int64]) -> list[int]:
        """:meth:`innermost` of each of many places: between two borders of intervals it is the same for all."""
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


class _Bound:
    """The names that functions bind, each within the innermost function or ``@scope`` around its binding."""

    def __init__(self, captures: Captures, text: bytes, symbols: Sequence[Symbol]) -> None:
        own = {symbol.selection.start for symbol in symbols}
        spans = {(symbol.extent.start, symbol.extent.end) for symbol in symbols if symbol.kind in CALLABLES}
        spans.update(captures.get("scope", ()))
        self._scopes = _Nested(sorted(spans, key=lambda span: (span[0], -span[1])))
        self.scopes_of = self._scopes.innermost_of
        """The scope around each of many places, or -1."""
        self._scopes_of: dict[bytes, set[int]] = {}
        self._bindings: dict[tuple[bytes, int], list[tuple[int, int]]] = {}
        """Name and scope -> where each binding stands, and its index; in order."""
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
        """Whether the bare ``name`` in ``scope`` is one of them."""
        return name in self._scopes_of and self._scope(name, scope) >= 0

    def _scope(self, name: bytes, scope: int) -> int:
        """The innermost scope that binds the name, from one outwards; -1 for none."""
        scopes = self._scopes_of.get(name, ())
        for _ in range(_DEEPEST if scopes else 0):
            if scope < 0 or scope in scopes:
                return scope
            scope = self._scopes.parents[scope]
        return -1

    def given(self, bindings: Sequence[Binding]) -> tuple[Binding, ...]:
        """The bindings, each with what its own value's first name is bound to; :meth:`binding` then knows them."""
        for index, each in enumerate(bindings):
            self._bindings.setdefault((each.name.encode(), self._scopes.innermost(each.start)), []).append((each.start, index))
        return tuple(
            each._replace(bound=self.binding(first, each.start, self._scopes.innermost(each.start), is_earlier=True))
            if not each.is_type and (first := first_word(each.value))
            else each
            for each in bindings
        )

    def binding(self, name: bytes, at: int, scope: int, *, is_earlier: bool = False) -> int:
        """Index of the binding that holds for the name at ``at``: the last before it in the innermost scope that binds it.

        Args:
            name: a variable's, or not.
            at: where it is used.
            scope: the innermost around it.
            is_earlier: one that comes later does not count, as for ``x = x.next``.
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
