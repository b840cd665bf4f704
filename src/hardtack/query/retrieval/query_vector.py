"""A query in, its vector out, or the reason why the search goes on by keyword alone.

A hybrid search goes on without an encoder where the one that is set up is not the bundle's, or its service does not answer. It
raises where the bundle carries its encoder, which then is damaged; and so does a search by vectors alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.errors import NO_ENCODER, EncoderUnavailable, HardtackError
from hardtack.nouns.model import Mode, Query
from hardtack.query.request.parse import no_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.encoders import Encoder, EncoderSettings


class QueryVector(NamedTuple):
    """What a query is searched by besides its words."""

    vector: NDArray[np.float32] | None
    """(dimension,); None where the query is searched by keyword alone."""
    degraded: str = ""
    """Why that is so where vectors were asked for as well; else empty."""


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
        from hardtack.query.retrieval.encoder import encoder_of

        try:
            return encoder_of(self._bundle, self._settings or EncoderSettings())
        except EncoderUnavailable:
            raise
        except NO_ENCODER as error:
            return error

    def vector_of(self, query: Query, lap: Callable[[str], None] = lambda _: None) -> QueryVector:
        """The vector of a query, as far as it asks for one and there is one.

        Args:
            query: what is asked.
            lap: told of each part when it is done, to be timed: ``encoder``, ``embedding``.

        Raises:
            HardtackError: the query asks for vectors alone and there are none, or the encoder that the bundle carries is damaged.
        """
        if query.mode is Mode.VECTOR and not self._bundle.has_vectors:
            raise no_vectors(self._bundle)
        is_asked = query.mode is not Mode.KEYWORD
        try:
            encoder = self.encoder if is_asked and self._bundle.has_vectors else None
            lap("encoder")
            if encoder is None:
                return QueryVector(None, "This bundle has no vectors: hits are by keyword alone." if is_asked else "")
            vector: NDArray[np.float32] = encoder.encode([query.text])[0]
        except NO_ENCODER as error:
            from hardtack.query.retrieval.encoder import carries_encoder

            if query.mode is Mode.VECTOR or carries_encoder(self._bundle):
                raise
            return QueryVector(None, f"Hits are by keyword alone. {error} {error.hint}".strip())
        lap("embedding")
        return QueryVector(vector)
