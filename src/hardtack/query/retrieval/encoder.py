"""A query in, its vector out, or the reason why the search goes on by keyword alone.

A bundle names its encoder; the name is only ever compared. The default encoder comes out of the bundle itself. One that needs
nothing but this package is made here. For any other the user has to have set up the same, by a flag or the environment: what is
loaded or called is what the user named, so no bundle can have a model loaded or an address called. It is then held against the
fingerprint and the probe of the encoder that made the vectors, because a wrong vector finds something too.

A hybrid search goes on without an encoder where the one that is set up is not the bundle's, or its service does not answer. It
raises where the bundle carries its encoder, which then is damaged; and so does a search by vectors alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import EncoderIdentity
from hardtack.bundle.reader import Bundle
from hardtack.encoders import (
    BUILT_IN,
    DEFAULT_ENCODER,
    ENCODERS,
    OVER_NETWORK,
    Encoder,
    EncoderSettings,
    carried_encoder,
    load_encoder,
    load_foreign,
)
from hardtack.errors import NO_ENCODER, EncoderMismatch, EncoderUnavailable, FormatError, HardtackError, PolicyError
from hardtack.nouns.model import Mode, Query
from hardtack.query.request.parse import no_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.encoders import Encoder, EncoderSettings
    from hardtack.encoders.static import StaticEncoder


_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/@+-]*(?::[A-Za-z0-9._/@:+-]+)?")
_LONGEST_NAME: Final = 100


def carries_encoder(bundle: Bundle) -> bool:
    """Whether the bundle has an encoder of its own among its members, which then must be there and whole."""
    return bundle.manifest.encoder is not None and bundle.manifest.encoder.name == DEFAULT_ENCODER


def encoder_of(bundle: Bundle, settings: EncoderSettings) -> Encoder:
    """The encoder of queries for a bundle that has vectors.

    Raises:
        BundleError: the bundle's own encoder is damaged or another; or (EncoderMismatch) none that is set up made its vectors.
        PolicyError: the query would have to be sent to a service, which nobody allowed.
        MissingExtra: what is set up needs an extra that is not installed.
        EncoderUnavailable: what is set up cannot be loaded, or its service does not answer as it should.
    """
    identity = bundle.manifest.encoder
    assert identity is not None
    if identity.name == DEFAULT_ENCODER:
        return _carried(bundle, identity)
    if identity.name in BUILT_IN:
        encoder = load_encoder(identity.name)
        _check_identity(encoder, identity, f"This Hardtack's encoder '{identity.name}' is another than the bundle's.")
        return encoder
    return _set_up(bundle, identity, settings)


def check_encoder(bundle: Bundle) -> None:
    """Look at all that a bundle with vectors holds of its encoder.

    Raises:
        BundleError: the encoder that it carries is damaged or another, or it cannot tell its encoder from others.
    """
    identity = bundle.manifest.encoder
    assert identity is not None
    if identity.name == DEFAULT_ENCODER:
        _carried(bundle, identity).check()
    else:
        probe_of(bundle)


def _carried(bundle: Bundle, identity: EncoderIdentity) -> StaticEncoder:
    encoder = carried_encoder(identity.name, *bundle.encoder_buffers())
    _check_identity(encoder, identity, f"The encoder in the bundle at {bundle.path} is not the one that made its vectors.")
    return encoder


def _set_up(bundle: Bundle, identity: EncoderIdentity, settings: EncoderSettings) -> Encoder:
    """The encoder that the user named, if it is the bundle's."""
    from hardtack.encoders.foreign import is_same_model

    wanted = _shown(identity.name)
    if settings.scheme in BUILT_IN:
        raise EncoderMismatch(
            f"The bundle's vectors were made by {wanted}, and no such encoder is set up here.",
            wanted=identity.fingerprint,
            found="",
            hint="Set HARDTACK_ENCODER or --encoder to it, or search with --mode keyword.",
        )
    is_named_alike = settings.scheme == "st" if identity.name.startswith("st:") else settings.full_name == identity.name
    if not is_named_alike or settings.scheme not in ENCODERS:
        raise EncoderMismatch(
            f"The bundle's vectors were made by {wanted}; set up here is '{settings.full_name}'.",
            wanted=identity.fingerprint,
            found="",
        )
    if settings.scheme in OVER_NETWORK and not settings.network:
        raise PolicyError(
            f"The query would have to be sent to the service of '{settings.full_name}', which is not allowed here.",
            hint="Allow it with --encoder-network or HARDTACK_ENCODER_NETWORK=1, or search with --mode keyword.",
        )
    encoder = load_foreign(settings.name, replace(settings, is_hurried=True))
    _check_identity(encoder, identity, f"'{encoder.name}' as it is here is not the {wanted} that made the bundle's vectors.")
    if not is_same_model(probe_of(bundle), encoder.probe):
        raise EncoderMismatch(
            f"'{encoder.name}' gives other vectors than when the bundle was built.",
            wanted=identity.fingerprint,
            found=encoder.fingerprint,
        )
    return encoder.for_queries()


def probe_of(bundle: Bundle) -> NDArray[np.float32]:
    """The vector that the bundle's encoder, which it does not carry, gave for the text that tells models apart.

    Raises:
        FormatError: the bundle has none, or none of its vectors' length.
    """
    import numpy as np

    identity, member = bundle.manifest.encoder, bundle.member(layout.ENCODER_PROBE)
    if identity is None or member is None or member.size != 4 * identity.dimension:
        raise FormatError("The bundle does not say how its encoder is told from others.", field=layout.ENCODER_PROBE)
    return np.frombuffer(member.read(4 * layout.DIMENSION_LIMIT), dtype="<f4")


def _check_identity(encoder: Encoder, identity: EncoderIdentity, sentence: str) -> None:
    if (encoder.fingerprint, encoder.dimension) != (identity.fingerprint, identity.dimension):
        raise EncoderMismatch(sentence, wanted=identity.fingerprint, found=encoder.fingerprint)


def _shown(name: str) -> str:
    """A bundle's word for its encoder, if it can be printed anywhere."""
    return f"'{name}'" if len(name) <= _LONGEST_NAME and _PLAIN_NAME.fullmatch(name) else "an encoder of no plain name"


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
