"""An agent that has ripgrep and can read lines of a file: what ``agent_tasks.py`` sets beside servers."""

from __future__ import annotations

import asyncio
import re
import shlex
import subprocess
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from agent_tasks_places import ripgrep_places
from agent_tasks_tools import CALLS, JOINED, Call, Session, Tool, Turn, names_in

_WINDOW, _BEFORE = 100, 10
"""Lines of a read, and of them before the first that was printed."""
_HEAD, _FILES = 100, 20
"""Lines of an answer, and files of a list."""
_BEST, _OF_EACH = 5, 20
"""Files of a list that are searched, and lines of each."""
_LINES, _COUNT = "rg -n -H -M 300 --sort path -F", "rg -c -H -F -i"
_STOP = frozenset(
    """about after also another before beside call called calls code does each every from have into make must need needs only other
    places should such that their them then there they this through touch want what when where which while whole will with would
    """.split()  # noqa: SIM905  (a list of forty words is read more easily so)
)
_ENDING = re.compile(r"(?<=\w{4})(?:ing|ed|es|s)$")
_DEFINES = re.compile(r"\b(?:class|def|enum|fn|fun|func|function|impl|interface|module|struct|trait|type)\b")


class Ripgrep(Tool):
    """``rg`` and a way to read lines of a file. What a model is told of these two is not counted."""

    name = "ripgrep"

    @asynccontextmanager
    async def session(self, checkout: Path, scratch: Path) -> AsyncIterator[Session]:
        """No process stays."""

        async def ask(call: Call) -> str:
            if call.tool == "read":
                return _read(checkout, **call.arguments)
            return await asyncio.to_thread(_searched, checkout, call.arguments["command"])

        version = subprocess.run(["rg", "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
        yield Session(version, "", ask)

    def first(self, question: str) -> Call:
        """For names if there are any, else for words."""
        names = [JOINED.split(name)[-1] for name in names_in(question)]
        return _rg(f"{_LINES} -w", names) if names else _rg(_COUNT, words_in(question))

    def offered(self, question: str, turns: Sequence[Turn]) -> Iterator[Call]:
        """As the docstring of ``agent_tasks_tools.py`` says."""
        call, answer = turns[-1]
        command = call.arguments.get("command", "")
        if command.startswith(_COUNT) and answer:
            files = [line.rpartition(":")[0] for line in answer.split("\n")][:_BEST]
            yield _rg(f"{_LINES} -i -m {_OF_EACH}", words_in(question), files)
        elif command and answer:
            yield from _reads(answer)
        elif command.startswith(f"{_LINES} -w"):
            yield _rg(_COUNT, words_in(question))


def words_in(question: str) -> list[str]:
    """Its words of four letters and more, each once: without those of every question and without endings as in *tests*."""
    words = (word.lower() for word in re.findall(r"[A-Za-z]{4,}", question))
    return list(dict.fromkeys(_ENDING.sub("", word) for word in words if word not in _STOP))


def _rg(command: str, words: Sequence[str], files: Sequence[str] = ()) -> Call:
    patterns = [part for word in dict.fromkeys(words) for part in ("-e", word)]
    return Call("rg", {"command": f"{command} {shlex.join([*patterns, *(['--', *files] if files else [])])}"})


def _searched(checkout: Path, command: str) -> str:
    """The first lines of what ``rg`` prints; of counts the largest.

    Raises:
        RuntimeError: it failed.
    """
    program, *words = shlex.split(command)
    run = [program, "--no-config", *words]
    found = subprocess.run(run, cwd=checkout, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    if found.returncode > 1:
        raise RuntimeError(f"{command} failed: {found.stderr.strip()}")
    lines = found.stdout.splitlines()
    if command.startswith(_COUNT):
        lines = sorted(lines, key=lambda line: (-int(line.rpartition(":")[2]), line))[:_FILES]
    return "\n".join(lines[:_HEAD])


def _read(checkout: Path, path: str, first: int, last: int) -> str:
    """The path and the lines, then each with its number."""
    lines = (checkout / path).read_text(encoding="utf-8", errors="replace").split("\n")
    last = min(last, len(lines))
    return "\n".join((f"{path}:{first}-{last}", *(f"{number}\t{lines[number - 1]}" for number in range(first, last + 1))))


def _reads(answer: str) -> Iterator[Call]:
    """Stretches around printed lines: first those that look like definitions, in their order; then those with most lines."""
    hits: dict[str, list[int]] = defaultdict(list)
    defined = []
    for printed in answer.split("\n"):
        for place in ripgrep_places(printed):
            hits[place.path].append(place.first)
            if _DEFINES.search(printed.split(":", 2)[2]):
                defined.append((place.path, place.first))
    for _ in range(CALLS):
        left = [(path, line) for path, lines in hits.items() for line in lines]
        if not left:
            return
        begun = [each for each in defined if each in left]
        path, line = begun[0] if begun else max(left, key=lambda each: len(_within(hits[each[0]], each[1])))
        inside = _within(hits[path], line)
        hits[path] = [each for each in hits[path] if each not in inside]
        first = max(1, line - _BEFORE)
        yield Call("read", {"path": path, "first": first, "last": first + _WINDOW - 1})


def _within(lines: Sequence[int], first: int) -> set[int]:
    """Those that a read shows which begins before ``first``."""
    return {each for each in lines if first <= each < first + _WINDOW - _BEFORE}
