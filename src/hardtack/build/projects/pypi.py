"""``pyproject.toml`` (PEP 621, Poetry) and ``setup.cfg``: the distribution, its Python version, and the folders of its packages.

Each build backend has its own settings for packages that are not beside the manifest; the explicit ones are read here. Without such
a setting nothing is assumed: this module does not know whether there is a ``src/`` folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hardtack.build.projects.declared import DeclaredProject, table_at, text_at, texts_at
from hardtack.notations import parse_ini, parse_toml

_Keys = tuple[tuple[str, ...], ...]

_ROOTS: Final[_Keys] = (
    ("setuptools", "packages", "find", "where"),
    ("hatch", "build", "targets", "wheel", "sources"),
    ("hatch", "build", "sources"),
    ("pdm", "build", "package-dir"),
    ("maturin", "python-source"),
    ("uv", "build-backend", "module-root"),
)
"""Keys below ``[tool]`` whose text, or texts, are folders that contain packages."""

_PACKAGES: Final[_Keys] = (
    ("hatch", "build", "targets", "wheel", "packages"),
    ("hatch", "build", "packages"),
)
"""Keys below ``[tool]`` whose texts are the folders of packages."""


def declared_in_pyproject(_: str, text: str) -> DeclaredProject:
    """The project of a ``pyproject.toml``; a version that is ``dynamic`` stays empty."""
    document = parse_toml(text)
    project, poetry = table_at(document, "project"), table_at(document, "tool", "poetry")
    python = text_at(poetry, "dependencies", "python") or text_at(poetry, "dependencies", "python", "version")
    return DeclaredProject(
        ecosystem="pypi",
        name=text_at(project, "name") or text_at(poetry, "name"),
        version=text_at(project, "version") or text_at(poetry, "version"),
        language_version=text_at(project, "requires-python") or python,
        prefixes=_places(table_at(document, "tool")),
    )


def declared_in_setup(_: str, text: str) -> DeclaredProject:
    """The project of a ``setup.cfg``; a version that is read from elsewhere (``attr:``, ``file:``) stays empty."""
    document = parse_ini(text)
    version = text_at(document, "metadata", "version")
    return DeclaredProject(
        ecosystem="pypi",
        name=text_at(document, "metadata", "name"),
        version="" if version.startswith(("attr:", "file:")) else version,
        language_version=text_at(document, "options", "python_requires"),
        prefixes=_places_in_setup(document),
    )


def _places(tool: object) -> Iterator[tuple[str, str]]:
    """The folders of packages in the settings of build backends, below ``[tool]``."""
    yield from _mapped(table_at(tool, "setuptools", "package-dir"))
    for keys in _PACKAGES:
        yield from ((folder.rstrip("/").rpartition("/")[2], folder) for folder in texts_at(tool, *keys))
    included = table_at(tool, "poetry").get("packages")
    for entry in included if isinstance(included, list) else []:
        if folder := text_at(entry, "from"):
            yield "", folder
    for keys in _ROOTS:
        yield from (("", folder) for folder in texts_at(tool, *keys))


def _mapped(folders: object) -> Iterator[tuple[str, str]]:
    """Setuptools' ``package-dir``: (package's name, or empty for all; folder)."""
    table = table_at(folders)
    for package in table:
        yield from ((package, folder) for folder in texts_at(table, package))


def _places_in_setup(document: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    lines = document.get("options", {}).get("package_dir", "").replace(",", "\n").split("\n")
    yield from _mapped({name.strip(): folder.strip() for name, found, folder in (line.partition("=") for line in lines) if found})
    if where := text_at(document, "options.packages.find", "where"):
        yield "", where
