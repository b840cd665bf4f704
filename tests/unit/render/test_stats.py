"""The report on a bundle, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.format.manifest import NamedProject
from hardtack.bundle.reader import Bundle
from hardtack.query.opening import open_bundle
from hardtack.query.state.statistics import parse_failures, statistics_of
from hardtack.render.stats import readable_size, render_stats, stats_to_json


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KB"),
        (1536, "1.5 KB"),
        (1 << 20, "1.0 MB"),
        (3 << 30, "3.0 GB"),
        (5 << 40, "5120.0 GB"),
    ],
)
def test_sizes_are_read_in_the_largest_unit_that_leaves_one(size: int, expected: str) -> None:
    assert expected == readable_size(size)


def test_the_account_names_source_encoder_counts_languages_and_members(bundle: Bundle) -> None:
    counts = bundle.manifest.counts
    shown = render_stats(bundle.name, bundle.digest, bundle.manifest, statistics_of(bundle))
    assert f"pantry  {bundle.digest}" == shown.splitlines()[0]
    assert f"holds    {counts.files} files, {counts.symbols} symbols, {counts.chunks} chunks," in shown
    assert bundle.manifest.provenance.commit in shown
    roles = ", ".join(f"{role} {count}" for role, count in statistics_of(bundle).roles.items())
    assert f"  files by role: {roles}\n" in shown
    for name in ("static", "python", "typescript", *(member.name for member in bundle.manifest.members)):
        assert name in shown
    assert all(line == line.rstrip() for line in shown.splitlines())


def test_the_account_as_json_is_complete_and_can_be_written(bundle: Bundle) -> None:
    document = json.loads(json.dumps(stats_to_json(bundle.name, bundle.digest, bundle.manifest, statistics_of(bundle))))
    assert ["schema", "name", "digest", "bytes"] == list(document)[:4]
    assert ("hardtack.stats/1", bundle.digest) == (document["schema"], document["digest"])
    assert document["bytes"] == sum(member["size"] for member in document["members"])
    assert bundle.manifest.counts.chunks == document["counts"]["chunks"]
    assert "hybrid" == document["options"]["profile"]
    assert (bundle.manifest.counts.symbols, 100.0) == (
        sum(document["symbols"].values()),
        document["parse_stats"]["parse_health_pct"],
    )
    assert bundle.manifest.counts.files == sum(document["roles"].values())


def test_the_account_names_the_projects_that_the_tree_declares(bundle: Bundle) -> None:
    shown = render_stats(bundle.name, bundle.digest, bundle.manifest, statistics_of(bundle))
    assert "  projects:\n    pyproject.toml  pantry 1.4.0  (pypi >=3.11)\n" in shown
    (project,) = stats_to_json(bundle.name, bundle.digest, bundle.manifest, statistics_of(bundle))["projects"]
    assert {
        "path": "pyproject.toml",
        "ecosystem": "pypi",
        "name": "pantry",
        "version": "1.4.0",
        "language_version": ">=3.11",
    } == project


def test_of_many_projects_the_account_for_people_shows_the_nearest(bundle: Bundle) -> None:
    projects = tuple(
        NamedProject(path=f"a/{number:02}/package.json", ecosystem="npm", name=f"p{number}\nx", version="", language_version="")
        for number in range(30)
    )
    near = NamedProject(path="z/go.mod", ecosystem="go", name="z", version="", language_version="")
    shown = render_stats("x", bundle.digest, bundle.manifest._replace(projects=(*projects, near)), statistics_of(bundle))
    lines = shown[shown.index("  projects:\n") :].splitlines()
    assert ["    z/go.mod  z  (go)", "    a/00/package.json  p0 x  (npm)"] == lines[1:3]
    assert ["    and 11 more (--json)", ""] == lines[21:23]


def test_files_that_did_not_parse_are_named_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def good():\n    return 1\n\nx = = 3\n")
    (tmp_path / "fine.py").write_text("def fine():\n    return 1\n")
    build_bundle(tmp_path, tmp_path / "bundle", BuildOptions(profile="keyword", jobs=1))
    with open_bundle(tmp_path / "bundle") as searcher:
        (failure,) = parse_failures(searcher.bundle)
        manifest, statistics = searcher.bundle.manifest, statistics_of(searcher.bundle)
    assert ("broken.py", "python", "partial") == (failure.file_path, failure.language, failure.parse_status)
    assert failure.error_message.startswith("errors at lines 4")
    assert "    broken.py: errors at lines 4" in render_stats("x", "sha256:0", manifest, statistics, [failure])
    assert "broken.py" == stats_to_json("x", "sha256:0", manifest, statistics, [failure])["parse_failures"][0]["file_path"]
