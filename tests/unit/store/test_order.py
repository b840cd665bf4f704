"""A branch leads forward, whatever time a pack claims; a pack of no named repository fits none; an old pointer can be refused."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from story import REPOSITORY, Story, tell

from hardtack.bundle.packing import PackInfo
from hardtack.errors import FormatError, PolicyError
from hardtack.git import is_same_repository
from hardtack.store.aims import ProjectCheckout, aim_at
from hardtack.store.cache import BundleCache
from hardtack.store.floors import AHEAD, Floor, Led, floor_of, raise_floor
from hardtack.store.install import install_pack
from hardtack.store.offline import InstalledSource
from hardtack.store.pull import Pull, Pulled
from hardtack.store.resolve import Aim
from hardtack.store.sources.folder import Folder
from hardtack.store.sources.pointer import Pointer, check_fresh, commit_path, parse_pointer, pointer_to, ref_path, render_pointer
from hardtack.store.sources.source import Source
from hardtack.store.sources.static import StaticSource

Forged = Callable[..., PackInfo]
TINY = "example.org/ship/tiny"
NOW = int(time.time())
OLD, NEW, EVIL = "1" * 40, "2" * 40, "f" * 40


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "www"


def point(place: Path, pack: PackInfo, *refs: str, **changed: Any) -> Source:
    """A folder that has the pack, under its commit and these references, as anybody can write one who owns it."""
    pointer = pointer_to(pack)
    folder = Folder(place)
    folder.upload(pointer.path, pack.path, None)
    document = {**json.loads(render_pointer(pointer)), **changed}
    for path in (commit_path(pointer.commit), *map(ref_path, refs)):
        folder.write(path, json.dumps(document).encode())
    return StaticSource(folder)


def pull(cache: BundleCache, *sources: Source, aim: Aim | None = None, **named: Any) -> Pulled:
    return Pull(cache=cache, sources=sources, **named).run(aim or Aim(repository=TINY, ref="main"))


# -- times ------------------------------------------------------------------------------------------------------------------------


IMPOSSIBLE = {
    "2^62": 1 << 62,
    "2^53": 1 << 53,
    "2^53 - 1": (1 << 53) - 1,
    "the year 2100": 4_102_444_800,
    "two days ahead": NOW + 2 * AHEAD,
}


@pytest.mark.parametrize("when", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
@pytest.mark.parametrize("aim", [Aim(repository=TINY, ref="main"), Aim(repository=TINY, commit=EVIL)], ids=["branch", "commit"])
def test_a_commit_of_the_future_is_refused_and_shuts_no_honest_one_out(
    forged: Forged, place: Path, cache: BundleCache, when: int, aim: Aim
) -> None:
    old, new = forged(commit=OLD, commit_time=NOW - 900), forged(commit=NEW, commit_time=NOW - 600)
    pull(cache, point(place, old, "main"))
    source = point(place, forged(commit=EVIL, commit_time=when), "main")
    with pytest.raises(PolicyError, match="yet to come or cannot be"):
        pull(cache, source, aim=aim)
    assert pull(cache, point(place, new, "main")).installed.origin.commit == NEW
    with pytest.raises(PolicyError, match="is older than 222222222222"):
        pull(cache, point(place, old, "main"))


@pytest.mark.parametrize("when", [None, 0])
def test_a_branch_that_leads_to_a_commit_of_no_time_is_refused(
    forged: Forged, place: Path, cache: BundleCache, when: int | None
) -> None:
    source = point(place, forged(commit=EVIL, commit_time=when), "main")
    with pytest.raises(PolicyError, match="states no time of its commit"):
        pull(cache, source)
    assert cache.entries() == []


def test_a_pointer_and_its_pack_tell_the_same_time(forged: Forged, place: Path, cache: BundleCache) -> None:
    pack = forged(commit=NEW, commit_time=NOW - 600)
    with pytest.raises(PolicyError, match="another commit time than its pack states"):
        pull(cache, point(place, pack, "main", commit_time=NOW - 500))


@pytest.mark.parametrize("value", [-1, 1.5, "1795397229", True, 1 << 63])
def test_a_pointer_whose_time_is_no_time_is_refused(forged: Forged, place: Path, cache: BundleCache, value: object) -> None:
    with pytest.raises(FormatError, match="commit_time"):
        pull(cache, point(place, forged(commit=NEW, commit_time=NOW - 600), "main", commit_time=value))


def test_a_commit_of_a_clock_that_is_a_little_ahead_is_taken_and_the_next_one_too(
    forged: Forged, place: Path, cache: BundleCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = int(time.time())
    pull(cache, point(place, forged(commit=OLD, commit_time=now + AHEAD // 2), "main"))
    assert floor_of(cache, Led(TINY, "", "main")).time <= time.time()
    monkeypatch.setattr(time, "time", lambda: float(now + 100))
    assert pull(cache, point(place, forged(commit=NEW, commit_time=now + 90), "main")).installed.origin.commit == NEW


def test_a_clock_that_went_back_refuses_and_says_what_it_shows(
    forged: Forged, place: Path, cache: BundleCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = point(place, forged(commit=NEW, commit_time=NOW - 600), "main")
    monkeypatch.setattr(time, "time", lambda: 86_400.0)
    with pytest.raises(PolicyError) as caught:
        pull(cache, source)
    assert "1970-01-02" in caught.value.hint


# -- floors -----------------------------------------------------------------------------------------------------------------------


def test_a_floor_outlives_the_bundle_and_holds_under_every_name(forged: Forged, place: Path, cache: BundleCache) -> None:
    old, new = forged(commit=OLD, commit_time=NOW - 900), forged(commit=NEW, commit_time=NOW - 600)
    installed = pull(cache, point(place, new, "main")).installed
    installed.ref.unlink()
    for name in ("", "another/name"):
        with pytest.raises(PolicyError, match="is older than"):
            pull(cache, point(place, old, "main"), name=name)


def test_what_is_installed_already_leads_no_branch_back_under_its_old_name(forged: Forged, place: Path, cache: BundleCache) -> None:
    old, new = forged(commit=OLD, commit_time=NOW - 900), forged(commit=NEW, commit_time=NOW - 600)
    pull(cache, point(place, old, "main"), name="one")
    pull(cache, point(place, new, "main"), name="two")
    with pytest.raises(PolicyError, match="is older than"):
        pull(cache, point(place, old, "main"), name="one")


def test_each_reference_has_a_floor_of_its_own(forged: Forged, place: Path, cache: BundleCache) -> None:
    old, new = forged(commit=OLD, commit_time=NOW - 900), forged(commit=NEW, commit_time=NOW - 600)
    pull(cache, point(place, new, "main"))
    source = point(place, old, "v1", "main")
    assert pull(cache, source, aim=Aim(repository=TINY, ref="v1")).installed.origin.commit == OLD
    with pytest.raises(PolicyError, match="is older than"):
        pull(cache, source)


def test_only_who_says_so_lowers_a_floor(forged: Forged, place: Path, cache: BundleCache) -> None:
    old, new = forged(commit=OLD, commit_time=NOW - 900), forged(commit=NEW, commit_time=NOW - 600)
    led = Led(TINY, "", "main")
    pull(cache, point(place, new, "main"))
    pull(cache, point(place, old), aim=Aim(repository=TINY, commit=OLD))
    install_pack(cache, old.path)
    assert floor_of(cache, led) == Floor(NEW, NOW - 600)
    pull(cache, point(place, old, "main"), allows_older=True)
    assert floor_of(cache, led) == Floor(OLD, NOW - 900)


def test_a_floor_takes_the_highest_time_though_the_last_commit_has_a_lower_one(cache: BundleCache, tmp_path: Path) -> None:
    led = Led(TINY, "", "main")
    cache.floors.mkdir(parents=True)
    raise_floor(cache, led, NEW, NOW - 100)
    raise_floor(cache, led, OLD, NOW - 900)
    assert floor_of(cache, led) == Floor(OLD, NOW - 100)
    raise_floor(cache, led, EVIL, NOW + AHEAD)
    assert NOW - 100 < floor_of(cache, led).time <= time.time()


@pytest.mark.parametrize(
    "text", ["", "{}", "no json", f'{{"format":1,"commit":"{OLD}","commit_time":-1}}', '{"format":1,"commit":"","commit_time":5}']
)
def test_a_floor_that_cannot_be_read_is_not_taken_for_none(forged: Forged, place: Path, cache: BundleCache, text: str) -> None:
    old, new = forged(commit=OLD, commit_time=NOW - 900), forged(commit=NEW, commit_time=NOW - 600)
    pull(cache, point(place, new, "main"))
    (floor,) = cache.floors.iterdir()
    floor.write_text(text)
    with pytest.raises(PolicyError, match="not known what main led to before"):
        pull(cache, point(place, old, "main"))
    assert pull(cache, point(place, old, "main"), allows_older=True).installed.origin.commit == OLD


@pytest.mark.parametrize("spoil", [lambda ref: ref.write_text("{"), lambda ref: (ref.unlink(), ref.symlink_to("/nowhere"))])
def test_a_record_of_before_there_were_floors_counts_and_one_that_cannot_be_read_too(
    forged: Forged, place: Path, cache: BundleCache, spoil: Callable[[Path], object]
) -> None:
    old, new = forged(commit=OLD, commit_time=NOW - 900), forged(commit=NEW, commit_time=NOW - 600)
    installed = pull(cache, point(place, new, "main")).installed
    for floor in cache.floors.iterdir():
        floor.unlink()
    with pytest.raises(PolicyError, match="is older than"):
        pull(cache, point(place, old, "main"))
    spoil(installed.ref)
    with pytest.raises(PolicyError, match=f"record of {TINY} cannot be read"):
        pull(cache, point(place, old, "main"))


# -- in a checkout ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return tell(tmp_path_factory.mktemp("ordered"), built=("one", "three"))


@pytest.mark.parametrize("when", [NOW - 60, 1_000_000_000 - 1, 0, None], ids=["now", "earlier", "zero", "none"])
def test_what_git_knows_of_a_commit_decides_over_what_a_pack_says(
    story: Story, forged: Forged, place: Path, cache: BundleCache, tmp_path: Path, when: int | None
) -> None:
    project = ProjectCheckout(story.clone(tmp_path / "checkout"))
    source = point(place, forged(repository=REPOSITORY, commit=story.commits["four"], commit_time=when), "main")
    with pytest.raises(PolicyError, match="states another time"):
        pull(cache, source, aim=aim_at(Aim(ref="main"), project), history=project.history)


def test_a_commit_that_the_checkout_lacks_goes_by_time(
    story: Story, forged: Forged, place: Path, cache: BundleCache, tmp_path: Path
) -> None:
    project = ProjectCheckout(story.clone(tmp_path / "checkout"))
    aim = aim_at(Aim(ref="main"), project)
    pull(
        cache,
        point(place, forged(repository=REPOSITORY, commit=NEW, commit_time=NOW - 600), "main"),
        aim=aim,
        history=project.history,
    )
    with pytest.raises(PolicyError, match="is older than"):
        pull(cache, point(place, story.packs["three"], "main"), aim=aim, history=project.history)


# -- repositories -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other",
    [
        *("", "example.org/ship/tiny.git", " example.org/ship/tiny", "example.org/ship/tiny ", "example.org/ship/tiny/"),
        *(
            "me@example.org/ship/tiny",
            "example.org:443/ship/tiny",
            "example.com/ship/tiny",
            "ship/tiny",
            "https://example.org/ship/tiny",
        ),
        *(
            "example.org/ſhip/tiny",
            "example.org/ship/tıny",
            "example.org/shiр/tiny",
            "example.org/ship/tiny\u200b",
            "exämple.org/ship/tiny",
        ),
    ],
)
def test_another_repository_is_another_however_alike_it_looks(other: str) -> None:
    assert not is_same_repository(TINY, other)
    assert not is_same_repository(other, TINY)


def test_letters_of_either_case_are_the_same_and_nothing_is_the_same_as_nothing() -> None:
    assert is_same_repository(TINY, "Example.org/Ship/TINY")
    assert not is_same_repository("example.org/team/kit", "example.org/team/\u212ait")
    assert not is_same_repository("", "")


AIMS = {
    "of a repository": Aim(repository=TINY, commit=OLD),
    "of any": Aim(commit=OLD),
    "by a branch": Aim(repository=TINY, ref="main"),
}


@pytest.mark.parametrize("aim", AIMS.values(), ids=AIMS)
@pytest.mark.parametrize("said", ["", TINY])
def test_a_pack_of_no_named_repository_is_not_pulled(forged: Forged, place: Path, cache: BundleCache, aim: Aim, said: str) -> None:
    pack = forged(repository="", commit=OLD, commit_time=NOW - 600)
    with pytest.raises(PolicyError, match="not say of which repository"):
        pull(cache, point(place, pack, "main", repository=said), aim=aim)
    assert install_pack(cache, pack.path).digest == pack.bundle_digest  # a file that a person names is


def test_an_installed_bundle_of_no_named_repository_fits_none(forged: Forged, cache: BundleCache) -> None:
    pack = forged(repository="", commit=OLD, commit_time=NOW - 600)
    install_pack(cache, pack.path)
    assert InstalledSource(cache).resolve(Aim(repository=TINY).wanted(commit=OLD)) is None


def test_a_pack_of_another_repository_than_its_pointer_says_is_refused_though_none_was_asked_for(
    forged: Forged, place: Path, cache: BundleCache
) -> None:
    pack = forged(repository="example.org/other/thing", commit=OLD, commit_time=NOW - 600)
    with pytest.raises(PolicyError, match=f"was built of example.org/other/thing, not of {TINY}"):
        pull(cache, point(place, pack, "main", repository=TINY), aim=Aim(commit=OLD))


# -- freshness --------------------------------------------------------------------------------------------------------------------

FRESH = Aim(repository=TINY, ref="main", is_fresh=True)


def test_a_reference_is_published_with_a_day_on_which_it_expires(keyword: PackInfo, place: Path) -> None:
    StaticSource(Folder(place), expires_after=3600).publish(keyword, ["main"])
    pointer = parse_pointer(json.loads((place / ref_path("main")).read_bytes()), "it")
    assert NOW + 3500 < pointer.expires < time.time() + 3700
    assert parse_pointer(json.loads((place / commit_path(pointer.commit)).read_bytes()), "it").expires == 0


def test_publishing_again_lets_a_reference_live_longer(keyword: PackInfo, place: Path) -> None:
    for seconds in (60, 7200):
        StaticSource(Folder(place), expires_after=seconds).publish(keyword, ["main"])
    assert parse_pointer(json.loads((place / ref_path("main")).read_bytes()), "it").expires > NOW + 7000


@pytest.mark.parametrize(
    ("expires", "why"),
    [
        (NOW - 1, r"held until 20\d\d-\d\d-\d\d"),
        (1, "held until 1970-01-01"),
        (0, "does not say until when"),
        (NOW + 400 * 86_400, "more than a year"),
        ((1 << 63) - 1, "more than a year"),
    ],
    ids=["past", "long past", "none", "far", "farthest"],
)
def test_who_wants_a_fresh_reference_is_not_held_at_an_old_one(
    forged: Forged, place: Path, cache: BundleCache, expires: int, why: str
) -> None:
    source = point(place, forged(commit=NEW, commit_time=NOW - 600), "main", expires=expires)
    with pytest.raises(PolicyError, match=why) as caught:
        pull(cache, source, aim=FRESH)
    assert "--require-fresh" in caught.value.hint
    assert pull(cache, source).installed.origin.commit == NEW


def test_a_fresh_reference_is_taken_and_a_commit_needs_no_freshness(forged: Forged, place: Path, cache: BundleCache) -> None:
    pack = forged(commit=NEW, commit_time=NOW - 600)
    assert pull(cache, point(place, pack, "main", expires=NOW + 3600), aim=FRESH).installed.origin.commit == NEW
    assert pull(cache, point(place, pack), aim=Aim(repository=TINY, commit=NEW, is_fresh=True)).was_there


def test_what_is_installed_is_no_proof_of_freshness(forged: Forged, place: Path, cache: BundleCache) -> None:
    pull(cache, point(place, forged(commit=NEW, commit_time=NOW - 600), "main", expires=NOW + 3600))
    with pytest.raises(PolicyError, match="cannot show that main still names it"):
        pull(cache, InstalledSource(cache), aim=FRESH)


@pytest.mark.parametrize("value", [-1, 1.5, "soon", True, None, 1 << 63])
def test_an_expiry_that_is_no_time_is_refused_by_name(keyword: PackInfo, value: object) -> None:
    with pytest.raises(FormatError) as caught:
        parse_pointer({**json.loads(render_pointer(pointer_to(keyword))), "expires": value}, "it")
    assert caught.value.field == "expires"


def test_a_mirror_that_is_not_fresh_is_followed_by_one_that_is(forged: Forged, tmp_path: Path, cache: BundleCache) -> None:
    pack = forged(commit=NEW, commit_time=NOW - 600)
    stale, fresh = (
        point(tmp_path / "stale", pack, "main", expires=NOW - 5),
        point(tmp_path / "fresh", pack, "main", expires=NOW + 500),
    )
    said: list[str] = []
    assert pull(cache, stale, fresh, aim=FRESH, notice=said.append).source == fresh.name
    assert any("held until" in sentence for sentence in said)


def test_old_pointers_say_nothing_of_expiry(keyword: PackInfo) -> None:
    assert "expires" not in json.loads(render_pointer(pointer_to(keyword)))
    with pytest.raises(PolicyError):
        check_fresh(Pointer(**{name: getattr(pointer_to(keyword), name) for name in Pointer.__slots__}), "it")
