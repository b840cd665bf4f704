"""Any text, made inert for Markdown and Mermaid: it is read back, or stands for itself escaped, and has no effect."""

from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hardtack.comment.words import LONGEST, code, label, sentence
from hardtack.render.style import inert, inert_line

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
HOSTILE = st.text(alphabet=st.sampled_from("`*_~[]()<>!@#&;|\\:/.-abcdefwGH1 \n\t\u202e\u2066\x1b\ud800é"), max_size=60) | st.lists(
    st.sampled_from(("*a*", "_a_", "~~a~~", "`a`", "[a](b)", "![a](b)", "<b>", "&lt;", "a\\", "<!--", "]]>", "a@b.c")), max_size=4
).map("".join)


@given(HOSTILE)
def test_markdown_sees_one_piece_of_code_whose_text_is_the_text(text: str) -> None:
    shown = MARKDOWN.render(f"- {code(text)} and\n")
    found = re.fullmatch(r"<ul>\n<li><code>([^<]*)</code> and</li>\n</ul>\n", shown)
    assert found, shown
    assert inert(text).replace("\n", " ").replace("\t", " ") == html.unescape(found[1])


@given(HOSTILE)
def test_a_sentence_is_plain_words_and_code(text: str) -> None:
    rest = re.sub(r"<code>(?:[A-Za-z0-9 ]|&#\d+;)*</code>", "", sentence(text))
    assert re.fullmatch("[A-Za-z ,]*", rest)
    assert not re.search(r"\b[A-Fa-f]{7,}\b", rest)


def test_names_in_our_sentences_become_code_and_the_rest_stays() -> None:
    assert "parameter <code>lid</code> is gone" == sentence("parameter `lid` is gone")
    assert "it is called <code>a&#95;b</code> now, and was called <code>c</code>" == sentence(
        "it is called `a_b` now, and was called `c`"
    )
    assert "<code>see deadbee</code>" == sentence("see deadbee")  # GitHub links what may be a commit's id
    assert "<code>fixes &#35;1</code>" == sentence("fixes #1")
    assert "an open <code>&#96; here</code>" != sentence("an open ` here") == "<code>an open &#96; here</code>"


@given(st.text(max_size=200))
def test_a_label_has_plain_characters_and_entities_alone_and_is_read_back(text: str) -> None:
    shown = label(text)
    assert re.fullmatch(r"(?:[A-Za-z0-9 _/.-]|#\d+;)+", shown)
    read = re.sub(r"#(\d+);", lambda match: chr(int(match[1])), shown)
    expected = inert_line(text)
    assert read == (expected or " ") if len(expected) <= 60 else (read.startswith("...") and expected.endswith(read[3:]))


def test_long_text_is_cut() -> None:
    assert len(html.unescape(code("x" * 10_000))) < LONGEST + 20
    assert 60 == len(label("x" * 10_000))
