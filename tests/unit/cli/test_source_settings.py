"""Where the tokens and addresses of sources come from, and which hosts get them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardtack.cli import environment
from hardtack.errors import UsageError
from hardtack.store.sources.github import GitHubSource
from hardtack.store.sources.github_login import token_of_login
from hardtack.store.sources.named import source_of, sources_for, target_of

NAMES = (
    "HARDTACK_TOKEN",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GITHUB_API_URL",
    "GITHUB_SERVER_URL",
    "https_proxy",
    "HTTPS_PROXY",
    "no_proxy",
)


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))


def _gh(place: Path, script: str) -> None:
    program = place / "gh"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    program.chmod(0o755)


def test_a_token_of_ones_own_wins_over_those_that_a_runner_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "runners-own")
    assert ("", "runners-own") == (environment.source_settings().token, environment.source_settings().github_token)
    monkeypatch.setenv("GH_TOKEN", "ghs-own")
    monkeypatch.setenv("HARDTACK_TOKEN", " users-own\n")
    assert ("users-own", "ghs-own") == (environment.source_settings().token, environment.source_settings().github_token)
    assert "users-own" not in repr(environment.source_settings())


def test_the_login_of_githubs_own_command_line_is_asked_last_and_for_the_right_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _gh(tmp_path, 'echo "token-for-$4"')
    assert "token-for-github.com" == token_of_login("github.com")
    monkeypatch.setenv("GITHUB_API_URL", "https://git.example.org/api/v3")
    for address in (source_of, target_of):
        source = address("github:octo/pantry", environment.source_settings())
        assert isinstance(source, GitHubSource)
        assert ("token-for-git.example.org", "git.example.org/octo/pantry") == (source._api._token, source._api.name)
    monkeypatch.setenv("GH_TOKEN", "given")
    source = source_of("github:octo/pantry", environment.source_settings())
    assert isinstance(source, GitHubSource)
    assert "given" == source._api._token


@pytest.mark.parametrize("script", ["exit 1", "echo 'not logged in: see gh auth login'", "printf 'two\\nlines'", "printf '\\001'"])
def test_a_login_that_is_none_counts_as_none(tmp_path: Path, script: str) -> None:
    _gh(tmp_path, script)
    assert "" == token_of_login("github.com")


def test_without_that_command_line_and_for_what_is_no_host_there_is_no_token(tmp_path: Path) -> None:
    assert "" == token_of_login("github.com")
    _gh(tmp_path, "echo token")
    assert "" == token_of_login("-x")


@pytest.mark.parametrize("name", ["GITHUB_API_URL", "GITHUB_SERVER_URL"])
@pytest.mark.parametrize("value", ["https://[", "https://h]x/", "nonsense", "ftp://example.org", "https:///x", "https://h:port"])
def test_an_address_of_githubs_that_is_none_is_a_wrong_usage_wherever_it_is_looked_at(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    settings, repository = environment.source_settings(), "git.example.org/octo/pantry"
    ways: list[Callable[[], object]] = [
        lambda: source_of("github:octo/pantry", settings),
        lambda: sources_for([], [], repository, settings, print),
    ]
    for way in ways:
        with pytest.raises(UsageError, match="is no http or https address") as caught:
            way()
        assert value in str(caught.value)
