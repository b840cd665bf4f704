"""``global using`` of C#: what a file that declares nothing imports counts in all files of its project, and in no other."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bundles import opened

from hardtack.query.lookup.lookups import LookUps

Write = Callable[..., Any]

JAR = "namespace Shop.Jars;\n\npublic class Jar { public void Fill(int n) {} }\n"
USE = "namespace Shop.Stalls;\n\nclass Stall {\n  readonly Jar jar;\n  void Sell() { jar.<<Fill>>(1); }\n}\n"


@pytest.mark.parametrize(
    ("using", "meanings"),
    [
        ("global using System;\nglobal using Shop.Jars;\n", ["Jar.cs Jar.Fill exact"]),
        ("global using Jar = Shop.Jars.Jar;\n", ["Jar.cs Jar.Fill exact"]),
        ("global using System;\n", ["nothing"]),
        ("using Shop.Jars;\n\nclass Own {}\n", ["nothing"]),
    ],
    ids=["a namespace", "an alias", "of others alone", "what a file with declarations imports is its own"],
)
def test_a_type_is_known_by_what_another_file_imports_for_all(write: Write, using: str, meanings: list[str]) -> None:
    assert meanings == write({"Jar.cs": JAR, "Use.cs": USE, "Usings.cs": using}).meanings()


@pytest.mark.parametrize(("place", "callers"), [("till", 0), ("stall", 1)])
def test_the_imports_of_another_project_do_not_count(tmp_path: Path, place: str, callers: int) -> None:
    project = "<Project><PropertyGroup /></Project>\n"
    files = {
        "jars/Jar.cs": JAR,
        "stall/Stall.csproj": project,
        "stall/Use.cs": re.sub("<<|>>", "", USE),
        "till/Till.csproj": project,
    }
    with opened(tmp_path, {**files, f"{place}/Usings.cs": "global using Shop.Jars;\n"}) as bundle:
        assert callers == LookUps(bundle).callers("Jar.Fill").total
