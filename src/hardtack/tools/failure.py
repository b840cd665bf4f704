"""An error in, what the caller of a tool sees out: a stable code, a sentence, details and a hint, without paths of the machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from hardtack.errors import (
    BundleError,
    BundleNotFound,
    EncoderMismatch,
    EncoderUnavailable,
    HardtackError,
    NotFound,
    UsageError,
)

INTERNAL: Final = "INTERNAL_ERROR"

_CODES: Final = (
    (BundleNotFound, "INDEX_NOT_FOUND"),
    (EncoderMismatch, "EMBEDDING_UNAVAILABLE"),
    (EncoderUnavailable, "EMBEDDING_UNAVAILABLE"),
    (BundleError, "BUNDLE_INVALID"),
)
"""Error class -> the code that tools report for it; the first that matches counts. Usage errors bring their own code."""

OTHER_CODES: Final = {
    "INDEX_NOT_FOUND": "no such index is served; details.available lists those that are",
    "BUNDLE_INVALID": "the bundle is not what its manifest says, or of a format this program does not read",
    "MISSING_EXTRA": "an optional part of Hardtack is not installed",
    "BUILD_FAILED": "the build came to no bundle",
    "SOURCE_UNREADABLE": "the directory to build of is missing, or cannot be read",
    "NOTHING_INDEXED": "there is nothing to index in it",
    "SOURCE_FAILED": "the disk or the network failed",
    "POLICY_REFUSED": "refused on purpose",
    "TOKEN_WRONG": "over HTTP: no bearer token, or another than the server's",
    "MESSAGE_TOO_LARGE": "over HTTP: the message has more values than a call can need",
    INTERNAL: "a bug in Hardtack",
}
"""Codes of failures that the request did not cause -> what each means."""

_NO_NAMES: Final[Mapping[str, str]] = {}

_LONGEST: Final = 1000
"""Characters of each text of a failure at most."""

# An absolute path; no slash inside a relative path, a URL or an option counts as the beginning of one.
_ABSOLUTE = re.compile(r"(?<![\w./~:-])(?:/|[A-Za-z]:\\)[^\s'\":,;()]+")


def failure_of(error: Exception, names: Mapping[str, str] = _NO_NAMES) -> dict[str, Any]:
    """The error as a tool reports it: ``{"error": {"code", "message", "details", "hint"}}``, without empty values.

    Args:
        error: a :class:`HardtackError`; any other is reported as a bug, without its text.
        names: directory of this machine that a sentence may name -> the name to show instead.
    """
    if not isinstance(error, HardtackError):
        return _failure(INTERNAL, "This is a bug in Hardtack.", {}, "The server's log says more.")
    details = dict(error.details)
    if isinstance(error, UsageError | NotFound):  # its paths are those that the caller sent
        return _failure(error.code if error.code != UsageError.code else "INVALID_REQUEST", str(error), details, error.hint)
    code = next((code for kind, code in _CODES if isinstance(error, kind)), error.code)
    return _failure(code, without_places(str(error), names), details, without_places(error.hint, names))


def without_places(sentence: str, names: Mapping[str, str] = _NO_NAMES) -> str:
    """``sentence`` with ``names`` in place of their directories, and of any other absolute path only its last part."""
    for directory in sorted(names, key=len, reverse=True):
        sentence = sentence.replace(directory, names[directory])
    return _ABSOLUTE.sub(lambda found: found[0].rstrip("/\\").replace("\\", "/").rpartition("/")[2], sentence)


def _failure(code: str, message: str, details: Mapping[str, Any], hint: str) -> dict[str, Any]:
    body = {"code": code, "message": _short(message), "details": _short(dict(details)), "hint": _short(hint)}
    return {"error": {key: value for key, value in body.items() if value}}


def _short(value: Any) -> Any:
    """The value with its texts shortened: a caller who sends a megabyte does not get it back."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"
    if isinstance(value, Mapping):
        return {_short(name): _short(each) for name, each in value.items()}
    return [_short(each) for each in value] if isinstance(value, list | tuple) else value
