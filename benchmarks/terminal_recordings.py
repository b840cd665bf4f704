"""Records what verbs show on a real terminal of 60, 80 and 160 columns, to be looked at.

    python benchmarks/terminal_recordings.py CHECKOUT --type NAME --function NAME --package NAME [-o DIR] [--columns 60 80 160]

CHECKOUT, a git repository, is cloned and built into a bundle. Each verb runs on a pseudo-terminal; DIR gets a text of what pyte's
terminal shows of it, and a picture of the same in colour. Lines that are wider than the terminal, words that were broken although
a line would hold them, and escape sequences other than colours and links are named; exits 1 on any.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "doubles"))
from terminals import Seen, on_a_terminal

from hardtack import BuildOptions, build_bundle

_ALLOWED = re.compile(rb"\x1b\[[0-9;]*m|\x1b\]8;[^;\x1b]*;(?:(?:file|https)://[!-~]*)?\x1b\\")
_LISTS = {"references", "callers", "implementations", "exports"}
_FENCE = re.compile(r"^ *```.*$", re.MULTILINE)


def verbs(type_: str, function: str, package: str) -> dict[str, list[str]]:
    """Verb -> arguments."""
    return {
        "define": [type_],
        "function": [function],
        "references": [type_],
        "callers": [function],
        "implementations": [type_],
        "exports": [package],
        "explain": [function, "--where", "README.md"],
        "explore": [f"who calls {function}"],
        "impact": [function],
        "history": [type_],
        "stats": [],
        "map": [],
    }


def faults(seen: Seen, columns: int, words: set[str]) -> list[str]:
    """What is wrong with what is seen; ``words`` are those of the same answer in a pipe."""
    wide = [line for line in seen.lines if len(line) > columns]
    broken = [word for word in words if len(word) <= columns // 2 and word not in seen.text]
    odd = {each for each in seen.escapes if not _ALLOWED.fullmatch(each)}
    return [f"{what}: {found}" for what, found in (("wider", wide), ("broken", broken), ("escape sequences", odd)) if found]


def picture(seen: Seen, columns: int, title: str) -> str:
    """What is seen as SVG."""
    console = Console(width=columns, record=True, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(seen.raw.decode("utf-8", "replace").replace("\r\n", "\n")), soft_wrap=True)
    return console.export_svg(title=title, clear=True)


def main() -> int:
    """Record, and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("recordings"))
    parser.add_argument("--columns", type=int, nargs="+", default=[60, 80, 160])
    for flag in ("--type", "--function", "--package"):
        parser.add_argument(flag, required=True, metavar="NAME")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        source = Path(work) / arguments.checkout.absolute().name
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(arguments.checkout), str(source)], check=True)
        bundle = source / ".hardtack" / "bundle"
        build_bundle(source, bundle, BuildOptions(history=20))
        for verb, asked in verbs(arguments.type, arguments.function, arguments.package).items():
            command = [sys.executable, "-m", "hardtack", verb, *asked, "-b", str(bundle), "--no-pager"]
            format_ = "text" if verb in _LISTS else "markdown"
            piped = subprocess.run([*command, "--format", format_], capture_output=True, text=True, check=False).stdout
            spaced = {word.strip("[]()`*,;:.") for word in _FENCE.sub("", piped).split()}
            words = {word for word in spaced if re.fullmatch(r"[A-Za-z_][\w./]*", word)}
            for columns in arguments.columns:
                seen = on_a_terminal(command, columns, variables={"HARDTACK_AS_BUILT": "1"})
                name = f"{verb}-{columns}"
                (arguments.output / f"{name}.txt").write_text(seen.text + "\n", encoding="utf-8")
                (arguments.output / f"{name}.svg").write_text(picture(seen, columns, " ".join(["hardtack", verb, *asked])))
                found = faults(seen, columns, words)
                wrong += bool(found)
                print(f"{name}: {len(seen.lines)} lines, {len(seen.links)} links{''.join(f'; {each}' for each in found)}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
