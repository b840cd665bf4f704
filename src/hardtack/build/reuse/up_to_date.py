"""A source tree and the bundle that it would replace in, that bundle's manifest out if a build would make the very same.

The quick way out, before parsers, engines or encoder are loaded: a commit that was built with these options by this very program
needs no second look; other files are read and compared by content. The bundle that is found to be current is hashed in full.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hardtack.build.options import NO_BASE, TOOL, BuildOptions, engines, recorded
from hardtack.build.report import BuildReport
from hardtack.build.reuse.tool_fingerprint import maker
from hardtack.build.source.known import Known, KnownFiles
from hardtack.build.source.tree import SourceTree
from hardtack.bundle.format import layout, records
from hardtack.bundle.format.cached_parses import CachedParses
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.format.records import Table
from hardtack.bundle.integrity import Checked, check_members, read_manifest
from hardtack.encoders import DEFAULT_ENCODER
from hardtack.errors import HardtackError
from hardtack.nouns.outline import ParseStatus, Skip, SkipReason
from hardtack.text import fingerprint


def unchanged(tree: SourceTree, place: Path, options: BuildOptions, report: BuildReport) -> tuple[Manifest, str] | None:
    """The manifest and digest of the bundle at ``place`` if a build of ``tree`` would put the same there; None if not, or unsure.

    Skips that are met on the way are noted in ``report``.
    """
    if options.base == NO_BASE or (options.profile == "hybrid" and options.encoder.name != DEFAULT_ENCODER):
        return None
    try:
        manifest, digest = read_manifest(place)
        if not is_of_same_make(manifest, options) or manifest.provenance != tree.provenance or _may_come_out_otherwise(manifest):
            return None
        checked = check_members(place, manifest, hashes=True)
        try:
            is_current = not checked.faults and _is_current(tree, manifest, checked, report)
        finally:
            checked.close()
    except HardtackError:
        return None  # whatever is wrong with the tree, the build will say
    return (manifest, digest) if is_current else None


def is_of_same_make(manifest: Manifest, options: BuildOptions) -> bool:
    """Whether a bundle was made with these options by engines and rules of these versions; who read the files is not looked at."""
    return (manifest.tool, dict(manifest.engines), manifest.terms_fingerprint, dict(manifest.options)) == (
        *(TOOL, dict(engines()), fingerprint(), recorded(options)),
    )


def _may_come_out_otherwise(manifest: Manifest) -> bool:
    """Whether a bundle of the very same files might be another: its vectors are not the default encoder's, or something failed."""
    is_foreign = manifest.encoder is not None and manifest.encoder.name != DEFAULT_ENCODER
    return is_foreign or bool(manifest.parse_status.get(ParseStatus.ERROR) or manifest.skipped.get(SkipReason.UNREADABLE))


def _is_current(tree: SourceTree, manifest: Manifest, checked: Checked, report: BuildReport) -> bool:
    members, files = checked.members, manifest.counts.files
    if layout.READINGS not in members or CachedParses(members[layout.READINGS].map(), files=files).tool_fingerprint != maker():
        return False
    provenance = tree.provenance
    # It does not say where roots lie, nor the whole of a name that must not be told.
    says_where = not provenance.roots and "[REDACTED:" not in provenance.subdirectory
    if provenance.source == "commit" and provenance.commit and says_where:
        return True
    if manifest.secrets is None or manifest.secrets.found:
        return False  # which they are, and in which files, is not kept
    table = Table(layout.FILES, members[layout.FILES].map(), records.FILE_FIELDS)
    rows = (table.file(row) for row in range(len(table)))
    known = KnownFiles(owners=({row.path: (row.blob_id, row.sha256) for row in rows},))
    skips: list[Skip] = []
    seen = 0
    for item in tree.files_beside(known):
        if isinstance(item, Skip):
            skips.append(item)
        elif isinstance(item, Known):
            seen += 1
        else:
            return False
    if seen != files or Counter(skip.reason.value for skip in skips) != manifest.skipped:
        return False
    report.skips += skips
    return True
