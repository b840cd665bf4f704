"""Text in, unit vectors out: the protocol of an encoder, the table of encoders, and the functions that load one.

A bundle records the name and the fingerprint of the encoder that made its vectors; only an encoder of the same fingerprint may
make the vector of a query for it. The conformance test runs over the whole table.

    static.py                  the default: a table of int8 rows, one for each WordPiece token (wordpiece.py, unit.py)
    hashing.py                 feature hashing, without a model
    sentence_transformers.py   a transformer model on this machine (model_files.py computes its fingerprint)
    openai.py, jina.py         a service (over_http.py, http.py, providers.py, pace.py)

The last three are :class:`ForeignEncoder` (foreign.py): nothing about their vectors is taken on trust. settings.py holds what the
user chose and allowed, cache.py keeps their vectors between builds. An encoder's module is imported when :func:`load_encoder` is
called, so that a search loads no other encoder, and neither torch nor urllib3.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from hardtack.encoders.settings import EncoderSettings
from hardtack.errors import EncoderUnavailable, MissingExtra, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from hardtack.encoders.foreign import ForeignEncoder
    from hardtack.encoders.static import StaticEncoder

__all__ = [
    "BUILT_IN",
    "DEFAULT_ENCODER",
    "ENCODERS",
    "OVER_NETWORK",
    "Encoder",
    "EncoderSettings",
    "carried_encoder",
    "load_encoder",
    "load_foreign",
]


class Encoder(Protocol):
    """Turns text into vectors. The same text always gives the same vector, whatever else is in the call."""

    @property
    def name(self) -> str:
        """Its key in :data:`ENCODERS`, followed by a colon and the model if it has one."""

    @property
    def fingerprint(self) -> str:
        """``sha256:<64 hex>`` over everything that determines the output: equal fingerprints mean equal vectors."""

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors: a C-contiguous float32 array, shape (texts, dimension).

        Each row has length 1, or is all zeros if the text has nothing to encode.
        """


DEFAULT_ENCODER = "static"

BUILT_IN: Final = ("static", "hashing")
"""Encoders that need nothing but this package, and may therefore be loaded because a bundle names them."""

OVER_NETWORK: Final = ("openai", "jina")
"""Encoders that send texts to a service."""

ENCODERS = {
    "static": "hardtack.encoders.static:default_encoder",
    "hashing": "hardtack.encoders.hashing:HashingEncoder",
    "st": "hardtack.encoders.sentence_transformers:load",
    "openai": "hardtack.encoders.openai:load",
    "jina": "hardtack.encoders.jina:load",
}
"""Name -> ``module:factory``. The factory of a built-in encoder takes no argument, any other takes :class:`EncoderSettings`."""

_EXTRAS = {"sentence_transformers": "transformers", "transformers": "transformers", "torch": "transformers"}


def load_encoder(name: str, settings: EncoderSettings | None = None) -> Encoder:
    """The encoder called ``name``, ready to encode.

    Args:
        name: a key of the table, a model after a colon where it takes one.
        settings: address, keys and limits of an encoder that is not built in; the model comes from ``name``.

    Raises:
        UsageError: no encoder has that name, or it takes no model.
        MissingExtra: the extra it needs is not installed.
        EncoderUnavailable: it cannot be loaded, or its service gives no valid answer.
    """
    scheme, colon, _ = name.partition(":")
    if scheme not in BUILT_IN:
        return load_foreign(name, settings)
    if colon:
        raise UsageError(f"The encoder '{scheme}' takes no model.", hint=f"Write --encoder {scheme}.")
    encoder: Encoder = _factory(scheme)()
    return encoder


def load_foreign(name: str, settings: EncoderSettings | None = None) -> ForeignEncoder:
    """Like :func:`load_encoder`, for an encoder that is not built in, and typed as such.

    Raises:
        UsageError: no encoder has that name.
        MissingExtra: the extra it needs is not installed.
        EncoderUnavailable: it cannot be loaded, or its service gives no valid answer.
    """
    encoder: ForeignEncoder = _factory(name.partition(":")[0])(replace(settings or EncoderSettings(), name=name))
    return encoder


def _factory(scheme: str) -> Any:
    """The encoder's factory; its module is imported here."""
    if scheme not in ENCODERS:
        raise UsageError(f"There is no encoder called '{scheme}'.", hint=f"Encoders: {', '.join(ENCODERS)}.")
    module_name, _, factory_name = ENCODERS[scheme].partition(":")
    try:
        return getattr(importlib.import_module(module_name), factory_name)
    except ImportError as error:
        if extra := _EXTRAS.get((error.name or "").partition(".")[0]):
            raise MissingExtra(f"The encoder '{scheme}'", extra) from error
        raise EncoderUnavailable(f"The encoder '{scheme}' cannot be loaded: {error}.") from error


def carried_encoder(name: str, vocabulary: bytes, table: memoryview) -> StaticEncoder:
    """The encoder whose vocabulary and table are members of a bundle.

    Args:
        name: the encoder's name in the bundle's manifest.
        vocabulary: the content of the bundle's ``encoder.msgpack``.
        table: its ``encoder.int8``, usually memory-mapped.

    Raises:
        EncoderUnavailable: bundles carry no encoder of that name.
        FormatError: the members are damaged.
    """
    if name != DEFAULT_ENCODER:
        raise EncoderUnavailable(f"A bundle cannot carry the encoder '{name}'.", hint="Search with --mode keyword.")
    from hardtack.encoders.static import StaticEncoder

    return StaticEncoder.from_buffers(vocabulary, table)
