"""Source files in, indexed files out, in the same order: the map stage of a build on the workers of a Dask cluster.

Batches are larger than on one machine, as each takes milliseconds of Dask. A bounded number of them is on its way: as many as would
occupy more workers than one building process can follow, few enough that its memory does not grow with the tree. A worker that dies
costs what it had, which another one does again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self
from uuid import uuid4

import msgpack

from hardtack.build.cluster import Calls, everywhere
from hardtack.build.source.secrets import path_without_secret
from hardtack.build.workers.executors import Analysed, analysed_of, batches
from hardtack.build.workers.site import analyse_batch, end_build
from hardtack.build.workers.slot import Reply
from hardtack.build.workers.worker import pack_file
from hardtack.errors import ClusterFailed
from hardtack.nouns.outline import SourceFile

if TYPE_CHECKING:
    from distributed import Client

_BATCH_BYTES: Final = 256 << 10
_BATCH_FILES: Final = 128
_BATCHES_AHEAD: Final = 64
_RETRIES: Final = 2
"""How often a batch is tried again that raises on a worker, which may be about to end."""


@dataclass(frozen=True, slots=True, eq=False)
class _Batch:
    """Files that were sent."""

    number: int
    files: list[SourceFile]
    messages: list[bytes]

    @property
    def name(self) -> str:
        """The batch, for a person."""
        first, last = (path_without_secret(self.files[at].path) for at in (0, -1))
        return first if len(self.files) == 1 else f"{len(self.files)} files from {first} to {last}"


class ClusterPool:
    """The workers of a cluster, for one build; a context manager, at whose end none of them is at work for it any more."""

    def __init__(self, client: Client, address: str, products: Mapping[str, bool]) -> None:
        """Start nothing yet.

        Args:
            client: from :func:`hardtack.build.cluster.connected`.
            address: of the cluster, for messages.
            products: what workers make, as :class:`hardtack.build.workers.processes.Workers` takes it.
        """
        self._client = client
        self._products = dict(products)
        self._build = uuid4().hex
        self._calls = Calls(client, address, analyse_batch, retries=_RETRIES)
        self._languages: set[str] = set()
        self._sent: deque[_Batch] = deque()
        self._arrived: dict[int, list[Reply]] = {}
        """Number -> replies, of batches that were done before an earlier one."""

    def map(self, files: Iterable[SourceFile], meanwhile: Callable[[], bool] = lambda: False) -> Iterator[Analysed | None]:
        """As :meth:`hardtack.build.workers.executors.Pool.map`.

        Raises:
            ClusterFailed: the cluster is lost, or a batch was not done, wherever it was tried.
        """
        for number, batch in enumerate(batches(files, _BATCH_BYTES, _BATCH_FILES)):
            self._send(_Batch(number, batch, [pack_file(file) for file in batch]))
            yield None
            if len(self._sent) > _BATCHES_AHEAD:
                yield from self._first(meanwhile)
        while self._sent:
            yield from self._first(meanwhile)

    def _send(self, batch: _Batch) -> None:
        self._languages.update(file.language for file in batch.files)
        self._sent.append(batch)
        packed = msgpack.packb(batch.messages)
        self._calls.start(batch.number, (self._build, self._products, sorted(self._languages), packed))

    def _first(self, meanwhile: Callable[[], bool]) -> Iterator[Analysed]:
        """The files of the first batch that was sent, once it is done."""
        batch = self._sent[0]
        while batch.number not in self._arrived:
            done = self._calls.next(0) if meanwhile() else self._calls.next()
            if done is not None:
                number, result = done
                self._arrived[number] = _replies_in(result, self._sent[number - batch.number])
        self._sent.popleft()
        yield from map(analysed_of, batch.files, batch.messages, self._arrived.pop(batch.number))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._calls.__exit__(kind, error, trace)
        everywhere(self._client, end_build, self._build)


def _replies_in(result: Any, batch: _Batch) -> list[Reply]:
    """What a worker says of a batch.

    Raises:
        ClusterFailed: it has not done it, or says nothing of the kind.
    """
    if isinstance(result, ClusterFailed):
        raise ClusterFailed(f"{batch.name} could not be analysed. {result}", hint=result.hint)
    try:
        replies = [Reply(*reply) for reply in msgpack.unpackb(result)]
    except (TypeError, ValueError):
        replies = []
    if len(replies) != len(batch.files) or not all(
        isinstance(each.message, bytes | None) and isinstance(each.crash, str) for each in replies
    ):
        raise ClusterFailed(f"A worker does not say what it found in {batch.name}.", hint="Run it again.")
    return replies
