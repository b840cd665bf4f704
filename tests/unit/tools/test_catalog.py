"""Bundles by name: found, kept open, replaced while they are served, and never the reason of a failure."""

from __future__ import annotations

import os
import shutil
import threading
import time
from pathlib import Path

import pytest
from own_work import made_own

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.packing import write_pack
from hardtack.errors import BundleNotFound, IntegrityError
from hardtack.store.cache import BundleCache
from hardtack.store.collect import GRACE, collect
from hardtack.store.install import install_pack
from hardtack.tools import tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import run as run_tool
from hardtack.tools.tool import Call


def _copied(bundle: Path, to: Path) -> Path:
    shutil.copytree(bundle, to)
    return to


@pytest.fixture
def other_bundle(tmp_path: Path) -> Path:
    """A bundle of other source code."""
    source = tmp_path / "other-source"
    source.mkdir()
    (source / "lid.py").write_text("def close_lid():\n    return 1\n")
    build_bundle(source, tmp_path / "other", BuildOptions(jobs=1))
    return tmp_path / "other"


def _first_hit(catalog: Catalog, text: str) -> str:
    with catalog.searcher() as searcher:
        return searcher.search(text).hits[0].path


def test_bundles_that_are_named_are_served_in_that_order(pantry_bundle: Path, other_bundle: Path) -> None:
    catalog = Catalog(named=[str(other_bundle), str(pantry_bundle)])
    assert ["other", "pantry"] == [entry.name for entry in catalog.entries()]
    assert "other" == catalog.entry().name
    assert "lid.py" == _first_hit(catalog, "close_lid")


def test_two_bundles_of_one_name_are_told_apart(pantry_bundle: Path, tmp_path: Path) -> None:
    twin = _copied(pantry_bundle, tmp_path / "pantry")
    assert ["pantry", "pantry-2"] == [entry.name for entry in Catalog(named=[str(pantry_bundle), str(twin)]).entries()]


def test_the_bundle_of_the_checkout_comes_before_those_installed(pantry_bundle: Path, tmp_path: Path) -> None:
    cache = BundleCache(tmp_path / "cache")
    made_own(_copied(pantry_bundle, tmp_path / "work" / ".hardtack" / "bundle"), cache)
    _copied(pantry_bundle, tmp_path / "installed" / "jar")
    (tmp_path / "work" / "src").mkdir()
    catalog = Catalog(roots=[tmp_path / "installed"], starts=[tmp_path / "work" / "src"], cache=lambda: cache)
    assert ["work", "jar"] == [entry.name for entry in catalog.entries()]


def test_where_a_client_stands_comes_first(pantry_bundle: Path, tmp_path: Path) -> None:
    cache = BundleCache(tmp_path / "cache")
    for name in ("here", "there"):
        made_own(_copied(pantry_bundle, tmp_path / name / ".hardtack" / "bundle"), cache)
    catalog = Catalog(starts=[tmp_path / "here"], cache=lambda: cache)
    assert "here" == catalog.entry().name
    catalog.look_first_in([tmp_path / "there"])
    assert "there" == catalog.entry().name


def test_one_bundle_is_one_however_its_place_is_spelt(pantry_bundle: Path, tmp_path: Path) -> None:
    cache = BundleCache(tmp_path / "cache")
    made_own(_copied(pantry_bundle, tmp_path / "work" / ".hardtack" / "bundle"), cache)
    (tmp_path / "link").symlink_to(tmp_path / "work")
    catalog = Catalog(starts=[tmp_path / "work"], cache=lambda: cache)
    assert _first_hit(catalog, "jar")
    catalog.look_first_in([tmp_path / "link"])
    assert ["work"] == [entry.name for entry in catalog.entries()]


def test_a_name_that_is_not_served_is_refused_with_those_that_are(pantry_bundle: Path) -> None:
    with pytest.raises(BundleNotFound, match="No index of that name is served") as caught:
        Catalog(named=[str(pantry_bundle)]).entry("jam")
    assert {"available": ["pantry"]} == caught.value.details


def test_without_any_bundle_there_is_a_hint_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(BundleNotFound, match="No index is served") as caught:
        Catalog(starts=[tmp_path]).entry()
    assert "hardtack build" in caught.value.hint


def test_a_bundle_that_is_installed_later_is_found_at_once(pantry_bundle: Path, tmp_path: Path) -> None:
    root = tmp_path / "installed"
    root.mkdir()
    catalog = Catalog(roots=[root])
    assert [] == catalog.entries()
    _copied(pantry_bundle, root / "late")
    assert "late" == catalog.entry("late").name


def test_what_replaces_a_bundle_takes_over_and_the_call_under_way_finishes(
    pantry_bundle: Path, other_bundle: Path, tmp_path: Path
) -> None:
    place = _copied(pantry_bundle, tmp_path / "served")
    catalog = Catalog(named=[str(place)])
    with catalog.searcher() as old:
        digest = old.bundle.digest
        place.rename(tmp_path / "aside")
        other_bundle.rename(place)
        assert "lid.py" == _first_hit(catalog, "close_lid")
        assert old.search("take the oldest jar").hits
        assert digest == old.bundle.digest
    assert "lid.py" == _first_hit(catalog, "close_lid")


def test_what_is_deleted_is_answered_from_what_is_still_open(pantry_bundle: Path, tmp_path: Path) -> None:
    place = _copied(pantry_bundle, tmp_path / "served")
    catalog = Catalog(named=[str(place)])
    first = _first_hit(catalog, "jar")
    shutil.rmtree(place)
    assert first == _first_hit(catalog, "jar")
    assert "deleted" in catalog.entry().trouble


def test_what_was_moved_away_and_back_is_no_trouble_any_more(pantry_bundle: Path, tmp_path: Path) -> None:
    place = _copied(pantry_bundle, tmp_path / "served")
    catalog = Catalog(named=[str(place)])
    assert _first_hit(catalog, "jar")
    place.rename(tmp_path / "aside")
    assert _first_hit(catalog, "jar")
    (tmp_path / "aside").rename(place)
    assert _first_hit(catalog, "jar")
    assert "" == catalog.entry().trouble


def test_what_is_replaced_by_nonsense_is_answered_from_what_is_still_open(pantry_bundle: Path, tmp_path: Path) -> None:
    place = _copied(pantry_bundle, tmp_path / "served")
    catalog = Catalog(named=[str(place)])
    first = _first_hit(catalog, "jar")
    (place / "manifest.json").unlink()
    (place / "manifest.json").write_text("{}")
    assert first == _first_hit(catalog, "jar")
    assert "cannot be read" in catalog.entry().trouble


@pytest.mark.parametrize("member", ["text.blocks", "chunks.msgpack", "vectors.faiss"])
def test_a_bundle_whose_own_files_are_cut_is_refused_and_the_process_lives(
    pantry_bundle: Path, tmp_path: Path, member: str
) -> None:
    place = _copied(pantry_bundle, tmp_path / "served")
    catalog = Catalog(named=[str(place)])
    assert _first_hit(catalog, "jar")
    os.chmod(place / member, 0o644)
    os.truncate(place / member, 100)
    with pytest.raises(IntegrityError):
        _first_hit(catalog, "jar")
    shutil.rmtree(place)
    _copied(pantry_bundle, place)
    assert _first_hit(catalog, "jar")


def test_a_bundle_that_was_forgotten_is_closed_when_its_last_reader_leaves(pantry_bundle: Path, tmp_path: Path) -> None:
    place = _copied(pantry_bundle, tmp_path / "served")
    catalog = Catalog(named=[str(place)])
    with catalog.searcher() as searcher:
        catalog.forget("served")
        assert searcher.search("jar").hits
    with pytest.raises(Exception, match="closed"):
        searcher.bundle.encoder_buffers()
        _ = searcher.bundle.is_unchanged


def test_threads_share_one_open_bundle(pantry_bundle: Path) -> None:
    catalog = Catalog(named=[str(pantry_bundle)])
    seen: list[object] = []

    def look() -> None:
        with catalog.searcher() as searcher:
            seen.append((id(searcher), searcher.search("jar").hits[0].path))

    threads = [threading.Thread(target=look) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 16 == len(seen)
    assert 1 == len(set(seen))


def test_what_is_installed_while_a_server_runs_is_served_and_what_takes_its_name_takes_over(
    pantry_bundle: Path, other_bundle: Path, tmp_path: Path
) -> None:
    cache = BundleCache(tmp_path / "cache")
    packs = [
        write_pack(bundle, tmp_path / f"{number}.hardtack").path for number, bundle in enumerate((pantry_bundle, other_bundle))
    ]
    catalog = Catalog(starts=[tmp_path], cache=lambda: cache)
    assert [] == catalog.entries()
    old = install_pack(cache, packs[0], name="github.com/o/n")
    with catalog.searcher("o-n") as before:
        new = install_pack(cache, packs[1], name="github.com/o/n")
        catalog.look_first_in([])  # looks at once
        with catalog.searcher("o-n") as after:
            assert (old.digest, new.digest) == (before.bundle.digest, after.bundle.digest)
        assert ["o-n"] == [entry.name for entry in catalog.entries()]
        assert 1 == collect(cache, now=time.time() + 2 * GRACE).bundles
        assert before.search("Shelf").hits
    catalog.look_first_in([])
    assert new.digest == catalog.manifest(catalog.entry("o-n"))[1]


def test_an_installed_bundle_is_cleared_by_its_index_name(pantry_bundle: Path, tmp_path: Path) -> None:
    cache = BundleCache(tmp_path / "cache")
    installed = install_pack(cache, write_pack(pantry_bundle, tmp_path / "p.hardtack").path, name="github.com/o/n")
    catalog = Catalog(starts=[tmp_path], cache=lambda: cache)
    outcome = run_tool(tool_named("clear_index", allow_build=True), Call(catalog=catalog), {"index_name": "o-n"})
    assert {"success": True, "message": "Index 'o-n' cleared successfully"} == outcome.structured
    assert ([], False) == (cache.entries(), installed.path.exists())
    assert [] == catalog.entries()


def test_a_pack_is_served_and_its_successor_takes_over(pantry_bundle: Path, other_bundle: Path, tmp_path: Path) -> None:
    pack = tmp_path / "api.hardtack"
    first = write_pack(pantry_bundle, pack)
    catalog = Catalog(named=[str(pack)])
    with catalog.searcher("api") as before:
        assert first.bundle_digest == before.bundle.digest
        second = write_pack(other_bundle, pack)
        with catalog.searcher("api") as after:
            assert second.bundle_digest == after.bundle.digest
        assert before.search("Shelf").hits
