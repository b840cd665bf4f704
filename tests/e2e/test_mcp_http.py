"""A server that listens for HTTP answers those alone who know its token and call it by its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp_servers import TOKEN, environment, event_of, listening, started
from processes import piped

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}},
}
BEARER = {"Authorization": f"Bearer {TOKEN}"}
WANTED = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module", params=["http", "sse"])
def served(request: pytest.FixtureRequest, pantry_bundle: Path) -> Iterator[tuple[str, str]]:
    """The pantry over HTTP: the kind, and the address."""
    with listening(request.param, "-b", pantry_bundle) as address:
        yield request.param, address


def _status(served: tuple[str, str], headers: Mapping[str, str | bytes], **options: Any) -> int:
    """What a request to the server is answered with."""
    kind, address = served
    method, content = ("POST", HELLO) if kind == "http" else ("GET", None)
    sent: dict[str, str | bytes] = {**WANTED, **headers}
    wanted = [(name.encode(), value if isinstance(value, bytes) else value.encode()) for name, value in sent.items()]
    with (
        httpx2.Client(timeout=10) as http,
        http.stream(method, address, headers=wanted, json=content, **options) as answer,
    ):
        return int(answer.status_code)


def test_with_the_token_it_answers(served: tuple[str, str]) -> None:
    assert _status(served, BEARER) == 200
    assert _status(served, {"Authorization": f"bearer  {TOKEN}"}) == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": ""},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": "Bearer \xff\xfe"},
        {"Cookie": f"Authorization=Bearer {TOKEN}"},
        {"X-Authorization": f"Bearer {TOKEN}"},
    ],
)
def test_without_the_token_it_is_refused(served: tuple[str, str], headers: dict[str, str]) -> None:
    assert _status(served, {name: value.encode("latin-1") for name, value in headers.items()}) == 401


def test_a_token_in_the_address_is_none(served: tuple[str, str]) -> None:
    assert _status(served, {}, params={"token": TOKEN, "access_token": TOKEN}) == 401


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/page/index.html",
        "/search?q=jar",
        "//",
        "/mcp",
        "/sse",
        "/messages/?session_id=0",
        "/.well-known/oauth-protected-resource",
        "/docs",
    ],
)
def test_no_path_is_open_to_those_without_a_token(served: tuple[str, str], path: str) -> None:
    base = served[1].rpartition("/")[0]
    for method in ("GET", "POST", "DELETE", "OPTIONS"):
        if (served[0], path, method) != ("http", "/", "GET"):  # the shell of the page (test_live_page.py)
            assert httpx2.request(method, base + path).status_code == 401


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1:1", "localhost", "127.0.0.1@evil.example:80"]
)
def test_a_host_that_it_is_not_called_by_is_refused(served: tuple[str, str], host: str) -> None:
    assert _status(served, {**BEARER, "Host": host}) == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://localhost.evil.example", "file://"])
def test_a_foreign_origin_is_refused(served: tuple[str, str], origin: str) -> None:
    assert _status(served, {**BEARER, "Origin": origin}) == 403


def test_its_own_origin_is_taken(served: tuple[str, str]) -> None:
    own = served[1].rpartition("/")[0]
    assert _status(served, {**BEARER, "Origin": own}) == 200
    assert _status(served, {**BEARER, "Origin": own.replace("127.0.0.1", "localhost")}) == 200


def test_a_body_that_is_too_large_is_refused(pantry_bundle: Path) -> None:
    with listening("http", "-b", pantry_bundle) as address:
        answer = httpx2.post(address, headers={**BEARER, **WANTED, "Content-Type": "application/json"}, content=b"x" * 5_000_000)
        assert answer.status_code == 413


def test_a_token_is_made_and_told_once(pantry_bundle: Path) -> None:
    tokens = set()
    for _ in range(2):
        with started("-b", pantry_bundle, "--http", "--port", "0", "--log-level", "error", env=environment()) as process:
            told = event_of(process, "listening")
            tokens.add(told["token"])
            answer = httpx2.post(told["url"], json=HELLO, headers={**WANTED, "Authorization": f"Bearer {told['token']}"})
            assert answer.status_code == 200
            process.terminate()
            assert process.wait(10) == 0
            assert told["token"].encode() not in piped(process.stderr).read()
    assert len(tokens) == 2
    assert min(map(len, tokens)) > 40


def test_a_token_of_ones_own_is_never_told(pantry_bundle: Path) -> None:
    with started("-b", pantry_bundle, "--http", "--port", "0", env=environment(HARDTACK_SERVE_TOKEN=TOKEN)) as process:
        assert "token" not in event_of(process, "listening")


@pytest.mark.parametrize(
    ("flags", "variables", "said"),
    [
        (["--http", "--host", "0.0.0.0"], {}, "--allowed-host"),
        (["--sse", "--host", "::"], {}, "--allowed-host"),
        (["--http"], {"HARDTACK_SERVE_TOKEN": "short"}, "16 characters"),
        (["--http", "--host", "192.0.2.1", "--allowed-host", "x"], {}, "Nothing can listen"),
        (["--toolsets", "search,nonsense"], {}, "no toolset 'nonsense'"),
    ],
)
def test_what_is_not_safe_or_not_possible_is_not_served(
    pantry_bundle: Path, flags: list[str], variables: dict[str, str], said: str
) -> None:
    with started("-b", pantry_bundle, *flags, env=environment(**variables)) as process:
        assert process.wait(10) in (2, 5)
        text = piped(process.stderr).read().decode()
        assert said in text
        assert "Traceback" not in text


def test_a_server_of_a_network_answers_to_the_names_that_it_was_told(pantry_bundle: Path) -> None:
    flags = ["--http", "--host", "0.0.0.0", "--port", "0", "--allowed-host", "code.example", "--allowed-host", "other.example:99"]
    with started("-b", pantry_bundle, *flags, env=environment(HARDTACK_SERVE_TOKEN=TOKEN)) as process:
        address = event_of(process, "listening")["url"].replace("0.0.0.0", "127.0.0.1")
        port = address.rpartition(":")[2].partition("/")[0]
        for host, status in (
            *(("code.example", 200), (f"code.example:{port}", 200), ("other.example:99", 200)),
            *(("other.example", 421), (f"127.0.0.1:{port}", 421), (f"0.0.0.0:{port}", 421)),
        ):
            assert _status(("http", address), {**BEARER, "Host": host}) == status, host


def test_it_ends_though_a_client_holds_a_stream_open(pantry_bundle: Path) -> None:
    with started("-b", pantry_bundle, "--sse", "--port", "0", env=environment(HARDTACK_SERVE_TOKEN=TOKEN)) as process:
        address = event_of(process, "listening")["url"]
        with httpx2.Client() as http, http.stream("GET", address, headers=BEARER) as answer:
            assert answer.status_code == 200
            process.terminate()
            assert process.wait(10) == 0
        assert b"Traceback" not in piped(process.stderr).read()
