"""A bundle in, a pack out: the only code that writes packs.

The bundle's hashes are verified first, through the open files that are then packed. The bytes of the pack depend on the bundle and
on the version of libzstd, not on a name, clock, mode or path of this machine. The file is written beside its destination, made
durable, and renamed to it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from hardtack.bundle.format import layout, sections
from hardtack.bundle.format.compression import RATIO_LIMIT, compressed
from hardtack.bundle.format.container import PackSection, aligned, first_offset, render_frame
from hardtack.bundle.format.digest import digest_of_descriptor
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.format.pack import is_pack
from hardtack.bundle.format.sections import Codec
from hardtack.bundle.integrity import Opened, open_members
from hardtack.bundle.placing import Step
from hardtack.descriptors import staged_file, sync_directory
from hardtack.errors import SourceError, UsageError

_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PackInfo:
    """A pack that was written."""

    path: Path
    digest: str
    """The pack digest: of the whole file."""
    size: int
    """Bytes."""
    bundle_digest: str
    manifest: Manifest
    """The manifest of the bundle inside."""


def _no_step(_: str) -> None: ...


def write_pack(bundle: Path, destination: Path, *, for_builds: bool = False, step: Step = _no_step) -> PackInfo:
    """Pack the bundle at ``bundle`` into the file ``destination``. Replaces a pack that is there.

    Args:
        bundle: a bundle's directory, or a pack.
        destination: a file in a directory that exists.
        for_builds: include the members that only the next build reads (:data:`layout.DISPENSABLE`), a third of the pack.
        step: called before each write, fsync and rename.

    Raises:
        BundleError: there is no bundle, or it is not what its manifest says.
        UsageError: ``destination`` is not a pack, and was not touched; or the bundle lacks the members that builds read.
        SourceError: the pack cannot be written.
    """
    if os.path.lexists(destination) and not is_pack(destination):
        raise UsageError(
            f"{destination} is there and is no pack; it was not touched.", hint="Choose another place with -o, or remove it first."
        )
    opened = open_members(bundle, hashes=True)
    try:
        if for_builds and (missing := {member.name for member in opened.manifest.members} - opened.members.keys()):
            raise UsageError(f"{bundle} came without {min(missing)}.", hint="Pack the bundle where it was built.")
        with staged_file(destination, 0o644) as (file, staged):
            with file:  # Windows renames no open file
                step(f"write {destination.name}")
                _write(file, opened, opened.members.keys() - (set() if for_builds else layout.DISPENSABLE))
                step(f"fsync {destination.name}")
                os.fsync(file.fileno())
                size, digest = os.fstat(file.fileno()).st_size, digest_of_descriptor(file.fileno())
            step(f"rename {destination.name}")
            staged.replace(destination)
            step(f"fsync {destination.parent.name}")
            sync_directory(destination.parent)
    except OSError as error:
        raise SourceError(f"{destination} cannot be written: {error.strerror}.", hint="Choose another place with -o.") from error
    finally:
        opened.close()
    return PackInfo(path=destination, digest=digest, size=size, bundle_digest=opened.digest, manifest=opened.manifest)


def _write(file: BinaryIO, bundle: Opened, names: Set[str]) -> None:
    kinds = {number: member for number, member in sections.numbered(bundle.manifest.members).items() if member.name in names}
    listed: list[PackSection] = []
    at = first_offset(1 + len(kinds))
    for number, data, codec in [
        (sections.MANIFEST, memoryview(bundle.manifest_bytes), Codec.RAW),
        *((number, bundle.members[member.name].map(), _codec_of(number)) for number, member in kinds.items()),
    ]:
        section = _write_section(file, at, number, data, codec)
        if codec != Codec.RAW and not len(data) / RATIO_LIMIT <= section.length < len(data):
            section = _write_section(file, at, number, data, Codec.RAW)
        listed.append(section)
        at = aligned(section.end)
    file.truncate(listed[-1].end)  # a last section that was compressed in vain may have been longer
    file.seek(0)
    _write_all(file, render_frame(listed))


def _codec_of(number: int) -> Codec:
    kind = sections.kind_of(number)
    return Codec.ZSTD if kind and kind.is_compressed else Codec.RAW


def _write_section(file: BinaryIO, at: int, number: int, data: memoryview, codec: Codec) -> PackSection:
    file.seek(at)
    file.truncate(at)
    state, length = hashlib.sha256(), 0
    pieces: Iterable[bytes | memoryview] = (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))
    for piece in pieces if codec == Codec.RAW else compressed(pieces, len(data)):
        _write_all(file, piece)
        state.update(piece)
        length += len(piece)
    return PackSection(kind=number, is_required=True, offset=at, length=length, codec=codec, sha256=state.digest())


def _write_all(file: BinaryIO, data: bytes | memoryview) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]
