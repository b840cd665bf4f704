"""The symbols of both bundles in, pairs out: which symbol of the old one is which of the new one.

First come those with the same file, name and kind; then those with the same name in another file; then those with another name and
the same body. A type comes before its members, so that those of a moved or renamed type are looked for where it went. Overloads are
told apart by body, then by signature, then by the types of their parameters, then by how many those are, then by their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Final

from hardtack.diff.bodies import tokens_of
from hardtack.diff.entries import Entry, type_of_parameter
from hardtack.diff.types import spelt
from hardtack.nouns.model import TYPES, Kind

LEAST_TOKENS: Final = 12
"""A body of fewer tokens is too common to recognise a symbol by."""
LEAST_LIKENESS: Final = 0.5
"""The share of tokens that two symbols of one name in different files have in common at least, to be the same symbol."""

Key = Callable[[Entry], Hashable]


class Pairs:
    """The pairs as they are found, and what has none yet."""

    def __init__(self, old: Sequence[Entry], new: Sequence[Entry]) -> None:
        self.old, self.new = old, new
        self.of_old: dict[Entry, Entry] = {}
        self.of_new: dict[Entry, Entry] = {}

    def join(self, old: Entry, new: Entry) -> None:
        """Make a pair."""
        self.of_old[old], self.of_new[new] = new, old

    @cached_property
    def new_names(self) -> frozenset[tuple[str, str]]:
        """(path, qualified name) of everything in the new bundle's changed files."""
        return frozenset((each.path, each.name) for each in self.new)

    @cached_property
    def new_values(self) -> dict[str, list[Entry]]:
        """The values at the top of each changed file of the new bundle, by path."""
        found: dict[str, list[Entry]] = defaultdict(list)
        for each in self.new:
            if each.owner is None and each.is_value:
                found[each.path].append(each)
        return dict(found)

    def left(self) -> tuple[list[Entry], list[Entry]]:
        """What has no pair yet, of both bundles."""
        return [each for each in self.old if each not in self.of_old], [each for each in self.new if each not in self.of_new]

    def by(
        self, key_of_old: Key, key_of_new: Key, choose: Callable[[list[Entry], list[Entry]], Iterable[tuple[Entry, Entry]]]
    ) -> None:
        """Pair, among those left with equal keys, what ``choose`` gives; a key of None has no equal."""
        olds, news = self.left()
        groups: dict[Hashable, list[Entry]] = defaultdict(list)
        for each in news:
            groups[key_of_new(each)].append(each)
        groups.pop(None, None)
        mine: dict[Hashable, list[Entry]] = defaultdict(list)
        for each in olds:
            key = key_of_old(each)
            if key in groups:
                mine[key].append(each)
        for key, some in mine.items():
            for old, new in choose(some, groups[key]):
                self.join(old, new)


def paired(old: Sequence[Entry], new: Sequence[Entry]) -> Pairs:
    """The pairs of all symbols of both sides."""
    pairs = Pairs(old, new)
    for key in (_at_place, _at_home):
        pairs.by(key, key, _overloads)
    pairs.by(_at_address, _at_address, _overloads)
    pairs.by(_in_any_file, _in_any_file, _alike)
    pairs.by(_with_body, _with_body, _alone)
    _pair_members(pairs)
    pairs.by(_member_with_body, _member_with_body, _alone)
    return pairs


def is_renamed(old: Entry, new: Entry) -> bool:
    """Whether the two of a pair have other names; a constructor is called as its type is."""
    return old.record.name != new.record.name and Kind.CONSTRUCTOR not in (old.record.kind, new.record.kind)


def _at_place(entry: Entry) -> Hashable:
    return entry.path, entry.name, entry.record.kind


def _at_home(entry: Entry) -> Hashable:
    """In another file of the same package or module."""
    return (entry.file.language, entry.home, entry.name, entry.record.kind) if entry.home else None


def _at_address(entry: Entry) -> Hashable:
    """Of another kind: a function that became a class."""
    return entry.path, entry.name


def _in_any_file(entry: Entry) -> Hashable:
    return (entry.file.language, entry.name, entry.sort) if entry.owner is None else None


def _with_body(entry: Entry) -> Hashable:
    """Another name. What is inside of a type is looked for where the type is."""
    return _fingerprint(entry) if entry.owner is None else None


def _member_with_body(entry: Entry) -> Hashable:
    return _fingerprint(entry) if entry.sort == "function" else None


def _fingerprint(entry: Entry) -> Hashable:
    body = entry.whole if entry.record.kind in TYPES else entry.body
    is_telling = body is not None and len(body.tokens) >= LEAST_TOKENS
    return (entry.file.language, entry.sort, body.digest) if body and is_telling else None


def _pair_members(pairs: Pairs) -> None:
    """Members of types that were moved or renamed, level by level, and renamed members of any pair of types."""
    for old, new in list(pairs.of_old.items()):
        if old.record.kind not in TYPES or not old.members:
            continue
        level = [(old, new)]
        while level:
            before, after = level.pop()
            inner = Pairs(
                [each for each in before.members if each not in pairs.of_old],
                [each for each in after.members if each not in pairs.of_new],
            )
            inner.by(_within, _within, _overloads)
            inner.by(_fingerprint, _fingerprint, _alone)
            for one, other in inner.of_old.items():
                pairs.join(one, other)
                level.append((one, other))


def _within(entry: Entry) -> Hashable:
    return entry.record.name if entry.owner is None or entry.record.name != entry.owner.record.name else "\0", entry.sort


def _alone(old: list[Entry], new: list[Entry]) -> Iterable[tuple[Entry, Entry]]:
    """The only one on each side; of several, the only one in each file."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    by_path: dict[str, list[Entry]] = defaultdict(list)
    for each in new:
        by_path[each.path].append(each)
    counts = {each.path: 0 for each in old}
    for each in old:
        counts[each.path] += 1
    return [(each, by_path[each.path][0]) for each in old if counts[each.path] == 1 and len(by_path[each.path]) == 1]


def _alike(old: list[Entry], new: list[Entry]) -> Iterable[tuple[Entry, Entry]]:
    """Those that are most alike first, as long as they are alike enough."""
    likeness = [
        (_likeness(one, other), -number, -place, one, other)
        for number, one in enumerate(old[:_MOST_NAMESAKES])
        for place, other in enumerate(new[:_MOST_NAMESAKES])
    ]
    taken: set[Entry] = set()
    for value, _, _, one, other in sorted(likeness, key=lambda each: each[:3], reverse=True):
        if value >= LEAST_LIKENESS and not {one, other} & taken:
            taken |= {one, other}
            yield one, other


_MOST_NAMESAKES: Final = 40
"""Symbols of one name that are compared with one another."""


def _likeness(old: Entry, new: Entry) -> float:
    if old.whole is None or new.whole is None:
        return float(tokens_of(old.record.signature) == tokens_of(new.record.signature))
    if not old.whole.tokens and not new.whole.tokens:
        return float(tokens_of(old.record.signature) == tokens_of(new.record.signature))
    return old.whole.likeness(new.whole)


def _overloads(old: list[Entry], new: list[Entry]) -> Iterable[tuple[Entry, Entry]]:
    """Each old one with the new one that is likest by the strictest of several measures."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    found: list[tuple[Entry, Entry]] = []
    for measure in (_exactly, _by_signature, _by_types, _by_decorators, _by_count, lambda entry: 0):
        waiting: dict[Hashable, list[Entry]] = defaultdict(list)
        for each in reversed(new):
            waiting[measure(each)].append(each)
        rest: list[Entry] = []
        for each in old:
            key = measure(each)
            if waiting.get(key):
                found.append((each, waiting[key].pop()))
            else:
                rest.append(each)
        taken = {other for _, other in found}
        old, new = rest, [each for each in new if each not in taken]
    return found


def _exactly(entry: Entry) -> Hashable:
    return _by_signature(entry), entry.body.digest if entry.body else b""


def _by_signature(entry: Entry) -> Hashable:
    return tuple(tokens_of(entry.record.signature))


def _by_types(entry: Entry) -> Hashable:
    """The types that a function takes: what tells overloads apart where types are declared. Without any type it has no equal."""
    types = [spelt(type_of_parameter(entry, each), entry.file.language).replace("...", "[]") for each in entry.detail.parameters]
    return tuple(types) if any(types) or not types else id(entry)


def _by_decorators(entry: Entry) -> Hashable:
    return entry.detail.decorators, len(entry.detail.parameters)


def _by_count(entry: Entry) -> Hashable:
    return len(entry.detail.parameters)
