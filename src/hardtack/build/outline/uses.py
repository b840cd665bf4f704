"""A syntax tree and its symbols in, the file's uses of names and the bindings of its variables out.

The language's ``uses.scm`` captures single nodes:

    @name     an identifier that may name something defined elsewhere
    @call     the name of a function that is called, or of a type that is instantiated
    @type     a @name that stands where only a type can
    @own      a @name that is a member of the type around first: what a constructor of C++ sets in front of its body
    @expands  a @call of a macro that a definition expands; it may be a symbol's name, too: ``TEST(Jar, Shuts) {}``
    @applied  a @call if arguments follow directly, else a @name; a query for the arguments would take longer
    @sent     an @applied that is also a @call if it has a qualifier: Ruby's ``a.b``
    @local    the name of a parameter or variable where it is bound: bare uses of it in the same scope refer to nothing outside
    @hoisted  a @local that is bound in the whole function, whatever block it is in: JavaScript's ``var``
    @pattern  a @local if it begins with a small letter, else a @name: a name in a pattern
    @scope    a scope that is no callable symbol: an anonymous function, a comprehension
    @block    a scope within a function
    @declaration  what binds names that count only after it
    @body     a part of a @declaration that is after it, to its end
    @member   the name of a member whose owner does not precede it: the key of a structure literal
    @bare     besides: the text before it does not qualify it, though it looks so: Kotlin's ``::print``
    @variable a variable whose sigil belongs to its name, at the beginning of a chain: Ruby's ``@label.size``
    @names    a text whose words are names: a quoted annotation, an expression in a template; but the strings in Python's
              ``Literal`` are values
    @quoted   a text that is a @names where a name of Python's ``typing`` takes it
    @spelt    a literal that spells a name, which may be that of a member of any value: Ruby's ``:name``
    @ability  a text that Laravel may look up in a model's policy
    @outer    the name of a variable that the enclosing function declares as bound outside: Python's ``global``
    @message  a message of Objective-C, whose selector's first word is a @call
    @setting  a @skip unless it is part of a chain: ``all`` of Rust's ``cfg(all(unix))``
    @skip     an identifier that is none of these: a label, the keyword of an argument; unless it is a @member

The chain before a name (``a.b.name``, ``self->name``, ``ns::name``) is read from the text, since all languages write it alike while
their grammars differ. Macros that were blanked before parsing are uses, too. Nothing here knows other files.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.build.frameworks.laravel.abilities import abilities_in
from hardtack.build.languages.prose import line_starts
from hardtack.build.outline.arguments import argument_count
from hardtack.build.outline.expressions import Brackets, bindings_of, literal_before
from hardtack.build.outline.given import given_at
from hardtack.build.outline.imported import imports_of
from hardtack.build.outline.locals import NOT_BOUND, Locals, NestedIntervals, first_word
from hardtack.build.outline.messages import messages_of
from hardtack.build.outline.qualifiers import UNKNOWN, chains_of, qualifier_of
from hardtack.build.outline.quoted import quoted_types
from hardtack.build.outline.receivers import Receivers
from hardtack.build.outline.syntax import uses_in
from hardtack.nouns.model import VARIABLES
from hardtack.nouns.relations import AS_MACRO, AS_TYPE, NOT_CALLED, OF_POINTER, RECEIVER, SPELT, UNCOUNTED, Use
from hardtack.text import composed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from tree_sitter import Node, Tree

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.definitions import Hidden
    from hardtack.build.outline.locals import Captures
    from hardtack.build.outline.messages import Message
    from hardtack.build.outline.syntax import Match
    from hardtack.nouns.outline import Symbol
    from hardtack.nouns.relations import Binding, Import

MAX_USES: Final = 100_000
"""Maximum uses of one file; a file with more is data."""
_MAX_BYTES: Final = 200
"""Maximum length of a name; a longer word is no name."""
_REACH: Final = 160
"""Bytes before or after a name that are read."""
_OWN: Final = f"this{RECEIVER}"
"""The qualifier of a name that means a member of the type around first."""
_OF_POINTERS: Final = frozenset(
    b"get reset release swap use_count owner_before lock expired value value_or has_value emplace get_deleter".split()
)
"""Members of C++'s smart pointers and optional values."""
_BLANK_NAMES: Final = (b"_", b"")
"""Placeholders for a name."""
_WORD: Final = re.compile(rb"""'[^'\n]*'|"[^"\n]*"|\b([^\W\d]\w*)\b(?!:)""")
"""A name in group 1, or a quoted text; a word before a colon is a key."""
_ARGUMENT: Final = re.compile(rb"""'[^'\n]*'|"[^"\n]*"|\b([^\W\d]\w*)\b(?!:[^:])""")
"""As ``_WORD``, in the arguments of a macro."""
_MACRO: Final = re.compile(rb"(?:[A-Z][A-Z0-9_]+|[A-Za-z]\w*_\w*|__[a-z]\w*|[a-z]\w*(?=\())\b")
_ITEM_MACRO: Final = re.compile(rb"(?>(?:\w+::)*)(\w+)!\s*[({]")
"""A macro of Rust that holds items."""
_GENERIC: Final = rb"<(?>(?:[^<>(){};]++|<(?>(?:[^<>(){};]++|<[^<>(){};]*+>)*)>)*)>"
_ARGUMENTS: Final = re.compile(rb"(?:\?\.|!|(?:::)?" + _GENERIC + rb")?\(|[ \t]+\(|`")
"""The text after a name that is called: an operator or generic arguments, if any, then a bracket."""
_BEFORE_ARGUMENTS: Final = frozenset(b"?!:< \t`")
"""Bytes that may follow a name that is called, other than the bracket itself."""
_OPENING: Final = b"("[0]
_SPACE: Final = b" "[0]
_COLON: Final = b":"[0]
_BEFORE_PARTS: Final = (b":", b".")
_ELEMENT: Final = re.compile(rb"(?:[\s(\[{,;>?:&|=]</?|[^\w)<]</)\Z")
_LITERAL: Final = re.compile(rb"\bLiteral\[[^\]]*\Z|\bAnnotated\[[^\]]*,[^\]]*\Z")


class FileUsages(NamedTuple):
    """A file's imports, uses and bindings, each in the order of the source."""

    imported: tuple[Import, ...] = ()
    uses: tuple[Use, ...] = ()
    bindings: tuple[Binding, ...] = ()
    locals: tuple[int, ...] = ()
    """Indexes of the symbols that are variables of functions without a name."""


def usages_of(
    tree: Tree,
    imports: Sequence[Match],
    text: bytes,
    clean: bytes,
    language: Language,
    symbols: Sequence[Symbol],
    *,
    hidden: Hidden | None = None,
) -> FileUsages:
    """The imports, uses and bindings of one file.

    Args:
        tree: the file's tree.
        imports: the matches of the language's imports query in it.
        text: the file's text.
        clean: the text that was parsed, without macros that the grammar does not know; these are uses, too.
        language: its language.
        symbols: its symbols.
        hidden: another tree of the text, and the lines on which it counts too: branches of the preprocessor.
    """
    lines = line_starts(text)
    imported = imports_of(imports, text, language, lines) if language.has_imports else ()
    if not language.has_uses:
        return FileUsages(imported)
    found: Mapping[str, Sequence[Node]] = uses_in(tree, language)
    if hidden is not None:
        more = {
            capture: [node for node in nodes if node.start_point.row in hidden.lines]
            for capture, nodes in uses_in(hidden.tree, language).items()
        }
        found = {capture: [*found.get(capture, ()), *more.get(capture, ())] for capture in found.keys() | more.keys()}
    messages = messages_of(found.get("message", ()))
    captures = {capture: [node.byte_range for node in nodes] for capture, nodes in found.items() if capture != "message"}
    captures.setdefault("name", []).extend((start, start) for start in messages)
    captures["names"] = [*captures.get("names", ()), *quoted_types(captures.get("quoted", ()), text, imported)]
    macros = _macros_without(clean, text)
    captures["macro"] = macros.names
    captures.setdefault("applied", []).extend(macros.words)
    holders = NestedIntervals([(symbol.extent.start, symbol.extent.end) for symbol in symbols])
    bound = Locals(captures, text, language, symbols)
    names = tuple(span for capture in ("local", "hoisted", "pattern") for span in captures.get(capture, ()))
    own = {symbol.selection.start: index for index, symbol in enumerate(symbols) if symbol.kind in VARIABLES}
    bindings = bound.linked(bindings_of(names, own, text, language, holders.innermost))
    uses = _uses(captures, text, language, symbols, holders, bound, lines, messages)
    for start, name, owner in abilities_in(captures.get("ability", ()), text):
        binding = bound.binding(first_word(owner), start, bound.scopes_of(np.array([start]))[0])
        uses += (Use(name, owner, UNCOUNTED, binding, holders.innermost(start), start, bisect_right(lines, start)),)
    uses = tuple(sorted(uses, key=attrgetter("start"))) if "ability" in captures else uses
    return FileUsages(imported, uses, bindings, bound.hidden)


def _uses(
    captures: Captures,
    text: bytes,
    language: Language,
    symbols: Sequence[Symbol],
    holders: NestedIntervals,
    bound: Locals,
    lines: Sequence[int],
    messages: Mapping[int, Message],
) -> tuple[Use, ...]:
    places = _places_of(captures, text, symbols)
    chains, calls, sent, bare, members = chains_of(language), places.calls, places.sent, places.bare, places.members
    brackets = Brackets(text if members else b"")
    receivers = Receivers(captures.get("scope", ()), text, language)
    has_pointers = "pointer_members" in language.scoping
    has_elements = "html_elements" in language.scoping
    starts = [start for start in sorted(places.ends) if not (has_elements and _is_element(text, start))][:MAX_USES]
    at = np.array(starts, dtype=np.int64)
    columns = (chains.may_qualify(text, at).tolist(), holders.innermost_of(at), bound.scopes_of(at))
    line_numbers = np.searchsorted(np.array(lines), at, side="right").tolist()
    table = zip(starts, map(places.ends.__getitem__, starts), *columns, line_numbers, strict=True)
    may_overload, has_lambdas = "overloads" in language.scoping, "trailing_lambdas" in language.scoping
    is_typed = "typed_arguments" in language.scoping
    found: list[tuple[str, str, int, int, int, int, int, str]] = []

    def binding_at(start: int, scope: int) -> Callable[[bytes], int]:
        return lambda name: bound.binding(name, start, scope)

    for_call = partial(argument_count, text, has_trailing_lambdas=has_lambdas) if may_overload else _uncounted
    for start, end, may_qualify, holder, scope, line in table:
        if (sent_here := messages.get(start)) is not None:
            binding = bound.binding(first_word(sent_here.receiver), start, scope)
            arguments = UNCOUNTED if sent_here.is_sent else NOT_CALLED
            found.append((sent_here.selector, sent_here.receiver, arguments, binding, holder, start, line, ""))
            continue
        word = text[start:end]
        if start in places.spelt:
            found.append((_name(word), SPELT, NOT_CALLED, NOT_BOUND, holder, start, line, ""))
            continue
        qualifier = qualifier_of(text, start, chains, places.variables) if may_qualify and start not in bare else ""
        if start in places.own:
            qualifier = _OWN
        elif has_pointers and qualifier and word in _OF_POINTERS and text[start - 1 : start] == b".":
            qualifier += OF_POINTER
        uncalled = AS_TYPE if start in places.types else AS_MACRO if start in places.macros else NOT_CALLED
        if not qualifier and start in members and start not in bare:
            qualifier = _owner_of_key(text, start, brackets)
        is_local = not qualifier and bound.holds(word, scope, start, is_call=start in calls)
        if is_local or len(word) > _MAX_BYTES or word in _BLANK_NAMES:
            continue
        arguments = for_call(end) if start in calls or (qualifier and start in sent) else uncalled
        qualifier = qualifier or receivers.qualifier_at(start)
        binding = bound.binding(first_word(qualifier), start, scope) if qualifier else NOT_BOUND
        given = given_at(text, end, arguments, binding_at(start, scope)) if arguments > 0 and is_typed else ""
        found.append((_name(word), qualifier, arguments, binding, holder, start, line, given))
    return tuple(map(_use, found))


def _is_element(text: bytes, start: int) -> bool:
    """Whether the name at ``start`` is that of an element of HTML."""
    is_small = text[start : start + 1].islower() and text[start - 1 : start] in (b"<", b"/")
    return is_small and _ELEMENT.search(text, max(0, start - _REACH), start) is not None


def _owner_of_key(text: bytes, start: int, brackets: Brackets) -> str:
    """The qualifier of a key: a value of the type of its literal."""
    made = literal_before(text, start, brackets)
    return UNKNOWN if made is None else f"{made}()" if made else ""


def _uncounted(_: int) -> int:
    """The count where it would tell nothing."""
    return UNCOUNTED


def _name(word: bytes) -> str:
    """A name as symbols have it."""
    return word.decode() if word.isascii() else composed(word.decode("utf-8", "replace"))


_use: Final = partial(tuple.__new__, Use)
"""``Use`` from a tuple of its fields: it takes a third of the time of its constructor, for each name of each file."""


class _Macros(NamedTuple):
    """Macros that were blanked before parsing, as (start, end)."""

    names: list[tuple[int, int]]
    words: list[tuple[int, int]]
    """The names in their arguments."""


def _macros_without(clean: bytes, text: bytes) -> _Macros:
    """The macros that the text has and the cleaned text has not."""
    macros = _Macros([], [])
    if clean == text:
        return macros
    differing = np.flatnonzero(np.frombuffer(clean, np.uint8) != np.frombuffer(text, np.uint8))
    borders = np.diff(differing, prepend=-2) > 1
    starts = differing[borders].tolist()
    ends = (differing[np.append(borders[1:], True)] + 1).tolist()
    comment_end = arguments_end = 0
    for number, start in enumerate(starts):
        if (macro := _ITEM_MACRO.match(text, start)) is not None:
            macros.names.append(macro.span(1))
        elif text.startswith(b"/*", start):
            comment_end = text.find(b"*/", start)
        elif start > comment_end and start >= arguments_end and (macro := _MACRO.match(text, start)):
            macros.names.append(macro.span())
            if text[macro.end() : macro.end() + 1] == b"(":
                last = number
                while last + 1 < len(starts) and not text[ends[last] : starts[last + 1]].strip():
                    last += 1
                arguments_end = ends[last]
                macros.words.extend(match.span(1) for match in _ARGUMENT.finditer(text, macro.end(), arguments_end) if match[1])
    return macros


class _Places(NamedTuple):
    """The positions of uses, and those with each capture."""

    ends: dict[int, int]
    """First byte -> one past the last."""
    calls: Collection[int]
    sent: Collection[int]
    members: Collection[int]
    bare: Collection[int]
    variables: Collection[int]
    spelt: Collection[int]
    types: Collection[int]
    own: Collection[int]
    macros: Collection[int]


def _places_of(captures: Captures, text: bytes, symbols: Sequence[Symbol]) -> _Places:
    """The names that the captures mark, without skipped ones and the names of symbols."""
    ends = dict((*captures.get("macro", ()), *captures.get("name", ()), *captures.get("type", ()), *captures.get("own", ())))
    applied = (*captures.get("applied", ()), *captures.get("sent", ()))
    ends.update(applied)
    calls = applied_in(text, applied)
    for start, end in captures.get("names", ()):
        if not _LITERAL.search(text, max(0, start - _REACH), start):
            ends.update(match.span(1) for match in _WORD.finditer(text, start, end) if match[1])
    ends.update(captures.get("call", ()))
    for start, _ in captures.get("skip", ()):
        ends.pop(start, None)
    for start, end in captures.get("setting", ()):
        if text[start - 1 : start] not in _BEFORE_PARTS and text[end : end + 2] != b"::":
            ends.pop(start, None)
    ends.update(captures.get("member", ()))
    starts = {symbol.selection.start for symbol in symbols}
    spelt = {start + (text[start] == _COLON): end for start, end in captures.get("spelt", ()) if start not in starts}
    ends.update(spelt)
    for start in starts:
        ends.pop(start, None)
    ends.update(captures.get("expands", ()))
    calls.update(start for start, _ in captures.get("call", ()))
    calls.update(start for start, end in captures.get("macro", ()) if text[end : end + 1] == b"!")
    sent, members, bare, variables, types, own, macros = (
        {start for start, _ in captures.get(capture, ())}
        for capture in ("sent", "member", "bare", "variable", "type", "own", "expands")
    )
    return _Places(ends, calls, sent, members, bare, variables, spelt.keys(), types, own, macros)


def applied_in(text: bytes, names: Sequence[tuple[int, int]]) -> set[int]:
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
