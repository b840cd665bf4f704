"""A file of a source tree in, the project that it declares out, or None if it is no manifest of a package manager.

There is a module for each ecosystem. It knows the fields of its manifests and returns a :class:`DeclaredProject` with texts and
folders as they are written. This module checks them: unprintable and overlong texts are dropped, folders become relative to the
root of the tree and never leave it, and the number of prefixes is limited.

Manifests may be hostile. Nothing is fetched, followed, expanded or run, no other file is read, no bytes raise an exception, and the
time is linear in the size, which is limited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final

from hardtack.build.languages.places import joined
from hardtack.build.projects import cargo, composer, go, maven, npm, nuget, pypi
from hardtack.build.projects.declared import LONGEST_TEXT, DeclaredProject
from hardtack.notations import MANIFEST_LIMIT
from hardtack.nouns.projects import Project

LARGEST_MANIFEST: Final = MANIFEST_LIMIT
"""Bytes; a larger file is data, not a manifest."""

MAX_PREFIXES: Final = 100
"""Maximum prefixes of one project."""

_MAX_PAIRS: Final = 300
"""Maximum pairs of a manifest that are read to find prefixes."""

_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[str, str], DeclaredProject]], ...]] = tuple(
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
"""(pattern of file names, reader)."""


def project_of(path: str, text: bytes) -> Project | None:
    """The project that the file at ``path`` declares.

    Args:
        path: relative to the root of the tree, canonical, ``/`` between names.
        text: the whole file.

    Returns:
        None if the file is no known manifest, is broken or too large, or declares nothing.
    """
    directory, _, filename = path.rpartition("/")
    read = next((read for pattern, read in _READERS if pattern.fullmatch(filename)), None)
    if read is None or len(text) > LARGEST_MANIFEST:
        return None
    try:
        declared = read(filename, text.decode("utf-8-sig"))
    except ValueError:  # every parser here reports a broken file so
        return None
    project = Project(
        path=path,
        directory=directory,
        ecosystem=declared.ecosystem,
        name=_checked(declared.name),
        version=_checked(declared.version),
        language_version=_checked(declared.language_version),
        prefixes=tuple(islice(dict.fromkeys(_prefixes(directory, declared.prefixes)), MAX_PREFIXES)),
    )
    return project if project.name or project.version or project.language_version or project.prefixes else None


def _checked(text: str) -> str:
    """The text; empty if it is unprintable or too long."""
    stripped = text.strip()
    return stripped if stripped.isprintable() and len(stripped) <= LONGEST_TEXT else ""


def _prefixes(directory: str, pairs: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """The pairs with folders relative to the root, without invalid ones."""
    for prefix, relative in islice(pairs, _MAX_PAIRS):
        folder = _folder(directory, relative)
        if folder is not None and prefix.isprintable() and len(prefix) <= LONGEST_TEXT:
            yield prefix, folder


def _folder(directory: str, relative: str) -> str | None:
    """``relative``, written in a manifest in ``directory``, as a folder of the tree: with ``/`` at its end; empty for the root."""
    if relative.startswith("/") or "\\" in relative or not relative.isprintable() or len(relative) > LONGEST_TEXT:
        return None
    path = joined(directory, relative)
    return f"{path}/" if path else path
