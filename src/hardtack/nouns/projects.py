"""Projects that manifests of package managers declare: the build reads them, and the bundle lists them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One project of the source tree, as its manifest declares it; what is not declared is empty."""

    path: str
    """The manifest's path: ``services/api/go.mod``."""
    directory: str
    """The manifest's folder, without a slash at its end; empty for the root of the bundle."""
    ecosystem: str
    """``go``, ``composer``, ``npm``, ``pypi``, ``cargo``, ``maven`` or ``nuget``."""
    name: str = ""
    """As written: ``github.com/gin-gonic/gin``, ``@trpc/server``, ``org.example:orders``; empty if none is declared."""
    version: str = ""
    """Its version as written; empty if it is computed, inherited or absent."""
    language_version: str = ""
    """The version, or range of versions, of the language that it requires: ``1.22``, ``>=3.11``, ``^8.2``."""
    prefixes: tuple[tuple[str, str], ...] = ()
    """(prefix of an import, its folder), in the order of the file. The folder is relative to the root and ends in ``/``, or is
    empty for the root. A prefix may have several folders, which are tried in order. In place of a crate's folder stands the path of
    its root (``rust/start.rs/``) where Cargo would not look for it; the prefix of a crate that nobody imports is empty."""


def project_row(project: Project) -> tuple[Any, ...]:
    """A project as plain values in field order, to send it from a worker process."""
    return tuple(getattr(project, field.name) for field in fields(Project))


def project_of_row(row: Sequence[Any]) -> Project:
    """The project that :func:`project_row` was given."""
    return Project(**dict(zip((field.name for field in fields(Project)), row, strict=True)))
