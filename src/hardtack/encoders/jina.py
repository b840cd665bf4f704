"""``jina:MODEL``: Jina's embeddings, which encode queries and documents differently."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hardtack.encoders.over_http import HttpEncoder
from hardtack.encoders.providers import Provider, encoder_of

if TYPE_CHECKING:
    from collections.abc import Sequence

PROVIDER: Final = Provider(scheme="jina", url="https://api.jina.ai/v1")
DIMENSIONS: Final = {"jina-embeddings-v3": 1024}
"""Model -> numbers in one vector. For any other model, the first answer decides."""

_WITH_TASKS: Final = ("jina-embeddings-v3", "jina-embeddings-v4")


class JinaEncoder(HttpEncoder):
    """A model of Jina's. Those in :data:`_WITH_TASKS` are told whether a text is a query or a document."""

    def request_of(self, texts: Sequence[str]) -> dict[str, Any]:
        """The JSON request for the vectors of ``texts``."""
        request: dict[str, Any] = {"model": self.model, "input": list(texts)}
        if self.model in _WITH_TASKS:
            request["task"] = "retrieval.query" if self.is_query else "retrieval.passage"
        return request


load: Final = partial(encoder_of, JinaEncoder, PROVIDER, DIMENSIONS)
"""The encoder that settings name; see :func:`encoder_of`."""
