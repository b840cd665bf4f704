"""An entry in a client's file: the file is backed up and replaced in one step, and the entry is removed again."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path

import pytest

from hardtack.clients.files import Plan, plan_to_put, plan_to_remove, servers_in
from hardtack.clients.table import CLIENTS, Client
from hardtack.errors import SourceError, UsageError

COMMAND = ("hardtack", "serve")
CURSOR, CODEX = CLIENTS["cursor"], CLIENTS["codex"]

ORIGINALS: list[tuple[str, bytes | None]] = [
    ("cursor", None),
    ("cursor", b""),
    ("cursor", b"{}"),
    ("cursor", b"{ }\n"),
    ("cursor", b'{"mcpServers":{}}'),
    ("cursor", b'\xef\xbb\xbf{\r\n\t"mcpServers": {\r\n\t}\r\n}\r\n'),
    ("cursor", b'{\n  // mine\n  "mcpServers": {"x": {"url": "u"}},\n}'),
    ("codex", None),
    ("codex", b""),
    ("codex", b"model = 'm' # no newline at the end"),
    ("codex", b'\xef\xbb\xbfmodel = "m"\r\n\r\n[mcp_servers.x]\r\ncommand = "x"\r\n'),
    ("opencode", b'{"$schema": "https://opencode.ai/config.json"}\n'),
]


def _put(client: Client, path: Path, command: tuple[str, ...] = COMMAND) -> Path | None:
    return plan_to_put(client, path, "hardtack", client.entry(command)).carry_out()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mcp.json"


@pytest.mark.parametrize(("name", "original"), ORIGINALS)
def test_removing_gives_back_what_was_there_before(name: str, original: bytes | None, tmp_path: Path) -> None:
    client, path = CLIENTS[name], tmp_path / "settings"
    if original is not None:
        path.write_bytes(original)
    for command in (COMMAND, (*COMMAND, "--bundle", "x")):
        _put(client, path, command)
        written = path.read_bytes()
        assert client.entry(command) == servers_in(client, path)["hardtack"]
        assert (original or b"").startswith(BOM_UTF8) == written.startswith(BOM_UTF8)
        again = plan_to_put(client, path, "hardtack", client.entry(command))
        assert (False, None, written) == (again.changes, again.carry_out(), path.read_bytes())
    plan_to_remove(client, path, "hardtack").carry_out()
    assert (original, []) == (path.read_bytes() if path.exists() else None, list(tmp_path.glob("*.bak*")))
    assert not plan_to_remove(client, path, "hardtack").changes


def test_what_others_changed_meanwhile_is_kept_when_the_entry_goes(path: Path) -> None:
    path.write_bytes(b'{"mcpServers": {}}')
    backup = _put(CURSOR, path)
    path.write_bytes(path.read_bytes().replace(b'"mcpServers": {', b'"new": 1, "mcpServers": {'))
    plan_to_remove(CURSOR, path, "hardtack").carry_out()
    assert (b'{"new": 1}', b'{"mcpServers": {}}') == (path.read_bytes(), backup.read_bytes() if backup else None)


def test_a_backup_is_never_overwritten(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b'{"a": 1}')
    (tmp_path / "mcp.json.bak").write_bytes(b"of somebody else")
    assert tmp_path / "mcp.json.bak2" == _put(CURSOR, path)
    assert (b"of somebody else", b'{"a": 1}') == tuple((tmp_path / name).read_bytes() for name in ("mcp.json.bak", "mcp.json.bak2"))
    assert None is _put(CURSOR, path, (*COMMAND, "--toolsets", "files"))


def test_a_backup_that_has_an_entry_already_is_not_given_back(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b'{"a": 1, "mcpServers": {"hardtack": {"url": "by hand"}}}')
    assert tmp_path / "mcp.json.bak" == _put(CURSOR, path)
    plan_to_remove(CURSOR, path, "hardtack").carry_out()
    assert b'{"a": 1}' == path.read_bytes()


def test_an_entry_of_another_kind_is_never_lost(path: Path) -> None:
    path.write_bytes(b'{"a": 1}')
    _put(CURSOR, path)
    path.write_bytes(b'{"mcpServers": {"hardtack": {"url": "by hand"}}}')
    backup = _put(CURSOR, path)
    assert backup is not None
    assert b'{"mcpServers": {"hardtack": {"url": "by hand"}}}' == backup.read_bytes()


def test_a_link_stays_when_the_file_it_leads_to_goes(path: Path, tmp_path: Path) -> None:
    path.symlink_to(tmp_path / "real.json")
    _put(CURSOR, path)
    plan_to_remove(CURSOR, path, "hardtack").carry_out()
    assert (True, False) == (path.is_symlink(), (tmp_path / "real.json").exists())


def test_a_backup_that_holds_the_same_is_used_again(tmp_path: Path) -> None:
    path, backup = tmp_path / "mcp.json", tmp_path / "mcp.json.bak"
    for file in (path, backup):
        file.write_bytes(b'{"a": 1}')
    assert (backup, [backup, path]) == (_put(CURSOR, path), sorted(tmp_path.iterdir(), reverse=True))


def test_what_a_user_added_to_the_entry_stays_in_it(path: Path) -> None:
    path.write_text('{"mcpServers": {"hardtack": {"command": "old", "tools": ["search"], "env": {"A": "b"}}}}')
    _put(CLIENTS["copilot"], path)
    expected = {"command": "hardtack", "args": ["serve"], "type": "local", "tools": ["search"], "env": {"A": "b"}}
    assert expected == servers_in(CURSOR, path)["hardtack"]


def test_an_entry_that_starts_no_program_is_replaced_whole(path: Path) -> None:
    path.write_text('{"mcpServers": {"hardtack": {"url": "http://127.0.0.1:1"}}}')
    _put(CURSOR, path)
    assert {"command": "hardtack", "args": ["serve"]} == servers_in(CURSOR, path)["hardtack"]


def test_mode_and_link_are_kept_and_the_folder_is_made(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles" / "mcp.json", tmp_path / "home" / "mcp.json"
    for file in (real, link):
        file.parent.mkdir()
    real.write_text('{"secret": 1}')
    real.chmod(0o640)
    link.symlink_to(real)
    backup = _put(CURSOR, link)
    assert backup is not None
    assert (True, 0o640, 0o640) == (link.is_symlink(), real.stat().st_mode & 0o777, backup.stat().st_mode & 0o777)
    assert "hardtack" in servers_in(CURSOR, real)
    _put(CURSOR, tmp_path / "deep" / "er" / "mcp.json")
    assert ["mcp.json"] == [path.name for path in (tmp_path / "deep" / "er").iterdir()]


def test_a_plan_is_dropped_when_the_file_has_changed_since(path: Path) -> None:
    plan = plan_to_put(CURSOR, path, "hardtack", CURSOR.entry(COMMAND))
    path.write_text('{"theirs": 1}')
    with pytest.raises(SourceError, match="has changed meanwhile"):
        plan.carry_out()
    assert '{"theirs": 1}' == path.read_text()


def test_a_plan_shows_its_difference(tmp_path: Path) -> None:
    plan = Plan(path=Path("mcp.json"), before=b"{\n}", after=None)
    assert "--- mcp.json\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-{\n-}\n\\ No newline at end of file\n" == plan.difference()
    assert "" == Plan(path=Path("mcp.json"), before=b"{}", after=b"{}").difference()


@pytest.mark.parametrize(
    ("client", "content", "said"),
    [
        (CURSOR, b'{\n"a": 1,,\n}', ":2: a key in double quotes"),
        (CURSOR, b'{\n"a": "\xff"\n}', ":2: this is not UTF-8."),
        (CURSOR, b"\xff\xfe{\x00}\x00", ":1: this is not UTF-8."),
        (CODEX, b"a = 1\nb = \n", ":2: Invalid value."),
        (CODEX, b"a = " + b"[" * 5000, ": it is nested too deeply."),
        (CODEX, b"mcp_servers.hardtack.command = 'x'\n", ": the table 'mcp_servers.hardtack' has no header of its own."),
    ],
)
def test_a_file_that_is_not_valid_is_left_alone_and_named_with_its_line(
    client: Client, content: bytes, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "settings"
    path.write_bytes(content)
    plans: tuple[Callable[[], object], ...] = (
        lambda: plan_to_put(client, path, "hardtack", client.entry(COMMAND)),
        lambda: plan_to_remove(client, path, "hardtack"),
    )
    for plan in plans:
        with pytest.raises(UsageError) as refused:
            plan()
        assert f"{path}{said}" in str(refused.value)
        assert "Correct the file and run the command again; nothing was changed." == refused.value.hint
    assert (content, [path]) == (path.read_bytes(), list(tmp_path.iterdir()))


def test_a_file_that_has_something_else_in_the_place_of_servers_is_left_alone(path: Path) -> None:
    path.write_text('{\n"mcpServers": 1\n}')
    with pytest.raises(UsageError, match=":2: an object is expected here"):
        plan_to_put(CURSOR, path, "hardtack", {"command": "x"})
    assert (False, {}) == (plan_to_remove(CURSOR, path, "hardtack").changes, servers_in(CURSOR, path))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(UsageError, match="is no configuration file"):
            plan_to_put(CURSOR, path, "hardtack", {})


def test_a_place_that_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError, match=r"file/mcp\.json cannot be read: Not a directory"):
        plan_to_put(CURSOR, tmp_path / "file" / "mcp.json", "hardtack", {})
    plan = plan_to_put(CURSOR, tmp_path / "folder" / "mcp.json", "hardtack", {"command": "x"})
    (tmp_path / "folder").symlink_to(tmp_path / "folder")
    with pytest.raises(SourceError, match="cannot be"):
        plan.carry_out()
