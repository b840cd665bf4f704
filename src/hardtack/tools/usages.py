"""``usages``: a name in, who uses it out: references, callers of any depth, implementations, tests; counts first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import ExploredSymbol
from hardtack.nouns.model import Kind
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.query.explore.around import TEST_DEPTH, explored
from hardtack.query.lookup.lookups import LookUpResult, LookUps
from hardtack.query.lookup.reach import MAX_DEPTH, Step, reached
from hardtack.query.lookup.symbols import look_up
from hardtack.render.exploration import place_shown, symbol_shown
from hardtack.render.markdown import code
from hardtack.render.mentions import render_callers, render_mentions
from hardtack.tools.agents import NAMES, OTHERS, PATHS, AgentParameters, Name, Offset, call_of, fitted, reply
from hardtack.tools.tool import Call, Tool, ToolReply

_BESIDES: Final = 300
"""Characters for the counts and the call that goes on."""

_LOOK_UPS: Final[dict[str, tuple[str, Callable[..., LookUpResult[Any]]]]] = {
    "references": ("References", LookUps.references),
    "callers": ("Callers", LookUps.callers),
    "implementations": ("Implementations", LookUps.implementations),
}


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """Of which symbol, and which usages."""

    name: Name
    of: Literal["references", "callers", "implementations", "tests"] = "callers"
    depth: Annotated[int, Meta(description="Callers of callers, tests: steps.", extra_json_schema={"minimum": 1})] = 1
    path: Annotated[str | None, Meta(description="Only in files of this glob.")] = None
    package: str | None = None
    offset: Offset = 0


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with call.catalog.searcher(arguments.index) as searcher:
        if arguments.of == "tests" or (arguments.of == "callers" and arguments.depth > 1):
            return _reaching(searcher.bundle, arguments)
        return _listed(searcher.bundle, arguments)


def _listed(bundle: Bundle, arguments: Arguments) -> ToolReply:
    """The places that one look-up gives."""
    title, look_up_ = _LOOK_UPS[arguments.of]
    paths = [arguments.path] if arguments.path else []
    found = look_up_(LookUps(bundle), arguments.name, package=arguments.package or "", paths=paths)
    wanted = found.results[arguments.offset :]
    if not found.total:
        nearest = f" Nearest: {', '.join(found.suggestions)}." if found.suggestions else ""
        said = found.nothing or f"Nothing is called {arguments.name!r}.{nearest}"
        return reply(arguments, f"{said}\n", lambda: {"total": 0, "note": said})

    def rendered(count: int) -> str:
        if arguments.of == "callers":
            return render_callers(arguments.name, found.symbols, wanted[:count])
        return render_mentions(title, arguments.name, found.symbols, wanted[:count])

    text, count = fitted(rendered, len(wanted), arguments.room - _BESIDES)
    text = f"{_counts(bundle, found.results)}\n\n{text}"
    if found.note:
        text += f"\n{found.note}\n"
    return reply(
        arguments, text + _going_on(arguments, count, found.total), lambda: {"total": found.total, "result": wanted[:count]}
    )


def _counts(bundle: Bundle, results: Sequence[Usage | CallingSymbol]) -> str:
    """How many there are, how sure they are, and how many of them are in tests."""
    places = [call for each in results for call in (each.calls if isinstance(each, CallingSymbol) else (each,))]
    sure = Counter(each.certainty.value for each in places)
    files = {each.path for each in places}
    tests = sum(bool((file := bundle.file_at(each.path)) and file.is_test) for each in places)
    return f"{len(places)} places in {len(files)} files: {', '.join(f'{n} {word}' for word, n in sure.items())}; {tests} in tests."


def _reaching(bundle: Bundle, arguments: Arguments) -> ToolReply:
    """What leads to the symbol by calls, by distance."""
    is_tests = arguments.of == "tests"
    symbols = look_up(bundle, arguments.name, frozenset(Kind), package=arguments.package or "")
    depth = min(arguments.depth if arguments.depth > 1 or not is_tests else TEST_DEPTH, MAX_DEPTH)
    found = reached(bundle, symbols.ordinals, depth=depth)
    steps = [step for step in found.steps.values() if not is_tests or bundle.file(bundle.symbol(step.symbol).file).is_test]
    wanted = steps[arguments.offset :]

    def rendered(count: int) -> str:
        return "\n".join(_lines(bundle, wanted[:count])) + "\n"

    by_depth = Counter(step.depth for step in steps)
    told = ", ".join(f"{n} at {distance}" for distance, n in sorted(by_depth.items())) or "none"
    what = f"{'Test functions that reach' if is_tests else 'What reaches'} {code(arguments.name)} by calls of at most {depth} steps"
    more = "" if found.is_whole else "; more may lead there by longer ways"
    if not symbols.ordinals:
        nearest = f" Nearest: {', '.join(symbols.suggestions)}." if symbols.suggestions else ""
        return reply(arguments, f"Nothing is called {arguments.name!r}.{nearest}\n", lambda: {"total": 0})
    text, count = fitted(rendered, len(wanted), arguments.room - _BESIDES)
    unresolved = " Calls that are not resolved, and values called elsewhere, are not followed." if not steps else ""
    head = f"{what}: {len(steps)} ({told}){more}.{unresolved}\n"
    return reply(
        arguments,
        f"{head}\n{text}{_going_on(arguments, count, len(steps))}",
        lambda: {
            "total": len(steps),
            "result": [{"symbol": explored(bundle, each.symbol), "depth": each.depth} for each in wanted[:count]],
        },
    )


def _lines(bundle: Bundle, steps: Sequence[Step]) -> Iterator[str]:
    """A line for each step, under the distance."""
    distance = 0
    for step in steps:
        if step.depth != distance:
            distance = step.depth
            yield f"{distance} step{'s' if distance > 1 else ''} away:"
        symbol: ExploredSymbol = explored(bundle, step.symbol)
        onto = code(bundle.symbol_name(step.next).qualified_name)
        through = f" through {code(bundle.symbol_name(step.through).qualified_name)}" if step.through >= 0 else ""
        yield f"- {symbol_shown(symbol)} {place_shown(symbol)}, {step.certainty.value}, at {step.site.line} to {onto}{through}"


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
