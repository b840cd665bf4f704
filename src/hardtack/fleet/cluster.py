"""An address of a Dask cluster in, a client of it out, once every worker was found to run this very program.

The only module that knows Dask. TLS is that of Dask's own configuration: a ``tls://`` address takes the certificate and key that
``distributed.comm.tls`` names. A worker runs what it is sent, so whoever reaches a scheduler can run code on all workers;
``docs/scaling.md`` says how to close one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from hardtack.build.reuse.maker import difference, maker
from hardtack.errors import BuildError, MissingExtra, UsageError

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
    try:
        client = Client(address, timeout=_CONNECTING_SECONDS, set_as_default=False, security=Security())
    except OSError as error:  # it answered a moment ago
        raise _no_scheduler(address) from error
    try:
        check_workers(client, address)
        yield client
    finally:
        client.close(timeout=_CONNECTING_SECONDS)


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


def completed(
    client: Client, address: str, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]
) -> Iterator[tuple[int, Any]]:
    """Have the workers call a function with each tuple of arguments.

    Dask gives the calls of a worker that dies to another one, a few times. A worker that came later and runs another program makes
    no call.

    Args:
        client: from :func:`connected`.
        address: of the cluster, for messages.
        function: of a module that the workers have.
        calls: arguments, as plain values.

    Returns:
        (position in ``calls``, the result, or a :class:`BuildError` that says why there is none), as they are done.
    """
    arrived: SimpleQueue[Future[Any]] = SimpleQueue()
    ours = this_program()
    futures = client.map(partial(_call, function, ours), calls, pure=False, key=[f"hardtack-{uuid4()}" for _ in calls])
    positions = {future.key: position for position, future in enumerate(futures)}
    for future in futures:
        future.add_done_callback(arrived.put)
    without_workers = 0.0
    try:
        while positions:
            try:
                future = arrived.get(timeout=_LOOKS_EVERY)
            except Empty:
                without_workers = 0.0 if _has_workers(client) else without_workers + _LOOKS_EVERY
                if without_workers >= _WAITING_SECONDS:
                    hint = "Start some, and run it again."
                    lost = BuildError(f"No worker of the cluster at {address} was left for it.", hint=hint)
                    yield from [(position, lost) for position in positions.values()]
                    return
                continue
            if (position := positions.pop(future.key, None)) is not None:
                yield position, _result_of(future, address)
                future.release()
    finally:
        with suppress(OSError, RuntimeError):  # the scheduler is gone, and with it all calls
            client.cancel([future for future in futures if future.key in positions])


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
    except (OSError, RuntimeError):  # the scheduler does not answer, or is gone for good
        return False


def _result_of(future: Future[Any], address: str) -> Any:
    """The result of a call that is done, or a BuildError."""
    if future.cancelled():
        return BuildError(f"The cluster at {address} was lost before it was done.", hint="Start it, and run it again.")
    error = future.exception()
    if error is None:
        result = future.result()
        if isinstance(result, _Refused):
            hint = "Install the same versions everywhere, and run it again."
            return BuildError(f"A worker that came later has {result.found}, so it was not done there.", hint=hint)
        return result
    if type(error).__name__ == "KilledWorker":
        hint = "Look at the workers' own logs: their memory may be too small."
        return BuildError("Every worker that had it died; no further one was risked.", hint=hint)
    return BuildError(f"It broke down on a worker: {type(error).__name__}: {str(error)[:_SHOWN_TEXT]}.")
