"""Texts in, unit vectors out, from a service with OpenAI's ``/embeddings`` API.

Five requests of 20 texts each run at once, and their answers come in any order. Count, order, size and numbers of an answer are
checked before it is used. A text is cut to a length that both providers accept. The first request is the probe, so a wrong address,
key or model is noticed before anything else is done.
"""

from __future__ import annotations

import hashlib
import json
import threading
from abc import abstractmethod
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, as_completed
from copy import copy
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hardtack.encoders.foreign import MAX_DIMENSION, PROBE_TEXT, ForeignEncoder, unit_float_rows
from hardtack.encoders.http import BadAnswer, Endpoint
from hardtack.errors import EncoderUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hardtack.encoders import Encoder
    from hardtack.encoders.foreign import Batch

# 1: first version.
HTTP_VERSION: Final = 1

BATCH: Final = 20
"""Texts in one request."""

AT_ONCE: Final = 5
"""Requests that run at the same time."""

MAX_TEXT_BYTES: Final = 8000
"""The most UTF-8 bytes of a text that are sent. No tokeniser makes more tokens than there are bytes, so both providers' limits
(8,191 and 8,192 tokens) hold without a tokeniser here. A chunk has at most 8,000 characters; few are cut."""


def sent_form(text: str) -> str:
    """The text as it is sent: valid Unicode, cut to :data:`MAX_TEXT_BYTES`."""
    return text.encode("utf-8", "replace")[:MAX_TEXT_BYTES].decode("utf-8", "ignore")


class HttpEncoder(ForeignEncoder):
    """A model behind an endpoint."""

    def __init__(self, *, scheme: str, model: str, endpoint: Endpoint, dimension: int | None) -> None:
        """Request the probe.

        Args:
            scheme: the encoder's key in :data:`hardtack.encoders.ENCODERS`.
            model: the service's name of the model.
            endpoint: the address to send requests to.
            dimension: numbers in one of its vectors; None takes the probe's.

        Raises:
            EncoderUnavailable: the service gives no valid answer.
        """
        self.name = f"{scheme}:{model}"
        self.model = model
        self.is_query = False
        self._endpoint = endpoint
        (raw,) = self._ask([PROBE_TEXT], threading.Event())
        self.dimension = dimension or raw.size
        if not 1 <= self.dimension <= MAX_DIMENSION:
            raise EncoderUnavailable(f"'{self.name}' gives {self.dimension} numbers a text; a bundle holds up to {MAX_DIMENSION}.")
        self.probe = unit_float_rows(raw[None], 1, self.dimension, f"'{self.name}'")[0]
        identity = json.dumps([HTTP_VERSION, self.name, self.dimension, MAX_TEXT_BYTES, self.request_of([PROBE_TEXT])])
        self.fingerprint = "sha256:" + hashlib.sha256(identity.encode()).hexdigest()

    @abstractmethod
    def request_of(self, texts: Sequence[str]) -> dict[str, Any]:
        """The JSON request for the vectors of ``texts``, which are queries if :attr:`is_query` is set."""

    def for_queries(self) -> Encoder:
        """The same encoder with :attr:`is_query` set."""
        other = copy(self)
        other.is_query = True
        return other

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Vectors in the order in which answers arrive.

        When one request fails after all its tries, no further one is sent, and the answers of those under way are still yielded.

        Raises:
            EncoderUnavailable: a request failed after all its tries.
        """
        stop = threading.Event()
        pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hardtack-encoder")
        places = [range(start, min(start + BATCH, len(texts))) for start in range(0, len(texts), BATCH)]
        under_way: dict[Future[NDArray[np.float64]], range] = {
            pool.submit(self._ask, [texts[place] for place in some], stop): some for some in places
        }
        failure: EncoderUnavailable | None = None
        try:
            for future in as_completed(under_way):
                some = under_way[future]
                try:
                    yield some, unit_float_rows(future.result(), len(some), self.dimension, f"'{self.name}'")
                except CancelledError:
                    continue
                except EncoderUnavailable as error:
                    failure = failure or error
                    stop.set()
                    for other in under_way:
                        other.cancel()
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
        if failure:
            raise failure

    def _ask(self, texts: Sequence[str], stop: threading.Event) -> NDArray[np.float64]:
        request = self.request_of([sent_form(text) for text in texts])
        return self._endpoint.ask(request, lambda answer: vectors_in(answer, len(texts)), stop)


def vectors_in(answer: bytes, count: int) -> NDArray[np.float64]:
    """The vectors in a service's answer, in the order of the texts, shape (count, dimension).

    Raises:
        BadAnswer: the answer is cut off, or does not hold exactly one vector for each text, all finite and of one length.
    """
    try:
        entries = json.loads(answer)["data"]
        found = {entry["index"]: entry["embedding"] for entry in entries}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadAnswer("sent what is no list of vectors, or only half of one") from error
    if len(entries) != count or any(type(index) is not int for index in found) or sorted(found) != list(range(count)):
        raise BadAnswer(f"sent vectors for {len(found)} of {count} texts, or for others than were asked")
    rows = [found[index] for index in range(count)]
    if not all(isinstance(row, list) and {int, float}.issuperset(map(type, row)) for row in rows) or len({*map(len, rows)}) != 1:
        raise BadAnswer("sent vectors that are no numbers, or not of one length")
    vectors = np.array(rows, dtype=np.float64)
    if not np.isfinite(vectors).all():
        raise BadAnswer("sent numbers that are not finite")
    return vectors
