"""A page in a real Chromium: its keys, its search, its addresses; and a hostile bundle's, in which nothing happens."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from chromium import PROGRAM, Chromium
from hostile_page import hostile_bundle

from hardtack.page.page import write_page

pytestmark = pytest.mark.skipif(not PROGRAM, reason="there is no Chromium")

FORMS = ("pantry", "pantry.html")


def _no_step(_: str) -> None: ...


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="module", params=FORMS)
def start(request: pytest.FixtureRequest, pantry_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the pantry's page, as a file."""
    place: Path = tmp_path_factory.mktemp("page") / request.param
    write_page(pantry_bundle, place, name="pantry", step=_no_step)
    return (place / "index.html" if place.is_dir() else place).as_uri()


@pytest.fixture
def page(browser: Chromium, start: str) -> Iterator[Chromium]:
    """The page, open; nothing may go wrong in it, and nothing may be asked for but its own files."""
    browser.events.clear()
    browser.show(1280, 900)
    browser.open(start)
    yield browser
    assert [] == browser.troubles()
    own = start.rpartition("/")[0]
    assert [] == [each for each in browser.requests() if not each.startswith(own) and each != "about:blank"]


def _typed(page: Chromium, text: str) -> None:
    page.press("/")
    page.until("document.activeElement.id === 'q'")
    page.press(*text)
    page.until("document.querySelectorAll('#found [role=option]').length > 0")


def _definition_in_focus(page: Chromium) -> str:
    page.until("location.hash.length > 1 && document.activeElement.classList.contains('d')")
    name: str = page.value("document.activeElement.textContent")
    return name


def test_a_symbol_is_found_and_opened_by_keys_alone(page: Chromium) -> None:
    _typed(page, "shelf.oldest")
    assert page.value("document.querySelector('[aria-selected=true] b').textContent").lower().endswith("oldest")
    assert page.value("document.querySelector('[aria-selected=true]').id") == page.value(
        "document.querySelector('#q').getAttribute('aria-activedescendant')"
    )
    page.press("Enter")
    assert "take_oldest" == _definition_in_focus(page)


def test_arrows_go_through_the_suggestions_and_round(page: Chromium) -> None:
    _typed(page, "sh")
    chosen = "[...document.querySelectorAll('#found [role=option]')].findIndex((e) => e.ariaSelected === 'true')"
    count = page.value("document.querySelectorAll('#found [role=option]').length")
    assert count > 1
    assert 0 == page.value(chosen)
    page.press("ArrowDown")
    assert 1 == page.value(chosen)
    page.press("ArrowUp", "ArrowUp")
    assert count - 1 == page.value(chosen)
    page.press("Escape")
    assert page.value("document.querySelector('#found').hidden && document.activeElement !== document.querySelector('#q')")


def test_what_is_not_there_is_told(page: Chromium) -> None:
    page.press("/", *"zzqx")
    page.until("document.querySelector('#said').textContent.includes('No symbol or path')")


def test_g_d_goes_to_the_definition_and_g_r_to_the_references_of_the_name_in_focus(page: Chromium) -> None:
    _typed(page, "shelf.py")
    page.press("Enter")
    page.until("[...document.querySelectorAll('.code a.x')].some((e) => e.offsetParent)")
    link = "[...document.querySelectorAll('.code a.x')].find((e) => e.offsetParent)"
    name, address = page.value(f"[{link}.textContent, {link}.href]")
    page.value(f"{link}.focus()")
    page.press("g", "r")
    page.until("!!document.querySelector('.card:target')")
    assert page.value("document.querySelector('.card:target').ariaLabel").endswith(name)
    assert address.rpartition("d")[2] == page.value("location.hash").rpartition("r")[2]
    page.press("Escape")
    assert name == _definition_in_focus(page)
    page.press("g", "r")
    page.until("!!document.querySelector('.card:target')")
    assert page.value("getComputedStyle(document.querySelector('.card:target')).display") == "grid"


def test_the_list_of_keys_opens_and_closes(page: Chromium) -> None:
    page.press("?")
    assert page.value("document.querySelector('#keys').open")
    page.press("Escape")
    page.until("!document.querySelector('#keys').open")


def test_without_script_the_page_is_read_by_its_links(browser: Chromium, start: str) -> None:
    browser.without_script()
    try:
        browser.open(start)
        assert browser.value("document.querySelector('.search').hidden")
        browser.click("table.files a.folder")
        browser.until("[...document.querySelectorAll('.listing h1')].some((e) => e.offsetParent)")
        browser.click("table.files a.file")
        browser.until("[...document.querySelectorAll('.code')].some((e) => e.offsetParent)")
        assert 1 == browser.value("[...document.querySelectorAll('section.view')].filter((e) => e.offsetParent).length")
    finally:
        browser.without_script(off=False)


@pytest.mark.parametrize("form", FORMS)
def test_nothing_happens_in_the_page_of_a_hostile_bundle(form: str, browser: Chromium, tmp_path: Path) -> None:
    place = tmp_path / form
    write_page(hostile_bundle(tmp_path / "bundle"), place, name="hostile", step=_no_step)
    browser.events.clear()
    pages = sorted(place.rglob("*.html")) if place.is_dir() else [place]
    for path in pages:
        browser.open(path.as_uri())
        anchors = browser.value("[...document.querySelectorAll('.card, section.view')].map((e) => e.id)")
        for anchor in anchors[:: max(len(anchors) // 8, 1)]:
            browser.value(f"location.hash = {json.dumps(anchor)}")
        browser.press("/", *"al")
        browser.wait(0.1)
        browser.press("ArrowDown", "Enter")
    assert [] == browser.troubles()
    assert {"file", "about"} >= {each.partition(":")[0] for each in browser.requests()}
    assert not browser.value("window.alerted || document.querySelector('img, iframe, object, embed, base')")


def test_a_static_server_shows_it_and_is_asked_for_its_own_files_alone(
    pantry_bundle: Path, browser: Chromium, tmp_path: Path
) -> None:
    write_page(pantry_bundle, tmp_path / "site", name="pantry", step=_no_step)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "site")))
    server.RequestHandlerClass.log_message = lambda *_: None  # type: ignore[attr-defined]
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        browser.events.clear()
        browser.open(f"http://127.0.0.1:{server.server_port}/")
        _typed(browser, "oldest")
        browser.press("Enter")
        _definition_in_focus(browser)
        assert [] == browser.troubles()
        asked = {each for each in browser.requests() if each != "about:blank"}
        assert asked
        assert all(each.startswith(f"http://127.0.0.1:{server.server_port}/") for each in asked)
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.skipif(not shutil.which("npm"), reason="there is no npm")
def test_it_is_accessible_as_far_as_axe_can_tell(start: str, browser: Chromium, tmp_path: Path) -> None:
    got = subprocess.run(["npm", "pack", "axe-core@4.14.1", "--silent"], cwd=tmp_path, capture_output=True, check=False)
    if got.returncode:
        pytest.skip("npm gives no axe-core")
    with tarfile.open(next(tmp_path.glob("*.tgz"))) as archive, archive.extractfile("package/axe.min.js") as script:  # type: ignore[union-attr]
        axe = script.read().decode()
    for width, dark in ((1600, False), (400, True)):
        browser.show(width, 900, dark=dark)
        browser.open(start)
        browser.value(f"{axe}; 0")
        found = browser.value("axe.run({preload: false}).then((r) => r.violations.map((v) => [v.id, v.impact, v.nodes[0].html]))")
        assert [] == found
