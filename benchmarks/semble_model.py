"""Writes the default encoder as a Model2Vec model, for semble to use where there is no other.

    python benchmarks/semble_model.py FOLDER       then SEMBLE_MODEL_NAME=FOLDER

The vocabulary is ours, and each token's row times its weight. Model2Vec takes the mean of the rows, so it counts a token as
often as it occurs; we count the square root of that.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import msgpack
import numpy as np

from hardtack.encoders.static import default_vocabulary, member_paths
from wordpiece_equality import oracle_for


def main() -> None:
    """Write the model's three files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    fields, table = (path.read_bytes() for path in member_paths())
    weights = np.frombuffer(msgpack.unpackb(fields)["weights"], dtype="<u2").astype(np.float32)
    rows = np.frombuffer(table, dtype=np.int8).reshape(len(weights), -1).astype(np.float32)
    rows *= (weights / weights.max())[:, None]
    head = {"embeddings": {"dtype": "F32", "shape": rows.shape, "data_offsets": [0, rows.nbytes]}}
    header = json.dumps(head).encode()
    (folder / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + rows.astype("<f4").tobytes())
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "normalize": True}), encoding="utf-8")
    oracle_for(default_vocabulary()).save(str(folder / "tokenizer.json"))


if __name__ == "__main__":
    main()
