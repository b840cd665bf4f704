"""Words are found and read as in a list of them, wherever the strips are cut in which they are looked for."""

from __future__ import annotations

from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.bundle.indexes import posting_lists as lines
from hardtack.bundle.indexes.posting_lists import StringTable

WORD = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1, max_size=9)
WORDS = st.sets(WORD, max_size=30).map(lambda words: sorted(words, key=str.encode))


def stored(words: list[str]) -> StringTable:
    return StringTable(memoryview("\n".join(words).encode()), len(words))


@given(words=WORDS, strip=st.integers(1, 40), looked=WORD, data=st.data())
def test_lines_are_those_of_a_list(words: list[str], strip: int, looked: str, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lines, "_STRIP", strip)
        found = stored(words)
        assert (len(words), words) == (len(found), [found[row] for row in range(len(found))])
        assert words[-1:] == [found[-1] for _ in words[-1:]]
        start = data.draw(st.integers(0, len(words)))
        end = data.draw(st.integers(start, len(words)))
        assert words[start:end] == found.between(range(start, end))
        encoded = [word.encode() for word in words]
        assert bisect_left(encoded, looked.encode(), start, end) == found.place(looked, start, end)
        assert [found.place(word) for word in words] == [*range(len(words))]
        assert found.are_ascending()


@pytest.mark.parametrize("words", [["b", "a"], ["a", "a"], ["", "a"], ["a", "", "b"]])
def test_what_is_not_ascending_is_seen(words: list[str]) -> None:
    assert not stored(words).are_ascending()


@pytest.mark.parametrize(
    ("text", "count", "what"),
    [
        (b"a\nb", 1, "other words"),
        (b"a\nb", 3, "other words"),
        (b"a", 0, "other words"),
        (b"", 2, "other words"),
        (b"\xff", 1, "no text"),
    ],
)
def test_what_is_not_so_many_lines_of_text_is_refused(text: bytes, count: int, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        StringTable(memoryview(text), count)
