"""A person's first minutes with Hardtack: runs the commands in a clone of this repository, and draws what they print.

    python docs/recordings/make_session.py

Writes session.svg beside this file; needs the 'build' extra. The picture has no script, no font of its own and no address, and
is light or dark as its reader's system is.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[2]
PICTURE = Path(__file__).with_name("session.svg")
COMMANDS = {
    "hardtack build": 2,
    'hardtack search -n 2 "where are the hashes of members checked"': 10,
    "hardtack callers check_members --class Bundle": 4,
}
"""Each with the lines of it that are shown."""
_COLOURED = ("search", "callers")
_COLUMNS = 104
_WIDTH, _HEIGHT, _MARGIN = 8.43, 20, 18
"""Pixels of a character, of a line, and around them."""
_PROGRESS = re.compile(r"hardtack: [\d,]+ of [\d,]+ files")
"""A line of a build's progress, which a terminal does not keep."""
_SGR = re.compile(r"\x1b\[([0-9;]*)m")
_STYLE = """
  svg { --paper: #ffffff; --line: #d0d7de; --ink: #1f2328; --faint: #59636e; --path: #8250df; --place: #1a7f37; --note: #9a6700 }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #0d1117; --line: #3d444d; --ink: #e6edf3; --faint: #9198a1; --path: #d2a8ff; --place: #56d364; --note: #e3b341 }
  }
  rect { fill: var(--paper); stroke: var(--line) }
  text { fill: var(--ink); white-space: pre }
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
  .c1 { font-weight: 700 } .c2 { fill: var(--faint) }
  .c32 { fill: var(--place) } .c33 { fill: var(--note) } .c35 { fill: var(--path) }
"""


def recorded(command: str, checkout: Path) -> list[str]:
    """The lines that a command prints in a checkout, with their colours as a terminal gets them."""
    verb, *arguments = shlex.split(command)[1:]
    colour = ["--color", "always"] if verb in _COLOURED else []
    run = [sys.executable, "-P", "-m", "hardtack", verb, *arguments, *colour]
    done = subprocess.run(run, cwd=checkout, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [line for line in done.stdout.rstrip("\n").splitlines() if not _PROGRESS.match(line)]


def drawn(sessions: list[tuple[str, list[str]]]) -> str:
    """Commands and what each printed, as an SVG; what is cut off is replaced by an ellipsis."""
    lines: list[str] = []
    for command, printed in sessions:
        shown = printed[: COMMANDS[command]]
        more = ["\x1b[2m…\x1b[0m"] if len(printed) > len(shown) else []
        lines += [f"\x1b[2m$\x1b[0m \x1b[1m{command}\x1b[0m", *map(_cut, shown), *more, ""]
    lines.pop()
    width, height = round(_COLUMNS * _WIDTH + 2 * _MARGIN), len(lines) * _HEIGHT + 2 * _MARGIN
    rows = "\n".join(
        f'  <text x="{_MARGIN}" y="{_MARGIN + 15 + row * _HEIGHT}">{_spans(line)}</text>' for row, line in enumerate(lines)
    )
    title = escape("; ".join(command for command, _ in sessions))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">\n'
        f"  <title>A terminal: {title}</title>\n  <style>{_STYLE}</style>\n"
        f'  <rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>\n{rows}\n</svg>\n'
    )


def _cut(line: str) -> str:
    """The line as far as the terminal is wide."""
    shown, columns = "", 0
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        is_colour = piece.startswith("\x1b[")
        room = len(piece) if is_colour else _COLUMNS - columns
        shown += piece if len(piece) <= room else f"{piece[: room - 1]}…" if room > 0 else ""
        columns += 0 if is_colour else len(piece)
    return shown


def _spans(line: str) -> str:
    """The text of a line as SVG, each colour a class."""
    spans, code = [], ""
    for number, piece in enumerate(_SGR.split(line)):
        if number % 2:
            code = piece.lstrip("0")
        elif piece:
            text = escape("".join(each if each.isprintable() else "\ufffd" for each in piece))
            spans.append(f'<tspan class="c{code}">{text}</tspan>' if code else text)
    return "".join(spans)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        clone = Path(scratch, "hardtack")
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(clone)], check=True)
        PICTURE.write_text(drawn([(command, recorded(command, clone)) for command in COMMANDS]), encoding="utf-8")
