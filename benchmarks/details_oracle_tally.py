"""Shared by the details oracles: finds our symbol for each of theirs, and counts what is equal.

Not run by itself. Whitespace is the only thing that is normalised here; what an oracle must translate between its terms and ours it
says in its own script.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hardtack.build.languages.registry import detect
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.details import Detail
from hardtack.nouns.outline import Symbol

LONGEST = 200
NOTHING = Detail()

Entry = tuple[Symbol, Detail]


def entries_of(path: Path, text: bytes) -> Mapping[tuple[str, int], Sequence[Entry]]:
    """Our symbols of one file with their details, by name and line of the name."""
    outline = outline_of(text, detect(path.name, text))
    entries: dict[tuple[str, int], list[Entry]] = defaultdict(list)
    for index, symbol in enumerate(outline.symbols):
        entries[symbol.name, symbol.selection.start_line].append((symbol, outline.details.get(index, NOTHING)))
    return entries


def same(theirs: object, ours: object) -> bool:
    """Equality up to whitespace and our limit on length, item by item in sequences."""
    if isinstance(theirs, str) and isinstance(ours, str):
        wanted, had = "".join(theirs.split()), "".join(ours.split())
        return wanted == had or (len(ours) == LONGEST and ours.endswith("...") and wanted.startswith(had[:-3]))
    if isinstance(theirs, list | tuple) and isinstance(ours, list | tuple):
        return len(theirs) == len(ours) and all(map(same, theirs, ours))
    return theirs == ours


class Tally:
    """Counts, for one tree, of definitions and of what was said of them."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.seen: Counter[str] = Counter()
        self.equal: Counter[str] = Counter()
        self.misses: list[str] = []

    def compare(self, group: str, where: str, theirs: Mapping[str, object], ours: Mapping[str, object] | None) -> None:
        """Count one definition: it is equal when every aspect is.

        Args:
            group: what it is counted among: ``functions``, ``classes`` ...
            where: path, line and name, for the list of misses.
            theirs: what the oracle says, by aspect.
            ours: the same aspects of ours; None where we have no such symbol.
        """
        self.seen[group] += 1
        is_equal = ours is not None
        if ours is None:
            self.misses.append(f"{where}\tsymbol\t-\t-")
        for aspect, wanted in theirs.items():
            self.seen[f"  {group}: {aspect}"] += 1
            if ours is None:
                continue
            if same(wanted, ours[aspect]):
                self.equal[f"  {group}: {aspect}"] += 1
            else:
                is_equal = False
                self.misses.append(f"{where}\t{aspect}\t{wanted!r}\t{ours[aspect]!r}")
        self.equal[group] += is_equal

    def report(self, *, mark: float) -> bool:
        """Print every count; whether there is any group and each reaches the mark."""
        print(self.title)
        groups = [name for name in sorted(self.seen) if not name.startswith(" ")]
        for group in groups:
            for name in (group, *sorted(name for name in self.seen if name.startswith(f"  {group}:"))):
                print(f"  {name:<34}{self.equal[name]:>8} of {self.seen[name]:>7}  {self.equal[name] / self.seen[name]:8.2%}")
        return bool(groups) and all(self.equal[group] >= mark * self.seen[group] for group in groups)


def tally_of(
    tree: Path,
    command: Sequence[str | Path],
    rejected_by: str,
    ours_of: Callable[[Entry], dict[str, object]],
    facts_of: Callable[[dict[str, Any]], dict[str, Any]] = dict,
) -> Tally:
    """Hold every declaration below ``tree`` against what a program says of it.

    Args:
        tree: where the files are.
        command: prints a line of JSON for each declaration (``path``, ``line``, ``name``, ``group``, ``facts``) and each file that
            it cannot read (``path``, ``fault``), those of one file together.
        rejected_by: what it is that cannot read a file.
        ours_of: our facts of a symbol, of which those that the program has are compared.
        facts_of: the program's facts as ours are spelt.
    """
    tally = Tally(str(tree))
    rejected, path = 0, ""
    entries: Mapping[tuple[str, int], Sequence[Entry]] = {}
    for record in _records(command):
        if "fault" in record:
            rejected += 1
            tally.misses.append(f"{record['path']}\tnot read\t{record['fault']!r}\t-")
            continue
        if record["path"] != path:
            path = record["path"]
            entries = entries_of(Path(path), Path(path).read_bytes())
        theirs = facts_of(record["facts"])
        named = [ours_of(entry) for entry in entries.get((record["name"], record["line"]), ())]
        same_owner = (each for each in named if each["owner"] == theirs.get("owner", ""))
        ours = next(same_owner, named[0] if named else None)  # of several of one name on one line, the one of the same type
        where = f"{Path(path).relative_to(tree)}:{record['line']}:{record['name']}"
        tally.compare(record["group"], where, theirs, ours)
    tally.title += f" ({rejected} files that {rejected_by} rejects)"
    return tally


def _records(command: Sequence[str | Path]) -> Iterator[dict[str, Any]]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        yield from map(json.loads, process.stdout)
    if process.returncode:
        raise SystemExit(f"the oracle ended with {process.returncode}")


def arguments_of(description: str, operand: str) -> argparse.Namespace:
    """The command line that every oracle has."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path, metavar=operand)
    parser.add_argument("--misses", type=Path, help="write what differs there: place, aspect, theirs, ours")
    return parser.parse_args()


def finished(tallies: Sequence[Tally], misses: Path | None, mark: float) -> int:
    """Print and write everything; the exit status, 1 when a group of any tree falls below the mark."""
    reached = [tally.report(mark=mark) for tally in tallies]
    if misses is not None:
        misses.write_text("".join(f"{tally.title}\t{miss}\n" for tally in tallies for miss in tally.misses), encoding="utf-8")
    return 0 if all(reached) else 1
