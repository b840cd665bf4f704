"""Hostile packs: framing that promises the impossible, sections that are not what is listed, streams that unpack to too much; and
what is no pack at all. The rest of the shelf comes packed as well, as far as that makes a difference.
"""

from __future__ import annotations

import io
import lzma
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from forge import Attack, Forge
from forge_pack import HEADER, PackAttack, PackedAttack, PackForge, Part

from hardtack.bundle.format import layout, sections
from hardtack.bundle.format.compression import compressed
from hardtack.bundle.format.sections import Codec

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Change = Callable[[PackForge], object]
NOT_A_PACK = "is not a Hardtack pack"
LAST = 1 << 64
REQUIRED, UNKNOWN = 1, 700


def holding(data: bytes) -> Change:
    def apply(forge: PackForge) -> None:
        forge.place = lambda path, _: path.write_bytes(data)

    return apply


def cut(size: int) -> Change:
    def apply(forge: PackForge) -> None:
        forge.place = lambda path, data: path.write_bytes(data[:size])

    return apply


def framed(**numbers: int | bytes) -> Change:
    """Numbers of the header, hashed again unless it is the digest."""

    def apply(forge: PackForge) -> None:
        for name, value in numbers.items():
            setattr(forge, name, value)

    return apply


def listed(name: str, **numbers: int | bytes) -> Change:
    """Numbers in a member's entry of the table of contents, hashed again."""

    def apply(forge: PackForge) -> None:
        for key, value in numbers.items():
            setattr(forge.part(name), key, value)

    return apply


def moved(by: int) -> Change:
    def apply(forge: PackForge) -> None:
        first, second = forge.parts[:2]
        end = -(-(HEADER.size + 57 * len(forge.parts)) // 4096) * 4096 + len(first.stored)
        second.offset = -(-end // 4096) * 4096 + by

    return apply


def written_over(name: str) -> Change:
    """One bit of a member as it is stored, the table of contents as it was."""

    def apply(forge: PackForge) -> None:
        def change(body: bytearray) -> None:
            at = body.index(forge.part(name).stored[:16])
            body[at + 9] ^= 1

        forge.change = change

    return apply


def stored(name: str, data: Callable[[bytes], bytes], codec: int = Codec.ZSTD) -> Change:
    """Other stored bytes for a member, listed as they are."""

    def apply(forge: PackForge) -> None:
        part = forge.part(name)
        plain = part.stored if part.codec == Codec.RAW else zstd.decompress(part.stored)
        part.stored, part.codec = data(plain), codec

    return apply


def packed_as(data: bytes, **options: int) -> bytes:
    """A Zstandard frame by other parameters than ours, which does not say how long its content is."""
    state = zstd.ZstdCompressor(options={zstd.CompressionParameter[name]: value for name, value in options.items()})
    return state.compress(data) + state.flush()


SKIPPABLE = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"skip"
"""A frame that has no content (RFC 8878, 3.1.2)."""


def ours(data: bytes) -> bytes:
    return b"".join(compressed([data], len(data)))


def claiming(name: str, size: int, data: bytes) -> Change:
    """A member that its manifest says is so long, and what is stored for it."""

    def apply(forge: PackForge) -> None:
        inside = Forge.of("keyword")
        inside.signed()
        inside.keeps_list = True
        for member in inside.document["members"]:
            if member["name"] == name:
                member["size"] = size
        forge.parts = PackForge.packing(inside).parts
        forge.part(name).stored, forge.part(name).codec = data, Codec.ZSTD

    return apply


def swapped(forge: PackForge) -> None:
    one, other = forge.part(layout.PAIRS), forge.part(layout.RUNS)
    one.stored, other.stored = other.stored, one.stored


def shared(forge: PackForge) -> None:
    forge.parts[2].offset = forge.parts[1].offset = 8192
    forge.parts[2].length = forge.parts[1].length = 64


def with_section(kind: int, flags: int = 0, data: bytes = b"later", sha256: bytes | None = None) -> Change:
    def apply(forge: PackForge) -> None:
        forge.parts.append(Part(kind=kind, stored=data, flags=flags, sha256=sha256))
        forge.parts.sort(key=lambda part: part.kind)

    return apply


def without(name: str) -> Change:
    return lambda forge: forge.parts.remove(forge.part(name))


def backwards(forge: PackForge) -> None:
    forge.parts[1:] = forge.parts[:0:-1]


def doubled(forge: PackForge) -> None:
    forge.parts.insert(2, forge.parts[1])


def placed(how: Callable[[Path], object]) -> Change:
    """Something else than a file, in its place."""

    def apply(forge: PackForge) -> None:
        forge.place = lambda path, _: how(path)

    return apply


def linked(path: Path) -> None:
    path.symlink_to(path.with_suffix(".elsewhere"))


def sparse(forge: PackForge) -> None:
    """A manifest of a tebibyte, all of it a hole, behind a header that vouches for it."""
    forge.parts = [Part(kind=sections.MANIFEST, stored=b"", length=(1 << 40) - 4096)]
    forge.total = 1 << 40

    def place(path: Path, data: bytes) -> None:
        path.write_bytes(data)
        os.truncate(path, 1 << 40)

    forge.place = place


def archive_of(kind: str) -> bytes:
    """An archive whose links lead out of where it is unpacked."""
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("../manifest.json", "{}")
    else:
        with tarfile.open(fileobj=out, mode="w:gz" if kind == "tar.gz" else "w") as archive:
            for name, target in (("d1", "."), ("x", "d1/..")):
                link = tarfile.TarInfo(name)
                link.type, link.linkname = tarfile.SYMTYPE, target
                archive.addfile(link)
            archive.addfile(tarfile.TarInfo("x/manifest.json"))
    return out.getvalue()


Refused = partial(PackAttack, error="FormatError")
Corrupt = partial(PackAttack, error="IntegrityError")
Newer = partial(PackAttack, error="UnsupportedFormat")
Nothing = partial(PackAttack, error="BundleNotFound")

FRAMING = [
    Nothing("pack: empty", holding(b""), words=NOT_A_PACK),
    Nothing("pack: another magic", framed(magic=b"HTK\1"), words=NOT_A_PACK),
    Refused("pack: 39 bytes", cut(39), words="ends inside its header"),
    Newer("pack: version 2", framed(major=2), words="version 2"),
    Newer("pack: version 0", framed(major=0), words="version 0"),
    Newer("pack: a flag", framed(flags=1), words="flags 0x1"),
    Newer("pack: every flag", framed(flags=(1 << 32) - 1), words="flags 0xffffffff"),
    PackAttack("pack: a later minor version", framed(minor=7), error=""),
    Refused("pack: no sections", framed(count=0), words="claims 0 sections"),
    Refused("pack: none at all", lambda forge: forge.parts.clear(), words="claims 0 sections"),
    Refused("pack: 81 sections", framed(count=81), words="claims 81 sections"),
    Refused("pack: 2^32 - 1 sections", framed(count=(1 << 32) - 1), words="claims 4294967295 sections"),
    Refused("pack: a table of contents beyond the file", cut(300), words="ends inside its table of contents"),
    Corrupt("pack: one section more than there are", framed(count=24), words="table of contents"),
    Corrupt("pack: a digest of zeros", framed(digest=bytes(32)), words="table of contents"),
    Corrupt("pack: one byte longer than it says", framed(tail=b"\0", total=0), words="bytes, not 0"),
    Corrupt("pack: one byte short", cut(-1), words="bytes, not"),
    Corrupt("pack: half of it", cut(20_000), words="bytes, not"),
    Refused("pack: trailing bytes, counted", framed(tail=b"\0"), words="goes on after its last section"),
    Refused("pack: a trailing page, counted", framed(tail=bytes(4096)), words="goes on after its last section"),
    Refused("pack: an offset of 2^64 - 1", listed(layout.NAMES, offset=LAST - 1), words="begins at byte 18446744073709551615"),
    Refused("pack: a length of 2^64 - 1", listed(layout.NAMES, length=LAST - 1), words="ends beyond the file"),
    Refused("pack: an end beyond 2^64", listed(layout.NAMES, length=LAST - 4096), words="ends beyond the file"),
    Refused("pack: longer than the file", listed(layout.RUNS, length=1 << 20), words="ends beyond the file"),
    Refused("pack: a gap of a page", moved(4096), words="begins at byte"),
    Refused("pack: an overlap", moved(-4096), words="begins at byte"),
    Refused("pack: not on a page", moved(1), words="begins at byte"),
    Refused("pack: two sections in one place", shared, words="begins at byte"),
    Refused("pack: kinds backwards", backwards, words="after kind"),
    Refused("pack: a kind twice", doubled, words="after kind"),
    Newer("pack: a flag on a section", listed(layout.NAMES, flags=2), words="flags 0x2"),
    Refused("pack: padding that says something", lambda forge: setattr(forge, "change", lambda body: body.__setitem__(4095, 1))),
    Refused("pack: something between sections", lambda forge: setattr(forge, "change", lambda body: body.__setitem__(12287, 1))),
    Refused("pack: a hole of a tebibyte", sparse, words="The manifest in"),
]

SECTIONS = [
    Newer("pack: an unknown kind that is required", with_section(UNKNOWN, REQUIRED), words="unknown kind 700"),
    PackAttack("pack: an unknown kind that is not", with_section(UNKNOWN), error=""),
    Corrupt("pack: an unknown kind that was changed", with_section(UNKNOWN, sha256=bytes(32)), words="kind 700 was changed"),
    Refused("pack: a known kind that is not listed", with_section(25), words="kind 25 that its manifest does not list"),
    Refused("pack: a member of no place", with_section(1063), words="kind 1063 that its manifest does not list"),
    Refused("pack: a member left out", without(layout.PAIRS), words="has no section for pairs.filter"),
    Refused("pack: no manifest", without(layout.MANIFEST), words="does not begin with a manifest"),
    Refused("pack: something before the manifest", with_section(0), words="does not begin with a manifest"),
    Refused("pack: a compressed manifest", stored(layout.MANIFEST, ours), words="does not begin with a manifest"),
    Refused("pack: a manifest over the limit", stored(layout.MANIFEST, lambda data: data + bytes(1 << 20), 0), words="manifest in"),
    Corrupt("pack: a manifest that was changed", written_over(layout.MANIFEST), words="manifest.json was changed"),
    Corrupt("pack: a raw member that was changed", written_over(layout.TEXT), words="text.blocks was changed"),
    Corrupt("pack: a compressed member that was changed", written_over(layout.NAMES), words="names.postings was changed"),
    Corrupt("pack: a file of the index that was changed", written_over("lexical/*.term"), words=".term was changed"),
    Corrupt("pack: another digest for a raw member", listed(layout.PAIRS, sha256=bytes(32)), words="two digests"),
    Corrupt(
        "pack: another digest for a compressed one", listed(layout.NAMES, sha256=bytes(32)), words="names.postings was changed"
    ),
    Corrupt("pack: two members swapped", swapped, words="pairs.filter"),
    Corrupt("pack: another member's bytes", stored(layout.PAIRS, bytes.swapcase, 0), words="two digests"),
    Corrupt("pack: a raw member cut", stored(layout.PAIRS, lambda data: data[:-1], 0), words="bytes, not"),
    Newer("pack: an unknown codec", listed(layout.PAIRS, codec=2), words="unknown way 2"),
    Newer("pack: codec 255", listed(layout.NAMES, codec=255), words="unknown way 255"),
    Corrupt("pack: raw, said to be compressed", listed(layout.PAIRS, codec=1), words="pairs.filter"),
    Corrupt("pack: compressed, said to be raw", listed(layout.NAMES, codec=0), words="bytes, not"),
]

STREAMS = [
    PackAttack("pack: compressed where we would not", stored(layout.TEXT, ours), error=""),
    PackAttack("pack: raw where we would compress", stored(layout.NAMES, bytes, 0), error=""),
    Corrupt("pack: other bytes, compressed", stored(layout.NAMES, lambda data: ours(data.swapcase())), words="was changed"),
    Refused("pack: nothing, compressed", stored(layout.NAMES, lambda _: b""), words="unpacked from 0"),
    Corrupt("pack: a stream cut", stored(layout.NAMES, lambda data: ours(data)[:-1]), words="names.postings"),
    Corrupt("pack: a stream without its end", stored(layout.NAMES, lambda data: ours(data)[:-40]), words="names.postings"),
    Corrupt("pack: a byte behind a stream", stored(layout.NAMES, lambda data: ours(data) + b"\0"), words="goes on after its end"),
    Corrupt("pack: a second stream", stored(layout.NAMES, lambda data: ours(data) * 2), words="goes on after its end"),
    Corrupt("pack: a mebibyte behind a stream", stored(layout.NAMES, lambda data: ours(data) + bytes(3 << 20)), words="goes on"),
    Corrupt("pack: too few bytes", stored(layout.NAMES, lambda data: ours(data[:-1])), words="1 bytes early"),
    Corrupt("pack: one byte too many", stored(layout.NAMES, lambda data: ours(data + b"\0")), words="is longer than"),
    Corrupt("pack: 8 MiB of zeros", stored(layout.NAMES, lambda _: ours(bytes(8 << 20))), words="is longer than"),
    Corrupt("pack: noise", stored(layout.NAMES, lambda data: bytes(range(256)) * 8), words="names.postings"),
    Corrupt("pack: an .xz file", stored(layout.NAMES, lzma.compress), words="names.postings"),
    Corrupt("pack: a window over the limit", stored(layout.NAMES, lambda data: packed_as(data, window_log=25)), words="is damaged"),
    PackAttack("pack: the longest window", stored(layout.NAMES, lambda data: packed_as(data, window_log=24)), error=""),
    PackAttack("pack: other parameters", stored(layout.NAMES, lambda data: packed_as(data, checksum_flag=1)), error=""),
    Corrupt("pack: a frame without content first", stored(layout.NAMES, lambda data: SKIPPABLE + ours(data)), words="bytes early"),
    Refused("pack: a gibibyte claimed of one byte", claiming(layout.NAMES, 1 << 30, b"\0"), words="claims to be"),
    Refused("pack: a tebibyte claimed", claiming(layout.NAMES, 1 << 40, bytes(200)), words="claims to be"),
    Corrupt("pack: zeros as long as is allowed", claiming(layout.NAMES, 50 * 200_000, bytes(200_000)), words="names.postings"),
]

PLACES = [
    Nothing("pack: a tar", holding(archive_of("tar")), words=NOT_A_PACK),
    Nothing("pack: a tar.gz", holding(archive_of("tar.gz")), words=NOT_A_PACK),
    Nothing("pack: a zip", holding(archive_of("zip")), words=NOT_A_PACK),
    Nothing("pack: a tebibyte of zeros", placed(lambda path: (path.touch(), os.truncate(path, 1 << 40))), words=NOT_A_PACK),
    Refused("pack: a FIFO", placed(os.mkfifo), words="not a regular file"),
    Nothing("pack: an empty directory", placed(Path.mkdir), words="holds no Hardtack bundle"),
    Nothing("pack: a link to nothing", placed(linked), words="does not exist"),
    Refused("pack: a link to a device", placed(lambda path: path.symlink_to("/dev/zero")), words="is a link"),
    Refused("pack: a link to a pack", lambda forge: setattr(forge, "place", behind_a_link), words="is a link"),
]


def behind_a_link(path: Path, data: bytes) -> None:
    """A sound pack, and a link to it in its place."""
    path.with_suffix(".elsewhere").write_bytes(data)
    linked(path)


ATTACKS = [*FRAMING, *SECTIONS, *STREAMS, *PLACES]


def packed(attacks: Sequence[Attack]) -> list[PackedAttack]:
    """Some of the attacks on bundles, the same each time, packed: what is inside a pack is checked no less."""
    wanted = (attack for attack in attacks if not attack.name.startswith("members"))  # lists of members are checked otherwise
    return [
        PackedAttack(f"packed: {attack.name}", attack.apply, attack.error, attack.profile, attack.words)
        for attack in islice(wanted, 0, None, 15)
    ]
