"""``index_codebase``: builds the bundle of a directory, or brings it up to date, and serves it at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final, TypedDict

from msgspec import Meta

from hardtack.bundle.naming import NAME_LIMIT, OWN_PLACE, is_index_name, keep_name
from hardtack.bundle.placing import Destination
from hardtack.errors import BuildError, BundleError, SourceError, UsageError
from hardtack.nouns.statistics import Changes, Contents, changes_between
from hardtack.query.checkout.head import Checkout
from hardtack.query.state.staleness import contents_of, is_up_to_date
from hardtack.store.own import claim
from hardtack.tools.catalog import Catalog
from hardtack.tools.entries import CatalogEntry
from hardtack.tools.tool import DIRECTORY, Call, Parameters, Tool, ToolReply

_FAILED: Final = "Failed to index codebase: "


class Arguments(Parameters, kw_only=True, frozen=True):
    """What to build."""

    path: Annotated[str, Meta(description="The directory.", extra={DIRECTORY: True})]
    index_name: Annotated[str | None, Meta(description="Default: as the directory.")] = None
    force_reindex: Annotated[bool, Meta(description="Build even if the index is of this very commit.")] = False
    include_tests: Annotated[bool, Meta(description="Index tests.")] = True
    include_vendor: Annotated[bool, Meta(description="Index vendored code too.")] = False


class FileChanges(TypedDict):
    """Files that changed since the index that was there before."""

    files_added: int
    files_removed: int
    files_updated: int


class IndexCodebaseResult(TypedDict):
    """A finished build."""

    success: bool
    index_name: str
    path: str
    stats: FileChanges


def _call(call: Call, arguments: Arguments) -> ToolReply:
    source = _source(arguments.path)
    place = source / OWN_PLACE
    _check_name(call.catalog, arguments.index_name, place)
    try:
        with claim(source) as destination:
            name, changes = _indexed(call, arguments, source, destination)
    except (BuildError, SourceError) as error:
        raise type(error)(f"{_FAILED}{error}", hint=error.hint) from error
    result: IndexCodebaseResult = {
        "success": True,
        "index_name": name,
        "path": arguments.path,
        "stats": {
            "files_added": changes.added if changes else 0,
            "files_removed": changes.removed if changes else 0,
            "files_updated": changes.updated if changes else 0,
        },
    }
    return ToolReply(value=result, hint="" if changes else "It is of this commit already; force_reindex builds it anew.")


def _indexed(call: Call, arguments: Arguments, source: Path, destination: Destination) -> tuple[str, Changes | None]:
    """The name under which the index is served now, and the changes of its files; None when there was nothing to build."""
    place, changes = destination.path, None
    served = _entry_at(call.catalog, place)
    if served is None or arguments.force_reindex or not _is_up_to_date(call.catalog, served, source, arguments):
        before = _contents(call.catalog, served)
        assert call.build  # without it the toolset is not offered
        wanted = {"tests": arguments.include_tests, "vendor": arguments.include_vendor}
        call.build(call, source, **wanted, anew=arguments.force_reindex)
        served = call.catalog.add(place)
        changes = changes_between(before, _contents(call.catalog, served))
    if arguments.index_name:
        keep_name(place.parent, arguments.index_name, destination.at.parent)
        served = call.catalog.add(place)
    return served.name, changes


def _source(path: str) -> Path:
    """The directory that a caller named."""
    if not path.strip():
        raise UsageError("Path must be non-empty.", code="PATH_EMPTY")
    source, reason = Path(path), ""
    try:
        if not source.is_dir():
            reason = "is not a directory" if source.exists() else "does not exist"
        elif not os.access(source, os.R_OK | os.X_OK):
            reason = "is not readable"
        else:
            return source.resolve()
    except (OSError, ValueError):  # ValueError: the path has a NUL in it
        reason = "does not exist"
    raise UsageError(
        f"{_FAILED}Path {reason}: {path}", code="INVALID_REQUEST", details={"param": "path", "reason": reason, "path": path}
    )


def _check_name(catalog: Catalog, name: str | None, place: Path) -> None:
    """Refuse a malformed name, and one that another index has."""
    if name is None:
        return
    if not is_index_name(name):
        raise UsageError(
            f"An index name has 1 to {NAME_LIMIT} letters, digits, dots, hyphens and underscores.",
            code="INVALID_REQUEST",
            details={"param": "index_name", "reason": "malformed"},
        )
    if any(entry.name == name and entry.located.path.resolve() != place.resolve() for entry in catalog.entries()):
        raise UsageError(
            f"Another index is called {name!r}.",
            code="INVALID_REQUEST",
            details={"param": "index_name", "reason": "taken"},
            hint="Choose another name, or leave it out.",
        )


def _entry_at(catalog: Catalog, place: Path) -> CatalogEntry | None:
    return next((entry for entry in catalog.entries() if entry.located.path.resolve() == place.resolve()), None)


def _is_up_to_date(catalog: Catalog, entry: CatalogEntry, source: Path, arguments: Arguments) -> bool:
    try:
        manifest, _ = catalog.manifest(entry)
    except BundleError:
        return False
    return is_up_to_date(manifest, Checkout(source), tests=arguments.include_tests, vendor=arguments.include_vendor)


def _contents(catalog: Catalog, entry: CatalogEntry | None) -> Contents:
    """Path and blob id of each file of an index; nothing where there is no index, or one that cannot be read."""
    try:
        if entry:
            with catalog.searcher(entry.name, as_built=True) as searcher:
                return contents_of(searcher.bundle)
    except BundleError:
        pass
    return {}


TOOL = Tool(
    name="index_codebase",
    toolset="build",
    title="Index a directory",
    description=(
        "Builds the index of a directory, or builds it anew, and serves it at once. Of a git checkout the last commit is indexed."
    ),
    parameters=Arguments,
    result=IndexCodebaseResult,
    call=_call,
    says_commits=True,
    is_read_only=False,
)
