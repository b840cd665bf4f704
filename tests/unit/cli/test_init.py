"""``hardtack init``: which files it changes, and what it prints."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from command_line import run

from hardtack.errors import MissingExtra, PolicyError, UsageError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout as the working directory, with a home directory beside it; no variable moves a client's folder."""
    for variable in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    checkout = tmp_path / "app"
    for directory in (checkout / ".git", tmp_path / "home", tmp_path / "bin"):
        directory.mkdir(parents=True)
    monkeypatch.chdir(checkout)
    return checkout


def _refusal(*arguments: str) -> str:
    error = run("init", *arguments).exception
    assert isinstance(error, UsageError)
    return str(error)


def _entry(path: Path, *keys: str) -> Mapping[str, object]:
    data = json.loads(path.read_text())
    for key in keys:
        data = data[key]
    assert isinstance(data, dict)
    return data


def test_clients_that_are_named_are_set_up_for_the_project(project: Path) -> None:
    result = run("init", "cursor", "vscode")
    assert (0, None) == (result.return_value, result.exception)
    start = [sys.executable, "-m", "hardtack", "serve"]
    assert {"command": start[0], "args": start[1:]} == _entry(project / ".cursor" / "mcp.json", "mcpServers", "hardtack")
    assert {"type": "stdio", "command": start[0], "args": start[1:]} == _entry(
        project / ".vscode" / "mcp.json", "servers", "hardtack"
    )
    assert f"cursor: entry written to {project}/.cursor/mcp.json\n" in result.stdout
    assert result.stderr.startswith("note: 'hardtack' on PATH is not this installation")


def test_the_name_is_written_where_it_leads_here(project: Path) -> None:
    (project.parent / "bin" / "hardtack").symlink_to(Path(sys.executable).with_name("hardtack"))
    if not os.access(project.parent / "bin" / "hardtack", os.X_OK):
        pytest.skip("this Python has no 'hardtack' beside it")
    assert "" == run("init", "cursor").stderr
    assert {"command": "hardtack", "args": ["serve"]} == _entry(project / ".cursor" / "mcp.json", "mcpServers", "hardtack")


def test_what_stands_behind_two_dashes_is_for_the_server(project: Path) -> None:
    run("init", "cursor", "--entry", "app", "--", "--bundle", "x", "--toolsets", "search,files")
    entry = _entry(project / ".cursor" / "mcp.json", "mcpServers", "app")
    assert ["-m", "hardtack", "serve", "--bundle", "x", "--toolsets", "search,files"] == entry["args"]


def test_a_second_run_does_nothing_and_a_removal_leaves_what_was_there(project: Path) -> None:
    file = project / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{\n  // mine\n  "a": 1\n}')
    assert f"cursor: entry written to {file}; as it was: {file}.bak\n" == run("init", "cursor").stdout
    assert f"cursor: nothing to do in {file}\n" == run("init", "cursor").stdout
    assert f"cursor: entry removed from {file}\n" == run("init", "--remove", "cursor").stdout
    assert ('{\n  // mine\n  "a": 1\n}', [file]) == (file.read_text(), list(file.parent.iterdir()))
    assert f"cursor: nothing to do in {file}\n" == run("init", "--remove", "cursor").stdout


def test_print_shows_the_change_and_makes_none(project: Path) -> None:
    shown = run("init", "--print", "cursor", "windsurf").stdout
    assert "--- /dev/null\n" in shown
    assert '+    "hardtack": {\n' in shown
    assert [project / ".git"] == list(project.iterdir())
    assert [] == list((project.parent / "home").iterdir())


def test_without_a_name_those_that_are_set_up_are_meant(project: Path) -> None:
    (project.parent / "home" / ".config" / "zed").mkdir(parents=True)
    assert "No client is set up for this project, and none was named." == _refusal()
    assert ["zed"] == [row["client"] for row in json.loads(run("init", "--user", "--print", "--json").stdout)["clients"]]
    (project / ".cursor").mkdir()
    (project / ".mcp.json").write_text("{}")
    clients = json.loads(run("init", "--json").stdout)["clients"]
    assert [("claude-code", "written"), ("cursor", "written")] == [(row["client"], row["done"]) for row in clients]


def test_all_projects_of_a_user_can_be_meant(project: Path) -> None:
    run("init", "--user", "codex")
    config = project.parent / "home" / ".codex" / "config.toml"
    assert "[mcp_servers.hardtack]\n" in config.read_text()
    assert "Windsurf has no file for one project." == _refusal("--project", "windsurf")


def test_a_file_that_cannot_be_edited_keeps_all_others_from_being_written(project: Path) -> None:
    (project / ".vscode").mkdir()
    (project / ".vscode" / "mcp.json").write_text("{\n oops }")
    assert f"{project}/.vscode/mcp.json:2: " in _refusal("cursor", "vscode")
    assert not (project / ".cursor").exists()


def test_the_list_says_of_each_file_whether_the_entry_is_in(project: Path) -> None:
    run("init", "cursor")
    (project / ".mcp.json").write_text("{")
    (project / "opencode.json").write_text("{}")
    rows = json.loads(run("init", "--list", "--json").stdout)["clients"]
    states = {(row["client"], row["scope"]): row["state"] for row in rows}
    expected = {("cursor", "project"): "in", ("cursor", "user"): "no file", ("claude-code", "project"): "invalid"}
    assert {**expected, ("opencode", "project"): "not in"} == {key: states[key] for key in (*expected, ("opencode", "project"))}
    assert f"cursor  project  in        {project}/.cursor/mcp.json\n" in run("init", "--list", "cursor").stdout


def test_paths_are_shown_inert(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = project / "a\x1b[2J"
    (odd / ".git").mkdir(parents=True)
    monkeypatch.chdir(odd)
    assert "a\\u{1b}[2J/.cursor/mcp.json" in run("init", "cursor").stdout


@pytest.mark.parametrize("linked", [".mcp.json", ".cursor", ".vscode/mcp.json"])
@pytest.mark.parametrize("is_there", [True, False])
def test_no_link_that_the_project_brings_is_followed(project: Path, linked: str, is_there: bool) -> None:
    """A file that starts programs, and a copy of it, are written through no link that a repository's author made."""
    outside = project.parent / "outside"
    outside.mkdir()
    target = outside / Path(linked).name
    if is_there:
        target.mkdir() if linked == ".cursor" else target.write_text("{}")
    (project / linked).parent.mkdir(exist_ok=True)
    (project / linked).symlink_to(target)
    before = sorted((path, path.read_text() if path.is_file() else "") for path in outside.rglob("*"))
    client = {".mcp.json": "claude-code", ".cursor": "cursor", ".vscode/mcp.json": "vscode"}[linked]
    for arguments in ((), ("--print",), ("--remove",)):
        error = run("init", client, "--project", *arguments).exception
        assert isinstance(error, PolicyError)
        assert str(error) == f"{project / linked} is a link, which nobody typed, so nothing is written through it."
    assert before == sorted((path, path.read_text() if path.is_file() else "") for path in outside.rglob("*"))


def test_a_file_of_the_users_own_may_be_a_link(project: Path) -> None:
    (project.parent / "dotfiles.json").write_text("{}")
    (project.parent / "home" / ".cursor").mkdir()
    (project.parent / "home" / ".cursor" / "mcp.json").symlink_to(project.parent / "dotfiles.json")
    run("init", "cursor", "--user")
    assert "hardtack" in _entry(project.parent / "dotfiles.json", "mcpServers")


@pytest.mark.parametrize(("umask", "mode"), [(0, 0o664), (0o022, 0o644), (0o077, 0o600), (0o777, 0o600)])
def test_a_file_that_starts_programs_can_be_read_by_its_owner_and_is_not_for_everybody_to_write(
    project: Path, umask: int, mode: int
) -> None:
    before = os.umask(umask)
    try:
        run("init", "claude-code", "cursor", "--project")
    finally:
        os.umask(before)
    assert {mode} == {(project / name).stat().st_mode & 0o777 for name in (".mcp.json", ".cursor/mcp.json")}
    assert 0o755 == (project / ".cursor").stat().st_mode & 0o777


def test_agents_are_told_in_the_files_that_they_read_and_no_more_after_a_removal(project: Path) -> None:
    (project / "AGENTS.md").write_text("# Rules\n\nBe kind.\n")
    result = run("init", "claude-code", "cursor", "--project", "--instructions")
    assert (0, None) == (result.return_value, result.exception)
    files = ["AGENTS.md", "CLAUDE.md", ".cursor/rules/hardtack.mdc"]
    files += [".claude/skills/hardtack/SKILL.md", ".claude/agents/code-explorer.md"]
    assert all("`explore`" in (project / name).read_text() for name in files)
    assert (project / "AGENTS.md").read_text().startswith("# Rules\n\nBe kind.\n\n<!-- hardtack: begin -->\n")
    assert not (project / "GEMINI.md").exists()
    again = run("init", "claude-code", "cursor", "--project", "--instructions")
    assert "written" not in again.stdout
    run("init", "claude-code", "cursor", "--project", "--remove")
    assert (project / "AGENTS.md").read_text() == "# Rules\n\nBe kind.\n"
    assert not any((project / name).exists() for name in files[1:])


def test_without_being_asked_agents_are_told_nothing(project: Path) -> None:
    run("init", "claude-code", "--project")
    assert [".git", ".mcp.json"] == sorted(path.name for path in project.iterdir())


def test_a_file_of_somebody_else_is_not_replaced(project: Path) -> None:
    place = project / ".claude" / "agents" / "code-explorer.md"
    place.parent.mkdir(parents=True)
    place.write_text("mine\n")
    assert "not from hardtack" in _refusal("claude-code", "--project", "--instructions")
    assert not (project / ".mcp.json").exists()
    assert run("init", "claude-code", "--project", "--remove").exception is None
    assert "mine\n" == place.read_text()


def test_a_link_in_place_of_the_instructions_is_not_followed(project: Path) -> None:
    (project.parent / "outside.md").write_text("theirs\n")
    (project / "AGENTS.md").symlink_to(project.parent / "outside.md")
    assert isinstance(run("init", "cursor", "--project", "--instructions").exception, PolicyError)
    assert "theirs\n" == (project.parent / "outside.md").read_text()


def test_an_entry_for_uvx_holds_no_path_of_the_machine(project: Path) -> None:
    run("init", "cursor", "--command", "uvx", "--", "--toolsets", "all")
    expected = {"command": "uvx", "args": ["--from", "hardtack[mcp]", "hardtack", "serve", "--toolsets", "all"]}
    assert expected == _entry(project / ".cursor" / "mcp.json", "mcpServers", "hardtack")


@pytest.mark.parametrize(("said", "client"), [("gemini-cli", "gemini"), ("claude", "claude-code"), ("Codex-CLI", "codex")])
def test_a_client_goes_by_its_other_names_and_says_what_it_asks_first(project: Path, said: str, client: str) -> None:
    result = run("init", said, "--project")
    assert f"{client}: entry written to" in result.stdout
    assert "note: " in result.stderr


def test_what_cannot_serve_writes_no_entry(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.cli.init.find_spec", lambda name: None)
    assert isinstance(run("init", "cursor", "--project").exception, MissingExtra)
    assert not (project / ".cursor").exists()
    assert run("init", "cursor", "--project", "--command", "uvx").exception is None


def test_a_removal_touches_no_file_without_the_section(project: Path) -> None:
    (project / "AGENTS.md").write_text("")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    run("init", "claude-code", "--project")
    assert run("init", "claude-code", "--project", "--remove").exception is None
    assert "" == (project / "AGENTS.md").read_text()


def test_the_files_of_a_project_stay_when_a_user_s_entry_is_removed(project: Path) -> None:
    run("init", "codex", "--project", "--instructions")
    told = (project / "AGENTS.md").read_text()
    run("init", "--user", "codex")
    run("init", "--user", "codex", "--remove")
    assert told == (project / "AGENTS.md").read_text()


def test_a_link_to_the_instructions_is_left_to_what_it_leads_to(project: Path) -> None:
    (project / "AGENTS.md").write_text("# Rules\n")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    assert run("init", "claude-code", "--project", "--instructions").exception is None
    assert (project / "CLAUDE.md").is_symlink()
    assert "`explore`" in (project / "CLAUDE.md").read_text()


def test_what_a_user_wrote_into_a_file_of_ours_stays(project: Path) -> None:
    run("init", "claude-code", "--project", "--instructions")
    place = project / ".claude" / "agents" / "code-explorer.md"
    place.write_text(place.read_text().replace("tools:", "model: haiku\ntools:") + "\nMy notes.\n")
    run("init", "claude-code", "--project", "--instructions")
    assert "model: haiku" in place.read_text()
    assert "My notes." in place.read_text()
    run("init", "claude-code", "--project", "--remove")
    assert "My notes." in place.read_text()
    assert "hardtack: begin" not in place.read_text()
