"""The places where functions bind names in, the names that are hidden and the binding of a use out: local scoping.

A name is bound in the innermost ``@block`` or ``@scope`` around it, or, if ``@hoisted``, in the innermost function. It counts in
all of that, or, where the language's ``scoping`` says ``declared_first``, from its place on; in any language from the end of the
``@declaration`` around it: ``x := x.next`` uses an earlier ``x``. A ``@body`` is behind what declares: ``for x in x.items() {}``.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from hardtack.nouns.model import CALLABLES, VALUES, VARIABLES
from hardtack.nouns.relations import Binding

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardtack.build.languages.registry import Language
    from hardtack.nouns.outline import Symbol

BOUND_SOMEHOW: Final = -2
"""The binding of a variable whose type and value are unknown."""
NOT_BOUND: Final = -1
"""The binding of a name that is no local variable."""
_MAX_DEPTH: Final = 100
"""Maximum number of enclosing scopes that are searched for a binding."""
_FIRST_WORD: Final = re.compile(r"[\w$]+(?!\()")
_FUNCTION_AFTER: Final = re.compile(
    rb"\s*+(?:[(<]|:[^=,()\n]*\((?>(?:[^()]|\([^()]*\))*)\)\s*+->|:[^=,()\n]*\([^=,()\n]*\([^()]*\)\s*+->"
    rb"|=\s*+(?:\{|\w*::|fun\b|delegate\b|(?:async\s++)?(?:\w++|\([^()\n]*+\))\s*+=>))"
)
"""What follows the name of a variable that holds a function, or of a local function."""
_FUNCTION_BEFORE: Final = re.compile(rb"\b(?:Func|Action|Predicate|\w*(?:Handler|Callback|Delegate))(?:<[^;\n]*>)?\??[ \t]+\Z")
_REACH: Final = 160
"""Bytes before a name that are searched for its type."""

Captures: TypeAlias = Mapping[str, Sequence[tuple[int, int]]]
"""Name of a capture -> (start, end) of each of its nodes, in no order."""


@lru_cache(maxsize=1 << 14)
def first_word(chain: str) -> bytes:
    """The first name of a chain; empty if it begins with a call or no name."""
    first = _FIRST_WORD.match(chain)
    return first[0].encode() if first else b""


class NestedIntervals:
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

    def start(self, index: int) -> int:
        """The start of an interval; 0 for -1."""
        return self._starts[index] if index >= 0 else 0

    def innermost(self, at: int) -> int:
        """Index of the innermost interval that holds ``at``, or -1."""
        index = bisect_right(self._starts, at) - 1
        while index >= 0 and self._ends[index] <= at:
            index = self.parents[index]
        return index


def is_local(symbol: Symbol, symbols: Sequence[Symbol]) -> bool:
    """Whether a symbol is a variable of a function."""
    parent = symbol
    while parent.kind in VALUES and parent.parent >= 0:
        parent = symbols[parent.parent]
    return symbol.kind in VARIABLES and parent.kind in CALLABLES


class Locals:
    """The names that functions bind, and those that the statements at the top of a file do without declaring a symbol."""

    def __init__(self, captures: Captures, text: bytes, language: Language, symbols: Sequence[Symbol]) -> None:
        """``captures`` are those of the language's ``uses`` query, ``symbols`` those of the file."""
        self._text = text
        functions = {(symbol.extent.start, symbol.extent.end) for symbol in symbols if symbol.kind in CALLABLES}
        functions.update(captures.get("scope", ()))
        spans = sorted({*functions, *captures.get("block", ())}, key=lambda span: (span[0], -span[1]))
        self._scopes = NestedIntervals(spans)
        self.scopes_of = self._scopes.innermost_of
        """The innermost scope of each of many positions, or -1."""
        self._is_function = [span in functions for span in spans]
        are_symbols = "local_symbols" in language.scoping
        named = [index for index, symbol in enumerate(symbols) if are_symbols and is_local(symbol, symbols)]
        self.hidden = tuple(index for index, symbol in enumerate(symbols) if are_symbols and self._is_hidden(symbol))
        """Indexes of the symbols that are variables of functions without a name."""
        self._own = {symbol.selection.start for symbol in symbols} - {
            symbols[index].selection.start for index in (*named, *self.hidden)
        }
        self._is_ordered = "declared_first" in language.scoping
        self._hide_no_calls = "own_functions" in language.scoping
        self._may_be_functions = "callable_variables" in language.scoping
        self._declarations = _Declarations(captures)
        self._seen: dict[bytes, dict[int, int]] = {}
        """Name -> scope that binds it -> the first position where it counts."""
        self._bound_in: dict[int, int] = {}
        """First byte of a name where it is bound -> the scope that binds it."""
        self._called: set[bytes] = set()
        """Names of variables that hold functions."""
        self._bindings: dict[tuple[bytes, int], list[tuple[int, int]]] = {}
        """(name, scope) -> (first position where it counts, index) of each binding, in order."""
        for start, end in captures.get("local", ()):
            self._bind(start, end, self._scopes.innermost(start))
        for start, end in captures.get("hoisted", ()):
            self._bind(start, end, self._function(self._scopes.innermost(start)))
        for start, end in captures.get("pattern", ()):
            if text[start : start + 1].islower():
                self._bind(start, end, self._scopes.innermost(start))
        for start, end in captures.get("outer", ()):
            self._seen.get(text[start:end], {}).pop(self._function(self._scopes.innermost(start)), None)

    def _is_hidden(self, symbol: Symbol) -> bool:
        is_outside = symbol.kind in VARIABLES and symbol.parent < 0
        return is_outside and self._function(self._scopes.innermost(symbol.selection.start)) >= 0

    def _bind(self, start: int, end: int, scope: int) -> None:
        if start in self._own:
            return
        self._bound_in[start] = scope
        if scope < 0:
            return
        name, begin = self._text[start:end], self._begin(start, scope)
        seen = self._seen.setdefault(name, {})
        seen[scope] = min(seen.get(scope, begin), begin if begin > start or self._is_ordered else -1)
        if self._may_be_functions and (
            _FUNCTION_AFTER.match(self._text, end) or _FUNCTION_BEFORE.search(self._text, max(0, start - _REACH), start)
        ):
            self._called.add(name)

    def _begin(self, start: int, scope: int) -> int:
        """The first position where the name bound at ``start`` counts: the end of its declaration, if the scope holds that."""
        declaration = self._declarations.around(start)
        return start if declaration is None or declaration[0] < self._scopes.start(scope) else declaration[1]

    def _function(self, scope: int) -> int:
        """The innermost function that is or holds a scope, or -1."""
        while scope >= 0 and not self._is_function[scope]:
            scope = self._scopes.parents[scope]
        return scope

    def holds(self, name: bytes, scope: int, at: int, *, is_call: bool) -> bool:
        """Whether the bare ``name`` at ``at``, in ``scope``, is a variable of a function, or the place where one is bound."""
        if name not in self._seen or (is_call and self._hide_no_calls and name not in self._called):
            return False
        return self._scope(name, scope, at) >= 0 or self._bound_in.get(at, -1) in self._seen[name]

    def _scope(self, name: bytes, scope: int, at: int) -> int:
        """The innermost scope that binds the name at ``at``, searched from ``scope`` outwards; -1 for none."""
        seen = self._seen.get(name, {})
        for _ in range(_MAX_DEPTH if seen else 0):
            if scope < 0 or seen.get(scope, at + 1) <= at:
                return scope
            scope = self._scopes.parents[scope]
        return -1

    def linked(self, bindings: Sequence[Binding]) -> tuple[Binding, ...]:
        """The bindings, each with the binding of its own value's first name; they are stored for :meth:`binding`."""
        for index, each in enumerate(bindings):
            if each.start in self._bound_in:
                scope = self._bound_in[each.start]
                insort(self._bindings.setdefault((each.name.encode(), scope), []), (self._begin(each.start, scope), index))
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
        around = scope
        scope = self._scope(name, scope, at)
        while scope >= 0:
            known = self._bindings.get((name, scope), ())
            place = bisect_right(known, (at, -1)) - 1
            if place >= 0 or (known and not is_earlier):
                return known[max(place, 0)][1]
            if not is_earlier:
                return BOUND_SOMEHOW
            scope = self._scope(name, self._scopes.parents[scope], at)
        if self._scope(name, around, at) >= 0:
            return BOUND_SOMEHOW
        return self._at_top(name, at, around)

    def _at_top(self, name: bytes, at: int, scope: int) -> int:
        """Index of the binding by a statement at the top of the file: the last one before; in functions the only one."""
        known = self._bindings.get((name, -1), ())
        if self._function(scope) >= 0:
            return known[0][1] if len(known) == 1 else BOUND_SOMEHOW if known else NOT_BOUND
        place = bisect_right(known, (at, -1)) - 1
        return known[place][1] if place >= 0 else NOT_BOUND


class _Declarations:
    """Where what is declared begins to count."""

    def __init__(self, captures: Captures) -> None:
        bodies = {end: start for start, end in captures.get("body", ())}
        spans = sorted((start, bodies.get(end, end)) for start, end in captures.get("declaration", ()))
        self._ends = [end for _, end in spans]
        self._spans = NestedIntervals(spans)

    def around(self, at: int) -> tuple[int, int] | None:
        """(start, end) of the innermost declaration around ``at``; None outside of any."""
        index = self._spans.innermost(at)
        return (self._spans.start(index), self._ends[index]) if index >= 0 else None
