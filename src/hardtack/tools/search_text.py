"""``search_text``: a text or pattern in, every line that has it out, as ``grep -n`` gives them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, Final

from msgspec import Meta

from hardtack.query.files.grep import LineMatch
from hardtack.query.files.stored_files import MAX_LINES
from hardtack.render.exploration import counted
from hardtack.render.markdown import fenced
from hardtack.render.style import inert
from hardtack.tools.agents import OTHERS, AgentParameters, Offset, call_of, fitted, none_from, reply
from hardtack.tools.tool import Call, Tool, ToolReply

_LINE: Final = 300
"""Characters of a line that are shown."""


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """What to look for, and where."""

    text: Annotated[str, Meta(description="Literal, in this case.", extra_json_schema={"minLength": 1})]
    regex: Annotated[bool, Meta(description="An RE2 pattern; (?i) ignores case.")] = False
    path: Annotated[str | None, Meta(description="Only in files of this glob: src/**/*.py")] = None
    offset: Offset = 0


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with call.catalog.searcher(arguments.index) as searcher:
        globs = [arguments.path] if arguments.path else []
        found = searcher.files.search(arguments.text, globs=globs, regex=arguments.regex, limit=MAX_LINES)
    if not found.matches:
        said = " ".join(filter(None, ("No line has it.", found.hint)))
        return reply(arguments, f"{said}\n", lambda: {"total": 0, "note": said})
    if arguments.offset >= len(found.matches):
        said = none_from(arguments.offset, len(found.matches))
        return reply(arguments, said, lambda: {"total": len(found.matches), "result": []})
    wanted = found.matches[arguments.offset :]
    total = f"{'more than ' if found.truncated else ''}{len(found.matches)}"
    text, count = fitted(lambda n: _text(wanted[:n]), len(wanted), arguments.room - 300)
    files = counted(len({each.path for each in found.matches}), "file")
    head = f"{total} line{'' if total == '1' else 's'} in {files}.\n\n"
    end = arguments.offset + count
    more = ""
    if end < len(found.matches):
        going = call_of(
            "search_text",
            text=arguments.text,
            regex=arguments.regex or None,
            path=arguments.path,
            offset=end,
            index=arguments.index,
        )
        more = f"\n{end} of {total}; more: {going}\n"
    return reply(
        arguments,
        f"{head}{text}{more}",
        lambda: {"total": len(found.matches), "result": [each._asdict() for each in wanted[:count]]},
    )


def _text(matches: Sequence[LineMatch]) -> str:
    """The lines under their files."""
    blocks = []
    for path, group in groupby(matches, key=lambda match: match.path):
        lines = "\n".join(f"{each.line}: {each.text.strip()[:_LINE]}" for each in group)
        blocks.append(f"{inert(path)}\n{fenced(lines, '')}\n")
    return "".join(blocks)


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
        **dict.fromkeys(("file_glob", "glob", "file_pattern", "include", "file_path"), "path"),
    },
)
