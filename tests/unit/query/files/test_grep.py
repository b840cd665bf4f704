"""Lines that contain a text or match a pattern: which, how many, and which requests are refused."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkouts import write

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.format import layout
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.errors import MissingExtra, UsageError
from hardtack.query.files.grep import LineMatch, grep

ROOT = Path(__file__).parents[4]


def built(tree: dict[str, bytes], place: Path, *, text: str = "full") -> Path:
    write(place / "tree", tree)
    build_bundle(place / "tree", place / "bundle", BuildOptions(profile="keyword", text=text, jobs=1))
    return place / "bundle"


def test_a_line_is_given_whole_without_its_ending(bundle: Bundle) -> None:
    expected = (LineMatch("odd/crlf.py", 5, "def second():"), LineMatch("odd/crlf.py", 6, "    return 2"))
    found = grep(bundle, "def second", limit=9), grep(bundle, "return 2", limit=9)
    assert expected == tuple(line for each in found for line in each.matches if line.path == "odd/crlf.py")
    tail = LineMatch("odd/no_newline.py", 2, "    return 'tail'")
    assert (tail,) == grep(bundle, "'tail'", limit=9).matches


def test_only_a_line_feed_ends_a_line(bundle: Bundle) -> None:
    expected = [
        LineMatch("odd/separators.py", 2, "    return 'a\x0cb\u2028c\x85d'\r# same line"),
        LineMatch("odd/separators.py", 3, "after = 1"),
    ]
    found = (*grep(bundle, "same line", limit=9).matches, *grep(bundle, "after = 1", limit=9).matches)
    assert expected == [line for line in found if line.path == "odd/separators.py"]


def test_a_text_with_a_line_feed_is_on_no_line(bundle: Bundle) -> None:
    assert () == grep(bundle, "return 1\n", limit=9).matches
    assert () == grep(bundle, "return 1\r", limit=9).matches


def test_text_that_was_not_utf_8_is_found_as_what_it_was_decoded_to(tmp_path: Path) -> None:
    tree = {
        "a.txt": "caf\u00e9 one\n".encode("utf-16"),
        "b.txt": "caf\u00e9 two\n".encode("cp1252"),
        "c.txt": "\ufeffcaf\u00e9\n".encode(),
    }
    with open_bundle(built(tree, tmp_path)) as bundle:
        expected = (
            LineMatch("a.txt", 1, "caf\u00e9 one"),
            LineMatch("b.txt", 1, "caf\u00e9 two"),
            LineMatch("c.txt", 1, "caf\u00e9"),
        )
        assert expected == grep(bundle, "caf\u00e9", limit=9).matches
        assert expected[2:] == grep(bundle, "^caf.$", limit=9, regex=True).matches
        assert () == grep(bundle, "caf\udce9", limit=9).matches


def test_as_many_lines_as_there_are_is_not_too_many(bundle: Bundle) -> None:
    everything = grep(bundle, "def ", limit=10_000)
    count = len(everything.matches)
    assert count > 9
    assert not everything.truncated
    assert everything == grep(bundle, "def ", limit=count)
    fewer = grep(bundle, "def ", limit=count - 1)
    assert fewer.truncated
    assert everything.matches[:-1] == fewer.matches


def test_a_search_goes_on_where_it_ended(bundle: Bundle) -> None:
    everything, seven = grep(bundle, "e", limit=10_000).matches, grep(bundle, "e", limit=7)
    assert everything[7:] == grep(bundle, "e", limit=10_000, after=seven.reached).matches
    end = grep(bundle, "e", limit=10_000).reached
    assert ((), False, None) == (lambda page: (page.matches, page.truncated, page.reached))(grep(bundle, "e", limit=1, after=end))


def test_a_file_with_many_lines_is_given_in_pages_of_few(tmp_path: Path) -> None:
    with open_bundle(built({"a.txt": b"a lid\n" * 100}, tmp_path)) as bundle:
        for regex in (False, True):
            page, lines = grep(bundle, "lid", limit=7, regex=regex), [0]
            while page.truncated:
                assert list(range(lines[-1] + 1, lines[-1] + 8)) == [match.line for match in page.matches]
                lines += [match.line for match in page.matches]
                page = grep(bundle, "lid", limit=7, regex=regex, after=page.reached)
            assert [99, 100] == [match.line for match in page.matches]


def test_files_are_looked_through_in_the_order_in_which_they_are_asked_for(bundle: Bundle) -> None:
    paths = [file.path for file in bundle.files]
    chosen = list(range(len(paths)))[::-2]
    lines = grep(bundle, "def ", limit=10_000).matches
    expected = [line for file in chosen for line in lines if line.path == paths[file]]
    assert expected == list(grep(bundle, "def ", files=chosen, limit=10_000).matches)
    assert () == grep(bundle, "def ", files=[], limit=9).matches


def test_a_bundle_without_text_says_so(tmp_path: Path) -> None:
    place = built({"jar.py": b"lid = 1\n"}, tmp_path, text="none")
    assert not (place / layout.RUNS).exists()
    with open_bundle(place) as bundle:
        bundle.check_records()
        with pytest.raises(UsageError, match="built without source text"):
            grep(bundle, "lid", limit=1)


@pytest.mark.parametrize("pattern", ["def\\s+paint_it", "(?i)DEF PAINT_IT", "paint_it\\(\\):$", "^def paint_.t"])
def test_a_pattern_is_matched_inside_a_line(pattern: str, bundle: Bundle) -> None:
    assert (LineMatch("odd/escapes.py", 1, "def paint_it():"),) == grep(bundle, pattern, limit=9, regex=True).matches


def test_ends_of_lines_are_before_their_endings(bundle: Bundle) -> None:
    assert [1, 5] == [line.line for line in grep(bundle, r"\):$", limit=99, regex=True).matches if line.path == "odd/crlf.py"]
    assert [3, 4] == [line.line for line in grep(bundle, r"^$", limit=99, regex=True).matches if line.path == "odd/crlf.py"]


def test_a_pattern_that_could_try_forever_does_not(tmp_path: Path) -> None:
    lines = b"".join(b"a" * 2000 + b"! %d\n" % number for number in range(100))
    with open_bundle(built({"a.txt": lines}, tmp_path)) as bundle:
        start = time.process_time()
        assert () == grep(bundle, "(a+)+$", limit=9, regex=True).matches
        assert () == grep(bundle, "(a|a)*b", limit=9, regex=True).matches
        assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(", r"cannot be used: missing \)"),
        ("a**", "cannot be used: bad repetition operator"),
        (r"(a)\1", "cannot be used: invalid escape sequence"),
        ("(?=a)", "cannot be used: invalid perl operator"),
        ("\udc80", "cannot be used: it is no text"),
        ("a{1000}{1000}", "cannot be used: bad repetition operator"),
        ("(?:a{500}){500}", "cannot be used"),
        (r"\pL{100}", "a program of .* steps; at most 2500"),
        ("a" * 1001, "has 1001 characters; at most 1000"),
        ("(?i-m)a", "turns the flag m off"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused_by_what_is_wrong_with_it(pattern: str, message: str, bundle: Bundle) -> None:
    with pytest.raises(UsageError, match=message):
        grep(bundle, pattern, limit=1, regex=True)


@pytest.mark.parametrize("pattern", [r"\Aa", r"a\z", r"a\Cb", r"\\\\\C"])
def test_a_pattern_cannot_look_beyond_its_line(bundle: Bundle, pattern: str) -> None:
    with pytest.raises(UsageError, match="line by line") as caught:
        grep(bundle, pattern, limit=9, regex=True)
    assert "REGEX_INVALID" == caught.value.code
    assert grep(bundle, r"\\Ax|import", limit=9, regex=True).matches


def test_a_class_of_letters_is_not_too_large(bundle: Bundle) -> None:
    assert grep(bundle, r"def \p{L}+", limit=9, regex=True).matches


def test_patterns_need_their_engine_and_texts_do_not(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    assert grep(bundle, "def", limit=1).matches
    with pytest.raises(MissingExtra, match="'regex' extra"):
        grep(bundle, "def", limit=1, regex=True)


def test_a_search_for_a_text_loads_neither_an_engine_nor_numpy(pantry_bundle: Path) -> None:
    script = """
import sys
from pathlib import Path
from hardtack.bundle.reader import open_bundle
from hardtack.query.files.grep import grep
assert grep(open_bundle(Path(sys.argv[1])), "def", limit=1).matches
print([name for name in ("re2", "numpy", "faiss") if name in sys.modules])
"""
    printed = subprocess.run([sys.executable, "-c", script, str(pantry_bundle)], capture_output=True, text=True, check=True)
    assert "[]\n" == printed.stdout


@pytest.mark.skipif(shutil.which("grep") is None, reason="grep is not installed")
def test_lines_are_those_of_grep_over_this_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    from literal_oracle import check

    shutil.copytree(ROOT / "src" / "hardtack" / "query", tmp_path / "query", ignore=shutil.ignore_patterns("__pycache__"))
    assert 0 == check(tmp_path / "query", 30, 1, names_skipped=False)
