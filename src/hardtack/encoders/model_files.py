"""A sentence-transformers model's directory in, the digest of every file in it that determines a vector out.

The files are those that ``modules.json`` leads to: configurations, tokeniser, weights. The readme, the training record and copies
of the weights for other runtimes are left out, so the digest does not depend on how much of a model was downloaded. The model is
not loaded.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from hardtack.errors import EncoderUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

# 1: first version.
MODEL_FILES_VERSION: Final = 1

_MODULES: Final = "modules.json"
_CONFIGURATION: Final = (
    "config.json",
    "config_sentence_transformers.json",
    "added_tokens.json",
    "merges.txt",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.json",
    "vocab.txt",
)
_CONFIGURATION_GLOBS: Final = ("sentence_*_config.json", "*.model")
_WEIGHTS: Final = ("*.safetensors", "*.bin")
"""Patterns of the files that hold weights; the first pattern that matches any file counts."""


def digest_of_model(directory: Path) -> str:
    """``sha256:<64 hex>`` over names and contents of the files that determine the model's vectors.

    Raises:
        EncoderUnavailable: the directory holds no sentence-transformers model, or cannot be read.
    """
    whole = hashlib.sha256(f"sentence-transformers {MODEL_FILES_VERSION}".encode())
    try:
        for path in sorted(set(_files(directory)), key=lambda path: path.relative_to(directory).as_posix()):
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").digest()
            whole.update(path.relative_to(directory).as_posix().encode() + b"\0" + content)
    except OSError as error:
        raise EncoderUnavailable(f"The model in {directory} cannot be read: {error.strerror}.") from error
    return "sha256:" + whole.hexdigest()


def _files(directory: Path) -> Iterator[Path]:
    listed = directory / _MODULES
    if not listed.is_file():
        raise EncoderUnavailable(
            f"{directory} holds no sentence-transformers model: it has no {_MODULES}.",
            hint="Save the model with SentenceTransformer(...).save(DIR).",
        )
    yield listed
    for place in _module_places(listed):
        folder = directory / place
        yield from (path for name in _CONFIGURATION if (path := folder / name).is_file())
        for pattern in _CONFIGURATION_GLOBS:
            yield from folder.glob(pattern)
        yield from next((found for pattern in _WEIGHTS if (found := list(folder.glob(pattern)))), [])


def _module_places(listed: Path) -> list[str]:
    """The modules' folders, relative to the model's; the first is the model's own, ``""``."""
    try:
        places = [str(module["path"]) for module in json.loads(listed.read_bytes())]
    except (ValueError, KeyError, TypeError) as error:
        raise EncoderUnavailable(f"{listed} is no list of modules.") from error
    if any(PurePosixPath(place).is_absolute() or ".." in PurePosixPath(place).parts for place in places):
        raise EncoderUnavailable(f"{listed} leads out of the model's directory.")
    return list(dict.fromkeys(["", *places]))
