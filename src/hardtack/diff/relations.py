"""Two bundles in, what only one of them has out: imports, supertypes, calls of functions that changed, and projects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.diff.comparable import Scope
from hardtack.diff.entries import Entry
from hardtack.diff.pairing import Pairs
from hardtack.nouns.changes import ProjectChange, RelationChange
from hardtack.nouns.relations import Certainty, RelationKind

_COMPARED = frozenset(
    {RelationKind.IMPORTS, RelationKind.INHERITS, RelationKind.IMPLEMENTS, RelationKind.EMBEDS, RelationKind.USES}
)
_Key = tuple[str, str, str, str]
"""Path, relation, source, target."""


def relations(old: Bundle, new: Bundle, scope: Scope) -> Iterator[RelationChange]:
    """What the changed files that both bundles have import, inherit and implement in one of them alone, by path and line."""
    before, after = _stated(old, scope.old), _stated(new, scope.new)
    both = {old.file(number).path for number in scope.old} & {new.file(number).path for number in scope.new}
    found = [
        *(_changed(key, stated, is_gained=False) for key, stated in before.items() if key not in after and key[0] in both),
        *(_changed(key, stated, is_gained=True) for key, stated in after.items() if key not in before and key[0] in both),
    ]
    yield from sorted(found, key=lambda each: (each.path, each.line, each.is_gained, each.target))


class _Stated(NamedTuple):
    line: int
    certainty: Certainty


def _stated(bundle: Bundle, files: tuple[int, ...]) -> dict[_Key, _Stated]:
    found: dict[_Key, _Stated] = {}
    for number in files:
        path = bundle.file(number).path
        for each in bundle.related.relations_of_file(number):
            if each.kind in _COMPARED:
                source = bundle.symbol_name(each.source).qualified_name if each.source >= 0 else ""
                source = "" if each.kind is RelationKind.IMPORTS else source
                found.setdefault((path, each.kind.value, source, each.name), _Stated(each.line, each.certainty))
    return found


def _changed(key: _Key, stated: _Stated, *, is_gained: bool) -> RelationChange:
    path, relation, source, target = key
    return RelationChange(
        is_gained=is_gained,
        relation=relation,
        path=path,
        line=stated.line,
        source=source,
        target=target,
        certainty=stated.certainty,
    )


# -- calls --

MOST_CALLS: Final = 10_000
"""Calls gained and lost that are told."""
_RANK: Final = tuple(Certainty).index
_Target = tuple[str, str]
"""Path and qualified name of what is called, as the new bundle has it if it is there."""


def calls(old: Bundle, new: Bundle, pairs: Pairs) -> list[RelationChange]:
    """What functions whose bodies differ call in one bundle alone, by path and line; at most :data:`MOST_CALLS`.

    A call counts if it is resolved to a symbol of the bundle. One of a symbol that was renamed or moved is the same call.
    """
    changed = [(one, other) for one, other in pairs.of_old.items() if one.sort == "function" and _body(one) != _body(other)]
    if not changed:
        return []
    olds = {entry.ordinal: entry for entry in pairs.old}
    before = _called(old, {one.ordinal for one, _ in changed}, {n: _where(pairs.of_old.get(e, e)) for n, e in olds.items()})
    after = _called(new, {other.ordinal for _, other in changed}, {})
    found: list[RelationChange] = []
    for one, other in changed:
        lost, gained = before.get(one.ordinal, {}), after.get(other.ordinal, {})
        found += [_call(one, target, stated, is_gained=False) for target, stated in lost.items() if target not in gained]
        found += [_call(other, target, stated, is_gained=True) for target, stated in gained.items() if target not in lost]
    return sorted(found, key=lambda each: (each.path, each.line, each.is_gained, each.target))[:MOST_CALLS]


def _body(entry: Entry) -> object:
    return entry.body.digest if entry.body else entry.record.signature


def _where(entry: Entry) -> _Target:
    return entry.path, entry.name


def _called(bundle: Bundle, sources: set[int], known: Mapping[int, _Target]) -> dict[int, dict[_Target, _Stated]]:
    """Ordinal of each of the functions -> what it calls; a function inside of it belongs to it."""
    files = {bundle.symbol(each).file for each in sources}
    found: dict[int, dict[_Target, _Stated]] = {}
    for reference in bundle.related.references():
        if not reference.is_call or reference.target < 0 or reference.file not in files:
            continue
        source = reference.source
        while source >= 0 and source not in sources:
            source = bundle.symbol(source).parent
        if source < 0 or reference.target == source:
            continue
        target = known.get(reference.target) or _target(bundle, reference.target)
        told = found.setdefault(source, {})
        if target not in told or _RANK(reference.certainty) < _RANK(told[target].certainty):
            told[target] = _Stated(reference.line, reference.certainty)
    return found


def _target(bundle: Bundle, ordinal: int) -> _Target:
    return bundle.file(bundle.symbol(ordinal).file).path, bundle.symbol_name(ordinal).qualified_name


def _call(entry: Entry, target: _Target, stated: _Stated, *, is_gained: bool) -> RelationChange:
    return _changed((entry.path, RelationKind.CALLS.value, entry.name, target[1]), stated, is_gained=is_gained)


# -- projects --


def projects(old: Bundle, new: Bundle) -> Iterator[ProjectChange]:
    """What manifests of package managers say otherwise."""
    before, after = ({each.path: each for each in bundle.manifest.projects} for bundle in (old, new))
    for path in sorted({*before, *after}):
        one, other = before.get(path), after.get(path)
        if one is None or other is None:
            yield ProjectChange(
                path=path, field="project", old=one.name or one.path if one else "", new=other.name or other.path if other else ""
            )
            continue
        for name in ("name", "version", "language_version"):
            if getattr(one, name) != getattr(other, name):
                yield ProjectChange(path=path, field=name, old=getattr(one, name), new=getattr(other, name))
