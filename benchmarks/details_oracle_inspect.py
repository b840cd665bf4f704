"""Does what we say of Python's functions equal what ``inspect`` says of them once they are loaded?

    python benchmarks/details_oracle_inspect.py NAME [NAME ...] [--misses FILE]

A NAME is ``stdlib`` or an installed package. All their modules are imported, but for tests, demonstrations and what acts when it is
imported; one that does not import is counted and named among the misses. Compared are the functions and methods that can be reached
from modules and classes and were written in those modules' own files, each where its code object says that it stands: parameters
with their kinds and whether they have defaults, ``async``, and the docstring. Exit status 1 below 99 %.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import pkgutil
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

from details_oracle_tally import Entry, Tally, arguments_of, entries_of, finished

MARK = 0.99
_UNWANTED = re.compile(
    r"(?:.*\.)?(?:tests?|test_\w+|_test\w*|idlelib|turtledemo|lib2to3|__main__|antigravity|this|__phello__)(?:\..*)?"
)
_KINDS = inspect.Parameter


def main() -> int:
    """The exit status."""
    arguments = arguments_of(__doc__ or "", "NAME")
    warnings.simplefilter("ignore")
    return finished([tally_of(str(name)) for name in arguments.trees], arguments.misses, MARK)


def tally_of(name: str) -> Tally:
    """Every function of the modules that ``name`` stands for."""
    tally = Tally(name)
    modules = list(_modules(sorted(sys.stdlib_module_names) if name == "stdlib" else [name], tally))
    seen: set[tuple[str, int, str]] = set()
    for module in modules:
        for function in _functions(module):
            code = function.__code__
            path = Path(code.co_filename)
            place = (code.co_filename, code.co_firstlineno, code.co_name)
            line = _line_of(path, code.co_firstlineno, code.co_name)
            if place in seen or not line or hasattr(function, "__signature__"):
                continue
            seen.add(place)
            entries = _entries(path).get((code.co_name, line), ())
            theirs = _stated(function)
            tally.compare("functions", f"{path}:{line}:{code.co_name}", theirs, _ours(entries[0], theirs) if entries else None)
    tally.title += f" ({len(modules)} modules loaded, {sum('does not load' in miss for miss in tally.misses)} not)"
    return tally


def _modules(names: Sequence[str], tally: Tally) -> Iterator[ModuleType]:
    """The modules of these names and all below them that are written in Python."""
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if _UNWANTED.fullmatch(name):
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                module = importlib.import_module(name)
        except (Exception, SystemExit) as fault:  # noqa: BLE001  (whatever a foreign module does when it is loaded)
            tally.misses.append(f"{name}\tdoes not load\t{type(fault).__name__}\t-")
            continue
        if str(getattr(module, "__file__", None) or "").endswith(".py"):
            yield module
        if folder := getattr(module, "__path__", None):
            waiting += sorted(f"{name}.{found.name}" for found in pkgutil.iter_modules(list(folder)))


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """The functions of a module and of its classes that its own file holds."""
    waiting: list[object] = list(vars(module).values())
    seen: set[int] = set()
    for thing in waiting:
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, staticmethod | classmethod):
            waiting.append(thing.__func__)
        elif isinstance(thing, property):
            waiting += [each for each in (thing.fget, thing.fset, thing.fdel) if each]
        elif isinstance(thing, type) and thing.__module__ == module.__name__:
            waiting += vars(thing).values()
        elif isinstance(thing, FunctionType) and thing.__code__.co_filename == module.__file__:
            yield thing


@cache
def _entries(path: Path) -> Mapping[tuple[str, int], Sequence[Entry]]:
    return entries_of(path, path.read_bytes())


@cache
def _lines(path: Path) -> Sequence[str]:
    return path.read_text(encoding="utf-8", errors="replace").split("\n")


def _line_of(path: Path, first: int, name: str) -> int:
    """The line of the function's name: a code object begins at the first decorator. 0 for a lambda and the like."""
    wanted = re.compile(rf"\s*(?:async\s+)?def\s+{re.escape(name)}\b")
    following = enumerate(_lines(path)[first - 1 : first + 200], first)
    return next((line for line, text in following if wanted.match(text)), 0)


def _stated(function: FunctionType) -> dict[str, object]:
    stated: list[tuple[str, bool]] = []
    parameters = list(inspect.signature(function, follow_wrapped=False).parameters.values())
    for index, each in enumerate(parameters):
        before = parameters[index - 1].kind if index else None
        if before is _KINDS.POSITIONAL_ONLY and each.kind is not _KINDS.POSITIONAL_ONLY:
            stated.append(("/", False))
        if each.kind is _KINDS.KEYWORD_ONLY and before not in (_KINDS.KEYWORD_ONLY, _KINDS.VAR_POSITIONAL):
            stated.append(("*", False))
        stars = {_KINDS.VAR_POSITIONAL: "*", _KINDS.VAR_KEYWORD: "**"}.get(each.kind, "")
        name = re.sub(r"^_\w+?(__\w*(?<!__))$", r"\1", each.name)  # a private name carries its class's
        stated.append((stars + name, each.default is not _KINDS.empty))
    if parameters and parameters[-1].kind is _KINDS.POSITIONAL_ONLY:
        stated.append(("/", False))
    is_async = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
    docstring = {"docstring": inspect.cleandoc(function.__doc__)} if function.__doc__ else {}
    return {"parameters": stated, "async": is_async, **docstring}


def _ours(entry: Entry, theirs: Mapping[str, object]) -> dict[str, object]:
    symbol, detail = entry
    said = {"parameters": [(each.name, bool(each.default)) for each in detail.parameters], "async": "async" in detail.modifiers}
    return said | ({"docstring": symbol.doc} if "docstring" in theirs else {})


if __name__ == "__main__":
    sys.exit(main())
