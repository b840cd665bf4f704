"""A pack in, an installed bundle out: verified, each member stored once, renamed into place, then recorded under a name.

At any moment, and after a crash at any moment, a name leads to its old bundle or to the new one, and that bundle is complete. The
order of the steps ensures this, not locks: members are hashed while they are written; they are synced to disk before their
directory is; the directory is renamed into place; then the record is replaced. Members are hard links to one store of members, or
copies where the file system refuses links. A member that is taken from the store is hashed again first.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import digest_of_descriptor
from hardtack.bundle.format.manifest import Member
from hardtack.bundle.format.pack import Pack, open_pack
from hardtack.bundle.integrity import check_members, read_manifest
from hardtack.bundle.naming import PACK_SUFFIX
from hardtack.bundle.placing import Step, held_destination, put_in_place, staging_directory
from hardtack.bundle.reader import open_bundle
from hardtack.descriptors import CREATE, open_file, set_mode, sync_directory
from hardtack.errors import BundleError, IntegrityError, SourceError
from hardtack.store.cache import BundleCache, Installed, is_plain_directory
from hardtack.store.cache_writing import prepare_cache, unwritable, write_record
from hardtack.store.collect import GRACE
from hardtack.store.locking import alone
from hardtack.store.records import Origin, Record, file_of, fitting_name, fitting_origin, name_for
from hardtack.store.scratch import clear_abandoned, move_aside, scratch_directory

_TRIES: Final = 3
"""How often installing starts again when the bundle was removed before it was recorded."""


def _no_step(_: str) -> None:
    """The default for ``step``."""


def install_pack(
    cache: BundleCache,
    pack: Path,
    *,
    origin: Origin | None = None,
    name: str | None = None,
    digest: str | None = None,
    step: Step = _no_step,
    notice: Callable[[str], None] | None = None,
) -> Installed:
    """Verify the pack, put its bundle into the cache, and record it under a name.

    If the cache has the bundle already, that copy is verified, and the pack's members are not read.

    Args:
        cache: the cache, made if it is missing.
        pack: the pack's file.
        origin: where it came from; empty fields are filled in from the pack.
        name: the bundle's name; by default its repository and the directory in it that was built, else the file's name.
        digest: refuse any other bundle.
        step: called before each step with a description of it.
        notice: called with one sentence when waiting for another process is given up.

    Raises:
        BundleError: it is no pack, or its content differs from its digests.
        IntegrityError: the bundle's digest is not ``digest``.
        PolicyError: others may write to the cache.
        SourceError: the disk refuses, or is full.
        UsageError: no bundle may have that name.
    """
    with open_pack(pack) as opened:
        _require(opened, pack, digest)
        record = Record(name=_name(name, opened, pack), digest=opened.bundle_digest, origin=_origin(origin, opened))
        file_of(record.name)  # refuses an invalid name before anything is written
        if already := _installed_already(cache, record):
            return already
        prepare_cache(cache)
        clear_abandoned(cache.tmp, before=time.time() - GRACE)
        with alone(cache.locks, f"install {record.digest}", notice=notice):
            return _install(cache, opened, record, step)


def install_into(
    directory: Path, pack: Path, *, name: str | None = None, digest: str | None = None, step: Step = _no_step
) -> tuple[Path, str]:
    """Verify the pack and put its bundle into a root of bundles, as for a container image; gives its path and its digest.

    Nothing else is written there: no record, no lock. Everybody may read it, whatever the umask. A bundle of that name is replaced.

    Args:
        directory: the root, for ``HARDTACK_BUNDLE_PATH``; made if it is missing.
        pack: the pack's file.
        name: the bundle's name, without slashes; by default ``owner-name`` of its repository, else the file's name.
        digest: refuse any other bundle.
        step: called before each step with a description of it.

    Raises:
        BundleError, SourceError: as :func:`install_pack`.
        PolicyError: there is a link of that name in the root.
        UsageError: something other than a bundle lies there, or no bundle may have that name.
    """
    with open_pack(pack) as opened:
        _require(opened, pack, digest)
        called = _name(name, opened, pack)
        file_of(called)
        unplaced = Installed(path=pack, digest=opened.bundle_digest, name=called, origin=Origin(), ref=pack)
        place = directory / unplaced.index_name
        with held_destination(place, below=directory) as destination, staging_directory(destination) as (staged, _):
            try:
                opened.check_others()
                _check_room(directory, opened.carried)
                for member in opened.carried:
                    _write_member(opened, member.name, staged, step)
                _seal(opened, staged, step)
                for path in (staged, *staged.iterdir()):
                    if path.is_dir():
                        path.chmod(0o755)
            except OSError as error:
                raise SourceError(f"{directory} cannot be written: {error.strerror}.") from error
            put_in_place(staged, destination, step)
        return place, opened.bundle_digest


def _install(cache: BundleCache, pack: Pack, record: Record, step: Step) -> Installed:
    """Put the bundle in place and record it; start again if another process removed it in between."""
    for _ in range(_TRIES):
        try:
            _place_bundle(cache, pack, step)
            step(f"record {record.name}")
            installed = write_record(cache, record)
            step("done")
        except OSError as error:
            raise unwritable(cache.root, error) from error
        if is_plain_directory(installed.path):
            return installed
    raise SourceError(f"{cache.root} loses what is put into it.", hint="See who removes it, and try again.")


def _place_bundle(cache: BundleCache, pack: Pack, step: Step) -> None:
    """Put the bundle in its place, unless it is there and intact; a damaged one is replaced."""
    place = cache.bundle_path(pack.bundle_digest)
    if os.path.lexists(place):
        if _is_intact(place, pack.bundle_digest):
            return
        with scratch_directory(cache.tmp) as scratch:
            move_aside(place, scratch / "damaged")
    with scratch_directory(cache.tmp) as scratch:
        _check_room(cache.root, (each for each in pack.carried if not cache.member_path(each.sha256).exists()))
        staged = scratch / "bundle"
        _make_folder(staged)
        pack.check_others()
        for member in pack.carried:
            _place_member(cache, pack, member, staged, step)
        _seal(pack, staged, step)
        step(f"fsync {cache.members.name}")
        sync_directory(cache.members)
        for folder in staged.iterdir():
            if folder.is_dir():
                folder.chmod(0o555)
        step(f"rename {place.name}")
        try:
            staged.rename(place)
        except OSError:
            if not is_plain_directory(place):
                raise
            return  # another process has installed the same bundle
        step(f"chmod {place.name}")
        place.chmod(0o555)  # after the rename: some systems move a directory only if its owner may write to it
    step(f"fsync {cache.bundles.name}")
    sync_directory(cache.bundles)


def _place_member(cache: BundleCache, pack: Pack, member: Member, staged: Path, step: Step) -> None:
    """Put the member into the staged bundle: a link to the stored file, else a new file, which is then stored as well."""
    stored, target = cache.member_path(member.sha256), staged / member.name
    _make_folder(target.parent)
    step(f"link {member.name}")
    if _link(stored, target):
        if _is_stored(target, member):
            with Path(os.devnull).open("wb") as nowhere:  # the pack's copy is hashed too: a damaged pack is refused in any case
                pack.copy_member(member.name, nowhere)
            return
        target.unlink()
        with suppress(FileNotFoundError):
            stored.unlink()
    _write_member(pack, member.name, staged, step)
    step(f"store {member.name}")
    _link(target, stored)


def _write_member(pack: Pack, name: str, staged: Path, step: Step) -> None:
    """Write one member's file, hashed while it is written, and sync it to disk."""
    target = staged / name
    _make_folder(target.parent)
    step(f"write {name}")
    descriptor = os.open(target, os.O_WRONLY | CREATE, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        pack.copy_member(name, file)
        file.flush()
        set_mode(descriptor, 0o444)
        step(f"fsync {name}")
        os.fsync(descriptor)


def _seal(pack: Pack, staged: Path, step: Step) -> None:
    """Write the manifest, check the directory against it, and sync its entries to disk."""
    _write_member(pack, layout.MANIFEST, staged, step)
    manifest, digest = read_manifest(staged)
    checked = check_members(staged, manifest, hashes=False)
    checked.close()
    if digest != pack.bundle_digest or checked.faults:
        faults = [str(fault) for fault in checked.faults] or [f"its digest is {digest}, not {pack.bundle_digest}"]
        raise IntegrityError(f"What was unpacked is not what the pack says: {faults[0]}.", faults=faults)
    for folder in (*(path for path in staged.iterdir() if path.is_dir()), staged):
        step(f"fsync {folder.name}")
        sync_directory(folder)


def _is_stored(path: Path, member: Member) -> bool:
    """Whether the file at ``path`` has the member's size and digest."""
    try:
        descriptor = open_file(path)
    except OSError:
        return False
    try:
        return os.fstat(descriptor).st_size == member.size and digest_of_descriptor(descriptor) == member.sha256
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _link(existing: Path, new: Path) -> bool:
    """Make a hard link; False where the file system refuses it, or ``new`` exists."""
    try:
        os.link(existing, new, follow_symlinks=False)
    except OSError:
        return False
    return True


def _is_intact(place: Path, digest: str) -> bool:
    """Whether the bundle at ``place`` is intact, every byte hashed. Its time is renewed first, so that it is not collected now."""
    if not is_plain_directory(place):
        return False
    with suppress(OSError):
        os.utime(place)
    try:
        with open_bundle(place, check="hashes", digest=digest):
            return True
    except BundleError:
        return False


def _installed_already(cache: BundleCache, record: Record) -> Installed | None:
    """The installed bundle, if name, digest and origin agree and it is intact: then even a read-only cache will do."""
    known = cache.named(record.name)
    same = known is not None and _lasting_fields(known.origin) == _lasting_fields(record.origin)
    return known if known and known.digest == record.digest and same and _is_intact(known.path, known.digest) else None


def _lasting_fields(origin: Origin) -> Origin:
    """The origin without the time of installation and the previous branch."""
    return origin._replace(installed_at=0, last_branch="", last_commit="", last_time=0)


def _make_folder(path: Path) -> None:
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
        path.chmod(0o755)  # whatever the umask


def _check_room(directory: Path, members: Iterable[Member]) -> None:
    """Check that the members fit before any is written. A file system that does not report its free space passes."""
    needed = sum(member.size for member in members)
    with suppress(OSError):
        free = shutil.disk_usage(directory).free
        if free < needed:
            message = f"{directory} has room for {free} bytes, and {needed} are to be written there."
            raise SourceError(message, hint="Make room; 'hardtack gc' removes installed bundles that nothing names.")


def _require(pack: Pack, path: Path, digest: str | None) -> None:
    if digest not in (None, pack.bundle_digest):
        fault = f"its digest is {pack.bundle_digest}, not {digest}"
        raise IntegrityError(f"{path} is not the bundle asked for: {fault}.", faults=[fault], hint="Get the pack of that digest.")


def _name(name: str | None, pack: Pack, path: Path) -> str:
    provenance = pack.manifest.provenance
    if provenance.repository:
        return name or name_for(provenance.repository, provenance.subdirectory)
    return name or fitting_name(path.name.removesuffix(PACK_SUFFIX))


def _origin(origin: Origin | None, pack: Pack) -> Origin:
    """The caller's origin, with empty fields filled in from the pack."""
    origin, provenance = origin or Origin(), pack.manifest.provenance
    filled = origin._replace(
        repository=origin.repository or provenance.repository,
        commit=origin.commit or provenance.commit,
        pack_digest=origin.pack_digest or pack.digest(),
        bundle_digest=pack.bundle_digest,
        installed_at=origin.installed_at or max(0, int(time.time())),
        commit_time=origin.commit_time or provenance.commit_time or 0,
    )
    return fitting_origin(filled)
