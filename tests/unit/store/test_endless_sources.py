"""A source that never comes to an end is given up in a bounded time, and the next one is asked."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import socket
import threading
import time
from pathlib import Path

import pytest
from bad_server import BadServer, Exchange, Fault, answers, cut_after, endless, leads_to, trickling

from hardtack.errors import HardtackError, PolicyError, SourceError
from hardtack.store.sources.patience import Patience, Stopwatch
from hardtack.store.sources.requests import TransferLimits
from hardtack.store.sources.transfer import Transfer

DATA = hashlib.shake_256(b"a pack").digest(400_000)
DIGEST = "sha256:" + hashlib.sha256(DATA).hexdigest()
LIMIT = 10_000_000
QUICK = TransferLimits(
    connecting=2,
    window=1,
    least_speed=50,
    total=20,
    tries=3,
    first_backoff=0.01,
    longest_wait=0.3,
    grace=1.5,
    asking=3,
    most_requests=20,
)


def seconds_until_given_up(fault: Fault, place: Path, *, size: int | None = len(DATA)) -> tuple[float, str, int]:
    """How long a download lasts until it is given up so that another source is asked; what is said; the requests that it took."""
    started = time.monotonic()
    with BadServer(faults={"/pack": fault}) as server:
        with pytest.raises(HardtackError) as caught:
            Transfer(limits=QUICK).download(server.url + "/pack", place, limit=LIMIT, size=size, digest=DIGEST)
        assert not isinstance(caught.value, SourceError) or caught.value.is_temporary
        return time.monotonic() - started, str(caught.value), len(server.asked)


def part(exchange: Exchange, count: int, etag: str, *, total: int = len(DATA), chunked: bool = False) -> None:
    """So many bytes from where the request says, of a file of another ETag; then the connection breaks."""
    asked = exchange.headers.get("Range", "bytes=0-")[len("bytes=") : -1]
    start = int(asked)
    exchange.send_response(206 if "Range" in exchange.headers else 200)
    exchange.send_header("ETag", etag)
    if "Range" in exchange.headers:
        exchange.send_header("Content-Range", f"bytes {start}-{total - 1}/{total}")
    exchange.send_header("Content-Length", str(total - start))
    exchange.end_headers()
    exchange.wfile.write(DATA[start : start + count])
    exchange.cut()


def always_new(count: int) -> Fault:
    """Other bytes each time, as the ETag says."""
    numbers = itertools.count()
    return lambda exchange: part(exchange, count, f'"{next(numbers)}"')


def always_whole(count: int) -> Fault:
    """The whole file whatever was asked for, of which so many bytes come."""

    def answer(exchange: Exchange) -> None:
        del exchange.headers["Range"]
        part(exchange, count, "")

    return answer


def growing_restarts() -> Fault:
    """Other bytes each time, and more of them each time."""
    numbers = itertools.count(1)

    def answer(exchange: Exchange) -> None:
        number = next(numbers)
        del exchange.headers["Range"]
        part(exchange, 17_000 * number, f'"{number}"')

    return answer


def changing_length() -> Fault:
    numbers = itertools.count()
    return lambda exchange: part(exchange, 20_000, '"same"', total=len(DATA) + next(numbers))


def drip(piece: bytes, pause: float) -> Fault:
    def answer(exchange: Exchange) -> None:
        exchange.send_response(200)
        exchange.send_header("Content-Length", str(len(DATA)))
        exchange.end_headers()
        for _ in range(1_000):
            if exchange.server.stopped.wait(pause):
                return
            exchange.wfile.write(piece)

    return answer


def chunks_without_end(exchange: Exchange) -> None:
    exchange.send_response(200)
    exchange.send_header("Transfer-Encoding", "chunked")
    exchange.end_headers()
    while not exchange.server.stopped.wait(0.01):
        exchange.wfile.write(b"10\r\n" + bytes(16) + b"\r\n")


NEVER_DONE = {
    "other bytes each time": always_new(20_000),
    "other bytes each time, and few": always_new(10),
    "the whole again each time": always_whole(50_000),
    "other bytes, and more, each time": growing_restarts(),
    "another length each time": changing_length(),
    "a little more each time": cut_after(100),
    "17 KiB a second": drip(bytes(1_700), 0.1),
    "a byte at a time": drip(b"x", 0.02),
    "chunks": chunks_without_end,
    "a header byte by byte": trickling("header"),
    "nothing more of it": answers(416),
    "a wrong part": answers(206, DATA[:10], {"Content-Range": f"bytes 0-9/{len(DATA)}"}),
    "too many requests": answers(429),
    "come back tomorrow": answers(503, b"", {"Retry-After": "86400"}),
    "a bomb": answers(200, gzip.compress(bytes(1_000_000)), {"Content-Encoding": "gzip"}),
    "elsewhere": leads_to("/pack"),
}


@pytest.mark.parametrize("fault", NEVER_DONE.values(), ids=NEVER_DONE)
def test_a_download_without_end_is_given_up_so_that_the_next_source_is_asked(fault: Fault, tmp_path: Path) -> None:
    seconds, said, requests = seconds_until_given_up(fault, tmp_path / "p")
    assert seconds < 8, said
    assert requests <= QUICK.most_requests, said
    assert said.endswith(".")


def test_a_download_whose_size_nobody_knows_ends_too(tmp_path: Path) -> None:
    seconds, said, _ = seconds_until_given_up(drip(bytes(1_700), 0.1), tmp_path / "p", size=None)
    assert seconds < 8
    assert "32768 a second are waited for" in said


def test_many_small_steps_are_as_many_as_there_may_be_requests(tmp_path: Path) -> None:
    with (
        BadServer({"/pack": DATA}, faults={"/pack": cut_after(17_000)}) as server,
        pytest.raises(SourceError, match="broke off 20 times"),
    ):
        Transfer(limits=QUICK).download(server.url + "/pack", tmp_path / "p", limit=LIMIT, size=len(DATA), digest=DIGEST)
    assert len(server.asked) == 20


def test_a_slow_download_that_keeps_its_mean_arrives(tmp_path: Path) -> None:
    slow = TransferLimits(window=1, least_speed=50, tries=3, first_backoff=0.01, grace=0.2, least_mean=32 << 10)

    def steady(exchange: Exchange) -> None:
        exchange.send_response(200)
        exchange.send_header("Content-Length", str(len(DATA)))
        exchange.end_headers()
        for start in range(0, len(DATA), 20_000):
            exchange.wfile.write(DATA[start : start + 20_000])
            time.sleep(0.05)

    with BadServer(faults={"/pack": steady}) as server:
        Transfer(limits=slow).download(server.url + "/pack", tmp_path / "p", limit=LIMIT, size=len(DATA), digest=DIGEST)
    assert (tmp_path / "p").read_bytes() == DATA


def test_only_bytes_beyond_the_most_there_ever_were_are_progress() -> None:
    patience = Patience(had=0, size=None, grace=100, least_mean=1, most_requests=100)
    tries = []
    for size in (20_000, 10_000, 20_000, 40_000, 39_000):
        before = patience.highest
        patience.reached(size)
        tries.append(patience.failed(before, restarted=False))
    assert tries == [1, 2, 3, 1, 2]
    before = patience.highest
    patience.reached(90_000)
    assert patience.failed(before, restarted=True) == 3


def test_of_a_large_file_each_try_has_to_bring_a_share() -> None:
    patience = Patience(had=0, size=4 << 30, grace=100, least_mean=1, most_requests=100)
    patience.reached(1 << 20)
    patience.failed(0, restarted=False)
    assert patience.failed(0, restarted=False) == 2


# -- documents --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        drip(b"x" * 100, 0.1),
        trickling("header"),
        trickling("size"),
        answers(429),
        answers(503, b"", {"Retry-After": "86400"}),
        leads_to("/f1"),
        endless,
        chunks_without_end,
    ],
    ids=["a drip", "a header", "a chunk's size", "429", "tomorrow", "elsewhere", "endless", "chunks"],
)
def test_a_pointer_without_end_is_given_up(fault: Fault) -> None:
    started = time.monotonic()
    with BadServer(faults={"/f1": fault}) as server, pytest.raises((SourceError, PolicyError)) as caught:
        Transfer(limits=QUICK).get_json(server.url + "/f1", limit=1 << 16)
    assert time.monotonic() - started < 8
    assert not isinstance(caught.value, SourceError) or caught.value.is_temporary


def test_all_questions_together_have_their_time() -> None:
    """Each answer is slow and right; there are always more to ask for."""

    def slow(exchange: Exchange) -> None:
        time.sleep(0.4)
        exchange.send(404, b"")

    transfer = Transfer(limits=QUICK)
    started = time.monotonic()
    with BadServer() as server:
        server.every = slow
        with pytest.raises(SourceError, match="more than 3 seconds to answer") as caught:
            for number in range(100):
                transfer.get_json(f"{server.url}/{number}")
    assert caught.value.is_temporary
    assert time.monotonic() - started < 6


def test_questions_that_are_asked_at_once_take_their_time_once() -> None:
    watch = Stopwatch()

    def ask() -> None:
        with watch.running():
            time.sleep(0.2)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0.15 < watch.seconds < 1.2


def test_a_server_that_accepts_and_says_nothing_is_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started = time.monotonic()
        with pytest.raises(SourceError) as caught:
            Transfer(limits=QUICK).download(f"http://127.0.0.1:{silent.getsockname()[1]}/pack", tmp_path / "p", limit=LIMIT)
    assert caught.value.is_temporary
    assert time.monotonic() - started < 10
