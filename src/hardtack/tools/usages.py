"""``usages``: a name in, who uses it out: references, callers of any depth, implementations, tests; counts first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, Kind
from hardtack.nouns.relations import Certainty
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.query.explore.around import TEST_DEPTH, caller_at, explored, possible_tests, with_members
from hardtack.query.lookup.implementations import overridden
from hardtack.query.lookup.lookups import LookUps, check_name
from hardtack.query.lookup.reach import MAX_DEPTH, Step, reached
from hardtack.query.lookup.references import groups_of, site_filter
from hardtack.query.lookup.results import LookUpResult
from hardtack.query.lookup.symbols import look_up
from hardtack.query.lookup.tests_inside import is_in_test
from hardtack.render.exploration import counted, place_shown, symbol_shown
from hardtack.render.markdown import code
from hardtack.render.mentions import render_callers, render_mentions
from hardtack.tools.agents import NAMES, OTHERS, PATHS, AgentParameters, Name, Offset, call_of, none_from, paged, reply
from hardtack.tools.tool import Call, Tool, ToolReply

_MOST_NAMED: Final = 5
"""Methods that are named of those that one overrides."""
_MOST_BY_NAME: Final = 8

_LOOK_UPS: Final[dict[str, tuple[str, Callable[..., LookUpResult[Any]]]]] = {
    "references": ("References", LookUps.references),
    "callers": ("Callers", LookUps.callers),
    "implementations": ("Implementations", LookUps.implementations),
}


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """Of which symbol, and which usages."""

    name: Name
    of: Literal["references", "callers", "implementations", "tests"] = "callers"
    depth: Annotated[int, Meta(ge=1, description="Callers of callers, tests: steps.")] = 1
    path: Annotated[str | None, Meta(description="Only in files of this glob.")] = None
    package: str | None = None
    offset: Offset = 0


def _call(call: Call, arguments: Arguments) -> ToolReply:
    check_name(arguments.name)
    with call.catalog.searcher(arguments.index) as searcher:
        if arguments.of == "tests" or (arguments.of == "callers" and arguments.depth > 1):
            return _reaching(searcher.bundle, arguments)
        return _listed(searcher.bundle, arguments)


def _listed(bundle: Bundle, arguments: Arguments) -> ToolReply:
    """The places that one look-up gives."""
    title, look_up_ = _LOOK_UPS[arguments.of]
    found = look_up_(LookUps(bundle), arguments.name, package=arguments.package or "", paths=_globs(arguments))
    through = _through(bundle, arguments) if arguments.of == "callers" else ""
    depth = f"depth is of callers and tests; of {arguments.of} it changes nothing." if arguments.depth > 1 else ""
    if not found.total:
        said = " ".join(filter(None, (found.nothing or _nothing(arguments.name, found.suggestions), through, depth)))
        return reply(arguments, f"{said}\n", lambda: {"total": 0, "note": said})
    wanted = found.results[arguments.offset :]
    if not wanted:
        return reply(arguments, none_from(arguments.offset, found.total), lambda: {"total": found.total, "result": []})

    def rendered(count: int) -> tuple[str, str]:
        if arguments.of == "callers":
            text = render_callers(arguments.name, found.symbols, wanted[:count])
        else:
            text = render_mentions(title, arguments.name, found.symbols, wanted[:count])
        notes = "".join(f"\n{each}\n" for each in (found.note, through, depth) if each)
        return f"{counts}\n\n{text}", f"{notes}{_going_on(arguments, count, found.total)}"

    def value(count: int) -> dict[str, Any]:
        return {
            "total": found.total,
            "result": wanted[:count],
            **_next_offset(arguments, count, found.total),
            "note": " ".join(filter(None, (found.note, depth))),
            "through": through,
        }

    counts = _counts(bundle, found.results)
    return paged(arguments, rendered, value, len(wanted))


def _through(bundle: Bundle, arguments: Arguments) -> str:
    """Which methods a method overrides, whose calls the list does not have, and the call that follows them; empty without any."""
    functions = look_up(bundle, arguments.name, FUNCTIONS, package=arguments.package or "", suggest=False).ordinals
    methods = dict.fromkeys(bundle.symbol_name(each).qualified_name for one in functions for each, _ in overridden(bundle, one))
    if not methods:
        return ""
    named = ", ".join(map(code, islice(methods, _MOST_NAMED)))
    going = call_of("usages", name=arguments.name, depth=2, path=arguments.path, package=arguments.package, index=arguments.index)
    return f"It overrides {named}, whose calls may run it: {going}"


def _globs(arguments: Arguments) -> list[str]:
    return [arguments.path] if arguments.path else []


def _nothing(name: str, suggestions: Sequence[str]) -> str:
    nearest = f" Nearest: {', '.join(suggestions)}." if suggestions else ""
    return f"Nothing is called {name!r}.{nearest}"


def _counts(bundle: Bundle, results: Sequence[Usage | CallingSymbol]) -> str:
    """How many there are, how sure they are, and how many of them are in tests."""
    places = [call for each in results for call in (each.calls if isinstance(each, CallingSymbol) else (each,))]
    sure = Counter(each.certainty.value for each in places)
    files = {each.path for each in places}
    tests = sum(bool((file := bundle.file_at(each.path)) and file.is_test) for each in places)
    told = ", ".join(f"{count} {certainty}" for certainty, count in sure.items())
    return f"{counted(len(places), 'place')} in {counted(len(files), 'file')}: {told}; {tests} in tests."


def _reaching(bundle: Bundle, arguments: Arguments) -> ToolReply:
    """What leads to the symbol by calls, by distance."""
    is_tests = arguments.of == "tests"
    symbols = look_up(bundle, arguments.name, frozenset(Kind), package=arguments.package or "")
    if not symbols.ordinals:
        said = _nothing(arguments.name, symbols.suggestions)
        return reply(arguments, f"{said}\n", lambda: {"total": 0, "note": said})
    depth = min(arguments.depth if arguments.depth > 1 or not is_tests else TEST_DEPTH, MAX_DEPTH)
    found = reached(bundle, [each for ordinal in symbols.ordinals for each in with_members(bundle, ordinal)], depth=depth)
    is_wanted = site_filter(bundle, Certainty.POSSIBLE, _globs(arguments))
    steps = [
        step
        for step in sorted((*found.steps.values(), *found.tops), key=lambda step: step.depth)
        if is_wanted(step.site.certainty, step.site.file) and (not is_tests or is_in_test(bundle, step.site.file, step.site.source))
    ]
    what = f"{'Tests that reach' if is_tests else 'What reaches'} {code(arguments.name)} by at most {counted(depth, 'call')}"
    by_depth = Counter(step.depth for step in steps)
    told = ", ".join(f"{count} at {distance}" for distance, count in sorted(by_depth.items())) or "none"
    more = "" if found.is_whole else "; more may lead there by longer ways"
    unresolved = "" if steps else " Calls that are not resolved, and values called elsewhere, are not followed."
    if is_tests and not (steps or arguments.path):
        unresolved += _by_name(bundle, symbols.ordinals)
    head = f"{what}: {len(steps)} ({told}){more}.{unresolved}\n"
    wanted = steps[arguments.offset :]
    if steps and not wanted:
        return reply(arguments, none_from(arguments.offset, len(steps)), lambda: {"total": len(steps), "result": []})

    def rendered(count: int) -> tuple[str, str]:
        lines = "".join(f"{line}\n" for line in _lines(bundle, wanted[:count]))
        return f"{head}\n{lines}", _going_on(arguments, count, len(steps))

    def value(count: int) -> dict[str, Any]:
        return {
            "total": len(steps),
            "result": [_step_json(bundle, each) for each in wanted[:count]],
            **_next_offset(arguments, count, len(steps)),
            "depth": depth,
            "is_whole": found.is_whole,
            "note": unresolved.strip(),
        }

    return paged(arguments, rendered, value, len(wanted))


def _by_name(bundle: Bundle, ordinals: Sequence[int]) -> str:
    """A sentence on the tests that may reach symbols, of which nothing but the name is known; empty if there are none."""
    known = set[tuple[str, str]]()
    own = groups_of(bundle, ordinals)
    found = [test for ordinal in own for test in possible_tests(bundle, ordinal, own, known)]
    shown = (f"{symbol_shown(each)} {place_shown(each)}" for each in found[:_MOST_BY_NAME])
    more = f"; {len(found) - _MOST_BY_NAME} more" if len(found) > _MOST_BY_NAME else ""
    return f" By its name alone {counted(len(found), 'test')} may: {'; '.join(shown)}{more}." if found else ""


def _step_json(bundle: Bundle, step: Step) -> dict[str, Any]:
    return {
        "symbol": caller_at(bundle, step),
        "depth": step.depth,
        "line": step.site.line,
        "certainty": step.certainty,
        "to": explored(bundle, step.next),
        "through": bundle.symbol_name(step.through).qualified_name if step.through >= 0 else "",
    }


def _lines(bundle: Bundle, steps: Sequence[Step]) -> Iterator[str]:
    """A line for each step, under the distance."""
    distance = 0
    for step in steps:
        if step.depth != distance:
            distance = step.depth
            yield f"{counted(distance, 'step')} away:"
        symbol = caller_at(bundle, step)
        onto = code(bundle.symbol_name(step.next).qualified_name)
        through = f" through {code(bundle.symbol_name(step.through).qualified_name)}" if step.through >= 0 else ""
        yield f"- {symbol_shown(symbol)} {place_shown(symbol)}, {step.certainty.value}, at {step.site.line} to {onto}{through}"


def _next_offset(arguments: Arguments, count: int, total: int) -> dict[str, int]:
    """Where the next page begins, if there is one."""
    end = arguments.offset + count
    return {"next_offset": end} if end < total else {}


def _going_on(arguments: Arguments, count: int, total: int) -> str:
    end = arguments.offset + count
    if end >= total:
        return ""
    more = {"depth": arguments.depth if arguments.depth > 1 else None, "path": arguments.path, "package": arguments.package}
    going = call_of("usages", name=arguments.name, of=arguments.of, **more, offset=end, index=arguments.index)
    return f"\n{end} of {total}; more: {going}\n"


TOOL = Tool(
    name="usages",
    toolset="default",
    title="Who uses a symbol",
    description=(
        "Everything that refers to a symbol, calls it (also callers of callers: depth), implements it, or tests that reach it; "
        "counts first, each place with its certainty and its line. For what a change breaks."
    ),
    parameters=Arguments,
    result=None,
    call=_call,
    aliases={
        **OTHERS,
        **NAMES,
        **PATHS,
        "namespace": "package",
        "file_pattern": "path",
        "glob": "path",
        "kind": "of",
        "relation": "of",
    },
)
