"""A bundle or a pack in, published at a source out, after it was verified, and named in the catalogue there.

A published bundle must be built from a commit, without uncommitted files, so that everybody with that commit can rely on it; and it
must name its repository, so that a pull for another one is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hardtack.bundle.format import layout
from hardtack.bundle.format.pack import is_pack, open_pack
from hardtack.bundle.packing import PackInfo, write_pack
from hardtack.bundle.reader import open_bundle
from hardtack.descriptors import work_directory
from hardtack.errors import PolicyError
from hardtack.store.sources.catalogue import entry_of
from hardtack.store.sources.source import Published, Source
from hardtack.store.sources.static import StaticSource


def publish(
    path: Path, target: Source, *, refs: Sequence[str] = (), commit: str = "", names: bool = True
) -> tuple[PackInfo, Published]:
    """Verify a bundle, pack it if it is a directory, publish it, and name it in the catalogue.

    Args:
        path: a bundle's directory or a pack.
        target: the source to publish to.
        refs: branches or tags that will name it.
        commit: full id of the commit it must be built from; empty accepts the manifest's.
        names: name it in the catalogue; who publishes many names them together, as each time the whole catalogue is written.

    Raises:
        BundleError: there is no bundle, or it differs from its manifest.
        PolicyError: the bundle may not be published, or not to this source.
        SourceError: network or disk.
    """
    with _packed(path) as pack:
        check_publishable(pack, commit=commit)
        published = target.publish(pack, refs)
        if names and isinstance(target, StaticSource):  # a repository's own place on GitHub has no catalogue
            with open_bundle(pack.path, check="sizes", digest=pack.bundle_digest) as bundle:
                target.register(entry_of(bundle, pack_digest=pack.digest, size=pack.size))
        return pack, published


def check_publishable(pack: PackInfo, *, commit: str = "") -> None:
    """Check that the pack was built from a commit of a repository that it names, without uncommitted files.

    Raises:
        PolicyError: it was not, or not from ``commit``.
    """
    provenance = pack.manifest.provenance
    hint = "Commit, and build again without --worktree."
    if provenance.is_dirty:
        raise PolicyError("The bundle was built of files that were not committed, and is not published.", hint=hint)
    if not provenance.commit or provenance.roots:
        raise PolicyError("The bundle was not built of a commit, and is not published.", hint=hint)
    if not provenance.repository:
        raise PolicyError(
            "The bundle does not say of which repository it is, so nobody's pull could tell whether it fits, and is not published.",
            hint="Give the checkout a remote called origin, and build again.",
        )
    if commit and commit != provenance.commit:
        raise PolicyError(
            f"The bundle was built of {provenance.commit[:12]}, not of {commit[:12]}, and is not published.",
            hint="Build the bundle of the commit that is meant.",
        )


@contextmanager
def _packed(path: Path) -> Iterator[PackInfo]:
    """The pack at ``path``, or a temporary one of the bundle there, which exists while the context lasts."""
    if is_pack(path):
        with open_bundle(path, check="hashes") as bundle, open_pack(path) as pack:
            bundle.check_members()
            yield PackInfo(
                path=path, digest=pack.digest(), size=pack.size, bundle_digest=pack.bundle_digest, manifest=pack.manifest
            )
    else:
        with work_directory() as directory:
            # With what the next build reads: a working tree is laid over the bundle by such a build.
            has_readings = (path / layout.READINGS).is_file()
            yield write_pack(path, directory / "bundle.hardtack", for_builds=has_readings)
