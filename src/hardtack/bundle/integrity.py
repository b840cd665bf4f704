"""A bundle's place and its manifest in, every member open and every fault out.

Sizes and the member list are always checked; hashes when asked for. Each member is opened once and its open file handed back, so
that what is read later is what was checked here. Members are hashed by two threads (hashing releases the interpreter's lock).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Manifest, Member, parse_manifest
from hardtack.bundle.format.members import MemberFile
from hardtack.errors import BundleError, BundleNotFound

_HASHING_THREADS = 2


class Fault(NamedTuple):
    """One thing that is wrong with a bundle."""

    member: str
    what: str

    def __str__(self) -> str:
        """One sentence, without its full stop."""
        return f"{self.member} {self.what}"


class Checked(NamedTuple):
    """The members that could be opened, and what is wrong. The members are good only when there are no faults."""

    members: dict[str, MemberFile]
    faults: tuple[Fault, ...]

    def close(self) -> None:
        """Close every member."""
        for member in self.members.values():
            member.close()


def read_manifest(path: Path) -> tuple[Manifest, str]:
    """The manifest of the bundle at ``path``, a directory or a pack, and the bundle's digest; nothing else is looked at.

    Raises:
        BundleNotFound, UnsupportedFormat, FormatError: as :func:`reader.open_bundle`.
    """
    data = read_manifest_bytes(path)
    return parse_manifest(data), digest_of(data)


def read_manifest_bytes(path: Path) -> bytes:
    """The bytes of that manifest; raises as :func:`read_manifest`."""
    try:
        is_directory = path.is_dir()
        if not is_directory and path.exists():
            from hardtack.bundle.format.pack import open_pack  # who reads a directory does without it

            with open_pack(path) as pack:
                return pack.manifest_bytes
        if not is_directory or not (path / layout.MANIFEST).exists():
            what = "holds no Hardtack bundle" if is_directory else "does not exist"
            raise BundleNotFound(f"{path} {what}.", hint="Build a bundle with: hardtack build SRC -o DIR")
    except OSError as error:
        raise BundleNotFound(f"{path} cannot be read: {error.strerror}.") from error
    with MemberFile(path, layout.MANIFEST) as member:
        return member.read(layout.MANIFEST_LIMIT)


def check_members(directory: Path, manifest: Manifest, *, hashes: bool) -> Checked:
    """Hold ``directory`` against ``manifest``: the list of files, their sizes, and their digests if ``hashes``.

    What is merely wrong with the bundle becomes a fault and raises nothing.

    Raises:
        BundleNotFound: ``directory`` cannot be listed.
    """
    faults = [Fault(member=name, what="is not listed in the manifest") for name in _strays(directory, manifest)]
    members: dict[str, MemberFile] = {}
    for listed in manifest.members:
        try:
            member = members[listed.name] = MemberFile(directory, listed.name)
        except BundleError as error:
            if listed.name in layout.DISPENSABLE and not os.path.lexists(directory / listed.name):
                continue
            missing = not (directory / listed.name).exists()
            faults.append(Fault(member=listed.name, what="is missing" if missing else f"cannot be used: {error}"))
            continue
        if member.size != listed.size:
            faults.append(Fault(member=listed.name, what=f"has {member.size} bytes, not {listed.size}"))
    if hashes:
        faulty = {fault.member for fault in faults}
        faults += _hash_faults(members, [each for each in manifest.members if each.name in members.keys() - faulty])
    return Checked(members=members, faults=tuple(sorted(faults, key=lambda fault: (fault.member, fault.what))))


def _hash_faults(members: dict[str, MemberFile], listed: Sequence[Member]) -> Iterator[Fault]:
    from concurrent.futures import ThreadPoolExecutor  # a start that checks sizes alone does without it

    with ThreadPoolExecutor(_HASHING_THREADS) as pool:
        futures = [pool.submit(members[member.name].digest) for member in listed]
        for member, future in zip(listed, futures, strict=True):
            try:
                digest = future.result()
            except BundleError as error:
                yield Fault(member=member.name, what=f"cannot be used: {error}")
                continue
            if digest != member.sha256:
                yield Fault(member=member.name, what=f"was changed: its digest is {digest}, not {member.sha256}")


def _strays(directory: Path, manifest: Manifest) -> list[str]:
    """Everything below ``directory`` that is neither listed nor the folder of something listed; links are not followed."""
    allowed = {layout.MANIFEST} | {member.name for member in manifest.members}
    folders = {name.partition("/")[0] for name in allowed if "/" in name}
    strays = []
    try:
        for entry in sorted(directory.iterdir()):
            if entry.name in folders and entry.is_dir() and not entry.is_symlink():
                strays += [f"{entry.name}/{path.name}" for path in sorted(entry.iterdir())]
            else:
                strays.append(entry.name)
    except OSError as error:
        raise BundleNotFound(f"{directory} cannot be listed: {error.strerror}.") from error
    return [name for name in strays if name not in allowed]
