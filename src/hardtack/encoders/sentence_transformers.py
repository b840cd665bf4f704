"""``st:NAME_OR_PATH``: any sentence-transformers model on this machine, by its directory or its name in the local cache.

Nothing is downloaded, and no code that comes with a model is run. On a CPU each text goes through the model alone, in as many
threads as there are cores, each of which computes with one thread: a vector then depends neither on the other texts nor on the
number of cores, and no padding is computed. An accelerator gets batches; its vectors differ in the last bits, which the comparison
of probes tolerates.
"""

from __future__ import annotations

import copy
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from safetensors import SafetensorError
from sentence_transformers import SentenceTransformer
from transformers.utils import logging as transformers_logging

from hardtack.cores import cores
from hardtack.encoders.foreign import MAX_DIMENSION, PROBE_TEXT, ForeignEncoder, unit_float_rows
from hardtack.encoders.model_files import digest_of_model
from hardtack.errors import EncoderUnavailable, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hardtack.encoders import Encoder
    from hardtack.encoders.foreign import Batch
    from hardtack.encoders.settings import EncoderSettings

ACCELERATOR_BATCH: Final = 64
_GIVEN_AT_ONCE: Final = 64
"""Vectors that the threads hand on together: few, so that they reach the cache soon after they were computed."""


class TransformerEncoder(ForeignEncoder):
    """A model in memory. Threads may share it."""

    def __init__(self, name: str, directory: Path, model: SentenceTransformer, *, is_query: bool = False) -> None:
        """Hash the model's files and encode the probe.

        Raises:
            EncoderUnavailable: the model's vectors are longer than a bundle may hold, or not finite.
        """
        self.name = name
        self.is_query = is_query
        self.fingerprint = digest_of_model(directory)
        self._model = model
        self._local = threading.local()
        self._threads = ThreadPoolExecutor(cores(), thread_name_prefix="hardtack-encoder", initializer=_one_thread)
        probe = np.asarray(self._encode(model, [PROBE_TEXT]))
        self.dimension = probe.shape[-1]
        if self.dimension > MAX_DIMENSION:
            raise EncoderUnavailable(f"'{name}' gives {self.dimension} numbers a text; a bundle holds up to {MAX_DIMENSION}.")
        self.probe = unit_float_rows(probe, 1, self.dimension, f"'{name}'")[0]

    def for_queries(self) -> Encoder:
        """The same model with its prompt for queries, if it has one. The copy shares model and threads."""
        other = copy.copy(self)
        other.is_query = True
        return other

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Vectors in the order of the texts."""
        if self._model.device.type != "cpu":
            for start in range(0, len(texts), ACCELERATOR_BATCH):
                some = range(start, min(start + ACCELERATOR_BATCH, len(texts)))
                rows = self._encode(self._model, [texts[place] for place in some], batch_size=ACCELERATOR_BATCH)
                yield some, self._checked(rows)
            return
        for start in range(0, len(texts), _GIVEN_AT_ONCE):
            some = range(start, min(start + _GIVEN_AT_ONCE, len(texts)))
            yield some, self._checked(np.concatenate(list(self._threads.map(self._alone, [texts[place] for place in some]))))

    def _alone(self, text: str) -> NDArray[np.float32]:
        """Encode one text with this thread's own copy of the model, which shares its weights with the other threads' copies.

        The copy is needed because two threads must not use one fast tokeniser at once.
        """
        model: SentenceTransformer | None = getattr(self._local, "model", None)
        if model is None:
            # deepcopy takes its memo's entries for copies that exist already: weights are shared, not copied
            shared: dict[int, Any] = {id(tensor): tensor for tensor in (*self._model.parameters(), *self._model.buffers())}
            model = self._local.model = copy.deepcopy(self._model, shared)
        return self._encode(model, [text])

    def _encode(self, model: SentenceTransformer, texts: list[str], *, batch_size: int = 1) -> NDArray[np.float32]:
        encode = model.encode_query if self.is_query else model.encode_document
        valid = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        vectors: NDArray[np.float32] = encode(valid, batch_size=batch_size, convert_to_numpy=True, show_progress_bar=False)
        return vectors

    def _checked(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        return unit_float_rows(rows, len(rows), self.dimension, f"'{self.name}'")


def load(settings: EncoderSettings) -> TransformerEncoder:
    """The encoder that ``settings`` name.

    The name of an encoder from a directory has the directory's own name only: its path means nothing on another machine.

    Raises:
        UsageError: no model is named.
        EncoderUnavailable: the model is not on this machine, or does not load.
    """
    if not settings.model:
        raise UsageError("The encoder 'st' needs a model.", hint="Write --encoder st:NAME or --encoder st:DIRECTORY.")
    directory = _directory_of(settings.model)
    recorded = directory.resolve().name if Path(settings.model).is_dir() else settings.model
    shows_progress = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    try:
        model = SentenceTransformer(str(directory), local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError, RuntimeError, KeyError, TypeError, AttributeError, ImportError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:200].rstrip(".")
        raise EncoderUnavailable(f"The model '{settings.model}' does not load: {reason}.") from error
    finally:
        if shows_progress:
            transformers_logging.enable_progress_bar()
    return TransformerEncoder(f"st:{recorded}", directory, model.eval())


def _directory_of(model: str) -> Path:
    """The model's directory: the path itself, or the local cache's directory of that name."""
    if Path(model).is_dir():
        return Path(model)
    from huggingface_hub import snapshot_download

    for name in (model, f"sentence-transformers/{model}"):
        try:
            return Path(snapshot_download(name, local_files_only=True))
        except (OSError, ValueError):
            continue
    raise EncoderUnavailable(
        f"There is no model '{model}' on this machine, neither as a directory nor in the local cache.",
        hint="Download it first; Hardtack fetches no models.",
    )


def _one_thread() -> None:
    """Have torch compute with one thread in each of ours: more would add in another order, and wait for each other."""
    torch.set_num_threads(1)
