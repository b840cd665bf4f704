"""A query in, its vector out, or the reason why the search continues by keyword alone.

A bundle names its encoder, and the name is only compared. The default encoder is loaded from the bundle itself, and a built-in one
from this package. Any other encoder must be configured by the user, by a flag or the environment: only what the user named is
loaded or called, so a bundle can neither load a model nor call an address. The configured encoder must have the fingerprint of the
encoder that made the vectors and give the same probe vector, because a search with a wrong vector returns hits too.

Without a usable encoder a hybrid search continues by keyword, if the configured encoder is not the bundle's or its service does not
answer. It raises if the bundle carries its encoder, which then is damaged; a search by vectors alone always raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
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
from hardtack.text import folded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.encoders.static import StaticEncoder


_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/@+-]*(?::[A-Za-z0-9._/@:+-]+)?")
_LONGEST_NAME: Final = 100


def carries_encoder(bundle: Bundle) -> bool:
    """Whether the bundle holds its encoder; if it does, any fault of the encoder is damage to the bundle."""
    return bundle.manifest.encoder is not None and bundle.manifest.encoder.name == DEFAULT_ENCODER


def encoder_of(bundle: Bundle, settings: EncoderSettings) -> Encoder:
    """Load the encoder of queries for a bundle with vectors.

    Raises:
        BundleError: the bundle's own encoder is damaged or another; or (EncoderMismatch) no configured encoder made its vectors.
        PolicyError: the query would be sent to a service, which the user has not allowed.
        MissingExtra: the configured encoder needs an extra that is not installed.
        EncoderUnavailable: the configured encoder cannot be loaded, or its service fails.
    """
    identity = bundle.manifest.encoder
    assert identity is not None
    if identity.name == DEFAULT_ENCODER:
        return _carried(bundle, identity)
    if identity.name in BUILT_IN:
        encoder = load_encoder(identity.name)
        _check_identity(encoder, identity, f"This Hardtack's encoder '{identity.name}' is another than the bundle's.")
        return encoder
    return _configured(bundle, identity, settings)


def check_encoder(bundle: Bundle) -> None:
    """Check everything that a bundle with vectors holds of its encoder.

    Raises:
        BundleError: the encoder in the bundle is damaged or another, or the probe of an encoder outside it is missing.
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


def _configured(bundle: Bundle, identity: EncoderIdentity, settings: EncoderSettings) -> Encoder:
    """The encoder that the user configured, if it is the bundle's."""
    from hardtack.encoders.foreign import is_same_model

    wanted = _printable(identity.name)
    if settings.scheme in BUILT_IN:
        raise EncoderMismatch(
            f"The bundle's vectors were made by {wanted}, and no such encoder is set up here.",
            wanted=identity.fingerprint,
            found="",
            hint="Set HARDTACK_ENCODER or --encoder to it, or search with --mode keyword.",
        )
    is_same_name = settings.scheme == "st" if identity.name.startswith("st:") else settings.full_name == identity.name
    if not is_same_name or settings.scheme not in ENCODERS:
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
    """The probe: the vector that the bundle's encoder gave for a fixed text, to recognise the encoder by; (dimension,).

    Raises:
        FormatError: the bundle has no probe, or one of another dimension than its vectors.
    """
    import numpy as np

    identity, member = bundle.manifest.encoder, bundle.member(layout.ENCODER_PROBE)
    if identity is None or member is None or member.size != 4 * identity.dimension:
        raise FormatError("The bundle does not say how its encoder is told from others.", field=layout.ENCODER_PROBE)
    return np.frombuffer(member.read(4 * layout.DIMENSION_LIMIT), dtype="<f4")


def _check_identity(encoder: Encoder, identity: EncoderIdentity, sentence: str) -> None:
    if (encoder.fingerprint, encoder.dimension) != (identity.fingerprint, identity.dimension):
        raise EncoderMismatch(sentence, wanted=identity.fingerprint, found=encoder.fingerprint)


def _printable(name: str) -> str:
    """A bundle's name of its encoder, quoted, if it is safe to print; it comes from an untrusted file."""
    return f"'{name}'" if len(name) <= _LONGEST_NAME and _PLAIN_NAME.fullmatch(name) else "an encoder of no plain name"


class QueryVectors(NamedTuple):
    """The vectors of a query's texts, or why it has none."""

    vectors: NDArray[np.float32] | None
    """(texts, dimension); None if the query is searched by keyword alone."""
    degraded: str = ""
    """Why there is no vector although the query asks for one; else empty."""


def _is_latin(text: str) -> bool:
    """Whether half of the letters of a text, or more, are Latin.

    Of other scripts the default encoder knows single letters and no words. A vector of those is noise, and its nearest chunks
    would come before those that have the query's words.
    """
    letters = text if text.isascii() else "".join(filter(str.isalnum, folded(text)))
    return 2 * sum(map(str.isascii, letters)) >= len(letters)


class QueryEncoder:
    """Encodes the queries of one bundle; loads the encoder at the first query that needs it. Threads may share one."""

    def __init__(self, bundle: Bundle, settings: EncoderSettings | None) -> None:
        """Nothing is loaded yet.

        Args:
            bundle: whose queries are encoded.
            settings: the user's configuration of encoders outside the bundle; None for none.
        """
        self._bundle = bundle
        self._settings = settings

    @property
    def encoder(self) -> Encoder:
        """The bundle's own encoder, or the configured one if it is the bundle's.

        Raises:
            HardtackError: there is none. The error is cached, except EncoderUnavailable: a service may work at the next query.
        """
        loaded = self._loaded
        if isinstance(loaded, HardtackError):
            raise loaded.with_traceback(None)  # or each raise would append to the traceback of the cached error
        return loaded

    @cached_property
    def _loaded(self) -> Encoder | HardtackError:
        try:
            return encoder_of(self._bundle, self._settings or EncoderSettings())
        except EncoderUnavailable:
            raise
        except NO_ENCODER as error:
            return error

    def vectors_of(self, query: Query, texts: Sequence[str], lap: Callable[[str], None] = lambda _: None) -> QueryVectors:
        """Encode the texts of a query, if its mode asks for vectors and the bundle has an encoder.

        Args:
            query: that is searched.
            texts: of its aspects.
            lap: called with the name of each part at its end, for timing: ``encoder``, ``embedding``.

        Raises:
            HardtackError: the query asks for vectors alone and there are none, or the encoder in the bundle is damaged.
        """
        if query.mode is Mode.VECTOR and not self._bundle.has_vectors:
            raise no_vectors(self._bundle)
        if query.mode is Mode.HYBRID and carries_encoder(self._bundle) and not _is_latin(query.text):
            return QueryVectors(None)
        wants_vector = query.mode is not Mode.KEYWORD
        try:
            encoder = self.encoder if wants_vector and self._bundle.has_vectors else None
            lap("encoder")
            if encoder is None:
                return QueryVectors(None, "This bundle has no vectors: hits are by keyword alone." if wants_vector else "")
            vectors: NDArray[np.float32] = encoder.encode(texts)
        except NO_ENCODER as error:
            if query.mode is Mode.VECTOR or carries_encoder(self._bundle):
                raise
            return QueryVectors(None, f"Hits are by keyword alone. {error} {error.hint}".strip())
        lap("embedding")
        return QueryVectors(vectors)
