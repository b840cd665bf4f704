"""What a user chose and allowed in, for encoders that need more than the package: name, address, keys, limits, cache.

The one value that carries keys. They come from the environment, go into one request header, and appear in no ``repr``, message,
log, cache or bundle. Nothing here chooses an encoder because a key happens to be set: without a choice it is the default one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from hardtack.errors import UsageError

KEY_VARIABLES: Final = {"openai": "OPENAI_API_KEY", "jina": "JINA_API_KEY"}
"""Provider -> the variable its own tools read, for its own address alone."""

DEFAULT_MODELS: Final = {"openai": "text-embedding-3-small", "jina": "jina-embeddings-v3"}
"""Which model is meant where none is named (seed 2)."""

OWN_KEY_VARIABLE: Final = "HARDTACK_ENCODER_KEY"
"""For an address the user gave; a provider's key is never sent there."""

_PROXIES: Final = ("http", "https", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderSettings:
    """Which encoder is wanted and what it may use. The default is the default encoder, with no network and no cache."""

    name: str = "static"
    """As in :data:`hardtack.encoders.ENCODERS`, with a model after a colon where one is needed: ``st:/models/minilm``."""
    url: str = ""
    """Base of an OpenAI-compatible service, ``/embeddings`` left off; empty for the provider's own."""
    network: bool = False
    """Whether a query may be sent to a service to get its vector. Building with such an encoder needs no further leave."""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Variable -> key, of those in :data:`KEY_VARIABLES` and :data:`OWN_KEY_VARIABLE` that are set."""
    rate: float = 0.0
    """Requests a minute at most; 0 is any number at an address the user gave, and a default at a provider's."""
    timeout: float = 60.0
    """Seconds that one request may take while building."""
    is_hurried: bool = False
    """Somebody is waiting for an answer that can also be given without: a service is asked twice at most, and not for long."""
    cache: Path | None = None
    """Directory that keeps vectors between builds; None keeps none."""
    proxies: Mapping[str, str] = field(default_factory=dict, repr=False)
    """``http``, ``https`` -> proxy, and ``no`` -> the hosts that go without; an address may hold a password, so it is not shown."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant.

        Raises:
            UsageError: the address is no plain ``http`` or ``https`` one, or a limit is no positive number.
        """
        if self.url:
            _check_address(self.url)
        if not (self.rate >= 0.0 and 0.0 < self.timeout < float("inf")):
            raise UsageError("An encoder's rate and timeout must be positive numbers.")

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str], *, name: str | None = None, url: str | None = None, network: bool | None = None
    ) -> EncoderSettings:
        """The settings that ``environment`` holds; arguments that are given win. ``docs/encoders.md`` lists the variables.

        Raises:
            UsageError: a variable says something impossible.
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
        """The encoder's key in the table."""
        return self.name.partition(":")[0]

    @property
    def model(self) -> str:
        """What follows the colon, or the scheme's default; empty where it has none."""
        return self.name.partition(":")[2] or DEFAULT_MODELS.get(self.scheme, "")

    @property
    def full_name(self) -> str:
        """The name with its model, as a bundle has it."""
        return f"{self.scheme}:{self.model}" if self.model else self.scheme


def proxies_of(environment: Mapping[str, str]) -> dict[str, str]:
    """``http``, ``https`` -> proxy, and ``no`` -> the hosts that go without, as the usual variables name them."""
    return {
        kind: found for kind in _PROXIES if (found := environment.get(f"{kind}_proxy") or environment.get(f"{kind.upper()}_PROXY"))
    }


def _check_address(url: str) -> None:
    """A plain address, and one that carries no secret: a key belongs into the environment."""
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
    """Where vectors are kept: as told, else the user's cache directory; None when switched off or when there is no home."""
    told = environment.get("HARDTACK_ENCODER_CACHE", "")
    if told:
        return None if told == "off" else Path(told)
    if (caches := environment.get("XDG_CACHE_HOME", "")).startswith("/"):
        return Path(caches) / "hardtack"
    return Path(home) / ".cache" / "hardtack" if (home := environment.get("HOME", "")) else None
