"""A directory and its manifest in, every fault out: nothing is raised for what is merely wrong with a bundle.

Sizes and the member list are always checked; hashes when asked for. Each member is opened once and its open file handed back, so
that what is read later is what was checked here. Members are hashed by two threads (hashing releases the interpreter's lock).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from hardtack.bundle import layout
from hardtack.bundle.manifest import Manifest, Member
from hardtack.bundle.members import MemberFile
from hardtack.errors import BundleError

_HASHING_THREADS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong with a bundle."""

    member: str
    what: str

    def __str__(self) -> str:
        """One sentence, without its full stop."""
        return f"{self.member} {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The members that could be opened, and what is wrong. The members are good only when there are no faults."""

    members: dict[str, MemberFile]
    faults: tuple[Fault, ...]

    def close(self) -> None:
        """Close every member."""
        for member in self.members.values():
            member.close()


def check_members(directory: Path, manifest: Manifest, *, hashes: bool) -> Checked:
    """Hold ``directory`` against ``manifest``: the list of files, their sizes, and their digests if ``hashes``."""
    faults = [Fault(member=name, what="is not listed in the manifest") for name in _strays(directory, manifest)]
    members: dict[str, MemberFile] = {}
    for listed in manifest.members:
        try:
            member = members[listed.name] = MemberFile(directory, listed.name)
        except BundleError as error:
            missing = not (directory / listed.name).exists()
            faults.append(Fault(member=listed.name, what="is missing" if missing else f"cannot be used: {error}"))
            continue
        if member.size != listed.size:
            faults.append(Fault(member=listed.name, what=f"has {member.size} bytes, not {listed.size}"))
    if hashes:
        faulty = {fault.member for fault in faults}
        faults += _hash_faults(members, [listed for listed in manifest.members if listed.name not in faulty])
    return Checked(members=members, faults=tuple(sorted(faults, key=lambda fault: (fault.member, fault.what))))


def _hash_faults(members: dict[str, MemberFile], listed: Sequence[Member]) -> Iterator[Fault]:
    with ThreadPoolExecutor(_HASHING_THREADS) as pool:
        digests = pool.map(lambda member: members[member.name].digest(), listed)
        for member, digest in zip(listed, digests, strict=True):
            if digest != member.sha256:
                yield Fault(member=member.name, what=f"was changed: its digest is {digest}, not {member.sha256}")


def _strays(directory: Path, manifest: Manifest) -> list[str]:
    """Everything below ``directory`` that is neither listed nor the folder of something listed; links are not followed."""
    allowed = {layout.MANIFEST} | {member.name for member in manifest.members}
    folders = {name.partition("/")[0] for name in allowed if "/" in name}
    strays = []
    for entry in sorted(directory.iterdir()):
        if entry.name in folders and entry.is_dir() and not entry.is_symlink():
            strays += [f"{entry.name}/{path.name}" for path in sorted(entry.iterdir())]
        else:
            strays.append(entry.name)
    return [name for name in strays if name not in allowed]
