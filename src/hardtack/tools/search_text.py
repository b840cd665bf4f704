"""``search_text``: a text or pattern in, every line that has it out, as ``grep -n`` gives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Annotated, Any, Final

from msgspec import Meta

from hardtack.query.files.grep import LineMatch
from hardtack.query.files.patterns import LineRule, finder
from hardtack.query.files.stored_files import MAX_LINES
from hardtack.render.exploration import counted
from hardtack.render.markdown import fenced, path_in_prose
from hardtack.tools.agents import CUT, OTHERS, AgentParameters, Offset, call_of, none_from, paged, reply
from hardtack.tools.tool import Call, Tool, ToolReply

_LINE: Final = 300
"""Characters of a line that are shown."""
_BEFORE: Final = 100
"""Characters of a longer line that are shown before its match, at most."""
_NARROW: Final = "More lines match than are counted; a path or a longer text leaves fewer."


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """What to look for, and where."""

    text: Annotated[str, Meta(description="Literal, in this case.", extra_json_schema={"minLength": 1})]
    regex: Annotated[bool, Meta(description="An RE2 pattern.")] = False
    ignore_case: Annotated[bool, Meta(description="Letters in either case.")] = False
    path: Annotated[str | None, Meta(description="Only in files of this glob: src/**/*.py")] = None
    offset: Offset = 0


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with call.catalog.searcher(arguments.index) as searcher:
        globs = [arguments.path] if arguments.path else []
        rule = LineRule(ignore_case=arguments.ignore_case)
        found = searcher.files.search(arguments.text, globs=globs, regex=arguments.regex, limit=MAX_LINES, rule=rule)
    if not found.matches:
        said = " ".join(filter(None, ("No line has it.", found.hint)))
        return reply(arguments, f"{said}\n", lambda: {"total": 0, "note": said})
    if arguments.offset >= len(found.matches):
        said = none_from(arguments.offset, len(found.matches))
        return reply(arguments, said, lambda: {"total": len(found.matches), "result": []})
    wanted = found.matches[arguments.offset :]
    total = f"{'more than ' if found.truncated else ''}{len(found.matches)}"
    files = counted(len({each.path for each in found.matches}), "file")
    head = f"{total} line{'' if total == '1' else 's'} in {files}.\n\n"
    match_in = _finder(arguments)

    def rendered(count: int) -> tuple[str, str]:
        text, end = f"{head}{_text(wanted[:count], match_in)}", arguments.offset + count
        if end >= len(found.matches):
            return text, f"\n{_NARROW}\n" if found.truncated else ""
        going = call_of(
            "search_text",
            text=arguments.text,
            regex=arguments.regex or None,
            ignore_case=arguments.ignore_case or None,
            path=arguments.path,
            offset=end,
            index=arguments.index,
        )
        return text, f"\n{end} of {total}; more: {going}\n"

    def value(count: int) -> dict[str, Any]:
        end = arguments.offset + count
        return {
            "total": len(found.matches),
            "truncated": found.truncated,
            "cut": found.cut,
            "result": [each._asdict() for each in wanted[:count]],
            "next_offset": end if end < len(found.matches) else None,
            "note": _NARROW if found.truncated else "",
        }

    return paged(arguments, rendered, value, len(wanted))


def _finder(arguments: Arguments) -> Callable[[str], int]:
    """A function of a line that gives the index of the first match in it, in characters."""
    next_match = finder(arguments.text, LineRule(ignore_case=arguments.ignore_case), regex=arguments.regex)

    def first(line: str) -> int:
        encoded = line.encode("utf-8", "replace")
        return len(encoded[: max(next_match(encoded, 0), 0)].decode("utf-8", "ignore"))

    return first


def _text(matches: Sequence[LineMatch], match_in: Callable[[str], int]) -> str:
    """The lines under their files."""
    blocks = []
    for path, group in groupby(matches, key=lambda match: match.path):
        lines = "\n".join(f"{each.line}: {_around(each.text.strip(), match_in)}" for each in group)
        blocks.append(f"{path_in_prose(path)}\n{fenced(lines, '')}\n")
    return "".join(blocks)


def _around(line: str, match_in: Callable[[str], int]) -> str:
    """A line; of a long one what is around its first match, with marks where it is cut."""
    if len(line) <= _LINE:
        return line
    first = max(0, min(match_in(line) - _BEFORE, len(line) - _LINE))
    last = first + _LINE
    return f"{CUT if first else ''}{line[first:last]}{CUT if last < len(line) else ''}"


TOOL = Tool(
    name="search_text",
    toolset="default",
    title="Search for a text",
    description="Every line that has a text, or matches a regular expression, as grep -n over the whole repository.",
    parameters=Arguments,
    result=None,
    call=_call,
    aliases={
        **OTHERS,
        **dict.fromkeys(("query", "pattern", "q"), "text"),
        **dict.fromkeys(("i", "-i", "case_insensitive"), "ignore_case"),
        **dict.fromkeys(("file_glob", "glob", "file_pattern", "include", "file_path"), "path"),
    },
)
