"""A requested bundle in, the same verified in the cache out: resolved, fetched, checked, installed.

Sources are asked in order. If one cannot be reached, denies access, has no bundle, or none that is acceptable, the next is asked,
and a notice says so; a failure that another source cannot mend (a refused token, a full disk) ends the pull. A fetched pack is
untrusted: its pack digest, bundle digest, commit and repository are compared with what was requested, its commit's time with the
checkout or else with this machine's clock, and each member with the manifest while it is installed. What a branch leads to must not
be older than what it led to before (:mod:`.floors`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.format.pack import open_pack
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.placing import Step
from hardtack.bundle.reader import open_bundle
from hardtack.errors import BundleError, FormatError, HardtackError, IntegrityError, NotFound, PolicyError, SourceError
from hardtack.git import is_same_repository
from hardtack.store.aims import ProjectCheckout, aim_at, passed_over
from hardtack.store.cache import BundleCache, Installed, is_plain_directory
from hardtack.store.cache_writing import prepare_cache, write_record
from hardtack.store.floors import Floor, Led, check_time, floor_of, raise_floor
from hardtack.store.history import History
from hardtack.store.install import install_pack
from hardtack.store.locking import alone
from hardtack.store.offline import InstalledSource
from hardtack.store.records import Origin, Record, file_of, name_for, read_record
from hardtack.store.resolve import Aim, FoundPack, find, looked_at
from hardtack.store.scratch import scratch_directory
from hardtack.store.sources.named import SourceSettings, sources_for
from hardtack.store.sources.source import DENIED, Offer, Progress, Source

NOT_PUBLISHED: Final = "BUNDLE_NOT_PUBLISHED"

_HASHED: Final = 256 << 20
"""The size up to which an installed bundle is hashed when it is pulled again; of a larger one, only sizes are checked."""
_BUILD: Final = "Build one with: hardtack build"
_TELL: Final = "Tell whoever publishes there."


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """The result of a pull."""

    installed: Installed
    found: FoundPack
    source: str
    """The name of the source that had it."""
    was_there: bool
    """Whether it was installed already, so that nothing was fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull:
    """The settings of a pull; the bundle to pull is an :class:`Aim`."""

    cache: BundleCache
    sources: Sequence[Source]
    history: History | None = None
    """The history of the checkout that the bundle is for."""
    name: str = ""
    """The name to install it under; by default its repository."""
    allows_older: bool = False
    """Whether a branch may lead to an older commit than before."""
    notice: Callable[[str], None] = field(default=lambda sentence: None)
    """Called with one sentence for each deviation, such as a source that cannot be reached."""
    progress: Progress | None = None
    step: Step = field(default=lambda what: None)

    def run(self, aim: Aim) -> Pulled:
        """Resolve, fetch, check and install.

        Raises:
            NotFound: BUNDLE_NOT_PUBLISHED; every source was asked and none has it.
            SourceError: network or disk: it is unknown whether there is a bundle, or it cannot be fetched.
            PolicyError: there is a bundle, and it is refused.
            BundleError: the file is no pack, or differs from the offer.
        """
        self.cache.check()
        if present := self._installed_of_digest(aim):
            return present
        refused: HardtackError | None = None
        failed: HardtackError | None = None
        for source in self.sources:
            try:
                found = find(source, aim, self.history, self.notice)
                if found:
                    return self._install_found(source, aim, found)
            except SourceError as error:
                if not error.is_temporary and error.code != DENIED:
                    raise
                failed = failed or error
                self._notice_failure(source, error)
            except (PolicyError, BundleError) as error:
                refused = refused or error
                self._notice_failure(source, error)
        raise refused or failed or self._not_published(aim)

    def _notice_failure(self, source: Source, error: HardtackError) -> None:
        if source is not self.sources[-1]:  # the last source's error is raised instead
            self.notice(f"{source.name}: {error}")

    def _not_published(self, aim: Aim) -> NotFound:
        asked = ", ".join(source.name for source in self.sources)
        whose = f" of {aim.repository}" if aim.repository else ""
        if named := aim.digest or aim.commit[:12] or aim.ref:
            return NotFound(f"There is no bundle{whose} for {named}{_pinned(aim)} at {asked}.", code=NOT_PUBLISHED, hint=_BUILD)
        assert self.history
        return NotFound(
            f"There is no bundle{whose} for {self.history.head[:12]} or what it comes from at {asked}.",
            code=NOT_PUBLISHED,
            hint=f"Looked at: {looked_at(self.history)}. {_BUILD}",
        )

    def _installed_of_digest(self, aim: Aim) -> Pulled | None:
        """The installed bundle of the requested digest, if it is intact and accepted: no source needs to be asked then."""
        if not aim.digest:
            return None
        source = InstalledSource(self.cache)
        with suppress(PolicyError, BundleError):
            found = find(source, replace(aim, commit="", ref=""), self.history, self.notice)
            if found and (present := self._installed(source, aim, found)):
                return Pulled(installed=present, found=found, source=source.name, was_there=True)
        return None

    def _install_found(self, source: Source, aim: Aim, found: FoundPack) -> Pulled:
        """Install the bundle that was found; it is fetched unless it is installed already."""
        offer = found.offer
        if present := self._installed(source, aim, found):
            return Pulled(installed=present, found=found, source=source.name, was_there=True)
        prepare_cache(self.cache)
        with ExitStack() as held:
            is_alone = held.enter_context(alone(self.cache.locks, f"pull {offer.pack_digest or offer.address}", notice=self.notice))
            if present := self._installed(source, aim, found):  # another process has pulled it meanwhile
                return Pulled(installed=present, found=found, source=source.name, was_there=True)
            if is_alone and offer.pack_digest:  # a name that the next pull finds, to resume an interrupted download
                pack = self.cache.tmp / f"{offer.pack_digest.replace(':', '-')}.part"
            else:
                pack = held.enter_context(scratch_directory(self.cache.tmp)) / "pack"
            source.fetch(offer, pack, self.progress)
            installed = self._install(source, aim, found, pack)
        return Pulled(installed=installed, found=found, source=source.name, was_there=False)

    def _installed(self, source: Source, aim: Aim, found: FoundPack) -> Installed | None:
        """The bundle, if it is installed and intact, recorded under its name; nothing is written if it has that name already.

        A damaged one counts as missing, so that it is fetched and replaced.
        """
        offer = found.offer
        if offer.bundle_digest:
            present = self.cache.find(offer.bundle_digest)
        else:  # the source knows only the pack's digest; the records say which pack a bundle was installed from
            known = [entry for entry in self.cache.entries() if offer.pack_digest and entry.origin.pack_digest == offer.pack_digest]
            present = known[0] if known else None
        if present is None:
            return None
        if (manifest := _intact_manifest(present)) is None:
            self.notice(f"{present.name} is damaged where it is installed.")
            return None
        self._check(aim, offer, manifest, present.digest)
        origin = self._origin(source, found, manifest, offer.pack_digest or present.origin.pack_digest)
        name = self._name(aim, manifest)
        held = self.cache.named(name)
        self._check_order(found, manifest, name, origin)
        if held and held.digest == present.digest and (held.origin.branch == origin.branch or not origin.branch):
            return held
        prepare_cache(self.cache)
        installed = write_record(self.cache, Record(name=name, digest=present.digest, origin=origin))
        self._raise_floor(found, manifest, origin)
        return installed if is_plain_directory(installed.path) else None  # None: it was collected in between

    def _install(self, source: Source, aim: Aim, found: FoundPack, pack: Path) -> Installed:
        try:
            with open_pack(pack) as opened:
                manifest, bundle_digest = opened.manifest, opened.bundle_digest
                pack_digest = found.offer.pack_digest or opened.digest()
            self._check(aim, found.offer, manifest, bundle_digest)
            origin = self._origin(source, found, manifest, pack_digest)
            name = self._name(aim, manifest)
            self._check_order(found, manifest, name, origin)
            installed = install_pack(
                self.cache, pack, origin=origin, name=name, digest=bundle_digest, step=self.step, notice=self.notice
            )
            self._raise_floor(found, manifest, origin)
            return installed
        finally:
            with suppress(OSError):
                pack.unlink()

    def _name(self, aim: Aim, manifest: Manifest) -> str:
        provenance = manifest.provenance
        return self.name or name_for(provenance.repository or aim.repository, provenance.subdirectory)

    def _origin(self, source: Source, found: FoundPack, manifest: Manifest, pack_digest: str) -> Origin:
        provenance = manifest.provenance
        return Origin(
            source=source.name,
            repository=provenance.repository or found.offer.repository,
            commit=provenance.commit,
            branch=found.ref,
            pack_digest=pack_digest,
            commit_time=provenance.commit_time or 0,
        )

    def _check(self, aim: Aim, offer: Offer, manifest: Manifest, digest: str) -> None:
        """Compare a bundle with the request, with the source's offer, and with the checkout's history."""
        _check(aim, offer, manifest, digest)
        provenance = manifest.provenance
        stated = provenance.commit_time
        check_time(stated, offer.address)
        if offer.commit_time and offer.commit_time != (stated or 0):
            raise PolicyError(f"{offer.address} is offered with another commit time than its pack states.", hint=_TELL)
        known = self.history.time_of(provenance.commit) if self.history else None
        if known is not None and known != stated:
            raise PolicyError(
                f"The pack at {offer.address} states another time for {provenance.commit[:12]} than that commit has here.",
                hint=_TELL,
            )

    def _check_order(self, found: FoundPack, manifest: Manifest, name: str, origin: Origin) -> None:
        """Refuse a branch that leads to an older commit than before: an old bundle would hide what was fixed since (rollback).

        Where the checkout knows both commits, their ancestry decides, else their times.
        """
        if not found.ref or self.allows_older:
            return
        if not origin.commit_time:
            raise PolicyError(f"{found.ref} names {origin.commit[:12]}, whose pack states no time of its commit.", hint=_TELL)
        before, when = self._floor(found.ref, manifest, name, origin)
        if before in ("", origin.commit):
            return
        is_older = self.history.is_ancestor(origin.commit, before) if self.history else None
        if is_older is None:
            is_older = origin.commit_time < when
        if is_older:
            raise PolicyError(
                f"{found.ref} names {origin.commit[:12]}, which is older than {before[:12]}, installed from there before.",
                hint="Say --allow-older if it was put back on purpose.",
            )

    def _floor(self, ref: str, manifest: Manifest, name: str, origin: Origin) -> Floor:
        """The newest commit that a reference has led to; caches of before there were floors have it in the bundle's record."""
        floor = floor_of(self.cache, _led(ref, manifest, origin))
        if floor.commit:
            return floor
        record = self.cache.refs / file_of(name)
        if not os.path.lexists(record):
            return Floor()
        try:
            branch, before, when = read_record(record).origin.led
        except FormatError as error:
            raise PolicyError(
                f"The record of {name} cannot be read, so it is not known what {ref} led to before.",
                hint=f"Say --allow-older, or remove {record}, if nothing newer was there.",
            ) from error
        return Floor(before, when) if branch == ref else Floor()

    def _raise_floor(self, found: FoundPack, manifest: Manifest, origin: Origin) -> None:
        if found.ref:
            with alone(self.cache.locks, "floors", notice=self.notice):
                led = _led(found.ref, manifest, origin)
                raise_floor(self.cache, led, origin.commit, origin.commit_time, lowers=self.allows_older)


def pull_for(
    project: ProjectCheckout,
    wanted: Aim,
    *,
    cache: BundleCache,
    addresses: Sequence[str] | None,
    settings: SourceSettings,
    name: str = "",
    allows_older: bool = False,
    is_pinned: bool = False,
    notice: Callable[[str], None],
    progress: Progress | None = None,
    step: Step = lambda what: None,
) -> Pulled:
    """Pull the bundle that a user wants for a checkout, and pin it if ``is_pinned``.

    Args:
        project: the checkout.
        wanted: the user's flags; the project's pins and HEAD complete them (:func:`aim_at`).
        cache: the cache to install it in.
        addresses: addresses of sources; if empty, those that the project configures; None uses installed bundles only.
        settings: tokens and limits for sources.
        name: the user's name for the bundle.
        allows_older: whether a branch may lead to an older commit than before.
        is_pinned: write the bundle into the lock file, so that later pulls take it.
        notice: called with one sentence for each deviation, such as a source that cannot be reached.
        progress: called as bytes arrive.
        step: called before each step of an install.

    Raises:
        UsageError: the flags contradict each other, or do not determine a bundle.
        HardtackError: as :meth:`Pull.run`.
    """
    aim = aim_at(wanted, project, name=name, repins=is_pinned)
    if aim.digest and not is_pinned and (sentence := passed_over(aim, project, name=name)):
        notice(sentence)
    sources: list[Source] = [InstalledSource(cache)]
    if addresses is not None:
        configured = () if addresses else project.sources()
        sources = sources_for(addresses, configured, aim.repository, settings, notice)
    pulled = Pull(
        cache=cache,
        sources=sources,
        history=project.history if project.history.head else None,
        name=name,
        allows_older=allows_older,
        notice=notice,
        progress=progress,
        step=step,
    ).run(aim)
    project.keep(cache, pulled.installed, aim=aim, name=name, is_pinned=is_pinned)
    return pulled


def _intact_manifest(installed: Installed) -> Manifest | None:
    """The manifest of an installed bundle if its members agree with it, else None."""
    try:
        manifest, _ = read_manifest(installed.path)
        is_small = sum(member.size for member in manifest.members) <= _HASHED
        with open_bundle(installed.path, check="hashes" if is_small else "sizes", digest=installed.digest):
            return manifest
    except BundleError:
        return None


def _check(aim: Aim, offer: Offer, manifest: Manifest, digest: str) -> None:
    """Compare a bundle with the request and with the source's offer."""
    for wanted in filter(None, (aim.digest, offer.bundle_digest)):
        if wanted != digest:
            problem = f"The pack at {offer.address} holds {digest}, not {wanted}{_pinned(aim)}."
            raise IntegrityError(problem, faults=[problem], hint=_TELL)
    provenance, it = manifest.provenance, f"The pack at {offer.address} was built of"
    for wanted in filter(None, (aim.commit, offer.commit)):
        if wanted != provenance.commit:
            raise PolicyError(f"{it} {provenance.commit[:12] or 'no commit'}, not of {wanted[:12]}{_pinned(aim)}.", hint=_TELL)
    if not provenance.repository:
        raise PolicyError(
            f"The pack at {offer.address} does not say of which repository it is, so nobody can tell whether it fits.",
            hint="If you know what it is, name the file: hardtack install FILE",
        )
    for wanted in filter(None, (aim.repository, offer.repository)):
        if not is_same_repository(wanted, provenance.repository):
            raise PolicyError(f"{it} {provenance.repository}, not of {wanted}.", hint=_TELL)
    if aim.root and aim.root != provenance.subdirectory:
        raise PolicyError(f"{it} {provenance.subdirectory or 'the top of its repository'}, not of {aim.root}.", hint=_TELL)
    if provenance.is_dirty:
        raise PolicyError(f"{it} files that were not committed.", hint=_TELL)


def _led(ref: str, manifest: Manifest, origin: Origin) -> Led:
    return Led(origin.repository, manifest.provenance.subdirectory, ref)


def _pinned(aim: Aim) -> str:
    """Names the lock file that wanted it, after what was wanted."""
    return f" (pinned in {aim.lock_file})" if aim.lock_file else ""
