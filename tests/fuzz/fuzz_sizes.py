"""Forge the sizes in a bundle, hash it again, and see that no verb and no tool takes more memory for it than for an honest bundle.

    python tests/fuzz/fuzz_sizes.py --count 2000 --seed 1 [--jobs 2]

A bundle is small on the disk and claims much: texts that inflate a thousandfold, spans that all are of one text, names, lists and
counts as long as their limits or longer, array headers and offsets that promise what is not there. Each is opened in a forked
process that runs real verbs and tools; the peak of each call's resident memory is read from ``/proc`` and held against that of the
same call on the honest bundle. A finding is a call that takes over 256 MB more, a hang, a crash, or an error that is not typed.
Seeded: ``--seed N --only K`` runs one bundle again and prints what each call took.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "format"))

import click
from forge import Forge
from forged_sizes import forged

import hardtack
from hardtack.bundle.format import layout
from hardtack.bundle.packing import write_pack
from hardtack.cli.main import VERBS, commands
from hardtack.errors import HardtackError

ALLOWED = 256 << 20
"""Bytes by which a call on a forged bundle may exceed the same call on the honest one."""
SECONDS = 120.0
"""Of all calls on one bundle."""
PATH = Path("/proc/self")
# -- calls --------------------------------------------------------------------------------------------------------------------


def calls_on(place: Path) -> Iterator[tuple[str, list[str]]]:
    """Each call's name and command line."""
    bundle = ["-b", str(place)]
    path = PATHS[0]

    def tool(called: str, **arguments: Any) -> list[str]:
        return ["tool", called, "--json", json.dumps(arguments), *bundle]

    yield from {
        "search": ["search", "stock must ration", *bundle],
        "search --json": ["search", "HandleStock", "--json", "-n", "100", "--context", "9", "--surroundings", *bundle],
        "search --format markdown": ["search", "portion", "--format", "markdown", "--max-tokens", "99999", *bundle],
        "grep": ["grep", "a", *bundle],
        "grep --json": ["grep", "stock", "--json", *bundle],
        "grep -E": ["grep", "-E", "s.*k|.", *bundle],
        "cat": ["cat", path, *bundle],
        "cat --json": ["cat", path, "--json", *bundle],
        "cat lines": ["cat", f"{path}:2-900000", *bundle],
        "similar": ["similar", f"{path}:1-100000", "--json", *bundle],
        "define": ["define", "Crate", "--json", *bundle],
        "function": ["function", "HandleStock", "--json", *bundle],
        "references": ["references", "Crate", "--json", *bundle],
        "callers": ["callers", "HandleStock", *bundle],
        "implementations": ["implementations", "Crate", *bundle],
        "exports": ["exports", ".", "--json", *bundle],
        "ls": ["ls", "-a", "--json", *bundle],
        "stats": ["stats", "--json", *bundle],
        "explain": ["explain", "stock portion", "--json", *bundle],
        "open_file": tool("open_file", path=path),
        "get_snippet": tool("get_snippet", path=path, start_line=2, end_line=1_000_000),
        "search_code": tool("search_code", query="stock ration", limit=100),
        "get_function_details": tool("get_function_details", name="HandleStock"),
        "find_references": tool("find_references", name="Crate"),
        "search lines": tool("search", query="stock", limit=10_000),
        "verify": ["verify", str(place)],
    }.items()


PATHS = [row[0] for row in Forge.of("keyword").rows(layout.FILES)]


def _memory(field: str) -> int:
    for line in (PATH / "status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) << 10
    return 0


def _run(arguments: Sequence[str]) -> str:
    """How a command line ended."""
    try:
        commands.main(list(arguments), prog_name="hardtack", standalone_mode=False)
    except HardtackError as error:
        return type(error).__name__
    except click.ClickException as error:
        return type(error).__name__
    except SystemExit:
        return "exit"
    except Exception:  # noqa: BLE001  (what is looked for)
        return "BUG " + traceback.format_exc()
    return "answered"


def measured(place: Path) -> Iterator[tuple[str, str, int]]:
    """Of each call its name, how it ended, and by how many bytes its peak was over what was in use before; in this process."""
    for name, arguments in calls_on(place):
        gc.collect()
        (PATH / "clear_refs").write_text("5")  # the peak begins anew
        before = _memory("VmRSS")
        yield name, _run(arguments), _memory("VmHWM") - before


def in_child(place: Path) -> dict[str, tuple[str, int]]:
    """What :func:`measured` gives, in forked processes; a call that does not come back is a hang or a crash."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of processor time, whatever else the machine does
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            os.environ.update(HOME=str(place.parent), HARDTACK_CACHE=str(place.parent / "cache"))
            os.chdir(place.parent)
            for name, ending, peak in measured(place):
                os.write(writer, (json.dumps([name, ending, peak]) + "\n").encode())
        except BaseException:  # noqa: BLE001  (told to the parent, which cannot see it otherwise)
            os.write(writer, (json.dumps(["the process", f"BUG {traceback.format_exc()}", 0]) + "\n").encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        lines = pipe.read().splitlines()
    _, status = os.waitpid(child, 0)
    found = {name: (ending, peak) for name, ending, peak in map(json.loads, lines)}
    if status:
        found["the process"] = (f"BUG ended with status {status} after {list(found)[-1:]}", 0)
    return found


@cache
def honest(profile: str) -> dict[str, tuple[str, int]]:
    """The same calls on the honest bundle."""
    with tempfile.TemporaryDirectory() as scratch:
        return in_child(Forge.of(profile).save(Path(scratch) / "bundle"))


def try_one(seed: str) -> tuple[str, dict[str, tuple[str, int]]]:
    """The mutation's name, and how each call ended; at once ``refused`` where the bundle cannot be opened."""
    name, forge, is_packed = forged(seed)
    with tempfile.TemporaryDirectory() as scratch:
        place = forge.save(Path(scratch) / "bundle")
        if is_packed:
            try:
                write_pack(place, Path(scratch) / "bundle.hardtack")
                shutil.rmtree(place)
                place = Path(scratch) / "bundle.hardtack"
            except HardtackError:
                is_packed = False
        return f"{name}{' packed' if is_packed else ''}", in_child(place)


def load() -> None:
    """Import all that calls import, so that a forked process imports nothing that counts."""
    for module in pkgutil.walk_packages(hardtack.__path__, "hardtack."):
        if not module.name.startswith(("hardtack.build.", "hardtack.clients", "hardtack.store.sources", "hardtack.__main__")):
            with contextlib.suppress(ImportError):  # an extra that is not installed
                importlib.import_module(module.name)
    for name in VERBS:
        commands.get_command(click.Context(commands), name)


def fuzz(numbers: Sequence[int], seed: int, *, jobs: int = 1) -> tuple[Counter[str], list[str], dict[str, int]]:
    """Endings, findings, and the most that each call took over the honest one, bytes."""
    load()
    usual = {name: max(peak, honest("hybrid").get(name, ("", 0))[1]) for name, (_, peak) in honest("keyword").items()}
    endings: Counter[str] = Counter()
    findings: list[str] = []
    most: dict[str, int] = {}
    with ThreadPoolExecutor(jobs) as pool:
        for number, (mutation, calls) in zip(numbers, pool.map(lambda number: try_one(f"{seed}/{number}"), numbers), strict=True):
            if not (number + 1) % 50:
                sys.stderr.write(f"{number + 1} bundles, {len(findings)} findings\n")
            for name, (ending, peak) in calls.items():
                endings[ending if not ending.startswith("BUG") else "BUG"] += 1
                over = peak - usual.get(name, 0)
                most[name] = max(most.get(name, 0), over)
                if over > ALLOWED or ending.startswith("BUG"):
                    findings.append(f"{seed}/{number} {mutation}: {name} {over >> 20} MB over; {ending}")
                    sys.stderr.write(f"{findings[-1]}\n")
    return endings, findings, most


def main() -> int:
    parser = argparse.ArgumentParser(description="Forge sizes in bundles, and see what memory real calls on them take.")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", type=int, help="one bundle again, with what each call took")
    arguments = parser.parse_args()
    started = time.monotonic()
    if arguments.only is not None:
        load()
        mutation, calls = try_one(f"{arguments.seed}/{arguments.only}")
        for name, (ending, peak) in calls.items():
            sys.stdout.write(f"{peak >> 20:6} MB  {name}: {ending}\n")
        sys.stdout.write(f"{mutation}\n")
        return 0
    numbers = range(arguments.first, arguments.first + arguments.count)
    endings, findings, most = fuzz(numbers, arguments.seed, jobs=arguments.jobs)
    worst = {name: f"{over >> 20} MB" for name, over in sorted(most.items(), key=lambda each: -each[1])[:8]}
    sys.stdout.write(f"{len(numbers)} bundles, {endings.total()} calls in {time.monotonic() - started:.0f} s: {dict(endings)}\n")
    sys.stdout.write(f"most over the honest bundle: {worst}; {len(findings)} findings\n")
    sys.stdout.write("".join(f"{finding}\n" for finding in findings[:40]))
    return 1 if findings else 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
