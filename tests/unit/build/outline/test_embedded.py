"""Regions in other languages: where their symbols stand, and what becomes of broken, unknown and hostile ones."""

from __future__ import annotations

import time

import pytest

from hardtack.build.languages.registry import language_of_region, languages
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.outline import Outline, ParseStatus


def outline(language: str, text: bytes, deadline_s: float = 10.0) -> Outline:
    return outline_of(text, languages()[language], deadline_s=deadline_s)


def test_symbols_of_a_script_have_the_files_own_bytes_and_lines() -> None:
    text = b"<body>\n<div id='a'>\n<script>\n// Sails.\nfunction sail() {\n  return 1\n}\n</script>\n</div>\n</body>\n"
    host, sail = outline("html", text).symbols
    assert text[sail.span.start : sail.span.end] == b"function sail() {\n  return 1\n}"
    assert text[sail.selection.start : sail.selection.end] == b"sail"
    assert (sail.extent.start_line, sail.span.start_line, sail.span.end_line) == (4, 5, 7)
    assert (sail.qualified_name, sail.parent, sail.doc) == ("a.sail", 0, "Sails.")
    assert host.name == "a"


def test_details_stay_with_their_symbols() -> None:
    text = b"<div id=a></div><script>function first(x) {}</script><div id=b></div><script>function second(y) {}</script>"
    found = outline("html", text)
    alone = outline("javascript", b"function second(y) {}")
    assert ["a", "first", "b", "second"] == [symbol.name for symbol in found.symbols]
    assert alone.details.get(0) == found.details.get(3)


@pytest.mark.parametrize(
    ("tag", "names"),
    [
        (b"<script>class A {}</script>", ["A"]),
        (b'<script type="module">class A {}</script>', ["A"]),
        (b'<script type="text/javascript">class A {}</script>', ["A"]),
        (b'<script lang="ts">interface A {}</script>', ["A"]),
        (b'<script type="application/ld+json">{"A": 1}</script>', ["A"]),
        (b'<script type="text/template">class A {}</script>', []),
        (b"<style>.a {}</style>", [".a"]),
        (b'<style lang="scss">@mixin a { b: c }</style>', ["a"]),
    ],
)
def test_a_region_is_read_as_what_it_says_it_is(tag: bytes, names: list[str]) -> None:
    assert names == [symbol.name for symbol in outline("html", tag).symbols]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("py", "python"),
        ("rust,no_run", "rust"),
        ('js title="a.js"', "javascript"),
        ("{code-block} c++", "cpp"),
        ("C#", "csharp"),
        ("text/x-python", "python"),
        ("application/ld+json", "json"),
        (".sh", "bash"),
        ("{.go .numberLines}", "go"),
        ("nothing-of-ours", None),
        ("", None),
        ("???", None),
    ],
)
def test_a_language_is_known_by_what_people_write_at_a_region(written: str, meant: str | None) -> None:
    found = language_of_region(written)
    assert meant == (found and found.id)


def test_a_broken_script_makes_its_file_partial_at_the_files_own_line() -> None:
    found = outline("html", b"<p>one</p>\n<script>\nfunction ok() {}\nlet = = 1\n</script>\n")
    assert ParseStatus.PARTIAL == found.status
    assert (4,) == found.error_lines
    assert ["ok"] == [symbol.name for symbol in found.symbols]


def test_a_broken_example_is_no_fault_of_its_document_and_defines_nothing() -> None:
    found = outline("markdown", b"# Top\n\n```python\n>>> def session(:\n```\n")
    assert ParseStatus.OK == found.status
    assert ["Top"] == [symbol.name for symbol in found.symbols]


def test_an_example_shows_types_and_functions_below_its_section_and_no_variables() -> None:
    found = outline("markdown", b"# Top\n\n```python\nx = 1\nclass A:\n    y = 2\n    def f(self): pass\n```\n")
    assert ["Top", "Top.A", "Top.A.f"] == [symbol.qualified_name for symbol in found.symbols]
    assert [-1, 0, 1] == [symbol.parent for symbol in found.symbols]


def test_an_example_without_a_section_around_it_stands_alone() -> None:
    (symbol,) = outline("markdown", b"```go\nfunc F() {}\n```\n").symbols
    assert ("F", -1) == (symbol.qualified_name, symbol.parent)


def test_a_fence_that_is_never_closed_is_no_region() -> None:
    assert () == outline("markdown", b"```python\ndef f(): pass\n").symbols


def test_all_regions_of_a_file_share_its_deadline() -> None:
    noise = bytes(range(33, 60)) * 2_000
    text = b"".join(b"<script>" + noise + b"</script>\n" for _ in range(40))
    start = time.process_time()
    outline("html", text, deadline_s=0.5)
    assert time.process_time() - start < 5


def test_many_regions_cost_no_more_than_their_text() -> None:
    text = b"# Top\n" + b"```python\ndef f(): pass\n```\n" * 5_000
    start = time.process_time()
    found = outline("markdown", text)
    assert 1_001 == len(found.symbols)
    assert time.process_time() - start < 10


def test_what_variables_of_several_scripts_are_stays_with_their_own_uses() -> None:
    text = (
        b'<script lang="ts">function first(crate: Crate) { crate.open(); }</script>\n'
        b'<script lang="ts">function second(lid: Lid) { lid.shut(); }</script>\n'
    )
    found = outline("vue", text)
    bound = {use.name: found.bindings[use.bound] for use in found.uses if use.bound >= 0}
    assert {"open": ("crate", "Crate"), "shut": ("lid", "Lid")} == {
        name: (binding.name, binding.value) for name, binding in bound.items()
    }
    for binding in found.bindings:
        assert text[binding.start :].startswith(binding.name.encode())
        assert binding.name == {"first": "crate", "second": "lid"}[found.symbols[binding.symbol].name]
