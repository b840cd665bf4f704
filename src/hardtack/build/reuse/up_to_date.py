"""Source tree and existing bundle in, that bundle's manifest out if a build would write the same bundle again.

This check runs before parsers, engines and encoder are loaded. A commit that this program has built with these options is up to
date without looking at its files; files on the disk are read and compared by content. Every member of the existing bundle is
hashed.
"""

from __future__ import annotations

from collections import Counter

from hardtack.build.options import NO_BASE, TOOL, BuildOptions, OwnWork, engines, recorded
from hardtack.build.report import BuildReport
from hardtack.build.reuse.tool_fingerprint import tool_fingerprint
from hardtack.build.source.known import Digests, Known, KnownFiles
from hardtack.build.source.tree import SourceTree
from hardtack.bundle.format import layout, records
from hardtack.bundle.format.cached_parses import CachedParses
from hardtack.bundle.format.manifest import FROM_CLONE, Indexer, Manifest
from hardtack.bundle.format.records import ENCODING_BASES, Table
from hardtack.bundle.integrity import Checked, check_members, read_manifest
from hardtack.bundle.placing import Destination
from hardtack.encoders import DEFAULT_ENCODER
from hardtack.errors import HardtackError
from hardtack.nouns.outline import ParseStatus, Skip, SkipReason, SourceFile
from hardtack.text import fingerprint


def up_to_date(
    tree: SourceTree,
    destination: Destination,
    options: BuildOptions,
    report: BuildReport,
    indexers: tuple[Indexer, ...] = (),
    own: OwnWork | None = None,
) -> tuple[Manifest, str] | None:
    """The manifest and digest of the bundle that lies there if a build of ``tree`` would write the same; None if not, or unsure.

    Skips are added to ``report`` if the bundle is up to date. ``indexers`` are those whose indexes the build is given. Only a
    bundle that ``own`` remembers can be up to date: nothing shows that another one says what its source says.
    """
    if options.base == NO_BASE or own is None or (options.profile == "hybrid" and options.encoder.name != DEFAULT_ENCODER):
        return None
    place = destination.at
    try:
        manifest, digest = read_manifest(place)
        if not own.has(destination.real, digest):
            return None
        if not is_compatible(manifest, options) or manifest.provenance != tree.provenance or manifest.indexers != indexers:
            return None
        if _may_differ(manifest) or not _has_history(manifest, tree, options):
            return None
        checked = check_members(place, manifest, hashes=True)
        try:
            is_current = not checked.faults and _is_current(tree, manifest, checked, report)
        finally:
            checked.close()
    except HardtackError:
        return None  # if the tree cannot be read, the build will raise it again
    return (manifest, digest) if is_current else None


def is_compatible(manifest: Manifest, options: BuildOptions) -> bool:
    """Whether a bundle was built with these options by this version of Hardtack and its engines; not the tool fingerprint."""
    return (manifest.tool, dict(manifest.engines), manifest.terms_fingerprint, dict(manifest.options)) == (
        *(TOOL, dict(engines()), fingerprint(), recorded(options)),
    )


def _may_differ(manifest: Manifest) -> bool:
    """Whether a second build of the same files may give another bundle: another encoder made its vectors, or a file failed."""
    is_foreign = manifest.encoder is not None and manifest.encoder.name != DEFAULT_ENCODER
    return is_foreign or bool(manifest.parse_status.get(ParseStatus.ERROR) or manifest.skipped.get(SkipReason.UNREADABLE))


def _has_history(manifest: Manifest, tree: SourceTree, options: BuildOptions) -> bool:
    """Whether the bundle's history is the one that is asked for, and a clone that has more by now cannot have a longer one."""
    if not options.history or tree.repository is None:
        return manifest.history is None
    return manifest.history is not None and manifest.history.asked == options.history and manifest.history.end not in FROM_CLONE


def _decoded(file: SourceFile) -> tuple[bytes, str, int]:
    """What decides whether a file that was decoded again is the stored one."""
    return bytes.fromhex(file.sha256), file.encoding, ENCODING_BASES.index(file.encoding_basis)


def _is_current(tree: SourceTree, manifest: Manifest, checked: Checked, report: BuildReport) -> bool:
    members, files = checked.members, manifest.counts.files
    if (
        layout.READINGS not in members
        or CachedParses(members[layout.READINGS].map(), files=files).tool_fingerprint != tool_fingerprint()
    ):
        return False
    provenance = tree.provenance
    # Provenance has neither the directories of several roots nor a redacted name, so it does not identify those files.
    is_located = not provenance.roots and "[REDACTED:" not in provenance.subdirectory
    if provenance.source == "commit" and provenance.commit and is_located:
        left_out = Table(layout.SKIPS, members[layout.SKIPS].map(), records.SKIP_FIELDS)
        rows = (left_out.skip(row) for row in range(len(left_out)))
        report.skips += [Skip(path=skip.path, reason=SkipReason(skip.reason), detail=skip.detail) for skip in rows]
        return True
    if manifest.secrets is None or manifest.secrets.found:
        return False  # the manifest counts secrets but does not say where they are, and the report must
    table = Table(layout.FILES, members[layout.FILES].map(), records.FILE_FIELDS)
    stored = [table.file(row) for row in range(len(table))]
    # Other files may declare the encoding of one that is not UTF-8; so it is decoded again.
    known = KnownFiles(owners=({file.path: Digests(file.blob_id, file.sha256) for file in stored if file.encoding == "utf-8"},))
    bases = table.column("encoding_basis")
    encodings = {file.path: (file.sha256, file.encoding, basis) for file, basis in zip(stored, bases, strict=True)}
    skips: list[Skip] = []
    seen = 0
    for item in tree.files_beside(known):
        if isinstance(item, Skip):
            skips.append(item)
        elif isinstance(item, Known) or _decoded(item) == encodings.get(item.path):
            seen += 1
        else:
            return False
    if seen != files or Counter(skip.reason.value for skip in skips) != manifest.skipped:
        return False
    report.skips += skips
    return True
