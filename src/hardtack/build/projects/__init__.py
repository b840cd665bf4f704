"""A file of a source tree in, the project it declares out, or None where it is no manifest of a package manager.

One module an ecosystem: it knows how its manifests are called and what their fields mean, and gives a :class:`Declared`, whose
texts and folders are as they are written. This module makes them fit to be stored: what is not printable or too long counts as
not said, folders become relative to the root of the tree and never leave it, and everything is counted.

Manifests come from strangers. Nothing is fetched, followed, expanded or run, no other file is looked at, no exception leaves for
any bytes whatever, and the time is linear in the size, which is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final

from hardtack.build.languages.places import joined
from hardtack.build.projects import cargo, composer, go, maven, npm, nuget, pypi
from hardtack.build.projects.declared import LONGEST_TEXT, Declared
from hardtack.nouns.projects import Project

LARGEST_MANIFEST: Final = 1 << 20
"""Bytes; what is larger is data, not a manifest that somebody wrote."""

MOST_PREFIXES: Final = 100
"""Prefixes of one project."""

_MOST_PAIRS: Final = 300
"""Pairs of a manifest that are looked at to find those."""

_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[str, str], Declared]], ...]] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (r"Cargo\.toml", cargo.declared_in),
        (r"composer\.json", composer.declared_in),
        (r"go\.(?:mod|work)", go.declared_in),
        (r"pom\.xml", maven.declared_in),
        (r"package\.json", npm.declared_in_package),
        (r"(?:ts|js)config(?:\.[\w-]+)?\.json", npm.declared_in_settings),
        (r".+\.(?:cs|fs|vb)proj", nuget.declared_in),
        (r"pyproject\.toml", pypi.declared_in_pyproject),
        (r"setup\.cfg", pypi.declared_in_setup),
    )
)
"""(file name, what reads it)."""


def project_of(path: str, text: bytes) -> Project | None:
    """The project that the file at ``path`` declares.

    Args:
        path: relative to the root of the tree, canonical, ``/`` between names.
        text: the whole file.

    Returns:
        None when the file is no manifest that is known here, is broken or too large, or says nothing worth keeping.
    """
    directory, _, filename = path.rpartition("/")
    read = next((read for pattern, read in _READERS if pattern.fullmatch(filename)), None)
    if read is None or len(text) > LARGEST_MANIFEST:
        return None
    try:
        declared = read(filename, text.decode("utf-8-sig"))
    except (ValueError, RecursionError):  # every parser here reports a broken file as one of these
        return None
    project = Project(
        path=path,
        directory=directory,
        ecosystem=declared.ecosystem,
        name=_said(declared.name),
        version=_said(declared.version),
        language_version=_said(declared.language_version),
        prefixes=tuple(islice(dict.fromkeys(_prefixes(directory, declared.prefixes)), MOST_PREFIXES)),
    )
    return project if project.name or project.version or project.language_version or project.prefixes else None


def _said(text: str) -> str:
    """The text, or nothing when it is not fit to be shown."""
    stripped = text.strip()
    return stripped if stripped.isprintable() and len(stripped) <= LONGEST_TEXT else ""


def _prefixes(directory: str, pairs: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """The pairs with folders relative to the root, without those that cannot be."""
    for prefix, relative in islice(pairs, _MOST_PAIRS):
        folder = _folder(directory, relative)
        if folder is not None and prefix.isprintable() and len(prefix) <= LONGEST_TEXT:
            yield prefix, folder


def _folder(directory: str, relative: str) -> str | None:
    """``relative``, as written in a manifest in ``directory``, as a folder of the tree: with ``/`` at its end, or empty."""
    if relative.startswith("/") or "\\" in relative or not relative.isprintable() or len(relative) > LONGEST_TEXT:
        return None
    path = joined(directory, relative)
    return f"{path}/" if path else path
