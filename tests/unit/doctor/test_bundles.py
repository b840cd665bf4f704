"""Which bundles are found, why, and whether each is intact and up to date."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from checkouts import commit, init
from own_work import made_own, users_cache

from hardtack.bundle.packing import write_pack
from hardtack.bundle.reader import open_bundle
from hardtack.clients.table import Places
from hardtack.doctor import bundles
from hardtack.doctor.bundles import check_bundles, check_cache
from hardtack.doctor.findings import Finding, Surroundings
from hardtack.errors import FormatError
from hardtack.store.cache import BundleCache
from hardtack.store.install import install_pack

COMMITTED = 981173107  # the pantry's only commit
DAY = 86_400


def _look(start: Path, *, roots: list[Path] | None = None, now: float = COMMITTED + DAY, **environment: str) -> list[Finding]:
    places = Places(home=start, project=start, platform="linux")
    surroundings = Surroundings(start=start, environment=environment, roots=roots or [], places=places, now=now, cache=users_cache)
    return list(check_bundles(surroundings))


@pytest.fixture
def checkout(pantry: Path, pantry_bundle: Path, tmp_path: Path) -> Path:
    shutil.copytree(pantry, tmp_path / "pantry")
    made_own(Path(shutil.copytree(pantry_bundle, tmp_path / "pantry" / ".hardtack" / "bundle")))
    return tmp_path / "pantry"


def test_the_bundle_of_a_checkout_is_whole_and_current(checkout: Path) -> None:
    whole, encoder, current = _look(checkout / "src")
    assert {("ok", f"bundle {checkout}/.hardtack/bundle")} == {(each.status, each.about) for each in (whole, encoder, current)}
    assert whole.says.startswith(f"the one of {checkout}; ")
    assert ", all as built; format 1" in whole.says
    assert "its encoder static loads" == encoder.says
    assert "its commit is 1 day old and the one that is checked out" == current.says


def test_a_bundle_behind_its_checkout_is_a_warning_however_young_it_is(checkout: Path) -> None:
    command = [
        "git",
        "-C",
        str(checkout),
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "commit",
        "--quiet",
        "--allow-empty",
    ]
    subprocess.run([*command, "--message", "more"], check=True)
    *_, current = _look(checkout, now=COMMITTED)
    assert ("warning", "Run: hardtack build") == (current.status, current.remedy)
    with open_bundle(checkout / ".hardtack" / "bundle") as bundle:
        assert f"Index is of commit {bundle.manifest.provenance.commit[:12]}, 1 commit behind" in current.says


def test_a_damaged_bundle_is_a_problem_and_the_next_is_looked_at_all_the_same(checkout: Path, bare_bundle: Path) -> None:
    member = checkout / ".hardtack" / "bundle" / "chunks.msgpack"
    member.write_bytes(member.read_bytes()[:-1] + b"\xff")
    bad, whole, encoder, *_ = _look(checkout, roots=[bare_bundle.parent])
    assert ("problem", 3, True) == (bad.status, bad.exit_code, "chunks.msgpack" in bad.says)
    assert ("ok", "ok", "has no vectors: searches go by keyword") == (whole.status, encoder.status, encoder.says)


def test_a_bundle_is_followed_row_by_row(pantry_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise FormatError("A row points nowhere.", field="chunks")

    monkeypatch.setattr(bundles, "check_everything", refuse)
    (bad,) = _look(tmp_path, HARDTACK_BUNDLE=str(pantry_bundle))
    assert ("problem", "named by HARDTACK_BUNDLE; A row points nowhere.") == (bad.status, bad.says)


def test_why_a_bundle_is_at_hand_is_told(pantry_bundle: Path, bare_bundle: Path, tmp_path: Path) -> None:
    def reasons(**keywords: object) -> list[str]:
        found = _look(tmp_path, **keywords)  # type: ignore[arg-type]
        return [finding.says.partition("; ")[0] for finding in found if "all as built" in finding.says]

    assert ["named by HARDTACK_BUNDLE"] == reasons(HARDTACK_BUNDLE=str(pantry_bundle))
    assert ["the only one below HARDTACK_BUNDLE_PATH"] == reasons(roots=[pantry_bundle.parent])
    several = ["below HARDTACK_BUNDLE_PATH"] * 2
    assert several == reasons(roots=[pantry_bundle.parent, bare_bundle.parent])


def test_a_bundle_that_is_named_and_not_there_is_a_problem(tmp_path: Path) -> None:
    (missing,) = _look(tmp_path, HARDTACK_BUNDLE="nowhere")
    assert ("problem", 3, "HARDTACK_BUNDLE: There is no bundle at nowhere.") == (missing.status, missing.exit_code, missing.says)


def test_an_encoder_that_cannot_be_used_is_a_warning_and_no_service_is_called(pantry_bundle: Path, tmp_path: Path) -> None:
    _, encoder, *_ = _look(tmp_path, HARDTACK_BUNDLE=str(pantry_bundle), HARDTACK_ENCODER_RATE="many")
    assert ("warning", True) == (encoder.status, encoder.says.startswith("its encoder cannot be used, so searches go by keyword: "))


def test_an_installed_bundle_is_held_against_a_checkout_of_the_same_repository_alone(
    checkout: Path, pantry_bundle: Path, tmp_path: Path
) -> None:
    shutil.rmtree(checkout / ".hardtack")
    assert "its commit is 1 day old and the one that is checked out" == _look(checkout, roots=[pantry_bundle.parent])[-1].says
    commit(init(tmp_path / "other"))
    assert "its commit is 1 day old" == _look(tmp_path / "other", roots=[pantry_bundle.parent])[-1].says


def _look_at(cache: BundleCache | None, start: Path) -> list[Finding]:
    places = Places(home=start, project=start, platform="linux")
    around = Surroundings(start=start, environment={}, roots=[], places=places, now=4e9, cache=lambda: cache)
    return list(check_cache(around))


def test_the_users_bundles_are_counted_and_what_is_wrong_with_them_is_said(pantry_bundle: Path, tmp_path: Path) -> None:
    cache = BundleCache(tmp_path / "cache")
    assert [("ok", f"0 in {cache.root}")] == [(each.status, each.says) for each in _look_at(cache, tmp_path)]
    install_pack(cache, write_pack(pantry_bundle, tmp_path / "p.hardtack").path, name="n")
    assert [("ok", f"1 in {cache.root}")] == [(each.status, each.says) for each in _look_at(cache, tmp_path)]
    (cache.refs / "n.json").unlink()
    (cache.refs / "m.json").write_text('{"format": 1, "name": "n"}')
    record, stuck = _look_at(cache, tmp_path)
    assert ("warning", "problem", 3) == (record.status, stuck.status, stuck.exit_code)
    assert "m.json does not record the name that it is filed under." in record.says
    assert "nothing can be removed: " in stuck.says
    (cache.refs / "m.json").unlink()
    useless, count = _look_at(cache, tmp_path)
    assert ("warning", "ok") == (useless.status, count.status)
    assert ("Run: hardtack gc", f"0 in {cache.root}") == (useless.remedy, count.says)
    cache.refs.chmod(0o777)
    (refused,) = _look_at(cache, tmp_path)
    assert ("problem", 6) == (refused.status, refused.exit_code)
    (homeless,) = _look_at(None, tmp_path)
    assert ("warning", "Set HARDTACK_CACHE to a directory of your own.") == (homeless.status, homeless.remedy)
