"""A directory's own bundle: changed by one process at a time, and removed without a trace."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from own_work import made_own, users_cache

from hardtack.bundle.naming import OWN_PLACE, keep_name
from hardtack.bundle.placing import held_destination, is_being_built, keep_out_of_git, staging_directory
from hardtack.bundle.reader import open_bundle
from hardtack.errors import PolicyError, SourceError, UsageError
from hardtack.store.locate import Located, at_hand
from hardtack.store.own import claim, clear

_CLAIMANT = """
import sys
from pathlib import Path
from hardtack.store.own import claim
with claim(Path(sys.argv[1])):
    print(flush=True)
    input()
"""


@pytest.fixture
def own(pantry_bundle: Path, tmp_path: Path) -> Path:
    """A bundle in its directory's own place."""
    place = tmp_path / "jar" / OWN_PLACE
    shutil.copytree(pantry_bundle, place)
    keep_out_of_git(place.parent)
    (tmp_path / "jar" / "lid.py").write_text("lid = 1\n")
    return place


def _hashed(path: Path) -> Located:
    return Located(path=path, check="hashes")


def test_a_claim_is_for_one_at_a_time(own: Path) -> None:
    with claim(own.parents[1]):
        with pytest.raises(UsageError) as caught, claim(own.parents[1]):
            pass
        assert "BUILD_IN_PROGRESS" == caught.value.code
    with claim(own.parents[1]):
        pass


def test_a_claim_of_another_process_holds_until_that_ends(own: Path) -> None:
    other = subprocess.Popen([sys.executable, "-c", _CLAIMANT, str(own.parents[1])], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout and other.stdin
    other.stdout.readline()
    with pytest.raises(UsageError, match="being built"), claim(own.parents[1]):
        pass
    other.kill()
    other.wait()
    other.stdin.close(), other.stdout.close()
    with claim(own.parents[1]):
        pass


def test_what_is_being_built_by_hand_cannot_be_claimed(own: Path) -> None:
    with held_destination(own) as destination:
        with staging_directory(destination):
            assert is_being_built(destination)
            with pytest.raises(UsageError, match="being built"), claim(own.parents[1]):
                pass
        assert not is_being_built(destination)


def test_what_a_killed_build_left_keeps_nobody_off(own: Path) -> None:
    (own.parent / ".hardtack-staging-bundle-0123456789ab" / "bundle").mkdir(parents=True)
    with held_destination(own) as destination:
        assert not is_being_built(destination)


def test_a_claim_leaves_nothing_where_nothing_was(tmp_path: Path) -> None:
    with claim(tmp_path):
        assert (tmp_path / ".hardtack").is_dir()
    assert [] == list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_cannot_be_claimed(tmp_path: Path) -> None:
    (tmp_path / ".hardtack").write_text("a file")
    with pytest.raises(SourceError), claim(tmp_path):
        pass


def test_a_bundle_is_cleared_with_all_that_was_beside_it_and_the_source_stays(own: Path) -> None:
    keep_name(own.parent, "store.room")
    clear(_hashed(own))
    assert ["lid.py"] == [path.name for path in own.parent.parent.iterdir()]
    clear(_hashed(own))  # a second removal is no error


def test_what_else_lies_beside_a_bundle_stays(own: Path) -> None:
    (own.parent / "notes.txt").write_text("mine")
    clear(_hashed(own))
    assert {".gitignore", "notes.txt"} == {path.name for path in own.parent.iterdir()}


def test_a_bundle_that_is_cleared_can_be_read_on_by_who_has_it_open(own: Path) -> None:
    with open_bundle(own) as opened:
        clear(_hashed(own))
        file = opened.file_at("src/pantry/shelf.py")
        assert file is not None
        assert b"class Shelf" in opened.text_of(file)


def test_an_installed_bundle_is_cleared_and_one_that_was_only_named_is_not(pantry_bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(pantry_bundle, tmp_path / "installed")
    with pytest.raises(PolicyError):
        clear(_hashed(tmp_path / "installed"))
    assert (tmp_path / "installed" / "manifest.json").is_file()
    clear(Located(path=tmp_path / "installed", check="sizes"))
    assert [] == list(tmp_path.iterdir())


def test_what_is_no_bundle_and_nothing_else_is_not_cleared(own: Path) -> None:
    (own / "thesis.txt").write_text("years of work")
    with pytest.raises(PolicyError, match="nothing there was touched"):
        clear(_hashed(own))
    assert (own / "thesis.txt").is_file()


def test_a_link_to_a_bundle_elsewhere_is_not_followed(own: Path, pantry_bundle: Path) -> None:
    shutil.rmtree(own)
    own.symlink_to(pantry_bundle)
    with pytest.raises(PolicyError, match="is a link"):
        clear(_hashed(own))
    assert (pantry_bundle / "manifest.json").is_file()


def test_a_bundle_that_was_put_in_place_by_a_link_goes_with_the_link(own: Path) -> None:
    placed = own.parent / ".hardtack-placed-bundle-0123456789ab"
    own.rename(placed)
    own.symlink_to(placed.name)
    clear(_hashed(own))
    assert not own.parent.exists()


def test_a_bundle_that_is_being_built_is_not_cleared(own: Path) -> None:
    with claim(own.parents[1]), pytest.raises(UsageError, match="being built"):
        clear(_hashed(own))
    assert (own / "manifest.json").is_file()


def test_bundles_at_hand_have_names_of_their_own_and_say_what_is_wrong(own: Path, pantry_bundle: Path, tmp_path: Path) -> None:
    for name in ("jar", "broken"):
        shutil.copytree(pantry_bundle, tmp_path / "installed" / name)
    os.truncate(tmp_path / "installed" / "broken" / "manifest.json", 20)
    first, broken, second = at_hand([], [tmp_path / "installed"], [made_own(own).parent.parent], users_cache)
    assert ["jar", "broken", "jar-2"] == [first.name, broken.name, second.name]
    assert (own, True) == (first.located.path, first.digest == second.digest != "")
    assert (None, "") == (broken.manifest, broken.digest)
    assert "manifest.json" in broken.trouble


@pytest.mark.parametrize("linked", [".hardtack", ".hardtack/bundle"])
def test_nothing_is_claimed_or_cleared_through_a_link(own: Path, tmp_path: Path, linked: str) -> None:
    evil = tmp_path / "evil"
    (evil / linked).parent.mkdir(parents=True)
    (evil / linked).symlink_to(own.parents[1] / linked)
    with pytest.raises(PolicyError, match="is a link"), claim(evil):
        pass
    with pytest.raises(PolicyError, match="is a link"):
        clear(_hashed(evil / OWN_PLACE))
    assert (own / "manifest.json").is_file()
