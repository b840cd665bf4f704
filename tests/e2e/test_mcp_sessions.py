"""What takes a while tells how far it is and stops when nobody wants it any more; a client may say where its user works."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.types import ListRootsResult, Root
from mcp_servers import MODES, environment, listening, stdio, talk, wired
from own_work import made_own

import hardtack


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A directory to build: as many real files as take a second."""
    place = tmp_path / "small"
    for name in ("query", "bundle", "render", "cli"):
        shutil.copytree(Path(hardtack.__file__).parent / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    return place


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A directory that takes seconds to build."""
    place = tmp_path / "large"
    for number in range(3):
        shutil.copytree(Path(hardtack.__file__).parent, place / str(number), ignore=shutil.ignore_patterns("__pycache__", "data"))
    return place


@pytest.mark.parametrize(("kind", "mode"), [("stdio", "auto"), ("stdio", "legacy"), ("http", "auto"), ("sse", "legacy")])
def test_progress_is_told_to_who_asked_and_the_index_is_served(source: Path, tmp_path: Path, kind: str, mode: str) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def say(connected: Client) -> Any:
        result = await connected.call_tool("index_codebase", {"path": str(source)}, progress_callback=hear)
        assert not result.is_error, result.content
        found = await connected.call_tool("search_code", {"query": "inert", "index_name": "small"})
        return result.structured_content, found.structured_content

    if kind == "stdio":
        built, found = talk(kind, stdio("--allow-build", HARDTACK_BUNDLE_PATH=str(tmp_path)), mode, say)
    else:
        with listening(kind, "--allow-build") as address:
            built, found = talk(kind, address, mode, say)
    assert built["success"] and built["stats"]["files_added"] > 5
    assert found["result"]
    assert told
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert all(what for _, _, what in told)


def _is_built(source: Path) -> bool:
    """Whether a process is building that directory."""
    commands = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            commands.append(place.read_bytes())
    return any(b"build_process" in command and str(source).encode() in command for command in commands)


def test_a_call_that_is_cancelled_stops_and_is_never_answered(large: Path) -> None:
    with wired("--allow-build", cwd=large) as wire:
        number = wire.send("tools/call", name="index_codebase", arguments={"path": str(large)})
        _wait_for(lambda: _is_built(large))
        wire.tell("notifications/cancelled", requestId=number, reason="changed my mind")
        begun = time.monotonic()
        assert wire.ask("ping")["result"] == {}
        assert time.monotonic() - begun < 2
        _wait_for(lambda: not _is_built(large))
        assert wire.call("list_indexes")["result"] == []
        assert [message for message in wire.others if "id" in message] == []
        left = {path.name for path in (large / ".hardtack").glob("*")}
        assert left <= {"bundle.lock", ".gitignore", ".hardtack-journal-bundle"}, "nothing but what the next build goes on from"


@pytest.mark.parametrize("kind", ["stdio", "http"])
def test_a_client_of_either_era_can_give_up(large: Path, kind: str) -> None:
    async def give_up(connected: Client) -> Any:
        async with anyio.create_task_group() as group:
            group.start_soon(connected.call_tool, "index_codebase", {"path": str(large)})
            while not _is_built(large):
                await anyio.sleep(0.02)
            group.cancel_scope.cancel()
        while _is_built(large):
            await anyio.sleep(0.02)
        indexes = (await connected.call_tool("list_indexes", {})).structured_content["result"]
        return [index["name"] for index in indexes]

    with listening(kind, "--allow-build") if kind != "stdio" else contextlib.nullcontext() as address:
        for mode in MODES:
            assert large.name not in talk(kind, address or stdio("--allow-build"), mode, give_up)


def _wait_for(is_so: Any) -> None:
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_client_that_says_where_its_user_works_is_answered_from_there(pantry_bundle: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "work place"
    made_own(Path(shutil.copytree(pantry_bundle, checkout / ".hardtack" / "bundle")))
    asked = 0

    async def roots(context: Any) -> ListRootsResult:
        nonlocal asked
        asked += 1
        await anyio.sleep(0.3)  # calls that come meanwhile wait for it
        odd = ["file:///no/such/directory", "file://elsewhere/share", "file:///etc/passwd"]
        return ListRootsResult(roots=[Root.model_validate({"uri": uri}) for uri in (*odd, checkout.as_uri())])

    async def say(connected: Client) -> Any:
        first = await connected.call_tool("search_code", {"query": "oldest jar"})
        return first.is_error, [row["name"] for row in (await connected.call_tool("list_indexes", {})).structured_content["result"]]

    place = stdio("--log-level", "error", HARDTACK_CACHE=os.environ["HARDTACK_CACHE"])
    place.cwd = tmp_path
    assert talk("stdio", place, "legacy", say, list_roots_callback=roots) == (False, ["work-place"])
    assert asked == 1
    assert talk("stdio", place, "auto", say, list_roots_callback=roots) == (True, [])
    assert asked == 1, "there are no such requests in the protocol of 2026-07-28"


def test_a_client_is_not_asked_where_bundles_were_named(pantry_bundle: Path) -> None:
    async def never(context: Any) -> ListRootsResult:
        raise AssertionError("asked")

    async def say(connected: Client) -> Any:
        indexes = (await connected.call_tool("list_indexes", {})).structured_content["result"]
        return [index["name"] for index in indexes]

    assert len(talk("stdio", stdio("-b", pantry_bundle), "legacy", say, list_roots_callback=never)) == 1


def test_a_client_that_will_not_say_is_served_all_the_same(tmp_path: Path) -> None:
    async def refuse(context: Any) -> Any:
        from mcp.types import ErrorData

        return ErrorData(code=-32603, message="no")

    async def say(connected: Client) -> Any:
        indexes = (await connected.call_tool("list_indexes", {})).structured_content["result"]
        return [index["name"] for index in indexes]

    place = stdio()
    place.cwd = tmp_path
    assert talk("stdio", place, "legacy", say, list_roots_callback=refuse) == []


def test_resources_come_in_pages_and_each_file_once(pantry_bundle: Path, tmp_path: Path) -> None:
    from hardtack.build.pipeline import BuildOptions, build_bundle

    many = tmp_path / "many"
    many.mkdir()
    for number in range(1203):
        (many / f"f{number:04}.txt").write_text(f"{number}\n")
    build_bundle(many, tmp_path / "bundles" / "many", BuildOptions(jobs=1, profile="keyword"))
    with wired("-b", pantry_bundle, "-b", tmp_path / "bundles" / "many", env=environment()) as wire:
        pages: list[list[str]] = []
        cursor: dict[str, str] = {}
        while not pages or cursor:
            page = wire.ask("resources/list", **cursor)["result"]
            pages.append([resource["uri"] for resource in page["resources"]])
            cursor = {"cursor": page["nextCursor"]} if "nextCursor" in page else {}
        uris = [uri for page in pages for uri in page]
        assert [len(page) for page in pages[:-1]] == [500] * (len(pages) - 1)
        assert len(uris) == len(set(uris))
        assert [uri for uri in uris if uri.startswith("hardtack://many/")] == [f"hardtack://many/f{n:04}.txt" for n in range(1203)]
        for wrong in ("", "x", "e30=", "W10=", "WyJub25lIiwgIngiXQ==", "\xff" * 10, "A" * 100_000):
            answer = wire.ask("resources/list", cursor=wrong)
            if wrong:
                assert answer["error"]["data"]["error"]["code"] == "CURSOR_INVALID"
