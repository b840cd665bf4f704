"""A table and source trees in, a better table out: rows moved so that documentation and its code point the same way.

    python training/train_on_pairs.py --start DIR --corpus DIR... [--out DIR]

The text of each side is the sum of its rows, as in use; in a batch of 1,024 pairs each side must find its own other side among all
(cross entropy over cosines, both ways). Half the batches hold one language only, so that telling languages apart does not help, and
names are blanked in six pairs of ten, so that meaning must. Pairs whose documentation is in the evaluation set are left out.
One thread, fixed seeds: same machine, package versions and corpus, same bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch.nn.functional import cross_entropy, normalize

from evaluate_doc_to_code import standard_library_pairs
from hardtack.encoders.static import member_paths, words_in
from hardtack.encoders.wordpiece import WordPiece
from members import MINILM, read_members, write_members
from mine_pairs import pairs_below

SEED = 0
BATCH = 1024
EPOCHS = 3
LEARNING_RATE = 0.01
WARM_UP_STEPS = 20
SCALE = 20.0
NAMELESS_SHARE = 0.6
MAX_DOC_TOKENS, MAX_CODE_TOKENS = 64, 256


class Sides(NamedTuple):
    """Token ids of one pair, with the name and without it."""

    language: str
    named: tuple[np.ndarray, np.ndarray]
    nameless: tuple[np.ndarray, np.ndarray]


class Tokens:
    """Text -> the ids of the tokens that weigh anything, as the encoder sees them."""

    def __init__(self, vocabulary: list[str], silent: np.ndarray) -> None:
        self._word_piece = WordPiece(vocabulary)
        self._silent = silent

    def ids_of(self, text: str, limit: int) -> np.ndarray:
        """At most ``limit`` ids."""
        found = np.array(self._word_piece.ids_of(" ".join(words_in(text))), dtype=np.int64)
        return found[~self._silent[found]][:limit]

    def both_sides(self, doc: str, code: str) -> tuple[np.ndarray, np.ndarray]:
        """Ids of documentation and code, each within its limit."""
        return self.ids_of(doc, MAX_DOC_TOKENS), self.ids_of(code, MAX_CODE_TOKENS)


def sides_below(roots: list[Path], tokens: Tokens) -> list[Sides]:
    """Every usable pair below ``roots``."""
    evaluated = {doc for doc, _ in standard_library_pairs()}
    found = []
    for pair in pairs_below(roots):
        nameless = tokens.both_sides(*pair.nameless())
        if pair.doc not in evaluated and min(map(len, nameless)) >= 3:
            found.append(Sides(pair.language, tokens.both_sides(pair.doc, pair.code), nameless))
    return found


def batches_of(pairs: list[Sides], random: np.random.Generator) -> Iterator[list[Sides]]:
    """One epoch: each pair at most once, half of them in batches of mixed languages and half in batches of one."""
    order = random.permutation(len(pairs))
    mixed, rest = np.array_split(order, 2)
    batches = [mixed[start : start + BATCH] for start in range(0, len(mixed) - BATCH + 1, BATCH)]
    for language in sorted({pair.language for pair in pairs}):
        alike = [number for number in rest if pairs[number].language == language]
        batches += [np.array(alike[start : start + BATCH]) for start in range(0, len(alike) - BATCH // 4, BATCH)]
    for place in random.permutation(len(batches)):
        yield [pairs[number] for number in batches[place]]


def directions(rows: torch.nn.EmbeddingBag, texts: list[np.ndarray]) -> torch.Tensor:
    """Unit vectors of texts given as ids, shape (texts, dimension)."""
    starts = np.cumsum([0, *(len(text) for text in texts[:-1])])
    return normalize(rows(torch.from_numpy(np.concatenate(texts)), torch.from_numpy(starts)), dim=1)


def train(start: np.ndarray, pairs: list[Sides]) -> np.ndarray:
    """The trained rows, shape of ``start``."""
    random = np.random.default_rng(SEED)
    rows = torch.nn.EmbeddingBag.from_pretrained(torch.from_numpy(start), freeze=False, mode="sum", sparse=True)
    optimiser = torch.optim.SparseAdam(rows.parameters(), lr=LEARNING_RATE)
    batches = [batch for _ in range(EPOCHS) for batch in batches_of(pairs, random)]
    for step, batch in enumerate(batches):
        optimiser.param_groups[0]["lr"] = LEARNING_RATE * (1 - step / len(batches)) * min(1, (step + 1) / WARM_UP_STEPS)
        blank = random.random(len(batch)) < NAMELESS_SHARE
        shown = [pair.nameless if is_blank else pair.named for pair, is_blank in zip(batch, blank, strict=True)]
        docs, codes = (directions(rows, [sides[side] for sides in shown]) for side in (0, 1))
        scores = SCALE * docs @ codes.T
        own = torch.arange(len(batch))
        loss = (cross_entropy(scores, own) + cross_entropy(scores.T, own)) / 2
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 50 == 0:
            print(f"step {step} of {len(batches)}, loss {loss.item():.3f}")
    return rows.weight.detach().numpy()


def main() -> None:
    """Parses the command line, trains and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, required=True, help="a folder with the members to start from")
    parser.add_argument("--corpus", type=Path, nargs="+", required=True, metavar="DIR")
    parser.add_argument("--out", type=Path, default=member_paths()[0].parent)
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # more threads add in another order
    torch.use_deterministic_algorithms(True)
    vocabulary, start = read_members(arguments.start)
    weighty = np.linalg.norm(start, axis=1)
    tokens = Tokens(vocabulary, weighty == 0)
    pairs = sides_below(arguments.corpus, tokens)
    print(f"{len(pairs)} pairs")
    rows = train((start / weighty[weighty > 0].mean()).astype(np.float32), pairs)
    write_members(arguments.out, vocabulary, rows.astype(np.float64), f"{MINILM}; trained on documentation and code")


if __name__ == "__main__":
    main()
