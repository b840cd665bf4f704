"""One repository in, its bundle at the shelf out: what a process of its own does, from top to bottom.

    commit_at      address, reference  -> the commit that it names now                  remote.py
    resolve        commit              -> what the shelf has of it: often all there is to do
    clone          commit              -> a bare clone of that commit alone             remote.py
    build_bundle   clone               -> its bundle                                    build/
    publish        bundle              -> a pack at the shelf, read back, pointed to     store/publish.py
    entry_of       bundle              -> what the catalogue is to say of it: the fleet writes it for many at once    naming.py

The shelf is the only state: what it has is done, whoever did it, so a fleet that was killed is run again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from hardtack.build.options import NO_BASE, TOOL, BuildOptions, engines, recorded
from hardtack.build.source.decode import SourceOptions
from hardtack.build.source.limits import TreeLimits
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.format.recipe import recipe
from hardtack.encoders import DEFAULT_ENCODER
from hardtack.errors import BuildError, HardtackError, PolicyError, SourceError, UsageError
from hardtack.fleet.listing import Entry
from hardtack.fleet.outcome import DONE, FAILED, UNCHANGED, Failure, Outcome
from hardtack.fleet.remote import clone, commit_at, name_of
from hardtack.store.sources.named import SourceSettings, target_of
from hardtack.store.sources.source import Offer, Source, Wanted
from hardtack.store.sources.static import StaticSource
from hardtack.text import fingerprint

USUAL_SECONDS: Final = 3600
USUAL_MEMORY: Final = 4 << 30
USUAL_CLONE: Final = 4 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is done with every repository of a fleet."""

    shelf: str
    """Address of the one place that all bundles are published to: a folder by its absolute path, or a bucket."""
    profile: str = "hybrid"
    text: str = "full"
    tests: bool = True
    vendor: bool = False
    secrets: Literal["redact", "fail", "warn"] = "redact"
    max_file_size: int = SourceOptions().max_file_size
    max_files: int = TreeLimits().paths
    max_source: int = TreeLimits().bytes
    max_size: int | None = None
    """Bytes of a bundle."""
    max_clone: int = USUAL_CLONE
    """Bytes that may arrive for one commit."""
    max_time: int = USUAL_SECONDS
    """Seconds from the first question to git to the last pointer at the shelf."""
    max_memory: int = USUAL_MEMORY
    """Bytes of private memory of the process and all that it starts; watched on Linux alone."""
    follow_git: bool = False
    """Take a path whose git directory leads into another repository."""
    replaces: bool = False
    """Publish in the place of a bundle of the same commit that another version or other options made."""

    def build_options(self, repository: str) -> BuildOptions:
        """The options of the build of a repository of that name. One worker: other repositories use the other cores."""
        return BuildOptions(
            source=SourceOptions(
                tests=self.tests,
                vendor=self.vendor,
                max_file_size=self.max_file_size,
                secrets=self.secrets,
                limits=TreeLimits(paths=self.max_files, bytes=self.max_source),
            ),
            profile=self.profile,
            text=self.text,
            max_size=self.max_size,
            repository=repository,
            base=NO_BASE,
            jobs=1,
            max_seconds=self.max_time,
            follow_git=self.follow_git,
        )

    def recipe(self) -> str:
        """The recipe of every bundle of this fleet."""
        return recipe(
            tool=TOOL,
            engines=engines(),
            terms_fingerprint=fingerprint(),
            encoder=DEFAULT_ENCODER if self.profile == "hybrid" else "",
            options=recorded(self.build_options("")),
        )


def shelf_at(address: str, settings: SourceSettings, *, replaces: bool = False) -> StaticSource:
    """The shelf at an address.

    Raises:
        UsageError: there can be no shelf.
        MissingExtra: a driver is not installed.
    """
    shelf = target_of(address, settings, replaces=replaces)
    if not isinstance(shelf, StaticSource):
        raise UsageError(f"{shelf.name} holds the packs of one repository.", hint="Name a folder or a bucket for all of them.")
    return shelf


def do(entry: Entry, plan: Plan, settings: SourceSettings, scratch: Path) -> Outcome:
    """Build and publish one repository; every failure is an outcome.

    Args:
        entry: the repository.
        plan: what is done with it.
        settings: how the shelf is reached.
        scratch: an empty directory, to be removed by the caller.
    """
    started = time.monotonic()
    outcome = Outcome(address=entry.address, ref=entry.ref, state=DONE, repository=entry.name)
    try:
        outcome = replace(outcome, repository=name_of(entry))
        commit = commit_at(entry, scratch, follow_git=plan.follow_git)
        outcome = replace(outcome, commit=commit)
        shelf = shelf_at(plan.shelf, settings, replaces=plan.replaces)
        offer = shelf.resolve(Wanted(repository=outcome.repository, commit=commit))
        if offer and _is_current(offer, plan):
            outcome = replace(
                outcome,
                state=UNCHANGED,
                repository=offer.repository or outcome.repository,  # as the catalogue spells it, too
                commit_time=offer.commit_time,
                digest=offer.bundle_digest,
                pack_digest=offer.pack_digest,
                pack_bytes=offer.size or 0,
            )
        else:
            outcome = _published(entry, plan, shelf, scratch, outcome)
    except HardtackError as error:
        outcome = _failed(entry, outcome, error, scratch)
    except MemoryError:
        outcome = _failed(entry, outcome, BuildError(f"{entry.address} needs more memory than there is."), scratch)
    except OSError as error:
        place = error.filename or scratch
        outcome = _failed(entry, outcome, SourceError(f"{place} cannot be used: {error.strerror}."), scratch)
    return replace(outcome, seconds=round(time.monotonic() - started, 3))


def _is_current(offer: Offer, plan: Plan) -> bool:
    """Whether the shelf's bundle of a commit is the one that this fleet would make; False if it does not say how it was made.

    Raises:
        PolicyError: it is another one, and may not be replaced, or is of a directory: there is no need to build to know that.
    """
    if offer.root:
        raise PolicyError(
            f"The shelf has a bundle of {offer.commit[:12]} that is of {offer.root} alone.",
            hint="Publish to another place: each repository, and each directory built of it, has one of its own.",
        )
    if offer.recipe == plan.recipe():
        return True
    if offer.recipe and not plan.replaces:
        raise PolicyError(
            f"The shelf has a bundle of {offer.commit[:12]} that another version or other options made.",
            hint="Say --replace to publish this one instead.",
        )
    return False


def _published(entry: Entry, plan: Plan, shelf: Source, scratch: Path, outcome: Outcome) -> Outcome:
    """Clone, build and publish."""
    from hardtack.build.pipeline import build_bundle  # these load what reads and writes bundles; most repositories are unchanged
    from hardtack.bundle.reader import open_bundle
    from hardtack.store.publish import publish
    from hardtack.store.sources.catalogue import entry_of, render_catalogue

    fetched = clone(entry, outcome.commit, scratch / "clone", most=plan.max_clone)
    bundle = scratch / "bundle"
    report = build_bundle(scratch / "clone", bundle, plan.build_options(outcome.repository))
    pack, _ = publish(bundle, shelf, commit=outcome.commit, names=False)
    with open_bundle(bundle, check="sizes", digest=report.digest) as opened:
        named = render_catalogue([entry_of(opened, pack_digest=pack.digest, size=pack.size)])
    manifest = pack.manifest
    return replace(
        outcome,
        commit_time=manifest.provenance.commit_time or 0,
        digest=report.digest,
        pack_digest=pack.digest,
        pack_bytes=pack.size,
        fetched_bytes=fetched,
        files=manifest.counts.files,
        lines=_lines_of(manifest),
        text_bytes=manifest.counts.text_bytes,
        entry=named.decode("ascii"),
    )


def _lines_of(manifest: Manifest) -> int:
    return sum(language.lines for language in manifest.languages)


def _failed(entry: Entry, outcome: Outcome, error: HardtackError, scratch: Path) -> Outcome:
    """The outcome of an error, which speaks of the repository where it spoke of the clone, a place that nobody knows."""
    message, hint = (text.replace(str(scratch / "clone"), entry.address) for text in (str(error), error.hint))
    failure = Failure(code=error.code, message=message, hint=hint)
    return replace(outcome, state=FAILED, failure=failure)
