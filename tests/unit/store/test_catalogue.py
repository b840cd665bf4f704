"""The catalogue of a place: what it says of a bundle, what publishing does to it, and what a stranger may write there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.bundle.format.digest import canonical_json
from hardtack.bundle.naming import CATALOGUE_PLACE
from hardtack.bundle.packing import PackInfo
from hardtack.bundle.reader import open_bundle
from hardtack.errors import BundleNotFound, FormatError, PolicyError, UnsupportedFormat, UsageError
from hardtack.nouns.catalogue import CatalogueEntry, Telling
from hardtack.store import locking
from hardtack.store.cache import BundleCache
from hardtack.store.entries import KeptEntries, unused_entries
from hardtack.store.publish import publish
from hardtack.store.sources import catalogue, static
from hardtack.store.sources.catalogue import entry_of, parse_catalogue, render_catalogue, with_entries
from hardtack.store.sources.folder import Folder
from hardtack.store.sources.named import SourceSettings, catalogue_at
from hardtack.store.sources.static import StaticSource

WORDS = st.lists(st.text("abcxyzäß0_", min_size=1, max_size=12), max_size=30, unique=True).map(tuple)
ENTRIES = st.builds(
    CatalogueEntry,
    repository=st.sampled_from(["", "github.com/acme/api", "github.com/acme/web"]),
    root=st.sampled_from(["", "services/api"]),
    profile=st.sampled_from(["hybrid", "keyword"]),
    commit=st.sampled_from(["", "0" * 40, "f" * 64]),
    commit_time=st.integers(0, 1 << 40),
    bundle_digest=st.just("sha256:" + "1" * 64),
    pack_digest=st.sampled_from(["", "sha256:" + "2" * 64]),
    size=st.integers(0, 1 << 40),
    files=st.integers(0, 1 << 20),
    languages=st.lists(st.sampled_from(["go", "c", "python"]), unique=True).map(tuple),
    telling=st.builds(Telling, WORDS, WORDS),
)


def an_entry(name: str, **changed: Any) -> CatalogueEntry:
    plain = CatalogueEntry(
        repository=f"github.com/acme/{name}",
        root="",
        profile="hybrid",
        commit="0" * 40,
        commit_time=1000,
        bundle_digest="sha256:" + "1" * 64,
        pack_digest="sha256:" + "2" * 64,
        size=1,
        files=1,
        languages=("go",),
        telling=Telling(("jar", "shelf"), ("Shelf",)),
    )
    return plain._replace(**changed)


@given(st.lists(ENTRIES, max_size=5, unique_by=lambda each: each.key))
def test_what_is_written_is_read_back_in_one_order_by_the_same_bytes(entries: list[CatalogueEntry]) -> None:
    data = render_catalogue(entries)
    assert sorted(entries, key=lambda each: each.key) == parse_catalogue(json.loads(data), "here")
    assert data == render_catalogue(reversed(entries))


def test_entries_name_fewer_words_each_where_the_catalogue_would_be_too_large() -> None:
    telling = Telling(tuple(f"word{number}" for number in range(1024)), tuple(f"Symbol{number}" for number in range(256)))
    entries = [an_entry(name, telling=telling) for name in "abc"]
    data = render_catalogue(entries, most=10_000)
    assert len(data) <= 10_000
    read = parse_catalogue(json.loads(data), "here")
    assert [each.repository for each in entries] == [each.repository for each in read]
    for each in read:
        assert 100 < len(each.telling.words) < 1024
        assert telling.words[: len(each.telling.words)] == each.telling.words
    with pytest.raises(PolicyError, match="has more than 500 bytes"):
        render_catalogue(entries, most=500)


def test_a_catalogue_of_more_bundles_than_are_read_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "MOST_BUNDLES", 2)
    with pytest.raises(PolicyError, match="names 2 bundles at most"):
        render_catalogue([an_entry(name) for name in "abc"])
    with pytest.raises(FormatError, match="bundles"):
        parse_catalogue({"format": 1, "bundles": [{}] * 3}, "here")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("repository", 1),
        ("repository", "a\nb"),
        ("root", "\u202e"),
        ("profile", "p" * 1001),
        ("commit", "0" * 39),
        ("commit", None),
        ("commit_time", -1),
        ("commit_time", True),
        ("size", 1 << 63),
        ("files", 1.0),
        ("bundle_digest", ""),
        ("bundle_digest", "sha256:../../x"),
        ("pack_digest", "packs/x"),
        ("pack_digest", None),
        ("languages", ["go"]),
        ("words", "a\x1b[31m"),
        ("words", "w" * ((1 << 17) + 1)),
        ("symbols", None),
    ],
)
def test_a_field_that_is_not_what_it_should_be_is_named(field: str, value: object) -> None:
    document = json.loads(render_catalogue([an_entry("api")]))
    document["bundles"][0][field] = value
    with pytest.raises(FormatError, match="is not as it should be") as refused:
        parse_catalogue(document, "here")
    assert field == refused.value.field


@pytest.mark.parametrize(
    "document", [{}, {"format": "1"}, {"format": 1}, {"format": 1, "bundles": {}}, {"format": 1, "bundles": [1]}]
)
def test_what_is_no_catalogue_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(FormatError):
        parse_catalogue(document, "here")


def test_a_catalogue_that_names_a_bundle_twice_is_refused() -> None:
    document = json.loads(render_catalogue([an_entry("api")]))
    document["bundles"] *= 2
    with pytest.raises(FormatError, match="bundles"):
        parse_catalogue(document, "here")


def test_a_later_format_asks_for_a_later_program_and_unknown_fields_are_ignored() -> None:
    with pytest.raises(UnsupportedFormat):
        parse_catalogue({"format": 2, "bundles": []}, "here")
    document = json.loads(render_catalogue([an_entry("api")]))
    document["bundles"][0]["licence"] = "MIT"
    assert [an_entry("api")] == parse_catalogue(document, "here")


def test_no_entry_names_more_words_than_this_program_writes() -> None:
    document = json.loads(render_catalogue([an_entry("api")]))
    document["bundles"][0]["words"] = " ".join(f"w{number}" for number in range(5000))
    (entry,) = parse_catalogue(document, "here")
    assert 1024 == len(entry.telling.words)


def test_the_newest_commit_of_a_repository_is_the_one_that_is_named() -> None:
    old, new, other = an_entry("api"), an_entry("api", commit_time=2000, commit="1" * 40), an_entry("web")
    assert [new, other] == with_entries(with_entries([other], [old]), [new])
    assert [new, other] == with_entries([new, other], [old])
    keyword = an_entry("api", profile="keyword")
    assert [new, keyword] == with_entries([new], [keyword])


# -- publishing ---------------------------------------------------------------------------------------------------------------


def test_publishing_names_a_bundle_with_what_tells_it_from_others(
    keyword: PackInfo, forged: Callable[..., PackInfo], tmp_path: Path
) -> None:
    target = StaticSource(Folder(tmp_path))
    for pack in (keyword, keyword, forged(repository="example.org/other/thing", commit="1" * 40)):
        publish(pack.path, target)
    first, second = catalogue_at(str(tmp_path), SourceSettings())
    assert ("example.org/other/thing", "1" * 40) == (first.repository, first.commit)
    assert (keyword.digest, keyword.bundle_digest, keyword.size) == (second.pack_digest, second.bundle_digest, second.size)
    provenance, counts = keyword.manifest.provenance, keyword.manifest.counts
    assert (provenance.commit, "keyword", counts.files) == (second.commit, second.profile, second.files)
    with open_bundle(keyword.path) as bundle:
        assert entry_of(bundle, pack_digest=keyword.digest, size=keyword.size) == second
        names = {bundle.symbol(ordinal).name for ordinal in range(bundle.manifest.counts.symbols)}
    assert second.telling.words
    assert names.issuperset(second.telling.symbols)
    assert [*dict.fromkeys(second.telling.words)] == [*second.telling.words]


_REGISTER = """
import json, sys
from pathlib import Path
from hardtack.store.sources.catalogue import parse_catalogue
from hardtack.store.sources.folder import Folder
from hardtack.store.sources.static import StaticSource
for entry in parse_catalogue(json.loads(sys.argv[2]), "the argument"):
    StaticSource(Folder(Path(sys.argv[1]))).register(entry)
"""


def test_of_four_processes_that_publish_to_a_folder_at_once_none_loses_an_entry(tmp_path: Path) -> None:
    entries = [an_entry(f"api-{number:02}") for number in range(12)]
    given = [render_catalogue(entries[first::4]).decode() for first in range(4)]
    running = [subprocess.Popen([sys.executable, "-c", _REGISTER, str(tmp_path), each]) for each in given]
    assert [0] * 4 == [process.wait(timeout=120) for process in running]
    assert entries == catalogue_at(str(tmp_path), SourceSettings())


def test_a_catalogue_whose_words_were_cut_is_written_once_for_each_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "render_catalogue", partial(render_catalogue, most=10_000))
    written: list[str] = []
    monkeypatch.setattr(Folder, "write", lambda self, path, data: (written.append(path), self._put(path, data)))
    telling = Telling(tuple(f"word{number}" for number in range(1024)), ())
    for name in "ab":
        StaticSource(Folder(tmp_path)).register(an_entry(name, telling=telling))
    assert 2 == len(written)
    StaticSource(Folder(tmp_path)).register(an_entry("b", telling=telling))
    assert 2 == len(written)


def test_a_folder_whose_locks_are_a_link_elsewhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "place" / "f1").mkdir(parents=True)
    (tmp_path / "place" / "f1" / "locks").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PolicyError):
        StaticSource(Folder(tmp_path / "place")).register(an_entry("api"))
    assert [] == [*(tmp_path / "elsewhere").iterdir()]


def test_a_folder_that_another_process_keeps_to_itself_is_given_up_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardtack.store.sources.folder.alone", partial(locking.alone, wait=0.2))
    with Folder(tmp_path).alone(CATALOGUE_PLACE):
        script = f"""
from functools import partial
import hardtack.store.sources.folder as folder, hardtack.store.locking as locking
folder.alone = partial(locking.alone, wait=0.2)
from pathlib import Path
with folder.Folder(Path({str(tmp_path)!r})).alone({CATALOGUE_PLACE!r}):
    pass
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "is being written by" in done.stderr


def test_a_catalogue_that_is_none_stops_a_publish_with_its_place(keyword: PackInfo, tmp_path: Path) -> None:
    (tmp_path / "f1").mkdir()
    (tmp_path / CATALOGUE_PLACE).write_bytes(canonical_json({"format": 1, "bundles": 3}))
    with pytest.raises(FormatError, match=r"f1/catalogue\.json is not as it should be: bundles"):
        publish(keyword.path, StaticSource(Folder(tmp_path)))


def test_a_place_without_a_catalogue_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(BundleNotFound, match="no catalogue") as missing:
        catalogue_at(str(tmp_path), SourceSettings())
    assert "publish" in missing.value.hint
    with pytest.raises(UsageError, match="GitHub has no catalogue"):
        catalogue_at("github:acme/api", SourceSettings())


# -- entries that are remembered ----------------------------------------------------------------------------------------------


def test_an_entry_is_remembered_by_the_digest_of_its_bundle(cache: BundleCache) -> None:
    kept, entry = KeptEntries(lambda: cache), an_entry("api")
    assert kept.find(entry.bundle_digest) is None
    kept.keep(entry)
    assert entry == kept.find(entry.bundle_digest)
    assert kept.find("sha256:" + "3" * 64) is None


OF_ANOTHER = render_catalogue([an_entry("web", bundle_digest="sha256:" + "9" * 64)])


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b"x" * (1 << 18), render_catalogue([]), OF_ANOTHER])
def test_an_entry_that_cannot_be_read_or_is_of_another_bundle_is_made_anew(cache: BundleCache, data: bytes) -> None:
    kept, entry = KeptEntries(lambda: cache), an_entry("api")
    kept.keep(entry)
    (place,) = cache.catalogued.iterdir()
    place.write_bytes(data)
    assert kept.find(entry.bundle_digest) is None
    kept.keep(entry)
    assert entry == kept.find(entry.bundle_digest)


def test_names_that_are_long_and_of_many_bytes_are_remembered_as_far_as_there_is_room(cache: BundleCache) -> None:
    words = tuple(f"{number}" + "\U00020000" * 60 for number in range(1024))
    entry = an_entry("api", telling=Telling(words, words[:512]))
    KeptEntries(lambda: cache).keep(entry)
    found = KeptEntries(lambda: cache).find(entry.bundle_digest)
    assert found
    assert found.telling.words
    assert words[: len(found.telling.words)] == found.telling.words


def test_without_a_cache_nothing_is_remembered_and_nothing_fails() -> None:
    def refused() -> BundleCache:
        raise PolicyError("others may write there")

    for kept in (KeptEntries(lambda: None), KeptEntries(refused)):
        kept.keep(an_entry("api"))
        assert kept.find(an_entry("api").bundle_digest) is None


def test_entries_are_collected_when_they_are_ninety_days_old(cache: BundleCache) -> None:
    assert [] == unused_entries(cache, 1e12)
    KeptEntries(lambda: cache).keep(an_entry("api"))
    made = next(cache.catalogued.iterdir()).stat().st_mtime
    assert [] == unused_entries(cache, made + 89 * 86_400)
    assert 1 == len(unused_entries(cache, made + 91 * 86_400))
