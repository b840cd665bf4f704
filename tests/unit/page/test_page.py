"""A page shows what its bundle says, every link in it leads somewhere, and what a bundle says stays text."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from bundles import built
from hostile_page import forge_of, hostile_bundle
from page_files import Parsed, dead_links, pages_of

from hardtack.bundle.format import layout
from hardtack.bundle.reader import open_bundle
from hardtack.errors import IntegrityError, UsageError
from hardtack.nouns.relations import Certainty
from hardtack.page import page as module
from hardtack.page.page import PageInfo, write_page
from hardtack.page.search_index import key_of
from hardtack.render.style import inert

FORMS = ("pantry", "pantry.html")


def _no_step(_: str) -> None: ...


def _written(bundle: Path, place: Path) -> PageInfo:
    return write_page(bundle, place, name="pantry", step=_no_step)


def _bytes(place: Path) -> dict[str, bytes]:
    files = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
    return {str(path.relative_to(place.parent)): path.read_bytes() for path in files}


@pytest.fixture(scope="module", params=FORMS)
def place(request: pytest.FixtureRequest, pantry_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pantry's page, in both forms."""
    return _written(pantry_bundle, tmp_path_factory.mktemp("page") / request.param).path


def _source_of(place: Path, bundle: Path, path: str) -> Parsed:
    """The part of a page that shows a file."""
    if place.is_dir():
        (page,) = (each for each in pages_of(place).values() if ("h1", {"class": "hidden"}) in each.tags and path in each.texts)
        return page
    with open_bundle(bundle) as opened:
        number = [file.path for file in opened.files].index(path)
    html = place.read_text(encoding="utf-8")
    return Parsed(html.partition(f'<section class="view file" id="f{number}">')[2].partition('<section class="view')[0])


# -- what it shows ----------------------------------------------------------------------------------------------------------------


def test_every_link_leads_to_an_anchor_of_the_page(place: Path) -> None:
    pages = pages_of(place)
    assert sum(len(page.links) for page in pages.values()) > 500
    assert [] == list(dead_links(pages))


def test_no_anchor_is_there_twice(place: Path) -> None:
    for name, page in pages_of(place).items():
        assert len(page.anchors) == len(set(page.anchors)), name


def test_every_file_is_shown_whole(place: Path, pantry_bundle: Path) -> None:
    with open_bundle(pantry_bundle) as bundle:
        for file in bundle.files:
            html = _source_of(place, pantry_bundle, file.path)
            text = bundle.text_of(file).decode()
            number = sum(1 for tag, attributes in html.tags if tag == "a" and attributes.get("class") == "n")
            assert len(text.split("\n")) - (text.endswith("\n") or not text) == number, file.path
            for line in text.replace("\r\n", "\n").split("\n"):
                assert inert(line) in html.text, (file.path, line)


def test_every_resolved_name_is_a_link_as_sure_as_its_reference(place: Path, pantry_bundle: Path) -> None:
    classes = {Certainty.EXACT: "x", Certainty.LIKELY: "y", Certainty.POSSIBLE: "z"}
    with open_bundle(pantry_bundle) as bundle:
        wanted = {
            file: sorted(
                classes[each.certainty]
                for each in {each.start: each for each in bundle.related.references() if each.file == file}.values()
                if each.target >= 0
            )
            for file in range(len(bundle.files))
        }
        assert sum(map(len, wanted.values())) > 50
        for number, file in enumerate(bundle.files):
            html = _source_of(place, pantry_bundle, file.path)
            found = sorted(attributes.get("class", "") for tag, attributes in html.tags if tag == "a")
            assert wanted[number] == [each for each in found if each in "xyz" and each], file.path


def test_the_index_finds_every_symbol_by_each_of_its_words(place: Path, pantry_bundle: Path) -> None:
    def shard(key: str) -> dict[str, Any]:
        if place.is_file():
            content = re.findall(r'<script type="application/json" id="index">(.*?)</script>', place.read_text())[0]
        else:
            content = (place / "search" / f"{key}.js").read_text().removeprefix(f'hardtackShard("{key}",').removesuffix(");\n")
        found: dict[str, Any] = json.loads(content)
        return found

    with open_bundle(pantry_bundle) as bundle:
        for ordinal in range(0, bundle.manifest.counts.symbols, 7):
            symbol = bundle.symbol(ordinal)
            if bundle.tags_of(ordinal) or not symbol.name.isidentifier():
                continue
            for word in (symbol.name, *filter(None, symbol.name.split("_"))):
                found = shard(key_of(word))
                full = [entry[1] for entry in found["entries"] if found["files"][entry[3]][0] == bundle.file(symbol.file).path]
                assert symbol.qualified_name in full, word


def test_what_is_left_out_and_what_is_taken_out_is_told(tmp_path: Path) -> None:
    key = "AKIA" + "Q3EGRZ7WKPXN5T4M"
    files: dict[str, str | bytes] = {"jar.py": f'AWS_KEY = "{key}"\n', "lid.bin": bytes(range(256)) * 9, "go.sum": "a v1 h1:x=\n"}
    place = _written(built(tmp_path / "bundle", files), tmp_path / "page.html").path
    text = " ".join(" ".join(pages_of(place)["page.html"].texts).split())
    assert "The build took out 1 secret:" in text
    assert key not in place.read_text()
    assert "lid.bin binary" in text
    assert "go.sum generated" in text


def test_what_is_known_of_the_source_is_told(place: Path, pantry_bundle: Path) -> None:
    text = " ".join("".join(page.text for page in pages_of(place).values()).split())
    with open_bundle(pantry_bundle) as bundle:
        assert bundle.digest in text
        assert bundle.manifest.provenance.commit in text
        for name in bundle.manifest.options:
            assert name in text


def test_the_same_bundle_gives_the_same_bytes(place: Path, pantry_bundle: Path, tmp_path: Path) -> None:
    again = _written(pantry_bundle, tmp_path / place.name)
    assert _bytes(place) == _bytes(again.path)
    assert sum(map(len, _bytes(place).values())) == again.size
    assert len(_bytes(place)) == again.files


@pytest.mark.parametrize("form", FORMS)
def test_a_bundle_without_text_gives_a_page_without_sources_that_says_so(form: str, bare_bundle: Path, tmp_path: Path) -> None:
    pages = pages_of(_written(bare_bundle, tmp_path / form).path)
    assert [] == list(dead_links(pages))
    assert not any(attributes.get("class") == "code" for page in pages.values() for _, attributes in page.tags)
    assert "The bundle was built without text" in "".join(page.text for page in pages.values())


def test_a_file_larger_than_a_page_shows_is_shown_in_part_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.page.shown.SHOWN", 20)
    bundle = built(tmp_path / "bundle", {"long.py": "first = 1\nsecond = 2\nthird = 3\n", "short.py": "only = 1\n"})
    place = _written(bundle, tmp_path / "page.html").path
    html = _source_of(place, bundle, "long.py")
    assert "This page shows the first 10 B of 31 B." in html.text
    assert "first" in html.text
    assert "L2" not in "".join(html.anchors)
    assert "This page shows" not in _source_of(place, bundle, "short.py").text
    assert [] == list(dead_links(pages_of(place)))


# -- where it goes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_page_replaces_a_page_and_nothing_else(form: str, pantry_bundle: Path, bare_bundle: Path, tmp_path: Path) -> None:
    place = tmp_path / form
    first = _bytes(_written(pantry_bundle, place).path)
    assert first != _bytes(_written(bare_bundle, place).path)
    assert [form] == os.listdir(tmp_path)
    if place.is_dir():
        (place / "mine.txt").write_text("mine")
    else:
        place.write_text("<!doctype html>\nmine")
    before = _bytes(place)
    with pytest.raises(UsageError, match=r"not touched|nothing there was touched"):
        _written(pantry_bundle, place)
    assert before == _bytes(place)


def test_a_bundle_that_is_too_large_for_one_file_is_sent_to_a_directory(
    pantry_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_TEXT", 1000)
    with pytest.raises(UsageError, match=r"of text and .* symbols; a page of one file takes 1000 B and 20,000\.") as raised:
        _written(pantry_bundle, tmp_path / "site.html")
    assert f"-o {tmp_path / 'site'}" in raised.value.hint
    assert [] == os.listdir(tmp_path)
    _written(pantry_bundle, tmp_path / "site")


def test_a_damaged_bundle_gives_no_page(pantry_bundle: Path, tmp_path: Path) -> None:
    forge = forge_of(pantry_bundle)
    bundle = forge.save(tmp_path / "bundle")
    path = bundle / layout.SYMBOLS
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    with pytest.raises(IntegrityError):
        _written(bundle, tmp_path / "page")
    assert ["bundle"] == os.listdir(tmp_path)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_interrupted_at_any_step_leaves_the_old_page(form: str, bare_bundle: Path, tmp_path: Path) -> None:
    bundle = built(tmp_path / "bundle", {"one.py": "one = 1\n"})
    old = _bytes(_written(bare_bundle, tmp_path / form).path)
    steps: list[str] = []
    write_page(bundle, tmp_path / "counted" / form, name="x", step=steps.append) if form == FORMS[0] else None
    for stop in (1, 2, 3, max(len(steps) - 3, 3)):
        left = [stop]

        def step(_: str, left: list[int] = left) -> None:
            left[0] -= 1
            if not left[0]:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            write_page(bundle, tmp_path / form, name="x", step=step)
        assert old == _bytes(tmp_path / form)
    assert {"bundle", form, *(["counted"] if form == FORMS[0] else [])} == set(os.listdir(tmp_path))


def test_without_the_extra_it_says_what_to_install(pantry_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import click
    from click.testing import CliRunner

    from hardtack.cli.main import commands

    for name in [each for each in sys.modules if each.startswith(("hardtack.page", "jinja2"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)  # as where it is not installed
    command = commands.get_command(click.Context(commands), "page")
    assert command
    done = CliRunner().invoke(command, ["-b", str(pantry_bundle), "-o", str(tmp_path / "page")])
    assert "Writing a page needs the 'page' extra, which is not installed." == str(done.exception)


# -- what a bundle says stays text ------------------------------------------------------------------------------------------------

ALLOWED = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "link",
        "style",
        "script",
        "body",
        "header",
        "main",
        "nav",
        "section",
        "article",
        "div",
        "span",
    ),
    *(
        "a",
        "b",
        "i",
        "p",
        "ul",
        "li",
        "h1",
        "h2",
        "h3",
        "dl",
        "dt",
        "dd",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "code",
        "pre",
    ),
    *("details", "summary", "dialog", "form", "button", "input", "kbd", "svg", "defs", "marker", "path", "g", "rect", "text"),
}


@pytest.mark.parametrize("form", FORMS)
def test_nothing_that_a_hostile_bundle_says_becomes_a_tag_an_attribute_or_an_address(form: str, tmp_path: Path) -> None:
    place = _written(hostile_bundle(tmp_path / "hostile"), tmp_path / form).path
    pages = pages_of(place)
    assert "<script>alert(1)</script>" in "".join(page.text for page in pages.values())
    honest = {name.partition("-")[0] for name in os.listdir(place)} if place.is_dir() else {form}
    assert honest <= {"about.html", "folder", "index.html", "page.css", "page.js", "page.json", "search", "source", form}
    for name, page in pages.items():
        scripts = [attributes for tag, attributes in page.tags if tag == "script"]
        assert len(scripts) == (1 if place.is_dir() else 2), name
        for tag, attributes in page.tags:
            assert tag in ALLOWED, (name, tag)
            assert not any(each.startswith("on") or each == "style" for each in attributes), (name, tag, attributes)
            for address in ("href", "src", "action", "formaction", "xlink:href"):
                given = attributes.get(address, "")
                assert not re.match(r"[a-z]+:|//|\\", given) or given == "data:,", (name, tag, given)
    assert [] == list(dead_links(pages))
    if place.is_dir():
        for path in (place / "search").iterdir():
            assert re.fullmatch(r"(keys|[a-z0-9_]{2})\.js", path.name)
            content = path.read_text()
            assert "<" not in content
            json.loads(content.partition(",")[2].removesuffix(");\n"))


@pytest.mark.parametrize("form", FORMS)
def test_the_policy_allows_our_script_and_style_and_nothing_else(form: str, pantry_bundle: Path, tmp_path: Path) -> None:
    for page in pages_of(_written(pantry_bundle, tmp_path / form).path).values():
        first = next(attributes for tag, attributes in page.tags if tag == "meta" and "http-equiv" in attributes)
        assert "Content-Security-Policy" == first["http-equiv"]
        rules = dict(rule.strip().split(" ", 1) for rule in first["content"].split(";"))
        own = r"'sha256-[\w+/]{43}='" if form.endswith(".html") else "'self'"
        assert {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'", "img-src": "data:"}.items() <= rules.items()
        assert re.fullmatch(own, rules["script-src"])
        assert re.fullmatch(own, rules["style-src"])


def test_the_script_makes_no_html_of_text() -> None:
    script = (Path(module.__file__).parent / "templates" / "page.js").read_text()
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "srcdoc",
        "fetch(",
        "XMLHttp",
    ):
        assert word not in script
