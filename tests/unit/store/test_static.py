"""Static sources: what is published, in which order, and which pointers are accepted."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bad_server import BadServer, answers
from hypothesis import given
from hypothesis import strategies as st

from hardtack.bundle.packing import PackInfo
from hardtack.errors import FormatError, HardtackError, IntegrityError, PolicyError, SourceError, UnsupportedFormat, UsageError
from hardtack.store.sources.folder import Folder
from hardtack.store.sources.named import SourceSettings, source_of, sources_for, target_of
from hardtack.store.sources.pointer import Pointer, commit_path, parse_pointer, pointer_to, ref_path, render_pointer
from hardtack.store.sources.requests import TransferLimits
from hardtack.store.sources.source import Wanted
from hardtack.store.sources.static import StaticSource

SETTINGS = SourceSettings(limits=TransferLimits(window=1, tries=2, first_backoff=0.01))


def files_of(place: Path) -> dict[str, bytes]:
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def served(place: Path) -> dict[str, bytes]:
    return {f"/{name}": data for name, data in files_of(place).items()}


def document_of(pack: PackInfo) -> dict[str, Any]:
    return dict(json.loads(render_pointer(pointer_to(pack))))


# -- publishing ---------------------------------------------------------------------------------------------------------------


def test_what_is_published_can_be_pulled_by_commit_by_reference_and_by_digest(keyword: PackInfo, tmp_path: Path) -> None:
    target = StaticSource(Folder(tmp_path / "www"))
    published = target.publish(keyword, ["main", "release/1.0"])
    assert (keyword.digest, False) == (published.pack_digest, published.already_there)
    commit = keyword.manifest.provenance.commit
    with BadServer(served(tmp_path / "www")) as server:
        for source in (target, source_of(server.url, SETTINGS), source_of((tmp_path / "www").as_uri(), SETTINGS)):
            for wanted in (
                Wanted(commit=commit),
                Wanted(ref="main"),
                Wanted(ref="release/1.0"),
                Wanted(digest=keyword.bundle_digest),
            ):
                offer = source.resolve(wanted)
                assert offer
                assert (commit, keyword.digest, keyword.size) == (offer.commit, offer.pack_digest, offer.size)
                source.fetch(offer, tmp_path / "pack")
                assert keyword.path.read_bytes() == (tmp_path / "pack").read_bytes()
                (tmp_path / "pack").unlink()
            assert source.resolve(Wanted(ref="release")) is None
            assert source.resolve(Wanted(commit="0" * 40)) is None


def test_the_same_pack_is_published_by_the_same_bytes_and_only_once(keyword: PackInfo, tmp_path: Path) -> None:
    for name in ("one", "two"):
        StaticSource(Folder(tmp_path / name)).publish(keyword, ["main"])
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    before = {path: path.stat().st_ino for path in (tmp_path / "one").rglob("*")}
    assert StaticSource(Folder(tmp_path / "one")).publish(keyword, ["main"]).already_there
    assert before == {path: path.stat().st_ino for path in (tmp_path / "one").rglob("*")}


class Telling(Folder):
    """A folder that records each step, and can fail or lie at one."""

    def __init__(self, base: Path, fault: Callable[[str, str], None] = lambda what, path: None) -> None:
        super().__init__(base)
        self.told: list[str] = []
        self._fault = fault

    def _tell(self, what: str, path: str) -> None:
        self.told.append(f"{what} {path.rpartition('/')[0]}")
        self._fault(what, path)

    def upload(self, path: str, file: Path, progress: object) -> None:
        super().upload(path, file, None)
        self._tell("upload", path)

    def write(self, path: str, data: bytes) -> None:
        self._tell("write", path)
        super().write(path, data)

    def download(self, path: str, destination: Path, **named: Any) -> None:
        self._tell("read", path)
        super().download(path, destination, **named)


def test_the_pack_is_uploaded_read_back_and_only_then_pointed_to(keyword: PackInfo, tmp_path: Path) -> None:
    place = Telling(tmp_path / "www")
    StaticSource(place).publish(keyword, ["main"])
    assert ["upload packs", "read packs", "write f1/bundle", "write f1/commit", "write f1/ref"] == place.told


def test_a_pack_that_readers_get_differently_is_not_pointed_to(keyword: PackInfo, tmp_path: Path) -> None:
    def damage(what: str, path: str) -> None:
        if what == "upload":
            (tmp_path / "www" / path).write_bytes(bytes(keyword.size))

    with pytest.raises(IntegrityError, match="other bytes than were promised"):
        StaticSource(Telling(tmp_path / "www", damage)).publish(keyword, ["main"])
    assert [f"packs/{keyword.digest.removeprefix('sha256:')}.hardtack"] == [*files_of(tmp_path / "www")]


def test_a_publication_that_breaks_off_leaves_every_reader_with_what_was_there(
    keyword: PackInfo, hybrid: PackInfo, tmp_path: Path
) -> None:
    StaticSource(Folder(tmp_path / "www")).publish(keyword, ["main"])
    newer = replace(hybrid, manifest=_of_commit(hybrid, "f" * 40, 2_000_000_000))

    def fail(what: str, path: str) -> None:
        if path.startswith("f1/"):
            raise SourceError("the disk is full")

    with pytest.raises(SourceError):
        StaticSource(Telling(tmp_path / "www", fail)).publish(newer, ["main"])
    offer = StaticSource(Folder(tmp_path / "www")).resolve(Wanted(ref="main"))
    assert offer
    assert keyword.digest == offer.pack_digest


def test_what_readers_get_is_read_through_the_address_that_they_use(keyword: PackInfo, tmp_path: Path) -> None:
    (tmp_path / "www").mkdir()
    with BadServer() as server:
        target = target_of(str(tmp_path / "www"), SETTINGS, public=server.url)
        for fault in (None, answers(401), answers(403)):  # an address that the user gave for readers must work
            server.every = fault
            with pytest.raises(SourceError):
                target.publish(keyword, ["main"])
            assert not (tmp_path / "www" / "f1").exists()
        server.every = lambda exchange: exchange.server.files.update(served(tmp_path / "www")) or exchange.answer_well()
        assert () == target.publish(keyword, ["main"]).notes
        assert {None} == {headers.get("authorization") for _, headers in server.asked}


def test_what_is_private_is_not_published_where_anybody_can_read(keyword: PackInfo, tmp_path: Path) -> None:
    (tmp_path / "www").mkdir()
    with BadServer() as server:
        target = target_of(str(tmp_path / "www"), SETTINGS, public=server.url, is_private=True)
        server.every = lambda exchange: exchange.server.files.update(served(tmp_path / "www")) or exchange.answer_well()
        with pytest.raises(PolicyError, match="Anybody can read"):
            target.publish(keyword, ["main"])
        assert ["f1/trial.json"] == [*files_of(tmp_path / "www")]
        for fault in (None, answers(500), answers(418), answers(200, b"{")):
            server.files, server.every = {}, fault
            with pytest.raises(PolicyError, match="is not known, and the repository is private"):
                target.publish(keyword, ["main"])
            assert ["f1/trial.json"] == [*files_of(tmp_path / "www")]
        for status in (401, 403):
            server.every = answers(status)
            assert "It cannot be read without credentials" in target.publish(keyword, ["main"]).notes[0]
    shutil.rmtree(tmp_path / "www" / "f1")
    (tmp_path / "www" / "f1").mkdir()
    with pytest.raises(PolicyError, match="is not known, and the repository is private"):  # the server was stopped
        target.publish(keyword, ["main"])
    assert ["f1/trial.json"] == [name for name in files_of(tmp_path / "www") if name.startswith("f1")]
    unknown = target_of(str(tmp_path / "folder"), SETTINGS, is_private=True).publish(keyword, ["main"])
    assert "is not known" in unknown.notes[0]


def test_a_commit_keeps_its_pack_unless_it_shall_be_replaced(keyword: PackInfo, hybrid: PackInfo, tmp_path: Path) -> None:
    place = Folder(tmp_path / "www")
    StaticSource(place).publish(keyword, [])
    other = replace(hybrid, manifest=hybrid.manifest._replace(provenance=keyword.manifest.provenance))
    with pytest.raises(PolicyError, match="names another pack"):
        StaticSource(place).publish(other, [])
    StaticSource(place, replaces=True).publish(other, [])
    offer = StaticSource(place).resolve(Wanted(commit=keyword.manifest.provenance.commit))
    assert offer
    assert hybrid.digest == offer.pack_digest


def test_a_reference_does_not_go_back_to_an_older_commit(keyword: PackInfo, hybrid: PackInfo, tmp_path: Path) -> None:
    """Two CI jobs may end in another order than they began."""
    place = Folder(tmp_path / "www")
    newer = replace(keyword, manifest=_of_commit(keyword, "f" * 40, 2_000_000_000))
    older = replace(hybrid, manifest=_of_commit(hybrid, "e" * 40, 1_900_000_000))
    StaticSource(place).publish(newer, ["main"])
    published = StaticSource(place).publish(older, ["main", "old"])
    assert ["f1/ref/main.json stays at ffffffffffff, which is newer."] == [note.rpartition("www/")[2] for note in published.notes]
    for ref, commit in (("main", "f" * 40), ("old", "e" * 40)):
        offer = StaticSource(place).resolve(Wanted(ref=ref))
        assert offer
        assert commit == offer.commit
    StaticSource(place, replaces=True).publish(older, ["main"])
    offer = StaticSource(place).resolve(Wanted(ref="main"))
    assert offer
    assert "e" * 40 == offer.commit


def test_what_was_published_while_this_one_was_sent_is_not_written_over(
    keyword: PackInfo, hybrid: PackInfo, tmp_path: Path
) -> None:
    newer = replace(keyword, manifest=_of_commit(keyword, "f" * 40, 2_000_000_000))
    older = replace(hybrid, manifest=_of_commit(hybrid, "e" * 40, 1_900_000_000))
    rival = replace(newer, manifest=older.manifest)

    def meanwhile(what: str, path: str) -> None:
        if what == "upload":
            StaticSource(Folder(tmp_path / "www")).publish(newer, ["main"])

    published = StaticSource(Telling(tmp_path / "www", meanwhile)).publish(older, ["main"])
    assert "stays at ffffffffffff, which is newer" in published.notes[0]
    offer = StaticSource(Folder(tmp_path / "www")).resolve(Wanted(ref="main"))
    assert offer
    assert "f" * 40 == offer.commit

    def same_commit(what: str, path: str) -> None:
        if what == "upload":
            StaticSource(Folder(tmp_path / "other")).publish(rival, [])

    with pytest.raises(PolicyError, match="names another pack"):
        StaticSource(Telling(tmp_path / "other", same_commit)).publish(older, ["main"])


def test_one_place_does_not_mix_repositories(
    keyword: PackInfo, of_repository: Callable[[str, Path], PackInfo], tmp_path: Path
) -> None:
    StaticSource(Folder(tmp_path / "www")).publish(keyword, ["main"])
    other = of_repository("example.org/other/thing", tmp_path / "other.hardtack")
    with pytest.raises(PolicyError, match=r"has packs of example\.org/ship/tiny"):
        StaticSource(Folder(tmp_path / "www")).publish(other, ["main"])


def test_a_repository_is_the_same_however_its_letters_are_written(
    keyword: PackInfo, of_repository: Callable[[str, Path], PackInfo], tmp_path: Path
) -> None:
    source = StaticSource(Folder(tmp_path / "www"), replaces=True)
    source.publish(of_repository("example.org/Ship/Tiny", tmp_path / "other.hardtack"), ["main"])
    source.publish(keyword, ["main"])
    assert source.resolve(Wanted(repository="example.org/SHIP/tiny", ref="main"))


def test_readers_see_whole_pointers_while_they_are_replaced(keyword: PackInfo, tmp_path: Path) -> None:
    place = Folder(tmp_path / "www")
    source = StaticSource(place, replaces=True)
    packs = [replace(keyword, manifest=_of_commit(keyword, character * 40, 10)) for character in "ab"]
    source.publish(packs[0], ["main"])
    problems: list[Exception] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                assert source.resolve(Wanted(ref="main"))
        except Exception as error:  # noqa: BLE001  (any error fails the test)
            problems.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(100):
        place.write(ref_path("main"), render_pointer(pointer_to(packs[number % 2])))
    done.set()
    reader.join()
    assert [] == problems


def test_a_place_that_cannot_be_written_says_so(keyword: PackInfo, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SourceError, match="cannot be written"):
        StaticSource(Folder(tmp_path / "file")).publish(keyword, [])
    with BadServer() as server, pytest.raises(UsageError, match="cannot be published to"):
        target_of(server.url, SETTINGS)


# -- what a pointer may say -----------------------------------------------------------------------------------------------------


BAD_DIGESTS = [
    "sha256:../../x",
    "sha256:" + "a" * 63,
    "sha256:" + "a" * 65,
    "sha256:" + "A" * 64,
    "sha512:" + "a" * 128,
    "a" * 64,
    "sha256:" + "a" * 64 + "\n",
    "",
    None,
    7,
    ["sha256:" + "a" * 64],
]


@pytest.mark.parametrize("digest", BAD_DIGESTS, ids=lambda value: str(value)[:20])
@pytest.mark.parametrize("name", ["pack_digest", "bundle_digest"])
def test_a_digest_is_spelt_in_one_way(name: str, digest: object, keyword: PackInfo) -> None:
    with pytest.raises(FormatError) as caught:
        parse_pointer({**document_of(keyword), name: digest}, "it")
    assert name == caught.value.field


@pytest.mark.parametrize("digest", [each for each in BAD_DIGESTS if isinstance(each, str) and each])
def test_a_digest_that_a_user_misspells_is_not_asked_for(digest: str) -> None:
    with pytest.raises(UsageError, match="is no digest"):
        Wanted(digest=digest)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("path", "/etc/passwd"),
        ("path", "../packs/x.hardtack"),
        ("path", "packs/../../x.hardtack"),
        ("path", "https://elsewhere.example.org/packs/x.hardtack"),
        ("path", "packs/" + "0" * 64 + ".hardtack"),
        ("path", None),
        ("commit", "main"),
        ("commit", "A" * 40),
        ("commit", "a" * 39),
        ("commit", ""),
        ("size", -1),
        ("size", 1.5),
        ("size", "12"),
        ("size", True),
        ("size", 1 << 70),
        ("commit_time", None),
        ("status", "fine"),
        ("repository", 7),
        ("repository", "a\nb"),
        ("repository", "x" * 2000),
        ("root", None),
        ("format", "1"),
        ("format", True),
        ("format", None),
    ],
)
def test_a_pointer_with_a_field_that_cannot_be_is_refused_by_name(name: str, value: object, keyword: PackInfo) -> None:
    with pytest.raises(FormatError) as caught:
        parse_pointer({**document_of(keyword), name: value}, "it")
    assert name == caught.value.field


def test_a_pointer_of_a_later_format_says_to_update(keyword: PackInfo) -> None:
    with pytest.raises(UnsupportedFormat) as caught:
        parse_pointer({**document_of(keyword), "format": 2}, "it")
    assert (2, (1, 1), "Update Hardtack.") == (caught.value.found, caught.value.readable, caught.value.hint)


def test_what_is_no_longer_to_be_used_is_refused_and_what_is_about_to_end_is_not(keyword: PackInfo) -> None:
    with pytest.raises(PolicyError, match="no longer to be used"):
        parse_pointer({**document_of(keyword), "status": "eol"}, "it")
    assert "deprecated" == parse_pointer({**document_of(keyword), "status": "deprecated"}, "it").status


def test_fields_of_later_versions_are_ignored(keyword: PackInfo) -> None:
    assert pointer_to(keyword) == parse_pointer({**document_of(keyword), "signature": {"by": "somebody"}}, "it")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.sampled_from(BAD_DIGESTS[:4]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*Pointer.__slots__, "format", "path"]), _JSON, max_size=11))
def test_whatever_a_pointer_says_it_leads_below_its_base_or_nowhere(changed: dict[str, Any]) -> None:
    document = {
        "format": 1,
        "status": "active",
        "repository": "",
        "root": "",
        "commit": "a" * 40,
        "commit_time": 0,
        "profile": "hybrid",
        "bundle_digest": "sha256:" + "b" * 64,
        "pack_digest": "sha256:" + "c" * 64,
        "size": 1,
        "path": f"packs/{'c' * 64}.hardtack",
    }
    try:
        pointer = parse_pointer({**document, **changed}, "it")
    except (FormatError, UnsupportedFormat, PolicyError):
        return
    assert pointer.path == f"packs/{pointer.pack_digest[7:]}.hardtack"
    assert pointer == parse_pointer(json.loads(render_pointer(pointer)), "it")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"{" * 100_000, PolicyError),
        (b'{"a":' * 10_000, FormatError),
        (b" " * 100_000_000, PolicyError),
        (b'{"format": 1, "format": 1}', FormatError),
        (b"[]", FormatError),
    ],
    ids=["larger than any", "deep", "100 MB", "doubled key", "list"],
)
def test_a_pointer_that_is_no_pointer_is_one_error_from_every_place(
    body: bytes, error: type[HardtackError], tmp_path: Path
) -> None:
    path = tmp_path / "www" / commit_path("a" * 40)
    path.parent.mkdir(parents=True)
    path.write_bytes(body)
    with BadServer({"/" + commit_path("a" * 40): body}) as server:
        for address in (str(tmp_path / "www"), server.url):
            with pytest.raises(error):
                source_of(address, SETTINGS).resolve(Wanted(commit="a" * 40))


def test_a_pointer_that_lies_at_another_address_is_refused(keyword: PackInfo, tmp_path: Path) -> None:
    StaticSource(Folder(tmp_path)).publish(keyword, ["main"])
    provenance = keyword.manifest.provenance
    (tmp_path / commit_path("a" * 40)).write_bytes(render_pointer(pointer_to(keyword)))
    source = source_of(str(tmp_path), SETTINGS)
    with pytest.raises(PolicyError, match=f"of another commit, {provenance.commit[:12]}"):
        source.resolve(Wanted(commit="a" * 40))
    (tmp_path / "f1" / "bundle" / f"{'d' * 64}.json").write_bytes(render_pointer(pointer_to(keyword)))
    with pytest.raises(PolicyError, match="of another bundle"):
        source.resolve(Wanted(digest="sha256:" + "d" * 64))
    with pytest.raises(PolicyError, match=r"is of example\.org/ship/tiny, not of example\.org/other/thing"):
        source.resolve(Wanted(ref="main", repository="example.org/other/thing"))
    assert source.resolve(Wanted(ref="main", root="packages/api")) is None


@pytest.mark.parametrize("ref", ["../../etc/passwd", "/etc/passwd", "..", ".", "feature/x", "ü", "a%2fb", "a b", "C:\\x"])
def test_the_name_of_a_reference_leads_nowhere_else(ref: str) -> None:
    path = ref_path(ref)
    assert path.startswith("f1/ref/")
    assert (2, []) == (path.count("/"), [character for character in path if character in "\\:" or not character.isascii()])


@pytest.mark.parametrize("ref", ["", "-x", "a\nb", "a\0b", "ü" * 200])
def test_what_no_branch_is_called_is_not_asked_for(ref: str) -> None:
    with pytest.raises(UsageError):
        ref_path(ref)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / commit_path("a" * 40)
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert source_of(str(tmp_path), SETTINGS).resolve(Wanted(commit="a" * 40)) is None


def test_a_pointer_whose_pack_is_gone_may_have_it_elsewhere(keyword: PackInfo, tmp_path: Path) -> None:
    StaticSource(Folder(tmp_path / "www")).publish(keyword, ["main"])
    for path in (tmp_path / "www" / "packs").iterdir():
        path.unlink()
    with BadServer(served(tmp_path / "www")) as server:
        for address in (str(tmp_path / "www"), server.url):
            source = source_of(address, SETTINGS)
            offer = source.resolve(Wanted(ref="main"))
            assert offer
            with pytest.raises(SourceError) as caught:
                source.fetch(offer, tmp_path / "pack")
            assert caught.value.is_temporary


# -- addresses ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ftp://example.org/x",
        "https://user@example.org/x",
        "https://example.org/x?token=y",
        "https://example.org/x#y",
        "file://elsewhere/x",
        "file://[x",
        "https://[x",
        "file:relative",
        "s3://",
        "s3://bucket/../x",
        "s3://bucket//x",
        "s3://key:word@bucket/x",
        "simplecache::s3://bucket/x",
        "zip://x",
        "reference://x",
        "python://x",
        "memory://x",
    ],
)
def test_what_is_no_address_of_a_source_is_refused(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if address in ("file:relative", "simplecache::s3://bucket/x"):  # paths, however odd
        assert source_of(address, SETTINGS).resolve(Wanted(ref="main")) is None
    else:
        with pytest.raises(UsageError):
            source_of(address, SETTINGS)


@pytest.mark.parametrize(
    "address", ["/srv/bundles", "file:///srv/bundles", "http://bundles.example.org", "s3://bundles/api", "github:owner/name"]
)
def test_a_checkout_names_public_servers_alone(address: str) -> None:
    with pytest.raises(UsageError, match="The checkout's configuration names"):
        sources_for([], [address], "", SETTINGS, print)


def test_a_checkout_gets_no_token_for_what_it_names() -> None:
    token = "-".join(("not", "a", "real", "token"))
    told: list[str] = []
    with BadServer({"/": b""}) as server:
        settings = replace(SETTINGS, token=token, github_token=token)
        named = server.url.replace("http://127.0.0.1", "https://localhost")
        (source,) = sources_for([], [named], "", settings, told.append)
        with pytest.raises(PolicyError, match="nothing is fetched from there"):
            source.resolve(Wanted(ref="main"))
        assert [] == server.asked
    assert [f"The checkout's configuration names its source: {named}."] == told
    assert token not in repr(settings)


def test_a_token_goes_to_the_first_source_alone() -> None:
    token = "-".join(("not", "a", "real", "token"))
    with BadServer() as first, BadServer() as second:
        for source in sources_for(
            [first.url, second.url], ["https://not.asked.example.org"], "", replace(SETTINGS, token=token), print
        ):
            assert source.resolve(Wanted(ref="main")) is None
        assert [f"Bearer {token}"] == [headers.get("authorization") for _, headers in first.asked]
        assert [None] == [headers.get("authorization") for _, headers in second.asked]


def test_without_any_source_a_project_on_github_is_asked_there() -> None:
    assert ["github:owner/name"] == [each.name for each in sources_for([], [], "github.com/owner/name", SETTINGS, print)]
    with pytest.raises(UsageError, match="not known where to pull from"):
        sources_for([], [], "example.org/owner/name", SETTINGS, print)


def _of_commit(pack: PackInfo, commit: str, time: int) -> Any:
    return pack.manifest._replace(provenance=pack.manifest.provenance._replace(commit=commit, commit_time=time))
