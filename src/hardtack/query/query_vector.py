"""A query in, its vector out, or None where the search goes on by keyword alone, with the reason in the trace.

A hybrid search goes on without an encoder where the one that is set up is not the bundle's, or its service does not answer. It
raises where the bundle carries its encoder, which then is damaged; and so does a search by vectors alone.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hardtack.bundle.reader import Bundle
from hardtack.errors import NO_ENCODER, EncoderUnavailable, HardtackError
from hardtack.model import Mode, Query
from hardtack.query.request import no_vectors
from hardtack.query.trace import Trace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.encoders import Encoder, EncoderSettings


class QueryEncoder:
    """The encoder of one bundle's queries; found when it is first needed. Threads may share one."""

    def __init__(self, bundle: Bundle, settings: EncoderSettings | None) -> None:
        """Nothing is loaded yet.

        Args:
            bundle: whose queries are encoded.
            settings: what the user set up for encoders that a bundle does not carry; None for nothing.
        """
        self._bundle = bundle
        self._settings = settings

    @property
    def encoder(self) -> Encoder:
        """The bundle's own encoder, or one that was set up and is the bundle's.

        Raises:
            HardtackError: there is none. Only for a service, which may be back, is it looked for again.
        """
        found = self._found
        if isinstance(found, HardtackError):
            raise found.with_traceback(None)
        return found

    @cached_property
    def _found(self) -> Encoder | HardtackError:
        from hardtack.encoders import EncoderSettings  # a search by keyword does without
        from hardtack.query.encoder import encoder_of

        try:
            return encoder_of(self._bundle, self._settings or EncoderSettings())
        except EncoderUnavailable:
            raise
        except NO_ENCODER as error:
            return error

    def vector_of(self, query: Query, trace: Trace) -> NDArray[np.float32] | None:
        """(dimension,), the vector of a query; None where it is to be searched by keyword alone.

        Raises:
            HardtackError: the query asks for vectors alone and there are none, or the encoder that the bundle carries is damaged.
        """
        try:
            encoder = self._encoder_for(query.mode, trace)
            trace.lap("encoder")
            if encoder is None:
                return None
            vector: NDArray[np.float32] = encoder.encode([query.text])[0]
        except NO_ENCODER as error:
            from hardtack.query.encoder import carries_encoder

            if query.mode is Mode.VECTOR or carries_encoder(self._bundle):
                raise
            trace.degraded = f"Hits are by keyword alone. {error} {error.hint}".strip()
            return None
        trace.lap("embedding")
        return vector

    def _encoder_for(self, mode: Mode, trace: Trace) -> Encoder | None:
        if mode is Mode.KEYWORD:
            return None
        if self._bundle.has_vectors:
            return self.encoder
        if mode is Mode.VECTOR:
            raise no_vectors(self._bundle)
        trace.degraded = "This bundle has no vectors: hits are by keyword alone."
        return None
