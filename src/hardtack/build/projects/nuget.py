"""``*.csproj``, ``*.fsproj``, ``*.vbproj``: the package or assembly, its version, and that of the language or framework."""

from __future__ import annotations

from hardtack.build.projects.declared import Declared
from hardtack.build.projects.notations import parse_xml


def declared_in(filename: str, text: str) -> Declared:
    """What an MSBuild project says; one that names nothing is called like its file, as MSBuild has it.

    Nothing is evaluated: the first of several conditional properties counts, and one that is put together of others stays empty.
    """
    first = dict(reversed(parse_xml(text)))

    def said(*names: str) -> str:
        values = (first.get(f"Project/PropertyGroup/{name}", "") for name in names)
        return next((value for value in values if value and "$(" not in value), "")

    return Declared(
        ecosystem="nuget",
        name=said("PackageId", "AssemblyName") or filename.rpartition(".")[0],
        version=said("Version", "VersionPrefix"),
        language_version=said("LangVersion", "TargetFramework", "TargetFrameworks"),
    )
