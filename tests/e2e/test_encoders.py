"""Whole builds and searches with an encoder that is a service: killed and resumed, refused, misbehaving."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import embedding_server as misbehaviour
import pytest
from embedding_server import EmbeddingServer

from hardtack.encoders.cache import FILE_NAME
from hardtack.encoders.over_http import AT_ONCE, BATCH

KEY = "sk-not-to-be-seen-anywhere-0123456789"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as running:
        yield running


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment whose cache is the test's own, and that says nothing else of encoders."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("HARDTACK_", "OPENAI_", "JINA_"))}
    return {**plain, "HARDTACK_ENCODER_CACHE": str(tmp_path / "cache")}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Plain source of 300 functions, each long enough to be a chunk of its own."""
    root = tmp_path / "tree"
    root.mkdir()
    for file in range(15):
        functions = [
            f"def step_{file}_{number}(value):\n"
            + "".join(f"    value = combine(value, part_{line}, {file})\n" for line in range(25))
            for number in range(20)
        ]
        (root / f"steps_{file}.py").write_text("\n\n".join(functions))
    return root


def flags(server: EmbeddingServer) -> list[str]:
    return ["--encoder", "openai:small", "--encoder-url", server.url]


def digest_in(done: subprocess.CompletedProcess[str]) -> str:
    assert 0 == done.returncode, done.stderr
    return next(line.strip() for line in done.stderr.splitlines() if line.startswith("  sha256:"))


def kept_in(cache: Path) -> int:
    """How many vectors a cache holds, while somebody else may be writing to it."""
    try:
        connection = sqlite3.connect(f"file:{cache / FILE_NAME}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT COUNT(*) FROM vectors").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


def test_a_build_that_is_killed_goes_on_where_it_was_and_no_text_is_sent_twice(
    server: EmbeddingServer, tree: Path, run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    answered, goes_on = 7, threading.Event()

    def hold(exchange: misbehaviour.Exchange) -> None:
        goes_on.wait(60)
        exchange.close_connection = True

    server.faults = dict.fromkeys(range(1 + answered, 2000), hold)
    command = [sys.executable, "-P", "-m", "hardtack", "build", str(tree), "-o", str(tmp_path / "bundle"), *flags(server)]
    builder = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while kept_in(tmp_path / "cache") < answered * BATCH and time.monotonic() < deadline:
        time.sleep(0.02)
    builder.send_signal(signal.SIGKILL)
    assert -9 == builder.wait(10)
    goes_on.set()
    assert not (tmp_path / "bundle").exists()
    assert answered * BATCH == sum(server.answered.values()) == kept_in(tmp_path / "cache")

    server.faults = {}
    done = run("build", tree, "-o", tmp_path / "bundle", *flags(server), env=environment)
    digest = digest_in(done)
    chunks = json.loads((tmp_path / "bundle" / "manifest.json").read_text())["counts"]["chunks"]
    assert f"  note: {answered * BATCH} of {chunks} vectors were kept from before.\n" in done.stderr
    assert chunks > (answered + AT_ONCE) * BATCH
    assert ({1}, chunks) == (set(server.answered.values()), len(server.answered))

    asked = len(server.requests)
    assert digest == digest_in(run("build", tree, "-o", tmp_path / "bundle", *flags(server), env=environment))
    assert 1 == len(server.requests) - asked  # the probe
    elsewhere = {**environment, "HARDTACK_ENCODER_CACHE": "off"}
    assert digest == digest_in(run("build", tree, "-o", tmp_path / "other", *flags(server), "-j", "1", env=elsewhere))


def test_a_service_in_a_bad_mood_still_makes_the_same_bundle(
    server: EmbeddingServer, pantry: Path, run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    good = digest_in(run("build", pantry, "-o", tmp_path / "good", *flags(server), env=environment))
    server.faults = {
        len(server.requests): misbehaviour.status(503),
        len(server.requests) + 1: misbehaviour.half,
        len(server.requests) + 3: misbehaviour.status(429, ("Retry-After", "1")),
        len(server.requests) + 4: misbehaviour.other(lambda data: data.pop() and None),
        len(server.requests) + 5: misbehaviour.reset,
    }
    patient = {**environment, "HARDTACK_ENCODER_CACHE": str(tmp_path / "another")}
    assert good == digest_in(run("build", pantry, "-o", tmp_path / "bad", *flags(server), env=patient))


def test_a_build_whose_service_fails_leaves_the_old_bundle_and_one_sentence(
    server: EmbeddingServer, pantry: Path, run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    before = digest_in(run("build", pantry, "-o", tmp_path / "bundle", env=environment))
    where = f"The encoder's service at 127.0.0.1:{server.server_port}"
    for number, fault, sentence in (
        (0, misbehaviour.status(401, says=KEY), f"{where} refuses the key, or wants one (401)."),
        (1, misbehaviour.status(429, ("Retry-After", "900")), f"{where} asks to wait 900 seconds (429)."),
        (1, lambda exchange: exchange.answer_well(dimension=32), "'openai:small' gave vectors in the shape"),
    ):
        server.faults = {len(server.requests) + number: fault}
        done = run(
            "build", pantry, "-o", tmp_path / "bundle", *flags(server), "-v", env={**environment, "HARDTACK_ENCODER_KEY": KEY}
        )
        assert (4, "") == (done.returncode, done.stdout)
        assert done.stderr.startswith(f"hardtack: {sentence}")
        assert len(done.stderr.splitlines()) <= 2  # the second is what to do about it
        assert KEY not in done.stderr
    assert ["bundle", "cache"] == sorted(path.name for path in tmp_path.iterdir())
    assert before == digest_of(run, tmp_path / "bundle")


def digest_of(run: Run, bundle: Path) -> str:
    return run("verify", bundle).stdout.split("; ")[-1].strip()


def test_the_key_is_in_no_byte_of_bundle_cache_report_or_output(
    server: EmbeddingServer, pantry: Path, run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    secret = {**environment, "HARDTACK_ENCODER_KEY": KEY}
    report = tmp_path / "report.json"
    done = run("build", pantry, "-o", tmp_path / "bundle", *flags(server), "-v", "--report", report, env=secret)
    found = run("search", "-b", tmp_path / "bundle", "jar", *flags(server), "--encoder-network", "--why", env=secret)
    assert (0, 0) == (done.returncode, found.returncode), done.stderr + found.stderr
    assert {f"Bearer {KEY}"} == {headers["Authorization"] for _, headers, _ in server.requests}
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 15
    assert not any(KEY.encode() in content for content in written)
    assert KEY not in done.stdout + done.stderr + found.stdout + found.stderr
    assert not any(server.url.encode() in content or b"127.0.0.1" in content for content in written)


def test_a_key_in_the_environment_chooses_nothing(
    pantry: Path, pantry_bundle: Path, run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    keys = {"OPENAI_API_KEY": KEY, "JINA_API_KEY": KEY, "HARDTACK_ENCODER_KEY": KEY}
    unreachable = {"https_proxy": "http://127.0.0.1:1", "http_proxy": "http://127.0.0.1:1"}
    digest_in(run("build", pantry, "-o", tmp_path / "bundle", "--history", "10", env={**environment, **keys, **unreachable}))
    assert digest_of(run, pantry_bundle) == digest_of(run, tmp_path / "bundle")
    assert not (tmp_path / "cache").exists()


def test_the_flag_wins_over_the_environment_and_the_environment_over_the_default(
    server: EmbeddingServer, pantry: Path, run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    def encoder_built(*arguments: str, **variables: str) -> str:
        done = run("build", pantry, "-o", tmp_path / "bundle", *arguments, env={**environment, **variables})
        assert 0 == done.returncode, done.stderr
        return str(json.loads((tmp_path / "bundle" / "manifest.json").read_text())["encoder"]["name"])

    service = {"HARDTACK_ENCODER": "openai:small", "HARDTACK_ENCODER_URL": server.url}
    assert "static" == encoder_built()
    assert "openai:small" == encoder_built(**service)
    assert "hashing" == encoder_built("--encoder", "hashing", **service)


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("word2vec", 2, "There is no encoder called 'word2vec'."),
        ("static:large", 2, "The encoder 'static' takes no model."),
        ("openai", 4, "The encoder 'openai' needs a key, and OPENAI_API_KEY is not set."),
    ],
)
def test_an_encoder_that_cannot_be_had_is_known_before_anything_is_built(
    name: str, code: int, words: str, pantry: Path, run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    done = run("build", pantry, "-o", tmp_path / "bundle", "--encoder", name, env=environment)
    assert (code, f"hardtack: {words}") == (done.returncode, done.stderr.splitlines()[0])
    assert not (tmp_path / "bundle").exists()
