"""Where a bundle is found, and which checks it needs there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from checkouts import commit, git, init, write
from own_work import made_own, users_cache

from hardtack.bundle.packing import PackInfo
from hardtack.errors import BundleNotFound, IntegrityError, PolicyError
from hardtack.store.cache import BundleCache
from hardtack.store.collect import GRACE, collect
from hardtack.store.install import install_pack
from hardtack.store.locate import Located, at_hand, locate, locate_all, open_located, origin_of, passed_over


def _bundle(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "manifest.json").touch()
    return path


@pytest.fixture
def roots(tmp_path: Path) -> list[Path]:
    """Two roots of installed bundles; one does not exist."""
    _bundle(tmp_path / "installed" / "gin")
    (tmp_path / "installed" / "no-bundle").mkdir()
    return [tmp_path / "missing", tmp_path / "installed"]


def test_a_bundle_is_found_by_its_path_and_hashed(tmp_path: Path) -> None:
    path = _bundle(tmp_path / "bundle")
    assert Located(path=path, check="hashes") == locate(str(path), [], tmp_path)


def test_a_directory_that_was_built_leads_to_its_bundle(tmp_path: Path) -> None:
    path = _bundle(tmp_path / "source" / ".hardtack" / "bundle")
    assert path == locate(str(tmp_path / "source"), [], tmp_path).path


def test_a_name_is_looked_up_among_the_installed_bundles_which_were_hashed_before(
    tmp_path: Path, roots: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Located(path=tmp_path / "installed" / "gin", check="sizes") == locate("gin", roots, tmp_path)


def test_a_directory_of_that_name_comes_before_an_installed_bundle(
    tmp_path: Path, roots: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _bundle(tmp_path / "gin")
    assert Located(path=Path("gin"), check="hashes") == locate("gin", roots, tmp_path)


def test_a_path_below_a_root_is_trusted_however_it_is_spelt(tmp_path: Path, roots: list[Path]) -> None:
    spelt = tmp_path / "installed" / "no-bundle" / ".." / "gin"
    assert "sizes" == locate(str(spelt), roots, tmp_path).check


def test_a_link_that_leads_out_of_a_root_is_not_trusted(tmp_path: Path, roots: list[Path]) -> None:
    (tmp_path / "installed" / "link").symlink_to(_bundle(tmp_path / "elsewhere"))
    assert "hashes" == locate(str(tmp_path / "installed" / "link"), roots, tmp_path).check


def test_a_name_that_leads_nowhere_is_handed_on_for_the_reader_to_refuse(tmp_path: Path, roots: list[Path]) -> None:
    assert Located(path=Path("echo"), check="hashes") == locate("echo", roots, tmp_path)


def test_without_a_name_the_nearest_bundle_above_is_taken(tmp_path: Path, roots: list[Path]) -> None:
    outer = made_own(_bundle(tmp_path / "a" / ".hardtack" / "bundle"))
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    assert Located(path=outer, check="hashes", is_own=True) == locate(None, roots, deep, users_cache)
    inner = made_own(_bundle(tmp_path / "a" / "b" / ".hardtack" / "bundle"))
    assert inner == locate(None, roots, deep, users_cache).path


def test_without_a_bundle_above_the_only_installed_one_is_taken(tmp_path: Path, roots: list[Path]) -> None:
    assert Located(path=tmp_path / "installed" / "gin", check="sizes") == locate(None, roots, tmp_path)


def test_a_root_may_be_a_bundle_itself(tmp_path: Path) -> None:
    root = _bundle(tmp_path / "image")
    assert Located(path=root, check="sizes") == locate(None, [root], tmp_path)


def test_of_several_installed_bundles_one_must_be_named(tmp_path: Path, roots: list[Path]) -> None:
    _bundle(tmp_path / "installed" / "axum")
    with pytest.raises(BundleNotFound) as refused:
        locate(None, roots, tmp_path)
    assert "Several bundles are installed and none was named." == str(refused.value)
    assert "Name one with -b: axum, gin" == refused.value.hint


def test_where_there_is_none_the_way_to_build_one_is_shown(tmp_path: Path) -> None:
    with pytest.raises(BundleNotFound, match=r"There is no bundle in or above ") as refused:
        locate(None, [], tmp_path)
    assert "Build one with: hardtack build SRC" == refused.value.hint


# -- a checkout inside another ----------------------------------------------------------------------------------------------------


def _worktree(outer: Path) -> Path:
    git(outer, "worktree", "add", "-q", "-b", "other", outer / "trees" / "other")
    return outer / "trees" / "other"


def _submodule(outer: Path) -> Path:
    library = write(outer.parent / "library", {"lib.c": "int one;\n"})
    init(library)
    commit(library)
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "third_party/library")
    return outer / "third_party" / "library"


def _repository_of_its_own(outer: Path) -> Path:
    init(outer / "playground")
    return outer / "playground"


def _pointer_to_nowhere(outer: Path) -> Path:
    write(outer / "mounted", {".git": "gitdir: /of/the/host/.git/worktrees/mounted\n"})
    return outer / "mounted"


def _link_into_another(outer: Path) -> Path:
    elsewhere = outer.parent / "elsewhere"
    init(elsewhere)
    (outer / "link").symlink_to(elsewhere)
    return outer / "link"


@pytest.mark.parametrize("nested", [_worktree, _submodule, _repository_of_its_own, _pointer_to_nowhere, _link_into_another])
def test_a_checkout_inside_another_never_answers_from_the_outer_ones_bundle(
    nested: Callable[[Path], Path], tmp_path: Path, roots: list[Path]
) -> None:
    outer = write(tmp_path / "outer", {"main.c": "int main;\n"})
    init(outer)
    commit(outer)
    made_own(_bundle(outer / ".hardtack" / "bundle"))
    inner = nested(outer)
    deep = inner / "a" / "b"
    deep.mkdir(parents=True)
    for start in (inner, deep):
        with pytest.raises(BundleNotFound):
            locate(None, [], start, users_cache)
        assert [] == locate_all([], [], [start], users_cache)
        assert "gin" == locate(None, roots, start, users_cache).path.name
    own = made_own(_bundle(Path(os.path.realpath(inner)) / ".hardtack" / "bundle"))
    found = [each.path for each in locate_all([], [], [deep], users_cache)]
    assert (own, [own]) == (locate(None, roots, deep, users_cache).path, found)


def test_whose_bundle_was_not_taken_is_said(tmp_path: Path) -> None:
    _bundle(tmp_path / ".hardtack" / "bundle")
    init(tmp_path / "inner")
    with pytest.raises(BundleNotFound) as refused:
        locate(None, [], tmp_path / "inner")
    assert f"There is no bundle of {tmp_path}/inner; the one in {tmp_path} is of another working tree." == str(refused.value)


def test_a_directory_called_git_that_git_would_pass_by_begins_no_checkout(tmp_path: Path) -> None:
    bundle = made_own(_bundle(tmp_path / ".hardtack" / "bundle"))
    (tmp_path / "inner" / ".git").mkdir(parents=True)
    assert bundle == locate(None, [], tmp_path / "inner", users_cache).path


# -- the user's cache -------------------------------------------------------------------------------------------------------------


def _checkout(path: Path, url: str = "") -> Path:
    init(path)
    if url:
        git(path, "remote", "add", "origin", url)
    return path


@pytest.fixture
def filled(cache: BundleCache, hybrid: PackInfo, tmp_path: Path, of_repository: Callable[[str, Path], PackInfo]) -> BundleCache:
    """A cache with bundles of ``example.org/ship/tiny``, ``github.com/Owner/api`` and ``github.com/other/api``."""
    install_pack(cache, hybrid.path)
    for owner in ("Owner", "other"):
        install_pack(cache, of_repository(f"github.com/{owner}/api", tmp_path / f"{owner}.hardtack").path)
    return cache


def _named(cache: BundleCache, name: str, start: Path) -> str:
    installed = locate(name, [], start, lambda: cache).installed
    assert installed
    return installed.name


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("example.org/ship/tiny", "example.org/ship/tiny"),
        ("ship-tiny", "example.org/ship/tiny"),
        ("ship/tiny", "example.org/ship/tiny"),
        ("tiny", "example.org/ship/tiny"),
        ("Owner/api", "github.com/Owner/api"),
        ("other-api", "github.com/other/api"),
    ],
)
def test_an_installed_bundle_is_called_by_its_name_or_the_end_of_it(
    filled: BundleCache, tmp_path: Path, called: str, name: str
) -> None:
    assert name == _named(filled, called, tmp_path)


def test_an_installed_bundle_is_called_by_its_digest_and_no_other_is_read_in_its_place(
    filled: BundleCache, hybrid: PackInfo, keyword: PackInfo, tmp_path: Path
) -> None:
    located = locate(hybrid.bundle_digest, [], tmp_path, lambda: filled)
    assert ("sizes", hybrid.bundle_digest, "ship-tiny") == (located.check, located.digest, located.name)
    other = install_pack(BundleCache(tmp_path / "second"), keyword.path)
    located.path.rename(tmp_path / "moved")
    other.path.rename(located.path)
    with pytest.raises(IntegrityError, match="not the bundle asked for"):
        open_located(lambda: locate("ship-tiny", [], tmp_path, lambda: filled))


def test_a_name_that_several_installed_bundles_have_is_refused_with_their_names(filled: BundleCache, tmp_path: Path) -> None:
    with pytest.raises(BundleNotFound) as caught:
        locate("api", [], tmp_path, lambda: filled)
    assert "Name one with -b: github.com/Owner/api, github.com/other/api" == caught.value.hint


@pytest.mark.parametrize("name", ["nope", "../refs", "sha256:" + "0" * 64, "a\0b", "x" * 5000, ""])
def test_what_nothing_is_called_is_looked_for_as_a_path(filled: BundleCache, tmp_path: Path, name: str) -> None:
    start = _checkout(tmp_path / "lost", "https://example.org/a/b")
    with pytest.raises(BundleNotFound):
        open_located(lambda: locate(name, [], start, lambda: filled))


def test_in_a_checkout_its_own_bundle_is_meant_and_never_another_repositorys(filled: BundleCache, tmp_path: Path) -> None:
    start = _checkout(tmp_path / "api", "git@github.com:Owner/api.git") / "src"
    start.mkdir()
    assert "github.com/Owner/api" == _found(filled, start)
    with pytest.raises(BundleNotFound, match=r"none of gitlab.com/a/b is installed"):
        locate(None, [], _checkout(tmp_path / "b", "https://gitlab.com/a/b"), lambda: filled)


def _found(cache: BundleCache, start: Path) -> str:
    installed = locate(None, [], start, lambda: cache).installed
    return installed.name if installed else ""


def test_outside_of_a_checkout_the_only_bundle_is_meant(
    cache: BundleCache, hybrid: PackInfo, nameless: PackInfo, tmp_path: Path
) -> None:
    with pytest.raises(BundleNotFound, match="no bundle in or above"):
        locate(None, [], tmp_path, lambda: cache)
    install_pack(cache, hybrid.path)
    assert "example.org/ship/tiny" == _found(cache, tmp_path) == _found(cache, _checkout(tmp_path / "unpublished"))
    install_pack(cache, nameless.path)
    with pytest.raises(BundleNotFound, match="Several bundles are installed"):
        locate(None, [], tmp_path, lambda: cache)


def test_what_is_named_or_below_a_root_is_found_without_the_cache(filled: BundleCache, tmp_path: Path, roots: list[Path]) -> None:
    def asked() -> BundleCache:
        raise AssertionError("the cache was asked for")

    own = _bundle(tmp_path / "source" / ".hardtack" / "bundle")
    assert own == locate(str(tmp_path / "source"), [], tmp_path, asked).path
    assert own == locate(None, [tmp_path / "source" / ".hardtack"], tmp_path / "source", asked).path
    assert tmp_path / "installed" / "gin" == locate(None, roots, tmp_path, asked).path
    assert own == locate(str(own), roots, tmp_path, asked).path


def test_all_that_are_at_hand_begin_with_the_nearest_and_then_the_checkouts_own(
    filled: BundleCache, tmp_path: Path, roots: list[Path]
) -> None:
    start = _checkout(tmp_path / "work" / "api", "https://github.com/other/api")
    names = [each.name for each in locate_all([], roots, [start], lambda: filled)]
    assert ["gin", "other-api", "ship-tiny", "Owner-api"] == names
    own = made_own(_bundle(start / ".hardtack" / "bundle"), filled)
    assert [own] == [each.path for each in locate_all([], [], [start], lambda: filled)][:1]
    assert {"api": True, "other-api": False} == {
        each.name: bool(each.trouble) for each in at_hand([], [], [start], lambda: filled) if each.name in ("api", "other-api")
    }


def test_a_bundle_under_two_names_is_at_hand_once(cache: BundleCache, hybrid: PackInfo, tmp_path: Path) -> None:
    install_pack(cache, hybrid.path)
    install_pack(cache, hybrid.path, name="zeta")
    assert ["ship-tiny"] == [each.name for each in locate_all([], [], [tmp_path], lambda: cache)]
    assert "zeta" == _named(cache, "zeta", tmp_path)


def test_a_cache_that_others_can_write_to_is_not_read_from(filled: BundleCache, tmp_path: Path, roots: list[Path]) -> None:
    filled.refs.chmod(0o777)
    for ask in (lambda: locate("tiny", [], tmp_path, lambda: filled), lambda: locate_all([], [], [tmp_path], lambda: filled)):
        with pytest.raises(PolicyError):
            ask()
    assert ["gin"] == [each.name for each in locate_all([], roots, [tmp_path], lambda: filled)]


def test_a_bundle_that_is_replaced_and_collected_while_it_is_opened_is_looked_for_again(
    cache: BundleCache, hybrid: PackInfo, keyword: PackInfo, tmp_path: Path
) -> None:
    install_pack(cache, hybrid.path)
    looks: list[Located] = []

    def find() -> Located:
        located = locate(None, [], tmp_path, lambda: cache)
        if not looks:
            install_pack(cache, keyword.path)
            assert 1 == collect(cache, now=time.time() + 2 * GRACE).bundles
        looks.append(located)
        return located

    with open_located(find) as bundle:
        assert (keyword.bundle_digest, "ship-tiny", 2) == (bundle.digest, bundle.name, len(looks))


def test_a_pack_is_located_by_its_file_and_called_after_it(hybrid: PackInfo, tmp_path: Path) -> None:
    assert [("hybrid", "hashes")] == [(each.name, each.check) for each in locate_all([str(hybrid.path)], [], [])]
    with open_located(lambda: locate(str(hybrid.path), [], tmp_path)) as bundle:
        assert ("hybrid", hybrid.bundle_digest) == (bundle.name, bundle.digest)


def test_finding_an_installed_bundle_loads_nothing_that_installs(cache: BundleCache, hybrid: PackInfo, tmp_path: Path) -> None:
    install_pack(cache, hybrid.path, name="demo")
    script = (
        "import sys; from pathlib import Path; from hardtack.store.locate import locate\n"
        "def cache():\n    from hardtack.store.cache import BundleCache\n    return BundleCache(Path(sys.argv[1]))\n"
        "assert locate('demo', [], Path.cwd(), cache).installed\nprint(*sys.modules, sep='\\n')"
    )
    command = [sys.executable, "-c", script, str(cache.root)]
    loaded = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()
    assert "hardtack.store.cache" in loaded
    writers = {"hardtack.store.cache_writing", "hardtack.store.install", "hardtack.store.scratch", "hardtack.bundle.placing"}
    assert set() == {*writers, "filelock", "platformdirs", "urllib3", "subprocess"} & {*loaded}


# -- bundles that a repository brings ---------------------------------------------------------------------------------------------


def _brought(pantry_bundle: Path, tree: Path) -> Path:
    """A checkout with a bundle that its user did not build there."""
    init(tree)
    shutil.copytree(pantry_bundle, tree / ".hardtack" / "bundle")
    return tree


def test_a_bundle_that_the_repository_brings_is_refused_with_whose_it_says_it_is(pantry_bundle: Path, tmp_path: Path) -> None:
    place = _brought(pantry_bundle, tmp_path / "tree") / ".hardtack" / "bundle"
    cache = BundleCache(tmp_path / "cache")
    with pytest.raises(PolicyError) as refused:
        locate(None, [], tmp_path / "tree", lambda: cache)
    assert f"The bundle {place} is not taken, since it is not one that you built there." == str(refused.value)
    assert f"name it: -b {tmp_path / 'tree'}" in refused.value.hint
    assert [] == locate_all([], [], [tmp_path / "tree"], lambda: cache)
    assert 1 == len(passed_over([tmp_path / "tree"], [], lambda: cache))
    assert "hashes" == locate(str(tmp_path / "tree"), [], tmp_path, lambda: cache).check


def test_a_bundle_that_one_built_elsewhere_is_a_strangers_in_a_clone(pantry_bundle: Path, tmp_path: Path) -> None:
    cache = BundleCache(tmp_path / "cache")
    made_own(_brought(pantry_bundle, tmp_path / "tree") / ".hardtack" / "bundle", cache)
    assert locate(None, [], tmp_path / "tree", lambda: cache).is_own
    shutil.copytree(tmp_path / "tree", tmp_path / "clone")
    with pytest.raises(PolicyError, match="not one that you built there"):
        locate(None, [], tmp_path / "clone", lambda: cache)


@pytest.mark.parametrize("linked", [".hardtack", ".hardtack/bundle"])
def test_a_link_to_a_bundle_of_ones_own_elsewhere_is_a_strangers(pantry_bundle: Path, tmp_path: Path, linked: str) -> None:
    cache = BundleCache(tmp_path / "cache")
    made_own(_brought(pantry_bundle, tmp_path / "tree") / ".hardtack" / "bundle", cache)
    evil = _checkout(tmp_path / "evil")
    (evil / linked).parent.mkdir(exist_ok=True)
    (evil / linked).symlink_to(tmp_path / "tree" / linked)
    with pytest.raises(PolicyError, match="not one that you built there"):
        locate(None, [], evil, lambda: cache)


def test_a_strangers_bundle_does_not_hide_ones_own_above_it_and_is_spoken_of(pantry_bundle: Path, tmp_path: Path) -> None:
    cache = BundleCache(tmp_path / "cache")
    own = made_own(_brought(pantry_bundle, tmp_path / "tree") / ".hardtack" / "bundle", cache)
    shutil.copytree(pantry_bundle, tmp_path / "tree" / "sub" / ".hardtack" / "bundle")
    located = locate(None, [], tmp_path / "tree" / "sub", lambda: cache)
    assert own == located.path
    assert str(tmp_path / "tree" / "sub" / ".hardtack" / "bundle") in located.passed_over


def test_a_strangers_bundle_does_not_hide_an_installed_one(pantry_bundle: Path, filled: BundleCache, tmp_path: Path) -> None:
    tree = _brought(pantry_bundle, tmp_path / "tree")
    git(tree, "remote", "add", "origin", "https://github.com/Owner/api")
    located = locate(None, [], tree, lambda: filled)
    assert "github.com/Owner/api" == (located.installed and located.installed.name)
    assert "is not one that you built there" in located.passed_over


def test_what_takes_the_place_of_ones_own_before_it_is_opened_is_refused(
    pantry_bundle: Path, bare_bundle: Path, tmp_path: Path
) -> None:
    cache = BundleCache(tmp_path / "cache")
    own = made_own(_brought(pantry_bundle, tmp_path / "tree") / ".hardtack" / "bundle", cache)
    located = locate(None, [], tmp_path / "tree", lambda: cache)
    shutil.rmtree(own)
    shutil.copytree(bare_bundle, own)
    with pytest.raises(PolicyError, match="not one that you built there"):
        open_located(lambda: located, cache=lambda: cache)


def test_without_a_cache_that_can_be_trusted_no_bundle_is_ones_own(pantry_bundle: Path, tmp_path: Path) -> None:
    cache = BundleCache(tmp_path / "cache")
    own = made_own(_brought(pantry_bundle, tmp_path / "tree") / ".hardtack" / "bundle", cache)
    with pytest.raises(PolicyError, match=r"nothing shows that you built it there \(.*no home directory"):
        locate(None, [], tmp_path / "tree", lambda: None)
    cache.root.chmod(0o777)
    with pytest.raises(PolicyError, match=r"nothing shows that you built it there \(.*can be written by everybody"):
        locate(None, [], tmp_path / "tree", lambda: cache)
    located = locate(str(tmp_path / "tree"), [], tmp_path, lambda: None)
    assert ("unknown", own) == (origin_of(located, "", lambda: None), located.path)


def test_who_answers_for_a_bundle_is_told(pantry_bundle: Path, filled: BundleCache, tmp_path: Path) -> None:
    def origin(name: str, roots: list[Path]) -> str:
        located = locate(name, roots, tmp_path, lambda: filled)
        with open_located(lambda: located, cache=lambda: filled) as bundle:
            return origin_of(located, bundle.digest, lambda: filled)

    tree = _brought(pantry_bundle, tmp_path / "tree")
    assert "unknown" == origin(str(tree), [])
    assert "bundle path" == origin(str(tree), [tree])
    assert "installed" == origin("ship-tiny", [])
    made_own(tree / ".hardtack" / "bundle", filled)
    assert "you" == origin(str(tree), [])
