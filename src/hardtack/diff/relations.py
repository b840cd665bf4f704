"""Two bundles in, the imports, supertypes and projects that only one of them has out."""

from __future__ import annotations

from collections.abc import Iterator

from hardtack.bundle.reader import Bundle
from hardtack.diff.comparable import Scope
from hardtack.nouns.changes import ProjectChange, RelationChange
from hardtack.nouns.relations import RelationKind

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
        *(_changed(key, line, is_gained=False) for key, line in before.items() if key not in after and key[0] in both),
        *(_changed(key, line, is_gained=True) for key, line in after.items() if key not in before and key[0] in both),
    ]
    yield from sorted(found, key=lambda each: (each.path, each.line, each.is_gained, each.target))


def _stated(bundle: Bundle, files: tuple[int, ...]) -> dict[_Key, int]:
    found: dict[_Key, int] = {}
    for number in files:
        path = bundle.file(number).path
        for each in bundle.related.relations_of_file(number):
            if each.kind in _COMPARED:
                source = bundle.symbol_name(each.source).qualified_name if each.source >= 0 else ""
                source = "" if each.kind is RelationKind.IMPORTS else source
                found.setdefault((path, each.kind.value, source, each.name), each.line)
    return found


def _changed(key: _Key, line: int, *, is_gained: bool) -> RelationChange:
    path, relation, source, target = key
    return RelationChange(is_gained=is_gained, relation=relation, path=path, line=line, source=source, target=target)


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
