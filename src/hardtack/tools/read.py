"""``read``: a path in; lines of the file, its outline, or what is in the directory out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

from msgspec import Meta

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.errors import NotFound
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.query.files.left_out import sentence_of
from hardtack.query.files.stored_files import Directory, StoredFiles
from hardtack.render.markdown import code, fenced
from hardtack.render.style import inert
from hardtack.tools.agents import LEAST_TOKENS, MAX_TOKENS, OTHERS, PATHS, AgentParameters, call_of, fitted, reply
from hardtack.tools.tool import FILE, Call, Tool, ToolReply

_OUTLINED = FUNCTIONS | TYPES | {Kind.MODULE, Kind.NAMESPACE, Kind.SECTION, Kind.BLOCK, Kind.CONSTANT, Kind.RESOURCE}


_BESIDES: Final = 400
"""Characters for what stands around the lines of a file."""
_CUT: Final = "[cut here]"


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """Which file or directory."""

    path: Annotated[str, Meta(description="File, directory ('.' is the top), or 'a.py:10-40'.", extra={FILE: True})] = "."
    start_line: Annotated[int, Meta(ge=1)] = 1
    end_line: int | None = None
    outline: Annotated[bool, Meta(description="Symbols of the file instead of its text.")] = False


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with call.catalog.searcher(arguments.index) as searcher:
        files, bundle = searcher.files, searcher.bundle
        try:
            if arguments.outline:
                return _outline(bundle, files, arguments)
            return _lines(files, bundle, arguments)
        except NotFound as error:
            try:
                directory = files.directory(arguments.path, hidden=True)
            except NotFound:
                raise error from None
            return _directory(directory, arguments)


def _lines(files: StoredFiles, bundle: Bundle, arguments: Arguments) -> ToolReply:
    excerpt = files.read(arguments.path, arguments.start_line, arguments.end_line)
    lines, first = excerpt.lines, excerpt.start_line
    file = bundle.file_at(excerpt.path)
    language = file.language if file else ""

    if not lines:
        return reply(arguments, f"{code(excerpt.path)} is empty.\n", lambda: {"path": excerpt.path, "line_count": 0})
    longest = arguments.room - _BESIDES

    def rendered(count: int) -> str:
        shown_lines = (line if len(line) <= longest else f"{line[:longest]}{_CUT}" for line in lines[:count])
        numbered = "\n".join(f"{number} {line}" for number, line in enumerate(shown_lines, first))
        shown = f"{excerpt.path}:{first}-{first + count - 1}"
        return f"{code(shown)} of {excerpt.line_count}\n{fenced(numbered, language)}\n"

    text, count = fitted(rendered, len(lines), arguments.room - _BESIDES // 2)
    last = first + count - 1
    if last < excerpt.end_line:
        end = arguments.end_line
        text += f"\nMore: {call_of('read', path=excerpt.path, start_line=last + 1, end_line=end, index=arguments.index)}\n"
    return reply(
        arguments,
        text,
        lambda: {
            "path": excerpt.path,
            "start_line": first,
            "end_line": last,
            "line_count": excerpt.line_count,
            "lines": lines[:count],
        },
    )


def _outline(bundle: Bundle, files: StoredFiles, arguments: Arguments) -> ToolReply:
    file = bundle.file_at(files.read(arguments.path).path)
    assert file is not None
    entries = list(_symbols(bundle, file))
    text, count = fitted(lambda n: "\n".join(entries[:n]), len(entries), arguments.room - 300)
    more = _more(arguments, len(entries) - count)
    shown = fenced(text, "") if entries else "No symbols."
    head = f"{code(file.path)}, {file.line_count} lines, {len(entries)} symbols"
    return reply(arguments, f"{head}\n{shown}{more}\n", lambda: {"path": file.path, "symbols": entries})


def _more(arguments: Arguments, left: int) -> str:
    """The call that shows more, where entries are left."""
    if not left:
        return ""
    tokens = min(max(2 * arguments.max_tokens, LEAST_TOKENS), MAX_TOKENS)
    outline = arguments.outline or None
    going = call_of("read", path=arguments.path, outline=outline, max_tokens=tokens, index=arguments.index)
    return f"\n{left} not listed. More: {going}"


def _symbols(bundle: Bundle, file: FileRecord) -> Iterator[str]:
    """A line for each symbol, indented below what it is in."""
    depths: dict[int, int] = {}
    for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
        symbol = bundle.symbol(ordinal)
        if symbol.kind in _OUTLINED:
            depths[ordinal] = depth = depths.get(symbol.parent, -1) + 1
            said = " ".join((symbol.signature or symbol.name).split())
            yield inert(f"{'  ' * depth}{symbol.start_line}-{symbol.end_line} {symbol.kind.value} {said}")


def _directory(directory: Directory, arguments: Arguments) -> ToolReply:
    entries = [f"{entry.path}/" if entry.type == "directory" else entry.path for entry in directory.entries]
    text, count = fitted(lambda n: "\n".join(entries[:n]), len(entries), arguments.room - 300)
    more = _more(arguments, len(entries) - count)
    left = f"\n{sentence_of(directory.left_out)}" if directory.left_out else ""
    head = f"{code(directory.path)}, {len(entries)} entries"
    return reply(arguments, f"{head}\n{fenced(text, '')}{more}{left}\n", lambda: {"path": directory.path, "entries": entries})


TOOL = Tool(
    name="read",
    toolset="default",
    title="Read a file or directory",
    description="Numbered lines of a file as it was indexed, its outline, or the entries of a directory.",
    parameters=Arguments,
    result=None,
    call=_call,
    aliases={**OTHERS, **PATHS, "start": "start_line", "end": "end_line", "line": "start_line", "offset": "start_line"},
)
