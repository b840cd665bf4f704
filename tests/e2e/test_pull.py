"""``hardtack publish`` and ``hardtack pull`` as processes: exit codes, what is said, and many at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bad_server import BadServer, answers, wait_until
from story import REPOSITORY, Story, tell

TOKEN = "-".join(("not", "a", "real", "token"))


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return tell(tmp_path_factory.mktemp("told"), built=("two", "three"))


@pytest.fixture
def call(tmp_path: Path, run: Callable[..., subprocess.CompletedProcess[str]]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """``hardtack`` with a cache of this test's own, and nobody's sources and tokens."""

    def call(*arguments: str | Path, at: Path = tmp_path, **variables: str) -> subprocess.CompletedProcess[str]:
        return run(*arguments, cwd=at, env=environment(tmp_path) | variables)

    return call


def environment(place: Path) -> dict[str, str]:
    """Without what the machine's user set up."""
    own = ("HARDTACK_", "GH_", "GITHUB_", "AWS_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(own) and not name.lower().endswith("_proxy")}
    return kept | {"HARDTACK_CACHE": str(place / "cache")}


def served(place: Path) -> dict[str, bytes]:
    return {f"/{path.relative_to(place).as_posix()}": path.read_bytes() for path in place.rglob("*") if path.is_file()}


def test_a_bundle_goes_from_one_checkout_to_another_and_is_searched_there(
    story: Story, call: Callable[..., Any], tmp_path: Path
) -> None:
    checkout = story.clone(tmp_path / "checkout")
    for message in ("two", "three"):
        done = call("publish", story.packs[message].path, "--to", tmp_path / "www", "--ref", "main")
        assert (0, "") == (done.returncode, done.stderr)
        assert story.packs[message].bundle_digest in done.stdout
    with BadServer(served(tmp_path / "www")) as server:
        done = call("pull", "--json", at=checkout, HARDTACK_SOURCE=server.url, HARDTACK_TOKEN=TOKEN)
        assert (0, "") == (done.returncode, done.stderr)
        told = json.loads(done.stdout)
        assert {f"Bearer {TOKEN}"} == {headers.get("authorization") for _, headers in server.asked}
    three = story.packs["three"]
    expected = {
        "schema": "hardtack.pull/1",
        "name": REPOSITORY,
        "digest": three.bundle_digest,
        "pack_digest": three.digest,
        "commit": story.commits["three"],
        "ref": "",
        "distance": 1,
        "source": server.url,
        "was_there": False,
        "place": str(tmp_path / "cache" / "v1" / "bundles" / three.bundle_digest.replace(":", "-")),
    }
    assert expected == told
    hits = json.loads(call("search", "three", "--json", at=checkout).stdout)["hits"]
    assert "three.py" == hits[0]["path"]
    for path in (tmp_path / "cache").rglob("*.json"):
        assert TOKEN not in path.read_text()
    again = call("pull", "--offline", at=checkout)
    assert (0, True) == (again.returncode, "1 commit behind HEAD, was there" in again.stdout)


def test_each_way_to_fail_has_its_exit_code(story: Story, call: Callable[..., Any], tmp_path: Path) -> None:
    checkout = story.clone(tmp_path / "checkout")
    call("publish", story.packs["two"].path, "--to", tmp_path / "www")
    with BadServer(served(tmp_path / "www")) as server, BadServer() as empty:
        assert 1 == call("pull", "--from", empty.url, at=checkout).returncode
        assert 2 == call("pull", at=checkout).returncode
        assert 2 == call("pull", "--from", "ftp://example.org", at=checkout).returncode
        empty.every = answers(401)
        assert 5 == call("pull", "--from", empty.url, at=checkout).returncode
        other = call("pull", "--from", server.url, "--commit", story.commits["two"], "--repository", "example.org/a/b")
        assert (6, True) == (other.returncode, f"is of {REPOSITORY}, not of example.org/a/b" in other.stderr)
        for path in server.files:
            if path.startswith("/packs"):
                server.files[path] = bytes(len(server.files[path]))
        damaged = call("pull", "--from", server.url, "--json", at=checkout)
        assert (3, "BUNDLE_CORRUPT") == (damaged.returncode, json.loads(damaged.stderr)["error"]["code"])
    assert 6 == call("publish", story.packs["two"].path, "--to", tmp_path / "www", "--commit", "a" * 40).returncode
    assert 2 == call("publish", story.packs["two"].path, "--to", "https://example.org").returncode


def test_a_checkout_cannot_lead_its_user_astray(story: Story, call: Callable[..., Any], tmp_path: Path) -> None:
    checkout = story.clone(tmp_path / "checkout")
    with BadServer() as server:
        for address, code in ((server.url, 2), (server.url.replace("http://", "https://"), 6), ("/etc", 2), ("s3://theirs/x", 2)):
            (checkout / "hardtack.toml").write_text(f'source = "{address}"\n')
            done = call("pull", at=checkout, HARDTACK_TOKEN=TOKEN, GH_TOKEN=TOKEN)
            assert (code, False) == (done.returncode, TOKEN in done.stderr)
        assert [] == server.asked


def test_many_who_pull_at_once_fetch_once(story: Story, call: Callable[..., Any], tmp_path: Path) -> None:
    checkout = story.clone(tmp_path / "checkout")
    call("publish", story.packs["three"].path, "--to", tmp_path / "www")
    with BadServer(served(tmp_path / "www")) as server:
        command = [sys.executable, "-P", "-m", "hardtack", "pull", "--from", server.url, "--json", "--checkout", str(checkout)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        running = [subprocess.Popen(command, env=environment(tmp_path), **pipes) for _ in range(6)]  # type: ignore[call-overload]
        outcomes = [(process.communicate(timeout=120), process.returncode) for process in running]
        assert [0] * 6 == [code for _, code in outcomes], outcomes
        assert 1 == sum(not json.loads(out)["was_there"] for (out, _), _ in outcomes)
        assert 1 == sum(path.startswith("/packs") for path, _ in server.asked)


def test_a_pull_that_is_killed_is_gone_on_from(story: Story, call: Callable[..., Any], tmp_path: Path) -> None:
    """A real process, killed while it downloads."""
    checkout = story.clone(tmp_path / "checkout")
    call("publish", story.packs["three"].path, "--to", tmp_path / "www")
    files = served(tmp_path / "www")
    name = next(path for path in files if path.startswith("/packs"))

    def half(exchange: Any) -> None:
        data = files[name]
        exchange.send_response(200)
        exchange.send_header("Content-Length", str(len(data)))
        exchange.end_headers()
        exchange.wfile.write(data[:50_000])
        exchange.server.stopped.wait(60)

    with BadServer(files, faults={name: half}) as server:
        command = [sys.executable, "-P", "-m", "hardtack", "pull", "--from", server.url, "--checkout", str(checkout)]
        process = subprocess.Popen(command, env=environment(tmp_path), stderr=subprocess.DEVNULL)
        part = tmp_path / "cache" / "v1" / "tmp"
        assert wait_until(lambda: any(path.stat().st_size == 50_000 for path in part.glob("*.part")), 60)
        process.kill()
        process.wait()
        server.faults.clear()
        done = call("pull", "--from", server.url, at=checkout)
        assert (0, "bytes=50000-") == (done.returncode, server.asked[-1][1].get("range"))
