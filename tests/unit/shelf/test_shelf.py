"""Many bundles searched as one: which are opened, what the answer says of the others, and what is left out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command_line import run_or_raise as run

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.format import layout
from hardtack.bundle.naming import CATALOGUE_PLACE
from hardtack.bundle.packing import write_pack
from hardtack.bundle.reader import Bundle, Check, open_bundle
from hardtack.errors import BundleNotFound, UsageError
from hardtack.query.searcher import Searcher
from hardtack.query.several import search_all
from hardtack.shelf.places import Shelved, gathered
from hardtack.shelf.shelf import Shelf
from hardtack.store.cache import BundleCache
from hardtack.store.in_checkouts import is_shelf
from hardtack.store.locate import no_cache
from hardtack.store.sources.catalogue import entry_of, render_catalogue
from hardtack.store.sources.pointer import pack_path

THINGS = ("oven", "kettle", "shelf", "ladle", "sieve")


@pytest.fixture(scope="session")
def cupboard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of five bundles, one of them a pack; tests must not write into it."""
    root = tmp_path_factory.mktemp("cupboard")
    for name in THINGS:
        source = root / "sources" / name
        source.mkdir(parents=True)
        (source / f"{name}.py").write_text(f"def clean_{name}(force):\n    return force\n\n\ndef open_{name}():\n    return 1\n")
        build_bundle(source, root / "bundles" / name, BuildOptions(jobs=1))
    write_pack(root / "bundles" / "sieve", root / "bundles" / "sieve.hardtack")
    shutil.rmtree(root / "bundles" / "sieve")
    (root / "bundles" / "README").write_text("no bundle")
    return root / "bundles"


@pytest.fixture
def places(cupboard: Path) -> list[Shelved]:
    found, troubles = gathered([cupboard], no_cache, lambda _: None)
    assert [] == troubles
    return found


def test_a_directory_of_bundles_and_packs_is_a_shelf_and_a_bundle_is_none(cupboard: Path) -> None:
    assert is_shelf(cupboard)
    assert not is_shelf(cupboard / "oven")
    assert not is_shelf(cupboard / "sieve.hardtack")
    assert not is_shelf(cupboard.parent / "sources")
    assert not is_shelf(cupboard / "nowhere")


def test_only_likely_bundles_are_opened_and_the_answer_counts_the_others(
    places: list[Shelved], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def noted(path: Path, *, check: Check, digest: str) -> Bundle:
        opened.append(path.stem)
        return open_bundle(path, check=check, digest=digest)

    monkeypatch.setattr("hardtack.store.locate.open_bundle", noted)
    with Shelf(places, searched=2) as shelf:
        answer = shelf.search("clean the kettle")
        assert "kettle" == opened[0]
        assert ("kettle", "clean_kettle") == (answer.hits[0].index_name, answer.hits[0].name)
        assert 2 == len(opened) == len(answer.bundles)
        assert "The 2 likeliest of 5 bundles were searched. Name one to search it." == answer.hint
        shelf.search("clean the kettle")
        assert 2 == len(opened)  # they stayed open
        assert "4 have none of its words" in shelf.search("sieve").hint


def test_where_all_are_searched_the_answer_is_that_of_several_bundles(places: list[Shelved]) -> None:
    searchers = {each.name: Searcher(open_bundle(each.located.path)) for each in places}
    with Shelf(places) as shelf:
        for query in ("open the oven", "clean_ladle", "force"):
            answer, expected = shelf.search(query), search_all(searchers, query)
            assert {(hit.index_name, hit.path, hit.score) for hit in expected.hits} == {
                (hit.index_name, hit.path, hit.score) for hit in answer.hits
            }
            assert expected.hint == answer.hint
    for searcher in searchers.values():
        searcher.close()


def test_a_bundle_that_is_not_what_the_catalogue_says_is_left_out_and_said(places: list[Shelved]) -> None:
    lying = [each._replace(entry=each.entry._replace(bundle_digest="sha256:" + "0" * 64)) for each in places if each.name == "oven"]
    honest = [each for each in places if each.name != "oven"]
    with Shelf([*lying, *honest]) as shelf:
        answer = shelf.search("open the oven")
    assert "oven is left out" in answer.hint
    assert "oven" not in {hit.index_name for hit in answer.hits}
    with Shelf(lying) as shelf, pytest.raises(BundleNotFound, match="None of the bundles can be opened"):
        shelf.search("open the oven")


def test_a_language_that_no_bundle_has_is_refused(places: list[Shelved]) -> None:
    with Shelf(places) as shelf, pytest.raises(UsageError, match="language"):
        shelf.search("open", languages=["cobol"])


def test_a_requested_language_is_looked_for_in_all_bundles(places: list[Shelved]) -> None:
    odd = [each._replace(entry=each.entry._replace(languages=("python" if each.name == "sieve" else "go",))) for each in places]
    with Shelf(odd, searched=1) as shelf:
        assert "sieve" == shelf.search("clean the kettle", languages=["python"]).bundles[0].index_name
    without = [each._replace(entry=each.entry._replace(languages=())) for each in places]
    with Shelf(without, searched=1) as shelf, pytest.raises(UsageError, match="cobol"):
        shelf.search("clean the kettle", languages=["cobol"])


def test_a_bundle_that_took_the_place_of_the_users_own_is_left_out_and_said(places: list[Shelved]) -> None:
    others = [each._replace(located=each.located._replace(is_own=True)) if each.name == "oven" else each for each in places]
    with Shelf(others) as shelf:
        answer = shelf.search("open the oven")
    assert "oven is left out: " in answer.hint
    assert "oven" not in {hit.index_name for hit in answer.hits}


def test_what_lies_beside_a_catalogue_is_left_out_and_said(cupboard: Path, tmp_path: Path) -> None:
    shutil.copytree(cupboard / "oven", tmp_path / "oven")
    pack = write_pack(cupboard / "kettle", tmp_path / "pack")
    (tmp_path / "packs").mkdir()
    pack.path.rename(tmp_path / pack_path(pack.digest))
    (tmp_path / "f1").mkdir()
    with open_bundle(cupboard / "kettle") as bundle:
        (tmp_path / CATALOGUE_PLACE).write_bytes(render_catalogue([entry_of(bundle, pack_digest=pack.digest, size=pack.size)]))
    found, left_out = gathered([tmp_path], no_cache, lambda _: None)
    assert 1 == len(found)
    assert ["oven is left out: it lies beside a catalogue that does not name it."] == left_out


@pytest.mark.parametrize("flag", [["--digest", "sha256:" + "1" * 64], ["--checkout", "."]])
def test_what_is_of_one_bundle_is_refused_for_many(cupboard: Path, flag: list[str]) -> None:
    with pytest.raises(UsageError, match=f"{flag[0]} is of one bundle, and many are searched"):
        run("search", "ladle", "-b", str(cupboard), *flag)


def test_a_damaged_bundle_in_a_directory_is_left_out_and_said(cupboard: Path, tmp_path: Path) -> None:
    shutil.copytree(cupboard, tmp_path / "c")
    (tmp_path / "c" / "oven" / layout.MANIFEST).write_text("{")
    (tmp_path / "c" / "ladle" / layout.NAMES).write_bytes(b"x")
    found, troubles = gathered([tmp_path / "c"], no_cache, lambda _: None)
    assert {"kettle", "shelf", "sieve"} == {each.name for each in found}
    assert ["ladle is left out", "oven is left out"] == sorted([each.partition(":")[0] for each in troubles])


def test_bundles_are_read_once_and_then_remembered(cupboard: Path, tmp_path: Path) -> None:
    said: list[int] = []
    found = [gathered([cupboard], lambda: BundleCache(tmp_path / "cache"), said.append)[0] for _ in range(2)]
    assert [5] == said
    assert found[0] == found[1]


def test_a_published_place_is_searched_by_its_catalogue(cupboard: Path, tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    (tmp_path / "f1").mkdir()
    entries = []
    for number, name in enumerate(("oven", "kettle")):
        pack = write_pack(cupboard / name, tmp_path / "pack")
        pack.path.rename(tmp_path / pack_path(pack.digest))
        with open_bundle(cupboard / name) as bundle:
            entry = entry_of(bundle, pack_digest=pack.digest, size=pack.size)
        entries.append(entry._replace(repository=f"github.com/acme/{name}", root="sub" * number))
    (tmp_path / CATALOGUE_PLACE).write_bytes(render_catalogue(entries))
    found, _ = gathered([tmp_path], no_cache, lambda _: pytest.fail("a bundle was read"))
    assert ["acme-kettle-sub", "acme-oven"] == [each.name for each in found]
    with Shelf(found) as shelf:
        assert "acme-oven" == shelf.search("clean the oven").hits[0].index_name


def test_the_command_line_searches_a_directory_of_bundles(cupboard: Path) -> None:
    document = json.loads(run("search", "clean the ladle", "-b", str(cupboard), "--json").stdout)
    assert "ladle" == document["hits"][0]["index_name"]
    assert [*sorted(THINGS)] == sorted(each["name"] for each in document["bundles"])


def test_all_is_every_bundle_at_hand(cupboard: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HARDTACK_BUNDLE_PATH", str(cupboard))
    document = json.loads(run("search", "clean the ladle", "--all-bundles", "--json").stdout)
    assert "ladle" == document["hits"][0]["index_name"]
    assert len(THINGS) - 1 == len(document["bundles"])  # packs are named, not found
    with pytest.raises(UsageError, match="--all-bundles is every bundle"):
        run("search", "ladle", "--all-bundles", "-b", "ladle")


def test_the_verb_lists_a_catalogue_and_orders_it_by_a_query(tmp_path: Path, cupboard: Path) -> None:
    entries = []
    for name in ("oven", "kettle"):
        with open_bundle(cupboard / name) as bundle:
            entries.append(entry_of(bundle)._replace(repository=f"github.com/acme/{name}"))
    (tmp_path / "f1").mkdir()
    (tmp_path / CATALOGUE_PLACE).write_bytes(render_catalogue(entries))
    listed = run("catalogue", str(tmp_path)).stdout.splitlines()
    assert ["repository", "github.com/acme/kettle", "github.com/acme/oven"] == [line.split()[0] for line in listed]
    document = json.loads(run("catalogue", str(tmp_path), "clean", "the", "oven", "--json").stdout)
    assert "github.com/acme/oven" == document["bundles"][0]["repository"]
    assert 1 == len(json.loads(run("catalogue", str(tmp_path), "-n", "1", "--json").stdout)["bundles"])
    nothing = run("catalogue", str(tmp_path), "zebra")
    assert (1, "") == (nothing.return_value, nothing.stdout)
