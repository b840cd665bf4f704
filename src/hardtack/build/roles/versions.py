"""The paths of all files in, those of older versions out: files below ``v3/`` beside a ``v4/`` with mostly the same files.

    group of versions   the folders ``v1``, ``v2``, ``v2beta1`` of one folder; or ``api-v1``, ``api-v2``; or ``version-1.0``
    superseded          a version of which most files have their like in a greater one; of ``v1/`` what has its like beside it,
                        and all of it where most has; and ``versioned_docs/``, where Docusaurus keeps earlier versions

The greatest stable version is the present one. A version that is not finished supersedes only earlier unfinished ones. ``v2/``
beside files without a version is newer than they are where it is a Go module of its own, and tells nothing elsewhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

_FOLDER: Final = re.compile(
    r"(?P<stem>|.*[-_])(?:v|version[-_]?)(?P<number>\d{1,4}(?:[._]\d{1,4}){0,3})(?:(?P<stage>alpha|beta|rc)(?P<step>\d{0,4}))?(?:\.x)?"
)
_MOST: Final = 0.5
"""Of a version's files, by their paths inside it, that another version has."""
_COMPARED: Final = 4
"""Greater versions that each version is compared with: the next ones, and the greatest."""
_MAX_DEPTH: Final = 4
"""Folders of one path that are taken for versions at most."""
_KEPT_DOCUMENTS: Final = "versioned_docs/"
_EVERYWHERE: Final = ("__init__.py", "index.", "mod.rs", "README", "readme", "package.json", "go.mod", "doc.go")
"""Beginnings of names that files in unlike folders have, too."""
_STAGES: Final = ("alpha", "beta", "rc")


class _Version(NamedTuple):
    """A folder's version; a greater one is newer."""

    is_stable: bool
    number: tuple[int, ...]
    stage: int
    step: int


def superseded(paths: Sequence[str]) -> frozenset[int]:
    """The places in ``paths`` of the files that belong to an older version."""
    below: defaultdict[str, dict[str, int]] = defaultdict(dict)
    """Folder of a version, with a slash -> path inside it -> place."""
    groups: defaultdict[tuple[str, str], dict[_Version, str]] = defaultdict(dict)
    for place, path in enumerate(paths):
        for parent, stem, version, folder in _versions_in(path):
            below[folder][path[len(folder) :]] = place
            groups[parent, stem][version] = folder
    found = {place for place, path in enumerate(paths) if f"/{_KEPT_DOCUMENTS}" in f"/{path}"}
    places = {path: place for place, path in enumerate(paths)}
    for (parent, stem), folders in groups.items():
        found.update(_older(folders, below))
        if not stem and len(folders) == 1:
            found.update(_beside(parent, *next(iter(folders.items())), below, places))
    return frozenset(found)


def _versions_in(path: str) -> Iterable[tuple[str, str, _Version, str]]:
    """(what stands before it, its name without the version, the version, its path with a slash) of each such folder."""
    at, count = 0, 0
    while (slash := path.find("/", at)) >= 0 and count < _MAX_DEPTH:
        name = path[at:slash]
        if any(letter.isdigit() for letter in name) and (match := _FOLDER.fullmatch(name.lower())):
            number = tuple(map(int, re.split(r"[._]", match["number"])))
            stage = _STAGES.index(match["stage"]) if match["stage"] else 0
            yield path[:at], match["stem"], _Version(not match["stage"], number, stage, int(match["step"] or 0)), path[: slash + 1]
            count += 1
        at = slash + 1


def _older(folders: dict[_Version, str], below: dict[str, dict[str, int]]) -> Iterable[int]:
    """The files of the versions of one group that a greater one replaces."""
    ordered = sorted(folders)
    for place, version in enumerate(ordered[:-1]):
        own = below[folders[version]]
        for greater in (*ordered[place + 1 : place + _COMPARED], ordered[-1]):
            if _replaces(greater, version) and _has_most(below[folders[greater]], own):
                yield from own.values()
                break


def _replaces(greater: _Version, version: _Version) -> bool:
    """Whether the one is newer than the other: an unfinished version of a later number than a stable one is none of its past."""
    return greater > version and not (greater.is_stable and not version.is_stable and version.number > greater.number)


def _beside(parent: str, version: _Version, folder: str, below: dict[str, dict[str, int]], places: dict[str, int]) -> Iterable[int]:
    """The files that are superseded where a folder is the only version beside files without one."""
    own = below[folder]
    twins = {name: places[parent + name] for name in own if parent + name in places}
    if version.number[0] <= 1:
        return own.values() if _has_most(twins, own) else (own[name] for name in twins if _is_telling(name))
    return twins.values() if "go.mod" in own and _has_most(twins, own) else ()


def _has_most(other: dict[str, int], own: dict[str, int]) -> bool:
    """Whether most files of ``own`` have their like in ``other``; those that are found everywhere tell nothing."""
    telling = [name for name in own if _is_telling(name)]
    return bool(telling) and sum(name in other for name in telling) > _MOST * len(telling)


def _is_telling(name: str) -> bool:
    return not name.rpartition("/")[2].startswith(_EVERYWHERE)
