"""The command with which a client starts this installation."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardtack.clients.launch import serve_command, starts_hardtack


def test_the_name_is_used_where_it_leads_here(tmp_path: Path) -> None:
    scripts, elsewhere = tmp_path / "venv" / "bin", tmp_path / "bin"
    for directory in (scripts, elsewhere):
        directory.mkdir(parents=True)
    (scripts / "hardtack").touch()
    (elsewhere / "hardtack").symlink_to(scripts / "hardtack")  # pipx and uv install such a link
    for found in (scripts, elsewhere):
        assert ("hardtack", "serve", "-b", "x") == serve_command(str(found / "hardtack"), [scripts], "/python", ["-b", "x"])


@pytest.mark.parametrize("found", [None, "/usr/bin/hardtack"])
def test_else_the_interpreter_is(found: str | None, tmp_path: Path) -> None:
    assert ("/venv/bin/python", "-m", "hardtack", "serve") == serve_command(found, [tmp_path], "/venv/bin/python")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["hardtack", "serve"], True),
        (["/home/me/.local/bin/hardtack"], True),
        (["/venv/bin/python", "-m", "hardtack", "serve"], True),
        (["python", "-m", "other"], False),
        (["hardtackle"], False),
        ([], False),
    ],
)
def test_a_command_of_ours_is_known_again(command: list[str], expected: bool) -> None:
    assert expected == starts_hardtack(command)
