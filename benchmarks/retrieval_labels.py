"""Corrections of the retrieval harness' labels, read from ``retrieval_labels.toml``, and what they change of an answer.

A correction names the repository, the query, the reason in one line, and one of

- ``equal``: files of which each answers as fully as ``label`` does. The first of them to come counts as ``label``;
- ``instead``: files that are right in place of ``label``; an empty list takes the label away;
- ``also``: files that belong beside the labels, for a query that asks for two things of which one is labelled.

Paths are those of the whole checkout.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("retrieval_labels.toml")
KEYS = {"repository", "query", "label", "fault", "equal", "instead", "also", "reason"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One entry of the table."""

    repository: str
    query: str
    fault: str
    """A word or two on what is wrong with the label."""
    reason: str
    label: str = ""
    """Of ``equal`` and ``instead``."""
    equal: tuple[str, ...] = ()
    instead: tuple[str, ...] | None = None
    also: tuple[str, ...] = ()


Corrections = dict[tuple[str, str], list[Correction]]
"""By repository and query."""


def read_corrections(path: Path = TABLE) -> Corrections:
    """The table.

    Raises:
        SystemExit: an entry is malformed.
    """
    found: Corrections = defaultdict(list)
    for number, entry in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["label"], 1):
        kinds = [key for key in ("equal", "instead", "also") if key in entry]
        if entry.keys() - KEYS or len(kinds) != 1 or ("label" in entry) == (kinds == ["also"]):
            raise SystemExit(f"{path.name}: entry {number} has unknown keys, or not one of equal, instead and also.")
        fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
        correction = Correction(**fields)
        found[correction.repository, correction.query].append(correction)
    return dict(found)


def corrected(wanted: Sequence[str], hits: Sequence[str], corrections: Sequence[Correction]) -> tuple[list[str], list[str]]:
    """The wanted files and the files of the hits, both best first, as the corrections have them.

    Raises:
        SystemExit: a correction names a label that the query has not.
    """
    wanted, hits = list(wanted), list(hits)
    for each in corrections:
        if each.label and each.label not in wanted:
            raise SystemExit(f"{TABLE.name}: {each.repository} has no label {each.label} for {each.query!r}.")
        if each.equal:
            hits = [each.label if path in each.equal else path for path in hits]
        elif each.instead is not None:
            at = wanted.index(each.label)
            wanted[at : at + 1] = each.instead
        wanted += each.also
    return list(dict.fromkeys(wanted)), list(dict.fromkeys(hits))
