"""The place of a bundle in, a directory or a pack; its members out, each open and what the manifest says.

Members of a directory are hashed where they lie. Of a pack, what is stored raw is hashed and mapped where it lies; what is
compressed, and what an engine opens by a path, is unpacked into memory, so that nothing is written anywhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Manifest, parse_manifest
from hardtack.bundle.format.members import MemberFile
from hardtack.bundle.integrity import Checked, Fault, check_members, read_manifest_bytes
from hardtack.errors import BundleError, IntegrityError

_THREADS = 2
"""That unpack members: it takes a processor, and lets go of the interpreter's lock."""


class Opened(NamedTuple):
    """A bundle whose members are open; whoever holds it closes it."""

    manifest: Manifest
    manifest_bytes: bytes
    digest: str
    """The bundle digest."""
    members: dict[str, MemberFile]

    def close(self) -> None:
        """Close every member."""
        for member in self.members.values():
            member.close()


def open_members(path: Path, *, hashes: bool, digest: str | None = None) -> Opened:
    """Open the members of the bundle at ``path``.

    Args:
        path: a bundle's directory, or a pack.
        hashes: whether to hash members, or to trust that they have the content of the sizes that are listed.
        digest: refuse any bundle but this one.

    Raises:
        BundleNotFound, UnsupportedFormat, FormatError, IntegrityError: as :func:`reader.open_bundle`.
    """
    data = read_manifest_bytes(path)
    manifest, found = parse_manifest(data), digest_of(data)
    if digest not in (None, found):
        raise IntegrityError(
            f"{path} is not the bundle asked for: its digest is {found}, not {digest}.",
            faults=[f"its digest is {found}, not {digest}"],
            hint="Pull the bundle of that digest, or drop --digest.",
        )
    checked = check_members(path, manifest, hashes=hashes) if path.is_dir() else _check_pack(path, found, hashes=hashes)
    if checked.faults:
        checked.close()
        faults = [str(fault) for fault in checked.faults]
        raise IntegrityError(f"The bundle at {path} is not what its manifest says: {faults[0]}.", faults=faults)
    return Opened(manifest=manifest, manifest_bytes=data, digest=found, members=checked.members)


def as_it_lies(path: Path, manifest: Manifest) -> Manifest:
    """The manifest less the members that may be left out and were: what there is to count at ``path``.

    Of a directory such members alone are looked for, of a pack its table of contents is read. What is no bundle any more, or cannot
    be read, counts as it was.
    """
    listed = {member.name for member in manifest.members}
    absent = listed & layout.DISPENSABLE
    if path.is_dir():
        absent = {name for name in absent if not os.path.lexists(path / name)}
    elif absent:
        from hardtack.bundle.format.pack import open_pack  # who reads a directory does without it

        try:
            with open_pack(path) as pack:
                absent -= {member.name for member in pack.carried}
        except BundleError:
            absent = set()
    return manifest._replace(members=tuple(member for member in manifest.members if member.name not in absent))


def _check_pack(path: Path, digest: str, *, hashes: bool) -> Checked:
    from hardtack.bundle.format.pack import open_pack  # who reads a directory does without it

    with open_pack(path) as pack:
        if pack.bundle_digest != digest:
            raise IntegrityError(f"{path} was replaced while it was read.", faults=["it was replaced"], hint="Try again.")
        pack.check_others()
        names = [member.name for member in pack.carried]
        found = _open_all(names, lambda name: pack.open_member(name, hashes=hashes))
    members = {name: member for name, member in found.items() if isinstance(member, MemberFile)}
    faults = [
        Fault(member=name, what="was changed" if isinstance(error, IntegrityError) else f"cannot be unpacked: {error}")
        for name, error in found.items()
        if isinstance(error, BundleError)
    ]
    return Checked(members=members, faults=tuple(faults))


def _open_all(names: Sequence[str], open_one: Callable[[str], MemberFile]) -> dict[str, MemberFile | BundleError]:
    """Each member, or why it cannot be opened."""
    from concurrent.futures import ThreadPoolExecutor

    def opened(name: str) -> MemberFile | BundleError:
        try:
            return open_one(name)
        except BundleError as error:
            return error

    with ThreadPoolExecutor(_THREADS) as pool:
        return dict(zip(names, pool.map(opened, names), strict=True))
