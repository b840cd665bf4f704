"""Write docs/tools.md: every tool as the server lists it, and every code that a call can end with. A test keeps it current."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardtack.errors import REQUEST_CODES
from hardtack.tools import TOOLS, tools_of
from hardtack.tools.failure import OTHER_CODES
from hardtack.tools.schema import listing_of

PAGE = Path(__file__).with_name("tools.md")

_HEAD = """# Tools

The tools that `hardtack serve` offers to agents: those of the toolset `default`, or others by `--toolsets`. `contract` is all but
`default`, and `all` is both. `hardtack tool NAME --json ARGUMENTS` calls one from a shell, and `hardtack tool NAME --schema`
prints its schemas. This page is written by `python docs/make_tools.py`.

The tools of `default` answer in Markdown, within `max_tokens` tokens of four characters; with `format` json in structured
content alone. Where an answer was cut, its last line is the call that goes on; JSON leaves out the last entries instead, and
`next_offset` or `left_out` says so. The other tools answer in text; `serve --output-schemas` lists the schemas of their
results and sends structured content to them instead.

Arguments may be spelt as models and clients do where that means one thing: a number or a list as text, one text for a list of
one, null for what is absent, `./a` and `a\\b`, `a.py:10-20`, and common other names of a parameter. An unknown one is refused
with the nearest that is known.

| toolset | tools |
|---|---|
{toolsets}

The toolset `build` is served only with `--allow-build`.
"""
_CODES = """## Codes

A call that fails gives `{"error": {"code", "message", "details", "hint"}}`, without what is empty. Finding nothing is no failure.

| code | means |
|---|---|"""


def page() -> str:
    """The page."""
    rows = [f"| `{toolset}` | {', '.join(f'[`{name}`](#{name})' for name in names)} |" for toolset, names in TOOLS.items()]
    lines = [_HEAD.format(toolsets="\n".join(rows))]
    toolset = ""
    for tool in tools_of(allow_build=True):
        if tool.toolset != toolset:
            toolset = tool.toolset
            lines += [f"## Toolset `{toolset}`", ""]
        lines += _tool(listing_of(tool, with_output=True))
    lines.append(_CODES)
    lines += [f"| `{code}` | {meaning} |" for code, meaning in sorted({**REQUEST_CODES, **OTHER_CODES}.items())]
    return "\n".join(lines) + "\n"


def _tool(listing: dict[str, Any]) -> Iterator[str]:
    schema = listing["inputSchema"]
    yield from (f"### `{listing['name']}`", "", listing["description"], "")
    if schema["properties"]:
        yield from ("| parameter | type | default | |", "|---|---|---|---|")
        for name, parameter in schema["properties"].items():
            default = "required" if name in schema.get("required", ()) else _default(parameter)
            yield f"| `{name}` | {_type(parameter)} | {default} | {_cell(parameter.get('description', ''))} |"
        yield ""
    if "outputSchema" in listing:
        given = listing["outputSchema"]["properties"]
        yield from (f"Gives {', '.join(f'`{name}`' for name in given if name not in ('truncated', 'hint'))}.", "")


def _type(parameter: dict[str, Any]) -> str:
    """A parameter's type in a word or two; of an object, what it takes."""
    if "anyOf" in parameter:
        return " or ".join(dict.fromkeys(map(_type, parameter["anyOf"])))
    if "properties" in parameter:
        return f"object of {', '.join(parameter['properties'])}"
    if parameter.get("type") == "array":
        return f"list of {_type(parameter.get('items', {}))}"
    if "enum" in parameter:
        return ", ".join(_shown(each) for each in parameter["enum"])
    kind = parameter.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _default(parameter: dict[str, Any]) -> str:
    return f"`{_shown(parameter['default'])}`" if "default" in parameter else ""


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    PAGE.write_text(page(), encoding="utf-8")
