"""A directory's own bundle: a lock to build or remove it; and the removal of bundles (``hardtack clear``)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from hardtack import descriptors
from hardtack.bundle.naming import OWN_DIRECTORY, forget_name
from hardtack.bundle.placing import is_being_built, remove_bundle
from hardtack.errors import PolicyError, SourceError, UsageError
from hardtack.store.collect import uninstall
from hardtack.store.locate import Located

_IGNORE_FILE: Final = ".gitignore"


@contextmanager
def claim(bundle: Path) -> Iterator[None]:
    """Hold the lock on a directory's own bundle until the context is left or the process ends.

    Raises:
        UsageError: BUILD_IN_PROGRESS; another thread or process builds or removes it.
        SourceError: the directory cannot be written.
    """
    own = bundle.parent
    try:
        own.mkdir(exist_ok=True)
        descriptor = descriptors.open_directory(own)
    except OSError as error:
        raise SourceError(f"{own} cannot be written: {error.strerror}.") from error
    try:
        try:
            descriptors.lock(descriptor)
        except BlockingIOError:
            raise _in_progress() from None
        except OSError:  # no locks on this file system: the next check alone decides
            pass
        if is_being_built(bundle):
            raise _in_progress()
        try:
            yield
        finally:
            with suppress(OSError):  # removed only when it is empty
                own.rmdir()
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def clear(located: Located) -> None:
    """Delete a bundle; one that is gone already is no error. In the cache, its name goes, and the bundle if no other name uses it.

    Raises:
        PolicyError: it is neither a directory's own bundle nor an installed one, or something else lies there.
        UsageError: BUILD_IN_PROGRESS.
        SourceError: the disk refuses.
    """
    bundle = located.path
    if located.installed:
        uninstall(located.installed)
        return
    if not os.path.lexists(bundle):
        return
    if bundle.parent.name == OWN_DIRECTORY:
        with claim(bundle):
            _remove(bundle)
            forget_name(bundle)
            if {entry.name for entry in bundle.parent.iterdir()} == {_IGNORE_FILE}:
                (bundle.parent / _IGNORE_FILE).unlink()
    elif located.check == "sizes":  # below a root of installed bundles
        _remove(bundle)
    else:
        raise PolicyError(
            f"{bundle} was named, not found, and is not removed.",
            hint="Only a directory's own bundle (SRC/.hardtack/bundle) and those installed below HARDTACK_BUNDLE_PATH are.",
        )


def _remove(bundle: Path) -> None:
    try:
        remove_bundle(bundle)
    except UsageError as error:
        raise PolicyError(str(error), hint=error.hint) from error


def _in_progress() -> UsageError:
    return UsageError("The directory is being built.", code="BUILD_IN_PROGRESS", hint="Try again when that is done.")
