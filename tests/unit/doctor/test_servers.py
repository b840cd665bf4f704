"""Entries of MCP clients whose command does not exist."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from hardtack.clients.table import Places
from hardtack.doctor.findings import Finding, Surroundings
from hardtack.doctor.servers import check_servers


def _look(project: Path, path: str = "") -> list[Finding]:
    places = Places(home=project / "home", project=project, platform="linux")
    environment = {"PATH": path}
    return list(check_servers(Surroundings(start=project, environment=environment, roots=[], places=places, now=0.0)))


def _write(file: Path, servers: dict[str, object], key: str = "mcpServers") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({key: servers}))


def test_an_entry_whose_command_is_there_is_fine(tmp_path: Path) -> None:
    _write(tmp_path / ".cursor" / "mcp.json", {"mine": {"command": sys.executable, "args": ["-m", "hardtack", "serve"]}})
    (found,) = _look(tmp_path)
    assert ("ok", "Cursor (project)", True) == (found.status, found.about, found.says.endswith("-m hardtack serve"))


def test_an_entry_whose_command_is_not_there_is_a_problem(tmp_path: Path) -> None:
    _write(tmp_path / "opencode.json", {"hardtack": {"type": "local", "command": ["hardtack", "serve"]}}, key="mcp")
    _write(tmp_path / "home" / ".cursor" / "mcp.json", {"app": {"command": "/gone/python", "args": ["-m", "hardtack", "serve"]}})
    cursor, opencode = _look(tmp_path, path=str(tmp_path))
    assert ("problem", 2, "Run: hardtack init --user cursor --entry app") == (cursor.status, cursor.exit_code, cursor.remedy)
    assert f"{tmp_path}/opencode.json starts hardtack, which is not there" == opencode.says
    assert "Run: hardtack init --project opencode" == opencode.remedy


def test_entries_of_others_are_none_of_our_business(tmp_path: Path) -> None:
    others = {"a": {"command": "/gone"}, "b": {"url": "http://127.0.0.1"}, "c": 1, "hardtack": {"url": "u"}, "d": {"command": [1]}}
    _write(tmp_path / ".mcp.json", others)
    assert [] == _look(tmp_path)


def test_a_file_that_cannot_be_read_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text("{")
    (found,) = _look(tmp_path)
    assert ("warning", "Claude Code (project)", True) == (found.status, found.about, ".mcp.json:1: " in found.says)
