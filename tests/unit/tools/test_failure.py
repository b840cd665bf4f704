"""Errors as callers of tools see them: everything but paths of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardtack.errors import (
    BundleNotFound,
    EncoderMismatch,
    EncoderUnavailable,
    FormatError,
    HardtackError,
    IntegrityError,
    MissingExtra,
    NotFound,
    SourceError,
    UsageError,
)
from hardtack.tools.failure import failure_of, without_places


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("Bad."), "INVALID_REQUEST"),
        (UsageError("Empty.", code="QUERY_EMPTY"), "QUERY_EMPTY"),
        (NotFound("No file.", code="FILE_NOT_FOUND"), "FILE_NOT_FOUND"),
        (MissingExtra("Patterns", "regex"), "MISSING_EXTRA"),
        (BundleNotFound("None."), "INDEX_NOT_FOUND"),
        (FormatError("Bad."), "BUNDLE_INVALID"),
        (IntegrityError("Bad.", faults=["x"]), "BUNDLE_INVALID"),
        (EncoderMismatch("Other.", wanted="a", found="b"), "EMBEDDING_UNAVAILABLE"),
        (EncoderUnavailable("Away."), "EMBEDDING_UNAVAILABLE"),
        (SourceError("Disk."), "SOURCE_FAILED"),
        (ZeroDivisionError("secret"), "INTERNAL_ERROR"),
    ],
)
def test_every_error_has_its_code(error: Exception, code: str) -> None:
    assert code == failure_of(error)["error"]["code"]


def test_a_failure_holds_what_is_known_and_nothing_empty() -> None:
    error = UsageError("No such jar.", code="INVALID_REQUEST", details={"param": "jar"}, hint="Name one.")
    expected = {"code": "INVALID_REQUEST", "message": "No such jar.", "details": {"param": "jar"}, "hint": "Name one."}
    assert {"error": expected} == failure_of(error)
    assert {"error": {"code": "QUERY_EMPTY", "message": "Empty."}} == failure_of(UsageError("Empty.", code="QUERY_EMPTY"))


def test_of_a_bug_nothing_is_told() -> None:
    assert "secret" not in str(failure_of(ZeroDivisionError("secret")))


@pytest.mark.parametrize("kind", [FormatError, BundleNotFound, SourceError, EncoderUnavailable])
def test_no_place_of_the_machine_is_told(kind: type[HardtackError], tmp_path: Path) -> None:
    error = kind(f"The bundle at {tmp_path}/pantry/.hardtack/bundle is bad, as is '{tmp_path}/x'.", hint=f"See {tmp_path}.")
    told = str(failure_of(error, {f"{tmp_path}/pantry/.hardtack/bundle": "pantry"}))
    assert str(tmp_path) not in told
    assert "The bundle at pantry is bad, as is 'x'." in told


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("/etc/passwd is bad.", "passwd is bad."),
        (r"C:\Users\me\x is bad.", "x is bad."),
        ("src/jar.py is bad, and/or not.", "src/jar.py is bad, and/or not."),
        ("See https://example.org/a/b for more.", "See https://example.org/a/b for more."),
    ],
)
def test_only_absolute_paths_are_shortened(sentence: str, expected: str) -> None:
    assert expected == without_places(sentence)


def test_a_callers_own_megabyte_is_not_sent_back() -> None:
    error = UsageError("x" * 10**6, code="QUERY_EMPTY", details={"param": "y" * 10**6, "list": ["z" * 10**6]}, hint="w" * 10**6)
    assert len(str(failure_of(error))) < 5000
