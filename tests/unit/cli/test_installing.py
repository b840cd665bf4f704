"""``install``, ``gc``, ``list`` and ``clear`` over the user's cache."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from bad_server import BadServer, leads_to
from command_line import Run, run_or_raise

from hardtack.bundle.packing import PackInfo, write_pack
from hardtack.cli.environment import installed_bundles
from hardtack.errors import BundleError, BundleNotFound, PolicyError, SourceError, UsageError

FROZEN = Path(__file__).parents[3] / "fixtures" / "bundles" / "v1"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command line where there is no bundle and the cache is empty."""
    monkeypatch.setenv("HARDTACK_CACHE", str(tmp_path / "cache"))
    (tmp_path / "stand").mkdir()
    monkeypatch.chdir(tmp_path / "stand")
    return run_or_raise


@pytest.fixture
def packs(tmp_path: Path) -> list[PackInfo]:
    return [write_pack(FROZEN / profile, tmp_path / f"{profile}.hardtack") for profile in ("hybrid", "keyword")]


def test_what_is_installed_is_listed_searched_and_cleared(run: Run, packs: list[PackInfo], tmp_path: Path) -> None:
    said = run("install", packs[0].path).stdout
    assert said.startswith("example.org/ship/tiny: installed at ")
    assert said.endswith(f"; {packs[0].bundle_digest}\n")
    heading, row = run("list").stdout.splitlines()
    assert ["name", "digest", "commit", "age", "size", "from", "place"] == heading.split()
    assert row.startswith("ship-tiny  ")
    assert "  file  " in row
    found = json.loads(run("search", "ship", "--mode", "keyword", "--json").stdout)
    assert (packs[0].bundle_digest, "ship-tiny") == (found["bundle"]["digest"], found["bundle"]["name"])
    for name in ("tiny", "ship-tiny", packs[0].bundle_digest, packs[0].path):
        assert packs[0].bundle_digest in run("verify", "-b", name).stdout
    assert "ship-tiny" in run("status").stdout
    assert "example.org/ship/tiny was deleted.\n" == run("clear", "ship-tiny", "--yes").stderr
    with pytest.raises(BundleNotFound):
        run("search", "ship")


def test_the_list_as_json_says_where_a_bundle_came_from(run: Run, packs: list[PackInfo]) -> None:
    run("install", packs[0].path, "--as", "mine")
    (listed,) = json.loads(run("list", "--json").stdout)["bundles"]
    installed = listed["installed"]
    assert ("mine", "file", packs[0].digest, "unsigned") == tuple(
        installed[key] for key in ("name", "source", "pack_digest", "trust")
    )
    assert installed["installed_at"] > 1_700_000_000
    assert ("mine", packs[0].bundle_digest) == (listed["name"], listed["digest"])


def test_an_install_as_json_says_what_is_where(run: Run, packs: list[PackInfo], tmp_path: Path) -> None:
    document = json.loads(run("install", packs[0].path, "--json").stdout)
    place = tmp_path / "cache" / "v1" / "bundles" / packs[0].bundle_digest.replace(":", "-")
    wanted = {"name": "example.org/ship/tiny", "digest": packs[0].bundle_digest, "place": str(place)}
    assert {"schema": "hardtack.install/1", **wanted} == document


def test_gc_says_what_it_removes_and_a_dry_run_what_it_would(
    run: Run, packs: list[PackInfo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pack in packs:
        run("install", pack.path)
    assert run("gc").stdout.startswith("0 bundles, 0 members, 0 unfinished removed: 0 B; 2 bundles kept")
    monkeypatch.setattr("time.time", lambda: 4e9)
    said = json.loads(run("gc", "--dry-run", "--json").stdout)
    assert ("hardtack.gc/1", True, 1, 1) == tuple(said[key] for key in ("schema", "dry_run", "bundles", "kept"))
    assert run("gc", "--dry-run").stdout.startswith("1 bundle, ")
    assert {**said, "dry_run": False} == json.loads(run("gc", "--json").stdout)
    assert 1 == len(os.listdir(tmp_path / "cache" / "v1" / "bundles"))


def test_into_a_directory_goes_what_an_image_finds_by_its_path(
    run: Run, packs: list[PackInfo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = run("install", packs[0].path, "--into", tmp_path / "image").stdout
    assert said.startswith(f"ship-tiny: installed at {tmp_path / 'image' / 'ship-tiny'}; ")
    assert not (tmp_path / "cache").exists()
    monkeypatch.setenv("HARDTACK_BUNDLE_PATH", str(tmp_path / "image"))
    assert packs[0].bundle_digest in run("verify").stdout
    assert ["ship-tiny"] == [each["name"] for each in json.loads(run("list", "--json").stdout)["bundles"]]


def test_a_record_that_is_left_out_is_said_beside_the_list(run: Run, packs: list[PackInfo], tmp_path: Path) -> None:
    run("install", packs[0].path)
    (tmp_path / "cache" / "v1" / "refs" / "x.json").write_bytes(b"\x1b[31m")
    result = run("list")
    assert 2 == len(result.stdout.splitlines())
    assert result.stderr.startswith("Left out: ")
    assert "x.json is not JSON that can be read." in result.stderr


def test_a_cache_that_everybody_can_write_to_is_refused_by_every_verb(run: Run, packs: list[PackInfo], tmp_path: Path) -> None:
    run("install", packs[0].path)
    (tmp_path / "cache").chmod(0o777)
    for arguments in (("search", "ship"), ("install", packs[0].path), ("gc",), ("clear", "tiny", "--yes"), ("list",)):
        with pytest.raises(PolicyError, match="can be written by everybody"):
            run(*arguments)
    (tmp_path / "cache").chmod(0o700)
    assert 0 == run("search", "ship", "--mode", "keyword").return_value


def test_a_pack_on_the_web_is_fetched_and_installed_and_the_record_says_from_where(
    run: Run, packs: list[PackInfo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARDTACK_TOKEN", "t0ken")
    with BadServer() as server:
        server.files["/p/my api.hardtack"] = packs[0].path.read_bytes()
        url = f"{server.url}/p/my%20api.hardtack"
        said = run("install", f"{url}?signature=x", "--digest", packs[0].bundle_digest).stdout
        assert said.startswith("example.org/ship/tiny: installed at ")
        (listed,) = json.loads(run("list", "--json").stdout)["bundles"]
        assert (url, packs[0].digest) == (listed["installed"]["source"], listed["installed"]["pack_digest"])
        assert ["Bearer t0ken"] == [headers.get("authorization") for _, headers in server.asked]
        place = run("install", url, "--into", tmp_path / "image").stdout
        assert place.startswith("ship-tiny: installed at ")
    assert [] == os.listdir(tmp_path / "cache" / "v1" / "tmp")


def test_what_the_web_has_instead_of_a_pack_is_refused_and_nothing_is_left(run: Run, packs: list[PackInfo], tmp_path: Path) -> None:
    with BadServer() as server:
        server.files["/bad"] = packs[0].path.read_bytes()[:-1]
        server.files["/page"] = b"<html>Please log in</html>"
        server.faults["/away"] = leads_to("file:///etc/passwd")
        for path, refusal in (("bad", BundleError), ("page", BundleError), ("none", SourceError), ("away", PolicyError)):
            with pytest.raises(refusal):
                run("install", f"{server.url}/{path}")
        with pytest.raises(BundleError, match="not the bundle asked for"):
            server.files["/good"] = packs[0].path.read_bytes()
            run("install", f"{server.url}/good", "--digest", packs[1].bundle_digest)
    with pytest.raises(UsageError, match="cannot be installed from"):
        run("install", "ftp://example.org/api.hardtack")
    for address in ("https://[x", "ftp://[x", "https://"):
        with pytest.raises(UsageError):
            run("install", address)
    assert [] == [path for path in (tmp_path / "cache").rglob("*") if path.is_file() and path.name != "CACHEDIR.TAG"]


def test_a_shell_completes_the_names_of_installed_bundles(run: Run, packs: list[PackInfo]) -> None:
    run("install", packs[0].path)
    run("install", packs[1].path, "--as", "github.com/o/api")
    assert ["o-api", "ship-tiny"] == sorted(installed_bundles())
