"""Write the bill of materials of a release, as CycloneDX JSON: ``make sbom``.

cyclonedx-py makes it of the lock of what users install (requirements/runtime.txt). Added are what the lock says of who needs whom,
the licences (shipped.toml), and the files of the wheel that are no code of this project, each with its hash. The same tree gives
the same bytes.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "hardtack"
LOCK = ROOT / "requirements" / "runtime.txt"
SHIPPED = Path(__file__).with_name("shipped.toml")
_OWN = "hardtack"


def components_of_lock() -> dict[str, Any]:
    """What cyclonedx-py says of the lock: each distribution with its version and hashes."""
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "sbom.json"
        command: list[str | Path] = [sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements", LOCK]
        flags: list[str | Path] = [
            "--output-reproducible",
            "--spec-version",
            "1.6",
            "--output-format",
            "JSON",
            "--output-file",
            made,
        ]
        subprocess.run([*command, "--pyproject", ROOT / "pyproject.toml", *flags], check=True)
        document: dict[str, Any] = json.loads(made.read_text(encoding="utf-8"))
        return document


def needed_by() -> dict[str, set[str]]:
    """Distribution -> those that need it, from the comments of the lock; ``hardtack`` is among them."""
    parents: dict[str, set[str]] = defaultdict(set)
    name = ""
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"([\w.-]+)==", line):
            name = found[1]
        elif (found := re.match(r"    #(?: via|  ) +(-c )?([\w.-]+)", line)) and not found[1]:  # a constraint needs nothing
            parents[name].add(found[2])
    return parents


def files_of(row: dict[str, Any]) -> list[Path]:
    """The files of the wheel that a table of shipped.toml means."""
    files = (path for path in sorted(PACKAGE.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return [path for path in files if any(fnmatch.fnmatchcase(path.relative_to(PACKAGE).as_posix(), each) for each in row["paths"])]


def component_of(row: dict[str, Any]) -> dict[str, Any]:
    """The component of a table of shipped.toml: its files with their hashes are its parts."""
    parts = [
        {
            "type": "file",
            "bom-ref": f"file:{path.relative_to(PACKAGE.parent).as_posix()}",
            "name": path.relative_to(PACKAGE.parent).as_posix(),
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}],
        }
        for path in files_of(row)
    ]
    component = {
        "type": "data",
        "bom-ref": f"shipped:{row['name']}",
        "name": row["name"],
        "description": row["what"],
        "licenses": [{"license": {"id": row["licence"]}}],
        "components": parts,
    }
    if row["origin"]:
        component["externalReferences"] = [{"type": "website", "url": row["origin"]}]
    return component


def bill() -> dict[str, Any]:
    """The whole document.

    Raises:
        KeyError: a distribution of the lock has no licence in shipped.toml.
    """
    shipped = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))
    document = components_of_lock()
    version = re.search(r'^__version__ = "(.+)"$', (PACKAGE / "__init__.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert version is not None
    own = document["metadata"]["component"]
    own |= {"bom-ref": _OWN, "version": version[1], "purl": f"pkg:pypi/hardtack@{version[1]}", "type": "library"}
    for component in document["components"]:
        component["bom-ref"] = component["name"]
        component.pop("description", None)  # the line of the lock once more
        component["licenses"] = [{"expression": shipped["distributions"][component["name"]]}]
    parts = [component_of(row) for row in shipped["files"]]
    needs: dict[str, list[str]] = defaultdict(list)
    for name, parents in needed_by().items():
        for parent in parents:
            needs[parent].append(name)
    names = [_OWN, *(component["name"] for component in document["components"])]
    document["dependencies"] = [{"ref": name, "dependsOn": sorted(needs[name])} for name in names]
    document["dependencies"][0]["dependsOn"] += [part["bom-ref"] for part in parts]
    document["components"] += parts
    return document


def main() -> None:
    """Make it, hold it against the standard's schema, and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path, help="the file to write")
    place: Path = parser.parse_args().output
    warnings.simplefilter("ignore")
    text = json.dumps(bill(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        sys.exit(f"The bill of materials is no CycloneDX 1.6: {fault}")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    print(f"{place}: {len(json.loads(text)['components'])} components")


if __name__ == "__main__":
    main()
