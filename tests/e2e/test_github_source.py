"""Packs on GitHub: whose artifacts are taken, how they come, what lies in a release, and what may be put there."""

from __future__ import annotations

import hashlib
import io
import random
import struct
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from github import GitHub, Repository, Run, github_running, secondary_limit, zip_of

from hardtack.errors import FormatError, HardtackError, IntegrityError, PolicyError, SourceError, UsageError
from hardtack.store.sources import github_artifacts
from hardtack.store.sources.github import WORKFLOW, GitHubSource, parse_address
from hardtack.store.sources.github_names import pack_name, parse_pack_name
from hardtack.store.sources.requests import TransferLimits
from hardtack.store.sources.source import Published, Wanted

COMMIT, OTHER, OLDER = "a" * 40, "b" * 40, "c" * 40
NAME = pack_name(COMMIT, "hybrid")
PACK = b"HTK\0" + random.Random(7).randbytes(200_000)
QUICK = TransferLimits(window=20.0, least_speed=1, total=60.0, tries=3, first_backoff=0.01, longest_wait=2.0)


@dataclass
class Place:
    """A project on a GitHub of its own."""

    github: GitHub
    repository: Repository
    token: str
    tmp: Path = field(default_factory=Path)

    def source(self, token: str | None = None, **named: Any) -> GitHubSource:
        named = {"api": self.github.api, "server": "https://github.com", "limits": QUICK, **named}
        return GitHubSource("github:octo/pantry", token=self.token if token is None else token, **named)

    def run(self, sha: str = COMMIT, **fields: Any) -> Run:
        fields.setdefault("path", WORKFLOW)
        return self.github.add_run(self.repository, sha, **fields)

    def pull(self, wanted: Wanted | None = None, token: str | None = None) -> bytes:
        source = self.source(token)
        offer = source.resolve(wanted or Wanted(repository="github.com/octo/pantry", commit=COMMIT))
        assert offer is not None
        assert "github.com/octo/pantry" == offer.repository
        source.fetch(offer, self.tmp / "pack")
        return (self.tmp / "pack").read_bytes()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """The project ``octo/pantry``: ``main`` and ``release`` are protected, ``topic`` is not."""
    with github_running() as github:
        branches = {"main": (COMMIT, False), "release/1": (COMMIT, True), "topic": (COMMIT, False)}
        yield Place(github, github.add_repository("octo/pantry", branches=branches), github.token("read"), tmp_path)


# Artifacts


@pytest.mark.parametrize("zipped", [False, True], ids=["the file itself", "in a zip"])
def test_the_artifact_of_a_commit_comes_whole_and_no_other_host_is_told_the_token(place: Place, zipped: bool) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK, zipped=zipped)
    assert PACK == place.pull()
    (sent,) = place.github.asked("storage")
    assert "Authorization" not in sent.headers
    assert all(f"Bearer {place.token}" == request.headers["Authorization"] for request in place.github.asked("api"))


def test_a_zip_whose_digest_is_told_of_the_file_in_it_is_taken_as_well(place: Place) -> None:
    digest = f"sha256:{hashlib.sha256(PACK).hexdigest()}"
    place.github.add_artifact(place.repository, place.run(), NAME, PACK, zipped=True, digest=digest)
    assert PACK == place.pull()


@pytest.mark.parametrize("zipped", [False, True])
def test_other_bytes_than_github_keeps_are_refused_and_nothing_is_left(place: Place, zipped: bool) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK, zipped=zipped, digest=f"sha256:{'0' * 64}")
    with pytest.raises(IntegrityError, match="another digest than GitHub tells"):
        place.pull()
    assert [] == list(place.tmp.iterdir())


def _fork(place: Place, event: str = "pull_request") -> Run:
    fork = place.github.add_repository("mallory/pantry", branches={"main": (COMMIT, False)})
    return place.run(event=event, head_repository=fork)


REFUSED: dict[str, tuple[Callable[[Place], Run], str]] = {
    "a fork's pull request": (_fork, "for another repository"),
    "a fork, all else as it should be": (lambda place: _fork(place, "push"), "for another repository"),
    "a pull request of its own": (lambda place: place.run(event="pull_request", branch="topic"), "'pull_request' on 'topic'"),
    "a pull request into a trusted context": (lambda place: place.run(event="pull_request_target"), "'pull_request_target'"),
    "a run that another run started": (lambda place: place.run(event="workflow_run"), "'workflow_run'"),
    "another workflow": (lambda place: place.run(path=".github/workflows/lint.yml"), "lint.yml"),
    "an unprotected branch": (lambda place: place.run(branch="topic"), "'topic', which is not protected"),
    "a branch that is gone": (lambda place: place.run(branch="gone"), "'gone', which is not protected"),
    "a tag": (lambda place: place.run(branch="v1"), "'v1', which is not protected"),
    "a button on a branch": (lambda place: place.run(event="workflow_dispatch", branch="release/1"), "'workflow_dispatch'"),
    "another commit": (lambda place: place.run(OTHER), "another commit"),
}


@pytest.mark.parametrize("origin", REFUSED)
def test_an_artifact_of_the_right_name_from_elsewhere_is_refused_with_the_reason(place: Place, origin: str) -> None:
    make, reason = REFUSED[origin]
    place.run()  # the commit's own run, which kept nothing
    place.github.add_artifact(place.repository, make(place), NAME, PACK)
    with pytest.raises(PolicyError, match=reason) as caught:
        place.pull()
    assert WORKFLOW in caught.value.hint
    assert [] == place.github.asked("storage")


@pytest.mark.parametrize("origin", REFUSED)
def test_an_artifact_from_elsewhere_does_not_hide_the_right_one(place: Place, origin: str) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    place.github.add_artifact(place.repository, REFUSED[origin][0](place), NAME, b"HTK\0 of somebody else")
    assert PACK == place.pull()


@pytest.mark.parametrize(
    "fields",
    [{}, {"branch": "release/1"}, {"event": "workflow_dispatch"}, {"event": "schedule"}, {"path": f"{WORKFLOW}@refs/heads/main"}],
    ids=str,
)
def test_what_the_project_itself_made_is_taken(place: Place, fields: dict[str, str]) -> None:
    place.github.add_artifact(place.repository, place.run(**fields), NAME, PACK)
    assert PACK == place.pull()


def test_the_newest_of_several_wins_and_an_expired_one_counts_for_nothing(place: Place) -> None:
    run = place.run()
    for hour, expired in ((9, False), (10, False), (11, True)):
        fields: dict[str, Any] = {"created_at": f"2026-11-22T{hour:02}:00:00Z", "expired": expired}
        place.github.add_artifact(place.repository, run, NAME, PACK + b"%d" % hour, **fields)
    assert PACK + b"10" == place.pull()
    for artifact in place.repository.artifacts:
        artifact.expired = True
    assert place.source().resolve(Wanted(commit=COMMIT)) is None


def test_an_artifact_that_expires_between_the_look_and_the_download_is_said_to_be_gone(place: Place) -> None:
    artifact = place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    source = place.source()
    offer = source.resolve(Wanted(commit=COMMIT))
    artifact.expired = True
    assert offer
    with pytest.raises(SourceError, match="is not there \\(410\\)") as caught:
        source.fetch(offer, place.tmp / "pack")
    assert caught.value.is_temporary


def test_the_right_artifact_is_found_on_a_later_page(place: Place) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    fork = _fork(place)
    for _ in range(120):
        place.github.add_artifact(place.repository, fork, NAME, b"HTK\0 of somebody else")
    assert PACK == place.pull()
    assert 2 == sum("/actions/artifacts?" in request.target for request in place.github.asked("api"))


def test_hundreds_of_artifacts_of_a_forks_pull_request_do_not_hide_the_right_one(place: Place) -> None:
    right = place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    fork = _fork(place)
    for _ in range(320):
        place.github.add_artifact(place.repository, fork, NAME, b"HTK\0 of somebody else")
    assert PACK == place.pull()
    assert 12 > len(place.github.asked("api"))
    right.expired = True
    with pytest.raises(PolicyError, match="a fork perhaps"):
        place.source().resolve(Wanted(commit=COMMIT))


def test_who_is_not_logged_in_spends_no_request_on_each_commit_that_nothing_was_kept_of(place: Place) -> None:
    for number in range(130):
        place.run(f"{number:040x}")
    source = place.source("")
    assert [None] * 60 == [source.resolve(Wanted(commit=f"{number:040x}")) for number in range(60)]
    assert 3 == len(place.github.asked("api"))  # the runs, the releases, the artifacts
    place.github.add_artifact(place.repository, place.repository.runs[0], pack_name(f"{0:040x}", "hybrid"), PACK)
    with pytest.raises(SourceError, match="only to who is logged in"):
        place.source("").resolve(Wanted(commit=f"{0:040x}"))


def test_commits_without_a_run_cost_no_request_each_when_all_runs_are_known(place: Place) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    source = place.source()
    assert [None] * 30 == [source.resolve(Wanted(commit=f"{number:040x}")) for number in range(30)]
    assert 2 == len(place.github.asked("api"))  # the runs, the releases


def test_a_commit_older_than_the_runs_that_are_listed_is_asked_for_by_name(place: Place) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    for number in range(130):
        place.run(f"{number:040x}")
    assert PACK == place.pull()


def test_a_branch_means_its_newest_commit_that_has_an_artifact(place: Place) -> None:
    place.github.add_artifact(place.repository, place.run(OLDER), pack_name(OLDER, "hybrid"), PACK)
    place.run(OTHER, branch="topic")
    place.run(OTHER)
    offer = place.source().resolve(Wanted(ref="main"))
    assert offer is not None
    assert OLDER == offer.commit
    assert place.source().resolve(Wanted(ref="topic")) is None
    assert place.source().resolve(Wanted(ref="nowhere")) is None


def test_pull_requests_from_forks_branch_of_the_same_name_do_not_hide_what_is_on_the_branch(place: Place) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    fork = _fork(place).head_repository
    for number in range(12):
        run = place.run(f"{number:040x}", event="pull_request", head_repository=fork)
        place.github.add_artifact(place.repository, run, pack_name(run.head_sha, "hybrid"), b"HTK\0 of somebody else")
    assert PACK == place.pull(Wanted(ref="main"))


def test_a_wrong_artifact_beside_the_newest_commit_does_not_hide_that_of_the_one_before(place: Place) -> None:
    right = place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    theirs = place.run(OTHER, event="pull_request", head_repository=_fork(place).head_repository)
    place.github.add_artifact(place.repository, theirs, pack_name(OTHER, "hybrid"), b"HTK\0 of somebody else")
    place.run(OTHER)
    assert PACK == place.pull(Wanted(ref="main"))
    right.expired = True
    with pytest.raises(PolicyError, match="is there and not taken"):
        place.source().resolve(Wanted(ref="main"))


def test_a_tag_called_like_the_branch_does_not_make_its_commit_one_of_the_branch(place: Place) -> None:
    """GitHub calls a pushed tag's name the run's branch, and who may push tags may not always push to the branch."""
    place.github.add_artifact(place.repository, place.run(OLDER), pack_name(OLDER, "hybrid"), PACK)
    place.github.add_artifact(place.repository, place.run(OTHER), pack_name(OTHER, "hybrid"), b"HTK\0 of somebody else")
    place.repository.elsewhere.add(OTHER)
    with pytest.raises(PolicyError, match="its commit is not on the branch 'main'"):
        place.source().resolve(Wanted(commit=OTHER))
    assert PACK == place.pull(Wanted(ref="main"))


@pytest.mark.parametrize("event", ["workflow_dispatch", "schedule"])
def test_what_a_timer_or_a_button_made_is_found_by_the_default_branch(place: Place, event: str) -> None:
    place.run(OTHER)
    place.github.add_artifact(place.repository, place.run(event=event), NAME, PACK)
    assert PACK == place.pull(Wanted(ref="main"))


def test_another_profile_another_repository_and_a_digest_are_not_here(place: Place) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    for wanted in (
        Wanted(commit=COMMIT, profile="keyword"),
        Wanted(commit=COMMIT, repository="github.com/octo/other"),
        Wanted(digest=f"sha256:{'1' * 64}"),
    ):
        assert place.source().resolve(wanted) is None
    assert place.source().resolve(Wanted(commit=COMMIT, repository="github.com/Octo/Pantry"))


def test_without_a_token_a_public_artifact_is_seen_and_the_way_to_it_said(place: Place) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    with pytest.raises(SourceError, match="only to who is logged in") as caught:
        place.pull(token="")
    assert ("SOURCE_DENIED", True) == (caught.value.code, "gh auth login" in caught.value.hint)


def test_who_is_not_logged_in_learns_so_once_and_no_request_is_spent_on_it_again(place: Place) -> None:
    source = place.source("")
    for number in range(30):
        commit = f"{number:040x}"
        place.github.add_artifact(place.repository, place.run(commit), pack_name(commit, "hybrid"), PACK)
    place.github.add_asset(place.github.add_release(place.repository, "v1.0", COMMIT), NAME, PACK)

    def ask(number: int) -> bool:
        with pytest.raises(SourceError, match="only to who is logged in"):
            source.resolve(Wanted(commit=f"{number:040x}"))
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(30)))
    assert 1 == sum("/actions/artifacts?" in request.target for request in place.github.asked("api"))
    assert source.resolve(Wanted(commit=COMMIT))  # what a release has is found all the same


def test_a_private_repository_says_nothing_to_who_has_no_token_and_a_wrong_one_is_named(place: Place) -> None:
    place.repository.private = True
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    assert PACK == place.pull()
    with pytest.raises(SourceError, match="refuses the token") as caught:
        place.pull(token="made-up")
    assert 5 == caught.value.exit_code


# What goes wrong on the way


def _zip_with(change: Callable[[bytearray], None]) -> bytes:
    made = bytearray(zip_of({NAME: PACK}))
    change(made)
    return bytes(made)


def _directory(made: bytearray) -> int:
    return made.rindex(b"PK\x01\x02")


def _set(offset: int, form: str, value: int) -> Callable[[bytearray], None]:
    return lambda made: struct.pack_into(form, made, _directory(made) + offset, value)


def _bomb() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(NAME, bytes(30 << 20))
    return made.getvalue()


BAD_ZIPS: dict[str, tuple[bytes, type[HardtackError]]] = {
    "two files": (zip_of({NAME: PACK, "other": b""}), FormatError),
    "a folder": (zip_of({"folder/": b""}), FormatError),
    "a bomb": (_bomb(), PolicyError),
    "encrypted": (_zip_with(_set(8, "<H", 1)), FormatError),
    "bzip2": (zip_of({NAME: PACK}, zipfile.ZIP_BZIP2), FormatError),
    "lzma": (zip_of({NAME: PACK}, zipfile.ZIP_LZMA), FormatError),
    "a method nobody knows": (_zip_with(_set(10, "<H", 77)), FormatError),
    "a checksum that differs": (_zip_with(_set(16, "<I", 1)), FormatError),
    "an offset beyond the end": (_zip_with(_set(42, "<I", 0x7FFFFFFF)), FormatError),
    "a flipped bit": (_zip_with(lambda made: made.__setitem__(5000, made[5000] ^ 1)), FormatError),
    "no directory": (zip_of({NAME: PACK})[:-30], FormatError),
    "a directory of 4 GB": (_zip_with(lambda made: struct.pack_into("<I", made, len(made) - 10, 0xFFFFFF00)), FormatError),
    "an entry before its magic": (b"PK\x03\x04", FormatError),
}


@pytest.mark.parametrize("fault", BAD_ZIPS)
def test_a_zip_that_is_no_sound_zip_of_one_file_ends_in_one_error(
    place: Place, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github_artifacts, "PACK_LIMIT", 20 << 20)
    content, expected = BAD_ZIPS[fault]
    place.github.add_artifact(place.repository, place.run(), NAME, content, digest=None)
    with pytest.raises(expected):
        place.pull()
    assert [] == [path.name for path in place.tmp.iterdir() if path.name != "pack"]


def test_names_inside_a_zip_lead_nowhere(place: Place) -> None:
    content = zip_of({"../../outside": PACK})
    place.github.add_artifact(place.repository, place.run(), NAME, content, digest=None)
    assert PACK == place.pull()
    assert ["pack"] == [path.name for path in place.tmp.iterdir()]


def test_an_artifact_larger_than_is_taken_is_not_asked_for(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(github_artifacts, "PACK_LIMIT", 1000)
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    with pytest.raises(PolicyError, match="1000 are taken"):
        place.pull()
    assert [] == place.github.asked("storage")


@pytest.mark.parametrize("where", ["http://169.254.169.254/latest/meta-data", "file:///etc/passwd", "ftp://127.0.0.1/x"])
def test_a_download_that_is_sent_to_where_nothing_is_fetched_from_is_refused(place: Place, where: str) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    place.github.redirect_to = where
    with pytest.raises(PolicyError):
        place.pull()


def test_a_download_that_breaks_off_goes_on_from_there(place: Place) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    place.github.storage_faults = [lambda storage, content: storage.cut_after(content, 100_000) or True]
    assert PACK == place.pull()
    assert ["bytes=100000-"] == [each.headers["Range"] for each in place.github.asked("storage") if "Range" in each.headers]


def test_who_asks_too_fast_waits_as_long_as_github_wants(place: Place) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    place.github.refusals = [secondary_limit(403), secondary_limit(429)]
    assert PACK == place.pull()


@pytest.mark.parametrize("allowance", [0, 1, 2, 3])
def test_a_used_up_allowance_is_said_and_not_waited_for_by_the_half_hour(place: Place, allowance: int) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    place.github.allowance = allowance
    with pytest.raises(
        SourceError, match=r"asks for fewer requests \(403\), and wants to be left alone for 1[78]\d\d seconds"
    ) as caught:
        place.pull()
    assert caught.value.is_temporary


def test_an_answer_of_another_shape_is_an_error_that_names_the_field(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.github.add_artifact(place.repository, place.run(), NAME, PACK)
    honest = place.github._artifact
    monkeypatch.setattr(place.github, "_artifact", lambda *arguments: {**honest(*arguments), "expired": "no"})
    with pytest.raises(FormatError, match="'expired'"):
        place.pull()
    assert place.github.faults  # which the stand-in noticed as well
    place.github.faults.clear()


# Releases


def test_the_pack_of_a_tag_comes_from_its_release_without_a_token(place: Place) -> None:
    release = place.github.add_release(place.repository, "v1.0", COMMIT)
    place.github.add_asset(release, NAME, PACK)
    place.github.add_asset(release, "notes.txt", b"other things")
    assert PACK == place.pull(Wanted(ref="v1.0"), token="")
    assert PACK == place.pull(Wanted(commit=COMMIT), token="")
    assert place.source("").resolve(Wanted(ref="v1.0", profile="keyword")) is None
    assert place.source("").resolve(Wanted(ref="v2.0")) is None


def test_a_release_whose_tag_was_moved_is_refused(place: Place) -> None:
    release = place.github.add_release(place.repository, "v1.0", COMMIT)
    place.github.add_asset(release, NAME, PACK)
    place.repository.tags["v1.0"] = OTHER
    for wanted in (Wanted(ref="v1.0"), Wanted(commit=COMMIT)):
        with pytest.raises(PolicyError, match="that its tag names"):
            place.source().resolve(wanted)


def test_an_upload_that_never_ended_and_a_draft_are_no_packs(place: Place) -> None:
    release = place.github.add_release(place.repository, "v1.0", COMMIT)
    place.github.add_asset(release, NAME, PACK, state="open")
    draft = place.github.add_release(place.repository, "v1.1", COMMIT, draft=True)
    place.github.add_asset(draft, NAME, PACK)
    assert place.source().resolve(Wanted(ref="v1.0")) is None
    assert place.source().resolve(Wanted(ref="v1.1")) is None


def test_a_release_among_hundreds_is_found_by_the_commit(place: Place) -> None:
    place.github.add_asset(place.github.add_release(place.repository, "v0", COMMIT), NAME, PACK)
    for number in range(1, 230):
        place.github.add_release(place.repository, f"v{number}", OTHER)
    assert PACK == place.pull()


# Publishing


@dataclass
class Packed:
    path: Path
    digest: str
    size: int
    manifest: Any
    bundle_digest: str = f"sha256:{'2' * 64}"


@pytest.fixture
def packed(tmp_path: Path) -> Packed:
    """What ``write_pack`` tells of the pack of ``COMMIT``."""
    path = tmp_path / "built.hardtack"
    path.write_bytes(PACK)
    provenance = SimpleNamespace(repository="github.com/octo/pantry", commit=COMMIT)
    manifest = SimpleNamespace(provenance=provenance, options={"profile": "hybrid"})
    return Packed(path, f"sha256:{hashlib.sha256(PACK).hexdigest()}", len(PACK), manifest)


def _publish(place: Place, packed: Packed, *refs: str) -> Published:
    return place.source(place.github.token("write")).publish(packed, refs or ("v1.0",))


@pytest.mark.parametrize("draft", [False, True], ids=["release", "draft"])
def test_a_pack_is_uploaded_read_back_and_pulled(place: Place, packed: Packed, draft: bool) -> None:
    release = place.github.add_release(place.repository, "v1.0", COMMIT, draft=draft, immutable=draft)
    published = _publish(place, packed)
    assert (packed.digest, False, draft) == (published.pack_digest, published.already_there, bool(published.notes))
    assert [(NAME, PACK)] == [(asset.name, asset.content) for asset in release.assets]
    (upload,) = place.github.asked("uploads")
    assert str(len(PACK)) == upload.headers["Content-Length"]
    read_back = [each for each in place.github.asked("api") if each.headers.get("Accept") == "application/octet-stream"]
    assert [draft] == ["Authorization" in each.headers for each in read_back]  # anybody may read a public release
    release.draft = False
    place.repository.tags["v1.0"] = COMMIT
    assert PACK == place.pull(Wanted(ref="v1.0"), token="")


def test_publishing_again_sends_nothing(place: Place, packed: Packed) -> None:
    place.github.add_release(place.repository, "v1.0", COMMIT)
    _publish(place, packed)
    assert _publish(place, packed).already_there
    assert 1 == len(place.github.asked("uploads"))


def test_another_pack_of_that_name_is_not_replaced(place: Place, packed: Packed) -> None:
    release = place.github.add_release(place.repository, "v1.0", COMMIT)
    place.github.add_asset(release, NAME, b"HTK\0 another")
    with pytest.raises(PolicyError, match="is not replaced"):
        _publish(place, packed)


def test_an_upload_that_breaks_off_is_cleared_by_the_next(place: Place, packed: Packed) -> None:
    release = place.github.add_release(place.repository, "v1.0", COMMIT)
    place.github.half_uploads = 1
    with pytest.raises(SourceError):
        _publish(place, packed)
    assert ["open"] == [asset.state for asset in release.assets]
    assert not _publish(place, packed).already_there
    assert [PACK] == [asset.content for asset in release.assets]


def test_what_comes_back_otherwise_than_it_was_sent_is_an_error(place: Place, packed: Packed) -> None:
    place.github.add_release(place.repository, "v1.0", COMMIT)
    place.github.storage_faults = [lambda storage, content: storage.send(200, {}, content[:-1] + b"x") or True] * 2
    with pytest.raises(IntegrityError, match="other bytes"):
        _publish(place, packed)


REFUSALS: dict[str, tuple[Callable[[Place, Packed], None], type[HardtackError], str]] = {
    "no release": (lambda place, packed: place.repository.releases.clear(), UsageError, "no release"),
    "another commit": (lambda place, packed: place.repository.tags.update({"v1.0": OTHER}), PolicyError, "not of the commit"),
    "an immutable release": (
        lambda place, packed: setattr(place.repository.releases[0], "immutable", True),
        PolicyError,
        "immutable",
    ),
    "a project elsewhere": (
        lambda place, packed: setattr(packed.manifest.provenance, "repository", "example.org/a/b"),
        PolicyError,
        "another",
    ),
    "a project without a name": (
        lambda place, packed: setattr(packed.manifest.provenance, "repository", ""),
        PolicyError,
        "another",
    ),
    "a private project": (
        lambda place, packed: setattr(packed.manifest.provenance, "repository", "github.com/octo/vault"),
        PolicyError,
        "private repository github.com/octo/vault",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_may_not_be_published_is_refused_before_a_byte_is_sent(place: Place, packed: Packed, case: str) -> None:
    place.github.add_repository("octo/vault", private=True)
    place.github.add_release(place.repository, "v1.0", COMMIT)
    arrange, error, said = REFUSALS[case]
    arrange(place, packed)
    with pytest.raises(error, match=said):
        _publish(place, packed)
    assert [] == place.github.asked("uploads")


def test_a_token_that_may_not_write_and_none_at_all_are_told_apart(place: Place, packed: Packed) -> None:
    place.github.add_release(place.repository, "v1.0", COMMIT)
    with pytest.raises(SourceError, match="not accessible by integration"):
        place.source().publish(packed, ["v1.0"])
    with pytest.raises(UsageError, match="needs a token"):
        place.source("").publish(packed, ["v1.0"])
    with pytest.raises(UsageError, match="one tag") as caught:
        place.source().publish(packed, [])
    assert "Artifacts are written by a workflow's upload step" in caught.value.hint


def test_an_upload_address_of_another_host_is_told_no_token(place: Place, packed: Packed) -> None:
    place.github.add_release(place.repository, "v1.0", COMMIT)
    place.github.uploads = place.github.storage  # 127.0.0.2, and the API is 127.0.0.1
    with pytest.raises(PolicyError, match="no host of its own"):
        _publish(place, packed)
    assert [] == place.github.asked("storage")


def test_a_release_that_is_full_says_so(place: Place, packed: Packed) -> None:
    release = place.github.add_release(place.repository, "v1.0", COMMIT)
    place.github.assets_taken = 3
    for number in range(3):
        place.github.add_asset(release, f"{number}.txt", b"")
    with pytest.raises(SourceError, match="422"):
        _publish(place, packed)


# Names


def test_a_pack_is_named_by_format_commit_and_profile_and_by_nothing_else() -> None:
    assert f"hardtack-f1-{COMMIT}-hybrid.hardtack" == NAME
    assert (COMMIT, "hybrid") == parse_pack_name(NAME)
    for name in ("", NAME.upper(), NAME + "x", NAME.replace("f1", "f2"), NAME.replace(COMMIT, "main"), f"../{NAME}"):
        assert parse_pack_name(name) is None


def test_addresses_are_repositories_with_a_workflow_if_need_be() -> None:
    assert ("octo/pantry", WORKFLOW) == parse_address("github:octo/pantry")
    assert ("octo/pantry", "x/y.yml") == parse_address("github:octo/pantry?workflow=x/y.yml")
    for address in (
        "octo/pantry",
        "github:octo",
        "github:octo/pantry/x",
        "github:octo/..",
        "github:octo/pantry?x=1",
        "github://h/o/n",
        "github://[x",
    ):
        with pytest.raises(UsageError):
            parse_address(address)
