"""Lets MCP Inspector, which shares no code with us or with the SDK we use, list and call all that a server offers.

    python benchmarks/inspector.py BUNDLE [--inspector COMMAND...]

Its command line is asked for tools, resources, templates and prompts, then for one call of each tool that only reads, with
arguments drawn from the bundle; it holds answers against their schemas. A call may be answered with an error (a name that several
symbols have), but with one of ours. Needs node; by default npm fetches the Inspector. Exits with 1 on any failure.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hardtack import open_bundle
from serve import calls_of

_INSPECTOR = ("npx", "--yes", "@modelcontextprotocol/inspector")


def asked(inspector: Sequence[str], bundle: Path, method: str, *options: str) -> dict[str, Any]:
    """What the Inspector prints of the answer to a request."""
    server = [sys.executable, "-m", "hardtack", "serve", "--toolsets", "contract", "-b", str(bundle)]
    command = [*inspector, "--cli", *server, "--method", method, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise SystemExit(f"{method} {' '.join(options)}: {done.stdout}{done.stderr}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def main() -> None:
    """Ask for everything; print a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--inspector", nargs="+", default=_INSPECTOR, metavar="WORD", help="the command, where it is installed")
    given = parser.parse_args()
    with open_bundle(given.bundle) as searcher:
        calls = {name: next(each) for name, each in calls_of(searcher.bundle).items()}
    failed = False
    for method, key in (
        ("tools/list", "tools"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ):
        found = asked(given.inspector, given.bundle, method)[key]
        print(f"{method}: {len(found)}")
        failed |= not found or (key == "tools" and {tool["name"] for tool in found} != calls.keys())
    for name, arguments in calls.items():
        options = [word for key, value in arguments.items() for word in ("--tool-arg", f"{key}={value}")]
        answer = asked(given.inspector, given.bundle, "tools/call", "--tool-name", name, *options)
        code = json.loads(answer["content"][0]["text"])["error"]["code"] if answer.get("isError") else ""
        print(f"{name}: {code or f'{len(json.dumps(answer))} bytes'}")
        failed |= code in ("INTERNAL_ERROR", "INVALID_REQUEST", "TOOL_NOT_FOUND")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
