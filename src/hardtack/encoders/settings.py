"""The environment and the command line in, an encoder's settings out: name, address, keys, limits, cache.

This is the only value that carries keys. They come from the environment, go into one request header, and appear in no ``repr``,
message, log, cache or bundle. A key that is set never chooses an encoder: unless the user names one, it is the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from hardtack.errors import UsageError

KEY_VARIABLES: Final = {"openai": "OPENAI_API_KEY", "jina": "JINA_API_KEY"}
"""Provider -> the variable that its own tools read. The key is sent to the provider's own address only."""

DEFAULT_MODELS: Final = {"openai": "text-embedding-3-small", "jina": "jina-embeddings-v3"}
"""Provider -> the model if the user names none."""

OWN_KEY_VARIABLE: Final = "HARDTACK_ENCODER_KEY"
"""The key for an address that the user gave; a provider's key is never sent there."""

_PROXIES: Final = ("http", "https", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderSettings:
    """Which encoder to load and what it may use. The default is the default encoder, without network and without cache."""

    name: str = "static"
    """A key of :data:`hardtack.encoders.ENCODERS`, with a model after a colon where one is needed: ``st:/models/minilm``."""
    url: str = ""
    """Base URL of an OpenAI-compatible service, without ``/embeddings``; empty for the provider's own."""
    network: bool = False
    """Whether a query may be sent to a service to get its vector. Building with such an encoder needs no permission."""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Variable -> key, for those of :data:`KEY_VARIABLES` and :data:`OWN_KEY_VARIABLE` that are set."""
    rate: float = 0.0
    """Most requests a minute; 0 means no limit at an address that the user gave, and a default at a provider's."""
    timeout: float = 60.0
    """Seconds that one request may take while building."""
    is_hurried: bool = False
    """A person waits for an answer that does not depend on the vector: few and short tries (:mod:`.providers`)."""
    cache: Path | None = None
    """Directory that keeps vectors between builds; None keeps none."""
    proxies: Mapping[str, str] = field(default_factory=dict, repr=False)
    """``http``, ``https`` -> proxy, and ``no`` -> hosts without a proxy. Not in ``repr``: an address may hold a password."""

    def __post_init__(self) -> None:
        """Check address and limits.

        Raises:
            UsageError: the address is no plain ``http`` or ``https`` URL, or a limit is no positive number.
        """
        if self.url:
            _check_address(self.url)
        if not (self.rate >= 0.0 and 0.0 < self.timeout < float("inf")):
            raise UsageError("An encoder's rate and timeout must be positive numbers.")

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str], *, name: str | None = None, url: str | None = None, network: bool | None = None
    ) -> EncoderSettings:
        """The settings in ``environment``; arguments that are not None take precedence. ``docs/encoders.md`` lists the variables.

        Raises:
            UsageError: a variable has an invalid value.
        """
        if network is None:
            network = environment.get("HARDTACK_ENCODER_NETWORK", "").lower() in ("1", "true", "yes", "on")
        return cls(
            name=name or environment.get("HARDTACK_ENCODER") or "static",
            url=url or environment.get("HARDTACK_ENCODER_URL") or "",
            network=network,
            keys={
                variable: environment[variable].strip()
                for variable in (*KEY_VARIABLES.values(), OWN_KEY_VARIABLE)
                if environment.get(variable, "").strip()
            },
            rate=_number(environment, "HARDTACK_ENCODER_RATE", 0.0),
            timeout=_number(environment, "HARDTACK_ENCODER_TIMEOUT", 60.0),
            cache=_cache_directory(environment),
            proxies=proxies_of(environment),
        )

    @property
    def scheme(self) -> str:
        """The encoder's key in :data:`hardtack.encoders.ENCODERS`."""
        return self.name.partition(":")[0]

    @property
    def model(self) -> str:
        """The part after the colon, else the scheme's default model; empty where there is none."""
        return self.name.partition(":")[2] or DEFAULT_MODELS.get(self.scheme, "")

    @property
    def full_name(self) -> str:
        """The name with its model, as a bundle records it."""
        return f"{self.scheme}:{self.model}" if self.model else self.scheme


def proxies_of(environment: Mapping[str, str]) -> dict[str, str]:
    """``http``, ``https`` -> proxy, and ``no`` -> hosts without a proxy, from ``http_proxy``, ``HTTP_PROXY`` and the like."""
    return {
        kind: found for kind in _PROXIES if (found := environment.get(f"{kind}_proxy") or environment.get(f"{kind.upper()}_PROXY"))
    }


def _check_address(url: str) -> None:
    """Refuse an address that is no plain URL, or that carries a secret: keys come from the environment."""
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_plain = False
    if not is_plain or not url.isprintable() or " " in url:
        raise UsageError("The encoder's address is no http or https URL.", hint="Write it like http://localhost:11434/v1")
    if parts.username is not None or parts.query or parts.fragment:
        raise UsageError("The encoder's address must have no user, query or fragment.", hint=f"A key goes into {OWN_KEY_VARIABLE}.")


def _number(environment: Mapping[str, str], variable: str, default: float) -> float:
    try:
        return float(environment.get(variable) or default)
    except ValueError as error:
        raise UsageError(f"{variable} is not a number.") from error


def _cache_directory(environment: Mapping[str, str]) -> Path | None:
    """The directory of the vector cache; None when it is switched off or the user has no home directory."""
    chosen = environment.get("HARDTACK_ENCODER_CACHE", "")
    if chosen:
        return None if chosen == "off" else Path(chosen)
    if (caches := environment.get("XDG_CACHE_HOME", "")).startswith("/"):
        return Path(caches) / "hardtack"
    return Path(home) / ".cache" / "hardtack" if (home := environment.get("HOME", "")) else None
