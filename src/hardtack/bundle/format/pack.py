"""One file in, a :class:`Pack` out: a bundle in one file, with its framing and manifest checked. Only :func:`open_pack` makes one.

The file is opened once, and everything is read, mapped and copied through that descriptor. All bytes are compared with the digests
in the table of contents and in the manifest, and never more are unpacked than these list. Callers name a member and the file to
copy it to: no name from a pack becomes a path here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from hardtack.bundle.format import layout, sections
from hardtack.bundle.format.compression import RATIO_LIMIT, inflated
from hardtack.bundle.format.container import FRAME_LIMIT, MAGIC, MAJOR, PackSection, paddings, parse_frame
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Manifest, Member, parse_manifest
from hardtack.bundle.format.members import MemberFile, UnpackedMember
from hardtack.bundle.format.sections import Codec
from hardtack.errors import BundleError, FormatError, IntegrityError, UnsupportedFormat

SUM_RATIO: Final = 32
SUM_ALLOWANCE: Final = 16 << 20
"""A pack may unpack to this many times its length plus this many bytes; that of jackson-databind unpacks to 1.8 times."""

_HINT: Final = "Download the pack again, or make it again."


def is_pack(path: Path) -> bool:
    """Whether a file at ``path`` begins as a pack does; False for one that cannot be read and for what cannot be a path."""
    with suppress(OSError, ValueError, BundleError):
        if path.is_file():
            with MemberFile(path.parent, path.name) as file:
                return file.size > len(MAGIC) and file.read_at(0, len(MAGIC)) == MAGIC
    return False


def open_pack(path: Path) -> Pack:
    """Open a pack and check everything except the content of its members.

    Raises:
        BundleNotFound: there is no file, or it is no pack.
        UnsupportedFormat: it, or its bundle, has a version this program does not read.
        IntegrityError: it was cut short or changed.
        FormatError: it breaks the format.
    """
    file = MemberFile(path.parent, path.name)
    try:
        return Pack(path, file)
    except BundleError:
        file.close()
        raise


class Pack:
    """An open pack; usable as a context manager."""

    def __init__(self, path: Path, file: MemberFile) -> None:
        self.path = path
        self.size = file.size
        """Bytes."""
        self._file = file
        listed = parse_frame(file.read_at(0, min(file.size, FRAME_LIMIT)), file.size, str(path))
        for start, end in paddings(listed):
            if any(file.read_at(start, end - start)):
                raise FormatError(f"Bytes {start} to {end} of {path} are not zero, and belong to no section.", field="padding")
        data = self.manifest_bytes = self._read_manifest(listed[0])
        self.manifest: Manifest = parse_manifest(data)
        self.bundle_digest = digest_of(data)
        """The digest of the bundle inside; that of this file is ``digest()``."""
        itself = Member(name=layout.MANIFEST, size=len(data), sha256=self.bundle_digest)
        self._sections: dict[str, tuple[PackSection, Member]] = {layout.MANIFEST: (listed[0], itself)}
        found = {section.kind: section for section in listed[1:]}
        for number, member in sections.numbered(self.manifest.members).items():
            section = found.pop(number, None)
            if section is None and member.name in layout.DISPENSABLE:
                continue
            if section is None:
                raise FormatError(f"{path} has no section for {member.name}, which its manifest lists.", field=member.name)
            self._check_section(section, member)
            self._sections[member.name] = section, member
        self._check_sum()
        self._others = tuple(found.values())
        for section in self._others:
            self._check_other(section)

    def _read_manifest(self, section: PackSection) -> bytes:
        if section.kind != sections.MANIFEST or section.codec != Codec.RAW:
            raise FormatError(f"{self.path} does not begin with a manifest.", field="contents")
        if section.length > layout.MANIFEST_LIMIT:
            raise FormatError(f"The manifest in {self.path} is {section.length} bytes.", field=layout.MANIFEST)
        data = self._file.read_at(section.offset, section.length)
        if hashlib.sha256(data).digest() != section.sha256:
            raise self._changed(layout.MANIFEST)
        return data

    def _check_section(self, section: PackSection, member: Member) -> None:
        """Compare a member's entry in the table of contents with its entry in the manifest."""
        kind = sections.kind_of(section.kind)
        assert kind
        if member.size > kind.limit:
            raise FormatError(
                f"{member.name} in {self.path} is {member.size} bytes; at most {kind.limit} are read.", field=member.name
            )
        if section.codec == Codec.RAW:
            if section.length != member.size:
                raise self._corrupt(f"{member.name} has {section.length} bytes, not {member.size}")
            if f"sha256:{section.sha256.hex()}" != member.sha256:
                raise self._corrupt(f"{member.name} is listed with two digests")
        elif section.codec != Codec.ZSTD:
            self._refuse_unknown(f"{member.name} is stored in the unknown way {section.codec}")
        elif member.size > RATIO_LIMIT * section.length:
            raise FormatError(
                f"{member.name} in {self.path} claims to be {member.size} bytes, unpacked from {section.length}.", field=member.name
            )

    def _check_sum(self) -> None:
        """Refuse a pack whose members together are too large for its length: they are unpacked into memory."""
        size = sum(member.size for member in self.carried)
        if size > SUM_RATIO * self.size + SUM_ALLOWANCE:
            raise FormatError(f"{self.path} claims to hold {size} bytes in {self.size}.", field="contents")

    def _check_other(self, section: PackSection) -> None:
        """Refuse a section of no member, unless its kind is unknown and a reader may ignore it."""
        if sections.kind_of(section.kind):
            raise FormatError(
                f"{self.path} has a section of kind {section.kind} that its manifest does not list.", field="contents"
            )
        if section.is_required:
            self._refuse_unknown(f"it has a section of the unknown kind {section.kind}, without which it cannot be read")

    def _refuse_unknown(self, what: str) -> None:
        sentence = f"{self.path} was made by a newer Hardtack: {what}."
        raise UnsupportedFormat(sentence, found=MAJOR, readable=(MAJOR, MAJOR), hint="Install a newer Hardtack.")

    def members(self) -> tuple[str, ...]:
        """The names of the files in the pack, in file order: the manifest, then members."""
        return tuple(self._sections)

    @property
    def carried(self) -> tuple[Member, ...]:
        """The members that are in the pack: all that the manifest lists, except dispensable ones that were left out."""
        return tuple(member for member in self.manifest.members if member.name in self._sections)

    def digest(self) -> str:
        """The pack digest, of the whole file, read through the same descriptor."""
        return self._file.digest()

    def copy_member(self, name: str, out: BinaryIO) -> None:
        """Write a file's content to ``out``, never more bytes than are listed. It is good only if nothing is raised.

        Raises:
            KeyError: the pack has no such file.
            IntegrityError: they are not the bytes that were listed, or cannot be unpacked.
        """
        section, member = self._sections[name]
        with self._stored(name) as stored:
            self._check_stored(stored, section)
            for piece in self._unpacked(stored, section, member):
                out.write(piece)

    def open_member(self, name: str, *, hashes: bool) -> MemberFile:
        """A member to map or to give to an engine: a range of the pack if it is stored raw, else unpacked when it is first read.

        The unpacked bytes are hashed before anything reads them, so the first read may raise what :meth:`copy_member` raises.

        Args:
            name: of a member.
            hashes: whether to hash the stored bytes; False trusts a member that is stored raw.

        Raises:
            IntegrityError: the stored bytes are not those that are listed.
        """
        section, member = self._sections[name]
        stored = self._stored(name)
        try:
            if hashes:
                self._check_stored(stored, section)
        except BundleError:
            stored.close()
            raise
        if section.codec == Codec.RAW and name != layout.VECTORS and not layout.is_lexical_name(name):
            return stored
        # An engine opens a path and reads the file from its start, so its members are copied even if they are stored raw.
        return UnpackedMember(stored, member.size, lambda stored: self._unpacked(stored, section, member))

    def check_others(self) -> None:
        """Hash the sections that this program does not know.

        Raises:
            IntegrityError: one was changed.
        """
        for section in self._others:
            with MemberFile.inside(self._file, f"its section of kind {section.kind}", section.offset, section.length) as stored:
                self._check_stored(stored, section)

    def _stored(self, name: str) -> MemberFile:
        """The stored bytes of a file."""
        section, _ = self._sections[name]
        return MemberFile.inside(self._file, name, section.offset, section.length)

    def _unpacked(self, stored: MemberFile, section: PackSection, member: Member) -> Iterator[bytes]:
        """A file's content, hashed piece by piece. It is good only if nothing is raised."""
        pieces = stored.pieces(0, stored.size)
        state = hashlib.sha256()
        try:
            for piece in inflated(pieces, member.size, member.name) if section.codec == Codec.ZSTD else pieces:
                state.update(piece)
                yield piece
        except FormatError as error:
            raise self._corrupt(f"{member.name} cannot be unpacked: {str(error).removesuffix('.')}") from error
        if f"sha256:{state.hexdigest()}" != member.sha256:
            raise self._changed(member.name)

    def _check_stored(self, stored: MemberFile, section: PackSection) -> None:
        if stored.digest() != f"sha256:{section.sha256.hex()}":
            raise self._changed(stored.name)

    def _changed(self, what: str) -> IntegrityError:
        return self._corrupt(f"{what} was changed")

    def _corrupt(self, what: str) -> IntegrityError:
        return IntegrityError(f"The pack {self.path} is not what it says: {what}.", faults=[what], hint=_HINT)

    def close(self) -> None:
        """Close the file. Members that were opened stay open."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
