"""The table of clients: what each row promises, and where its files are on each platform."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardtack.clients.table import CLIENTS, SCOPES, Client, Places

ROOT = Path(__file__).parents[3]
HOME, PROJECT = Path("/home/me"), Path("/src/app")


def _places(platform: str = "linux", **environment: str) -> Places:
    return Places(home=HOME, project=PROJECT, platform=platform, environment=environment)


@pytest.mark.parametrize("client", CLIENTS.values(), ids=list(CLIENTS))
def test_each_client_has_a_file_and_a_source_and_an_entry_that_starts_the_command(client: Client) -> None:
    assert re.fullmatch(r"[a-z][a-z-]*", client.name)
    assert client.source.startswith("https://")
    platform = client.platforms[0] if client.platforms else "linux"
    files = [client.file(scope, _places(platform)) for scope in SCOPES]
    assert any(files)
    for file in filter(None, files):
        assert file.is_absolute()
        assert {".json": "json", ".toml": "toml"}[file.suffix] == client.form
    entry = client.entry(("hardtack", "serve", "-b", "x"))
    command = [entry["command"], *entry["args"]] if "args" in entry else entry["command"]
    assert ["hardtack", "serve", "-b", "x"] == command


def test_clients_are_listed_by_name() -> None:
    assert sorted(CLIENTS) == list(CLIENTS)


def test_every_client_is_in_the_documentation_with_its_files() -> None:
    text = (ROOT / "docs" / "mcp-clients.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip(" `"): line for line in text.splitlines() if line.startswith("| `")}
    assert list(CLIENTS) == list(rows)
    for name, client in CLIENTS.items():
        assert client.title in rows[name]
        assert client.source in rows[name]
        for template in (*client.project[:1], *client.user[:1]):
            assert re.sub(r"\{\w+\}/", "", template) in rows[name]


@pytest.mark.parametrize(
    ("name", "platform", "environment", "expected"),
    [
        ("vscode", "linux", {}, "/home/me/.config/Code/User/mcp.json"),
        ("vscode", "linux", {"XDG_CONFIG_HOME": "/cfg"}, "/cfg/Code/User/mcp.json"),
        ("vscode", "linux", {"XDG_CONFIG_HOME": "relative"}, "/home/me/.config/Code/User/mcp.json"),
        ("vscode", "darwin", {}, "/home/me/Library/Application Support/Code/User/mcp.json"),
        ("vscode", "win32", {"APPDATA": "/roaming"}, "/roaming/Code/User/mcp.json"),
        ("claude-desktop", "darwin", {}, "/home/me/Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "linux", {}, None),
        ("claude-code", "linux", {}, "/home/me/.claude.json"),
        ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "/c"}, "/c/.claude.json"),
        ("codex", "linux", {"CODEX_HOME": "/c"}, "/c/config.toml"),
        ("copilot", "linux", {"COPILOT_HOME": "/c"}, "/c/mcp-config.json"),
        ("continue", "linux", {}, None),
    ],
)
def test_the_file_of_a_user_is_where_the_platform_has_it(
    name: str, platform: str, environment: dict[str, str], expected: str | None
) -> None:
    assert (Path(expected) if expected else None) == CLIENTS[name].file("user", _places(platform, **environment))


def test_a_file_of_another_name_is_taken_if_it_exists(tmp_path: Path) -> None:
    places = Places(home=HOME, project=tmp_path, platform="linux")
    assert tmp_path / "opencode.json" == CLIENTS["opencode"].file("project", places)
    (tmp_path / "opencode.jsonc").touch()
    assert tmp_path / "opencode.jsonc" == CLIENTS["opencode"].file("project", places)


def test_the_project_is_the_checkout_around_one_unless_that_is_the_home(tmp_path: Path) -> None:
    inner = tmp_path / "src" / "deep"
    inner.mkdir(parents=True)

    def project(home: Path) -> Path:
        return Places.around(inner, home=home, platform="linux", environment={}).project

    assert inner == project(HOME)
    (tmp_path / ".git").mkdir()
    assert (tmp_path, inner) == (project(HOME), project(tmp_path))


def test_a_client_is_set_up_where_its_file_or_a_folder_of_its_own_is(tmp_path: Path) -> None:
    places = Places(home=tmp_path / "home", project=tmp_path, platform="linux")
    (tmp_path / ".github").mkdir()
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".mcp.json").touch()
    assert ["claude-code", "cursor"] == [name for name, client in CLIENTS.items() if client.is_set_up("project", places)]
    assert [] == [name for name, client in CLIENTS.items() if client.is_set_up("user", places)]


def test_the_project_is_meant_by_default_where_there_is_one() -> None:
    assert ("project", "user", "user") == (
        CLIENTS["cursor"].scope(None),
        CLIENTS["windsurf"].scope(None),
        CLIENTS["cursor"].scope("user"),
    )
