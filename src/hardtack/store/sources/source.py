"""The protocol of a source that packs are pulled from and published to: a request in, an offer of a pack out.

A source describes the pack that it has (:class:`Offer`) and delivers its bytes; it does not decide what is installed. The caller
checks the bytes against the digests and the manifest against the request, so a source that errs or lies leads to a refusal only.

Three outcomes are distinct. ``None``: the source was asked and has no such pack. :class:`SourceError`: it could not be asked; its
``is_temporary`` says whether another source, or a later try, may succeed. :class:`PolicyError`: it has a pack that is refused.
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
"""Error code: the source was reached and does not tell whether it has the pack."""

UNAUTHORIZED: Final = "SOURCE_UNAUTHORIZED"
"""Error code: the source refuses the token, or wants one."""

Progress = Callable[[int, int | None], None]
"""Called with the bytes that have arrived and the total, which is None while it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A request to a source: the bundle of a commit, the one that a reference names now, or the one of a digest."""

    repository: str = ""
    """``host/owner/name``; empty when it is not known."""
    root: str = ""
    """The directory in the repository that was built; empty accepts any."""
    commit: str = ""
    """Full commit id."""
    ref: str = ""
    """Short name of a branch or a tag: ``main``, ``v1.2``."""
    digest: str = ""
    """Bundle digest or pack digest."""
    is_fresh: bool = False
    """Whether a source that keeps what a reference names must show that it still does."""
    profile: str = "hybrid"
    """Only for sources that keep one pack for each profile; others have a single pack for each commit."""

    def __post_init__(self) -> None:
        """Check the fields.

        Raises:
            UsageError: not exactly one of commit, reference and digest is set, or the digest is malformed.
        """
        if sum(map(bool, (self.commit, self.ref, self.digest))) != 1:
            raise UsageError("A commit, a reference or a digest is asked for, one of them.")
        if self.digest and not is_digest(self.digest):
            raise UsageError(f"{self.digest!r} is no digest.", hint="Write it as sha256: and 64 digits of 0-9a-f.")

    def __str__(self) -> str:
        """For messages: the reference, the digest, or the start of the commit."""
        return self.ref or self.digest or self.commit[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A pack that a source has. The fields are the source's claims; nothing is verified yet."""

    address: str
    """The pack's address for messages, without secrets."""
    commit: str
    """Full id of the commit that was built; empty when the source does not know it."""
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
    root: str = ""
    """The directory in the repository that was built; empty for all of it, and when the source does not know it."""
    recipe: str = ""
    """What made the bundle (:func:`hardtack.bundle.format.recipe.recipe_of`); empty when the source does not know it."""
    locator: object = field(default=None, repr=False)
    """What the source needs to deliver the pack; private to the source. Not in ``repr``: it may hold a signed address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """The result of publishing a pack."""

    address: str
    pack_digest: str
    already_there: bool
    """Whether the source had this pack already, so that nothing was sent."""
    notes: tuple[str, ...] = ()
    """Messages for the publisher, one sentence each, such as a reference that was left at a newer commit."""


class Packed(Protocol):
    """A pack to publish, as a file; :class:`hardtack.bundle.packing.PackInfo` is one."""

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
        """Its size in bytes."""
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
    """A source of packs. Several threads may call :meth:`resolve` at once."""

    @property
    def name(self) -> str:
        """The address as the user writes it, for messages and records: ``https://...``, ``github:owner/name``."""
        ...

    def resolve(self, wanted: Wanted) -> Offer | None:
        """The pack that the source has for ``wanted``; None when it has none.

        Raises:
            SourceError: it could not be asked.
            PolicyError: it has a pack that is refused: of another repository, or of an origin that is not accepted.
            FormatError: its answer cannot be understood.
        """
        ...

    def fetch(self, offer: Offer, destination: Path, progress: Progress | None = None) -> None:
        """Write the pack to the file ``destination``; an interrupted download there is resumed if that is safe.

        When it returns, the file has the size and the pack digest of the offer, as far as they are known.

        Raises:
            SourceError: network or disk.
            IntegrityError: the bytes differ from the offer; they are deleted.
            PolicyError: the pack is too large, or a redirect leads to a forbidden address.
        """
        ...

    def publish(self, pack: Packed, refs: Sequence[str]) -> Published:
        """Upload the pack, read it back as a reader would and compare, then move the references, in this order.

        Args:
            pack: the pack to publish; its manifest has been checked.
            refs: branches or tags that will name it.

        Raises:
            UsageError: this source cannot be published to.
            SourceError: network or disk; no reference was moved.
            IntegrityError: other bytes were read back than were sent; no reference was moved.
            PolicyError: the source has another pack at that address, or publishing is refused.
        """
        ...
