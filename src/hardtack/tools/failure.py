"""An error in, what the caller of a tool sees out: a stable code, a sentence, details, a hint. No path of the machine is in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
"""What CONTRACTS 0.7 calls what went wrong; the first that fits counts. A usage error brings its own code."""

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
    INTERNAL: "a bug in Hardtack",
}
"""Codes of what is no fault of the request -> what each means."""

_LONGEST: Final = 1000
"""Characters of a text in a failure."""

_ABSOLUTE = re.compile(r"(?<![\w./~:-])(?:/|[A-Za-z]:\\)[^\s'\":,;()]+")


def failure_of(error: Exception, roots: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """The error as a tool reports it: ``{"error": {"code", "message", "details", "hint"}}``, what is empty left out.

    Args:
        error: one of ours; of anything else nothing is told but that it is a bug.
        roots: directories of this machine that a sentence may name, and what to call each instead.
    """
    if not isinstance(error, HardtackError):
        return _failure(INTERNAL, "This is a bug in Hardtack.", {}, "The server's log says more.")
    details = dict(error.details)
    if isinstance(error, UsageError | NotFound):  # about what the caller sent, in the caller's words
        return _failure(error.code if error.code != UsageError.code else "INVALID_REQUEST", str(error), details, error.hint)
    code = next((code for kind, code in _CODES if isinstance(error, kind)), error.code)
    return _failure(code, without_places(str(error), roots), details, without_places(error.hint, roots))


def without_places(sentence: str, roots: Sequence[tuple[str, str]] = ()) -> str:
    """``sentence`` with this machine's directories called by other names, and any other absolute path by its last part."""
    for place, name in sorted(roots, key=lambda root: -len(root[0])):
        sentence = sentence.replace(place, name)
    return _ABSOLUTE.sub(lambda found: found[0].rstrip("/\\").replace("\\", "/").rpartition("/")[2], sentence)


def _failure(code: str, message: str, details: Mapping[str, Any], hint: str) -> dict[str, Any]:
    body = {"code": code, "message": _short(message), "details": _short(dict(details)), "hint": _short(hint)}
    return {"error": {key: value for key, value in body.items() if value}}


def _short(value: Any) -> Any:
    """The value, no text in it longer than a sentence need be: a caller's own megabyte is not sent back."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"
    if isinstance(value, Mapping):
        return {_short(name): _short(each) for name, each in value.items()}
    return [_short(each) for each in value] if isinstance(value, list | tuple) else value
