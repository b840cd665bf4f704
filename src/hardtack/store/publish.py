"""A bundle or a pack in, the same where others pull from out: after it was verified, and if it is what it should be.

What is published must be of a commit, whole and clean, so that whoever has that commit may rely on it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hardtack.bundle.format.pack import is_pack, open_pack
from hardtack.bundle.packing import PackInfo, write_pack
from hardtack.bundle.reader import open_bundle
from hardtack.errors import PolicyError
from hardtack.store.sources.source import Published, Source


def publish(path: Path, target: Source, *, refs: Sequence[str] = (), commit: str = "") -> tuple[PackInfo, Published]:
    """Verify, pack if need be, and publish.

    Args:
        path: a bundle's directory or a pack.
        target: where to.
        refs: branches or tags that shall name it.
        commit: full id of what it must have been built from; empty takes what the manifest says.

    Raises:
        BundleError: there is no bundle, or it is not what its manifest says.
        PolicyError: it may not be published, or not there.
        SourceError: network or disk.
    """
    with _packed(path) as pack:
        check_publishable(pack, commit=commit)
        return pack, target.publish(pack, refs)


def check_publishable(pack: PackInfo, *, commit: str = "") -> None:
    """See that others may rely on it.

    Raises:
        PolicyError: it was not built of a commit, or not of that one.
    """
    provenance = pack.manifest.provenance
    hint = "Commit, and build again without --worktree."
    if provenance.is_dirty:
        raise PolicyError("The bundle was built of files that were not committed, and is not published.", hint=hint)
    if not provenance.commit or provenance.roots:
        raise PolicyError("The bundle was not built of a commit, and is not published.", hint=hint)
    if commit and commit != provenance.commit:
        raise PolicyError(
            f"The bundle was built of {provenance.commit[:12]}, not of {commit[:12]}, and is not published.",
            hint="Build the bundle of the commit that is meant.",
        )


@contextmanager
def _packed(path: Path) -> Iterator[PackInfo]:
    """The pack at ``path``, or one that is made of the bundle there for as long as the context lasts."""
    if is_pack(path):
        with open_bundle(path, check="hashes") as bundle, open_pack(path) as pack:
            bundle.check_members()
            yield PackInfo(
                path=path, digest=pack.digest(), size=pack.size, bundle_digest=pack.bundle_digest, manifest=pack.manifest
            )
    else:
        with tempfile.TemporaryDirectory(prefix="hardtack-") as directory:
            yield write_pack(path, Path(directory, "bundle.hardtack"))
