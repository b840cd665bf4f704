"""The encoder of queries: the bundle's own or the configured one; without one, keyword search with a reason."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import embedding_server as misbehaviour
import numpy as np
import pytest
from embedding_server import EmbeddingServer

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import parse_manifest, render_manifest
from hardtack.encoders import EncoderSettings
from hardtack.errors import EncoderMismatch, EncoderUnavailable, FormatError, HardtackError, PolicyError
from hardtack.nouns.model import Mode
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher
from hardtack.query.state.readiness import check_everything

QUERY = "which jar should be eaten first"


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as running:
        yield running


@pytest.fixture(scope="module")
def allowed(server: EmbeddingServer) -> EncoderSettings:
    """What a user sets up who has the bundle's encoder and lets queries be sent."""
    return EncoderSettings(name="openai:small", url=server.url, network=True)


@pytest.fixture(scope="module")
def served(server: EmbeddingServer, allowed: EncoderSettings, pantry: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("served") / "pantry"
    build_bundle(pantry, place, BuildOptions(jobs=1, encoder=replace(allowed, network=False)))
    return place


@pytest.fixture(autouse=True)
def _good_again(server: EmbeddingServer) -> Iterator[None]:
    yield
    server.every, server.faults = None, {}


def with_manifest(bundle: Path, place: Path, **encoder: Any) -> Path:
    """A copy of the bundle that says something else of its encoder, sealed as if it had been built so."""
    shutil.copytree(bundle, place)
    manifest = parse_manifest((place / "manifest.json").read_bytes())
    assert manifest.encoder is not None
    (place / "manifest.json").write_bytes(render_manifest(manifest._replace(encoder=manifest.encoder._replace(**encoder))))
    return place


def with_probe(bundle: Path, place: Path, probe: bytes) -> Path:
    """A copy of the bundle with another probe, sealed as if it had been built so."""
    shutil.copytree(bundle, place)
    (place / layout.ENCODER_PROBE).write_bytes(probe)
    manifest = parse_manifest((place / "manifest.json").read_bytes())
    members = [
        member._replace(size=len(probe), sha256=digest_of(probe)) if member.name == layout.ENCODER_PROBE else member
        for member in manifest.members
    ]
    (place / "manifest.json").write_bytes(render_manifest(manifest._replace(members=tuple(members))))
    return place


def refusal(bundle: Path, settings: EncoderSettings | None) -> tuple[HardtackError, str]:
    """How a vector search is refused, and the hint of the hybrid one, which finds what a keyword search finds."""
    with open_bundle(bundle, encoder=settings) as searcher:
        with pytest.raises(HardtackError) as caught:
            searcher.search(QUERY, mode="vector")
        hybrid, keyword = (searcher.search(QUERY, mode=mode) for mode in ("hybrid", "keyword"))
        assert [hit.chunk_id for hit in keyword.hits] == [hit.chunk_id for hit in hybrid.hits] != []
        assert "" == keyword.hint
        assert hybrid.hint == f"Hits are by keyword alone. {caught.value} {caught.value.hint}"
    return caught.value, hybrid.hint


def test_the_encoder_that_was_set_up_answers_by_meaning(served: Path, allowed: EncoderSettings, server: EmbeddingServer) -> None:
    asked = len(server.requests)
    with open_bundle(served, encoder=allowed) as searcher:
        answers = [searcher.search(QUERY, mode=mode) for mode in ("vector", "hybrid", "keyword")]
    assert ["", "", ""] == [answer.hint for answer in answers]
    assert {"semantic"} == {hit.match_type for hit in answers[0].hits}
    assert [QUERY] == server.requests[-1][2]["input"]
    assert 3 == len(server.requests) - asked  # the probe, and each search that needs a vector


def test_without_leave_no_query_is_sent(served: Path, allowed: EncoderSettings, server: EmbeddingServer) -> None:
    asked = len(server.requests)
    error, _ = refusal(served, replace(allowed, network=False))
    assert "The query would have to be sent to the service of 'openai:small', which is not allowed here." == str(error)
    assert (PolicyError, 0) == (type(error), len(server.requests) - asked)


def test_where_nothing_is_set_up_the_bundles_encoder_is_named(served: Path) -> None:
    error, _ = refusal(served, None)
    assert "The bundle's vectors were made by 'openai:small', and no such encoder is set up here." == str(error)
    assert isinstance(error, EncoderMismatch)


@pytest.mark.parametrize("name", ["openai:large", "openai", "jina:small", "st:small", "word2vec"])
def test_another_encoder_than_the_bundles_is_not_even_loaded(
    name: str, served: Path, allowed: EncoderSettings, server: EmbeddingServer
) -> None:
    asked = len(server.requests)
    settings = replace(allowed, name=name)
    error, _ = refusal(served, settings)
    assert f"The bundle's vectors were made by 'openai:small'; set up here is '{settings.full_name}'." == str(error)
    assert asked == len(server.requests)


def test_another_model_of_the_same_name_is_noticed(served: Path, allowed: EncoderSettings, tmp_path: Path) -> None:
    with EmbeddingServer(dimension=32) as smaller:
        error, _ = refusal(served, replace(allowed, url=smaller.url))
        assert "'openai:small' as it is here is not the 'openai:small' that made the bundle's vectors." == str(error)
    with EmbeddingServer() as changed:
        changed.every = lambda exchange: exchange.send(200, {"data": [{"index": 0, "embedding": [1.0] * 64}]})
        error, _ = refusal(served, replace(allowed, url=changed.url))
    assert "'openai:small' gives other vectors than when the bundle was built." == str(error)


def test_a_service_that_rounds_otherwise_is_the_same_model(served: Path, allowed: EncoderSettings, tmp_path: Path) -> None:
    probe = np.frombuffer((served / layout.ENCODER_PROBE).read_bytes(), dtype="<f4")
    noise = np.where(np.arange(64) % 2, 1e-3, -1e-3).astype(np.float32)
    rounded = (probe + noise) / np.linalg.norm(probe + noise)
    place = with_probe(served, tmp_path / "bundle", rounded.astype("<f4").tobytes())
    with open_bundle(place, encoder=allowed) as searcher:
        assert searcher.search(QUERY, mode="vector").hits


@pytest.mark.parametrize(
    "fault",
    [misbehaviour.status(500), misbehaviour.status(429, ("Retry-After", "60")), misbehaviour.half, misbehaviour.status(401)],
)
def test_a_service_that_fails_at_a_query_costs_its_vectors_and_not_the_answer(
    fault: misbehaviour.Fault, served: Path, allowed: EncoderSettings, server: EmbeddingServer
) -> None:
    server.every = fault
    error, _ = refusal(served, allowed)
    assert isinstance(error, EncoderUnavailable)


def test_a_service_that_is_back_is_asked_again(served: Path, allowed: EncoderSettings, server: EmbeddingServer) -> None:
    with open_bundle(served, encoder=allowed) as searcher:
        server.every = misbehaviour.status(500)
        assert searcher.search(QUERY).hint.startswith("Hits are by keyword alone.")
        server.every = None
        assert "" == searcher.search(QUERY).hint


@pytest.mark.parametrize(
    "name",
    [
        "st:/etc/model",
        "st:../../model",
        "openai:http://127.0.0.1:1/",
        "jina",
        "hardtack.encoders.hashing:HashingEncoder",
        "os:system",
        "\x1b[31mred",
        "x" * 5000,
        "",
    ],
)
def test_what_a_bundle_calls_its_encoder_is_never_followed(
    name: str, served: Path, tmp_path: Path, server: EmbeddingServer
) -> None:
    asked = len(server.requests)
    place = with_manifest(served, tmp_path / "bundle", name=name)
    error, _ = refusal(place, None)
    assert isinstance(error, EncoderMismatch)
    assert len(str(error)) < 250
    assert str(error).isprintable()
    assert asked == len(server.requests)


def test_a_bundle_that_claims_another_fingerprint_or_size_gets_no_vector(
    served: Path, allowed: EncoderSettings, tmp_path: Path
) -> None:
    place = with_manifest(served, tmp_path / "bundle", fingerprint="sha256:" + 64 * "0")
    error, _ = refusal(place, allowed)
    assert "'openai:small' as it is here is not the 'openai:small' that made the bundle's vectors." == str(error)


@pytest.mark.parametrize("probe", [b"", b"\0" * 252, b"\0" * 256, b"\xff" * 256], ids=["none", "short", "zeros", "no numbers"])
def test_a_probe_that_is_none_lets_nothing_through(probe: bytes, served: Path, allowed: EncoderSettings, tmp_path: Path) -> None:
    place = with_probe(served, tmp_path / "bundle", probe)
    with open_bundle(place, encoder=allowed) as searcher, pytest.raises((EncoderMismatch, FormatError)):
        searcher.search(QUERY, mode="vector")


def test_such_a_bundle_is_whole_without_its_encoder(served: Path, tmp_path: Path) -> None:
    with open_bundle(served) as searcher:
        check_everything(searcher.bundle)
        assert "openai:small" == json.loads((served / "manifest.json").read_text())["encoder"]["name"]
    with (
        open_bundle(with_probe(served, tmp_path / "bundle", b"")) as searcher,
        pytest.raises(FormatError, match="told from others"),
    ):
        check_everything(searcher.bundle)


def test_a_built_in_encoder_needs_nothing_set_up(pantry: Path, tmp_path: Path, server: EmbeddingServer) -> None:
    build_bundle(pantry, tmp_path / "bundle", BuildOptions(jobs=1, encoder=EncoderSettings(name="hashing")))
    with open_bundle(tmp_path / "bundle") as searcher:
        assert "hashing" == searcher.encoder.name
        assert searcher.search(QUERY, mode=Mode.VECTOR).hits
    place = with_manifest(tmp_path / "bundle", tmp_path / "other", dimension=64, fingerprint="sha256:" + 64 * "0")
    error, _ = refusal(place, None)
    assert "This Hardtack's encoder 'hashing' is another than the bundle's." == str(error)


def test_what_is_set_up_does_not_matter_to_a_bundle_that_carries_its_encoder(
    pantry_bundle: Path, allowed: EncoderSettings, server: EmbeddingServer
) -> None:
    asked = len(server.requests)
    with open_bundle(pantry_bundle) as plain, open_bundle(pantry_bundle, encoder=allowed) as equipped:
        assert plain.search(QUERY, mode="vector") == equipped.search(QUERY, mode="vector")
    assert asked == len(server.requests)


def test_a_searcher_takes_the_settings_as_open_bundle_does(served: Path, allowed: EncoderSettings) -> None:
    with open_bundle(served, encoder=allowed) as searcher:
        assert searcher.search(QUERY, mode="vector") == Searcher(searcher.bundle, encoder=allowed).search(QUERY, mode="vector")
