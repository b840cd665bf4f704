"""An exploration in, Markdown within a budget out.

In this order: the ways, who uses the symbols, their types; code with numbered lines; last what did not fit, by name and place.
Lists get a share of the budget that is larger where the question asks for them, code the rest; what is dropped is named or counted.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from hardtack.nouns.exploration import Ambiguous, Around, Callers, Exploration, ExploredSymbol, Outside, Place, Way
from hardtack.nouns.model import VALUES
from hardtack.nouns.usages import CallingSymbol
from hardtack.render.markdown import code, fenced, path_in_prose, prose
from hardtack.render.style import inert

TOKEN: Final = 4
"""Characters."""

_BY_USAGES: Final = "; `usages` lists all"
"""Ends a line that says how many were left out."""

_SHARE, _SHARE_IF_ASKED = 0.3, 0.6
"""Of the budget for the lists of who uses what."""
_WEAK_SHARE: Final = 0.3
"""Of the budget for an answer that is unlikely."""
_SHARE_OF_REST: Final = 0.08
"""Of the budget for the names of what did not fit."""
_LEAST_REST: Final = 200
"""Characters for them at least, where so many are left."""
_SHARE_OF_WHOLE: Final = 0.85
"""Of the room for code for one place, where it is shown whole and there are others;"""
_SHARE_OF_ONE: Final = 0.6
"""where it is cut."""
_LEAST_LINES: Final = 8
"""Of a place that is cut."""
_OUTSIDE: Final = 1500
"""Characters for what stands on a type outside the bundle."""
_BEGINS: Final = 300
"""Characters for where the ways to a symbol begin."""
_REST: Final = 800
"""Characters for the methods of a type."""
_SHOWN_BEFORE: Final = 3
"""Lines before the one that matters, where a place is cut."""


def render_exploration(found: Exploration, room: int) -> tuple[str, bool]:
    """The answer, and whether more room would show more.

    Args:
        found: what to tell.
        room: characters of the answer at most.
    """
    budget = int(room * _WEAK_SHARE) if found.is_weak else room
    said = [*_first_line(found), *map(_unknown, found.unknown), *map(_ambiguous, found.ambiguous)]
    said += (*map(_outside, found.outside), *map(_way, found.ways))
    if found.note and (found.places or found.named or found.ambiguous or found.outside):
        said.append(f"{prose(found.note)}\n")
    parts = _fitting(said, budget // 2)
    is_cut = len(parts) < len(said)
    left = budget - sum(map(len, parts)) - len(parts)
    share = _SHARE_IF_ASKED if found.asks_usages or found.asks_tests else _SHARE
    lists, is_list_cut = _lists(found, min(int(budget * share), left))
    of_rest = max(int(budget * _SHARE_OF_REST), _LEAST_REST) if found.further or len(found.places) > 1 else 0
    blocks, without, is_code_cut = _code(found.places, left - _size(lists) - of_rest)
    left -= _size(blocks)
    if (room_for_lists := left - of_rest) > _size(lists):
        lists, is_list_cut = _lists(found, room_for_lists, is_roomy=True)
    left -= _size(lists)
    further, unshown, is_spare_cut = _code(found.spare, left - of_rest, is_spare=True)
    left -= _size(further)
    rest = _not_shown([*without, *unshown, *_unnamed(found)], min(left, max(of_rest, _LEAST_REST)))
    text = "\n".join((*parts, *lists, *blocks, *further, *rest))
    if len(text) > room:  # long names in little room
        return text[:room], True
    return text, is_cut or is_list_cut or is_code_cut or is_spare_cut


def _size(parts: Sequence[str]) -> int:
    """Characters of parts, each with what joins it to the one before."""
    return sum(map(len, parts)) + len(parts)


def _unnamed(found: Exploration) -> Iterator[ExploredSymbol]:
    """Places that rank after those that are shown, without those whose code may be shown for the room that is left."""
    spare = {(place.symbol.path, place.symbol.name) for place in found.spare}
    return (each for each in found.further if (each.path, each.name) not in spare)


def exploration_json(found: Exploration) -> dict[str, Any]:
    """The answer as JSON values, without what is empty."""
    values: dict[str, Any] = without_empty(asdict(found))
    return values


def without_empty(value: Any) -> Any:
    """JSON values without the keys of mappings that say nothing: empty texts and lists, null; numbers and truth stay."""
    if isinstance(value, dict):
        kept = {key: without_empty(each) for key, each in value.items()}
        return {key: each for key, each in kept.items() if not (each is None or each == "" or each == [] or each == {})}
    return [without_empty(each) for each in value] if isinstance(value, list | tuple) else value


def _fitting(parts: Sequence[str], room: int) -> list[str]:
    """The first parts that fit, at least the first."""
    kept: list[str] = []
    for part in parts:
        room -= len(part) + 1
        if kept and room < 0:
            break
        kept.append(part)
    return kept


# -- what is said -----------------------------------------------------------------------------------------------------------------


def _first_line(found: Exploration) -> Iterator[str]:
    if not (found.places or found.named or found.ambiguous or found.outside):
        yield f"{prose(found.note) or 'Nothing found.'}\n"
    elif found.is_weak:
        yield f"Nothing likely; best {found.best:.2f}. Ask with a name or with other words.\n"
    elif found.named:
        yield f"About {', '.join(symbol_shown(each) for each in found.named)}.\n"
    elif not (found.ambiguous or found.outside):
        yield f"Nothing is named; what a search finds, best {found.best:.2f}.\n"


def _unknown(each: tuple[str, tuple[str, ...]]) -> str:
    name, nearest = each
    near = f"; nearest: {', '.join(map(code, nearest))}" if nearest else ""
    return f"Nothing here is called {code(name)}{near}.\n"


def _ambiguous(each: Ambiguous) -> str:
    first, *others = each.candidates
    shown = [f"{symbol_shown(one)} {place_shown(one)}" for one in (others if each.why else each.candidates)]
    more = f"; and {each.count - len(each.candidates)} more" if each.count > len(each.candidates) else ""
    listed = f"{'; '.join(shown)}{more}".removeprefix("; ")
    if not each.why:
        return f"{code(each.name)} is {each.count} symbols: {listed}. Say which.\n"
    head = f"{code(each.name)} {'was searched for' if each.is_words else f'is {each.count} symbols'}"
    rest = f" Else: {listed}." if listed else ""
    return f"{head}, taken for {symbol_shown(first)} {place_shown(first)}: {each.why}.{rest}\n"


def _outside(each: Outside) -> str:
    on_it = (f"{relation} {code(one.name)} {place_shown(one)}" for relation, one in each.subtypes)
    return f"{code(each.name)} is outside; on it {counted(len(each.subtypes), 'symbol')} here: {_some(on_it, _OUTSIDE)}\n"


def _way(way: Way) -> str:
    ends = f"{code(way.start.name)} to {code(way.end.name)}"
    if not way.steps:
        looked = "in the calls that are resolved" if way.is_whole else "within the calls that were looked at"
        begins = f" What is known to lead to {code(way.end.name)} begins at {_listed(way.begins, _BEGINS)}." if way.begins else ""
        return f"**No way** from {ends} or back {looked}; values, callbacks and names at run time may make one.{begins}\n"
    lines = [f"**Way** from {ends}, {counted(len(way.steps), 'call')}:"]
    for number, step in enumerate(way.steps, 1):
        lines.append(f"{number}. {symbol_shown(step.symbol)} {place_shown(step.symbol)}")
        through = f", through {code(step.through)}, decided at run time among {step.among}" if step.through else ""
        when = f", under {code(step.condition)}" if step.condition else ""
        lines.append(f"   ↓ {step.line}, {step.certainty.value}{through}{when}: {code(step.code)}")
    lines.append(f"{len(way.steps) + 1}. {symbol_shown(way.end)} {place_shown(way.end)}")
    return "\n".join(lines) + "\n"


def _lists(found: Exploration, room: int, *, is_roomy: bool = False) -> tuple[list[str], bool]:
    """What stands around each symbol, within ``room`` characters shared among them; and whether lines were left out.

    Args:
        found: what to tell.
        room: characters.
        is_roomy: tell callers line by line, though nobody asked for them, if that fits.
    """
    blocks, is_cut = list[str](), False
    for number, each in enumerate(found.around):
        share = room // (len(found.around) - number)
        for_tests = int(share * (0.7 if found.asks_tests else 1 / 6))
        shown = _cut(list(_lines_around(each, share, for_tests, in_full=found.asks_usages)), share)
        if is_roomy:
            whole = list(_lines_around(each, sys.maxsize, max(for_tests, share // 4), in_full=True))
            shown = whole if _size(whole) <= share else shown
        is_cut = is_cut or any(line.endswith(_BY_USAGES) for line in shown)
        if share > len(shown[0]):
            blocks.append("\n".join(shown) + "\n")
            room -= len(blocks[-1]) + 1
    return blocks, is_cut


def _cut(lines: Sequence[str], room: int) -> list[str]:
    if sum(len(line) + 1 for line in lines) <= room:
        return [*lines]
    kept = _fitting(lines, room - 45)
    return [*kept, f"- ... {counted(len(lines) - len(kept), 'more line')}{_BY_USAGES}"]


def _lines_around(each: Around, room: int, for_tests: int, *, in_full: bool) -> Iterator[str]:
    yield f"**{symbol_shown(each.symbol)}** {place_shown(each.symbol)}"
    most = room // 2 if in_full else room // 4
    if each.callers:
        yield from _callers("called by", each.callers, most, in_full=in_full)
    for method, callers in each.through:
        yield from _callers(f"called through {code(method)}, decided at run time, by", callers, most, in_full=in_full)
    is_value = each.symbol.kind in VALUES
    if each.named and is_value:
        yield from _callers("read or set by", each.named, most, in_full=in_full)
    elif each.named:
        yield from _callers("named without a call, as a value or a type, by", each.named, room // 5, in_full=False)
    if not (each.callers or each.through or each.named):
        has_name = f"; code that has its name: {_some(map(path_in_prose, each.elsewhere), room // 4)}" if each.elsewhere else ""
        yield f"- no {'use' if is_value else 'caller'} is resolved, tests aside{has_name}"
    if each.unresolved:
        yield f"- {counted(each.unresolved, 'further use')} of this name could not be tied to a symbol"
    if each.supertypes:
        yield f"- {_some(map(prose, each.supertypes), room // 6)}"
    if each.subtypes:
        on_it = (f"{relation} {code(one.name)} {place_shown(one)}" for relation, one in each.subtypes)
        yield f"- on it {counted(len(each.subtypes), 'symbol')}: {_some(on_it, room // 5)}"
    yield _tests(each, for_tests)
    if each.second:
        yield _second(each, for_tests)
    if each.siblings:
        yield f"- beside it: {_listed(each.siblings, room // 6)}"


def _callers(how: str, callers: Callers, room: int, *, in_full: bool) -> Iterator[str]:
    sure = Counter(caller.certainty.value for caller in callers.symbols)
    told = ", ".join(f"{count} {certainty}" for certainty, count in sure.items())
    places = counted(sum(len(caller.calls) for caller in callers.symbols), "place")
    looked_at = f", of which {len(callers.symbols)}" if callers.left else ""
    head = f"- {how} {counted(len(callers.symbols) + callers.left, 'symbol')}{looked_at} at {places} ({told}), tests aside"
    if not in_full:
        yield f"{head}: {_some(map(_calling, callers.symbols), room, callers.left)}"
        return
    lines = [f"  - {_calling(caller)}: {code(caller.calls[0].code.strip())}" for caller in callers.symbols]
    kept = _fitting(lines, room)
    yield from (f"{head}:", *kept)
    if left := len(lines) - len(kept) + callers.left:
        yield f"  - {left} more{_BY_USAGES}"


def _tests(each: Around, room: int) -> str:
    possible = counted(len(each.tests_possible), "test")
    if not each.tests and not each.tests_through:
        within = "" if each.is_whole else ", as far as was looked"
        named = f"; by its name alone {possible} may: {_listed(each.tests_possible, room)}" if each.tests_possible else ""
        return f"- no test is known to reach it by calls that are resolved{within}{named}"
    whole = "" if each.is_whole else ", and perhaps more"
    also = f", by its name alone {possible} may" if each.tests_possible else ""
    counts = f"{len(each.tests)} directly, {len(each.tests_through)} through others{whole}{also}"
    return f"- tests: {counts}: {_listed((*each.tests, *each.tests_through), room)}"


def _second(each: Around, room: int) -> str:
    """What calls the callers: what a change of it may reach as well."""
    sure = Counter(certainty.value for _, certainty in each.second)
    told = ", ".join(f"{count} {certainty}" for certainty, count in sure.items())
    shown = _listed((symbol for symbol, _ in each.second), room)
    least = "" if each.is_second_whole else "at least "
    return f"- two calls away {least}{counted(len(each.second), 'symbol')} ({told} by the weaker call): {shown}"


def _listed(symbols: Iterable[ExploredSymbol], room: int) -> str:
    return _some((f"{code(each.name)} {place_shown(each)}" if each.name else place_shown(each) for each in symbols), room)


def _calling(caller: CallingSymbol) -> str:
    lines = ", ".join(str(line) for line in dict.fromkeys(call.line for call in caller.calls))
    who = code(caller.within) if caller.within else "top of the file"
    return (
        f"{who} {path_in_prose(caller.path)}:{lines}{'' if caller.certainty.value == 'exact' else f' ({caller.certainty.value})'}"
    )


def _some(entries: Iterable[str], room: int, further: int = 0) -> str:
    """As many entries as fit, and how many do not, ``further`` ones among them."""
    listed = list(entries)
    kept = _fitting(listed, room)
    left = len(listed) - len(kept) + further
    return "; ".join(kept) + (f"; {left} more" if left else "")


# -- code -------------------------------------------------------------------------------------------------------------------------


def _code(places: Sequence[Place], room: int, *, is_spare: bool = False) -> tuple[list[str], list[ExploredSymbol], bool]:
    """Blocks of code within ``room`` characters, the places that did not fit, and whether some or parts of some did not."""
    blocks: list[str] = []
    left: list[ExploredSymbol] = []
    is_cut = False
    for number, place in enumerate(places):
        is_last = number == len(places) - 1
        block, is_whole = _block(place, room if is_last or is_spare else int(room * _SHARE_OF_WHOLE))
        if not (is_whole or is_last):
            block, is_whole = _block(place, int(room * _SHARE_OF_ONE))
        is_cut = is_cut or not is_whole
        if block:
            blocks.append(block)
            room -= len(block) + 1
        else:
            left.append(place.symbol)
    return blocks, left, is_cut


def _block(place: Place, room: int) -> tuple[str, bool]:
    """A place with as many of its lines as fit, empty if too few do; and whether all did."""
    lines = place.code.split("\n")
    numbered = [f"{number} {line}" for number, line in enumerate(lines, place.first)]
    room -= len(_heading(place, place.first, place.first + len(lines) - 1)) + 12 + len(place.symbol.language)
    first, last = _window(numbered, place, room)
    if last - first < min(_LEAST_LINES, len(lines)):
        return "", False
    shown = _heading(place, place.first + first, place.first + last - 1)
    return f"{shown}\n{fenced(chr(10).join(numbered[first:last]), place.symbol.language)}\n", last - first == len(lines)


def render_place(place: Place) -> str:
    """A place with all of its code."""
    return _block(place, sys.maxsize)[0] or f"{symbol_shown(place.symbol)} {place_shown(place.symbol)}\n"


def _window(lines: Sequence[str], place: Place, room: int) -> tuple[int, int]:
    """All lines if they fit; else without the comment before the name; else those from just before the line that matters."""
    if (last := _end(lines, 0, room)) == len(lines):
        return 0, last
    name, matters = place.symbol.line - place.first, place.match_line - place.first
    for first in (max(name, 0), max(matters - _SHOWN_BEFORE, 0)):
        last = _end(lines, first, room)
        if first < len(lines) and not last <= matters < len(lines):
            break
    return first, last


def _end(lines: Sequence[str], first: int, room: int) -> int:
    place = first
    while place < len(lines) and room > len(lines[place]):
        room -= len(inert(lines[place])) + 1
        place += 1
    return place


def _heading(place: Place, first: int, last: int) -> str:
    symbol = place.symbol
    is_part = place.is_cut or (first, last) != (place.first, place.first + place.code.count("\n"))
    of = f", of {symbol.first}-{symbol.last}" if is_part else ""
    rest = _rest(place)
    return f"{code(f'{symbol.path}:{first}-{last}')}{of} {symbol_shown(symbol) if symbol.name else ''}{prose(rest)}".rstrip()


def _rest(place: Place) -> str:
    """The methods of a type, or the other functions of the same name, by their lines."""
    if not place.rest:
        return ""
    if all(each.name == place.symbol.name for each in place.rest):
        return f"; {len(place.rest)} more of this name at {', '.join(str(each.line) for each in place.rest)}"
    methods = _some((f"{each.name.rpartition('.')[2]} {each.line}" for each in place.rest), _REST)
    return f"; {counted(len(place.rest), 'method')}: {methods}"


def _not_shown(places: Sequence[ExploredSymbol], room: int) -> list[str]:
    """One paragraph that names what did not fit, as far as there is room, and counts the rest."""
    entries = (f"{code(each.name)} {place_shown(each)}" if each.name else place_shown(each) for each in places)
    if not places or room < _LEAST_REST:
        return []
    return [f"Not shown: {_some(entries, room - 40)}\n"]


def symbol_shown(symbol: ExploredSymbol) -> str:
    """The kind and the name."""
    return f"{symbol.kind} {code(symbol.name)}" if symbol.name else "lines"


def place_shown(symbol: ExploredSymbol) -> str:
    """``path:line``."""
    return f"{path_in_prose(symbol.path)}:{symbol.line}"


def counted(number: int, what: str) -> str:
    """``1 place``, ``2 places``."""
    return f"{number} {what}{'' if number == 1 else 's'}"
