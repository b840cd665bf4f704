"""Lines of stored files, against the simplest way to cut the original ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.query.files import read_lines
from hardtack.query.searcher import Searcher, open_bundle


@pytest.fixture
def bundle(searcher: Searcher) -> Bundle:
    return searcher.bundle


def test_every_range_of_every_file_is_what_lies_between_its_newlines(bundle: Bundle, pantry: Path) -> None:
    for file in bundle.files:
        lines = [line + b"\n" for line in (pantry / file.path).read_bytes().split(b"\n")]
        lines[-1] = lines[-1][:-1]
        lines = [line for line in lines if line]
        assert len(lines) == file.line_count
        for first in range(1, len(lines) + 1, max(1, len(lines) // 7)):
            assert b"".join(lines[first - 1 :]) == read_lines(bundle, file, first)
            for last in range(first, len(lines) + 3, max(1, len(lines) // 5)):
                assert b"".join(lines[first - 1 : last]) == read_lines(bundle, file, first, last)


def test_only_newlines_end_lines(bundle: Bundle) -> None:
    file = bundle.file_at("odd/separators.py")
    assert file is not None
    assert b"after = 1\n" == read_lines(bundle, file, 3, 3)
    assert "    return 'a\x0cb\u2028c\x85d'\r# same line\n".encode() == read_lines(bundle, file, 2, 2)


@pytest.mark.parametrize(
    ("first", "last", "message"),
    [
        (0, None, "odd/crlf.py has no line 0."),
        (7, None, "odd/crlf.py has no line 7."),
        (7, 7, "odd/crlf.py has no line 7."),
        (7, 20, "odd/crlf.py has no lines 7 to 20."),
        (3, 2, "odd/crlf.py has no lines 3 to 2."),
    ],
)
def test_a_range_that_is_not_there_is_refused_as_it_was_asked_for(
    bundle: Bundle, first: int, last: int | None, message: str
) -> None:
    file = bundle.file_at("odd/crlf.py")
    assert file is not None
    with pytest.raises(UsageError) as refused:
        read_lines(bundle, file, first, last)
    assert (message, "It has 6 lines.") == (str(refused.value), refused.value.hint)


def test_a_bundle_without_text_says_so(bare_bundle: Path) -> None:
    with open_bundle(bare_bundle) as searcher, pytest.raises(UsageError, match="was built without source text"):
        read_lines(searcher.bundle, searcher.bundle.files[0])
