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
in every language, where grammars differ in each. Nothing here knows other files.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.expressions import Brackets, bindings_of, chain_before, literal_before
from hardtack.build.imported import imports_of
from hardtack.build.languages.prose import line_starts
from hardtack.build.syntax import cursor_of
from hardtack.model import CALLABLES
from hardtack.relations import Use

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tree_sitter import Node, Tree

    from hardtack.build.languages.registry import Language
    from hardtack.model import Symbol
    from hardtack.relations import Binding, Import

MOST_USES: Final = 100_000
"""Of one file; a file with more is data."""
_MOST_CHARACTERS: Final = 200
"""Of a qualifier or module; what is longer is cut."""
_MOST_BYTES: Final = 200
"""Of a name; what is longer is none."""
_REACH: Final = 160
"""Bytes before a name in which its chain is looked for."""
_BLANK: Final = b" \t\r\n"
_BLANK_NAMES: Final = (b"_", b"")
"""Names that say that there is none."""
_WORD: Final = re.compile(rb"""'[^'\n]*'|"[^"\n]*"|\b([^\W\d]\w*)\b(?!:)""")
"""A name in group 1, or what is quoted; what a colon follows is a key."""
_GENERIC: Final = rb"<(?:[^<>(){};]++|<(?:[^<>(){};]++|<[^<>(){};]*+>)*+>)*+>"
_ARGUMENTS: Final = re.compile(rb"(?:\?\.|!|(?:::)?" + _GENERIC + rb")?\(|[ \t]+\(|`")
"""What follows a name that is called: perhaps an operator or the arguments for type parameters, then a bracket."""
_LITERAL: Final = re.compile(rb"\bLiteral\[[^\]]*\Z")
_ROOTS: Final = (b"\\", b"::")
"""Joints that lead a name which is looked for from the root."""
_CLOSERS: Final = (b")", b"]", b">", b"}", b'"', b"'")
"""What ends something that is no name and may stand before a joint."""
_DEEPEST: Final = 100
"""Scopes around a name in which a binding is looked for: each is a step, for every name."""
_FIRST_WORD: Final = re.compile(r"[\w$]+(?!\()")
NOT_BOUND: Final = -1
"""The binding of a name that is no variable of a function."""
BOUND_SOMEHOW: Final = -2
"""The binding of a variable of which nothing is known."""
UNKNOWN: Final = "()"
"""The qualifier of a name that follows something that is no chain of names."""
ROOT: Final = "\\"
"""The qualifier of a name that is looked for from the root: ``\\strlen``, ``::open``."""


class Mentions(NamedTuple):
    """What a file says of names that are defined elsewhere; each in order of the source."""

    imported: tuple[Import, ...] = ()
    uses: tuple[Use, ...] = ()
    bindings: tuple[Binding, ...] = ()


def mentions_of(tree: Tree, text: bytes, language: Language, symbols: Sequence[Symbol]) -> Mentions:
    """What one file imports, where it uses names, and what its variables are."""
    lines = line_starts(text)
    imported = imports_of(tree, text, language, lines) if language.has_imports else ()
    if not language.has_uses:
        return Mentions(imported)
    captures = cursor_of(language, "uses").captures(tree.root_node)
    holders = _Nested([(symbol.extent.start, symbol.extent.end) for symbol in symbols])
    bound = _Bound(captures, text, symbols)
    bindings = bound.given(bindings_of(captures.get("local", ()), text, language, holders.innermost))
    return Mentions(imported, _uses(captures, text, language, symbols, holders, bound, lines), bindings)


def _uses(
    captures: Mapping[str, Sequence[Node]],
    text: bytes,
    language: Language,
    symbols: Sequence[Symbol],
    holders: _Nested,
    bound: _Bound,
    lines: Sequence[int],
) -> tuple[Use, ...]:
    places = _places_of(captures, text, symbols)
    chains = _chains_of(language)
    brackets = Brackets(text if places.members else b"")
    found: list[Use] = []
    for start in sorted(places.ends)[:MOST_USES]:
        word = text[start : places.ends[start]]
        qualifier = _qualifier(text, start, chains, places.variables) if start and text[start - 1] in chains.ends else ""
        if start in places.bare:
            qualifier = ""
        elif not qualifier and start in places.members:
            made = literal_before(text, start, brackets)
            qualifier = UNKNOWN if made is None else f"{made}()" if made else ""
        if (qualifier or not bound.holds(word, start)) and word not in _BLANK_NAMES and len(word) <= _MOST_BYTES:
            name = word.decode("utf-8", "replace")
            first = _FIRST_WORD.match(qualifier) if qualifier else None
            binding = bound.binding(first[0].encode(), start) if first else NOT_BOUND
            holder, line = holders.innermost(start), bisect_right(lines, start)
            is_call = start in places.calls or (qualifier != "" and start in places.sent)
            found.append(Use(name, qualifier, is_call, binding, holder, start, line))
    return tuple(found)


class _Places(NamedTuple):
    """Where names are used, and what is known of them before their text is looked at."""

    ends: Mapping[int, int]
    """First byte -> one past the last."""
    calls: Collection[int]
    sent: Collection[int]
    members: Collection[int]
    bare: Collection[int]
    variables: Collection[int]


def _places_of(captures: Mapping[str, Sequence[Node]], text: bytes, symbols: Sequence[Symbol]) -> _Places:
    """The names that the captures speak of, without what is to be skipped and the symbols' own."""
    ends = {node.start_byte: node.end_byte for capture in ("name", "sent") for node in captures.get(capture, ())}
    calls: set[int] = set()
    for node in (*captures.get("applied", ()), *captures.get("sent", ())):
        start, end = node.start_byte, node.end_byte
        ends[start] = end
        if _ARGUMENTS.match(text, end, end + _REACH):
            calls.add(start)
    for node in captures.get("names", ()):
        if not _LITERAL.search(text, max(0, node.start_byte - _REACH), node.start_byte):
            ends.update(match.span(1) for match in _WORD.finditer(text, node.start_byte, node.end_byte) if match[1])
    ends.update((node.start_byte, node.end_byte) for node in captures.get("call", ()))
    for node in captures.get("skip", ()):
        ends.pop(node.start_byte, None)
    ends.update((node.start_byte, node.end_byte) for node in captures.get("member", ()))
    for symbol in symbols:
        ends.pop(symbol.selection.start, None)
    calls.update(node.start_byte for node in captures.get("call", ()))
    rest = ({node.start_byte for node in captures.get(capture, ())} for capture in ("sent", "member", "bare", "variable"))
    return _Places(ends, calls, *rest)


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

    def innermost(self, at: int) -> int:
        """Index of the innermost interval that holds ``at``, or -1."""
        index = bisect_right(self._starts, at) - 1
        while index >= 0 and self._ends[index] <= at:
            index = self.parents[index]
        return index


class _Bound:
    """The names that functions bind, each within the innermost function or ``@scope`` around its binding."""

    def __init__(self, captures: Mapping[str, Sequence[Node]], text: bytes, symbols: Sequence[Symbol]) -> None:
        own = {symbol.selection.start for symbol in symbols}
        spans = {(symbol.extent.start, symbol.extent.end) for symbol in symbols if symbol.kind in CALLABLES}
        spans.update((node.start_byte, node.end_byte) for node in captures.get("scope", ()))
        self._scopes = _Nested(sorted(spans, key=lambda span: (span[0], -span[1])))
        self._scopes_of: dict[bytes, set[int]] = {}
        self._bindings: dict[tuple[bytes, int], list[tuple[int, int]]] = {}
        """Name and scope -> where each binding stands, and its index; in order."""
        for node in captures.get("local", ()):
            self._bind(text[node.start_byte : node.end_byte], node.start_byte, own)
        for node in captures.get("pattern", ()):
            name = text[node.start_byte : node.end_byte]
            if name[:1].islower():
                self._bind(name, node.start_byte, own)
        for node in captures.get("outer", ()):
            self._scopes_of.get(text[node.start_byte : node.end_byte], set()).discard(self._scopes.innermost(node.start_byte))

    def _bind(self, name: bytes, start: int, own: Collection[int]) -> None:
        if start not in own and (scope := self._scopes.innermost(start)) >= 0:
            self._scopes_of.setdefault(name, set()).add(scope)

    def holds(self, name: bytes, at: int) -> bool:
        """Whether the bare ``name`` at ``at`` is one of them."""
        return name in self._scopes_of and self._scope(name, self._scopes.innermost(at)) >= 0

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
            each._replace(bound=self.binding(first[0].encode(), each.start, is_earlier=True))
            if (first := _FIRST_WORD.match(each.value)) and not each.is_type
            else each
            for each in bindings
        )

    def binding(self, name: bytes, at: int, *, is_earlier: bool = False) -> int:
        """Index of the binding that holds for the name at ``at``: the last before it in the innermost scope that binds it.

        Args:
            name: a variable's, or not.
            at: where it is used.
            is_earlier: one that comes later does not count, as for ``x = x.next``.
        """
        if name not in self._scopes_of:
            return NOT_BOUND
        scope = self._scope(name, self._scopes.innermost(at))
        while scope >= 0:
            known = self._bindings.get((name, scope), ())
            place = bisect_left(known, (at, -1)) - 1
            if place >= 0 or (known and not is_earlier):
                return known[max(place, 0)][1]
            if not is_earlier:
                return BOUND_SOMEHOW
            scope = self._scope(name, self._scopes.parents[scope])
        return BOUND_SOMEHOW if self.holds(name, at) else NOT_BOUND


class _Chains(NamedTuple):
    """How a language writes chains of names."""

    language: Language
    ends: frozenset[int]
    """Bytes that may stand before a name with a qualifier."""
    joint_ends: frozenset[bytes]
    pattern: re.Pattern[bytes]
    """Of the text before a name, read backwards, from the joint on."""
    marker: bytes
    """Begins a comment that ends with its line."""


@cache
def _chains_of(language: Language) -> _Chains:
    joints = sorted((joint.encode()[::-1] for joint in language.joints), key=lambda joint: (-len(joint), joint))
    joint = b"(?:" + b"|".join(map(re.escape, joints)) + b")"
    word = rb"[\w$\x80-\xff]++"
    gap = rb"(?:[ \t]*+\r?\n\s*+)?+"
    # Between joint and name a < > of generic arguments may stand. A range or a spread (a..b, ...all) is no joint.
    return _Chains(
        language=language,
        ends=frozenset((*_BLANK, *b"$", *(joint[0] for joint in joints))),
        joint_ends=frozenset(joint[:1] for joint in joints),
        pattern=re.compile(
            rb"\$?(?P<after>\s*+)(?P<joint>" + joint + rb")(?!\.)(?P<gap>\s*+)(?P<generic>>[\w\s,.:*&?$\[\]|']*+<(?:::)?)?"
            rb"(?P<chain>" + word + rb"(?:" + gap + joint + gap + word + rb")*+)?"
            rb"(?P<beyond>" + gap + joint + rb"(?!\.))?(?P<next>.?)",
            re.DOTALL,
        ),
        marker=language.line_comment.encode(),
    )


def _qualifier(text: bytes, start: int, chains: _Chains, variables: Collection[int]) -> str:
    """The chain of names before the name at ``start``; empty for a bare one.

    Args:
        text: the file's.
        start: first byte of the name.
        chains: how they are written.
        variables: where variables begin whose first sign belongs to their names.
    """
    if text[start - 1] in _BLANK:
        at = start - 1
        while at and text[at - 1] in _BLANK:
            at -= 1
        if text[at - 1 : at] not in chains.joint_ends:
            return ""
    before = text[max(0, start - _REACH) : start]
    match = chains.pattern.match(before[::-1])
    if match is None or (b"\n" in match["after"] and _is_comment(text, start - match.end("after"), chains)):
        return ""
    joint, gap, chain, beyond = match["joint"], match["gap"], match["chain"], match["beyond"]
    is_rooted = (beyond or joint) in _ROOTS and match["next"] not in _CLOSERS and not match["generic"]
    if is_rooted and (not chain or (gap and joint in _ROOTS)):
        return ROOT  # nothing stands before the leading \ or ::, or a keyword
    # what a leading . is a member of is unwritten, or hidden by a comment
    if gap and (joint == b"." if b"\n" not in gap else _is_comment(text, start - match.end("gap"), chains)):
        return UNKNOWN
    if not chain or (beyond and not is_rooted) or chain[-1:].isdigit():
        return chain_before(text, start, chains.language) or UNKNOWN
    at = start - match.end("chain")
    sign = next((text[first:at] for first in (at - 1, at - 2) if first in variables), b"")
    return (sign + b"".join((chain + (beyond or b""))[::-1].split())).decode("utf-8", "replace")[:_MOST_CHARACTERS]


def _is_comment(text: bytes, end: int, chains: _Chains) -> bool:
    """Whether the line that ends at ``end`` is one, or ends in one."""
    return bool(chains.marker) and chains.marker in text[text.rfind(b"\n", 0, end) + 1 : end]
