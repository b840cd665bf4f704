"""``secret_rules.toml`` in, the rules that :mod:`hardtack.build.source.secrets` searches for out.

A rule is one of three kinds. A token is a distinctive beginning and the random part after it. A form is recognised by the words
near it. A named value is a secret only because of the name to which it is assigned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files as resources
from typing import Any, Final, Literal, NamedTuple

NEAR: Final = 300
"""Bytes before and after a secret that are searched for the text that must be near it."""

PRIVATE_KEY: Final = "private-key"
"""The rule of keys in a frame, and of keys that are recognised by their structure."""
ENCODED_KEY: Final = "private-key-base64"
"""The rule of Base64 that holds a private key."""


class SecretRule(NamedTuple):
    """One format of a secret."""

    name: str
    """Its name in markers and reports."""
    pattern: bytes
    """For a token: matches the rest of it. For a form: matches all of it; the secret is the group ``value``. For a named value:
    matches the value."""
    source: str
    """Key of :func:`sources`."""
    starts: tuple[bytes, ...] = ()
    """The possible beginnings of a token, of letters, digits, ``_``, ``-`` and ``.``."""
    keys: tuple[bytes, ...] = ()
    """For a form: lower-case texts, in any case; it begins with one of them, or a little before."""
    needs: bytes = b""
    """For a form: a lower-case text without which a file is not searched; several rules share one, so that it costs little."""
    names: bytes = b""
    """For a named value: an expression that matches the end of its name, without all but small letters and digits."""
    check: str = "random"
    """A further condition: a name in :data:`hardtack.build.source.secret_checks.CHECKS`."""
    near: bytes = b""
    """For a form: an expression that must match on the same line, at most :data:`NEAR` bytes away; empty for none."""
    files: tuple[str, ...] = ()
    """For a form of one kind of file: the names of such files, in which alone it is searched for; empty for all files."""
    before: int = 0
    """For a form: bytes that it may begin before its key."""
    anywhere: bool = False
    """For a form: it may be anywhere in a file with one of its keys."""
    long: Literal["", "yes", "run"] = ""
    """For a form: whether it has a run of many letters, and whether the key is a part of it."""


class Finding(NamedTuple):
    """One match of a rule, which may overlap others."""

    rule: str
    places: list[tuple[int, int]]


def _rule(row: Mapping[str, Any], parts: Mapping[str, str]) -> SecretRule:
    def expanded(field: str, default: str = "") -> bytes:
        return re.sub("@([A-Z_]+)@", lambda part: parts.get(part[1], part[0]), row.get(field, default)).encode()

    return SecretRule(
        name=row["name"],
        pattern=expanded("pattern"),
        source=row["source"],
        starts=tuple(row.get("starts", "").encode().split()),
        keys=tuple(key for key in row.get("keys", "").encode().split(b"|") if key),
        needs=row.get("needs", "").encode(),
        names=expanded("names"),
        check=row.get("check", "random"),
        near=expanded("near"),
        files=tuple(row.get("files", ())),
        before=row.get("before", 0),
        anywhere=row.get("anywhere", False),
        long=row.get("long", ""),
    )


@cache
def _table() -> Mapping[str, Any]:
    import tomllib  # a build that finds nothing changed does not load it

    return tomllib.loads((resources(__package__) / "secret_rules.toml").read_text("utf-8"))


def sources() -> Mapping[str, str]:
    """The documents that describe formats, by the short name that rules use."""
    documents: Mapping[str, str] = _table()["sources"]
    return documents


@cache
def tokens() -> tuple[SecretRule, ...]:
    """The rules of tokens."""
    return tuple(
        _rule({"name": name, "starts": starts, "pattern": pattern, "source": source}, _table()["parts"])
        for name, (starts, pattern, source) in _table()["tokens"].items()
    )


@cache
def forms() -> tuple[SecretRule, ...]:
    """The rules of forms."""
    return tuple(_rule(row, _table()["parts"]) for row in _table()["forms"])


@cache
def named() -> tuple[SecretRule, ...]:
    """The rules of named values; the first that agrees wins."""
    return tuple(_rule({**row, "pattern": row["value"]}, _table()["parts"]) for row in _table()["named"])
