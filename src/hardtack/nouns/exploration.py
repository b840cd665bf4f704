"""What an exploration finds: the symbols that are asked about, the ways between them, code, and what stands around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardtack.nouns.relations import Certainty
from hardtack.nouns.usages import CallingSymbol


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploredSymbol:
    """A symbol, or some lines of a file where ``name`` is empty."""

    kind: str
    name: str
    """Qualified."""
    path: str
    first: int
    """Line of its beginning, doc comment and decorators included."""
    last: int
    line: int
    """Line of its name."""
    language: str
    is_test: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WayStep:
    """One step of a way: a symbol, and the place in it that leads to the next."""

    symbol: ExploredSymbol
    line: int
    code: str
    """The line, shortened if it is long."""
    certainty: Certainty
    condition: str = ""
    """The innermost line around the place that decides whether it is reached (``if c.handlers != nil {``); empty if none does."""
    through: str = ""
    """The method of a supertype that is called, where which one runs is decided at run time."""
    among: int = 0
    """Methods that override that one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The calls that lead from one symbol to another."""

    start: ExploredSymbol
    end: ExploredSymbol
    steps: tuple[WayStep, ...]
    """From the start; empty if no way is known."""
    begins: tuple[ExploredSymbol, ...] = ()
    """Without steps: where the ways that are known to the end begin, tests aside."""
    is_whole: bool = True
    """Without steps: whether all that leads to the end was looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place with its code."""

    symbol: ExploredSymbol
    first: int
    """Number of the first line of ``code``."""
    code: str
    match_line: int = 0
    """The line that matters most; 0 if none does more than others."""
    is_cut: bool = False
    """``code`` is not the whole symbol."""
    rest: tuple[ExploredSymbol, ...] = ()
    """The methods of a type whose code is not shown, or the other functions of that name in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callers:
    """What calls or names a symbol, tests aside; the surest first, those in examples last."""

    symbols: tuple[CallingSymbol, ...] = ()
    left: int = 0
    """Further ones, which were only counted."""

    def __bool__(self) -> bool:
        return bool(self.symbols)


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What stands around one symbol."""

    symbol: ExploredSymbol
    callers: Callers = Callers()
    """What calls it or names it as a value."""
    through: tuple[tuple[str, Callers], ...] = ()
    """Methods that it overrides, each with what calls that: which one runs is decided at run time."""
    named: Callers = Callers()
    """Of a type, what names it without a call: passes it on, registers it, or declares something of it. Of a field or a
    variable, what reads or sets it."""
    tests: tuple[ExploredSymbol, ...] = ()
    """Tests that call it themselves; without a name where a place in a test file is in no function."""
    tests_through: tuple[ExploredSymbol, ...] = ()
    """Tests that reach it through others, the nearest first."""
    tests_possible: tuple[ExploredSymbol, ...] = ()
    """Tests that use its name where nothing tells that it is meant, at the line of that use."""
    second: tuple[tuple[ExploredSymbol, Certainty], ...] = ()
    """What calls its callers, tests aside, at the line of that call, with the certainty of the weaker step; the surest first."""
    is_second_whole: bool = True
    """Whether all of these were looked at."""
    supertypes: tuple[str, ...] = ()
    """``inherits Shelf path:line``, of what it stands on."""
    subtypes: tuple[tuple[str, ExploredSymbol], ...] = ()
    """What stands on it, each with its relation (``embeds``); of a method what overrides it."""
    siblings: tuple[ExploredSymbol, ...] = ()
    """What stands on the same types as it does."""
    elsewhere: tuple[str, ...] = ()
    """``path:line, line`` of code that has its name, tests aside; looked for only where nothing is known to call or name it."""
    unresolved: int = 0
    """Uses of its name that nothing ties to a symbol."""
    is_whole: bool = True
    """Whether all that reaches it was looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambiguous:
    """A name that several symbols have, or words that lead to several."""

    name: str
    candidates: tuple[ExploredSymbol, ...]
    """The likeliest first; the rest is counted."""
    count: int
    why: str = ""
    """Why the name is taken for the first of them; empty if it is taken for none."""
    is_words: bool = False
    """It is words of the question, which were searched for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """A type that is named and is not in the bundle, and what stands on it there."""

    name: str
    subtypes: tuple[tuple[str, ExploredSymbol], ...]
    """Each with its relation."""


WEAK: Final = 0.1
"""The score below which the best place is called unlikely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """The answer to a question."""

    best: float
    """Score of the best place that was searched for, 0 to 1; 1 where a symbol was named."""
    named: tuple[ExploredSymbol, ...] = ()
    """The symbols that the question names."""
    ways: tuple[Way, ...] = ()
    places: tuple[Place, ...] = ()
    """What matters with its code, best first."""
    spare: tuple[Place, ...] = ()
    """What is worth its code where there is room: callers, tests, what else a name can mean, what a search found besides."""
    around: tuple[Around, ...] = ()
    ambiguous: tuple[Ambiguous, ...] = ()
    unknown: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Names of the question that nothing has, each with the nearest ones."""
    outside: tuple[Outside, ...] = ()
    further: tuple[ExploredSymbol, ...] = ()
    """Places that rank after these."""
    asks_usages: bool = False
    """The question is about who uses something."""
    asks_tests: bool = False
    """The question is about tests."""
    note: str = ""
    """What may be missing, and why."""

    @property
    def is_weak(self) -> bool:
        """Whether the best place is unlikely to be what is asked for."""
        return self.best < WEAK
