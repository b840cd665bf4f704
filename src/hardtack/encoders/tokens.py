"""Tokens in order in, the place of one out: looked for where they lie, as a query has few, or in a dictionary, once many were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from operator import lt
from typing import Final

import numpy as np

_PATIENCE: Final = 1000
"""Tokens that are looked for one by one; so many take as long as placing all tokens of the default encoder."""

_END: Final = b"\n"


def placed(tokens: Iterable[str]) -> dict[str, int]:
    """Tokens with their places, in their order; of one that comes twice the last place."""
    return dict(zip(tokens, count(), strict=False))


def packed(tokens: Iterable[str]) -> bytes:
    """Distinct tokens, already in the order of their bytes, as :class:`OrderedTokens` reads them."""
    return b"".join(token.encode() + _END for token in tokens)


class OrderedTokens(Mapping[str, int]):
    """Distinct tokens, in the order of their bytes, with their places. Threads may share one."""

    def __init__(self, data: bytes) -> None:
        """Take the tokens that ``data`` holds in UTF-8, each ended by a line feed; used in place.

        Raises:
            ValueError: it holds something else. That tokens are out of order is only seen by :meth:`check`.
        """
        if not data.endswith(_END):
            raise ValueError("does not end with a line feed")
        data.decode()
        starts = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == _END[0]) + 1
        self._data = data
        self._starts = np.concatenate(([0], starts)).data  # gives plain integers
        self.longest = int(np.diff(starts, prepend=0).max()) - 1
        """Bytes of the longest; none has more characters."""
        self._patience = _PATIENCE

    def check(self) -> None:
        """See that every token is in its place.

        Raises:
            ValueError: they are not in order, or one is there twice.
        """
        tokens = self._data.split(_END)[:-1]
        if not all(map(lt, tokens, tokens[1:])):
            raise ValueError("is not in the order of its bytes, each token once")

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __iter__(self) -> Iterator[str]:
        return iter(self._data.decode().split("\n")[:-1])

    def __getitem__(self, token: str) -> int:
        place = self.get(token)
        if place is None:
            raise KeyError(token)
        return place

    def get(self, token: str, default: int | None = None) -> int | None:  # type: ignore[override]  # only ever asked for integers
        """The place of a token; ``default`` if it is none."""
        self._patience -= 1
        if self._patience < 0:
            self.get = placed(self).get  # type: ignore[method-assign, assignment]  # from now on without a step between
            return self.get(token, default)
        place = self._place_of(token.encode("utf-8", "surrogatepass"))
        return default if place is None else place

    def _place_of(self, wanted: bytes) -> int | None:
        data, starts = self._data, self._starts
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            token = data[starts[middle] : starts[middle + 1] - 1]
            if token == wanted:
                return middle
            if token < wanted:
                low = middle + 1
            else:
                high = middle
        return None
