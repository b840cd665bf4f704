"""What a manifest of a package manager says of the project around it: values that the build reads and the bundle lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One project of the source tree, as its own manifest declares it; what is not declared there stays empty."""

    path: str
    """The manifest's path: ``services/api/go.mod``."""
    directory: str
    """The folder it lies in, without a slash at its end; empty for the root of the bundle."""
    ecosystem: str
    """``go``, ``composer``, ``npm``, ``pypi``, ``cargo``, ``maven`` or ``nuget``."""
    name: str = ""
    """As written: ``github.com/gin-gonic/gin``, ``@trpc/server``, ``org.example:orders``; empty for a file that names nothing."""
    version: str = ""
    """Its own version as written; empty when it is computed, inherited or absent."""
    language_version: str = ""
    """The version, or range of versions, of the language it asks for: ``1.22``, ``>=3.11``, ``^8.2``."""
    prefixes: tuple[tuple[str, str], ...] = ()
    """(prefix of an import, folder it leads to): the folder is relative to the root and ends in ``/``, or is empty for the root
    itself. In the order of the file; the same prefix may lead to several folders, the first of which is tried first."""


def project_row(project: Project) -> tuple[Any, ...]:
    """A project as plain values, in the order of its fields: how it leaves a worker process."""
    return tuple(getattr(project, field.name) for field in fields(Project))


def project_of_row(row: Sequence[Any]) -> Project:
    """The project of a row."""
    return Project(**dict(zip((field.name for field in fields(Project)), row, strict=True)))
