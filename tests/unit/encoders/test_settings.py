"""Encoder settings from the environment and from arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardtack.encoders import EncoderSettings
from hardtack.errors import UsageError

KEYS = {"OPENAI_API_KEY": "sk-one", "JINA_API_KEY": "sk-two", "HARDTACK_ENCODER_KEY": "sk-three"}


def test_an_empty_environment_means_the_default_encoder_and_nothing_allowed() -> None:
    assert EncoderSettings() == EncoderSettings.from_environment({})
    assert ("static", "", False, {}, None) == tuple(
        getattr(EncoderSettings(), name) for name in ("name", "url", "network", "keys", "cache")
    )


def test_keys_choose_nothing_and_are_not_shown() -> None:
    settings = EncoderSettings.from_environment({**KEYS, "https_proxy": "http://user:sk-four@proxy"})
    assert ("static", KEYS) == (settings.name, settings.keys)
    assert "sk-" not in repr(settings) + str(settings)


def test_arguments_win_over_variables() -> None:
    environment = {"HARDTACK_ENCODER": "jina", "HARDTACK_ENCODER_URL": "http://a/v1", "HARDTACK_ENCODER_NETWORK": "1"}
    settings = EncoderSettings.from_environment(environment)
    assert ("jina", "http://a/v1", True) == (settings.name, settings.url, settings.network)
    settings = EncoderSettings.from_environment(environment, name="openai:x", url="http://b/v1", network=False)
    assert ("openai:x", "http://b/v1", False) == (settings.name, settings.url, settings.network)


@pytest.mark.parametrize(
    ("said", "meant"), [("1", True), ("true", True), ("0", False), ("", False), ("no", False), ("maybe", False)]
)
def test_a_query_may_leave_this_machine_only_where_that_is_said_plainly(said: str, meant: bool) -> None:
    assert meant is EncoderSettings.from_environment({"HARDTACK_ENCODER_NETWORK": said}).network


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HOME": "/home/a"}, Path("/home/a/.cache/hardtack")),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "/caches"}, Path("/caches/hardtack")),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "not/absolute"}, Path("/home/a/.cache/hardtack")),
        ({"HOME": "/home/a", "HARDTACK_ENCODER_CACHE": "here"}, Path("here")),
        ({"HOME": "/home/a", "HARDTACK_ENCODER_CACHE": "off"}, None),
        ({}, None),
    ],
)
def test_the_cache_lies_where_caches_lie_unless_told(environment: dict[str, str], expected: Path | None) -> None:
    assert expected == EncoderSettings.from_environment(environment).cache


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"url": "file:///etc/passwd"}, "is no http or https URL"),
        ({"url": "localhost:11434"}, "is no http or https URL"),
        ({"url": "http://"}, "is no http or https URL"),
        ({"url": "http://a:99999/v1"}, "is no http or https URL"),
        ({"url": "http://a/v1\r\nX: y"}, "is no http or https URL"),
        ({"url": "http://user:sk-secret@a/v1"}, "must have no user, query or fragment"),
        ({"url": "http://a/v1?key=sk-secret"}, "must have no user, query or fragment"),
        ({"rate": -1.0}, "must be positive"),
        ({"timeout": 0.0}, "must be positive"),
        ({"timeout": float("nan")}, "must be positive"),
    ],
)
def test_what_cannot_be_meant_is_refused_without_repeating_a_secret(values: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        EncoderSettings(**values)
    assert "sk-secret" not in str(caught.value) + caught.value.hint


def test_a_number_that_is_none_names_its_variable() -> None:
    with pytest.raises(UsageError, match="HARDTACK_ENCODER_RATE is not a number"):
        EncoderSettings.from_environment({"HARDTACK_ENCODER_RATE": "fast"})


def test_a_name_without_a_model_means_the_schemes_own() -> None:
    names = {name: EncoderSettings(name=name).full_name for name in ("openai", "jina", "openai:x:latest", "static", "st:/a:b")}
    assert {
        "openai": "openai:text-embedding-3-small",
        "jina": "jina:jina-embeddings-v3",
        "openai:x:latest": "openai:x:latest",
        "static": "static",
        "st:/a:b": "st:/a:b",
    } == names


def test_every_variable_is_in_the_documentation() -> None:
    documented = (Path(__file__).parents[3] / "docs" / "encoders.md").read_text(encoding="utf-8")
    asked: list[str] = []

    class Listening(dict[str, str]):
        def get(self, key: str, default: Any = None) -> Any:
            asked.append(key)
            return default

    EncoderSettings.from_environment(Listening())
    assert [] == [name for name in asked if name.upper() not in documented and name != "HOME"]
    assert len(asked) > 10
