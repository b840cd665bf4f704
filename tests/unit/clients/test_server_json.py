"""``server.json``: this project's entry for the MCP registry."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import hardtack
from hardtack.cli.main import commands
from hardtack.doctor.machine import VARIABLES

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "fixtures" / "mcp-registry" / "server.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def document() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ROOT / "publish" / "server.json").read_text(encoding="utf-8"))
    return loaded


def test_it_follows_the_schema_that_it_names(document: dict[str, Any]) -> None:
    jsonschema.validate(document, SCHEMA)
    assert SCHEMA["$id"] == document["$schema"]
    with pytest.raises(jsonschema.ValidationError, match="is a required property"):
        jsonschema.validate({key: value for key, value in document.items() if key != "description"}, SCHEMA)


def test_its_versions_are_that_of_the_package(document: dict[str, Any]) -> None:
    versions = [document["version"], *(package["version"] for package in document["packages"])]
    assert [hardtack.__version__] * 2 == versions


def test_its_package_is_this_one_with_the_extra_that_serves(document: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (package,) = document["packages"]
    assert ("pypi", project["name"]) == (package["registryType"], package["identifier"])
    assert f"{project['name']}[mcp]" == package["runtimeArguments"][0]["value"]
    assert "mcp" in project["optional-dependencies"]


def test_its_arguments_and_variables_are_those_of_the_program(document: dict[str, Any]) -> None:
    (package,) = document["packages"]
    verb, *flags = package["packageArguments"]
    command = commands.get_command(None, verb["value"])  # type: ignore[arg-type]
    assert command is not None
    taken = {flag for option in command.params for flag in option.opts}
    assert set() == {flag["name"] for flag in flags} - taken
    assert set() == {variable["name"] for variable in package["environmentVariables"]} - set(VARIABLES)


def test_the_readme_says_that_the_name_is_ours(document: dict[str, Any]) -> None:
    assert f"mcp-name: {document['name']}" in (ROOT / "README.md").read_text(encoding="utf-8")
