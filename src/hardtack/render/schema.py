"""An answer or an error in, its JSON object out: keys in snake_case and in a fixed order, without those that have no value."""

from __future__ import annotations

from typing import Any

from hardtack.errors import FormatError, HardtackError, IntegrityError
from hardtack.nouns.model import Answer, Hit, MovedOn, Place

SEARCH_SCHEMA = "hardtack.search/1"
ERROR_SCHEMA = "hardtack.error/1"

HIT_FIELDS = (
    *("path", "start_line", "end_line", "score", "rank", "chunk_id", "language", "kind", "name", "qualified_name", "signature"),
    *("package", "snippet", "match_type", "vector_score", "keyword_score", "freshness", "reasons"),
    *("file_rank", "snippet_start_line", "snippet_end_line", "match_line", "selection_line", "context_before", "context_after"),
    *("imports", "related", "also", "current_start_line", "current_end_line", "index_name"),
)
PLACE_FIELDS = ("path", "line", "kind", "name", "qualified_name", "index_name")


def hit_to_json(hit: Hit) -> dict[str, Any]:
    """One hit, without fields that are None or empty; a number is never left out."""
    values = {field: getattr(hit, field) for field in HIT_FIELDS}
    values["also"] = tuple(map(place_to_json, hit.also))
    return {field: list(value) if isinstance(value, tuple) else value for field, value in values.items() if _has_value(value)}


def place_to_json(place: Place) -> dict[str, Any]:
    """A place that is named and not shown."""
    values = {field: getattr(place, field) for field in PLACE_FIELDS}
    return {field: value for field, value in values.items() if _has_value(value)}


def _has_value(value: object) -> bool:
    return value is not None and value != "" and value != ()


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """A whole answer."""
    document: dict[str, Any] = {
        "schema": SEARCH_SCHEMA,
        **_searched(answer),
        "query": answer.query,
        "mode": answer.mode.value,
        "hits": [hit_to_json(hit) for hit in answer.hits],
        "truncated": answer.truncated,
    }
    if answer.further:
        document["further"] = [place_to_json(place) for place in answer.further]
    if answer.hint:
        document["hint"] = answer.hint
    if answer.moved_on:
        document["moved_on"] = moved_on_to_json(answer.moved_on)
    return document


def moved_on_to_json(moved: MovedOn) -> dict[str, Any]:
    """How far a checkout has moved on from a bundle."""
    return {key: value for key, value in moved._asdict().items() if value not in (None, "", ())}


def _searched(answer: Answer) -> dict[str, Any]:
    """``bundle``, or ``bundles`` where several were searched."""
    if answer.bundles:
        return {"bundles": [_bundle(each.digest, each.commit, each.index_name) for each in answer.bundles]}
    return {"bundle": _bundle(answer.bundle_digest, answer.bundle_commit, answer.bundle_name)}


def _bundle(digest: str, commit: str, name: str) -> dict[str, str]:
    values = {"digest": digest, "commit": commit, "name": name}
    return {key: value for key, value in values.items() if value}


def error_to_json(error: HardtackError) -> dict[str, Any]:
    """A failure, as ``--json`` prints it on standard error."""
    details = dict(error.details)
    if isinstance(error, IntegrityError):
        details["faults"] = list(error.faults)
    if isinstance(error, FormatError) and error.field:
        details["field"] = error.field
    body: dict[str, Any] = {"code": error.code, "message": str(error), "details": details, "hint": error.hint}
    return {"schema": ERROR_SCHEMA, "error": {key: value for key, value in body.items() if value}}
