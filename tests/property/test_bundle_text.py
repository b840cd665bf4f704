"""Any stretch of the stored text is that stretch of the text, however the text was split into files."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.bundle.format.text import BLOCK_SIZE, DICTIONARY_SIZE, TextStore, TextWriter

unit = st.binary(min_size=1, max_size=40)
# short texts, texts around the border where a dictionary begins, and texts of several blocks
length = st.integers(0, 300) | st.integers(-3, 3).map(lambda more: BLOCK_SIZE + DICTIONARY_SIZE + more) | st.integers(0, 200_000)


@settings(deadline=None)
@given(unit, length, st.lists(st.integers(min_value=0, max_value=200_000), max_size=6), st.data())
def test_any_stretch_of_any_split_comes_back(unit: bytes, length: int, cuts: list[int], data: st.DataObject) -> None:
    text = (unit * (length // len(unit) + 1))[:length]
    borders = [0, *sorted(min(cut, length) for cut in cuts), length]
    writer = TextWriter([])
    for start, end in pairwise(borders):
        assert start == writer.add(text[start:end])
    store = TextStore("text.blocks", memoryview(b"".join(writer.render())))
    assert length == store.length
    for _ in range(5):
        start = data.draw(st.integers(min_value=0, max_value=length))
        end = data.draw(st.integers(min_value=start, max_value=length))
        assert text[start:end] == store.read(start, end)
