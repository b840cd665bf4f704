"""Proves that a page is quick to write and to show, asks nobody for anything, and can be used by keys and read by everybody.

    python benchmarks/proofs/page.py REPO... [--axe FILE] [--shots DIR]

Each repository is built and written as a page into a directory, twice, which must give the same bytes. A static server on loopback
shows it in Chromium: first paint of the overview and of the largest source page, forty actions by keys and pointer, no request
beyond the server, no error. FILE is axe-core's `axe.min.js` (`npm pack axe-core`), which must find nothing on four pages at two
widths, light and dark. DIR gets screenshots at 400, 900 and 1600 pixels. Tells seconds, bytes and milliseconds. Exits 1 on any
failure.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from proof import Proof, build, content_of, hardtack, scratch

from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.nouns.model import FUNCTIONS

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "doubles"))
from chromium import PROGRAM, Chromium

SECONDS = 20
"""That writing 100,000 lines may take; of more lines as much more."""
PAINT = 1000
"""Milliseconds until something is seen."""
_LOOKED_AT = 60_000
"""Bytes of the source page that axe-core goes through: on one of thousands of links it takes minutes."""
_PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def served(place: Path) -> Iterator[str]:
    """The address at which a directory is served on loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(place)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def write(proof: Proof, bundle: Path, place: Path) -> None:
    """Write the page twice; it is quick, and the same."""
    with open_bundle(bundle) as opened:
        lines = sum(file.line_count for file in opened.files)
    started = time.monotonic()
    done = hardtack("page", "-b", bundle, "-o", place, "--json")
    seconds = time.monotonic() - started
    told = json.loads(done.stdout)
    allowed = SECONDS * max(lines, 100_000) / 100_000
    detail = f"{seconds:.1f} s, {lines:,} lines, {told['files']:,} files, {told['bytes'] / 1e6:.1f} MB"
    proof.claim("it is written in time", done.returncode == 0 and seconds < allowed, detail)
    again = place.with_name("again")
    hardtack("page", "-b", bundle, "-o", again)
    same = {path: entry[2] for path, entry in content_of(place).items()} == {
        path: entry[2] for path, entry in content_of(again).items()
    }
    proof.claim("the same bundle gives the same bytes", same)


def paint(proof: Proof, browser: Chromium, address: str, what: str) -> None:
    """Open a page anew; something is seen soon."""
    browser.open(address)
    browser.until(_PAINTED)
    first = browser.value("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    size = browser.value("performance.getEntriesByType('navigation')[0].decodedBodySize")
    proof.claim(f"first paint of {what}", first < PAINT, f"{first:.0f} ms, {size / 1e3:.0f} kB")


def _names(bundle: Bundle) -> list[str]:
    """Four functions that much else uses, by their qualified names as one types them."""
    uses = Counter(reference.target for reference in bundle.related.references() if reference.target >= 0)
    named = (bundle.symbol(ordinal) for ordinal, _ in uses.most_common())
    return [each.qualified_name.lower() for each in named if each.kind in FUNCTIONS and each.qualified_name.isascii()][:4]


def act(browser: Chromium, start: str, names: list[str]) -> int:
    """Search, open, go to definitions and references, come back; how many actions that were. Raises AssertionError if one fails."""
    count = 0
    for name in names:
        browser.press("/")
        browser.until("document.activeElement.id === 'q'")
        browser.value("document.activeElement.select()")
        browser.press(*name)
        browser.until("document.querySelectorAll('#found [role=option]').length > 0")
        browser.press("ArrowDown", "ArrowUp", "Enter")
        browser.until("location.pathname.includes('/source/') && document.querySelector('.code') !== null")
        browser.until("document.activeElement.matches('.code a.d')")
        browser.press("g", "r")
        browser.wait(0.1)
        browser.press("Escape", "n", "g", "d")
        browser.wait(0.1)
        browser.press("p", "g", "r")
        browser.wait(0.1)
        count += 8
    browser.press("?")
    browser.until("document.querySelector('#keys').open")
    browser.press("Escape")
    browser.press("g", "h")
    browser.until(f"location.href === {json.dumps(start + 'index.html')}")
    browser.click(".brand")
    browser.click("nav.links a:nth-of-type(2)")
    browser.until("location.pathname.endsWith('/about.html')")
    browser.click(".brand")
    browser.until("location.pathname.endsWith('/index.html')")
    browser.click("table.files a.folder")
    browser.until("document.querySelector('.listing') !== null")
    browser.click(".steps a")
    browser.until("document.querySelector('.listing h1').textContent === 'All files'")
    return count + 8


def look(proof: Proof, browser: Chromium, pages: list[str], axe: Path | None, shots: Path | None) -> None:
    """What axe-core finds on pages at two widths, and pictures of them at three."""
    found: list[object] = []
    for page in pages:
        for width, dark in ((400, False), (400, True), (900, False), (1600, False), (1600, True)):
            browser.show(width, 1000, dark=dark)
            browser.open(page)
            if shots:
                shots.mkdir(parents=True, exist_ok=True)
                name = page.rpartition("/")[2].partition("-")[0].replace("#", "_") or "index.html"
                browser.wait(0.3)
                browser.screenshot(shots / f"{name}-{width}{'-dark' if dark else ''}.png")
            if axe and width != 900:
                browser.value(f"{axe.read_text(encoding='utf-8')}; 0")
                found += browser.value(
                    "axe.run({preload: false}).then((r) => r.violations.map((v) => [v.id, v.impact, v.nodes[0].html]))"
                )
    if axe:
        proof.claim("axe-core finds nothing", not found, f"{len(pages)} pages {found or ''}".strip())
    else:
        proof.skip("axe-core finds nothing", "no --axe")


def prove(proof: Proof, repository: Path, axe: Path | None, shots: Path | None) -> None:
    """All of it, of one repository."""
    with scratch() as place:
        build(repository, place / "bundle")
        write(proof, place / "bundle", place / "page")
        largest = max((place / "page" / "source").iterdir(), key=lambda path: path.stat().st_size)
        with open_bundle(place / "bundle") as opened:
            names = _names(opened)
        with served(place / "page") as start, Chromium(place / "profile") as browser:
            paint(proof, browser, start + "index.html", "the overview")
            paint(proof, browser, f"{start}source/{largest.name}", "the largest source page")
            browser.events.clear()
            browser.open(start + "index.html")
            count = act(browser, start, names)
            proof.claim("actions by keys and pointer", count >= 40, f"{count} actions")
            proof.claim("no error, no dialog", not browser.troubles(), str(browser.troubles()[:2] or ""))
            beyond = [each for each in browser.requests() if not each.startswith(start) and each != "about:blank"]
            proof.claim("no request beyond its own place", not beyond, str(beyond[:2] or ""))
            middle = min((place / "page" / "source").iterdir(), key=lambda path: abs(path.stat().st_size - _LOOKED_AT))
            source = f"{start}source/{middle.name}"
            look(proof, browser, [f"{start}index.html", f"{start}about.html", source, f"{source}#r1"], axe, shots)


def main() -> None:
    """Prove it of each repository."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO")
    parser.add_argument("--axe", type=Path, help="axe-core's axe.min.js")
    parser.add_argument("--shots", type=Path, help="directory for screenshots")
    arguments = parser.parse_args()
    if not PROGRAM:
        sys.exit("There is no Chromium; install Debian's package chromium.")
    proof = Proof("A page is quick, quiet and usable")
    for repository in arguments.repositories:
        prove(proof, repository, arguments.axe, arguments.shots)
    proof.leave()


if __name__ == "__main__":
    main()
