"""The protocol of a place that packs are pulled from and published to: what is wanted in, what the place has of it out.

A source says what it has (:class:`Offer`) and brings its bytes; it does not decide what is installed. Whoever asks holds the bytes
against the digests and the manifest against what was wanted, so a source that errs or lies costs a refusal and nothing else.

Three answers are kept apart. ``None``: the source was asked and has nothing. :class:`SourceError`: it could not be asked; its
``is_temporary`` says whether another source, or a later try, may do better. :class:`PolicyError`: it has something that is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from hardtack.bundle.format.digest import is_digest
from hardtack.errors import UsageError

if TYPE_CHECKING:
    from hardtack.bundle.format.manifest import Manifest

DENIED: Final = "SOURCE_DENIED"
"""Code of the error of a place that was reached and keeps to itself whether it has what was asked for."""

UNAUTHORIZED: Final = "SOURCE_UNAUTHORIZED"
"""Code of the error of a place that refuses the token, or wants one."""

Progress = Callable[[int, int | None], None]
"""Called with the bytes that are there and the bytes there will be, None while that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a source is asked for: the bundle of a commit, the one that a reference names now, or one by its digest."""

    repository: str = ""
    """``host/owner/name``; empty when the user named none and stands in no checkout that tells."""
    root: str = ""
    """Directory of the repository that was built; empty takes whichever root the source has."""
    commit: str = ""
    """Full commit id."""
    ref: str = ""
    """Name of a branch or a tag, as people write it: ``main``, ``v1.2``."""
    digest: str = ""
    """Bundle digest or pack digest."""
    profile: str = "hybrid"
    """For sources whose addresses hold it; one that keeps a single pack for each commit gives that."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant.

        Raises:
            UsageError: not exactly one of commit, reference and digest is there, or the digest is misspelt.
        """
        if sum(map(bool, (self.commit, self.ref, self.digest))) != 1:
            raise UsageError("A commit, a reference or a digest is asked for, one of them.")
        if self.digest and not is_digest(self.digest):
            raise UsageError(f"{self.digest!r} is no digest.", hint="Write it as sha256: and 64 digits of 0-9a-f.")

    def __str__(self) -> str:
        """For people: the reference, the digest, or the start of the commit."""
        return self.ref or self.digest or self.commit[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A pack that a source has. Nothing of it is verified: these are the source's words."""

    address: str
    """For people: where the pack lies, without anything secret."""
    commit: str
    """Full commit id of what was built; empty when the source does not know it."""
    pack_digest: str = ""
    """Empty when the source does not know it."""
    bundle_digest: str = ""
    """Empty when the source does not know it."""
    size: int | None = None
    """Bytes of the pack; None when the source does not know it."""
    commit_time: int = 0
    """Committer time of the commit, seconds since 1970 UTC; 0 when the source does not know it."""
    repository: str = ""
    """``host/owner/name``; empty when the source does not know it."""
    locator: object = field(default=None, repr=False)
    """What the source itself needs to bring the pack; of no meaning to others, and not shown: it may hold a signature."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A pack that anybody who may read the place can now pull."""

    address: str
    pack_digest: str
    already_there: bool
    """The place had the very same pack, and nothing was sent."""
    notes: tuple[str, ...] = ()
    """What the publisher should know, a sentence each: a reference that was left at a newer commit."""


class Packed(Protocol):
    """A pack on the disk that is to be published; :class:`hardtack.bundle.packing.PackInfo` is one."""

    @property
    def path(self) -> Path:
        """The file."""
        ...

    @property
    def digest(self) -> str:
        """The pack digest."""
        ...

    @property
    def size(self) -> int:
        """Its bytes."""
        ...

    @property
    def bundle_digest(self) -> str:
        """The digest of the bundle in it."""
        ...

    @property
    def manifest(self) -> Manifest:
        """The manifest in it."""
        ...


class Source(Protocol):
    """A place with packs. Several threads may call :meth:`resolve` at once."""

    @property
    def name(self) -> str:
        """As the user writes it, for messages and the record of an installation: ``https://...``, ``github:owner/name``."""
        ...

    def resolve(self, wanted: Wanted) -> Offer | None:
        """What the source has of ``wanted``; None when it was asked and has nothing.

        Raises:
            SourceError: it could not be asked.
            PolicyError: it has something that is refused: another repository's, one whose origin cannot be accepted.
            FormatError: what it says cannot be understood.
        """
        ...

    def fetch(self, offer: Offer, destination: Path, progress: Progress | None = None) -> None:
        """Bring the pack into the file ``destination``, going on from what already lies there if that is safe.

        When it returns, the file has the size and the pack digest of the offer, as far as they were known.

        Raises:
            SourceError: network or disk.
            IntegrityError: other bytes came than were offered; nothing is left of them.
            PolicyError: it is larger than is taken, or leads where nothing is fetched from.
        """
        ...

    def publish(self, pack: Packed, refs: Sequence[str]) -> Published:
        """Upload the pack, read it back as a reader would and compare, then move the references: in this order.

        Args:
            pack: what to publish; its manifest has been accepted.
            refs: branches or tags that shall name it.

        Raises:
            UsageError: the place cannot be published to.
            SourceError: network or disk; no reference was moved.
            IntegrityError: other bytes were read back than were sent; no reference was moved.
            PolicyError: the place has something else at that address, or is refused.
        """
        ...
