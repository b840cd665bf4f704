"""Whatever the text, its colours and its links are, the text comes out again as HTML, and nothing else."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from page_files import Parsed

from hardtack.page.highlighting import Part
from hardtack.page.source import Mark, lettered, source_html
from hardtack.render.style import inert

_texts = st.text(alphabet=st.one_of(st.sampled_from("<>&\"'\n\r\t ab_é"), st.characters()), max_size=60)


@st.composite
def _sources(draw: st.DrawFn) -> tuple[str, list[Part], list[Mark]]:
    text = draw(_texts).encode("utf-8", "replace").decode()
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)) | {0, len(text)})
    parts = [Part(draw(st.sampled_from(["", "k", "s"])), end - start) for start, end in pairwise(cuts)]
    size = len(text.encode())
    marks = [
        Mark(start, draw(st.sampled_from([-1, start + 1, start + 3])), f"<a class=x href=#{start}>", "</a>")
        for start in sorted(draw(st.sets(st.integers(0, size + 3), max_size=6)))
    ]
    return text, parts, marks


@given(_sources())
def test_the_text_comes_out_again_line_by_line(source: tuple[str, list[Part], list[Mark]]) -> None:
    text, parts, marks = source
    html = Parsed(str(source_html(text, parts, lettered(text.encode(), text, marks), {}, "")))
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    assert [f"L{number}" for number in range(1, len(lines) + 1)] == html.anchors
    shown = html.text.removesuffix("\n").split("\n") if lines else []
    # A carriage return before a line feed is not shown, wherever a part ends between them.
    expected = [f"{number}{inert(line)}" for number, line in enumerate(lines, 1)]
    assert [line.replace("\\u{d}", "") for line in expected] == [line.replace("\\u{d}", "") for line in shown]
    assert {"a", "b"} >= {tag for tag, _ in html.tags}


@given(_sources())
def test_a_mark_is_put_around_the_name_that_begins_there(source: tuple[str, list[Part], list[Mark]]) -> None:
    text, _, marks = source
    data = text.encode()
    end = 0
    for mark in lettered(data, text, marks):
        assert end <= mark.start < mark.end
        end = mark.end


def test_a_name_after_letters_of_several_bytes_is_found() -> None:
    text = 'é = "жар"; jar()\n'
    data = text.encode()
    (mark,) = lettered(data, text, [Mark(data.index(b"jar"), -1, "<a>", "</a>")])
    assert "jar" == text[mark.start : mark.end]


def test_a_link_over_two_colours_and_a_comment_over_two_lines_stay_inside_their_lines() -> None:
    parts = [Part("k", 2), Part("s", 2), Part("c", 5), Part("", 1)]
    marks = lettered(b"abcd/*\n*/\n", "abcd/*\n*/\n", [Mark(0, 4, "<a href=#x>", "</a>")])
    first, second, end = str(source_html("abcd/*\n*/\n", parts, marks, {1: "!"}, "f1-")).split("\n")
    assert (
        "<a class=n id=f1-L1 href=#f1-L1>1</a><a href=#x><b class=k>ab</b></a><a href=#x><b class=s>cd</b></a><b class=c>/*</b>!"
        == first
    )
    assert "<a class=n id=f1-L2 href=#f1-L2>2</a><b class=c>*/</b>" == second
    assert "" == end
