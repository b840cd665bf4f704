"""The tools that ``agent_tasks.py`` compares, each asked by one fixed rule that knows the question and the answers, never the gold.

The rule of every tool is the same: ask the question as it stands, with the tool's own defaults; then ask what the answers offer,
first offered first asked, nothing twice, six calls in all. What an answer offers, in this order:

* the calls that it spells out;
* the names in the question, where the tool's instructions ask for names;
* by name what it cut from what it shows, then what it does not show at all.

hardtack
    First ``explore`` with the question. Then the calls that it spells out (``More: ...``); ``usages`` of a symbol that the answer
    is about, where its list of callers, of tests or of what is on it ends with "N more"; ``symbol`` for each name after "Not
    shown".
codegraph
    First ``codegraph_explore`` with the question. Then, by the same tool, what it spells out; the names of the question, together;
    the names inside the gaps of a file, with the file; each line after "Not shown above", which is a file and names.
semble
    First ``search`` with the question. Then ``search`` for each name of the question; ``find_related`` of each hit of the first
    answer.
ripgrep
    First ``rg -n -w`` for the names of the question, 100 lines of it. Without names, or if they are nowhere: ``rg -c`` for the
    words of the question, the 20 files with most lines; then ``rg -n`` for these in the first five files, 20 lines of each. Then it
    reads a hundred lines of a file, where printed lines stand that were not read: first those that look like definitions, then
    where most are.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from mcp import Client, StdioServerParameters

CALLS = 6
"""For one question."""
_TIMEOUT = 600.0
"""Seconds for one answer: semble builds its index in the first."""


class Call(NamedTuple):
    """One call of a tool."""

    tool: str
    arguments: Mapping[str, Any]

    @property
    def written(self) -> str:
        """As a model writes it: the name and its arguments as JSON."""
        return f"{self.tool} {json.dumps(self.arguments, ensure_ascii=False)}"


class Turn(NamedTuple):
    """A call and its answer."""

    call: Call
    answer: str


class Session(NamedTuple):
    """A tool at work over one repository."""

    version: str
    fixed: str
    """What a model reads before its first call: the list of tools, as JSON, and the server's instructions."""
    ask: Callable[[Call], Awaitable[str]]


class Tool(ABC):
    """A way to ask about a repository."""

    name: ClassVar[str]

    @abstractmethod
    def session(self, checkout: Path, scratch: Path) -> AbstractAsyncContextManager[Session]:
        """The tool over ``checkout``, which it does not change; what it makes goes to the empty folder ``scratch``."""

    @abstractmethod
    def first(self, question: str) -> Call:
        """The call that a question begins with."""

    @abstractmethod
    def offered(self, question: str, turns: Sequence[Turn]) -> Iterator[Call]:
        """What the last of the answers so far offers, in its order."""


async def turns_of(tool: Tool, ask: Callable[[Call], Awaitable[str]], question: str) -> list[Turn]:
    """The calls for a question and their answers, :data:`CALLS` at most."""
    turns: list[Turn] = []
    asked: set[str] = set()
    waiting = deque([tool.first(question)])
    while waiting and len(turns) < CALLS:
        call = waiting.popleft()
        if call.written not in asked:
            asked.add(call.written)
            turns.append(Turn(call, await ask(call)))
            waiting.extend(tool.offered(question, turns))
    return turns


_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->|#)[A-Za-z_]\w*)*")
_FILE = re.compile(r"\w+\.(?:c|cc|cpp|cs|go|h|hpp|java|js|json|jsx|md|mjs|php|py|rb|rs|toml|ts|tsx|yaml|yml)")
JOINED = re.compile(r"\.|::|->|#")
"""What stands between the parts of a name."""
_CAMEL = re.compile(r"[a-z0-9][A-Z]")


def names_in(question: str) -> list[str]:
    """The names of symbols in a question, each once; not those of files.

    A name stands in backticks or before ``(``, is joined by ``.``, ``::``, ``->`` or ``#``, or has an underscore or an inner
    capital.
    """
    found = []
    for word in _NAME.finditer(question):
        name, before, after = word[0], question[: word.start()], question[word.end() : word.end() + 1]
        is_path = _FILE.fullmatch(name) or before.endswith("/") or after == "/"
        is_code = "_" in name.strip("_") or _CAMEL.search(name) or after == "(" or before.count("`") % 2 or JOINED.search(name)
        if is_code and not is_path and len(name) > 2:
            found.append(name)
    return list(dict.fromkeys(found))


@asynccontextmanager
async def _served(command: Sequence[str], directory: Path, environment: Mapping[str, str]) -> AsyncIterator[Session]:
    """A server over standard input and output, asked by the official client."""
    parameters = StdioServerParameters(
        command=command[0], args=list(command[1:]), env={**os.environ, **environment}, cwd=str(directory)
    )
    async with Client(parameters, mode="legacy", read_timeout_seconds=_TIMEOUT) as client:
        listed = await client.session.list_tools()
        tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools]
        fixed = json.dumps(tools, ensure_ascii=False, separators=(",", ":")) + (client.instructions or "")

        async def ask(call: Call) -> str:
            result = await client.call_tool(call.tool, dict(call.arguments))
            return "\n".join(part.text for part in result.content if part.type == "text")

        yield Session(client.server_info.version if client.server_info else "", fixed, ask)


# -- hardtack -------------------------------------------------------------------------------------------------------------------

_SPELLED = re.compile(r"(`+)((?:explore|symbol|usages|search_text|read)\(.*?\))\1(?!`)")
_ABOUT = re.compile(r"^About (.*)\.$", re.M)
_BLOCK = re.compile(r"\*\*[\w ]+ `([^`]+)`\*\* ")
_CUT = re.compile(r"\d+ more(?: lines?)?(?:; `usages` lists all)?$")
_LISTS = {"- tests": "tests", "- on it": "implementations", "- called": "callers", "  - ": "callers", "- ... ": "callers"}
_NOT_SHOWN = re.compile(r"^Not shown: (.*)$", re.M)
_ENTRY = re.compile(r"(?:`([^`]+)` )?`?([^\s`;]+?)`?:(\d+)$")


class Hardtack(Tool):
    """The default tools of ``hardtack serve`` over a bundle that ``hardtack build`` made with its defaults."""

    name = "hardtack"

    @asynccontextmanager
    async def session(self, checkout: Path, scratch: Path) -> AsyncIterator[Session]:
        """A server with a cache of its own."""
        environment = {"HARDTACK_CACHE": str(scratch / "cache")}
        program, bundle = [sys.executable, "-m", "hardtack"], str(scratch / "bundle")
        _run([*program, "build", str(checkout), "-o", bundle], environment)
        async with _served([*program, "serve", "-b", bundle, "--log-level", "error"], checkout, environment) as session:
            yield session

    def first(self, question: str) -> Call:
        """``explore`` within its default budget."""
        return Call("explore", {"query": question})

    def offered(self, question: str, turns: Sequence[Turn]) -> Iterator[Call]:
        """As the table says."""
        answer = _without_code(turns[-1].answer)
        for _, call in _SPELLED.findall(answer):
            yield _call_from(call)
        about = set(re.findall(r"`([^`]+)`", " ".join(_ABOUT.findall(answer))))
        symbol = ""
        for line in answer.split("\n"):
            if block := _BLOCK.match(line):
                symbol = block[1] if block[1] in about else ""
            elif symbol and _CUT.search(line):
                for start, of in _LISTS.items():
                    if line.startswith(start):
                        yield Call("usages", {"name": symbol, "of": of})
        for entries in _NOT_SHOWN.findall(answer):
            for entry in map(_ENTRY.match, entries.split("; ")):
                if entry and entry[1]:
                    yield Call("symbol", {"name": entry[1], "path": entry[2]})
                elif entry:
                    yield Call("read", {"path": entry[2], "start_line": int(entry[3])})


def _without_code(answer: str) -> str:
    """The lines of an answer that stand in no fence."""
    kept, fence = [], ""
    for line in answer.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line[: len(line) - len(line.lstrip("`"))]
        else:
            kept.append(line)
    return "\n".join(kept)


def _call_from(text: str) -> Call:
    """The call in ``read(path="a.py", start_line=40)``, whose values are JSON."""
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Call)
    given = {each.arg or "": json.loads(ast.get_source_segment(text, each.value) or "") for each in node.keywords}
    return Call(ast.unparse(node.func), given)


# -- codegraph ------------------------------------------------------------------------------------------------------------------

_EXPLORE = "codegraph_explore"
_RETURNS = re.compile(r"codegraph_explore `([^`]+)` returns")
_GAP = re.compile(r"^\.\.\. \(gap: (.*)\) \.\.\.$", re.M)
_IN_GAP = re.compile(r"([^\s,()]+) \(([^\s():]+):\d+\)")
_NOT_ABOVE = re.compile(r"^\*\*Not shown above.*?\*\*\n+((?:- .*\n?)+)", re.M)
_POINTER = re.compile(r"- ([^\s:]+): (.+)")


class Codegraph(Tool):
    """``codegraph serve`` (``npm install @colbymchenry/codegraph``), without telemetry, daemon and watcher."""

    name = "codegraph"

    def __init__(self, command: str) -> None:
        self._command = command

    @asynccontextmanager
    async def session(self, checkout: Path, scratch: Path) -> AsyncIterator[Session]:
        """A server over a copy of the checkout, as it writes its index there."""
        tree = scratch / "tree"
        shutil.copytree(checkout, tree, symlinks=True)
        switches = dict.fromkeys(("DO_NOT_TRACK", "CODEGRAPH_NO_DAEMON", "CODEGRAPH_NO_WATCH"), "1")
        environment = {**switches, "CODEGRAPH_TELEMETRY": "0", "HOME": str(scratch)}
        _run([self._command, "init", "-y", str(tree)], environment)
        async with _served([self._command, "serve", "--mcp", "--no-watch", "-p", str(tree)], tree, environment) as session:
            yield session

    def first(self, question: str) -> Call:
        """Its one tool."""
        return Call(_EXPLORE, {"query": question})

    def offered(self, question: str, turns: Sequence[Turn]) -> Iterator[Call]:
        """As the table says."""
        answer = turns[-1].answer
        queries = [*_RETURNS.findall(answer)]
        if len(turns) == 1:
            queries += filter(None, [" ".join(names_in(question))])
        gaps: dict[str, list[str]] = defaultdict(list)
        for gap in _GAP.findall(answer):
            for name, path in _IN_GAP.findall(gap):
                gaps[path].append(name)
        queries += [" ".join((path, *names)) for path, names in gaps.items()]
        for lines in _NOT_ABOVE.findall(answer):
            for path, names in _POINTER.findall(lines):
                listed = (name for name in re.findall(r"([^\s,:]+):\d+", names) if name != path.rpartition("/")[2])
                queries.append(" ".join((path, *listed)))
        return (Call(_EXPLORE, {"query": query}) for query in queries)


# -- semble -------------------------------------------------------------------------------------------------------------------


class Semble(Tool):
    """``semble`` as a server (``pip install "semble[mcp]"``), with the model of SEMBLE_MODEL_NAME and the defaults of its tools."""

    name = "semble"

    def __init__(self, command: str) -> None:
        self._command = command

    @asynccontextmanager
    async def session(self, checkout: Path, scratch: Path) -> AsyncIterator[Session]:
        """A server with a cache of its own, which never looks for a model on the network."""
        environment = {"SEMBLE_CACHE_LOCATION": str(scratch), "HF_HUB_OFFLINE": "1"}
        async with _served([self._command], checkout, environment) as session:
            yield session

    def first(self, question: str) -> Call:
        """``search``; the repository is where the server runs."""
        return Call("search", {"query": question, "repo": "."})

    def offered(self, question: str, turns: Sequence[Turn]) -> Iterator[Call]:
        """As the table says."""
        if len(turns) > 1:
            return
        yield from (Call("search", {"query": name, "repo": "."}) for name in names_in(question))
        try:
            hits = json.loads(turns[0].answer).get("results", ())
        except ValueError:  # a sentence: nothing was found
            return
        yield from (
            Call("find_related", {"file_path": each["file_path"], "line": each["start_line"], "repo": "."}) for each in hits
        )


def _run(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run to the end. Raises RuntimeError with what it wrote if it fails."""
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-500:]}")
