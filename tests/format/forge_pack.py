"""A bundle in memory in, a pack with something wrong inside out: every number of its framing can be set, and is hashed again."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from forge import Case, Forge

from hardtack.bundle.format import sections
from hardtack.bundle.format.compression import RATIO_LIMIT, compressed
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Member
from hardtack.bundle.format.sections import Codec
from hardtack.bundle.naming import PACK_SUFFIX

ALIGNMENT = 4096
HEADER = struct.Struct("<4sHHIIQ32s")
ENTRY = struct.Struct("<IIQQB32s")


@dataclass
class Part:
    """One section; what is None is what it should be."""

    kind: int
    stored: bytes
    codec: int = 0
    flags: int = 1
    offset: int | None = None
    length: int | None = None
    sha256: bytes | None = None

    @classmethod
    def of(cls, kind: int, data: bytes, codec: int) -> Part:
        """A sound section of a member."""
        return cls(kind=kind, stored=b"".join(compressed([data], len(data))) if codec == Codec.ZSTD else data, codec=codec)


@dataclass
class PackForge:
    parts: list[Part]
    magic: bytes = b"HTK\0"
    major: int = 1
    minor: int = 0
    count: int | None = None
    flags: int = 0
    total: int | None = None
    digest: bytes | None = None
    tail: bytes = b""
    change: Callable[[bytearray], object] = lambda _: None
    """What is done to the finished file."""
    place: Callable[[Path, bytes], object] = field(default=Path.write_bytes)
    """How it gets to its place."""

    @classmethod
    def of(cls, profile: str) -> PackForge:
        """The pack of the frozen bundle of that profile."""
        return cls.packing(Forge.of(profile))

    @classmethod
    def packing(cls, forge: Forge) -> PackForge:
        """The pack of a bundle, its manifest as it is."""
        manifest = forge.signed() if forge.manifest is None else forge.manifest
        parts = [Part(kind=sections.MANIFEST, stored=manifest)]
        listed = [Member(name=name, size=len(data), sha256=digest_of(data)) for name, data in sorted(forge.members.items())]
        for number, member in sections.numbered(listed).items():
            kind = sections.kind_of(number)
            assert kind
            data = forge.members[member.name]
            part = Part.of(number, data, Codec.ZSTD if kind.is_compressed else Codec.RAW)
            parts.append(part if len(data) / RATIO_LIMIT <= len(part.stored) < len(data) else Part.of(number, data, Codec.RAW))
        return cls(parts=parts)

    def part(self, name: str) -> Part:
        """The section of a member of the table of kinds."""
        (number,) = [number for number, kind in sections.KINDS.items() if kind.name == name]
        return next(part for part in self.parts if part.kind == number)

    def rendered(self) -> bytes:
        at = -(-(HEADER.size + ENTRY.size * len(self.parts)) // ALIGNMENT) * ALIGNMENT
        body, entries = bytearray(at), b""
        for part in self.parts:
            offset = len(body) + -len(body) % ALIGNMENT if part.offset is None else part.offset
            if part.offset is None:
                body += bytes(offset - len(body)) + part.stored
            digest = hashlib.sha256(part.stored).digest() if part.sha256 is None else part.sha256
            length = len(part.stored) if part.length is None else part.length
            entries += ENTRY.pack(part.kind, part.flags, offset, length, part.codec, digest)
        body += self.tail
        header = [self.magic, self.major, self.minor, len(self.parts) if self.count is None else self.count, self.flags]
        header.append(len(body) if self.total is None else self.total)
        digest = hashlib.sha256(HEADER.pack(*header, bytes(32)) + entries).digest() if self.digest is None else self.digest
        body[: HEADER.size] = HEADER.pack(*header, digest)
        body[HEADER.size : HEADER.size + len(entries)] = entries
        self.change(body)
        return bytes(body)

    def save(self, directory: Path) -> Path:
        directory.mkdir()
        path = directory / f"hostile{PACK_SUFFIX}"
        self.place(path, self.rendered())
        return path


class PackAttack(Case[PackForge]):
    def forged(self) -> PackForge:
        forge = PackForge.of(self.profile)
        self.apply(forge)
        return forge


class PackedAttack(Case[Forge]):
    """A hostile bundle that comes as a pack."""

    def forged(self) -> PackForge:
        forge = Forge.of(self.profile)
        self.apply(forge)
        return PackForge.packing(forge)
