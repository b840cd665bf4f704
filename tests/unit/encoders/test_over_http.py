"""Encoders over HTTP against a real server that misbehaves: valid vectors or one error, and never the key."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import embedding_server as misbehaviour
import numpy as np
import pytest
from embedding_server import EmbeddingServer, Fault

from hardtack.encoders import EncoderSettings, load_foreign, openai, providers
from hardtack.encoders.http import RetryPolicy
from hardtack.encoders.over_http import AT_ONCE, BATCH, MAX_TEXT_BYTES, vectors_in
from hardtack.errors import EncoderUnavailable, HardtackError

KEY = "sk-not-to-be-seen-anywhere-0123456789"
TEXTS = [f"def number_{number}(): return {number}" for number in range(50)]


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_long_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The retry policy of a build, with a hundredth of its waits."""
    build = RetryPolicy

    def hasty(**values: Any) -> RetryPolicy:
        return build(**{"first_backoff": 0.005, **values})

    monkeypatch.setattr(providers, "RetryPolicy", hasty)


def settings_for(server: EmbeddingServer, **values: Any) -> EncoderSettings:
    return EncoderSettings(**{"name": "openai:small", "url": server.url, "timeout": 0.5, **values})


def encoder_of(server: EmbeddingServer, **values: Any) -> Any:
    settings = settings_for(server, **values)
    return load_foreign(settings.name, settings)


def expected(server: EmbeddingServer, texts: list[str]) -> np.ndarray:
    return np.array(server.vectors(texts), dtype=np.float32)


TRANSIENT: dict[str, Fault] = {
    "busy": misbehaviour.status(429),
    "busy, seconds given": misbehaviour.status(429, ("Retry-After", "1")),
    "busy, a date given": misbehaviour.retry_after_date(1.5),
    "busy, nonsense given": misbehaviour.status(429, ("Retry-After", "soon")),
    "internal error": misbehaviour.status(500),
    "bad gateway": misbehaviour.status(502),
    "unavailable": misbehaviour.status(503, ("Retry-After", "0")),
    "connection reset": misbehaviour.reset,
    "no answer": misbehaviour.silence(0.8),
    "one byte at a time": misbehaviour.drip(0.02),
    "half an answer": misbehaviour.half,
    "half a document": misbehaviour.cut_json,
    "one vector too few": misbehaviour.other(lambda data: data.pop() and None),
    "one vector too many": misbehaviour.other(lambda data: data.append(data[0])),
    "an index twice": misbehaviour.other(lambda data: data[-1].update(index=0)),
    "no index": misbehaviour.other(lambda data: data[0].pop("index") and None),
    "an index of another kind": misbehaviour.other(lambda data: data[0].update(index=False)),
    "not a number": misbehaviour.other(lambda data: data[1]["embedding"].__setitem__(3, float("nan"))),
    "infinity": misbehaviour.other(lambda data: data[1]["embedding"].__setitem__(3, float("inf"))),
    "words for numbers": misbehaviour.other(lambda data: data[1]["embedding"].__setitem__(3, "0.5")),
    "rows of two lengths": misbehaviour.other(lambda data: data[1]["embedding"].pop() and None),
    "no list": lambda exchange: exchange.send(200, {"data": None}),
    "no document": lambda exchange: exchange.send(200, b"<html>ready soon</html>"),
}


@pytest.mark.parametrize("fault", TRANSIENT.values(), ids=TRANSIENT)
def test_a_fault_that_passes_leaves_no_trace(server: EmbeddingServer, fault: Fault) -> None:
    server.faults = {2: fault}
    assert expected(server, TEXTS).tobytes() == encoder_of(server).encode(TEXTS).tobytes()
    assert set(TEXTS) == set(server.answered)
    assert 1 + 3 + 1 == len(server.requests)  # the probe, three batches, one of them twice


@pytest.mark.parametrize("fault", TRANSIENT.values(), ids=TRANSIENT)
def test_a_fault_that_stays_ends_in_one_sentence(server: EmbeddingServer, fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(providers, "_TRIES", 2)
    encoder = encoder_of(server, timeout=0.2)
    server.every = fault
    with pytest.raises(EncoderUnavailable) as caught:
        encoder.encode(TEXTS[:2])
    sentence = str(caught.value)
    assert sentence.startswith(f"The encoder's service at 127.0.0.1:{server.server_port} ")
    assert sentence.endswith(", at the last of 2 tries.")
    assert "\n" not in sentence


def test_a_service_that_gives_a_time_is_not_asked_before_by_any_thread(server: EmbeddingServer) -> None:
    encoder = encoder_of(server)
    times: list[float] = []

    def slowly(exchange: misbehaviour.Exchange) -> None:
        times.append(time.monotonic())
        time.sleep(0.2)
        exchange.answer_well()

    server.every, server.faults = slowly, {1: misbehaviour.status(429, ("Retry-After", "1"))}
    began = time.monotonic()
    encoder.encode([f"text {number}" for number in range(2 * AT_ONCE * BATCH)])
    at_once = [moment for moment in times if moment - began < 0.9]
    assert len(at_once) < AT_ONCE  # those that were under way already
    assert 2 * AT_ONCE == len(times)


FINAL: list[tuple[str, Fault, str]] = [
    (
        "no such model",
        misbehaviour.status(404, says="no\x1b[31m model 'small'."),
        "refuses the request (404): no [31m model 'small'.",
    ),
    ("nothing to say", lambda exchange: exchange.send(400, b"[1, 2]"), "refuses the request (400): [1, 2]."),
    ("too long", misbehaviour.status(413), "refuses the request (413)."),
    ("key refused", misbehaviour.status(401, says=f"Incorrect key {KEY}"), "refuses the key, or wants one (401)."),
    ("forbidden", misbehaviour.status(403, says=KEY), "refuses the key, or wants one (403)."),
    ("key repeated", misbehaviour.status(422, says=f"bad {KEY}"), "refuses the request (422): bad ***."),
    ("elsewhere", misbehaviour.status(307, ("Location", "http://127.0.0.1:1/")), "sends its callers elsewhere (307)."),
    ("nothing left", misbehaviour.status(429, says="insufficient_quota"), "refuses the request (429): insufficient_quota."),
    ("in an hour", misbehaviour.status(429, ("Retry-After", "3600")), "asks to wait 3600 seconds (429)."),
]


@pytest.mark.parametrize(("fault", "words"), [row[1:] for row in FINAL], ids=[row[0] for row in FINAL])
def test_a_refusal_is_not_asked_again_and_says_what_the_service_said(server: EmbeddingServer, fault: Fault, words: str) -> None:
    encoder = encoder_of(server, keys={"HARDTACK_ENCODER_KEY": KEY})
    server.every = fault
    with pytest.raises(EncoderUnavailable) as caught:
        encoder.encode(TEXTS[:2])
    assert f"The encoder's service at 127.0.0.1:{server.server_port} {words}" == str(caught.value)
    assert 2 == len(server.requests)
    assert KEY not in str(caught.value) + caught.value.hint + repr(caught.value.__cause__) + repr(encoder) + repr(vars(encoder))


def test_vectors_of_another_size_are_refused_whenever_they_come(server: EmbeddingServer) -> None:
    encoder = encoder_of(server)
    server.every = lambda exchange: exchange.answer_well(dimension=32)
    with pytest.raises(
        EncoderUnavailable, match=r"'openai:small' gave vectors in the shape 2 of 32; 2 of 64 numbers were expected\."
    ):
        encoder.encode(TEXTS[:2])


@pytest.mark.parametrize(("name", "size"), [("openai", 1536), ("jina:jina-embeddings-v3", 1024)])
def test_a_model_whose_size_is_known_must_have_it(server: EmbeddingServer, name: str, size: int) -> None:
    with pytest.raises(EncoderUnavailable, match=f"1 of 64; 1 of {size} numbers|1 of 64.*{size}"):
        encoder_of(server, name=name)


def test_vectors_that_are_all_zero_or_longer_than_a_bundle_holds_are_refused(server: EmbeddingServer) -> None:
    server.lengthen = 0.0
    with pytest.raises(EncoderUnavailable, match="not finite, or all zero"):
        encoder_of(server)
    server.every = lambda exchange: exchange.send(200, {"data": [{"index": 0, "embedding": [1.0] * 5000}]})
    with pytest.raises(EncoderUnavailable, match="gives 5000 numbers a text; a bundle holds up to 4096"):
        encoder_of(server)


def test_answers_in_another_order_belong_to_their_texts(server: EmbeddingServer) -> None:
    server.every = misbehaviour.shuffled
    assert expected(server, TEXTS).tobytes() == encoder_of(server).encode(TEXTS).tobytes()


@pytest.mark.parametrize("length", [1e-30, 3.7, 1e200])
def test_vectors_are_brought_to_length_one(server: EmbeddingServer, length: float) -> None:
    wanted = expected(server, TEXTS)
    server.lengthen = length
    np.testing.assert_allclose(wanted, encoder_of(server).encode(TEXTS), atol=1e-6)


def test_texts_go_out_twenty_at_a_time_in_five_requests_at_once(server: EmbeddingServer) -> None:
    encoder = encoder_of(server)
    under_way, most = [0], [0]

    def slowly(exchange: misbehaviour.Exchange) -> None:
        under_way[0] += 1
        most[0] = max(most[0], under_way[0])
        time.sleep(0.05)
        under_way[0] -= 1
        exchange.answer_well()

    server.every = slowly
    encoder.encode([f"text {number}" for number in range(205)])
    assert AT_ONCE == most[0]
    assert sorted([BATCH] * 10 + [5]) == sorted(len(document["input"]) for _, _, document in server.requests[1:])


def test_a_rate_is_kept(server: EmbeddingServer) -> None:
    encoder = encoder_of(server, rate=600.0)
    began = time.monotonic()
    encoder.encode([f"text {number}" for number in range(5 * BATCH)])
    assert time.monotonic() - began > 0.4  # a tenth of a second between five requests, the probe before them


def test_what_says_nothing_is_not_sent_and_what_is_too_long_or_no_unicode_is_mended(server: EmbeddingServer) -> None:
    vectors = encoder_of(server).encode(["", "\x00 (_", "é" * 6000, "lone \ud800 x"])
    assert [False, False, True, True] == vectors.any(axis=1).tolist()
    (sent,) = (document["input"] for _, _, document in server.requests[1:])
    assert [MAX_TEXT_BYTES, "lone ? x"] == [len(sent[0].encode()), sent[1]]


def test_the_key_is_in_one_header_and_a_service_without_one_gets_none(server: EmbeddingServer) -> None:
    encoder_of(server, keys={"HARDTACK_ENCODER_KEY": KEY, "OPENAI_API_KEY": "sk-of-the-provider"})
    encoder_of(server, keys={"OPENAI_API_KEY": "sk-of-the-provider"})
    (path, first, document), (_, second, _) = server.requests
    assert ("/v1/embeddings", f"Bearer {KEY}") == (path, first["Authorization"])
    assert KEY not in json.dumps([{name: value for name, value in first.items() if name != "Authorization"}, document])
    assert "Authorization" not in second


def test_a_key_does_not_travel_unencrypted_to_another_machine() -> None:
    settings = EncoderSettings(name="openai:small", url="http://example.org/v1", keys={"HARDTACK_ENCODER_KEY": KEY})
    with pytest.raises(HardtackError, match=r"The key for example\.org would be sent unencrypted\."):
        load_foreign(settings.name, settings)


@pytest.mark.parametrize(("name", "variable"), [("openai", "OPENAI_API_KEY"), ("jina", "JINA_API_KEY")])
def test_a_providers_own_address_needs_its_key(name: str, variable: str) -> None:
    with pytest.raises(EncoderUnavailable, match=f"The encoder '{name}' needs a key, and {variable} is not set."):
        load_foreign(name, EncoderSettings(keys={"HARDTACK_ENCODER_KEY": KEY}))


def test_an_address_where_nobody_is_says_so(server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(providers, "_TRIES", 2)
    settings = settings_for(server, url="http://127.0.0.1:1/v1")
    with pytest.raises(
        EncoderUnavailable, match=r"^The encoder's service at 127\.0\.0\.1:1 cannot be reached, at the last of 2 tries\.$"
    ):
        load_foreign(settings.name, settings)


def test_a_proxy_is_asked_for_other_machines_unless_told_to_go_direct(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(providers, "_TRIES", 1)
    proxy = server.url.removesuffix("/v1")
    through = settings_for(server, url="http://models.example/v1", proxies={"http": proxy, "no": "other.example"})
    load_foreign(through.name, through)
    load_foreign(through.name, settings_for(server, proxies={"http": "http://127.0.0.1:1"}))  # this machine is reached directly
    assert ["http://models.example/v1/embeddings", "/v1/embeddings"] == [path for path, _, _ in server.requests]
    for names in ("models.example", ".example", "a, example", "*"):
        with pytest.raises(EncoderUnavailable, match="cannot be reached"):
            load_foreign(through.name, settings_for(server, url="http://models.example/v1", proxies={"http": proxy, "no": names}))


def test_connections_are_kept_open(server: EmbeddingServer) -> None:
    encoder = encoder_of(server)
    for number in range(5):
        encoder.encode([f"text {number}"])
    (pool,) = encoder._endpoint._pool.pools._container.values()
    assert (6, 1) == (pool.num_requests, pool.num_connections)


def test_queries_are_told_from_texts_where_the_model_wants_to_know(server: EmbeddingServer) -> None:
    with EmbeddingServer(dimension=512) as large:
        large.every = lambda exchange: exchange.send(
            200, {"data": [{"index": index, "embedding": [1.0] * 1024} for index in range(len(exchange.texts))]}
        )
        jina = encoder_of(large, name="jina")
        jina.encode(["a"])
        jina.for_queries().encode(["a"])
        assert ["retrieval.passage", "retrieval.passage", "retrieval.query"] == [each["task"] for _, _, each in large.requests]
        assert jina.fingerprint == jina.for_queries().fingerprint
    other = encoder_of(server, name="jina:another")
    other.for_queries().encode(["a"])
    assert [None, None] == [document.get("task") for _, _, document in server.requests]


def test_fingerprints_tell_provider_model_and_size_apart_and_not_the_address(server: EmbeddingServer) -> None:
    with EmbeddingServer() as elsewhere, EmbeddingServer(dimension=32) as smaller:
        same = {encoder_of(server).fingerprint, encoder_of(elsewhere).fingerprint}
        different = {
            encoder_of(server, name="openai:large").fingerprint,
            encoder_of(server, name="jina:small").fingerprint,
            encoder_of(smaller).fingerprint,
        }
    assert (1, 3, set()) == (len(same), len(different), same & different)


def test_when_one_request_fails_for_good_what_others_brought_is_still_given(server: EmbeddingServer) -> None:
    encoder = encoder_of(server)
    server.faults = {3: misbehaviour.status(400)}
    given: list[int] = []
    with pytest.raises(EncoderUnavailable):
        for places, _ in encoder.batches([f"text {number}" for number in range(40 * BATCH)]):
            given += places
    assert len(given) == sum(server.answered.values()) > 0
    assert len(server.requests) < 40


def test_an_answer_of_nested_lists_without_end_is_no_answer() -> None:
    with pytest.raises(Exception, match="no list of vectors"):
        vectors_in(b"[" * 100_000, 1)


def test_the_providers_are_those_of_seed_two() -> None:
    assert ("text-embedding-3-small", 1536) == (EncoderSettings(name="openai").model, openai.DIMENSIONS["text-embedding-3-small"])
    assert "jina:jina-embeddings-v3" == EncoderSettings(name="jina").full_name
