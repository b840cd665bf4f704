"""``*.csproj``, ``*.fsproj``, ``*.vbproj``: the package or assembly, its version, and the version of the language or framework."""

from __future__ import annotations

from hardtack.build.projects.declared import DeclaredProject
from hardtack.notations import parse_xml


def declared_in(filename: str, text: str) -> DeclaredProject:
    """The project of an MSBuild file; its default name is that of the file, as in MSBuild.

    Nothing is evaluated: the first of several conditional properties counts, and a property that refers to others stays empty.
    """
    first = dict(reversed(parse_xml(text)))

    def first_of(*names: str) -> str:
        values = (first.get(f"Project/PropertyGroup/{name}", "") for name in names)
        return next((value for value in values if value and "$(" not in value), "")

    return DeclaredProject(
        ecosystem="nuget",
        name=first_of("PackageId", "AssemblyName") or filename.rpartition(".")[0],
        version=first_of("Version", "VersionPrefix"),
        language_version=first_of("LangVersion", "TargetFramework", "TargetFrameworks"),
    )
