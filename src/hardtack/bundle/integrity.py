"""The place of a bundle in, a directory or a pack; its manifest and its open members out, held against each other.

The list of members and their sizes are always checked, hashes when the caller wants it. Each member is opened once and its open
file is handed back, so that what is read later is what was checked here. Members of a directory are hashed where they lie. Of a
pack, what is stored is hashed; a member that is compressed, or that an engine opens by a path, is unpacked into memory when it is
first read, so that nothing is written to a disk.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Manifest, Member, parse_manifest
from hardtack.bundle.format.members import MemberFile
from hardtack.errors import BundleError, BundleNotFound, IntegrityError

_THREADS = 2
"""That hash members: hashing takes a processor, and releases the interpreter's lock."""

_S = TypeVar("_S")
_T = TypeVar("_T")


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
        hashes: whether to hash members; False trusts that a member of the listed size has the listed content.
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


def read_manifest(path: Path) -> tuple[Manifest, str]:
    """The manifest of the bundle at ``path``, a directory or a pack, and the bundle's digest; reads nothing else.

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
            from hardtack.bundle.format.pack import open_pack  # with a decompressor, which a directory does not need

            with open_pack(path) as pack:
                return pack.manifest_bytes
        if not is_directory or not (path / layout.MANIFEST).exists():
            what = "holds no Hardtack bundle" if is_directory else "does not exist"
            raise BundleNotFound(f"{path} {what}.", hint="Build a bundle with: hardtack build SRC -o DIR")
    except OSError as error:
        raise BundleNotFound(f"{path} cannot be read: {error.strerror}.") from error
    with MemberFile(path, layout.MANIFEST) as member:
        return member.read(layout.MANIFEST_LIMIT)


def without_absent(path: Path, manifest: Manifest) -> Manifest:
    """The manifest of the bundle at ``path`` without the dispensable members that are not there: a pack leaves them out.

    In a directory only those members are looked for; of a pack the table of contents is read. Where there is no bundle any more, or
    it cannot be read, the manifest is returned as it is.
    """
    listed = {member.name for member in manifest.members}
    absent = listed & layout.DISPENSABLE
    if path.is_dir():
        absent = {name for name in absent if not os.path.lexists(path / name)}
    elif absent:
        from hardtack.bundle.format.pack import open_pack  # with a decompressor, which a directory does not need

        try:
            with open_pack(path) as pack:
                absent -= {member.name for member in pack.carried}
        except BundleError:
            absent = set()
    return manifest._replace(members=tuple(member for member in manifest.members if member.name not in absent))


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
    return Checked(members=members, faults=tuple(sorted(faults)))


def _hash_faults(members: dict[str, MemberFile], listed: Sequence[Member]) -> Iterator[Fault]:
    for member, digest in zip(listed, _in_threads(lambda member: members[member.name].digest(), listed), strict=True):
        if isinstance(digest, BundleError):
            yield Fault(member=member.name, what=f"cannot be used: {digest}")
        elif digest != member.sha256:
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


def _check_pack(path: Path, digest: str, *, hashes: bool) -> Checked:
    from hardtack.bundle.format.pack import open_pack  # with a decompressor, which a directory does not need

    members: dict[str, MemberFile] = {}
    faults: list[Fault] = []
    with open_pack(path) as pack:
        if pack.bundle_digest != digest:
            raise IntegrityError(f"{path} was replaced while it was read.", faults=["it was replaced"], hint="Try again.")
        pack.check_others()
        names = [member.name for member in pack.carried]
        for name, member in zip(names, _in_threads(lambda name: pack.open_member(name, hashes=hashes), names), strict=True):
            if isinstance(member, BundleError):
                what = "was changed" if isinstance(member, IntegrityError) else f"cannot be unpacked: {member}"
                faults.append(Fault(member=name, what=what))
            else:
                members[name] = member
    return Checked(members=members, faults=tuple(faults))


def _in_threads(function: Callable[[_S], _T], items: Iterable[_S]) -> list[_T | BundleError]:
    """What ``function`` returns for each item, or the error that it raises, in order."""
    from concurrent.futures import ThreadPoolExecutor  # an open that hashes nothing does without it

    def attempt(item: _S) -> _T | BundleError:
        try:
            return function(item)
        except BundleError as error:
            return error

    with ThreadPoolExecutor(_THREADS) as pool:
        return list(pool.map(attempt, items))
