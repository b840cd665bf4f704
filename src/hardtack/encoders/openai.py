"""``openai:MODEL``: OpenAI's embeddings, or a service at an address of the user's that speaks the same form, local ones above all.

Ollama, llama.cpp and the like are reached by their base URL. At such an address the provider's key is never used; one of its own is
taken from ``HARDTACK_ENCODER_KEY``, and none is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hardtack.encoders.over_http import HttpEncoder
from hardtack.encoders.providers import Provider, endpoint_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.encoders.settings import EncoderSettings

PROVIDER: Final = Provider(scheme="openai", url="https://api.openai.com/v1")
DIMENSIONS: Final = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
"""Of the provider's own models; any other has what its first answer has."""


class OpenAIEncoder(HttpEncoder):
    """A model that makes no difference between queries and texts to be found."""

    def request_of(self, texts: Sequence[str]) -> dict[str, Any]:
        """The request for the vectors of ``texts``."""
        return {"model": self.model, "input": list(texts), "encoding_format": "float"}


def load(settings: EncoderSettings) -> OpenAIEncoder:
    """The encoder that ``settings`` name, once its service has answered.

    Raises:
        EncoderUnavailable: there is no key, or the service does not answer as it should.
    """
    model = settings.model
    return OpenAIEncoder(
        scheme=PROVIDER.scheme, model=model, endpoint=endpoint_of(PROVIDER, settings), dimension=DIMENSIONS.get(model)
    )
