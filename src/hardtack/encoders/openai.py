"""``openai:MODEL``: OpenAI's embeddings, or any service with the same API at an address that the user gives.

Ollama, llama.cpp and the like are reached by their base URL. OpenAI's key is never sent to such an address; its key, if it needs
one, is read from ``HARDTACK_ENCODER_KEY``.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hardtack.encoders.over_http import HttpEncoder
from hardtack.encoders.providers import Provider, encoder_of

if TYPE_CHECKING:
    from collections.abc import Sequence

PROVIDER: Final = Provider(scheme="openai", url="https://api.openai.com/v1")
DIMENSIONS: Final = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
"""Model -> numbers in one vector. For any other model, the first answer decides."""


class OpenAIEncoder(HttpEncoder):
    """A model that encodes queries and documents alike."""

    def request_of(self, texts: Sequence[str]) -> dict[str, Any]:
        """The JSON request for the vectors of ``texts``."""
        return {"model": self.model, "input": list(texts), "encoding_format": "float"}


load: Final = partial(encoder_of, OpenAIEncoder, PROVIDER, DIMENSIONS)
"""The encoder that settings name; see :func:`encoder_of`."""
