"""Mutate packs of the frozen keyword bundle, use what comes out, and count whatever ends in neither an answer nor a typed error.

    python tests/fuzz/fuzz_pack.py --count 50000 --seed 1

Seeded: the same seed tries the same mutations in the same order. Half know the structure they are in (the header's numbers, entries
of the table of contents, streams, padding, the manifest, what is inside members), and most of these are hashed again, so that it is
the checks behind the hashes that are tried. A pack that is accepted must give the very bundle it was made of, whatever its framing
says, unless the bundle inside was changed and signed again, and then every row of it must be sound.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "format"))
import fuzz_bundle
from forge import Forge
from forge_pack import HEADER, PackForge, Part

from hardtack.bundle.format import layout, sections
from hardtack.bundle.format.manifest import Member
from hardtack.bundle.format.pack import open_pack
from hardtack.bundle.format.sections import Codec
from hardtack.bundle.packing import write_pack
from hardtack.bundle.reader import open_bundle
from hardtack.errors import HardtackError

MEMORY = Path("/dev/shm")
"""Where files are written ten times as often in a second as on a disk."""

SECONDS = 5.0
NUMBERS = (*fuzz_bundle.NUMBERS, 4095, 4096, 4097, 8192, (1 << 64) - 4096, (1 << 64) - 1)


@cache
def sound() -> bytes:
    return forged().rendered()


@cache
def _parts() -> tuple[tuple[int, bytes, int], ...]:
    return tuple((part.kind, part.stored, part.codec) for part in PackForge.of("keyword").parts)


def forged() -> PackForge:
    return PackForge(parts=[Part(kind=kind, stored=stored, codec=codec) for kind, stored, codec in _parts()])


@cache
def contents() -> dict[str, bytes]:
    forge = Forge.of("keyword")
    return {layout.MANIFEST: forge.signed(), **forge.members}


def number_like(generator: random.Random, value: int, bits: int) -> int:
    """Another number of so many bits: a telling one, or one close by."""
    near = value + generator.choice((-4096, -1, 1, 2, 4096))
    return (near if generator.random() < 0.5 else generator.choice(NUMBERS)) % (1 << bits)


def in_header(generator: random.Random, forge: PackForge) -> None:
    """Another number in the header."""
    name, bits = generator.choice((("major", 16), ("minor", 16), ("count", 32), ("flags", 32), ("total", 64)))
    was = {"count": len(forge.parts), "total": len(sound())}.get(name, getattr(forge, name))
    setattr(forge, name, number_like(generator, was or 0, bits))


def in_contents(generator: random.Random, forge: PackForge) -> None:
    """Other numbers in entries of the table of contents."""
    for _ in range(generator.choice((1, 1, 2, 3))):
        part = generator.choice(forge.parts)
        name, bits = generator.choice((("kind", 32), ("flags", 32), ("offset", 64), ("length", 64), ("codec", 8)))
        was = {"offset": sound().find(part.stored[:64]), "length": len(part.stored)}.get(name, getattr(part, name))
        setattr(part, name, number_like(generator, max(was, 0), bits))


def in_order(generator: random.Random, forge: PackForge) -> None:
    """Sections left out, doubled, swapped, or of kinds that nobody knows."""
    one, other = generator.choice(forge.parts), generator.choice(forge.parts)
    action = generator.randrange(5)
    if action == 0:
        forge.parts.remove(one)
    elif action == 1:
        forge.parts.insert(generator.randrange(len(forge.parts)), one)
    elif action == 2:
        one.stored, other.stored = other.stored, one.stored
    elif action == 3:
        one.kind, other.kind = other.kind, one.kind
        forge.parts.sort(key=lambda part: part.kind)
    else:
        kind = generator.choice((0, 14, 25, 31, 700, 1000, 1001, 1063, 1064, (1 << 32) - 1))
        forge.parts.append(Part(kind=kind, stored=generator.randbytes(generator.randrange(20)), flags=generator.choice((0, 1))))
        forge.parts.sort(key=lambda part: part.kind)


def in_stream(generator: random.Random, forge: PackForge) -> None:
    """Damaged stored bytes, listed as they are."""
    part = generator.choice(forge.parts)
    part.stored = fuzz_bundle.blind(generator, part.stored)
    if generator.random() < 0.2:
        part.codec = generator.choice((Codec.RAW, Codec.ZSTD))


def in_codec(generator: random.Random, forge: PackForge) -> None:
    """The same bytes, or damaged ones, stored in another way."""
    part = generator.choice(forge.parts[1:])
    (name,) = (name for name, number in _numbers().items() if number == part.kind)
    data = contents()[name] if generator.random() < 0.5 else fuzz_bundle.blind(generator, contents()[name])
    again = Part.of(part.kind, data, generator.choice((Codec.RAW, Codec.ZSTD)))
    part.stored, part.codec = again.stored + generator.choice((b"", b"", b"\0")), again.codec


@cache
def _numbers() -> dict[str, int]:
    files = sorted(contents().items())
    listed = [Member(name=name, size=len(data), sha256="") for name, data in files if name != layout.MANIFEST]
    return {member.name: number for number, member in sections.numbered(listed).items()}


def in_padding(generator: random.Random, forge: PackForge) -> None:
    """Something between sections or behind them."""
    if generator.random() < 0.3:
        forge.tail = bytes(generator.choice((1, 4096, 5000)))
        return

    def change(body: bytearray) -> None:
        zeros = [at for at in range(0, len(body), 97) if not any(body[at : at + 97])]
        body[generator.choice(zeros) + generator.randrange(97)] = generator.randrange(1, 256)

    forge.change = change


def in_bundle(generator: random.Random, forge: PackForge) -> None:
    """Another bundle inside, signed and packed as it should be."""
    members, document = fuzz_bundle.frozen()
    mutation = generator.choice(fuzz_bundle.MUTATIONS)
    mutation(generator, members, document)
    manifest = fuzz_bundle.signed(generator, members, document, keeps_list=mutation is fuzz_bundle.in_manifest)
    forge.parts = PackForge.packing(Forge(members=members, document={}, manifest=manifest)).parts


Mutation = Callable[[random.Random, PackForge], None]
STRUCTURAL: tuple[Mutation, ...] = (*(in_header, in_contents, in_contents, in_order, in_stream, in_codec, in_padding, in_bundle),)


def mutated(generator: random.Random) -> tuple[bytes, Mutation | None]:
    """A hostile pack, and by which mutation; None for one that knows nothing of packs."""
    if generator.random() < 0.5:
        data = bytearray(sound())
        for _ in range(generator.choice((1, 1, 2))):
            region = HEADER.size + 57 * 23 if generator.random() < 0.5 else len(data)
            start = generator.randrange(region)
            data[start : start + 600] = fuzz_bundle.blind(generator, bytes(data[start : start + 600]))
        return bytes(data), None
    forge, mutation = forged(), generator.choice(STRUCTURAL)
    mutation(generator, forge)
    if generator.random() < 0.1:
        forge.digest = sound()[24:56]  # not hashed again
    with contextlib.suppress(IndexError, ValueError):  # nothing is left to be damaged
        data = bytearray(forge.rendered())
        if generator.random() < 0.02:
            data = bytearray(fuzz_bundle.blind(generator, bytes(data)))
        return bytes(data), mutation
    return b"", mutation


def try_one(seed: str, path: Path) -> str:
    """Mutate and use: the name of the error it was refused by, or ``accepted``; anything else is raised."""
    generator = random.Random(seed)
    try:
        data, mutation = mutated(generator)
    except OverflowError:
        return "not forged"
    path.write_bytes(data)
    is_another = mutation is in_bundle
    try:
        with open_pack(path) as pack:
            for name in pack.members():
                out = io.BytesIO()
                pack.copy_member(name, out)
                listed = pack.manifest.member(name)
                assert listed is None or listed.size == len(out.getvalue())
                assert is_another or contents()[name] == out.getvalue(), f"{name} is another one"
        with open_bundle(path) as bundle:
            bundle.check_records()
            assert is_another or contents().keys() == {layout.MANIFEST, *(member.name for member in bundle.manifest.members)}
        with open_bundle(path, check="sizes") as bundle:
            bundle.check_records()
    except HardtackError as error:
        assert str(error).endswith((".", "!"))
        return type(error).__name__
    if data == sound():
        return "unchanged"
    assert mutation not in (None, in_padding), "a byte changed, and it was accepted"
    assert is_another or sound() == write_pack(path, path.with_suffix(".again")).path.read_bytes(), "it is packed as another one"
    return "accepted"


def fuzz(count: int, seed: int) -> tuple[Counter[str], list[str], float]:
    """Try so many: how often each ending came, an account of each bad one, and the longest time one took, in seconds."""
    endings: Counter[str] = Counter()
    findings: list[str] = []
    longest = 0.0
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as scratch:
        for number in range(count):
            name, started = f"{seed}/{number}", time.process_time()
            try:
                endings[try_one(name, Path(scratch) / "mutated.hardtack")] += 1
            except Exception:  # noqa: BLE001  (whatever gets here is what is looked for)
                findings.append(f"{name}\n{traceback.format_exc()}")
            longest = max(longest, time.process_time() - started)
    if longest > SECONDS:
        findings.append(f"one took {longest:.1f} s")
    return endings, findings, longest


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Mutate packs and see that no change is accepted and nothing but typed errors come."
    )
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    endings, findings, longest = fuzz(arguments.count, arguments.seed)
    told = f"{endings.total()} mutations: {dict(endings.most_common())}; longest {longest:.2f} s; {len(findings)} findings\n"
    sys.stdout.write(told)
    sys.stdout.write("\n".join(findings[:20]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
