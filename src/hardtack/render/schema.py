"""An answer in, the one JSON shape it has everywhere out (HOUSE 6): snake_case, fixed key order, keys with nothing left out."""

from __future__ import annotations

from typing import Any

from hardtack.errors import FormatError, HardtackError, IntegrityError
from hardtack.model import Answer, Hit

SEARCH_SCHEMA = "hardtack.search/1"
ERROR_SCHEMA = "hardtack.error/1"

HIT_FIELDS = (
    *("path", "start_line", "end_line", "score", "rank", "chunk_id", "language", "kind", "name", "qualified_name", "signature"),
    *("package", "snippet", "match_type", "vector_score", "keyword_score", "freshness", "reasons"),
)


def hit_to_json(hit: Hit) -> dict[str, Any]:
    """One hit; a field that says nothing is left out, a number never is."""
    values = {field: getattr(hit, field) for field in HIT_FIELDS}
    return {field: list(value) if isinstance(value, tuple) else value for field, value in values.items() if _says_something(value)}


def _says_something(value: object) -> bool:
    return value is not None and value != "" and value != ()


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """A whole answer."""
    bundle = {"digest": answer.bundle_digest, "commit": answer.bundle_commit, "name": answer.bundle_name}
    document = {
        "schema": SEARCH_SCHEMA,
        "bundle": {key: value for key, value in bundle.items() if value},
        "query": answer.query,
        "mode": answer.mode.value,
        "hits": [hit_to_json(hit) for hit in answer.hits],
        "truncated": answer.truncated,
    }
    return {**document, "hint": answer.hint} if answer.hint else document


def error_to_json(error: HardtackError) -> dict[str, Any]:
    """A failure, as ``--json`` prints it on standard error."""
    details: dict[str, Any] = {}
    if isinstance(error, IntegrityError):
        details["faults"] = list(error.faults)
    if isinstance(error, FormatError) and error.field:
        details["field"] = error.field
    body: dict[str, Any] = {"code": error.code, "message": str(error), "details": details, "hint": error.hint}
    return {"schema": ERROR_SCHEMA, "error": {key: value for key, value in body.items() if value}}
