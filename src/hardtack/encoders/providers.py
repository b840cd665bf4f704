"""A provider and the user's settings in, the endpoint out: its address, key, rate limit and retries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from hardtack.encoders.http import Endpoint, RetryPolicy
from hardtack.encoders.over_http import HttpEncoder
from hardtack.encoders.pace import Pace
from hardtack.encoders.settings import KEY_VARIABLES, OWN_KEY_VARIABLE
from hardtack.errors import EncoderUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardtack.encoders.settings import EncoderSettings

_Encoder = TypeVar("_Encoder", bound=HttpEncoder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A service of models, and the address of its API, which the user may replace."""

    scheme: str
    url: str


DEFAULT_RATE: Final = 300.0
"""Requests a minute at a provider's own address unless the user sets a rate: five at once that take a second each."""

_TRIES: Final = 6
_LONGEST_WAIT: Final = 120.0
_HURRIED: Final = RetryPolicy(tries=2, timeout=5.0, longest_wait=1.0)
"""For a query: a person waits, and keyword search can answer without a vector."""


def endpoint_of(provider: Provider, settings: EncoderSettings) -> Endpoint:
    """The endpoint that ``settings`` lead to.

    Raises:
        EncoderUnavailable: the provider's own address needs a key, and there is none.
        UsageError: the key would travel unencrypted.
    """
    variable = OWN_KEY_VARIABLE if settings.url else KEY_VARIABLES[provider.scheme]
    key = settings.keys.get(variable, "")
    if not key and not settings.url:
        raise EncoderUnavailable(
            f"The encoder '{provider.scheme}' needs a key, and {variable} is not set.",
            hint="Set it, or give the address of a service of your own with --encoder-url.",
        )
    policy = RetryPolicy(tries=_TRIES, timeout=settings.timeout, longest_wait=_LONGEST_WAIT)
    return Endpoint(
        (settings.url or provider.url).rstrip("/") + "/embeddings",
        key=key,
        key_variable=variable,
        pace=Pace(settings.rate or (0.0 if settings.url else DEFAULT_RATE)),
        policy=_HURRIED if settings.is_hurried else policy,
        proxies=settings.proxies,
    )


def encoder_of(kind: type[_Encoder], provider: Provider, dimensions: Mapping[str, int], settings: EncoderSettings) -> _Encoder:
    """The encoder that ``settings`` name, after its service has answered with the probe.

    Raises:
        EncoderUnavailable: there is no key, or the service gives no valid answer.
    """
    model, endpoint = settings.model, endpoint_of(provider, settings)
    return kind(scheme=provider.scheme, model=model, endpoint=endpoint, dimension=dimensions.get(model))
