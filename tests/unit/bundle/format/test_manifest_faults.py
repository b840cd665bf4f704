"""What is wrong with a manifest is said in one sentence, with the path to the fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import canonical_json, digest_of
from hardtack.bundle.format.manifest import Counts, Manifest, Member, NamedProject, parse_manifest, render_manifest
from hardtack.errors import FormatError
from hardtack.nouns.model import Provenance

HISTORY = {"asked": 9, "commits": 2, "newest": "a" * 40, "oldest": "b" * 40, "newest_time": 9, "oldest_time": 1, "end": "root"}
ZERO = "sha256:" + "0" * 64
COMMIT, OTHER = "a" * 40, "b" * 40
MANIFEST = Manifest(
    format_version=layout.FORMAT_VERSION,
    tool="hardtack 0",
    engines={},
    terms_fingerprint=ZERO,
    encoder=None,
    provenance=Provenance(repository="example.org/a/b", commit=COMMIT, commit_time=0),
    options={},
    counts=Counts(files=1, symbols=2, chunks=3, text_bytes=4),
    languages=(),
    skipped={},
    parse_status={},
    projects=(NamedProject("b/go.mod", "go", "b", "", ""), NamedProject("go.mod", "go", "a", "", "")),
    members=tuple(Member(name=name, size=1, sha256=ZERO) for name in sorted(layout.REQUIRED)),
)


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    """The manifest with a change, signed again."""
    document = json.loads(render_manifest(MANIFEST))
    change(document)
    document["self"] = ""
    return canonical_json({**document, "self": digest_of(canonical_json(document))})


def with_history(**fields: Any) -> Callable[[dict[str, Any]], object]:
    """Changes that add a history and its members."""

    def change(document: dict[str, Any]) -> None:
        document["history"] = {**HISTORY, **fields}
        document["members"] += [{"name": name, "sha256": ZERO, "size": 1} for name in (layout.HISTORY, layout.HISTORY_POSTINGS)]
        document["members"].sort(key=lambda member: member["name"])

    return change


FAULTS: dict[str, tuple[Callable[[dict[str, Any]], object], str, str]] = {
    "a project twice": (
        lambda document: document["projects"].append(document["projects"][-1]),
        "projects",
        "manifest.json: projects are not sorted by path, each once.",
    ),
    "projects the other way round": (
        lambda document: document["projects"].reverse(),
        "projects",
        "manifest.json: projects are not sorted by path, each once.",
    ),
    "too many projects": (
        lambda document: document.update(projects=document["projects"][:1] * (layout.PROJECT_COUNT_LIMIT + 1)),
        "projects",
        f"manifest.json lists {layout.PROJECT_COUNT_LIMIT + 1} projects; a bundle has fewer.",
    ),
    "a project outside": (
        lambda document: document["projects"][1].update(path="../go.mod"),
        "projects[1].path",
        "manifest.json: projects[1].path is no path of a source file.",
    ),
    "a member of a name of its own": (
        lambda document: document["members"][0].update(name="../x"),
        "members[0].name",
        "manifest.json: members[0].name '../x' is no member of this format.",
    ),
    "a negative number of secrets": (
        lambda document: document.update(secrets={"mode": "redact", "found": {"jwt": -1}}),
        "secrets.found.jwt",
        "manifest.json: secrets.found.jwt must not be negative.",
    ),
    "secrets that are no number": (
        lambda document: document.update(secrets={"mode": "redact", "found": {"jwt": "many"}}),
        "secrets.found.jwt",
        "manifest.json: secrets.found.jwt must be int, not str.",
    ),
    "a root that is no text": (
        lambda document: document["provenance"].update(roots=["a", 7]),
        "provenance.roots[1]",
        "manifest.json: provenance.roots[1] must be str.",
    ),
    "roots that are no list": (
        lambda document: document["provenance"].update(roots="a"),
        "provenance.roots",
        "manifest.json: provenance.roots must be list, not str.",
    ),
    "a history of another commit": (
        with_history(newest=OTHER),
        "history.newest",
        "manifest.json: history.newest is not the commit that the bundle was built of.",
    ),
    "a history without commits": (with_history(commits=0), "history.commits", "manifest.json: history.commits is impossible."),
    "a history of more commits than were asked for": (
        with_history(commits=10),
        "history.commits",
        "manifest.json: history.commits is impossible.",
    ),
    "a history whose end is no commit": (
        with_history(oldest="HEAD"),
        "history",
        "manifest.json: history.newest or history.oldest is no commit.",
    ),
    "a history without its members": (
        lambda document: document.update(history=HISTORY),
        "history",
        "manifest.json has a history exactly when it lists its members; here it does not.",
    ),
}


def test_the_manifest_that_the_faults_are_put_into_has_none() -> None:
    assert parse_manifest(changed(lambda _: None)) == MANIFEST
    assert parse_manifest(changed(with_history())).history is not None


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_in_its_sentence_with_the_path_to_it(fault: str) -> None:
    change, field, sentence = FAULTS[fault]
    with pytest.raises(FormatError) as caught:
        parse_manifest(changed(change))
    assert (field, sentence) == (caught.value.field, str(caught.value))
