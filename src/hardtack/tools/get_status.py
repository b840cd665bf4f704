"""``get_status``: whether a directory or an index can be searched, and which searches work."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta

from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.integrity import without_absent
from hardtack.errors import BundleError
from hardtack.nouns.statistics import created_at
from hardtack.query.searcher import Searcher
from hardtack.query.state.readiness import readiness_of
from hardtack.query.state.staleness import freshness_counts
from hardtack.query.state.statistics import main_project, size_of
from hardtack.tools.catalog import Catalog
from hardtack.tools.entries import CatalogEntry
from hardtack.tools.failure import without_places
from hardtack.tools.tool import DIRECTORY, Call, Parameters, Tool, ToolReply

_MB = 1 << 20


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which index."""

    path: Annotated[
        str | None,
        Meta(
            description="A directory of the server's machine, as /home/me/api, or an index name. Default: the first index.",
            extra={DIRECTORY: True},
        ),
    ] = None
    index_name: Annotated[str | None, Meta(description="An index by its name; instead of path.")] = None


class IndexedProject(TypedDict):
    """The project that an index was built of."""

    id: Annotated[str, Meta(description="Digest of the bundle: names its very content.")]
    name: Annotated[str, Meta(description="What to pass as index_name.")]
    root_path: NotRequired[Annotated[str, Meta(description="The path that was asked for.")]]
    module_name: NotRequired[str]
    go_version: NotRequired[str]
    index_version: Annotated[str, Meta(description="Version of the bundle format.")]
    repository: NotRequired[str]
    commit: NotRequired[str]


class Totals(TypedDict):
    """The size of an index."""

    total_files: int
    total_symbols: int
    total_chunks: int
    total_embeddings: int
    index_size_mb: float
    last_indexed_at: NotRequired[Annotated[str, Meta(description="When the indexed commit was made.")]]


class Health(TypedDict):
    """Which parts of an index work."""

    database_accessible: Annotated[bool, Meta(description="The bundle can be read and is what its manifest says.")]
    embeddings_available: Annotated[bool, Meta(description="Searches by meaning work.")]
    fts_indexes_built: Annotated[bool, Meta(description="Searches by keyword work.")]


class CheckoutComparison(TypedDict):
    """How a checkout differs from the index; keys of unknown values are left out."""

    commit: NotRequired[Annotated[str, Meta(description="Of the checkout's HEAD.")]]
    commits_behind: NotRequired[Annotated[int, Meta(description="Commits that HEAD has and the index has not.")]]
    commits_ahead: NotRequired[Annotated[int, Meta(description="Commits that the index has and HEAD has not.")]]
    diverged: NotRequired[bool]
    fresh: Annotated[int, Meta(description="Files that are as they were indexed.")]
    changed: int
    deleted: int
    unknown: Annotated[int, Meta(description="Files of which it cannot be told.")]


class Status(TypedDict):
    """Whether an index can be searched."""

    success: bool
    indexed: bool
    project: IndexedProject | None
    statistics: Totals | None
    health: Health | None
    message: str
    checkout: NotRequired[
        Annotated[CheckoutComparison, Meta(description="Only where the server has a checkout of the index's repository.")]
    ]
    warnings: NotRequired[list[str]]


def _call(call: Call, arguments: Arguments) -> ToolReply:
    entry = _entry(call.catalog, arguments)
    if entry is None:
        hint = "Call index_codebase with the path." if call.build else "Build one with: hardtack build SRC"
        return ToolReply(value=_status(indexed=False, message="No index of this is served."), hint=hint)
    try:
        manifest, digest = call.catalog.manifest(entry)
    except BundleError as error:
        return ToolReply(value=_unreadable(call, entry, error))
    project, totals = _project(manifest, digest, entry.name, arguments.path), _totals(without_absent(entry.located.path, manifest))
    try:
        with call.catalog.searcher(entry.name, as_built=True) as searcher:
            readiness = readiness_of(searcher)
            compared = _compared(call.catalog, entry, searcher)
    except BundleError as error:
        return ToolReply(value={**_unreadable(call, entry, error), "project": project, "statistics": totals})
    moved = call.catalog.moved_on(entry.name)
    over = f" Over it lies the working tree: files that differ: {moved.files_changed}." if moved and moved.is_laid_over else ""
    status = _status(indexed=True, message=f"Index {entry.name!r} has {totals['total_files']} files and can be searched.{over}")
    status["project"], status["statistics"] = project, totals
    status["health"] = {
        "database_accessible": readiness.is_intact,
        "embeddings_available": readiness.has_encoder,
        "fts_indexes_built": readiness.has_terms,
    }
    if compared:
        status["checkout"] = compared
    troubles = (*([entry.trouble] if entry.trouble else []), *readiness.troubles)
    warnings = [
        *call.catalog.staleness(entry).warnings,
        *([f"{moved.sentence}."] if moved and moved.reason else []),
        *(without_places(trouble, call.catalog.places) for trouble in troubles),
    ]
    if warnings:
        status["warnings"] = warnings
    return ToolReply(value=status)


def _compared(catalog: Catalog, entry: CatalogEntry, searcher: Searcher) -> CheckoutComparison | None:
    """How the server's checkout differs from an index; None without a checkout of the index's repository."""
    bundle, checkout = searcher.bundle, searcher.checkout
    if checkout is None or bundle.manifest.provenance.roots:
        return None
    counts = freshness_counts(bundle, checkout)
    compared: CheckoutComparison = {
        "fresh": counts.get("fresh", 0),
        "changed": counts.get("changed", 0),
        "deleted": counts.get("deleted", 0),
        "unknown": counts.get("unknown", 0),
    }
    staleness = catalog.staleness(entry)
    if staleness.head:
        compared["commit"] = staleness.head.commit
    if distance := staleness.distance:
        compared["commits_behind"], compared["commits_ahead"] = distance.behind, distance.ahead
        compared["diverged"] = distance.is_diverged
    return compared


def _entry(catalog: Catalog, arguments: Arguments) -> CatalogEntry | None:
    """The index of that name, else of that path, else the first; None when there is none of the path, or none at all."""
    if arguments.index_name is not None:
        return catalog.entry(arguments.index_name)
    if arguments.path is not None:
        return catalog.entry_at(arguments.path)
    return next(iter(catalog.entries()), None)


def _status(*, indexed: bool, message: str) -> Status:
    return {"success": True, "indexed": indexed, "project": None, "statistics": None, "health": None, "message": message}


def _unreadable(call: Call, entry: CatalogEntry, error: BundleError) -> Status:
    """The status of a bundle that exists and cannot be searched."""
    why = without_places(str(error), call.catalog.places)
    status = _status(indexed=True, message=f"Index {entry.name!r} cannot be read: {why}")
    status["health"] = {"database_accessible": False, "embeddings_available": False, "fts_indexes_built": False}
    return status


def _project(manifest: Manifest, digest: str, name: str, path: str | None) -> IndexedProject:
    project: IndexedProject = {"id": digest, "name": name, "index_version": str(manifest.format_version)}
    if path:
        project["root_path"] = path
    if declared := main_project(manifest):
        if declared.name:
            project["module_name"] = declared.name
        if declared.ecosystem == "go" and declared.language_version:
            project["go_version"] = declared.language_version
    if manifest.provenance.repository:
        project["repository"] = manifest.provenance.repository
    if manifest.provenance.commit:
        project["commit"] = manifest.provenance.commit
    return project


def _totals(manifest: Manifest) -> Totals:
    counts = manifest.counts
    totals: Totals = {
        "total_files": counts.files,
        "total_symbols": counts.symbols,
        "total_chunks": counts.chunks,
        "total_embeddings": counts.chunks if manifest.encoder else 0,
        "index_size_mb": round(size_of(manifest) / _MB, 2),
    }
    if made := created_at(manifest.provenance):
        totals["last_indexed_at"] = made
    return totals


TOOL = Tool(
    name="get_status",
    toolset="indexes",
    title="Status of an index",
    description=("Whether a directory or an index can be searched, what was indexed, and whether each kind of search works."),
    parameters=Arguments,
    result=Status,
    call=_call,
    says_commits=True,
)
