"""Text in, unit vectors out: what every encoder promises, and the table of those there are.

An encoder is named in :data:`ENCODERS` and loaded when it is first asked for, so that importing this package costs nothing.
A bundle records the name and the fingerprint of the encoder that made its vectors; only an encoder of the same fingerprint may
make the vector of a query for it. The conformance test runs over the whole table.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol

from hardtack.errors import EncoderUnavailable, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["DEFAULT_ENCODER", "ENCODERS", "Encoder", "carried_encoder", "load_encoder"]


class Encoder(Protocol):
    """Turns text into vectors; the same text always gives the same vector, whatever else is in the call."""

    @property
    def name(self) -> str:
        """Its key in :data:`ENCODERS`."""

    @property
    def fingerprint(self) -> str:
        """``sha256:<64 hex>`` over everything that decides the output: equal fingerprints, equal vectors."""

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A C-contiguous float32 array (texts, dimension); each row has length 1, or is all zeros where a text says nothing."""


DEFAULT_ENCODER = "static"

ENCODERS = {
    "static": "hardtack.encoders.static:default_encoder",
    "hashing": "hardtack.encoders.hashing:HashingEncoder",
}
"""Name -> ``module:factory``; the factory takes no argument."""


def load_encoder(name: str) -> Encoder:
    """The encoder called ``name``, ready to encode.

    Raises:
        UsageError: no encoder has that name.
        EncoderUnavailable: what it needs is not installed.
    """
    if name not in ENCODERS:
        raise UsageError(f"There is no encoder called '{name}'.", hint=f"Encoders: {', '.join(ENCODERS)}.")
    module_name, _, factory_name = ENCODERS[name].partition(":")
    try:
        factory = getattr(importlib.import_module(module_name), factory_name)
    except ImportError as error:
        raise EncoderUnavailable(f"The encoder '{name}' cannot be loaded: {error}.") from error
    encoder: Encoder = factory()
    return encoder


def carried_encoder(name: str, vocabulary: bytes, table: memoryview) -> Encoder:
    """The encoder that a bundle carries in its own members.

    Args:
        name: as the bundle's manifest has it.
        vocabulary: the content of the bundle's ``encoder.msgpack``.
        table: its ``encoder.int8``, usually mapped.

    Raises:
        EncoderUnavailable: bundles carry no encoder of that name.
        FormatError: the members are damaged.
    """
    if name != DEFAULT_ENCODER:
        raise EncoderUnavailable(f"A bundle cannot carry the encoder '{name}'.", hint="Search with --mode keyword.")
    from hardtack.encoders.static import StaticEncoder

    return StaticEncoder.from_buffers(vocabulary, table)
