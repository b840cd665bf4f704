"""How well an encoder finds a function from its documentation: mean reciprocal rank over pairs from the standard library.

    python training/evaluate_doc_to_code.py [--encoder NAME] [--data DIR] [--pairs 1000]

A pair is the first paragraph of a docstring and the source of its function without the docstring and with the function's name
blanked out wherever it stands as a word, so that the name gives nothing away. Pairs come from the running Python's own library,
tests excluded, evenly spaced over all that qualify in path order. Each docstring ranks all the bodies by cosine; a tie counts
against us. The figure depends on the Python that runs it: compare figures of one Python only.
"""

from __future__ import annotations

import argparse
import ast
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hardtack.encoders import ENCODERS, load_encoder
from hardtack.encoders.static import MEMBERS, StaticEncoder

if TYPE_CHECKING:
    from hardtack.encoders import Encoder

MIN_DOC_WORDS = 4
MIN_BODY_LINES = 4
EXCLUDED = {"test", "tests", "idle_test", "site-packages", "lib2to3", "__pycache__"}


def pairs_of(source: str) -> Iterator[tuple[str, str]]:
    """(documentation, code) of every function in ``source`` that has enough of both."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or len(node.body) < 2:
            continue
        doc = (ast.get_docstring(node) or "").split("\n\n")[0]
        after_doc = (node.body[0].end_lineno or 0) + 1
        signature = lines[node.lineno - 1 : node.body[0].lineno - 1]
        body = lines[after_doc - 1 : node.end_lineno]
        if len(doc.split()) >= MIN_DOC_WORDS and len(body) >= MIN_BODY_LINES:
            yield doc, re.sub(rf"\b{re.escape(node.name)}\b", "_", "\n".join(signature + body))


def standard_library_pairs() -> list[tuple[str, str]]:
    """Every pair of the standard library in path order, no documentation and no code twice."""
    root = Path(sysconfig.get_paths()["stdlib"])
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*.py")):
        if EXCLUDED.isdisjoint(path.relative_to(root).parts):
            found.update(pairs_of(path.read_text(encoding="utf-8", errors="replace")))
    return [(doc, code) for code, doc in {code: doc for doc, code in found.items()}.items()]


def mean_reciprocal_rank(docs: np.ndarray, codes: np.ndarray) -> float:
    """MRR of row i of ``docs`` finding row i of ``codes`` among all of them, by inner product."""
    scores = docs.astype(np.float64) @ codes.astype(np.float64).T
    ranks = (scores >= np.diag(scores)[:, None]).sum(axis=1)
    return float((1.0 / ranks).mean())


def main() -> None:
    """Parses the command line and prints the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", choices=sorted(ENCODERS), default="static")
    parser.add_argument("--data", type=Path, help="a folder with another encoder.msgpack and encoder.int8")
    parser.add_argument("--pairs", type=int, default=1000)
    arguments = parser.parse_args()
    encoder: Encoder = load_encoder(arguments.encoder)
    if arguments.data:
        vocabulary, table = ((arguments.data / member).read_bytes() for member in MEMBERS)
        encoder = StaticEncoder.from_buffers(vocabulary, memoryview(table))
    every = standard_library_pairs()
    count = min(arguments.pairs, len(every))
    pairs = [every[number * len(every) // count] for number in range(count)]
    docs, codes = (encoder.encode([pair[side] for pair in pairs]) for side in (0, 1))
    print(f"{len(pairs)} pairs, MRR {mean_reciprocal_rank(docs, codes):.4f}, {encoder.fingerprint}")


if __name__ == "__main__":
    main()
