"""Failures as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from hardtack.errors import BundleNotFound, FormatError, HardtackError, IntegrityError, UsageError
from hardtack.render.schema import error_to_json


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (UsageError("No."), {"code": "USAGE", "message": "No."}),
        (
            BundleNotFound("None there.", hint="Build one."),
            {"code": "BUNDLE_NOT_FOUND", "message": "None there.", "hint": "Build one."},
        ),
        (
            FormatError("Bad.", field="members[3].sha256", hint="Again."),
            {"code": "BUNDLE_FORMAT", "message": "Bad.", "details": {"field": "members[3].sha256"}, "hint": "Again."},
        ),
        (
            IntegrityError("Differs.", faults=["one", "two"], hint="Again."),
            {"code": "BUNDLE_CORRUPT", "message": "Differs.", "details": {"faults": ["one", "two"]}, "hint": "Again."},
        ),
    ],
)
def test_an_error_has_its_code_message_details_and_hint_where_there_are_any(error: HardtackError, expected: dict[str, Any]) -> None:
    document = error_to_json(error)
    assert {"schema": "hardtack.error/1", "error": expected} == document
    assert list(expected) == list(document["error"])
