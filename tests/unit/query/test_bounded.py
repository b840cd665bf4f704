"""However long a text, a line or a list is, an answer shows a bounded part of it, and says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from bundles import opened

from hardtack.bundle.format import layout
from hardtack.bundle.reader import Bundle
from hardtack.query.files import grep as grep_module
from hardtack.query.files.grep import MOST_LINE, grep
from hardtack.query.files.stored_files import StoredFiles
from hardtack.query.lookup.describe import MOST_CODE
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.lookup.usages import Room
from hardtack.query.similar import similar
from hardtack.tools.envelope import lines_that_fit
from hardtack.tools.tool import REPLY_BYTES

LONG = "x" * 6000 + " needle_here " + "y" * 6000
FILES = {
    "lines.txt": f"short needle_here\n{LONG}\n" + "needle_here at the start" + "z" * 9000 + "\n",
    "large.py": "def grown():\n" + "".join(f"    value_{number} = {number}\n" for number in range(6000)) + "    return 1\n",
    "uses.py": "from large import grown\n\nvalues = [" + ", ".join(["grown()"] * 900) + "]\n",
    "heading.md": "# " + "word " * 900 + "\n\ntext\n",
}


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    from hardtack.build.options import BuildOptions
    from hardtack.build.source.decode import SourceOptions

    options = BuildOptions(profile="keyword", jobs=1, source=SourceOptions(keep=("*",)))
    with opened(tmp_path_factory.mktemp("bounded"), FILES, options) as found:
        yield found


def test_a_long_line_is_cut_around_its_match_and_counted(bundle: Bundle) -> None:
    for regex in (False, True):
        found = grep(bundle, "needle_here", limit=10, regex=regex)
        short, middle, start = found.matches
        assert ("short needle_here", 2) == (short.text, found.cut)
        assert middle.text.startswith("[cut here]")
        assert all("needle_here" in each.text and each.text.endswith("[cut here]") for each in (middle, start))
        assert max(len(each.text) for each in found.matches) <= MOST_LINE + 2 * len("[cut here]")


def test_all_lines_of_an_answer_are_bounded_and_the_next_ones_can_be_asked_for(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grep_module, "_MOST_SHOWN", 20)
    first = grep(bundle, "needle_here", limit=10)
    rest = grep(bundle, "needle_here", limit=10, after=first.reached)
    assert (True, 2) == (first.truncated, len(first.matches))
    assert 1 == len(rest.matches)


def test_lines_of_a_file_are_read_only_as_far_as_a_reply_goes(bundle: Bundle) -> None:
    lines, is_whole = lines_that_fit(StoredFiles(bundle).read("large.py"))
    assert not is_whole
    assert len(json.dumps(lines)) < 2 * REPLY_BYTES
    assert len(lines) < 3000


def test_the_code_of_a_long_function_is_cut_and_says_so(bundle: Bundle) -> None:
    code = LookUps(bundle).one_function("grown").code
    assert MOST_CODE < len(code) < MOST_CODE + 100
    assert code.endswith(f"[cut here: more than {MOST_CODE} bytes]")


def test_places_in_a_long_line_are_shown_with_what_is_around_them(bundle: Bundle) -> None:
    usages = [each for each in LookUps(bundle).references("grown").results if each.path == "uses.py" and each.line == 3]
    text = FILES["uses.py"].split("\n")[2]
    assert 900 == len(usages)
    for usage in usages:
        assert text[usage.column - 1 :].startswith("grown()")
        assert "grown()" in usage.code
        assert len(usage.code) <= 206


def test_usages_end_where_there_is_no_more_room_and_the_note_says_so(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.query.lookup.lookups.Room", lambda: Room(2000))
    found = LookUps(bundle).references("grown")
    assert len(found.results) < 20 < found.total
    assert f"these are the first {len(found.results)}." in found.note


def test_a_name_is_cut_to_what_a_row_may_hold(bundle: Bundle) -> None:
    names = [bundle.symbol(ordinal).name for ordinal in range(bundle.manifest.counts.symbols)]
    longest = max(names, key=len)
    assert longest.startswith("word word")
    assert len(longest) <= layout.NAME_CHARACTERS
    bundle.check_records()


def test_a_long_place_is_compared_by_its_beginning_and_says_so(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.query.similar._COMPARED", 1000)
    assert "the first 1000 bytes were compared" in similar(bundle, "large.py", 1, 900).hint


def test_a_cut_member_is_seen_before_it_is_read(tmp_path: Path) -> None:
    with opened(tmp_path, {"a.py": "def f():\n    return 1\n"}) as found:
        assert found.is_unchanged
        path = found.path / layout.TEXT
        path.chmod(0o644)
        with path.open("r+b") as file:
            file.truncate(10)
        assert not found.is_unchanged
