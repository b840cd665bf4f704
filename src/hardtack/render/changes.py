"""A comparison of two bundles in; text, Markdown or JSON values out.

Each symbol stands once: among what breaks, else under the first of its kinds. A section shows the exported symbols first, and so
many entries at most; what is left out is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from hardtack.nouns.changes import (
    ChangeKind,
    ComparedBundle,
    Comparison,
    ProjectChange,
    RelationChange,
    SymbolChange,
    SymbolState,
    Verdict,
)
from hardtack.nouns.relations import Certainty, RelationKind
from hardtack.render.markdown import code, prose
from hardtack.render.style import Style, inert_line

_SIGNATURE: Final = 160
"""Characters of a signature that are shown."""
_SENTENCE: Final = 400
_COMMIT_SHOWN: Final = 12
_NAMED: Final = 5
"""Calls of one function that are named."""
_CALLS: Final = RelationKind.CALLS.value
TITLES: Final = {
    ChangeKind.REMOVED: "Removed",
    ChangeKind.ADDED: "Added",
    ChangeKind.RENAMED: "Renamed",
    ChangeKind.MOVED: "Moved",
    ChangeKind.VISIBILITY: "Visibility changed",
    ChangeKind.SIGNATURE: "Signature changed",
    ChangeKind.BODY: "Body changed",
    ChangeKind.DOCUMENTATION: "Documentation changed",
}
"""In the order in which they are shown; a symbol stands under the first that it has."""
VERDICTS: Final = {Verdict.BREAKS: "Breaks callers", Verdict.MAY_BREAK: "May break callers"}


class _Words(NamedTuple):
    """How a format writes down what a bundle says."""

    name: Callable[[str], str]
    """A name, path or piece of code."""
    said: Callable[[str], str]
    """A sentence with names in it."""
    title: Callable[[str, int], str]
    entry: str
    detail: str
    signs: tuple[str, str]
    """What stands before an old and a new signature."""


def render_comparison(comparison: Comparison, style: Style, *, limit: int) -> str:
    """As text for a terminal; ``limit`` entries of each section at most."""
    words = _Words(
        name=inert_line,
        said=inert_line,
        title=lambda title, count: style.paint(f"{title} ({count})", "1"),
        entry="  ",
        detail="    ",
        signs=("- ", "+ "),
    )
    return "\n".join(_lines(comparison, words, limit)) + "\n"


def comparison_to_markdown(comparison: Comparison, *, limit: int) -> str:
    """The same as Markdown."""
    words = _Words(
        name=code,
        said=prose,
        title=lambda title, count: f"### {title} ({count})\n",
        entry="- ",
        detail="  - ",
        signs=("was ", "now "),
    )
    return "\n".join(_lines(comparison, words, limit)) + "\n"


def _lines(comparison: Comparison, words: _Words, limit: int) -> Iterator[str]:
    yield f"{_bundle(comparison.old, words)} -> {_bundle(comparison.new, words)}"
    yield _summary(comparison)
    for verdict, title in VERDICTS.items():
        found = [each for each in comparison.symbols if each.verdict is verdict]
        yield from _section(title, found, limit, words, lambda each: _breaking(each, words))
    rest = [each for each in comparison.symbols if not each.breakages]
    for kind, title in TITLES.items():
        found = [each for each in rest if first_kind(each) is kind]
        found.sort(key=lambda each: not each.is_exported)
        yield from _section(title, found, limit, words, lambda each: _symbol(each, words))
    for title, are_calls in (("Imports and supertypes", False), ("Calls", True)):
        stated = _by_source(each for each in comparison.relations if (each.relation == _CALLS) is are_calls)
        yield from _section(title, stated, limit, words, lambda each: _relations(each, words))
    yield from _section("Projects", comparison.projects, limit, words, lambda each: _project(each, words))
    yield from _section("Not compared", comparison.notes, limit, words, lambda each: iter([words.said(each[:_SENTENCE])]))


def _section(
    title: str, found: Sequence[Any], limit: int, words: _Words, lines_of: Callable[[Any], Iterator[str]]
) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield words.title(title, len(found))
    for each in found[:limit]:
        first, *more = lines_of(each)
        yield f"{words.entry}{first}"
        yield from (f"{words.detail}{line}" for line in more)
    if len(found) > limit:
        yield f"{words.entry}and {len(found) - limit} more; -n {len(found)} shows all"


def _bundle(bundle: ComparedBundle, words: _Words) -> str:
    commit = bundle.commit[:_COMMIT_SHOWN] or bundle.digest.removeprefix("sha256:")[:_COMMIT_SHOWN]
    return f"{words.name(bundle.name)} {words.name(commit)}{' (working tree)' if bundle.is_working_tree else ''}"


def _summary(comparison: Comparison) -> str:
    changed = comparison.files_changed
    files = f"{changed} file{'' if changed == 1 else 's'} of code changed"
    if not comparison.symbols:
        return f"{files}; no symbol differs"
    counts = Counter(kind for each in comparison.symbols for kind in each.kinds)
    kinds = ", ".join(f"{counts[kind]} {_COUNTED.get(kind, kind.value)}" for kind in ChangeKind if counts[kind])
    number = len(comparison.symbols)
    return f"{files}; {'1 symbol differs' if number == 1 else f'{number} symbols differ'}: {kinds}"


_COUNTED: Final = {
    ChangeKind.SIGNATURE: "with another signature",
    ChangeKind.VISIBILITY: "with another visibility",
    ChangeKind.DOCUMENTATION: "with other documentation",
    ChangeKind.BODY: "with another body",
}


def first_kind(change: SymbolChange) -> ChangeKind:
    """The kind under which a symbol stands: the first of :data:`TITLES` that it has."""
    return next(kind for kind in TITLES if kind in change.kinds)


def _breaking(change: SymbolChange, words: _Words) -> Iterator[str]:
    yield _heading(change, words)
    for each in change.breakages:
        label = "" if each.verdict is change.verdict else f"{each.verdict.value}: "
        yield f"{label}{words.said(each.sentence[:_SENTENCE])} ({each.rule})"


def _symbol(change: SymbolChange, words: _Words) -> Iterator[str]:
    others = [kind.value for kind in change.kinds if kind is not first_kind(change)]
    exported = "exported" if change.is_exported else ""
    also = f"also {', '.join(others)}" if others else ""
    beside = "; ".join(each for each in (exported, also) if each)
    yield _heading(change, words) + (f"  ({beside})" if beside else "")
    if change.old and change.new and ChangeKind.SIGNATURE in change.kinds and change.old.signature != change.new.signature:
        yield f"{words.signs[0]}{_signature(change.old, words)}"
        yield f"{words.signs[1]}{_signature(change.new, words)}"


def _heading(change: SymbolChange, words: _Words) -> str:
    old, new = change.old, change.new
    if old and new and (old.name != new.name or old.path != new.path):
        before = words.name(old.name) if old.path == new.path else f"{_place(old, words)} {words.name(old.name)}"
        return f"{_place(new, words)}  {new.kind} {words.name(new.name)}, was {before}"
    state = new or old
    return f"{_place(state, words)}  {state.kind} {words.name(state.name)}" if state else ""


def _place(state: SymbolState, words: _Words) -> str:
    return words.name(f"{state.path}:{state.line}")


def _signature(state: SymbolState, words: _Words) -> str:
    text = " ".join(state.signature.split())
    return words.name(text if len(text) <= _SIGNATURE else text[: _SIGNATURE - 1] + "…")


def _by_source(relations: Iterable[RelationChange]) -> list[list[RelationChange]]:
    """What was gained and lost, one list for each file that imports, and for each type and function."""
    found: dict[tuple[str, str], list[RelationChange]] = {}
    for each in relations:
        found.setdefault((each.path, each.source), []).append(each)
    return list(found.values())


def _relations(relations: Sequence[RelationChange], words: _Words) -> Iterator[str]:
    said = []
    for is_gained, sign in ((True, "gained"), (False, "lost")):
        told = [each for each in relations if each.is_gained is is_gained]
        # which of several symbols a possible call means, nothing tells, so none of them is named
        sure = [each for each in told if each.relation != _CALLS or each.certainty is not Certainty.POSSIBLE]
        names = [_related(each, words) for each in sure[:_NAMED]]
        names += [f"{len(sure) - _NAMED} more"] if len(sure) > _NAMED else []
        names += [f"{len(told) - len(sure)} possible"] if len(told) > len(sure) else []
        said += [f"{sign}: {', '.join(names)}"] if names else []
    first = relations[0]
    source = f"{words.name(first.source)}  " if first.source else ""
    yield f"{words.name(f'{first.path}:{first.line}')}  {source}{'; '.join(said)}"


def _related(relation: RelationChange, words: _Words) -> str:
    likely = f" ({relation.certainty.value})" if relation.relation == _CALLS and relation.certainty is not Certainty.EXACT else ""
    return f"{'' if relation.relation == _CALLS else f'{relation.relation} '}{words.name(relation.target)}{likely}"


def _project(change: ProjectChange, words: _Words) -> Iterator[str]:
    name = change.field.replace("_", " ")
    old, new = (words.name(each) if each else "none" for each in (change.old, change.new))
    yield f"{words.name(change.path)}  {name}: {old} -> {new}"


# -- JSON --


def comparison_to_json(comparison: Comparison, *, limit: int) -> dict[str, Any]:
    """As JSON values; ``limit`` entries of each list at most, those that break callers first; ``left_out`` counts the others."""
    order = {verdict: number for number, verdict in enumerate((*Verdict, None))}
    symbols = sorted(comparison.symbols, key=lambda each: order[each.verdict])
    lists: dict[str, list[dict[str, Any]]] = {
        "symbols": [_symbol_json(each) for each in symbols[:limit]],
        "relations": [_relation_json(each) for each in comparison.relations[:limit]],
        "projects": [each_json(each, ("path", "field", "old", "new")) for each in comparison.projects[:limit]],
    }
    whole = {name: len(getattr(comparison, name)) for name in lists}
    verdicts = Counter(each.verdict for each in comparison.symbols)
    document: dict[str, Any] = {
        "schema": "hardtack.diff/1",
        "old": each_json(comparison.old, _BUNDLE),
        "new": each_json(comparison.new, _BUNDLE),
        "files_changed": comparison.files_changed,
        "counts": {kind.value: sum(kind in each.kinds for each in comparison.symbols) for kind in ChangeKind},
        "breaking": {"breaks": verdicts[Verdict.BREAKS], "may_break": verdicts[Verdict.MAY_BREAK]},
        **lists,
        "notes": list(comparison.notes),
    }
    left_out = {name: whole[name] - len(lists[name]) for name in lists if whole[name] > len(lists[name])}
    return document | ({"left_out": left_out} if left_out else {})


_BUNDLE: Final = ("name", "digest", "repository", "commit", "is_working_tree")
_STATE: Final = ("kind", "name", "path", "line", "signature")


def each_json(value: Any, names: Sequence[str]) -> dict[str, Any]:
    """Some attributes of a value."""
    return {name: getattr(value, name) for name in names}


def _symbol_json(change: SymbolChange) -> dict[str, Any]:
    return {
        "language": change.language,
        "changes": [kind.value for kind in change.kinds],
        "is_exported": change.is_exported,
        **{side: each_json(state, _STATE) for side, state in (("old", change.old), ("new", change.new)) if state},
        "breakages": [{"rule": each.rule, "verdict": each.verdict.value, "says": each.sentence} for each in change.breakages],
    }


def _relation_json(change: RelationChange) -> dict[str, Any]:
    return {
        "change": "gained" if change.is_gained else "lost",
        **each_json(change, ("relation", "path", "line", "source", "target")),
        "certainty": change.certainty.value,
    }
