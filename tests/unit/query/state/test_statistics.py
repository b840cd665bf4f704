"""A bundle in numbers, held against its records; and how well it parsed."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.format.manifest import NamedProject
from hardtack.nouns.statistics import Changes, ParseCounts, ParseHealth, changes_between
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher
from hardtack.query.state.readiness import readiness_of
from hardtack.query.state.staleness import contents_of, freshness_counts
from hardtack.query.state.statistics import languages_of, main_project, parse_failures, parse_health, size_of, statistics_of


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    """A tree in which one source file, one configuration file and no other has an error."""
    source = tmp_path_factory.mktemp("broken")
    files = {
        "fine.py": "def fine():\n    return 1\n",
        "broken.py": "def good():\n    return 1\n\nx = = 3\n",
        "fine.go": "package fine\n",
        "broken.json": '{"a": }\n',
        "LICENSE": "You may.\n",
        "Jarfile": "Of no language.\n",
        "README.md": "# Words\n",
    }
    for name, text in files.items():
        (source / name).write_text(text)
    build_bundle(source, source / "bundle", BuildOptions(profile="keyword", jobs=1))
    with open_bundle(source / "bundle") as opened:
        yield opened


def test_symbols_are_counted_by_kind_most_first(searcher: Searcher) -> None:
    bundle = searcher.bundle
    counted = statistics_of(bundle).symbols
    records = Counter(bundle.symbol(ordinal).kind.value for ordinal in range(bundle.manifest.counts.symbols))
    assert dict(records) == counted
    assert sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])) == list(counted.items())
    assert bundle.manifest.counts.symbols == sum(counted.values())


def test_files_are_counted_by_role_most_first(searcher: Searcher, broken: Searcher) -> None:
    assert dict(Counter(file.role for file in searcher.bundle.files)) == statistics_of(searcher.bundle).roles
    expected = [("source", 4), ("documentation", 2), ("configuration", 1)]
    assert expected == [*statistics_of(broken.bundle).roles.items()][:3]


def test_languages_with_most_chunks_come_first(searcher: Searcher) -> None:
    languages = languages_of(searcher.bundle.manifest)
    assert "python" == languages[0].id
    assert sorted(languages, key=lambda language: (-language.chunks, language.id)) == list(languages)


def test_the_size_is_that_of_all_members_on_the_disk(searcher: Searcher) -> None:
    on_disk = sum(
        path.stat().st_size for path in searcher.bundle.path.rglob("*") if path.is_file() and path.name != "manifest.json"
    )
    assert on_disk == size_of(searcher.bundle.manifest)


def test_only_source_code_counts_for_parse_health(broken: Searcher) -> None:
    health = parse_health(broken.bundle)
    assert {
        "go": {"files": 1, "ok": 1, "partial": 0, "error": 0, "no_grammar": 0},
        "python": {"files": 2, "ok": 1, "partial": 1, "error": 0, "no_grammar": 0},
    } == {language: asdict(counts) for language, counts in health.by_language.items()}
    assert (3, 2, 66.7) == (health.total_files, health.total_ok, health.percent)


def test_what_failed_is_what_parse_health_counts_as_failed(broken: Searcher) -> None:
    health = parse_health(broken.bundle)
    assert {"broken.json", "broken.py"} == {file.path for file in broken.bundle.files if file.parse_status == "partial"}
    assert ["broken.py"] == [failure.file_path for failure in parse_failures(broken.bundle)]
    assert health.total_files - health.total_ok == len(parse_failures(broken.bundle))


@pytest.mark.parametrize(("ok", "files", "percent"), [(0, 0, 100.0), (0, 3, 0.0), (1, 3, 33.3), (2, 3, 66.7), (1999, 2000, 100.0)])
def test_the_share_is_rounded_to_one_place(ok: int, files: int, percent: float) -> None:
    counts = ParseCounts(files=files, ok=ok, partial=files - ok, error=0, no_grammar=0)
    assert percent == ParseHealth(by_language={"python": counts}).percent


def test_the_main_project_is_the_nearest_to_the_root_and_go_before_others(searcher: Searcher) -> None:
    def project(path: str, ecosystem: str) -> NamedProject:
        return NamedProject(path=path, ecosystem=ecosystem, name=path, version="", language_version="")

    manifest = searcher.bundle.manifest
    far, node, go = project("a/go.mod", "go"), project("package.json", "npm"), project("go.mod", "go")
    assert node == main_project(manifest._replace(projects=(far, node)))
    assert go == main_project(manifest._replace(projects=(far, node, go)))
    assert None is main_project(manifest._replace(projects=()))


def test_files_that_came_went_or_changed_are_counted() -> None:
    before = {"same": b"1", "changed": b"2", "gone": b"3", "gone too": b"3"}
    after = {"same": b"1", "changed": b"4", "new": b"5"}
    assert Changes(added=1, removed=2, updated=1) == changes_between(before, after)
    assert Changes(added=4, removed=0, updated=0) == changes_between({}, before)


def test_two_bundles_of_one_tree_do_not_differ(pantry_bundle: Path, bare_bundle: Path) -> None:
    with open_bundle(pantry_bundle) as one, open_bundle(bare_bundle) as other:
        assert Changes(added=0, removed=0, updated=0) == changes_between(contents_of(one.bundle), contents_of(other.bundle))


def test_files_of_a_checkout_are_counted_by_what_became_of_them(broken: Searcher, tmp_path: Path) -> None:
    for file in broken.bundle.files:
        (tmp_path / file.path).write_bytes(broken.bundle.text_of(file))
    (tmp_path / "fine.py").write_text("other")
    (tmp_path / "LICENSE").unlink()
    assert {"fresh": 5, "changed": 1, "deleted": 1} == freshness_counts(broken.bundle, tmp_path)


def test_a_whole_bundle_can_be_searched_in_both_ways(searcher: Searcher) -> None:
    readiness = readiness_of(searcher)
    assert (True, True, True, ()) == (readiness.is_intact, readiness.has_encoder, readiness.has_terms, readiness.troubles)


def test_a_bundle_without_vectors_says_that_searches_are_by_keyword(broken: Searcher) -> None:
    readiness = readiness_of(broken)
    assert (True, False, True) == (readiness.is_intact, readiness.has_encoder, readiness.has_terms)
    assert ("It was built without vectors: searches are by keyword alone.",) == readiness.troubles


def test_a_member_that_is_written_to_is_noticed(pantry_bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(pantry_bundle, tmp_path / "copy")
    with open_bundle(tmp_path / "copy") as opened:
        os.utime(tmp_path / "copy" / "NOTICE", (1, 1))
        readiness = readiness_of(opened)
    assert (False, True) == (readiness.is_intact, readiness.has_terms)
