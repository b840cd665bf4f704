"""What a change reaches in; lines of places, Markdown or JSON values out.

A list shows so many entries at most; what is left out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

from hardtack.nouns.impact import AffectedTest, Impact, ImpactTarget, ReachedSymbol, Reason
from hardtack.nouns.relations import Certainty
from hardtack.render.markdown import code, prose
from hardtack.render.places import Place, render_places
from hardtack.render.style import Style, counted

_ALL: Final = 1 << 30


def summary(impact: Impact) -> str:
    """One sentence of counts, without a full stop."""
    files = len({each.path for each in impact.tests})
    entries = sum(bool(each.entry) for each in impact.reached)
    steps = max((each.distance for each in impact.reached), default=0)
    parts = [
        f"{_count(len(impact.targets), 'symbol')} {'changed' if _is_of_changes(impact) else 'asked for'}",
        f"{_count(len(impact.reached), 'place')} reached" + (f" within {_count(steps, 'step')}" if steps else ""),
        *([f"{_count(entries, 'entry point')} among them"] if entries else []),
        f"{_count(len(impact.tests), 'test')} affected in {files} of {_count(impact.test_files, 'test file')}",
    ]
    return ", ".join(parts)


def asides(impact: Impact) -> Iterator[str]:
    """What is not in the lists, one sentence each, without a full stop."""
    if impact.unresolved:
        yield f"{_count(impact.unresolved, 'use')} of these names could not be resolved, and may lead further"
    if not impact.is_whole:
        yield f"the search ended after {_count(impact.levels, 'step')}, and more may lead there"
    yield from impact.notes


def render_impact(impact: Impact, style: Style, *, limit: int | None) -> str:
    """``path:line:column: code  [aside]`` for each changed symbol, each that is reached and each test, in this order."""
    lists = (
        map(_target_place, impact.targets[: limit or _ALL]),
        map(_reached_place, impact.reached[: limit or _ALL]),
        map(_test_place, impact.tests[: limit or _ALL]),
    )
    return render_places(chain.from_iterable(lists), style)


def render_counts(impact: Impact) -> str:
    """``path:count`` of the places that are reached and of the tests, for each file that has any."""
    return counted([*(each.symbol.path for each in impact.reached), *(each.path for each in impact.tests)])


def left_out(impact: Impact, limit: int | None) -> int:
    """Entries of the lists that a limit leaves out."""
    return sum(max(len(each) - (limit or _ALL), 0) for each in (impact.targets, impact.reached, impact.tests))


def _target_place(each: ImpactTarget) -> Place:
    aside = f"changed: {', '.join(each.changes)}" if each.changes else "asked for"
    return Place(each.path, each.line, code=f"{each.kind} {each.name}".strip(), aside=(aside,))


def _reached_place(each: ReachedSymbol) -> Place:
    aside = [f"distance {each.distance}", each.certainty.value, f"to {each.next}"]
    aside += [f"through {each.through}"] if each.through else []
    aside += [f"in {each.symbol.name}"] if each.symbol.name else []
    aside += [f"entry point: {each.entry}"] if each.entry else []
    return Place(each.symbol.path, each.line, each.column, each.code, tuple(aside))


def _test_place(each: AffectedTest) -> Place:
    return Place(each.path, each.line, code=each.name, aside=("test", *_why(each)))


def _why(test: AffectedTest) -> list[str]:
    """The reason of a test in words, and its certainty."""
    if test.reason is Reason.REFERENCES:
        near = f"calls or names {test.target}"
        far = f"leads to {test.target} in {test.distance} steps"
        return [near if test.distance == 1 else far, test.certainty.value]
    said = {
        Reason.CHANGED: "itself changed",
        Reason.NAMING: f"named after the file of {test.target}",
        Reason.IMPORTS: f"imports the file of {test.target}",
        Reason.LOCATION: f"beside the file of {test.target}",
    }
    return [said[test.reason], *([test.certainty.value] if test.certainty is not Certainty.EXACT else [])]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _is_of_changes(impact: Impact) -> bool:
    return not impact.targets or any(each.changes for each in impact.targets)  # a name has its symbol, a change may have none


# -- Markdown ----------------------------------------------------------------------------------------------------------------------


def impact_to_markdown(impact: Impact, *, limit: int | None) -> str:
    """Sections of lists, ``limit`` entries each at most; all without."""
    limit = limit or _ALL
    lines = [prose(summary(impact)) + "."]
    lines += _section("Changed" if _is_of_changes(impact) else "Asked for", impact.targets, limit, _target_markdown)
    lines += _section("Entry points", [each for each in impact.reached if each.entry], limit, _reached_markdown)
    lines += _section("Reached", impact.reached, limit, _reached_markdown)
    lines += _section("Tests", impact.tests, limit, _test_markdown)
    lines += _section("Not resolved", list(asides(impact)), limit, prose)
    return "\n".join(lines) + "\n"


def _section(title: str, found: Sequence[Any], limit: int, entry: Any) -> Iterator[str]:
    if found:
        yield f"\n### {title} ({len(found)})\n"
        yield from (f"- {entry(each)}" for each in found[:limit])
        if len(found) > limit:
            yield f"- and {len(found) - limit} more"


def _target_markdown(each: ImpactTarget) -> str:
    said = f": {prose(', '.join(each.changes))}" if each.changes else ""
    return f"{prose(each.kind)} {code(each.name or each.path)} {code(f'{each.path}:{each.line}')}{said}"


def _reached_markdown(each: ReachedSymbol) -> str:
    name = code(each.symbol.name) if each.symbol.name else "top of the file"
    entry = f", entry point: {prose(each.entry)}" if each.entry else ""
    said = f"distance {each.distance}, {each.certainty.value}, to {code(each.next)}{entry}"
    return f"{name} {code(f'{each.symbol.path}:{each.line}')}: {said}"


def _test_markdown(each: AffectedTest) -> str:
    name = code(each.name) if each.name else "whole file"
    return f"{name} {code(f'{each.path}:{each.line}')}: {prose(', '.join(_why(each)))}"


# -- JSON --------------------------------------------------------------------------------------------------------------------------


def impact_to_json(impact: Impact, *, limit: int) -> dict[str, Any]:
    """As JSON values; ``limit`` entries of each list at most; ``left_out`` counts the others."""
    lists: dict[str, list[dict[str, Any]]] = {
        "targets": [_target_json(each) for each in impact.targets[:limit]],
        "reached": [_reached_json(each) for each in impact.reached[:limit]],
        "tests": [_test_json(each) for each in impact.tests[:limit]],
    }
    left = {
        name: len(getattr(impact, name)) - len(shown) for name, shown in lists.items() if len(getattr(impact, name)) > len(shown)
    }
    return {
        "schema": "hardtack.impact/1",
        "bundle": {"name": impact.bundle, "digest": impact.digest},
        **lists,
        "test_files": impact.test_files,
        "unresolved": impact.unresolved,
        "levels": impact.levels,
        "is_whole": impact.is_whole,
        "notes": list(impact.notes),
    } | ({"left_out": left} if left else {})


def impact_to_jsonl(impact: Impact, *, limit: int) -> Iterator[dict[str, Any]]:
    """One JSON value for each entry of the lists, with ``list``: ``target``, ``reached`` or ``test``."""
    yield from ({"list": "target", **_target_json(each)} for each in impact.targets[:limit])
    yield from ({"list": "reached", **_reached_json(each)} for each in impact.reached[:limit])
    yield from ({"list": "test", **_test_json(each)} for each in impact.tests[:limit])


def _target_json(each: ImpactTarget) -> dict[str, Any]:
    return {"kind": each.kind, "name": each.name, "path": each.path, "line": each.line, "changes": list(each.changes)}


def _reached_json(each: ReachedSymbol) -> dict[str, Any]:
    document: dict[str, Any] = {
        "kind": each.symbol.kind,
        "name": each.symbol.name,
        "path": each.symbol.path,
        "line": each.line,
        "column": each.column,
        "code": each.code,
        "distance": each.distance,
        "certainty": each.certainty.value,
        "next": each.next,
    }
    return document | {key: value for key, value in (("through", each.through), ("entry", each.entry)) if value}


def _test_json(each: AffectedTest) -> dict[str, Any]:
    return {
        "path": each.path,
        "line": each.line,
        "name": each.name,
        "language": each.language,
        "reason": each.reason.value,
        "target": each.target,
        "distance": each.distance,
        "certainty": each.certainty.value,
    }
