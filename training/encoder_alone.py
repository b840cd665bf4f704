"""Lets the retrieval harness ask the encoder alone: files are ranked by their best chunk's cosine.

    RETRIEVAL_REPOS=... TABLE=DIR python bench.py --adapter training/encoder_alone.py:encoder_alone [--set commits]

``TABLE`` is a folder with another table's members; without it, the package's own is asked.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from hardtack.build.source.tree import open_tree
from hardtack.build.workers.analyse import analyse
from hardtack.encoders.static import default_encoder
from hardtack.nouns.outline import Skip
from members import encoder_in

HITS = 30


def encoder_alone(root: str, queries: list[str]) -> list[list[str]]:
    """For each query the paths of the :data:`HITS` files whose best chunks are nearest, best first."""
    encoder = encoder_in(Path(os.environ["TABLE"])) if "TABLE" in os.environ else default_encoder()
    paths: list[str] = []
    pieces: list[np.ndarray] = []
    for file in open_tree(Path(root)).files():
        if isinstance(file, Skip):
            continue
        vectors = np.frombuffer(analyse(file, encoder).vectors, dtype=np.float32).reshape(-1, encoder.dimension)
        if len(vectors):
            paths.append(file.path)
            pieces.append(vectors)
    starts = np.cumsum([0] + [len(piece) for piece in pieces[:-1]])
    best = np.maximum.reduceat(np.concatenate(pieces) @ encoder.encode(queries).T, starts)
    return [[paths[place] for place in np.argsort(-scores, kind="stable")[:HITS]] for scores in best.T]
