"""GitHub's OpenAPI description in, the few operations that Hardtack uses out: makes ``fixtures/github/openapi.json``.

    npm pack @octokit/openapi && tar xzf octokit-openapi-*.tgz
    python tests/doubles/cut_openapi.py package > fixtures/github/openapi.json

Kept of each operation: its parameters' names, places and schemas, and its answers' schemas and headers, with everything they refer
to. Dropped: prose, examples and extensions. Nothing is reworded; what is there is what the description says.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

REPOSITORY = "/repos/{owner}/{repo}"
OPERATIONS = (
    ("get", REPOSITORY),
    ("get", f"{REPOSITORY}/actions/artifacts"),
    ("get", f"{REPOSITORY}/actions/artifacts/{{artifact_id}}"),
    ("get", f"{REPOSITORY}/actions/artifacts/{{artifact_id}}/{{archive_format}}"),
    ("get", f"{REPOSITORY}/actions/runs/{{run_id}}"),
    ("get", f"{REPOSITORY}/actions/runs/{{run_id}}/artifacts"),
    ("get", f"{REPOSITORY}/actions/workflows/{{workflow_id}}/runs"),
    ("get", f"{REPOSITORY}/branches/{{branch}}"),
    ("get", f"{REPOSITORY}/commits/{{ref}}"),
    ("get", f"{REPOSITORY}/compare/{{basehead}}"),
    ("delete", f"{REPOSITORY}/issues/comments/{{comment_id}}"),
    ("patch", f"{REPOSITORY}/issues/comments/{{comment_id}}"),
    ("get", f"{REPOSITORY}/issues/{{issue_number}}/comments"),
    ("post", f"{REPOSITORY}/issues/{{issue_number}}/comments"),
    ("get", f"{REPOSITORY}/pulls"),
    ("get", f"{REPOSITORY}/releases"),
    ("post", f"{REPOSITORY}/releases"),
    ("get", f"{REPOSITORY}/releases/tags/{{tag}}"),
    ("get", f"{REPOSITORY}/releases/{{release_id}}/assets"),
    ("post", f"{REPOSITORY}/releases/{{release_id}}/assets"),
    ("get", f"{REPOSITORY}/releases/assets/{{asset_id}}"),
    ("delete", f"{REPOSITORY}/releases/assets/{{asset_id}}"),
)
_PROSE = frozenset({"description", "example", "examples", "externalDocs", "summary", "tags", "title"})


def cut(package: Path) -> dict[str, Any]:
    """The part of the description in ``package`` that is used."""
    whole = json.loads((package / "generated" / "api.github.com.json").read_text(encoding="utf-8"))
    version = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
    paths: dict[str, Any] = {}
    for method, path in OPERATIONS:
        operation = whole["paths"][path][method]
        kept = {
            key: operation[key] for key in ("operationId", "parameters", "requestBody", "responses", "servers") if key in operation
        }
        paths.setdefault(path, {})[method] = bare(kept)
    components: dict[str, Any] = {}
    wanted = references({"paths": paths, "also": {"$ref": "#/components/schemas/basic-error"}})
    while wanted:
        _, _, group, name = wanted.pop().split("/")
        if name not in components.setdefault(group, {}):
            components[group][name] = bare(whole["components"][group][name])
            wanted |= references(components[group][name])
    return {
        "openapi": whole["openapi"],
        "info": {
            "title": "Cut from the npm package @octokit/openapi by tests/doubles/cut_openapi.py; see README.md beside this file",
            "version": version,
            "license": {key: whole["info"]["license"][key] for key in ("name", "url")},
        },
        "paths": paths,
        "components": {group: dict(sorted(parts.items())) for group, parts in sorted(components.items())},
    }


def bare(node: Any, *, names: bool = False) -> Any:
    """``node`` without prose; where its keys are ``names`` of properties, headers or the like, each is kept."""
    if isinstance(node, list):
        return [bare(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = node if names else {key: value for key, value in node.items() if key not in _PROSE and not key.startswith("x-")}
    named = ("properties", "headers", "responses", "content")
    return {key: bare(value, names=not names and key in named) for key, value in kept.items()}


def references(node: Any) -> set[str]:
    """Every ``$ref`` below ``node``."""
    if isinstance(node, list):
        return {reference for item in node for reference in references(item)}
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
    return own | {reference for value in node.values() for reference in references(value)}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(cut(Path(sys.argv[1])), separators=(",", ":"), ensure_ascii=True) + "\n")
