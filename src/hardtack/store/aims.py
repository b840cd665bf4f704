"""The user's flags and the current directory in; the bundle to pull, and the sources that the checkout configures, out.

A digest takes precedence, then the project's pin (``.hardtack.lock``), then a commit, a reference, and HEAD. A commit or reference
that contradicts a pin is an error.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from hardtack.bundle.format.digest import is_digest
from hardtack.descriptors import read_file
from hardtack.errors import PolicyError, SourceError, UsageError
from hardtack.git import is_commit, is_same_repository, repository_of
from hardtack.notations import MANIFEST_LIMIT, SETTINGS_LIMIT, parse_toml
from hardtack.store.cache import BundleCache, Installed
from hardtack.store.cache_writing import prepare_cache
from hardtack.store.history import History
from hardtack.store.pins import LOCK_FILE, Pin, read_pins, remember_pins, write_pin
from hardtack.store.records import is_bundle_name, name_for
from hardtack.store.resolve import Aim

_MOST_SOURCES: Final = 10


class ProjectCheckout:
    """The checkout around a directory, or the directory alone: its history, its pins, its configuration."""

    def __init__(self, directory: Path) -> None:
        """Read the lock file.

        Raises:
            FormatError: ``.hardtack.lock`` is no lock file.
        """
        self.directory = directory
        self.history = History(directory)
        self.top = self.history.top or directory
        self.lock_file = self.top / LOCK_FILE
        self.pins: Mapping[str, Pin] = read_pins(self.lock_file)

    def sources(self) -> tuple[str, ...]:
        """The sources in its configuration; see :func:`configured_sources`."""
        return configured_sources(self.top)

    def keep(self, cache: BundleCache, installed: Installed, *, aim: Aim, name: str = "", is_pinned: bool = False) -> None:
        """Pin an installed bundle if requested, and have the cache keep the bundles that the project pins.

        Args:
            cache: the cache that holds the bundle.
            installed: the bundle that ``aim`` led to.
            aim: the result of :func:`aim_at`.
            name: the user's name for the bundle.
            is_pinned: whether to pin it.

        Raises:
            SourceError: the disk refuses.
        """
        if is_pinned:
            pin = Pin(digest=installed.digest, commit=installed.origin.commit)
            write_pin(self.lock_file, _pinned_as(aim, name, self.pins), pin)
        if is_pinned or self.pins:
            prepare_cache(cache)
            remember_pins(cache, self.lock_file)


def aim_at(flags: Aim, project: ProjectCheckout, *, name: str = "", repins: bool = False) -> Aim:
    """The bundle to pull: the user's flags, completed from the pin and the checkout.

    Args:
        flags: the user's flags; a commit may be short, or any revision that the checkout knows.
        project: the checkout.
        name: the user's name for the bundle.
        repins: ignore the pin, because it is about to be moved.

    Raises:
        UsageError: the flags contradict each other, or do not determine a bundle.
        PolicyError: the project pins another bundle.
    """
    if sum(map(bool, (flags.digest, flags.commit, flags.ref))) > 1:
        raise UsageError("--digest, --commit and --ref do not go together.")
    if flags.digest and not is_digest(flags.digest):
        raise UsageError(f"{flags.digest!r} is no digest.", hint="Write it as sha256: and 64 digits of 0-9a-f.")
    history, pins = project.history, project.pins
    own = repository_of(project.directory)
    is_other = bool(flags.repository) and not is_same_repository(flags.repository, own)
    aim = replace(flags, repository=flags.repository or own)
    if aim.repository and not is_bundle_name(aim.repository):
        raise UsageError(f"{aim.repository!r} is no repository.", hint="Write it as HOST/OWNER/NAME.")
    if aim.commit:
        full = aim.commit if is_commit(aim.commit) else "" if is_other else history.commit_of(aim.commit)
        if not full:
            raise UsageError(f"{aim.commit!r} is no commit that is known here.", hint="Write all of its 40 digits.")
        aim = replace(aim, commit=full)
    called = _pinned_as(aim, name, pins)
    pin = None if repins or aim.digest else pins.get(called)
    if pin:
        if aim.ref or (aim.commit and aim.commit != pin.commit):
            raise PolicyError(
                f"{project.lock_file} pins {called} to {pin.digest}, of {pin.commit[:12] or 'no commit'}, not of"
                f" {aim.ref or aim.commit[:12]}.",
                hint="Say --pin to move the pin, or leave out --commit and --ref.",
            )
        aim = replace(aim, digest=pin.digest, commit=pin.commit, lock_file=str(project.lock_file))
    if not (aim.digest or aim.commit or aim.ref) and (is_other or not history.head):
        where = f"{aim.repository} is not checked out here" if is_other else "There is no git commit here"
        raise UsageError(f"{where}, so it is not known which bundle fits.", hint="Say --ref, --commit or --digest.")
    return aim


def passed_over(aim: Aim, project: ProjectCheckout, *, name: str = "") -> str:
    """Says which pin a digest that the user asked for passes over; empty if it passes over none."""
    pin = project.pins.get(_pinned_as(aim, name, project.pins))
    if not pin or pin.digest == aim.digest:
        return ""
    return f"{project.lock_file} pins {pin.digest}, of {pin.commit[:12] or 'no commit'}; {aim.digest} was asked for."


def _pinned_as(aim: Aim, name: str, pins: Mapping[str, Pin]) -> str:
    """The name of the pin: the same for writing and for looking up, so that no pin is missed.

    Names are compared without regard to case; a repository that is not known gives ``bundle``.
    """
    called = name or name_for(aim.repository, aim.root)
    return next((each for each in pins if each.casefold() == called.casefold()), called) if called not in pins else called


def configured_sources(top: Path) -> tuple[str, ...]:
    """The addresses under ``source`` in ``hardtack.toml``, else in ``[tool.hardtack]`` of ``pyproject.toml``.

    They come from the author of the checkout, not from its user, and are trusted less (:func:`.named.sources_of`).

    Raises:
        UsageError: a file is no TOML, or ``source`` is neither an address nor a list of addresses.
    """
    path = top / "hardtack.toml"
    document = _read(path, top, SETTINGS_LIMIT)
    if document is None:
        path = top / "pyproject.toml"
        tool = (_read(path, top, MANIFEST_LIMIT) or {}).get("tool")
        document = tool.get("hardtack") if isinstance(tool, dict) else None
    value = document.get("source", []) if isinstance(document, dict) else []
    addresses = [value] if isinstance(value, str) else value
    if not isinstance(addresses, list) or not all(isinstance(each, str) and each for each in addresses):
        raise UsageError(f"'source' in {path} is neither an address nor a list of them.")
    if len(addresses) > _MOST_SOURCES:
        raise UsageError(f"'source' in {path} names more than {_MOST_SOURCES} addresses.")
    return tuple(addresses)


def _read(path: Path, top: Path, most: int) -> dict[str, Any] | None:
    """The data of a TOML file of at most ``most`` bytes; None when there is no file. A link must lead to a file below ``top``."""
    try:
        place = Path(os.path.realpath(path))
        if path.is_symlink() and not place.is_relative_to(os.path.realpath(top)):
            raise UsageError(f"{path} is a link that leads out of the checkout.", hint="Put the file itself there.")
        return parse_toml(read_file(place, most).decode("utf-8"), most=most)
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no TOML that can be read: it is not UTF-8.") from error
    except ValueError as error:
        raise UsageError(f"{path} is no TOML that can be read: {error}.", hint="Correct or shorten the file.") from error
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EFBIG):
            raise UsageError(f"{path} cannot be read: {error.strerror}.", hint="Put a shorter file there, or none.") from error
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from error
