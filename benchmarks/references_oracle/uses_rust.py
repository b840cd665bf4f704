"""Prints what each name in a repository's Rust crates means by rustc, as lines of JSON.

    python uses_rust.py REPOSITORY    # with a nightly rustdoc

rustdoc's ``--generate-link-to-definition`` writes the source of a crate with a link from each name to what the compiler takes it to
mean. Each crate of the repository with a library is built with the features that need no crate from elsewhere, as nothing is
downloaded. Crates that do not compile then, tests, and code for other features or systems are left out; the last line
counts crates.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import Any

SOURCE_LINK = re.compile(r'class="src[^"]*" href="([^"#]+)#(\d+)')


@dataclass(slots=True)
class Crate:
    """A library of the repository."""

    name: str
    source: Path
    edition: str
    features: Mapping[str, list[str]]
    needs: Mapping[str, bool]
    """Name of a dependency -> whether it is optional."""
    enabled: set[str] = field(default_factory=set)


class Links(HTMLParser):
    """The text of a page of source, and the links in it."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[tuple[int, str, str]] = []
        """(offset in characters, text, where it leads)."""
        self._parts: list[str] = []
        self._length = 0
        self._is_code = self._is_number = False
        self._opened: tuple[int, str] | None = None
        self.feed(page)
        self.text = "".join(self._parts)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note the start of a link."""
        known = dict(attributes)
        self._is_code |= tag == "pre" and "rust" in (known.get("class") or "")
        if tag == "a" and self._is_code:
            self._is_number = "data-nosnippet" in known
            self._opened = None if self._is_number else (self._length, known.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a link."""
        self._is_code &= tag != "pre"
        if tag == "a" and self._opened is not None:
            start, href = self._opened
            self.links.append((start, self._text_from(start), href))
        if tag == "a":
            self._is_number, self._opened = False, None

    def _text_from(self, start: int) -> str:
        taken, length = [], self._length
        for part in reversed(self._parts):
            if length <= start:
                break
            taken.append(part)
            length -= len(part)
        return "".join(reversed(taken))

    def handle_data(self, data: str) -> None:
        """Note the source."""
        if self._is_code and not self._is_number:
            self._parts.append(data)
            self._length += len(data)


def crates_of(root: Path) -> dict[str, Crate]:
    """The libraries of the repository, by their packages' names."""
    found = {}
    for manifest in sorted(root.rglob("Cargo.toml")):
        told = tomllib.loads(manifest.read_text(encoding="utf-8"))
        package, library = told.get("package", {}), told.get("lib", {})
        source = manifest.parent / library.get("path", "src/lib.rs")
        if not package.get("name") or not source.is_file() or library.get("proc-macro"):
            continue
        edition = package.get("edition", "2015")
        needs = {
            each.get("package", name) if isinstance(each, dict) else name: isinstance(each, dict) and bool(each.get("optional"))
            for name, each in told.get("dependencies", {}).items()
        }
        name = package["name"]
        edition = edition if isinstance(edition, str) else "2021"
        found[name] = Crate(library.get("name", name).replace("-", "_"), source, edition, told.get("features", {}), needs)
    return found


def enable(crates: Mapping[str, Crate], crate: Crate, feature: str) -> None:
    """Switch on a feature and those that it switches on, where all that it needs is in the repository."""
    wanted = crate.features.get(feature, [])
    needed = {each.removeprefix("dep:") for each in wanted if each.startswith("dep:") or each in crate.needs}
    needed |= {each.partition("/")[0] for each in wanted if "/" in each and "?" not in each}
    if feature in crate.enabled or not needed <= crates.keys() | {"std"}:
        return
    crate.enabled.add(feature)
    for each in wanted:
        name, _, inner = each.partition("/")
        if inner and (other := crates.get(name.removesuffix("?"))) is not None:
            enable(crates, other, inner)
        elif not inner and not each.startswith("dep:"):
            enable(crates, crate, each)


def in_order(crates: Mapping[str, Crate]) -> Iterator[Crate]:
    """Each crate after those that it needs."""
    done: set[str] = set()

    def visit(name: str) -> Iterator[Crate]:
        if name not in done:
            done.add(name)
            for each in crates[name].needs:
                if each in crates:
                    yield from visit(each)
            yield crates[name]

    for name in crates:
        yield from visit(name)


def build(crate: Crate, crates: Mapping[str, Crate], out: Path) -> bool:
    """Compile a crate and write its pages; whether it did."""
    flags = [str(crate.source), "--crate-name", crate.name, "--edition", crate.edition, "-L", str(out), "--cap-lints", "allow"]
    flags += [flag for feature in sorted(crate.enabled) for flag in ("--cfg", f'feature="{feature}"')]
    for name in crate.needs:
        if name in crates and (out / f"lib{crates[name].name}.rmeta").is_file():
            flags += ["--extern", f"{crates[name].name}={out / f'lib{crates[name].name}.rmeta'}"]
    metadata = ["rustc", "+nightly", "--crate-type", "lib", "--emit", "metadata", "--out-dir", str(out)]
    pages = ["rustdoc", "+nightly", "-Zunstable-options", "--generate-link-to-definition", "--document-private-items"]
    commands = ([*metadata, *flags], [*pages, "-o", str(out / "doc"), *flags])
    return all(subprocess.run(each, capture_output=True, check=False).returncode == 0 for each in commands)


@cache
def page_at(path: Path) -> str:
    """The text of a page; empty if there is none."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def place_of(page: Path, href: str) -> tuple[Path, int] | None:
    """(page of a source, line) where a link leads; None outside."""
    path, _, anchor = href.partition("#")
    if "://" in path or anchor.startswith(("variant.", "structfield.")):  # pages do not say where these stand
        return None
    target = Path(page.parent, path).resolve() if path else page
    if target.name.endswith(".rs.html"):
        return target, int(re.match(r"\d*", anchor)[0] or 0)  # type: ignore[index]
    text = page_at(target)
    at = text.find(f'id="{anchor}"') if anchor else 0
    found = SOURCE_LINK.search(text, at) if at >= 0 else None
    return (Path(target.parent, found[1]).resolve(), int(found[2])) if found is not None else None


def records_of(page: Path, sources: Mapping[Path, Path], root: Path) -> Iterator[dict[str, Any]]:
    """What the names of one file mean."""
    links, text = Links(page_at(page)), sources[page].read_text(encoding="utf-8")
    if links.text.strip("\n") != text.strip("\n"):
        return
    shift = len(text) - len(text.lstrip("\n")) - (len(links.text) - len(links.text.lstrip("\n")))
    for start, written, href in links.links:
        place = place_of(page, href)
        name = PurePosixPath(written.replace("::", "/")).name.strip()
        if place is None or place[0] not in sources or not place[1] or not name.isidentifier():
            continue
        at = start + shift + written.rindex(name)
        line = text.count("\n", 0, at) + 1
        to = sources[place[0]].relative_to(root).as_posix()
        path = sources[page].relative_to(root).as_posix()
        if (path, line) != (to, place[1]):
            record = {"path": path, "at": line, "start": len(text[:at].encode()), "name": name}
            yield record | {"to": to, "line": place[1], "declared": name}


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    root = parser.parse_args().repository.resolve()
    crates = crates_of(root)
    for crate in crates.values():
        enable(crates, crate, "default")
    failed = []
    with tempfile.TemporaryDirectory() as scratch:
        out, sources = Path(scratch).resolve(), dict[Path, Path]()
        for crate in in_order(crates):
            if not build(crate, crates, out):
                failed.append(crate.name)
                continue
            pages = out / "doc" / "src" / crate.name
            for page in sorted(pages.rglob("*.rs.html")):
                sources[page] = crate.source.parent / page.relative_to(pages).as_posix().removesuffix(".html")
        for page in sources:
            for record in records_of(page, sources, root):
                print(json.dumps(record))
    print(json.dumps({"crates": len(crates), "that do not compile alone": failed}))


if __name__ == "__main__":
    main()
