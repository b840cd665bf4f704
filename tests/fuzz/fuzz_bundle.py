"""Mutate the frozen keyword bundle, use what comes out, and count whatever ends in neither an answer nor a typed error.

    python tests/fuzz/fuzz_bundle.py --seconds 60 --seed 1

Seeded: the same seed tries the same mutations in the same order. Mutations know the structure they are in (JSON values, msgpack
rows, offset tables, deflated blocks) as often as they are blind, and the manifest is signed anew, so that it is the structural
checks that are tried and not the hashes. A mutation ends well when it is refused by a HardtackError, or accepted with every row,
text and table sound by ``check_records``. Tantivy's and FAISS' files are left alone: the attack shelf tries those in processes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import struct
import sys
import tempfile
import time
import traceback
import tracemalloc
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "format"))
from attacks_on_runs import Runs
from forge import Forge

from hardtack.bundle.format import layout, records, relations, tables
from hardtack.bundle.format.digest import canonical_json, digest_of
from hardtack.bundle.format.tables import RowTable
from hardtack.bundle.indexes.cooccurrence import pair_hashes
from hardtack.bundle.indexes.names import Family
from hardtack.bundle.reader import open_bundle
from hardtack.errors import HardtackError
from hardtack.nouns.relations import Certainty, Fact, Reference, Relation, RelationKind
from hardtack.query.files.grep import grep

FROZEN = Path(__file__).parents[2] / "fixtures" / "bundles" / "v1" / "keyword"
FIELDS = {
    layout.FILES: records.FILE_FIELDS,
    layout.SYMBOLS: records.SYMBOL_FIELDS,
    layout.CHUNKS: records.CHUNK_FIELDS,
    layout.RELATIONS: relations.RELATION_FIELDS,
    layout.REFERENCES: relations.REFERENCE_FIELDS,
    layout.FACTS: relations.FACT_FIELDS,
}
POSTINGS = (layout.NAMES, layout.WORDS, layout.PAIRS, layout.RUNS)
SHAPES = {**records._SHAPES, **relations.SHAPES}
NUMBERS = (
    0,
    1,
    2,
    7,
    127,
    128,
    255,
    256,
    32767,
    65535,
    65536,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    (1 << 63) - 1,
    1 << 63,
)
VALUES: tuple[Any, ...] = (
    *NUMBERS,
    (1 << 64) - 1,
    -1,
    -2,
    None,
    True,
    1.5,
    "",
    "../x",
    "é" * 50,
    b"",
    bytes(20),
    bytes(32),
    [],
    [1],
    {},
    {"a": 1},
)
MEMORY = Path("/dev/shm")
"""Where files are written ten times as often in a second as on a disk."""

SECONDS = 5.0
MEGABYTES = 150

Members = dict[str, bytes]


@cache
def originals() -> Members:
    """The files of the frozen bundle, with relations, references and facts that exercise each of their fields."""
    members = {path.relative_to(FROZEN).as_posix(): path.read_bytes() for path in sorted(FROZEN.rglob("*")) if path.is_file()}
    return retold(members | {name: b"".join(tables.render_table(*table)) for name, table in related(members).items()})


def retold(members: Members) -> Members:
    """The same members, columns and names saying again what the rows do."""
    forge = Forge(members=dict(members), document={})
    forge.retell()
    return forge.members


def related(members: Members) -> dict[str, relations.TableToWrite]:
    """A few sound rows of each kind about the frozen bundle's symbols."""
    files = table_of(members, layout.FILES)
    first_symbols = [files.row(number)[FIELDS[layout.FILES].index("first_symbol")] for number in range(len(files))]
    symbols = [(*table_of(members, layout.SYMBOLS).row(number)[:3], number) for number in range(first_symbols[-1])]
    ties = [
        Relation(file, 1, symbol, RelationKind.INHERITS, name, symbol, file, Certainty.EXACT) for file, _, name, symbol in symbols
    ]
    imports = [Relation(file, 1, -1, RelationKind.IMPORTS, "a b", -1, -1, Certainty.POSSIBLE) for file in range(3)]
    uses = {
        name: [Reference(file, 1, start, symbol, True, symbol if start else -1, Certainty.LIKELY) for start in range(3)]
        for file, _, name, symbol in symbols
    }
    return {
        layout.RELATIONS: relations.relation_table([*ties, *imports]),
        layout.REFERENCES: relations.reference_table(uses.items(), first_symbols),
        layout.FACTS: relations.fact_table([Fact(symbol, "fillable", ("a", "b")) for *_, symbol in symbols]),
    }


def table_of(members: Members, name: str) -> RowTable:
    return RowTable(name, memoryview(members[name]), FIELDS[name], SHAPES[FIELDS[name]])


def frozen() -> tuple[Members, dict[str, Any]]:
    members = dict(originals())
    return members, json.loads(members.pop(layout.MANIFEST))


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) inside a JSON value."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


def blind(generator: random.Random, data: bytes) -> bytes:
    """Flip, overwrite, cut, double or drop some bytes."""
    damaged = bytearray(data)
    for _ in range(generator.choice((1, 1, 1, 2, 5))):
        at = generator.randrange(len(damaged) + 1)
        width = generator.choice((1, 1, 2, 4, 8, 64))
        action = generator.randrange(6)
        if action == 0 and at < len(damaged):
            damaged[at] ^= 1 << generator.randrange(8)
        elif action == 1:
            damaged[at : at + width] = generator.randbytes(width)
        elif action == 2:
            del damaged[at : at + width]
        elif action == 3:
            damaged[at:at] = damaged[at : at + width]
        elif action == 4:
            code = generator.choice(("<B", "<H", "<I", "<Q", ">I", ">Q"))
            damaged[at : at + struct.calcsize(code)] = struct.pack(
                code, generator.choice(NUMBERS) % (1 << 8 * struct.calcsize(code))
            )
        else:
            del damaged[at:]
    return bytes(damaged)


def in_row(generator: random.Random, members: Members, _: dict[str, Any]) -> None:
    """Another value in one field, or another order, number or shape of the rows."""
    name = generator.choice(list(FIELDS))
    table = table_of(members, name)
    rows: list[Any] = [list(table.row(number)) for number in range(len(table))]
    row, field = generator.randrange(len(rows)), generator.randrange(len(FIELDS[name]))
    action = generator.randrange(8)
    if action == 0:
        rows[row], rows[-1] = rows[-1], rows[row]
    elif action == 1:
        rows.append(rows[row])
    elif action == 2:
        del rows[row]
    elif action == 3:
        del rows[row][field]
    elif action == 4 and isinstance(rows[row][field], int):
        rows[row][field] += generator.choice((-1, 1, -10, 10, 1000))
    elif action == 5:
        rows[row][field] = rows[generator.randrange(len(rows))][field]
    else:
        rows[row][field] = generator.choice(VALUES)
    packed = [msgpack.packb(row) for row in rows]
    if action == 6:
        packed[row] = blind(generator, packed[row])
    columns = {column: [*table.column(column), 0][: len(rows)] for column in table._columns}
    members[name] = b"".join(tables.render_table(FIELDS[name], packed, columns))
    if generator.random() < 0.5:  # so that it is not always the columns that give it away
        with contextlib.suppress(Exception):
            members.update(retold(members))


def in_table(generator: random.Random, members: Members, _: dict[str, Any]) -> None:
    """Another number in a header's length or an offset table."""
    name = generator.choice([*FIELDS, *POSTINGS, layout.TEXT])
    data = bytearray(members[name])
    start = 8 if generator.random() < 0.3 or name not in FIELDS else 12 + struct.unpack_from("<I", data, 8)[0]
    struct.pack_into(
        "<Q", data, min(start + 8 * generator.randrange(8), len(data) - 8), generator.choice((*NUMBERS, (1 << 64) - 1))
    )
    members[name] = bytes(data)


def in_text(generator: random.Random, members: Members, _: dict[str, Any]) -> None:
    """Other text, deflated as it should be."""
    data = members[layout.TEXT]
    text = blind(generator, zlib.decompress(data[40:], -15)) * generator.choice((1, 1, 1, 50))
    state = zlib.compressobj(6, zlib.DEFLATED, -15)
    block = state.compress(text) + state.flush()
    members[layout.TEXT] = data[:32] + struct.pack("<Q", len(block)) + block


def in_runs(generator: random.Random, members: Members, _: dict[str, Any]) -> None:
    """Other runs, postings or groups, deflated as they should be."""
    parts = Runs.parsed(members[layout.RUNS])
    part = generator.choice(("words", "postings", "groups"))
    if part == "words":
        parts.words = blind(generator, b"\n".join(parts.words)).split(b"\n")
    elif part == "postings":
        parts.postings = blind(generator, parts.postings)
    else:
        parts.groups[generator.randrange(len(parts.groups))] = generator.choice(NUMBERS) & 0xFFFFFFFF
    members[layout.RUNS] = parts.rendered()


def in_manifest(generator: random.Random, _: Members, document: dict[str, Any]) -> None:
    """Another value for a field, or none."""
    container, key = generator.choice(list(places(document)))
    action = generator.randrange(4)
    if action == 0:
        del container[key]
    elif action == 1 and isinstance(container, dict):
        container["x" + str(key)] = container.pop(key)
    elif action == 2 and isinstance(container[key], int):
        container[key] += generator.choice((-1, 1, 1000))
    else:
        container[key] = generator.choice([value for value in VALUES if not isinstance(value, bytes | float)])


def in_bytes(generator: random.Random, members: Members, _: dict[str, Any]) -> None:
    """Damage without knowledge."""
    name = generator.choice([*FIELDS, *POSTINGS, layout.TEXT])
    members[name] = blind(generator, members[name])


MUTATIONS: tuple[Callable[[random.Random, Members, dict[str, Any]], None], ...] = (
    *(in_row, in_table, in_text, in_runs, in_manifest, in_bytes),
)


def signed(generator: random.Random, members: Members, document: dict[str, Any], *, keeps_list: bool) -> bytes:
    """The manifest: signed as it is, or for the members as they are; now and then damaged after that."""
    if not keeps_list:
        listed = sorted(members.items())
        document["members"] = [{"name": name, "size": len(data), "sha256": digest_of(data)} for name, data in listed]
    document["self"] = ""
    try:
        data = canonical_json({**document, "self": digest_of(canonical_json(document))})
    except ValueError:
        data = json.dumps(document).encode()
    return blind(generator, data) if generator.random() < 0.1 else data


def try_one(seed: str, directory: Path) -> str:
    """Mutate and use: the name of the error it was refused by, or ``accepted``; anything else is raised."""
    generator = random.Random(seed)
    members, document = frozen()
    mutation = generator.choice(MUTATIONS)
    mutation(generator, members, document)
    for name in {*FIELDS, *POSTINGS, layout.TEXT}:
        (directory / name).write_bytes(members[name])
    (directory / layout.MANIFEST).write_bytes(signed(generator, members, document, keeps_list=mutation is in_manifest))
    try:
        with open_bundle(directory, check=generator.choice(("hashes", "sizes", "sizes", "sizes"))) as bundle:
            if generator.random() < 0.5:  # as verify does, and no search
                bundle.names.check()
                bundle.words.check()
                words = bundle.names.words.between(range(len(bundle.names.words)))
                assert all(row == bundle.names.row(word) for row, word in enumerate(words))
            for row in range(len(bundle.names.words)):
                assert all((np.diff(bundle.names.postings(family, row).astype(np.int64)) > 0).all() for family in Family)
            bundle.words.postings(["stock", "portion"])
            bundle.pairs.has(np.arange(9), pair_hashes(np.arange(9, dtype=np.uint32), np.arange(9, 0, -1, dtype=np.uint32)))
            for text in ("stock", "e", "(", "no such text"):
                grep(bundle, text, limit=100)
            assert all(bundle.columns.of_symbols(column) is not None for column in records.SYMBOL_COLUMNS)
            bundle.check_records()
            for file in bundle.files:
                assert file == bundle.file_at(file.path)
            for ordinal in range(bundle.manifest.counts.chunks):
                bundle.symbols_of(bundle.chunk(ordinal))
            for ordinal in range(bundle.manifest.counts.symbols):
                found = (
                    bundle.related.relations_from(ordinal),
                    bundle.related.relations_to(ordinal),
                    bundle.related.facts_of(ordinal),
                )
                assert all(fact.symbol == ordinal for fact in found[2])
                bundle.related.references_of(bundle.symbol(ordinal).name)
    except HardtackError as error:
        assert str(error).endswith((".", "!"))
        return type(error).__name__
    return "accepted"


def fuzz(seconds: float, seed: int) -> tuple[Counter[str], list[str]]:
    """Mutate for so long; how often each ending came, and an account of each bad one."""
    endings: Counter[str] = Counter()
    findings: list[str] = []
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as scratch:
        directory = Path(scratch)
        (directory / layout.LEXICAL).mkdir()
        for name, data in frozen()[0].items():
            (directory / name).write_bytes(data)
        deadline, number = time.monotonic() + seconds, 0
        while time.monotonic() < deadline:
            name, started = f"{seed}/{number}", time.monotonic()
            tracemalloc.reset_peak()
            try:
                endings[try_one(name, directory)] += 1
            except Exception:  # noqa: BLE001  (whatever gets here is what is looked for)
                findings.append(f"{name}\n{traceback.format_exc()}")
            if time.monotonic() - started > SECONDS:
                findings.append(f"{name} took {time.monotonic() - started:.1f} s")
            if tracemalloc.is_tracing() and tracemalloc.get_traced_memory()[1] > MEGABYTES << 20:
                findings.append(f"{name} took {tracemalloc.get_traced_memory()[1] >> 20} MB")
            number += 1
    return endings, findings


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutate the frozen keyword bundle and see that nothing but typed errors come.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", action="store_true", help="watch memory too; three times slower")
    arguments = parser.parse_args()
    if arguments.memory:
        tracemalloc.start()
    endings, findings = fuzz(arguments.seconds, arguments.seed)
    sys.stdout.write(f"{endings.total()} mutations: {dict(endings.most_common())}; {len(findings)} findings\n")
    sys.stdout.write("\n".join(findings[:20]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
