"""HTTP for sources, against servers that misbehave."""

from __future__ import annotations

import errno
import fcntl
import gzip
import hashlib
import json
import os
import threading
import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from bad_server import BadServer, Exchange, answers, cut_after, endless, etag_of, first, leads_to, trickling

from hardtack.errors import FormatError, HardtackError, IntegrityError, PolicyError, SourceError, UsageError
from hardtack.store.sources.connections import Pools, Refused
from hardtack.store.sources.requests import Requests, TransferLimits, Upload, parts_of
from hardtack.store.sources.transfer import Transfer

DATA = hashlib.shake_256(b"a pack").digest(1_000_000)
DIGEST = "sha256:" + hashlib.sha256(DATA).hexdigest()
LIMIT = 10_000_000
QUICK = TransferLimits(connecting=2, window=0.3, least_speed=1000, total=5, tries=3, first_backoff=0.01, longest_wait=0.3)
TOKEN = "-".join(("not", "a", "real", "token"))


def transfer(**named: object) -> Transfer:
    return Transfer(**{"limits": QUICK, **named})  # type: ignore[arg-type]


def fetched(url: str, place: Path, **named: object) -> bytes:
    transfer().download(url, place, **{"limit": LIMIT, "digest": DIGEST, "size": len(DATA), **named})  # type: ignore[arg-type]
    return place.read_bytes()


# -- downloads ----------------------------------------------------------------------------------------------------------------


def test_a_file_arrives_whole_and_says_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    with BadServer({"/pack": DATA}) as server:
        found = transfer().download(server.url + "/pack", tmp_path / "p", limit=LIMIT, progress=lambda *far: told.append(far))
    assert DIGEST == found
    assert DATA == (tmp_path / "p").read_bytes()
    assert (len(DATA), len(DATA)) == told[-1]
    assert sorted(told) == told


def test_a_connection_that_is_cut_every_64_kb_is_gone_on_from(tmp_path: Path) -> None:
    with BadServer({"/pack": DATA}, faults={"/pack": cut_after(1 << 16)}) as server:
        assert DATA == fetched(server.url + "/pack", tmp_path / "p")
        ranges = [headers.get("range", "") for _, headers in server.asked]
        conditions = {headers.get("if-range") for _, headers in server.asked[1:]}
    assert ["", *(f"bytes={number << 16}-" for number in range(1, 16))] == ranges
    assert {etag_of(DATA)} == conditions


def test_a_connection_that_is_cut_at_once_each_time_is_given_up(tmp_path: Path) -> None:
    with BadServer({"/pack": DATA}, faults={"/pack": cut_after(100)}) as server:
        with pytest.raises(SourceError, match="broke the connection off, at the last of 3 tries") as caught:
            fetched(server.url + "/pack", tmp_path / "p")
        assert 3 == len(server.asked)
    assert caught.value.is_temporary


def test_what_a_download_left_is_gone_on_from_by_the_next(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(DATA[:600_000])
    with BadServer({"/pack": DATA}) as server:
        assert DATA == fetched(server.url + "/pack", tmp_path / "p")
        assert ["bytes=600000-"] == [headers["range"] for _, headers in server.asked]


def test_what_lies_there_whole_is_not_fetched_again(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(DATA)
    with BadServer({"/pack": DATA}) as server:
        assert DATA == fetched(server.url + "/pack", tmp_path / "p")
        assert [] == server.asked


@pytest.mark.parametrize("left", [b"other bytes" * 1000, bytes(len(DATA)), bytes(2 * len(DATA))], ids=["start", "whole", "longer"])
def test_what_lies_there_and_is_wrong_is_fetched_anew(tmp_path: Path, left: bytes) -> None:
    (tmp_path / "p").write_bytes(left)
    with BadServer({"/pack": DATA}) as server:
        assert DATA == fetched(server.url + "/pack", tmp_path / "p")


def test_a_server_that_ignores_ranges_is_taken_from_the_start(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(DATA[:600_000])
    with BadServer(faults={"/pack": answers(200, DATA)}) as server:
        assert DATA == fetched(server.url + "/pack", tmp_path / "p")
        assert 1 == len(server.asked)


def test_a_file_that_changes_while_it_is_gone_on_from_is_taken_from_the_start(tmp_path: Path) -> None:
    old = bytes(len(DATA))

    def changing(exchange: Exchange) -> None:
        cut_after(1 << 16)(exchange)
        exchange.server.files["/pack"] = DATA
        exchange.server.faults.clear()

    with BadServer({"/pack": old}, faults={"/pack": changing}) as server:
        assert DATA == fetched(server.url + "/pack", tmp_path / "p")
        assert ["", "bytes=65536-"] == [headers.get("range", "") for _, headers in server.asked]


def test_a_part_of_another_version_is_not_taken_for_the_rest(tmp_path: Path) -> None:
    """A server without If-Range that sends a part of another file, and says so."""

    def other_part(exchange: Exchange) -> None:
        if "Range" in exchange.headers:
            headers = {"Content-Range": f"bytes 65536-{len(DATA) - 1}/{len(DATA)}", "ETag": '"other"'}
            exchange.send(206, bytes(len(DATA) - 65536), headers)
        else:
            exchange.answer_well()

    with BadServer({"/pack": DATA}, faults={"/pack": first(1, cut_after(1 << 16))}) as server:
        good = server.faults["/pack"]
        server.faults["/pack"] = lambda exchange: (other_part if "Range" in exchange.headers else good)(exchange)
        assert DATA == fetched(server.url + "/pack", tmp_path / "p")


@pytest.mark.parametrize(
    "said",
    ["bytes 0-9/1000000", "bytes 600000-999999/2000000", "bytes 600000-999998/1000000", "bytes */1000000", "nonsense", ""],
)
def test_a_part_that_was_not_asked_for_is_not_written(tmp_path: Path, said: str) -> None:
    (tmp_path / "p").write_bytes(DATA[:600_000])

    def part(exchange: Exchange) -> None:
        exchange.send(206, bytes(400_000), {"Content-Range": said})

    with BadServer({"/pack": DATA}, faults={"/pack": first(1, part)}) as server:
        assert DATA == fetched(server.url + "/pack", tmp_path / "p")


def test_pieces_that_do_not_make_the_whole_are_fetched_once_more_in_one(tmp_path: Path) -> None:
    """A server that sends other bytes when a download is resumed."""

    def wrong_part(exchange: Exchange) -> None:
        if start := exchange.headers.get("Range", "")[len("bytes=") : -1]:
            rest = len(DATA) - int(start)
            exchange.send(206, bytes(rest), {"Content-Range": f"bytes {start}-{len(DATA) - 1}/{len(DATA)}"})
        else:
            exchange.answer_well()

    (tmp_path / "p").write_bytes(DATA[:600_000])
    with BadServer({"/pack": DATA}, faults={"/pack": wrong_part}) as server:
        assert DATA == fetched(server.url + "/pack", tmp_path / "p")
        assert 2 == len(server.asked)


def test_without_a_digest_what_lies_there_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(bytes(600_000))
    with BadServer({"/pack": DATA}) as server:
        assert DATA == fetched(server.url + "/pack", tmp_path / "p", digest="", size=None)


def test_other_bytes_than_were_promised_leave_nothing(tmp_path: Path) -> None:
    with (
        BadServer({"/pack": bytes(len(DATA))}) as server,
        pytest.raises(IntegrityError, match="gave other bytes than"),
    ):
        fetched(server.url + "/pack", tmp_path / "p")
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("length", [len(DATA) - 1, len(DATA) + 1])
def test_another_length_than_was_promised_is_refused_before_it_is_read(tmp_path: Path, length: int) -> None:
    with BadServer({"/pack": bytes(length)}) as server, pytest.raises(IntegrityError, match=f"has {length} bytes where 1000000"):
        fetched(server.url + "/pack", tmp_path / "p")
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("size", [len(DATA), None], ids=["size known", "size unknown"])
def test_a_body_without_end_is_cut_off(tmp_path: Path, size: int | None) -> None:
    with BadServer(faults={"/pack": endless}) as server, pytest.raises(PolicyError, match="gives more than the"):
        fetched(server.url + "/pack", tmp_path / "p", size=size, limit=2_000_000)
    assert [] == list(tmp_path.iterdir())


def test_more_than_is_taken_is_refused_before_it_is_read(tmp_path: Path) -> None:
    said = {"Content-Length": str(1 << 40)}
    with BadServer(faults={"/pack": answers(200, b"x", said)}) as server, pytest.raises(PolicyError, match="1099511627776 bytes"):
        fetched(server.url + "/pack", tmp_path / "p", size=None)
    with pytest.raises(PolicyError, match="at most"):
        fetched("http://127.0.0.1:1/pack", tmp_path / "q", size=LIMIT + 1)


@pytest.mark.parametrize("size", [len(DATA), None], ids=["size known", "size unknown"])
def test_a_body_that_would_inflate_is_refused(tmp_path: Path, size: int | None) -> None:
    bomb = gzip.compress(bytes(10_000_000))
    with BadServer(faults={"/pack": answers(200, bomb, {"Content-Encoding": "gzip"})}) as server:
        with pytest.raises(SourceError, match="coding that was not asked for"):
            fetched(server.url + "/pack", tmp_path / "p", size=size)
        with pytest.raises(SourceError, match="coding that was not asked for"):
            transfer().get_json(server.url + "/pack")
        assert {"identity"} == {headers["accept-encoding"] for _, headers in server.asked}


@pytest.mark.parametrize("where", ["header", "body", "size"])
def test_a_byte_now_and_then_is_not_waited_for(tmp_path: Path, where: str) -> None:
    with BadServer(faults={"/pack": trickling(where)}) as server:
        with pytest.raises(SourceError, match="is too slow"):
            fetched(server.url + "/pack", tmp_path / "p", size=None)
        with pytest.raises(SourceError, match="is too slow"):
            transfer().ask("GET", server.url + "/pack")


def test_what_takes_too_long_in_all_is_ended(tmp_path: Path) -> None:
    def steady(exchange: Exchange) -> None:
        exchange.send_response(200)
        exchange.send_header("Content-Length", str(len(DATA)))
        exchange.end_headers()
        try:
            while not exchange.server.stopped.wait(0.05):
                exchange.wfile.write(bytes(1000))
        except OSError:
            exchange.close_connection = True

    hurried = Transfer(limits=TransferLimits(window=0.2, least_speed=100, total=0.6, tries=1))
    with BadServer(faults={"/pack": steady}) as server, pytest.raises(SourceError, match="takes too long"):
        hurried.download(server.url + "/pack", tmp_path / "p", limit=LIMIT)


def test_two_downloads_do_not_write_one_file(tmp_path: Path) -> None:
    release, begun = threading.Event(), threading.Event()

    def held(exchange: Exchange) -> None:
        begun.set()
        release.wait(10)
        exchange.answer_well()

    with BadServer({"/pack": DATA}, faults={"/pack": held}) as server:
        slow = Transfer()
        thread = threading.Thread(target=slow.download, args=(server.url + "/pack", tmp_path / "p"), kwargs={"limit": LIMIT})
        thread.start()
        begun.wait(10)
        with pytest.raises(SourceError, match="being written by another process"):
            fetched(server.url + "/pack", tmp_path / "p")
        release.set()
        thread.join()
    assert DATA == (tmp_path / "p").read_bytes()


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_file_system_without_locks_is_written_to_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def refuse(descriptor: int, how: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with BadServer({"/pack": DATA}) as server:
        assert DATA == fetched(server.url + "/pack", tmp_path / "p")


def test_a_place_that_is_no_file_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "fifo"):
        with pytest.raises(SourceError):
            fetched("http://127.0.0.1:1/pack", tmp_path / name)
    assert not (tmp_path / "elsewhere").exists()


# -- limits -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_what_fails_for_now_is_asked_again(status: int) -> None:
    with BadServer({"/it": b"{}"}, faults={"/it": first(2, answers(status, b"later"))}) as server:
        assert {} == transfer().get_json(server.url + "/it")
        assert 3 == len(server.asked)


@pytest.mark.parametrize("said", ["0.1", "soon", "-5", "", "Sat, 99 Foo 2999", "\xff"])
def test_what_a_server_says_of_waiting_and_cannot_mean_is_passed_over(said: str) -> None:
    with BadServer({"/it": b"{}"}, faults={"/it": first(1, answers(429, b"", {"Retry-After": said}))}) as server:
        started = time.monotonic()
        assert {} == transfer().get_json(server.url + "/it")
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "said", ["1000000000", "9" * 400, formatdate(time.time() + 10**8, usegmt=True)], ids=["seconds", "more", "date"]
)
def test_a_server_that_wants_to_be_left_alone_for_long_is_given_up_at_once(said: str) -> None:
    with BadServer(faults={"/it": answers(429, b"", {"Retry-After": said})}) as server:
        with pytest.raises(SourceError, match="wants to be left alone for") as caught:
            transfer().get_json(server.url + "/it")
        assert 1 == len(server.asked)
    assert caught.value.is_temporary


def test_a_server_is_left_alone_for_as_long_as_it_asks() -> None:
    patient = Transfer(limits=TransferLimits(tries=2, first_backoff=0.001, longest_wait=2))
    with BadServer({"/it": b"{}"}, faults={"/it": first(1, answers(503, b"", {"Retry-After": "1"}))}) as server:
        started = time.monotonic()
        assert {} == patient.get_json(server.url + "/it")
    assert time.monotonic() - started >= 1


def test_a_used_up_rate_is_waited_for_or_given_up() -> None:
    used_up = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) + 3000)}
    with (
        BadServer(faults={"/it": answers(403, b"", used_up)}) as server,
        pytest.raises(SourceError, match="fewer requests"),
    ):
        transfer().get_json(server.url + "/it")


@pytest.mark.parametrize("said", ["nan", "inf", "-inf", "1e400", "soon", "", "9" * 400, "1_000"])
def test_a_time_that_a_used_up_rate_cannot_mean_is_passed_over(said: str) -> None:
    used_up = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": said}
    with BadServer({"/it": b"{}"}, faults={"/it": first(1, answers(429, b"", used_up))}) as server:
        assert {} == transfer().get_json(server.url + "/it")


def test_an_upload_is_sent_again_only_if_it_was_not_taken() -> None:
    with BadServer() as server:
        taken: list[bytes] = []

        def post(exchange: Exchange) -> None:
            taken.append(exchange.rfile.read(int(exchange.headers["Content-Length"])))
            exchange.send(201 if len(taken) == 2 else 503, b"", {"Retry-After": "0"})

        server.RequestHandlerClass.do_POST = post  # type: ignore[attr-defined]
        try:
            assert 201 == transfer().ask("POST", server.url + "/it", body=b"content").status
            assert [b"content", b"content"] == taken
            server.RequestHandlerClass.do_POST = lambda exchange: (taken.append(b"cut"), exchange.cut())  # type: ignore[attr-defined]
            with pytest.raises(SourceError, match="broke the connection off"):
                transfer().ask("POST", server.url + "/it", body=b"content")
            assert [b"cut"] == taken[2:]
        finally:
            del server.RequestHandlerClass.do_POST  # type: ignore[attr-defined]


def test_a_file_is_uploaded_as_it_is_and_its_progress_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(DATA)
    told: list[tuple[int, int | None]] = []
    taken: list[bytes] = []
    with BadServer() as server, (tmp_path / "file").open("rb") as file:

        def put(exchange: Exchange) -> None:
            taken.append(exchange.rfile.read(int(exchange.headers["Content-Length"])))
            exchange.send(201, b"")

        server.RequestHandlerClass.do_PUT = put  # type: ignore[attr-defined]
        try:
            upload = Upload(file=file, size=len(DATA), progress=lambda *far: told.append(far))
            transfer().ask("PUT", server.url + "/it", body=upload)
        finally:
            del server.RequestHandlerClass.do_PUT  # type: ignore[attr-defined]
    assert [DATA] == taken
    assert (len(DATA), len(DATA)) == told[-1]


def test_a_host_that_is_not_there_may_be_there_later() -> None:
    with BadServer() as server:
        url = server.url
    with pytest.raises(SourceError, match="cannot be reached") as caught:
        transfer().get_json(url + "/it")
    assert caught.value.is_temporary


# -- documents ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
def test_what_is_not_there_is_none(status: int) -> None:
    with BadServer(faults={"/it": answers(status)}) as server:
        assert transfer().get_json(server.url + "/it") is None


@pytest.mark.parametrize(
    ("status", "code"), [(401, "SOURCE_UNAUTHORIZED"), (403, "SOURCE_DENIED"), (418, "SOURCE_FAILED"), (204, "SOURCE_FAILED")]
)
def test_an_answer_that_another_try_will_not_change_is_final(status: int, code: str) -> None:
    with BadServer(faults={"/it": answers(status)}) as server:
        with pytest.raises(SourceError) as caught:
            transfer().get_json(server.url + "/it")
        assert 1 == len(server.asked)
    assert code == caught.value.code
    assert (status not in (401, 403)) == caught.value.is_temporary  # of another source


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"a": 1, "a": 2}', "key twice"),
        (b"[" * 1_000_000, "nested too deeply"),
        (b'{"a":' * 400_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too long"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b"[]", "no JSON object"),
        (b"<html>", "not JSON"),
        (b"", "not JSON"),
    ],
    ids=["doubled key", "deep list", "deep object", "long number", "large number", "NaN", "not UTF-8", "list", "html", "empty"],
)
def test_a_document_that_cannot_be_meant_is_one_error(body: bytes, why: str) -> None:
    with BadServer({"/it": body}) as server, pytest.raises(FormatError, match=why):
        transfer().get_json(server.url + "/it", limit=10_000_000)


def test_a_document_of_100_mb_is_not_read() -> None:
    with BadServer(faults={"/it": endless}) as server, pytest.raises(PolicyError, match="larger than the 65536 bytes"):
        transfer().get_json(server.url + "/it", limit=1 << 16)


# -- redirects and tokens -----------------------------------------------------------------------------------------------------


def test_a_token_goes_to_its_host_and_to_no_other() -> None:
    with BadServer({"/it": b"{}"}) as other, BadServer(faults={"/it": leads_to(other.url + "/it")}) as named:
        holder = transfer(tokens={named.url + "/whatever": TOKEN})
        assert {} == holder.get_json(named.url + "/it")
        assert {} == holder.get_json(other.url + "/it")
        assert [f"Bearer {TOKEN}"] == [headers.get("authorization") for _, headers in named.asked]
        assert [None, None] == [headers.get("authorization") for _, headers in other.asked]


def test_a_token_comes_back_with_a_redirect_that_leads_back() -> None:
    with BadServer({"/end": b"{}"}) as named, BadServer(faults={"/there": leads_to(named.url + "/end")}) as other:
        named.faults["/it"] = leads_to(other.url + "/there")
        assert {} == transfer(tokens={named.url: TOKEN}).get_json(named.url + "/it")
        assert [f"Bearer {TOKEN}"] * 2 == [headers.get("authorization") for _, headers in named.asked]
        assert [None] == [headers.get("authorization") for _, headers in other.asked]


def test_a_token_is_in_no_message() -> None:
    with BadServer(faults={"/it": answers(401, TOKEN.encode())}) as server:
        holder = transfer(tokens={server.url: TOKEN})
        with pytest.raises(SourceError) as caught:
            holder.get_json(server.url + f"/it?signature={TOKEN}")
        reply = holder.ask("GET", server.url + f"/it?signature={TOKEN}")
    assert TOKEN not in f"{caught.value}{caught.value.hint}{holder!r}{reply!r}"


def test_a_token_is_not_sent_unencrypted_to_another_machine() -> None:
    with pytest.raises(UsageError, match="sent unencrypted"):
        transfer(tokens={"http://bundles.example.org": TOKEN})
    with pytest.raises(UsageError, match="characters that no token has"):
        transfer(tokens={"https://bundles.example.org": "two\r\nlines"})


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "ftp://127.0.0.1/it",
        "gopher://127.0.0.1/it",
        "data:application/json,{}",
        "http://user:password@127.0.0.1/it",
        "http://[::1",
        "http://127.0.0.1:99999/",
        "\\\\host\\share",
    ],
)
def test_a_redirect_out_of_the_web_is_refused(location: str, tmp_path: Path) -> None:
    with BadServer(faults={"/it": leads_to(location)}) as server:
        with pytest.raises(PolicyError, match="no plain http or https address"):
            transfer().get_json(server.url + "/it")
        with pytest.raises(PolicyError, match="no plain http or https address"):
            fetched(server.url + "/it", tmp_path / "p")
    assert not (tmp_path / "p").exists() or b"" == (tmp_path / "p").read_bytes()


@pytest.mark.parametrize(
    "host",
    ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "100.100.100.200", "[fd00:ec2::254]", "0.0.0.0"],
)
def test_a_redirect_to_the_neighbourhood_of_the_machine_is_refused(host: str) -> None:
    with BadServer(faults={"/it": leads_to(f"http://{host}/latest/meta-data")}) as server:
        with pytest.raises(PolicyError, match="nothing is fetched from there"):
            transfer().get_json(server.url + "/it")
        assert 1 == len(server.asked)


def test_a_name_of_a_forbidden_address_is_refused_once_it_is_looked_up() -> None:
    """``localhost`` takes the role of a host name in the user's own network, whose address is only known on connecting."""
    with BadServer({"/it": b"{}"}) as server:
        address = server.url.replace("127.0.0.1", "localhost") + "/it"
        assert {} == transfer().get_json(address)
        with pytest.raises(PolicyError, match="nothing is fetched from there"):
            transfer(is_confined=True).get_json(address)
        assert 1 == len(server.asked)
        with pytest.raises(Refused):
            Pools(proxies={}, is_confined=True, allows_loopback=False).for_host(parts_of(server.url))


PRIVATE = ["10.0.0.1", "172.16.9.1", "192.168.1.5", "100.64.0.1", "[fc00::1]", "[fd12::1]", "[::ffff:10.0.0.1]"]


@pytest.mark.parametrize("host", PRIVATE)
def test_a_private_network_is_reached_by_its_own_users_word_alone(host: str) -> None:
    url = f"https://{host}/it"
    with pytest.raises(PolicyError, match="nothing is fetched from there"):
        transfer(is_confined=True).get_json(url)
    named: dict[str, Any] = {"tokens": {}, "limits": QUICK, "proxies": {}}
    with pytest.raises(Refused):
        Requests(**named, is_confined=True)._far.for_host(parts_of(url))
    theirs = Requests(**named, is_confined=False)
    for pools in (theirs._named, theirs._far):  # a company's server may redirect to another
        assert pools.for_host(parts_of(url))


def test_a_redirect_from_https_to_http_is_refused() -> None:
    from hardtack.store.sources.requests import _redirected

    with pytest.raises(PolicyError, match="from https to http"):
        _redirected(parts_of("https://bundles.example.org/it"), "http://bundles.example.org/it")
    assert "https" == _redirected(parts_of("http://bundles.example.org/it"), "https://bundles.example.org/it").scheme


def test_redirects_end() -> None:
    with BadServer(faults={"/it": leads_to("/it")}) as server:
        with pytest.raises(SourceError, match="redirects without end"):
            transfer().get_json(server.url + "/it")
        assert 6 == len(server.asked)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://h/x", "http://", "https://user@h/x", "http://h:0/", "http://h/a b", "http://h/\x00", "x"]
)
def test_what_is_no_plain_address_is_not_asked(url: str) -> None:
    with pytest.raises(UsageError):
        transfer().get_json(url)


def test_requests_share_connections() -> None:
    """A search sends dozens of requests to one server."""
    with BadServer({"/it": b"{}"}) as server:
        ports: list[int] = []
        server.every = lambda exchange: (ports.append(exchange.client_address[1]), exchange.answer_well())[1]
        one = transfer()
        for _ in range(5):
            one.get_json(server.url + "/it")
    assert 1 == len(set(ports))


def test_a_proxy_is_used_for_other_machines_alone() -> None:
    with BadServer() as proxy:
        proxy.every = answers(200, json.dumps({"by": "proxy"}).encode())
        through = transfer(proxies={"http": proxy.url, "no": "direct.example.org"})
        assert {"by": "proxy"} == through.get_json("http://bundles.example.org/it")
        assert "http://bundles.example.org/it" == proxy.asked[0][0]
        with BadServer({"/it": b"{}"}) as server:
            assert {} == through.get_json(server.url + "/it")
        with pytest.raises(HardtackError):
            through.get_json("http://direct.example.org:1/it")
        assert 1 == len(proxy.asked)
