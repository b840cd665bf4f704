"""An address of a Dask cluster in, a client of it out, once every worker was found to run this very program.

The only module that knows Dask. TLS is that of Dask's own configuration: a ``tls://`` address takes the certificate and key that
``distributed.comm.tls`` names. A worker runs what it is sent, so whoever reaches a scheduler can run code on all workers;
``docs/scaling.md`` says how to close one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self
from uuid import uuid4

from hardtack.build.reuse.maker import difference, maker
from hardtack.errors import BuildError, ClusterFailed, MissingExtra, UsageError

if TYPE_CHECKING:
    from distributed import Client, Future

_CONNECTING_SECONDS: Final = 30
"""The longest time until a scheduler has answered."""
_LOOKS_EVERY: Final = 2.0
"""Seconds without a result before it is looked whether there are workers."""
_WAITING_SECONDS: Final = 120.0
"""How long a cluster may have no workers before what is left is given up."""
_SHOWN_TEXT: Final = 300
"""Characters of an error of a worker that a message shows."""
_LOGS: Final = ("distributed", "distributed.client")
"""Dask's loggers that write to standard error."""
_FETCHING_SECONDS: Final = 30.0
"""The longest time until the result of a call that is done has arrived."""
_CALLS_AT_ONCE: Final = 4096
"""Calls of :func:`completed` that the scheduler has at a time: more than a cluster has threads, few enough for its memory."""


@cache
def this_program() -> Mapping[str, str]:
    """What decides the bytes of a bundle in this process, and Dask: a name -> its version."""
    return {**maker(), "distributed": version("distributed")}


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """A client of the cluster at ``address``, whose workers all run this program.

    Args:
        address: of the scheduler: ``tcp://host:port``, ``tls://host:port``, ``host:port``.

    Raises:
        MissingExtra: Dask is not installed.
        UsageError: there is no such address.
        BuildError: nobody answers there, there are no workers, or a worker differs from this process.
    """
    try:
        from distributed import Client, Security
    except ImportError as error:
        raise MissingExtra("A cluster", "dask") from error
    _check_scheduler(address)
    with _silent():
        try:
            new = partial(Client, address, timeout=_CONNECTING_SECONDS, set_as_default=False, security=Security())
            try:
                client = new()
            except AssertionError:  # a worker came in the same moment: Dask expects one message, and there are two
                client = new()
        except OSError as error:  # it answered a moment ago
            raise _no_scheduler(address) from error
        try:
            check_workers(client, address)
            yield client
        finally:
            client.close(timeout=_CONNECTING_SECONDS)


@contextmanager
def _silent() -> Iterator[None]:
    """Keep Dask's log off standard error: what it says of lost workers is mended, and of a lost cluster told as an error."""
    logs = [logging.getLogger(name) for name in _LOGS]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


def _check_scheduler(address: str) -> None:
    """Connect to the scheduler and leave again, with neither a client nor a thread.

    A client that fails leaves the thread of its event loop behind. If the address is malformed, it is not closed either: the
    garbage collector closes it later, maybe in the thread that starts the next client's loop, and there it waits for a lock that
    the start of that loop holds.

    Raises:
        UsageError: there is no such address, or Dask's configuration does not allow it.
        BuildError: nobody answers there.
    """
    from distributed import Security
    from distributed.comm.core import connect

    try:
        arguments = Security().get_connection_args("client")
    except OSError as error:
        hint = "Set distributed.comm.tls as docs/scaling.md says."
        raise UsageError(
            f"The certificates that Dask's configuration names cannot be read: {error.strerror}.", hint=hint
        ) from error

    async def connect_once() -> None:
        connection = await connect(address, timeout=_CONNECTING_SECONDS, **arguments)
        await connection.close()

    try:
        asyncio.run(connect_once())
    except ValueError as error:
        raise UsageError(f"{address!r} is no address of a scheduler.", hint="Write it like tcp://host:8786") from error
    except TypeError as error:  # of a TLS address without a certificate
        hint = "Set distributed.comm.tls as docs/scaling.md says."
        raise UsageError(f"{address} wants a certificate, and Dask's configuration names none.", hint=hint) from error
    except RuntimeError as error:  # of what Dask's configuration forbids
        hint = "Name a scheduler that has a certificate: tls://host:8786"
        raise UsageError(f"{address} is not encrypted, and Dask's configuration demands that.", hint=hint) from error
    except OSError as error:  # of a timeout, too
        raise _no_scheduler(address) from error


def _no_scheduler(address: str) -> BuildError:
    hint = "Start it with: dask scheduler; and workers with: dask worker ADDRESS"
    return BuildError(f"No scheduler of a Dask cluster answers at {address}.", hint=hint)


def check_workers(client: Client, address: str) -> None:
    """Compare what each worker runs with this process.

    Raises:
        BuildError: there is no worker, one does not answer, or one differs.
    """
    hint = "Install the same versions everywhere; an image for all workers and the caller is the simplest way."
    ours = this_program()
    said: dict[str, Any] = client.run(this_program, on_error="return")
    if not said:
        raise BuildError(f"The cluster at {address} has no workers.", hint=f"Start some with: dask worker {address}")
    for worker, theirs in sorted(said.items()):
        if isinstance(theirs, ImportError):
            raise BuildError(f"The worker {worker} lacks Hardtack or a part of it: {theirs}.", hint=hint)
        if not isinstance(theirs, dict):
            raise BuildError(f"The worker {worker} does not say what it runs: {type(theirs).__name__}.", hint=hint)
        if found := difference(theirs, ours):
            raise BuildError(f"The worker {worker} has {found}, so nothing was started.", hint=hint)


class Calls:
    """Calls that the workers make of one function; a context manager, at whose end those that are not done are cancelled.

    Dask gives the calls of a worker that dies to another one, a few times. A worker that came later and runs another program makes
    no call.
    """

    def __init__(self, client: Client, address: str, function: Callable[..., Any], *, retries: int = 0) -> None:
        """Start nothing yet.

        Args:
            client: from :func:`connected`.
            address: of the cluster, for messages.
            function: of a module that the workers have.
            retries: how often a call that raises is made again, if possible elsewhere.
        """
        self._client = client
        self._address = address
        self._call = partial(_call, function, this_program())
        self._retries = retries
        self._arrived: SimpleQueue[Future[Any]] = SimpleQueue()
        self._started: dict[str, tuple[int, Future[Any] | None]] = {}
        self._lost: ClusterFailed | None = None
        """Why there is nothing to be waited for any more."""
        self._looked = self._seen = time.monotonic()
        """When something was done last, or it was looked whether there are workers; when there were some last."""

    def __len__(self) -> int:
        """How many were started and not yet given by :meth:`next`."""
        return len(self._started)

    def start(self, number: int, arguments: tuple[Any, ...]) -> None:
        """Start a call.

        Args:
            number: by which :meth:`next` names it.
            arguments: plain values.
        """
        key, future = f"hardtack-{uuid4()}", None
        if self._lost is None:
            try:
                future = self._client.submit(self._call, arguments, key=key, pure=False, retries=self._retries)
            except _gone():  # the scheduler is gone for good
                self._lost = _lost(self._address)
        self._started[key] = (number, future)
        if future is not None:
            future.add_done_callback(self._arrived.put)

    def next(self, seconds: float = _LOOKS_EVERY) -> tuple[int, Any] | None:
        """Wait for a call that is done, whichever is first.

        Args:
            seconds: the longest time to wait.

        Returns:
            (its number, the result, or a :class:`ClusterFailed` that says why there is none); None if none was done in that time.
        """
        if self._lost is not None and self._started:
            return self._started.popitem()[1][0], self._lost
        try:
            future = self._arrived.get(timeout=seconds)
        except Empty:
            self._look_for_workers()
            return None
        self._looked = self._seen = time.monotonic()
        try:
            result = self._result_of(future)
        except TimeoutError:
            future.add_done_callback(self._arrived.put)
            return None
        number, _ = self._started.pop(str(future.key))
        future.release()
        return number, result

    def _look_for_workers(self) -> None:
        now = time.monotonic()
        if now - self._looked < _LOOKS_EVERY:
            return
        self._looked = now
        if _has_workers(self._client):
            self._seen = now
        elif now - self._seen >= _WAITING_SECONDS:
            hint = "Start some, and run it again."
            self._lost = ClusterFailed(f"No worker of the cluster at {self._address} was left for it.", hint=hint)
            self._cancel()

    def _result_of(self, future: Future[Any]) -> Any:
        """The result of a call that is done, or a :class:`ClusterFailed`.

        Raises:
            TimeoutError: it has not arrived, maybe as the worker that had it is gone, and another one makes it again.
        """
        if future.status == "error":
            return _failure_of(future.exception())
        try:
            result = future.result(timeout=_FETCHING_SECONDS)
        except TimeoutError:
            raise
        except _gone():
            self._lost = _lost(self._address)
            return self._lost
        if isinstance(result, _Refused):
            hint = "Install the same versions everywhere, and run it again."
            return ClusterFailed(f"A worker that came later has {result.found}, so it was not done there.", hint=hint)
        return result

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._cancel()

    def _cancel(self) -> None:
        with suppress(*_gone()):  # the scheduler is gone, and with it all calls
            self._client.cancel([future for _, future in self._started.values() if future is not None])


def completed(
    client: Client, address: str, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
) -> Iterator[tuple[int, Any]]:
    """Have the workers call a function with each tuple of arguments.

    Args:
        client: from :func:`connected`.
        address: of the cluster, for messages.
        function: of a module that the workers have.
        calls: arguments, as plain values; taken as others are done, so that there may be any number.

    Returns:
        (position in ``calls``, the result, or a :class:`ClusterFailed` that says why there is none), as they are done.
    """
    with Calls(client, address, function) as started:
        for position, arguments in enumerate(calls):
            while len(started) >= _CALLS_AT_ONCE:
                yield from _next(started)
            started.start(position, arguments)
        while len(started):
            yield from _next(started)


def _next(calls: Calls) -> Iterator[tuple[int, Any]]:
    done = calls.next()
    if done is not None:
        yield done


def everywhere(client: Client, function: Callable[..., None], *arguments: Any) -> None:
    """Have every worker that can be reached call a function; nothing is said of those that cannot."""
    if client.status == "running":
        with suppress(*_gone()):
            client.run(function, *arguments, on_error="ignore")


def _call(function: Callable[..., Any], program: Mapping[str, str], arguments: tuple[Any, ...]) -> Any:
    """On a worker: the result, or, as a text, in what this worker differs."""
    if found := difference(this_program(), program):
        return _Refused(found)
    return function(*arguments)


@dataclass(frozen=True, slots=True)
class _Refused:
    """A worker that runs another program."""

    found: str


def _has_workers(client: Client) -> bool:
    try:
        return bool(client.nthreads())
    except _gone():
        return False


@cache
def _gone() -> tuple[type[Exception], ...]:
    """What Dask raises once the scheduler is gone for good."""
    from distributed.client import ClosedClientError

    return CancelledError, ClosedClientError, OSError, RuntimeError


def _lost(address: str) -> ClusterFailed:
    return ClusterFailed(f"The cluster at {address} was lost before it was done.", hint="Start it, and run it again.")


def _failure_of(error: object) -> ClusterFailed:
    """Why a call that raised an error has no result."""
    if type(error).__name__ == "KilledWorker":
        hint = "Look at the workers' own logs: their memory may be too small."
        return ClusterFailed("Every worker that had it died; no further one was risked.", hint=hint)
    said = str(error)[:_SHOWN_TEXT]
    return ClusterFailed(f"It broke down on a worker: {type(error).__name__}: {said}{'' if said.endswith('.') else '.'}")
