"""Buckets, over a real S3 server on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from moto.server import ThreadedMotoServer

from hardtack.bundle.packing import PackInfo
from hardtack.errors import FormatError, HardtackError, IntegrityError, PolicyError, SourceError
from hardtack.store.sources.named import SourceSettings, source_of, target_of
from hardtack.store.sources.objects import Objects
from hardtack.store.sources.pointer import commit_path, pointer_to, render_pointer
from hardtack.store.sources.source import Wanted

BUCKET = "bundles"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of an S3 server."""
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[str]:
    """A directory in a bucket, for this test only."""
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_CA_BUNDLE", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "-".join(("known", "to", "nobody")))
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    store = driver()
    if not store.exists(BUCKET):
        store.mkdir(BUCKET)
    place = f"{BUCKET}/{abs(hash(request.node.name))}"
    yield f"s3://{place}"
    if store.exists(place):
        store.rm(place, recursive=True)


@cache
def driver() -> Any:
    """One client for all tests here: making one loads a description of every call that S3 knows."""
    import fsspec

    return fsspec.filesystem("s3", use_listings_cache=False, skip_instance_cache=True)


def put(address: str, data: bytes) -> None:
    driver().pipe_file(address.removeprefix("s3://"), data)


def test_what_is_published_to_a_bucket_can_be_pulled_from_it(bucket: str, keyword: PackInfo, tmp_path: Path) -> None:
    target = target_of(bucket + "/", SourceSettings())
    published = target.publish(keyword, ["main", "release/1.0"])
    assert (keyword.digest, False) == (published.pack_digest, published.already_there)
    assert ["It cannot be read without credentials"] == [note.partition(":")[0] for note in published.notes]
    assert target.publish(keyword, ["main"]).already_there
    source = source_of(bucket, SourceSettings())
    told: list[tuple[int, int | None]] = []
    for wanted in (
        Wanted(commit=keyword.manifest.provenance.commit),
        Wanted(ref="release/1.0"),
        Wanted(digest=keyword.bundle_digest),
    ):
        offer = source.resolve(wanted)
        assert offer
        source.fetch(offer, tmp_path / "pack", lambda *far: told.append(far))
        assert keyword.path.read_bytes() == (tmp_path / "pack").read_bytes()
        assert (keyword.size, keyword.size) == told[-1]
        (tmp_path / "pack").unlink()
    assert source.resolve(Wanted(ref="other")) is None


def test_a_reference_that_moved_is_seen_at_once(bucket: str, keyword: PackInfo) -> None:
    source, target = source_of(bucket, SourceSettings()), target_of(bucket, SourceSettings())
    for time in range(3):
        provenance = keyword.manifest.provenance._replace(commit=f"{time:040x}", commit_time=time)
        target.publish(replace(keyword, manifest=keyword.manifest._replace(provenance=provenance)), ["main"])
        offer = source.resolve(Wanted(ref="main"))
        assert offer
        assert f"{time:040x}" == offer.commit


def test_what_was_fetched_before_is_gone_on_from(bucket: str, keyword: PackInfo, tmp_path: Path) -> None:
    target_of(bucket, SourceSettings()).publish(keyword, ["main"])
    source = source_of(bucket, SourceSettings())
    offer = source.resolve(Wanted(ref="main"))
    assert offer
    for left in (keyword.path.read_bytes()[:1000], bytes(1000), bytes(2 * keyword.size)):
        (tmp_path / "pack").write_bytes(left)
        source.fetch(offer, tmp_path / "pack")
        assert keyword.path.read_bytes() == (tmp_path / "pack").read_bytes()


@pytest.mark.parametrize("share", [2, 1], ids=["shorter", "as long"])
def test_other_bytes_than_were_promised_leave_nothing(bucket: str, keyword: PackInfo, tmp_path: Path, share: int) -> None:
    target_of(bucket, SourceSettings()).publish(keyword, ["main"])
    put(f"{bucket}/{pointer_to(keyword).path}", bytes(keyword.size // share))
    source = source_of(bucket, SourceSettings())
    offer = source.resolve(Wanted(ref="main"))
    assert offer
    with pytest.raises(IntegrityError):
        source.fetch(offer, tmp_path / "pack")
    assert [] == [*tmp_path.iterdir()]


def test_more_than_was_promised_is_not_read(bucket: str, keyword: PackInfo, tmp_path: Path) -> None:
    target_of(bucket, SourceSettings()).publish(keyword, ["main"])
    put(f"{bucket}/{pointer_to(keyword).path}", bytes(keyword.size + 1))
    source = source_of(bucket, SourceSettings())
    offer = source.resolve(Wanted(ref="main"))
    assert offer
    with pytest.raises(PolicyError, match="gives more than the"):
        source.fetch(offer, tmp_path / "pack")


@pytest.mark.parametrize(
    ("body", "error"),
    [(b"[]", FormatError), (b" " * 1_000_000, PolicyError), (json.dumps({"format": 1}).encode(), FormatError), (b"", SourceError)],
    ids=["list", "large", "empty object", "empty"],
)
def test_a_pointer_that_is_no_pointer_is_one_error(bucket: str, body: bytes, error: type[HardtackError]) -> None:
    put(f"{bucket}/{commit_path('a' * 40)}", body)
    with pytest.raises(error):
        source_of(bucket, SourceSettings()).resolve(Wanted(commit="a" * 40))


def test_a_bucket_that_is_not_there_has_nothing(bucket: str) -> None:
    assert source_of("s3://no-such-bucket/x", SourceSettings()).resolve(Wanted(ref="main")) is None


def test_a_store_that_cannot_be_reached_is_one_error(bucket: str, keyword: PackInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    with pytest.raises(SourceError) as caught:
        source_of(bucket, SourceSettings()).resolve(Wanted(ref="main"))
    assert caught.value.is_temporary
    with pytest.raises(SourceError):
        Objects(bucket).write("x", b"y")


def test_a_bucket_without_credentials_says_where_they_are_looked_for(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    with pytest.raises(SourceError):
        Objects(bucket).read_json("f1/ref/main.json", 1000)


def test_what_is_private_is_not_published_to_a_bucket_that_anybody_can_read(
    bucket: str, keyword: PackInfo, request: pytest.FixtureRequest
) -> None:
    allowed = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{BUCKET}/*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
    driver().call_s3("put_bucket_policy", Bucket=BUCKET, Policy=policy)
    request.addfinalizer(lambda: driver().call_s3("delete_bucket_policy", Bucket=BUCKET))
    with pytest.raises(PolicyError, match="Anybody can read"):
        target_of(bucket, SourceSettings(), is_private=True).publish(keyword, ["main"])
    assert not driver().exists(f"{bucket}/{pointer_to(keyword).path}")


def test_the_pointer_is_written_as_it_is_elsewhere(bucket: str, keyword: PackInfo) -> None:
    target_of(bucket, SourceSettings()).publish(keyword, ["main"])
    assert render_pointer(pointer_to(keyword)) == driver().cat_file(f"{bucket}/f1/ref/main.json")
