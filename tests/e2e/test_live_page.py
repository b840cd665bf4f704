"""A server shows its bundle to a browser: the shell to anybody who calls it by its name, the bundle to who has the token alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
from chromium import PROGRAM, Chromium
from mcp_servers import TOKEN, environment, event_of, listening, started

pytest.importorskip("jinja2", reason="the 'page' extra is not installed")

BEARER = {"Authorization": f"Bearer {TOKEN}"}
needs_chromium = pytest.mark.skipif(not PROGRAM, reason="there is no Chromium")


@pytest.fixture(scope="module")
def base(pantry_bundle: Path) -> Iterator[str]:
    """The address of a server of the pantry, with a slash at its end."""
    with listening("http", "-b", pantry_bundle) as address:
        yield address.removesuffix("mcp")


def _given(address: str, **headers: str) -> Any:
    answer = httpx2.get(address, headers={**BEARER, **headers})
    assert 200 == answer.status_code, answer.text
    return answer.json()


# -- the shell ----------------------------------------------------------------------------------------------------------------


def test_the_shell_is_the_same_for_every_bundle_and_says_nothing_of_any(base: str, bare_bundle: Path) -> None:
    with listening("http", "-b", bare_bundle) as other:
        shells = {httpx2.get(address).text for address in (base, f"{base}?token={TOKEN}", other.removesuffix("mcp"))}
    (shell,) = shells
    assert [] == [word for word in ("pantry", "Shelf", "bare", TOKEN) if word in shell]


def test_the_shell_runs_our_script_alone_and_asks_its_own_server_alone(base: str) -> None:
    answer = httpx2.get(base)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', answer.text)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.replace("&#39;", "'").split(";"))
    assert "'none'" == rules["default-src"] == rules["base-uri"] == rules["form-action"]
    assert "'self'" == rules["connect-src"]
    assert all(re.fullmatch(r"'sha256-[\w+/=]+'", rules[name]) for name in ("script-src", "style-src"))
    assert [] == re.findall(r"<[^>]*\son\w+=|<[^>]*\sstyle=|javascript:", answer.text)
    assert "frame-ancestors 'none'" == answer.headers["content-security-policy"]
    assert "no-store" == answer.headers["cache-control"]


@pytest.mark.parametrize(("header", "value", "status"), [("Host", "evil.example", 421), ("Origin", "http://evil.example", 403)])
@pytest.mark.parametrize("path", ["", "page/index.html", "search?q=jar"])
def test_under_another_name_nothing_is_shown(base: str, path: str, header: str, value: str, status: int) -> None:
    answer = httpx2.get(base + path, headers={**BEARER, header: value})
    assert (status, False) == (answer.status_code, "pantry" in answer.text)


def test_what_is_no_request_for_the_shell_wants_the_token(base: str) -> None:
    assert 401 == httpx2.post(base).status_code
    for path in ("page/index.html", "page/", "search?q=jar", "index.html", "?", "/"):
        expected = 200 if path == "?" else 401
        assert expected == httpx2.get(base + path).status_code, path


# -- pages and answers --------------------------------------------------------------------------------------------------------


def test_with_the_token_each_page_and_each_answer_is_given(base: str) -> None:
    home = _given(f"{base}page/index.html")
    for place in ("about.html", *re.findall(r'href="((?:source|folder)/[^"#]+)"', home["html"])):
        assert _given(f"{base}page/{place}")["html"].startswith("<section")
    (hit, *_) = _given(f"{base}search?q=take_oldest")["hits"]
    assert ("src/pantry/shelf.py", "Shelf.take_oldest") == (hit["path"], hit["full"])
    assert re.search(rf'id="?{hit["anchor"]}\b', _given(f"{base}page/{hit['place']}")["html"])
    assert hit["reasons"]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("search?q=", 400, "QUERY_EMPTY"),
        (f"search?q={'x' * 3000}%20{'y' * 1000}", 200, ""),
        ("page/nowhere.html", 404, "NOT_FOUND"),
        ("page/..%2f..%2fetc%2fpasswd", 404, "NOT_FOUND"),
        ("page/page.js", 404, "NOT_FOUND"),
    ],
)
def test_what_cannot_be_answered_is_told_in_a_sentence(base: str, path: str, status: int, code: str) -> None:
    answer = httpx2.get(base + path, headers=BEARER)
    assert status == answer.status_code
    if code:
        assert code == answer.json()["error"]["code"]
        assert answer.json()["error"]["message"].endswith(".")


def test_the_address_with_the_token_is_told_once_and_only_if_the_token_was_made(pantry_bundle: Path) -> None:
    flags = ("-b", pantry_bundle, "--http", "--port", "0")
    with started(*flags, env=environment()) as process:
        told = event_of(process, "listening")
        assert f"{told['url'].removesuffix('mcp')}#{told['token']}" == told["page"]
    with started(*flags, env=environment(HARDTACK_SERVE_TOKEN=TOKEN)) as process:
        told = event_of(process, "listening")
        assert told["url"].removesuffix("mcp") == told["page"]
    with started("-b", pantry_bundle, "--sse", "--port", "0", env=environment()) as process:
        assert "page" not in event_of(process, "listening")


# -- in a browser -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


def _opened(browser: Chromium, address: str) -> None:
    browser.events.clear()
    browser.open(address)


def _is_there(selector: str) -> str:
    return f"document.querySelector({json.dumps(selector)}) !== null"


@needs_chromium
def test_the_token_leaves_the_address_and_stays_in_the_tab(browser: Chromium, base: str) -> None:
    _opened(browser, f"{base}#{quote(TOKEN)}")
    browser.until(_is_there("main h1"))
    assert base == browser.value("location.href")
    _opened(browser, base)
    browser.until(_is_there("main h1"))
    browser.value("sessionStorage.clear()")
    assert [] == [each for each in browser.requests() if quote(TOKEN) in each or not each.startswith((base, "about:"))]
    assert [] == browser.troubles()


@needs_chromium
def test_a_wrong_token_is_refused_and_another_one_asked_for(browser: Chromium, base: str) -> None:
    _opened(browser, f"{base}#wrong")
    browser.until(_is_there("form input[type=password]"))
    assert "not the token" in browser.value("document.querySelector('main').innerText")
    browser.press(*TOKEN, "Enter")
    browser.until(_is_there("main h1"))
    browser.value("sessionStorage.clear()")


@needs_chromium
def test_what_is_typed_is_searched_for_by_the_server_and_opened_by_keys_alone(browser: Chromium, base: str) -> None:
    _opened(browser, f"{base}#{quote(TOKEN)}")
    browser.until(_is_there("main h1"))
    browser.press("/", *"oldest jar on the shelf")
    browser.until(_is_there("#found [role=option]"))
    assert "Shelf.take_oldest" == browser.value("document.querySelector('[aria-selected=true] b').textContent")
    browser.press("Enter")
    browser.until(_is_there(".code .shown"))
    assert "src/pantry/shelf.py" == browser.value("document.title")
    browser.value("[...document.querySelectorAll('.code a.x')].find((each) => each.textContent === 'Jar').focus()")
    browser.press("g", "d")
    browser.until(_is_there(".code a.d.shown"))
    assert "Jar" == browser.value("document.querySelector('.shown').textContent")
    browser.press("g", "r")
    browser.until(_is_there(".card.shown"))
    assert browser.value("getComputedStyle(document.querySelector('.card.shown')).display") == "grid"
    browser.press("Escape")
    browser.until("document.querySelector('.card.shown') === null")
    assert [] == [each for each in browser.requests() if not each.startswith((base, "about:"))]
    assert [] == browser.troubles()


@needs_chromium
def test_all_answers_are_shown_with_their_code_and_why(browser: Chromium, base: str) -> None:
    _opened(browser, f"{base}#{quote(TOKEN)}")
    browser.until(_is_there("main h1"))
    browser.press("/", *"open_shelf")
    browser.until(_is_there("#found [role=option]"))
    browser.press("ArrowUp", "Enter")
    browser.until(_is_there(".answer pre"))
    first = browser.value("document.querySelector('.answer').innerText")
    assert "def open_shelf" in first
    assert "src/pantry/shelf.py:58" in first
    browser.click(".answer a")
    browser.until(_is_there(".code .shown"))
    assert [] == browser.troubles()


@needs_chromium
def test_nothing_happens_in_the_live_page_of_a_hostile_bundle(browser: Chromium, tmp_path: Path) -> None:
    from hostile_page import hostile_bundle

    with listening("http", "-b", hostile_bundle(tmp_path)) as address:
        base = address.removesuffix("mcp")
        _opened(browser, f"{base}#{quote(TOKEN)}")
        browser.until(_is_there("main h1"))
        places = re.findall(r'href="((?:source|folder)/[^"#]+)"', _given(f"{base}page/index.html")["html"])
        for place in ("about.html", *dict.fromkeys(places)):
            browser.value(f"location.hash = '#!{place}'")
            browser.wait(0.3)
        browser.value("location.hash = '#?pay'")
        browser.until(_is_there(".answer"))
        browser.press("/", *"pay")
        browser.until(_is_there("#found [role=option]"))
        assert [] == [each for each in browser.requests() if not each.startswith((base, "about:"))]
        assert [] == browser.troubles()
        assert not browser.value("window.alerted || document.querySelector('img, iframe, object, embed, base, main script')")
