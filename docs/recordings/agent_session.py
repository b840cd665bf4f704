"""An agent's five calls: starts ``hardtack serve`` as a client does, asks, and prints what came back and how long it took.

Recorded with ``bash docs/recordings/record.sh``; needs the 'mcp' extra and a bundle of this repository (``hardtack build .``).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import time
from typing import Any

from mcp import Client, StdioServerParameters

QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_code", {"query": "where are the hashes of members checked", "limit": 1}),
    ("find_references", {"symbol_name": "check_members"}),
    ("get_function_details", {"function_name": "open_bundle", "file_path": "src/hardtack/bundle/reader.py"}),
    ("search", {"query": "renameat2", "file_glob": "src/**", "limit": 5}),
    ("get_snippet", {"path": "src/hardtack/bundle/placing.py", "start_line": 1, "end_line": 8}),
)
_SHOWN = 9
"""Lines of each answer."""


def _lines(structured: dict[str, Any], text: str) -> list[str]:
    """An answer for people: JSON of hits and lines laid out, Markdown as it is."""
    if not text.startswith(("[", "{")):
        return text.splitlines()
    result = structured["result"]
    entries = result["lines"] if isinstance(result, dict) else result
    lines = []
    for entry in entries:
        if "content" in entry:
            lines.append(f"{entry['file_path']}:{entry['start_line']}-{entry['end_line']}  score {entry['score']:.3f}")
            lines += entry["content"].splitlines()
        elif "preview" in entry:
            lines.append(f"{entry['path']}:{entry['line']}: {entry['preview'].strip()}")
        elif "text" in entry:
            lines.append(f"{entry['line']:4}  {entry['text']}")
    return lines


def _shown(lines: list[str]) -> list[str]:
    """The first lines of an answer, within the width of the terminal."""
    width = shutil.get_terminal_size().columns
    lines = [line if len(line) <= width else f"{line[: width - 1]}…" for line in lines]
    return lines if len(lines) <= _SHOWN else [*lines[:_SHOWN], f"… {len(lines) - _SHOWN} more lines"]


async def _session() -> None:
    started = time.perf_counter()
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "hardtack", "serve", "--toolsets", "contract", "--output-schemas", "--log-level", "error"],
    )
    async with Client(server) as client:
        print(f"\x1b[2m# server started in {1000 * (time.perf_counter() - started):.0f} ms\x1b[0m")
        for name, arguments in QUESTIONS:
            print(f"\n\x1b[1;36m{name}\x1b[0m {json.dumps(arguments)}")
            asked = time.perf_counter()
            result = await client.call_tool(name, arguments)
            took = 1000 * (time.perf_counter() - asked)
            for line in _shown(_lines(result.structured_content or {}, result.content[0].text)):
                print(line)
            print(f"\x1b[2m# {took:.1f} ms\x1b[0m", flush=True)
            await asyncio.sleep(1.5)  # for those who watch


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    asyncio.run(_session())
