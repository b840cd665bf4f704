"""``read``: a path in; lines of the file, its outline, or what is in the directory out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.errors import NotFound
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.query.files.left_out import sentence_of
from hardtack.query.files.stored_files import Directory, Excerpt, StoredFiles
from hardtack.query.files.tree import Tree
from hardtack.render.exploration import counted
from hardtack.render.markdown import code, fenced
from hardtack.render.style import inert
from hardtack.tools.agents import CUT, OTHERS, PATHS, AgentParameters, Offset, call_of, none_from, paged, reply, shortened
from hardtack.tools.tool import FILE, Call, Tool, ToolReply

_OUTLINED = FUNCTIONS | TYPES | {Kind.MODULE, Kind.NAMESPACE, Kind.SECTION, Kind.BLOCK, Kind.CONSTANT, Kind.RESOURCE}


_BESIDES: Final = 400
"""Characters for what stands around the lines of a file."""


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """Which file or directory."""

    path: Annotated[str, Meta(description="File, directory ('.' is the top), or 'a.py:10-40'.", extra={FILE: True})] = "."
    start_line: Annotated[int, Meta(ge=1)] = 1
    end_line: int | None = None
    offset: Offset = 0
    outline: Annotated[bool, Meta(description="Symbols of the file instead of its text.")] = False


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with call.catalog.searcher(arguments.index) as searcher:
        files, bundle = searcher.files, searcher.bundle
        try:
            if arguments.outline:
                return _outline(bundle, arguments)
            return _lines(files, bundle, arguments)
        except NotFound as error:
            try:
                directory = files.directory(arguments.path, hidden=True)
            except NotFound:
                raise error from None
            return _directory(directory, arguments)


def _lines(files: StoredFiles, bundle: Bundle, arguments: Arguments) -> ToolReply:
    start = arguments.start_line if arguments.start_line > 1 else max(arguments.offset, 1)
    excerpt = files.read(arguments.path, start, arguments.end_line)
    file = bundle.file_at(excerpt.path)
    language = file.language if file else ""
    first, longest = excerpt.start_line, _longest(arguments)
    lines = [*_first_lines(excerpt, longest, arguments.room)]
    if not lines:
        return reply(arguments, f"{code(excerpt.path)} is empty.\n", lambda: {"path": excerpt.path, "line_count": 0})

    def rendered(count: int) -> tuple[str, str]:
        last = first + count - 1
        numbered = "\n".join(f"{number} {line}" for number, line in enumerate(lines[:count], first))
        text = f"{code(f'{excerpt.path}:{first}-{last}')} of {excerpt.line_count}\n{fenced(numbered, language)}\n"
        if last >= excerpt.end_line:
            return text, ""
        end = arguments.end_line
        return text, f"\nMore: {call_of('read', path=excerpt.path, start_line=last + 1, end_line=end, index=arguments.index)}\n"

    def value(count: int) -> dict[str, Any]:
        return {
            "path": excerpt.path,
            "start_line": first,
            "end_line": first + count - 1,
            "line_count": excerpt.line_count,
            "lines": [line[: longest + len(CUT)] for line in lines[:count]],
            "cut": [number for number, line in enumerate(lines[:count], first) if len(line) > longest],
        }

    return paged(arguments, rendered, value, len(lines))


def _longest(arguments: Arguments) -> int:
    """Characters of a line that are shown."""
    return max(arguments.room - _BESIDES, arguments.room // 2)


def _first_lines(excerpt: Excerpt, longest: int, room: int) -> Iterator[str]:
    """Lines until they take so many characters, long ones cut: no more of a file is decoded than an answer can hold."""
    for line in excerpt.each_line(4 * (longest + 1)):  # a character has four bytes at most
        yield shortened(line, longest)
        room -= min(len(line), longest) + 1
        if room < 0:
            return


def _outline(bundle: Bundle, arguments: Arguments) -> ToolReply:
    file = Tree(bundle).file(arguments.path)  # the symbols are there without the text as well
    entries = [*_symbols(bundle, file)]
    if not entries:
        text = f"{code(file.path)}, {file.line_count} lines, 0 symbols\nNo symbols.\n"
        return reply(arguments, text, lambda: {"path": file.path, "total": 0})
    head = f"{code(file.path)}, {file.line_count} lines, {counted(len(entries), 'symbol')}"
    return _entries(arguments, file.path, "symbols", head, entries)


def _entries(arguments: Arguments, path: str, key: str, head: str, entries: Sequence[str], left: str = "") -> ToolReply:
    """A page of the entries of an outline or a directory, from the offset on."""
    offset, total, longest = arguments.offset, len(entries), _longest(arguments)
    wanted = [shortened(entry, longest) for entry in entries[offset:]]
    if offset and not wanted:
        return reply(arguments, none_from(offset, total), lambda: {"path": path, "total": total})

    def rendered(count: int) -> tuple[str, str]:
        end = offset + count
        said = f"{left}\n" if left else ""
        text = f"{head}\n{fenced(chr(10).join(wanted[:count]), '')}\n{said}"
        if end >= total:
            return text, ""
        going = call_of("read", path=arguments.path, outline=arguments.outline or None, offset=end, index=arguments.index)
        return text, f"{end} of {total}; more: {going}\n"

    def value(count: int) -> dict[str, Any]:
        end = offset + count
        return {
            "path": path,
            "total": total,
            key: wanted[:count],
            "next_offset": end if end < total else None,
            "note": left,
        }

    return paged(arguments, rendered, value, len(wanted))


def _symbols(bundle: Bundle, file: FileRecord) -> Iterator[str]:
    """A line for each symbol, indented below what it is in."""
    depths: dict[int, int] = {}
    for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
        symbol = bundle.symbol(ordinal)
        if symbol.kind in _OUTLINED:
            depths[ordinal] = depth = depths.get(symbol.parent, -1) + 1
            said = symbol.name if symbol.kind is Kind.SECTION else " ".join((symbol.signature or symbol.name).split())
            kind = symbol.kind.value
            yield inert(f"{'  ' * depth}{symbol.start_line}-{symbol.end_line} {kind} {said.removeprefix(f'{kind} ')}")


def _directory(directory: Directory, arguments: Arguments) -> ToolReply:
    entries = [f"{entry.path}/" if entry.type == "directory" else entry.path for entry in directory.entries]
    left = sentence_of(directory.left_out) if directory.left_out else ""
    return _entries(arguments, directory.path, "entries", f"{code(directory.path)}, {len(entries)} entries", entries, left)


TOOL = Tool(
    name="read",
    toolset="default",
    title="Read a file or directory",
    description="Numbered lines of a file as it was indexed, its outline, or the entries of a directory.",
    parameters=Arguments,
    result=None,
    call=_call,
    aliases={**OTHERS, **PATHS, "start": "start_line", "end": "end_line", "line": "start_line"},
)
