"""Pulling: which commit's bundle is found, what is checked, and what is refused."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bad_server import BadServer, answers, cut_after
from checkouts import git
from story import REPOSITORY, Story, tell

from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import parse_manifest, render_manifest
from hardtack.bundle.packing import PackInfo, write_pack
from hardtack.bundle.reader import open_bundle
from hardtack.errors import BundleError, FormatError, HardtackError, IntegrityError, NotFound, PolicyError, SourceError, UsageError
from hardtack.store.aims import ProjectCheckout, aim_at, configured_sources, passed_over
from hardtack.store.cache import BundleCache
from hardtack.store.history import History
from hardtack.store.install import install_pack
from hardtack.store.locate import locate
from hardtack.store.offline import InstalledSource
from hardtack.store.pins import LOCK_FILE, Pin, read_pins, write_pin
from hardtack.store.publish import publish
from hardtack.store.pull import Pull, Pulled
from hardtack.store.resolve import Aim
from hardtack.store.sources.folder import Folder
from hardtack.store.sources.named import SourceSettings, source_of
from hardtack.store.sources.pointer import pointer_to, ref_path, render_pointer
from hardtack.store.sources.requests import TransferLimits
from hardtack.store.sources.source import Offer, Source, Wanted
from hardtack.store.sources.static import StaticSource

QUICK = SourceSettings(limits=TransferLimits(window=2, tries=2, first_backoff=0.01))


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    """A git history and the packs of most of its commits; tests must not change it."""
    return tell(tmp_path_factory.mktemp("told"), built=("one", "two", "three", "four", "left"))


class Place:
    """A folder to which packs of the story are published."""

    def __init__(self, base: Path, story: Story) -> None:
        self.base, self._story = base, story
        self.source = StaticSource(Folder(base))

    def publish(self, *messages: str, **refs: str) -> Source:
        """Publish the packs of some commits, and point references at some."""
        for message in messages:
            self.source.publish(self._story.packs[message], [])
        for ref, message in refs.items():
            self.source.publish(self._story.packs[message], [ref])
        return self.source


@pytest.fixture
def checkout(story: Story, tmp_path: Path) -> Path:
    return story.clone(tmp_path / "checkout")


@pytest.fixture
def place(tmp_path: Path, story: Story) -> Place:
    """An empty folder."""
    return Place(tmp_path / "www", story)


def pull(cache: BundleCache, checkout: Path | None, *sources: Source, aim: Aim | None = None, **named: Any) -> Pulled:
    if checkout:
        project = ProjectCheckout(checkout)
        aim = aim_at(aim or Aim(), project, name=named.get("name", ""))
        named = {"history": project.history if project.history.head else None, **named}
    assert aim
    return Pull(cache=cache, sources=sources, **named).run(aim)


def served(base: Path) -> dict[str, bytes]:
    return {f"/{path.relative_to(base).as_posix()}": path.read_bytes() for path in base.rglob("*") if path.is_file()}


# -- which -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("published", "head", "expected", "distance"),
    [
        (("one", "two", "three", "four"), "main", "four", 0),
        (("one", "two"), "main", "two", 2),
        (("one", "two", "three", "four"), "main~1", "three", 0),  # an older HEAD has no use for what came after
        (("one", "three", "four"), "main~2", "one", 1),
        (("two", "left"), "origin/side~1", "left", 0),
        (("one", "two", "three", "four"), "origin/side~1", "two", 1),  # diverged: what both have
        (("two", "three"), "origin/side", "three", 2),  # merged: the default branch is nearer than the own past
        (("left", "three"), "origin/side", "left", 2),  # as far as one another, and as many files changed: by commit
    ],
)
def test_the_bundle_of_the_nearest_ancestor_is_pulled(
    story: Story,
    place: Place,
    cache: BundleCache,
    tmp_path: Path,
    published: Sequence[str],
    head: str,
    expected: str,
    distance: int,
) -> None:
    checkout = story.clone(tmp_path / "checkout", head)
    pulled = pull(cache, checkout, place.publish(*published))
    wanted = {"left", "three"} if set(published) == {"left", "three"} else {expected}
    assert pulled.installed.origin.commit in {story.commits[each] for each in wanted}
    assert distance == pulled.found.distance
    assert (REPOSITORY, False) == (pulled.installed.name, pulled.was_there)
    with open_bundle(pulled.installed.path) as opened:
        assert pulled.installed.digest == opened.digest


@pytest.mark.parametrize(("published", "head"), [(("four",), "main~1"), (("left",), "main"), ((), "main")])
def test_what_head_does_not_come_from_is_not_pulled(
    story: Story, place: Place, cache: BundleCache, tmp_path: Path, published: Sequence[str], head: str
) -> None:
    checkout = story.clone(tmp_path / "checkout", head)
    with pytest.raises(NotFound, match=r"There is no bundle of .* for .* or what it comes from") as caught:
        pull(cache, checkout, place.publish(*published))
    assert ("BUNDLE_NOT_PUBLISHED", 1) == (caught.value.code, caught.value.exit_code)
    assert "commits, from HEAD on back" in caught.value.hint
    assert not cache.root.exists()


def test_what_a_branch_names_is_pulled_if_head_comes_from_it(
    story: Story, place: Place, cache: BundleCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit so old that commits are no longer looked up one by one."""
    monkeypatch.setattr("hardtack.store.history.DEPTH", 1)
    checkout = story.clone(tmp_path / "checkout")
    pulled = pull(cache, checkout, place.publish(main="one"))
    assert ("main", 3) == (pulled.found.ref, pulled.found.distance)
    assert "main" == pulled.installed.origin.branch


def test_what_a_branch_names_and_head_does_not_come_from_is_refused_unless_any_will_do(
    story: Story, place: Place, cache: BundleCache, tmp_path: Path
) -> None:
    checkout = story.clone(tmp_path / "checkout", "main~1")
    source = place.publish(main="four")
    with pytest.raises(PolicyError, match="no ancestor of HEAD"):
        pull(cache, checkout, source)
    pulled = pull(cache, checkout, source, aim=Aim(takes_any=True))
    assert story.commits["four"] == pulled.installed.origin.commit
    assert pulled.found.distance is None


def test_a_shallow_clone_says_how_far_it_could_look(story: Story, place: Place, cache: BundleCache, tmp_path: Path) -> None:
    checkout = story.clone(tmp_path / "checkout", "main", "--depth", "2")
    with pytest.raises(NotFound) as caught:
        pull(cache, checkout, place.publish("two"))
    assert "2 commits, from HEAD on back, which is all that this shallow clone has" in caught.value.hint
    with pytest.raises(PolicyError) as refused:
        pull(cache, checkout, place.publish(main="two"))
    assert "git fetch --unshallow" in refused.value.hint
    assert story.commits["three"] == pull(cache, checkout, place.publish("three")).installed.origin.commit


def test_a_commit_a_reference_and_a_digest_can_be_named(story: Story, place: Place, cache: BundleCache, tmp_path: Path) -> None:
    source = place.publish("one", "two", stable="three")
    checkout = story.clone(tmp_path / "checkout")
    for aim, message in (
        (Aim(commit=story.commits["one"]), "one"),
        (Aim(commit=story.commits["two"][:9]), "two"),
        (Aim(commit="HEAD~3"), "one"),
        (Aim(ref="stable"), "three"),
        (Aim(digest=story.packs["two"].bundle_digest), "two"),
    ):
        assert story.commits[message] == pull(cache, checkout, source, aim=aim).installed.origin.commit
    with pytest.raises(NotFound):
        pull(cache, checkout, source, aim=Aim(ref="unstable"))


def test_without_a_checkout_the_repository_is_named(story: Story, place: Place, cache: BundleCache, tmp_path: Path) -> None:
    source = place.publish(main="three")
    aim = aim_at(Aim(repository=REPOSITORY, ref="main"), ProjectCheckout(tmp_path))
    assert story.commits["three"] == pull(cache, None, source, aim=aim).installed.origin.commit
    for said in (
        Aim(),
        Aim(repository=REPOSITORY),
        Aim(commit="main"),
        Aim(repository="..", ref="main"),
        Aim(ref="a", commit="b" * 40),
    ):
        with pytest.raises(UsageError):
            aim_at(said, ProjectCheckout(tmp_path))


def test_nothing_of_a_checkout_is_run(checkout: Path, story: Story, place: Place, cache: BundleCache, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    for key in ("core.fsmonitor", "diff.external", "core.pager", "core.sshCommand", "core.hooksPath", "core.attributesFile"):
        git(checkout, "config", key, f"touch {trap}; true")
    (checkout / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    history = History(checkout)
    pull(cache, checkout, place.publish("two"))
    assert 2 == history.changed_files(story.commits["two"])
    assert "" == history.commit_of("--output=" + str(trap))
    assert not trap.exists()


# -- what was pulled ---------------------------------------------------------------------------------------------------------


def test_what_is_installed_is_not_fetched_again_nor_written(checkout: Path, place: Place, cache: BundleCache) -> None:
    source = place.publish("four")
    pull(cache, checkout, source)
    shutil.rmtree(place.base / "packs")
    before = {path: path.lstat().st_mtime_ns for path in cache.root.rglob("*")}
    assert pull(cache, checkout, source).was_there
    assert before == {path: path.lstat().st_mtime_ns for path in cache.root.rglob("*")}


def test_what_was_installed_from_the_same_pack_is_known_by_that(
    story: Story, place: Place, cache: BundleCache, tmp_path: Path
) -> None:
    """GitHub gives the digest of a pack, not of the bundle in it."""

    class Forgetful(StaticSource):
        def resolve(self, wanted: Wanted) -> Offer | None:
            offer = super().resolve(wanted)
            return replace(offer, bundle_digest="") if offer else None

    checkout = story.clone(tmp_path / "checkout")
    place.publish("four")
    source = Forgetful(Folder(place.base))
    assert not pull(cache, checkout, source).was_there
    shutil.rmtree(place.base / "packs")
    assert pull(cache, checkout, source).was_there


def test_a_bundle_that_another_name_stands_for_gets_this_one_too(checkout: Path, place: Place, cache: BundleCache) -> None:
    source = place.publish("four")
    pull(cache, checkout, source, name="mine")
    assert pull(cache, checkout, source).was_there
    assert [REPOSITORY, "mine"] == [entry.name for entry in cache.entries()]


def test_a_branch_does_not_lead_back(checkout: Path, story: Story, place: Place, cache: BundleCache) -> None:
    aim = Aim(repository=REPOSITORY, ref="main")
    pull(cache, checkout, place.publish("one", main="three"), aim=aim)
    (place.base / ref_path("main")).write_bytes(render_pointer(pointer_to(story.packs["one"])))
    with pytest.raises(PolicyError, match="is older than") as caught:
        pull(cache, checkout, place.source, aim=aim)
    assert "--allow-older" in caught.value.hint
    with pytest.raises(PolicyError, match="is older than"):
        pull(cache, None, place.source, aim=aim)  # by the times of the commits
    assert story.commits["one"] == pull(cache, checkout, place.source, aim=aim, allows_older=True).installed.origin.commit
    pull(cache, checkout, place.publish(main="four"), aim=aim)


def test_a_branch_does_not_lead_back_for_a_directory_that_is_built_apart(
    checkout: Path, story: Story, place: Place, cache: BundleCache, tmp_path: Path
) -> None:
    packs = {each: _forged(story.packs[each], tmp_path, each, subdirectory="services/api") for each in ("one", "three")}
    place.source.publish(packs["three"], ["main"])
    assert f"{REPOSITORY}/services/api" == pull(cache, checkout, place.source, aim=Aim(ref="main")).installed.name
    StaticSource(Folder(place.base), replaces=True).publish(packs["one"], ["main"])
    for root in ("", "services/api"):
        with pytest.raises(PolicyError, match="is older than"):
            pull(cache, checkout, place.source, aim=Aim(ref="main", root=root))
    assert [] == [*cache.tmp.iterdir()]


@pytest.mark.parametrize("way", ["head", "commit", "install"])
def test_what_came_without_a_branch_does_not_have_it_forgotten_where_the_branch_led(
    checkout: Path, story: Story, place: Place, cache: BundleCache, way: str
) -> None:
    source = place.publish("one", "two", main="three")
    pull(cache, checkout, source, aim=Aim(ref="main"))
    for _ in range(2):
        if way == "install":
            install_pack(cache, story.packs["two"].path)
        else:
            git(checkout, "checkout", "--quiet", story.commits["two"])
            pull(cache, checkout, source, aim=Aim(commit=story.commits["two"]) if way == "commit" else Aim())
    held = cache.named(REPOSITORY)
    assert held
    assert (story.commits["two"], "") == (held.origin.commit, held.origin.branch)
    (place.base / ref_path("main")).write_bytes(render_pointer(pointer_to(story.packs["one"])))
    with pytest.raises(PolicyError, match="is older than"):
        pull(cache, checkout, source, aim=Aim(ref="main"))
    assert story.commits["one"] == pull(cache, checkout, source, aim=Aim(ref="main"), allows_older=True).installed.origin.commit


def test_a_pin_wins_and_is_not_passed_over_in_silence(
    checkout: Path, story: Story, place: Place, cache: BundleCache, tmp_path: Path
) -> None:
    source = place.publish("one", "two", "three", "four")
    one = story.packs["one"]
    write_pin(checkout / LOCK_FILE, REPOSITORY, Pin(digest=one.bundle_digest, commit=story.commits["one"]))
    assert one.bundle_digest == pull(cache, checkout, source).installed.digest
    (place.base / "f1" / "bundle" / f"{one.bundle_digest[7:]}.json").unlink()
    assert one.bundle_digest == pull(BundleCache(tmp_path / "other"), checkout, source).installed.digest
    for aim, asked in ((Aim(commit=story.commits["two"]), story.commits["two"][:12]), (Aim(ref="main"), "main")):
        with pytest.raises(PolicyError, match=rf"{re.escape(str(checkout / LOCK_FILE))} pins .*, not of {asked}\."):
            pull(cache, checkout, source, aim=aim)
    write_pin(checkout / LOCK_FILE, REPOSITORY, Pin(digest="sha256:" + "0" * 64, commit=story.commits["two"]))
    with pytest.raises(HardtackError, match=rf"\(pinned in {re.escape(str(checkout / LOCK_FILE))}\)"):
        pull(cache, checkout, source)
    project = ProjectCheckout(checkout)
    pulled = Pull(cache=cache, sources=[source], history=project.history).run(aim_at(Aim(), project, repins=True))
    project.keep(cache, pulled.installed, aim=aim_at(Aim(), project, repins=True), is_pinned=True)
    four = story.packs["four"]
    assert {REPOSITORY: Pin(digest=four.bundle_digest, commit=story.commits["four"])} == read_pins(checkout / LOCK_FILE)
    two = story.packs["two"].bundle_digest
    assert two == pull(cache, checkout, source, aim=Aim(digest=two)).installed.digest
    sentence = passed_over(aim_at(Aim(digest=two), project), ProjectCheckout(checkout))
    assert [str(checkout / LOCK_FILE), True] == [sentence.partition(" pins ")[0], sentence.endswith(f"{two} was asked for.")]


@pytest.mark.parametrize("root", ["", "services/api"])
@pytest.mark.parametrize("is_known", [True, False])
def test_what_was_pinned_is_pulled_again(
    story: Story, place: Place, cache: BundleCache, tmp_path: Path, root: str, is_known: bool
) -> None:
    """With and without a known repository, and for a directory that is built on its own."""
    checkout = story.clone(tmp_path / "checkout")
    if not is_known:
        git(checkout, "remote", "remove", "origin")
    packs = {
        each: _forged(story.packs[each], tmp_path, each, subdirectory=root) if root else story.packs[each]
        for each in ("one", "two")
    }
    for each in packs.values():
        place.source.publish(each, [])
    project, said = ProjectCheckout(checkout), Aim(commit=story.commits["one"], root=root)
    aim = aim_at(said, project, repins=True)
    pulled = Pull(cache=cache, sources=[place.source], history=project.history).run(aim)
    project.keep(cache, pulled.installed, aim=aim, is_pinned=True)
    expected = "/".join(filter(None, (REPOSITORY if is_known else "bundle", root)))
    assert [expected] == [*read_pins(checkout / LOCK_FILE)]
    assert packs["one"].bundle_digest == pull(cache, checkout, place.source, aim=Aim(root=root)).installed.digest
    if is_known:
        git(checkout, "remote", "set-url", "origin", f"https://{REPOSITORY.title()}.git")
        assert packs["one"].bundle_digest == aim_at(Aim(root=root), ProjectCheckout(checkout)).digest


@pytest.mark.parametrize("is_pinned", [True, False])
def test_nobody_is_asked_for_a_digest_that_is_installed(
    checkout: Path, story: Story, place: Place, cache: BundleCache, tmp_path: Path, is_pinned: bool
) -> None:
    installed = pull(cache, checkout, place.publish("two")).installed
    aim = Aim(digest="" if is_pinned else installed.digest)
    if is_pinned:
        write_pin(checkout / LOCK_FILE, REPOSITORY, Pin(digest=installed.digest, commit=story.commits["two"]))
    with BadServer() as down:
        down.every = answers(500)
        source = source_of(down.url, QUICK)
        pulled = pull(cache, checkout, source, aim=aim)
        assert (True, installed, []) == (pulled.was_there, pulled.installed, down.asked)
        with pytest.raises(SourceError):
            pull(BundleCache(tmp_path / "other"), checkout, source, aim=aim)


@pytest.mark.parametrize("how", ["cut", "flipped", "missing", "manifest"])
def test_what_is_damaged_where_it_is_installed_is_pulled_again(
    checkout: Path, story: Story, place: Place, cache: BundleCache, how: str
) -> None:
    source = place.publish("four")
    installed = pull(cache, checkout, source).installed
    member = installed.path / (layout.MANIFEST if how == "manifest" else story.packs["four"].manifest.members[0].name)
    member.parent.chmod(0o755)
    member.chmod(0o644)
    if how == "missing":
        member.unlink()
    else:
        data = bytearray(member.read_bytes())
        data[len(data) // 2] ^= 1
        member.write_bytes(data if how == "flipped" else data[:-1])
    with pytest.raises(NotFound if how == "manifest" else SourceError):
        pull(cache, checkout, InstalledSource(cache))
    told: list[str] = []
    pulled = pull(cache, checkout, source, notice=told.append)
    assert (False, installed.digest) == (pulled.was_there, pulled.installed.digest)
    assert "is damaged where it is installed" in told[0]
    with open_bundle(pulled.installed.path, check="hashes", digest=installed.digest):
        pass
    assert pull(cache, checkout, source).was_there


def test_offline_goes_by_the_same_rules_over_what_is_installed(
    checkout: Path, story: Story, place: Place, cache: BundleCache
) -> None:
    source = place.publish("two")
    with pytest.raises(NotFound):
        pull(cache, checkout, InstalledSource(cache))
    pull(cache, checkout, source)
    shutil.rmtree(place.base)
    pulled = pull(cache, checkout, InstalledSource(cache))
    assert (story.commits["two"], 2, True) == (pulled.installed.origin.commit, pulled.found.distance, pulled.was_there)
    git(checkout, "checkout", "--quiet", "HEAD~3")
    with pytest.raises(NotFound):
        pull(cache, checkout, InstalledSource(cache))


def test_offline_each_directory_that_is_built_apart_has_its_own(story: Story, cache: BundleCache, tmp_path: Path) -> None:
    packs = {}
    for message, root in (("one", "services/a"), ("two", "services/b"), ("three", "")):
        it = {"commit": story.commits["four"], "subdirectory": root}
        packs[root] = _forged(story.packs[message], tmp_path, message, **it)
        installed = install_pack(cache, packs[root].path)
        assert "/".join(filter(None, (REPOSITORY, root))) == installed.name
    assert 3 == len(cache.entries())
    for root in ("services/a", "services/b"):
        offer = InstalledSource(cache).resolve(Wanted(repository=REPOSITORY, root=root, commit=story.commits["four"]))
        assert offer
        assert packs[root].bundle_digest == offer.bundle_digest
    assert InstalledSource(cache).resolve(Wanted(root="services/c", commit=story.commits["four"])) is None


def test_offline_the_profile_that_is_wanted_comes_first(cache: BundleCache, hybrid: PackInfo, keyword: PackInfo) -> None:
    commit = keyword.manifest.provenance.commit
    assert commit == hybrid.manifest.provenance.commit
    for pack, name in ((hybrid, "b"), (keyword, "a"), (keyword, "c")):
        install_pack(cache, pack.path, name=name)
    for profile, pack in (("hybrid", hybrid), ("keyword", keyword)):
        offer = InstalledSource(cache).resolve(Wanted(commit=commit, profile=profile))
        assert offer
        assert pack.bundle_digest == offer.bundle_digest


def test_the_case_of_a_repositorys_letters_tells_nothing_apart(
    checkout: Path, story: Story, place: Place, cache: BundleCache
) -> None:
    git(checkout, "remote", "set-url", "origin", "https://Example.org/Team/STORY.git")
    assert story.commits["four"] == pull(cache, checkout, place.publish("four")).installed.origin.commit
    assert pull(cache, checkout, InstalledSource(cache)).was_there
    assert aim_at(Aim(repository=REPOSITORY), ProjectCheckout(checkout)).repository == REPOSITORY
    found = locate(None, [], checkout, lambda: cache).installed
    assert found
    assert REPOSITORY == found.name


def test_a_download_that_broke_off_is_gone_on_from_by_the_next_pull(
    story: Story, place: Place, cache: BundleCache, tmp_path: Path
) -> None:
    place.publish("four")
    checkout = story.clone(tmp_path / "checkout")
    pack = story.packs["four"]
    name = f"/packs/{pack.digest[7:]}.hardtack"
    with BadServer(served(place.base), faults={name: cut_after(40_000)}) as server:
        source = source_of(server.url, replace(QUICK, limits=replace(QUICK.limits, tries=1)))
        with pytest.raises(SourceError, match="broke the connection off"):
            pull(cache, checkout, source)
        (kept,) = [path.stat().st_size for path in cache.tmp.iterdir() if path.is_file()]
        assert 0 < kept <= 40_000  # the system may drop what came last when a connection breaks off
        assert [] == cache.entries()
        server.faults.clear()
        assert pack.bundle_digest == pull(cache, checkout, source).installed.digest
        assert f"bytes={kept}-" == server.asked[-1][1]["range"]
    assert [] == [*cache.tmp.iterdir()]


# -- mirrors ------------------------------------------------------------------------------------------------------------------


def test_a_source_that_cannot_be_had_is_followed_by_the_next(
    checkout: Path, story: Story, place: Place, cache: BundleCache
) -> None:
    good = place.publish("four")
    told: list[str] = []
    with BadServer(served(place.base)) as gone, BadServer(served(place.base)) as broken, BadServer() as odd, BadServer() as empty:
        gone_url = gone.url
        odd.every = answers(418)
        broken.faults = {path: answers(503) for path in broken.files if path.startswith("/packs")}
        sources = [source_of(url, QUICK) for url in (gone_url, broken.url, odd.url, empty.url)]
        gone.files.clear()
        gone.every = answers(500)
        pulled = pull(cache, checkout, *sources, good, notice=told.append)
    assert (good.name, story.commits["four"]) == (pulled.source, pulled.installed.origin.commit)
    assert [gone_url, broken.url, odd.url] == [sentence.partition(": ")[0] for sentence in told]


@pytest.mark.parametrize("status", [401])
def test_a_refused_token_is_not_passed_over(checkout: Path, place: Place, cache: BundleCache, status: int) -> None:
    good = place.publish("four")
    with BadServer() as server:
        server.every = answers(status)
        with pytest.raises(SourceError, match="refuses the token"):
            pull(cache, checkout, source_of(server.url, QUICK), good)


def test_a_store_that_denies_what_it_has_not_is_searched_all_the_same(
    story: Story, place: Place, cache: BundleCache, tmp_path: Path
) -> None:
    """Buckets that may not be listed answer 403 where others answer 404."""
    checkout = story.clone(tmp_path / "checkout")
    place.publish("two")
    with BadServer(served(place.base)) as server:
        server.every = lambda exchange: (
            exchange.answer_well() if exchange.path in exchange.server.files else exchange.send(403, b"")
        )
        source = source_of(server.url, QUICK)
        assert story.commits["two"] == pull(cache, checkout, source).installed.origin.commit
        server.files.clear()
        with pytest.raises(SourceError, match="may not be read, or is not there"):
            pull(BundleCache(tmp_path / "other"), checkout, source)


@pytest.mark.parametrize("aim", ["head", "branch", "commit", "ref", "digest", "pack"])
def test_a_store_that_denies_what_it_has_not_is_followed_by_the_next(
    story: Story, place: Place, cache: BundleCache, tmp_path: Path, aim: str
) -> None:
    checkout = story.clone(tmp_path / "checkout", "main" if aim != "branch" else "origin/side~1")
    good = place.publish("four", main="two" if aim == "branch" else "four")
    four = story.packs["four"]
    aims = {
        "commit": Aim(commit=story.commits["four"]),
        "ref": Aim(ref="main"),
        "digest": Aim(digest=four.bundle_digest),
    }
    with BadServer(served(place.base) if aim == "pack" else {}) as server:
        server.every = lambda exchange: (
            exchange.answer_well() if exchange.path.startswith("/f1/commit") and aim == "pack" else exchange.send(403, b"")
        )
        pulled = pull(cache, checkout, source_of(server.url, QUICK), good, aim=aims.get(aim))
    assert (good.name, story.commits["two" if aim == "branch" else "four"]) == (pulled.source, pulled.installed.origin.commit)


def test_a_store_that_denies_a_digest_is_asked_for_the_commit(
    story: Story, place: Place, cache: BundleCache, tmp_path: Path
) -> None:
    place.publish("four")
    four = story.packs["four"]
    aim = Aim(repository=REPOSITORY, digest=four.bundle_digest, commit=story.commits["four"])
    with BadServer(served(place.base)) as server:
        server.faults = {path: answers(403) for path in server.files if path.startswith("/f1/bundle")}
        assert four.bundle_digest == pull(cache, None, source_of(server.url, QUICK), aim=aim).installed.digest


def test_when_nobody_could_be_asked_that_is_not_taken_for_nothing(checkout: Path, cache: BundleCache) -> None:
    with BadServer() as empty, BadServer() as down:
        down.every = answers(500)
        with pytest.raises(SourceError):
            pull(cache, checkout, source_of(empty.url, QUICK), source_of(down.url, QUICK))
        with pytest.raises(SourceError):
            pull(cache, checkout, source_of(down.url, QUICK), source_of(empty.url, QUICK))
        with pytest.raises(NotFound):
            pull(cache, checkout, source_of(empty.url, QUICK))


def test_a_mirror_with_other_bytes_costs_a_word_and_nothing_else(
    checkout: Path, place: Place, cache: BundleCache, tmp_path: Path
) -> None:
    good = place.publish("four")
    told: list[str] = []
    with BadServer(served(place.base)) as server:
        for path in server.files:
            if path.startswith("/packs"):
                server.files[path] = bytes(len(server.files[path]))
        bad = source_of(server.url, QUICK)
        assert good.name == pull(cache, checkout, bad, good, notice=told.append).source
        assert "other bytes than were promised" in told[0]
        other = BundleCache(tmp_path / "other")
        with pytest.raises(IntegrityError):
            pull(other, checkout, bad)
    assert [] == other.entries()
    assert [] == [*other.tmp.iterdir()]


# -- what is not believed -----------------------------------------------------------------------------------------------------


def _forged(pack: PackInfo, place: Path, message: str = "four", **provenance: Any) -> PackInfo:
    """The same bundle with a false provenance, in a pack of its own."""
    bundle = place / f"forged-{message}"
    shutil.copytree(pack.path.parent / "bundles" / message, bundle)
    manifest = parse_manifest((bundle / layout.MANIFEST).read_bytes())
    (bundle / layout.MANIFEST).chmod(0o644)
    changed = manifest._replace(provenance=manifest.provenance._replace(**provenance))
    (bundle / layout.MANIFEST).write_bytes(render_manifest(changed))
    return write_pack(bundle, place / f"{bundle.name}.hardtack")


@pytest.mark.parametrize(
    ("provenance", "why"),
    [
        ({"commit": "e" * 40}, "was built of eeeeeeeeeeee, not of"),
        ({"repository": "example.org/other/thing"}, r"was built of example\.org/other/thing, not of"),
        ({"is_dirty": True}, "files that were not committed"),
    ],
)
def test_a_pack_of_something_else_than_its_pointer_says_is_refused(
    story: Story, place: Place, cache: BundleCache, tmp_path: Path, provenance: dict[str, Any], why: str
) -> None:
    """The digests are right; the pointer is not."""
    checkout = story.clone(tmp_path / "checkout")
    forged = _forged(story.packs["four"], tmp_path, **provenance)
    Folder(place.base).upload(pointer_to(forged).path, forged.path, None)
    honest = replace(
        pointer_to(story.packs["four"]), pack_digest=forged.digest, bundle_digest=forged.bundle_digest, size=forged.size
    )
    Folder(place.base).write(f"f1/commit/{story.commits['four']}.json", render_pointer(honest))
    with pytest.raises(PolicyError, match=why):
        pull(cache, checkout, place.source)
    assert [] == cache.entries()
    assert [] == [*cache.tmp.iterdir()]


def test_a_pack_with_another_bundle_than_its_pointer_says_is_refused(
    checkout: Path, story: Story, place: Place, cache: BundleCache
) -> None:
    place.publish("four", "three")
    three, four = (pointer_to(story.packs[each]) for each in ("three", "four"))
    lying = replace(four, pack_digest=three.pack_digest, size=three.size)
    Folder(place.base).write(f"f1/commit/{story.commits['four']}.json", render_pointer(lying))
    with pytest.raises(IntegrityError, match="holds sha256:"):
        pull(cache, checkout, place.source, aim=Aim(commit=story.commits["four"]))
    assert [] == cache.entries()


@pytest.mark.parametrize("content", [b"", b"HTK\0", b"not a pack at all" * 1000, b"PK\x03\x04" + bytes(100)])
def test_what_is_no_pack_is_refused_though_its_digest_is_right(
    checkout: Path, story: Story, place: Place, cache: BundleCache, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "content").write_bytes(content)
    fake = replace(story.packs["four"], path=tmp_path / "content", size=len(content), digest=_digest(content))
    Folder(place.base).upload(pointer_to(fake).path, fake.path, None)
    Folder(place.base).write(f"f1/commit/{story.commits['four']}.json", render_pointer(pointer_to(fake)))
    with pytest.raises(BundleError):
        pull(cache, checkout, place.source)
    assert [] == cache.entries()


def test_a_refused_pointer_of_one_commit_does_not_hide_the_next(
    checkout: Path, story: Story, place: Place, cache: BundleCache
) -> None:
    place.publish("three")
    told: list[str] = []
    Folder(place.base).write(f"f1/commit/{story.commits['four']}.json", b"{}\n")
    pulled = pull(cache, checkout, place.source, notice=told.append)
    assert story.commits["three"] == pulled.installed.origin.commit
    assert "is not as it should be: format" in told[0]
    with pytest.raises(FormatError):
        pull(cache, checkout, place.source, aim=Aim(commit=story.commits["four"]))


def test_a_cache_that_others_may_write_to_is_not_pulled_into(checkout: Path, place: Place, cache: BundleCache) -> None:
    cache.root.mkdir()
    cache.root.chmod(0o777)
    with pytest.raises(PolicyError, match="can be written by everybody"):
        pull(cache, checkout, place.publish("four"))


# -- publishing and configuration -------------------------------------------------------------------------------------------------


def test_a_bundle_is_packed_to_be_published_and_a_pack_is_verified(story: Story, tmp_path: Path) -> None:
    pack = story.packs["four"]
    bundle = pack.path.parent / "bundles" / "four"
    for_builds = write_pack(bundle, tmp_path / "for-builds.hardtack", for_builds=True)
    for number, (thing, expected) in enumerate(((pack.path, pack), (bundle, for_builds))):
        info, published = publish(thing, StaticSource(Folder(tmp_path / str(number))), refs=["main"], commit=story.commits["four"])
        assert (expected.digest, expected.digest, pack.bundle_digest) == (info.digest, published.pack_digest, info.bundle_digest)
    damaged = bytearray(pack.path.read_bytes())
    damaged[-5000] ^= 1
    (tmp_path / "damaged.hardtack").write_bytes(damaged)
    with pytest.raises(BundleError):
        publish(tmp_path / "damaged.hardtack", StaticSource(Folder(tmp_path / "www")))
    assert not (tmp_path / "www").exists()


@pytest.mark.parametrize(
    ("provenance", "commit", "why"),
    [
        ({"is_dirty": True}, "", "not committed"),
        ({"commit": ""}, "", "not built of a commit"),
        ({"roots": ("a", "b")}, "", "not built of a commit"),
        ({}, "e" * 40, "not of eeeeeeeeeeee"),
    ],
)
def test_what_others_could_not_rely_on_is_not_published(
    story: Story, tmp_path: Path, provenance: dict[str, Any], commit: str, why: str
) -> None:
    forged = _forged(story.packs["four"], tmp_path, **provenance)
    with pytest.raises(PolicyError, match=why):
        publish(forged.path, StaticSource(Folder(tmp_path / "www")), commit=commit)
    assert not (tmp_path / "www").exists()


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("hardtack.toml", 'source = "https://a.example.org"', ("https://a.example.org",)),
        (
            "hardtack.toml",
            'source = ["https://a.example.org", "https://b.example.org"]',
            ("https://a.example.org", "https://b.example.org"),
        ),
        ("pyproject.toml", '[tool.hardtack]\nsource = "https://a.example.org"', ("https://a.example.org",)),
        ("pyproject.toml", '[tool]\nhardtack = "x"', ()),
        ("pyproject.toml", "tool = 1", ()),
        ("pyproject.toml", "", ()),
        ("other.toml", "", ()),
    ],
)
def test_a_checkout_names_its_sources(tmp_path: Path, file: str, text: str, expected: tuple[str, ...]) -> None:
    (tmp_path / file).write_text(text)
    assert expected == configured_sources(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "source = 1",
        "source = [1]",
        'source = ""',
        "source = [[]]",
        "x = [" * 5000,
        "\x00",
        f"source = {['x'] * 11}",
        "#" * 2_000_000,
        "a" + ".a" * 80_000 + " = 1",
        "a = {b" + ".b" * 20_000 + " = 1}",
        "a = " + "9" * 60_000,
    ],
)
def test_a_configuration_that_cannot_be_meant_is_one_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "hardtack.toml").write_text(text)
    with pytest.raises(HardtackError) as caught:
        configured_sources(tmp_path)
    assert 2 == caught.value.exit_code


def test_a_link_as_a_configuration_is_followed_within_the_checkout_only(tmp_path: Path) -> None:
    (outside := tmp_path / "outside.toml").write_text('source = "https://a.example.org"')
    (top := tmp_path / "top").mkdir()
    (top / "real.toml").write_text('source = "https://b.example.org"')
    (top / "hardtack.toml").symlink_to("real.toml")
    assert ("https://b.example.org",) == configured_sources(top)
    (top / "hardtack.toml").unlink()
    (top / "hardtack.toml").symlink_to(outside)
    with pytest.raises(UsageError, match="leads out of the checkout"):
        configured_sources(top)


@pytest.mark.parametrize("name", ["hardtack.toml", "pyproject.toml"])
def test_a_fifo_as_a_configuration_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(UsageError, match="it is no regular file"):
        configured_sources(tmp_path)


def _digest(data: bytes) -> str:
    from hardtack.bundle.format.digest import digest_of

    return digest_of(data)


def test_a_bundle_that_names_no_repository_is_not_published(tmp_path: Path, nameless: PackInfo) -> None:
    with pytest.raises(PolicyError, match="does not say of which repository it is") as refused:
        publish(nameless.path, StaticSource(Folder(tmp_path / "place")))
    assert "Give the checkout a remote called origin, and build again." == refused.value.hint
    assert not (tmp_path / "place").exists()
