"""A directory's own bundle: a lock to build or remove it; and the removal of bundles (``hardtack clear``)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from hardtack import descriptors
from hardtack.bundle.naming import OWN_DIRECTORY, OWN_PLACE, forget_name
from hardtack.bundle.placing import Destination, held_destination, is_being_built, remove_bundle
from hardtack.errors import PolicyError, UsageError
from hardtack.store.collect import uninstall
from hardtack.store.locate import Located

_IGNORE_FILE: Final = ".gitignore"
_IN_PROGRESS: Final = "BUILD_IN_PROGRESS"


@contextmanager
def claim(source: Path) -> Iterator[Destination]:
    """Hold the lock on the bundle of a directory until the context is left or the process ends; gives the bundle's place.

    Args:
        source: the directory; below it no link is followed.

    Raises:
        UsageError: BUILD_IN_PROGRESS; another thread or process builds or removes it.
        PolicyError: there is a link where its bundle should lie.
        SourceError: the directory cannot be written.
    """
    with held_destination(source / OWN_PLACE, below=source) as destination:
        descriptor = descriptors.open_directory(destination.at.parent, follow=True)  # a path through a descriptor is a link
        try:
            try:
                descriptors.lock(descriptor)
            except BlockingIOError:
                raise _in_progress() from None
            except OSError:  # no locks on this file system: the next check alone decides
                pass
            if is_being_built(destination):
                raise _in_progress()
            yield destination
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
        with _refusing(), claim(bundle.parents[1]) as destination:
            own = destination.at.parent
            remove_bundle(destination)
            forget_name(own)
            if {entry.name for entry in own.iterdir()} == {_IGNORE_FILE}:
                (own / _IGNORE_FILE).unlink()
            with suppress(OSError):  # removed only when it is empty
                bundle.parent.rmdir()
    elif located.check == "sizes":  # below a root of installed bundles
        with _refusing(), held_destination(bundle, below=bundle.parent) as destination:
            remove_bundle(destination)
    else:
        raise PolicyError(
            f"{bundle} was named, not found, and is not removed.",
            hint="Only a directory's own bundle (SRC/.hardtack/bundle) and those installed below HARDTACK_BUNDLE_PATH are.",
        )


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn the refusal of a place where something else lies into a :class:`PolicyError`: nothing was asked for in a wrong way."""
    try:
        yield
    except UsageError as error:
        if error.code == _IN_PROGRESS:
            raise
        raise PolicyError(str(error), hint=error.hint) from error


def _in_progress() -> UsageError:
    return UsageError("The directory is being built.", code=_IN_PROGRESS, hint="Try again when that is done.")
