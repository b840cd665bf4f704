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
import random
import shutil
import signal
import struct
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "format"))

import click
import msgpack
from forge import FIELDS, Forge

import hardtack
from hardtack.bundle.format import layout, tables
from hardtack.bundle.packing import write_pack
from hardtack.cli.main import VERBS, commands
from hardtack.errors import HardtackError

ALLOWED = 256 << 20
"""Bytes by which a call on a forged bundle may exceed the same call on the honest one."""
SECONDS = 120.0
"""Of all calls on one bundle."""
PATH = Path("/proc/self")
KINDS_OF_TEXT: dict[str, bytes] = {
    "newlines": b"\n",
    "letters": b"a",
    "words": b"stock ration portion ",
    "lines": b"def stock(portion):\n",
    "escapes": b"\x1b",
    "ligatures": "\ufdfa".encode(),
    "ligatures in words": "\ufdfa ".encode(),
    "emoji": "\U0001f980 stock\n".encode(),
    "marks": ("a" + "\u0301" * 9).encode(),
    "ideographs": "\u4e2d\u6587".encode(),
    "no text": b"\xff\xfe",
    "backticks": b"```\n",
    "zeros": b"\0",
}
SIZES = (1 << 10, 1 << 16, 1 << 20, 4 << 20, (16 << 20) - 1, 16 << 20, (16 << 20) + 1, 64 << 20, 1 << 30)
LENGTHS = (100, 1 << 12, (1 << 12) + 1, 1 << 14, 1 << 16, 1 << 18, (1 << 18) + 1, 1 << 20, 3 << 20)
NUMBERS = (0, 1, 127, 1 << 7, 1 << 16, (1 << 31) - 1, 1 << 32, (1 << 63) - 1, (1 << 64) - 1)

Mutation = Callable[[random.Random, Forge], None]


# -- texts and spans ----------------------------------------------------------------------------------------------------------


@cache
def _deflated(kind: str, size: int) -> bytes:
    unit = KINDS_OF_TEXT[kind]
    text = unit * (size // len(unit)) + b" " * (size % len(unit))
    state = zlib.compressobj(6, zlib.DEFLATED, -15)
    return state.compress(text) + state.flush()


def text_bomb(generator: random.Random, forge: Forge) -> None:
    """A text of any length, in blocks of any size; each file's row says that some of it, or all, is its text."""
    kind, size = generator.choice(list(KINDS_OF_TEXT)), generator.choice(SIZES)
    block = generator.choice((32 << 10, 32 << 10, 1 << 20, 4096 if size < 64 << 20 else 1 << 20))
    blocks = [_deflated(kind, block)] * (size // block) + ([_deflated(kind, size % block)] if size % block else [])
    ends = [0]
    for each in blocks:
        ends.append(ends[-1] + len(each))
    if generator.random() < 0.1:
        ends[generator.randrange(len(ends))] = generator.choice(NUMBERS)
    head = b"HTKTXT\0\1" + struct.pack("<QII", size, block, 0) + struct.pack(f"<{len(ends)}Q", *ends)
    forge.members[layout.TEXT] = head + b"".join(blocks)
    empty = zlib.compress(b"")
    numbers = (len(blocks), 0, 0, 0, 0, len(empty), len(empty))
    forge.members[layout.RUNS] = b"HTKRUN\0\1" + struct.pack("<7Q", *numbers) + bytes(4 * len(blocks)) + empty * 2
    forge.document["counts"]["text_bytes"] = size
    length = min(size, layout.TEXT_LIMIT) if generator.random() < 0.5 else size
    is_all_lines = kind == "newlines" and generator.random() < 0.8
    lines = length if is_all_lines else max(1, min(length, generator.choice((1, 10_000, length))))
    _set_files(forge, length, lines)
    count = len(forge.rows(layout.FILES))
    columns = {"length": [length, *[0] * (count - 1)] if length == size else _shared(size, length, count)}
    _set_columns(forge, layout.FILES, columns)


def _shared(size: int, length: int, count: int) -> list[int]:
    lengths = [min(length, max(size - number * length, 0)) for number in range(count)]
    lengths[-1] += size - sum(lengths)
    return [min(each, tables.NOTHING) for each in lengths]


def _set_files(forge: Forge, length: int, lines: int) -> None:
    rows = forge.rows(layout.FILES)
    places = {name: FIELDS[layout.FILES].index(name) for name in ("text_start", "text_length", "line_count", "imports")}
    for row in rows:
        row[places["text_start"]], row[places["text_length"]], row[places["line_count"]] = 0, length, lines
        row[places["imports"]] = [0, length]
    forge.set_packed_rows(layout.FILES, [msgpack.packb(row) for row in rows])


def _set_columns(forge: Forge, member: str, columns: dict[str, list[int]]) -> None:
    table = forge.table(member)
    known = {name: list(table.column(name)) for name in table._columns}
    forge._set_table(member, [msgpack.packb(row) for row in forge.rows(member)], known | columns)


def wide_spans(generator: random.Random, forge: Forge) -> None:
    """Symbols and chunks that all span as much as their file has, or as a chunk may."""
    text_bomb(generator, forge)
    length = forge.rows(layout.FILES)[0][FIELDS[layout.FILES].index("text_length")]
    lines = forge.rows(layout.FILES)[0][FIELDS[layout.FILES].index("line_count")]
    for member in (layout.SYMBOLS, layout.CHUNKS):
        if generator.random() < 0.3:
            continue
        rows, fields = forge.rows(member), FIELDS[member]
        end = min(length, layout.CHUNK_LIMIT + generator.choice((-1, 0, 1))) if member == layout.CHUNKS else length
        for row in rows:
            values = {"start": 0, "end": end, "start_line": 1, "end_line": max(lines, 1), "extent_start": 0, "extent_start_line": 1}
            for name, value in values.items():
                if name in fields:
                    row[fields.index(name)] = value
            if member == layout.CHUNKS and generator.random() < 0.3:
                row[fields.index("parts")] = generator.choice((1, 2, 5))
        forge.set_packed_rows(member, [msgpack.packb(row) for row in rows])


def one_name(generator: random.Random, forge: Forge) -> None:
    """All symbols have one name and one span: a text that is asked for once is to be shown many times."""
    wide_spans(generator, forge)
    rows, fields = forge.rows(layout.SYMBOLS), FIELDS[layout.SYMBOLS]
    name = generator.choice(("HandleStock", "Crate"))
    for row in rows:
        row[fields.index("name")] = row[fields.index("qualified_name")] = name
    forge.set_packed_rows(layout.SYMBOLS, [msgpack.packb(row) for row in rows])


# -- rows, headers, lists -----------------------------------------------------------------------------------------------------


def long_texts(generator: random.Random, forge: Forge) -> None:
    """Texts of rows as long as their limits, or longer, of characters that grow where they are escaped."""
    member = generator.choice([name for name in FIELDS if forge.rows(name)])
    rows = forge.rows(member)
    unit = generator.choice(("a", "\x1b", "aB", "\ufdfa", "`", "\n", "a ", "\U0001f980", "_a"))
    length = generator.choice(LENGTHS)
    text = unit * (length // len(unit.encode()))
    for row in rows if generator.random() < 0.5 else rows[:1]:
        places = [place for place, value in enumerate(row) if isinstance(value, str)]
        lists = [place for place, value in enumerate(row) if isinstance(value, list | tuple)]
        if places and generator.random() < 0.8:
            row[generator.choice(places)] = text
        elif lists and member == layout.DETAILS:
            row[generator.choice(lists)] = generator.choice(([text] * 100, [[text] * 5] * 100, [[text] * 2] * 128))
        elif lists:
            row[generator.choice(lists)] = [[text] * 100] * 100 if length < 4096 else [[text]]
        if sum(len(msgpack.packb(each)) for each in rows) > 32 << 20:
            break
    forge.set_packed_rows(member, [msgpack.packb(row) for row in rows])


def many_rows(generator: random.Random, forge: Forge) -> None:
    """Very many rows, all sound, or all the same."""
    count = generator.choice((1000, 20_000, 100_000))
    member = generator.choice((layout.RELATIONS, layout.FACTS, layout.DETAILS, layout.SKIPS, layout.REFERENCES))
    if member == layout.SKIPS:
        rows = [(f"{number:07}", "too large", "x" * generator.choice((0, 40))) for number in range(count)]
        forge.members[member] = b"".join(
            tables.render_table(("path", "reason", "detail"), [msgpack.packb(row) for row in rows], {})
        )
        forge.document["skipped"] = {"too large": count}
        return
    if member == layout.RELATIONS:
        last = generator.choice((0, 1))
        made: list[Any] = [(0, 1, number % 2, 1, "Crate", 1 - number % 2 if last else 1, 0, 0) for number in range(count)]
        columns = {"source": [row[2] for row in made], "target": [row[5] for row in made]}
    elif member == layout.FACTS:
        made = [(0, generator.choice(("fillable", "route", "cast")), [["x" * 10] * 4]) for _ in range(count)]
        columns = {"symbol": [0] * count}
    elif member == layout.DETAILS:
        made = [forge.rows(member)[0]] * count if forge.rows(member) else []
        columns = {"symbol": [row[0] for row in made]}
    else:
        name = forge.rows(layout.SYMBOLS)[0][FIELDS[layout.SYMBOLS].index("name")]
        per = 65_536
        postings = bytes((0, 1 | 2, 1, 0, 1, 0)) + bytes((2, 0, 0, 0)) * (per - 1)
        made = [(name, per, postings)] * generator.choice((1, 4, 12))
        columns = {}
    forge.members[member] = b"".join(tables.render_table(FIELDS[member], [msgpack.packb(row) for row in made], columns))


def claimed(generator: random.Random, forge: Forge) -> None:
    """A length, a count or an offset that promises another size: in headers of tables, lists, filters, vectors and the text."""
    member = generator.choice([name for name in forge.members if forge.members[name]])
    data = bytearray(forge.members[member])
    width = generator.choice((1, 2, 4, 4, 8, 8))
    region = generator.choice((64, 256, len(data)))
    at = generator.randrange(min(region, len(data)))
    number = generator.choice((*NUMBERS, len(data), len(data) - at, 1 << 28, 1 << 30)) % (1 << 8 * width)
    data[at : at + width] = number.to_bytes(width, generator.choice(("little", "big")))
    forge.members[member] = bytes(data)


def array_header(generator: random.Random, forge: Forge) -> None:
    """A row whose msgpack promises more than it has, or is as many small values as fit."""
    member = generator.choice(list(FIELDS))
    table = forge.table(member)
    if not len(table):
        return
    size = generator.choice((100, 1 << 16, 1 << 20, (4 << 20) - 9))
    row = generator.choice(
        (
            b"\xdd\xff\xff\xff\xff",
            b"\xdb\xff\xff\xff\xff",
            b"\xc6\xff\xff\xff\xff",
            b"\x91" * size,
            b"\xdc\x00\x80" * (size // 3),
            (b"\xdc\x00\x80" + b"\xa2ab" * 128) * (size // 387),
            bytes([0x90 | len(FIELDS[member]) & 15]) + (b"\xdc\x00\x80" + b"\xcd\x12\x34" * 128) * (size // 387),
            b"\xdc\x00" + bytes([len(FIELDS[member])]) + b"\xdb" + struct.pack(">I", size) + b"a" * size,
        )
    )
    forge.set_row_bytes(member, generator.randrange(len(table)), row)


def manifest_sizes(generator: random.Random, forge: Forge) -> None:
    """Counts, and lists as long as the manifest may be."""
    document = forge.document
    action = generator.randrange(5)
    if action == 0:
        document["counts"][generator.choice(list(document["counts"]))] = generator.choice(NUMBERS[:8])
    elif action == 1:
        document["languages"] *= generator.choice((100, 3000))
    elif action == 2:
        document["options"] = {str(number): {} for number in range(generator.choice((1000, 80_000)))}
    elif action == 3:
        document["skipped"] = {f"a{number}": 1 for number in range(generator.choice((1000, 60_000)))}
    else:
        document["tool"] = "x" * generator.choice((200, 201, 900_000))


MUTATIONS: tuple[Mutation, ...] = (
    *(text_bomb, text_bomb, wide_spans, wide_spans, one_name, one_name, long_texts, long_texts, many_rows),
    *(claimed, claimed, claimed, array_header, manifest_sizes),
)


def forged(seed: str) -> tuple[str, Forge, bool]:
    """The name of the mutation, the bundle, and whether it is to be packed."""
    generator = random.Random(seed)
    forge = Forge.of(generator.choice(("keyword", "keyword", "hybrid")))
    mutation = generator.choice(MUTATIONS)
    mutation(generator, forge)
    if generator.random() < 0.2:
        generator.choice((claimed, long_texts, manifest_sizes))(generator, forge)
    return mutation.__name__, forge, generator.random() < 0.2


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
