"""Issues are told from questions by their text, and their lines by what they are."""

from __future__ import annotations

import time

import pytest

from hardtack.query.request.issue import Frame, Issue, Sort, read_issue

PYTHON = """LabelEncoder transform fails for empty lists
#### Description
Transforming an empty list works for `classes_` of numbers, but not for texts, see utils.validation.check_array() in the module.

#### Steps/Code to Reproduce
```python
>>> from sklearn.preprocessing import LabelEncoder
>>> le = LabelEncoder()
```
#### Actual Results
Traceback (most recent call last):
  File "<stdin>", line 1, in <module>
  File "[...]\\Python36\\lib\\site-packages\\sklearn\\preprocessing\\label.py", line 134, in transform
    return np.searchsorted(self.classes_, y)
  File "/usr/lib/numpy/core/fromnumeric.py", line 1075, in searchsorted
    return _wrapfunc(a, 'searchsorted', v)
TypeError: Cannot cast array data from dtype('float64')

#### Versions
Python 3.6.3
numpy: 1.17.0
"""


def _issue(text: str) -> Issue:
    issue = read_issue(text)
    assert issue is not None
    return issue


def _texts(issue: Issue, sort: Sort) -> list[str]:
    return list(issue.texts(sort))


@pytest.mark.parametrize(
    "text",
    ["where are hashes checked", "Shelf.put", "", "   \n", "fix the jar\nwhen it is full", "how is a shelf filled and " * 5],
    ids=["question", "name", "nothing", "blank", "two short lines", "a long question"],
)
def test_a_question_or_a_name_is_no_issue(text: str) -> None:
    assert read_issue(text) is None


@pytest.mark.parametrize(
    "text",
    [PYTHON, "it broke\n" + "some words of prose " * 10, "panic\n\tmain.go:12 +0x1d", "word " * 80],
    ids=["a whole issue", "several lines of prose", "a traceback alone", "one paragraph"],
)
def test_several_lines_of_prose_or_a_traceback_are_an_issue(text: str) -> None:
    assert read_issue(text) is not None


def test_each_line_of_an_issue_is_what_it_is() -> None:
    issue = _issue(PYTHON)
    assert "LabelEncoder transform fails for empty lists" == issue.title
    assert ["from sklearn.preprocessing import LabelEncoder", "le = LabelEncoder()"] == _texts(issue, Sort.CODE)[:2]
    assert ["TypeError: Cannot cast array data from dtype('float64')"] == _texts(issue, Sort.ERROR)
    assert {"Python 3.6.3", "numpy: 1.17.0", "#### Versions", "#### Description"} <= set(_texts(issue, Sort.TEMPLATE))
    assert ["LabelEncoder", "classes_", "utils.validation.check_array()"] == _texts(issue, Sort.NAME)
    assert 1 == len(_texts(issue, Sort.PROSE)) - _texts(issue, Sort.PROSE).count("Traceback (most recent call last):")


def test_the_frame_nearest_to_the_error_comes_first() -> None:
    frames = [frame.function for frame in _issue(PYTHON).frames]
    assert ["searchsorted", "transform", "<module>"] == frames


@pytest.mark.parametrize(
    ("line", "frame"),
    [
        ('  File "/a/b.py", line 3, in run', Frame("/a/b.py", 3, "run")),
        ("\tat com.google.gson.Gson.toJson(Gson.java:704)", Frame("com/google/gson/Gson.java", 704, "toJson")),
        ("    at Object.parse (/app/lib/parse.js:10:15)", Frame("/app/lib/parse.js", 10, "parse")),
        ("    at file:///app/lib/parse.mjs:10:15", Frame("/app/lib/parse.mjs", 10, "")),
        ("#3  0x0000555 in ZSTD_free (p=0x0) at lib/zstd.c:77", Frame("lib/zstd.c", 77, "ZSTD_free")),
        ("thread 'main' panicked at src/io/read.rs:12:5:", Frame("src/io/read.rs", 12, "")),
        ("\t/go/src/app/server.go:88 +0x1d", Frame("/go/src/app/server.go", 88, "")),
        ("lib/shelf.rb:12:in `put'", Frame("lib/shelf.rb", 12, "put")),
        ("   at App.Shelf.Put(Jar jar) in C:\\src\\Shelf.cs:line 41", Frame("C:\\src\\Shelf.cs", 41, "")),
    ],
    ids=["Python", "Java", "JavaScript", "JavaScript, a module", "gdb", "Rust", "Go", "Ruby", "C#"],
)
def test_frames_of_many_tools_are_known(line: str, frame: Frame) -> None:
    assert (frame,) == _issue(f"it fails\n{line}\n").frames


def test_a_fence_that_is_left_open_ends_at_the_next_heading() -> None:
    issue = _issue("title\n```sh\nrun it\n**Expected behaviour**\n" + "it should say so in plain words to whoever asks for it " * 3)
    assert 1 == len(_texts(issue, Sort.PROSE))


def test_links_and_patches_name_files() -> None:
    text = "title\nsee https://github.com/a/b/blob/main/src/jar.py#L3 and the words around it\n--- a/src/lid.py\n+++ b/src/lid.py\n"
    assert ("src/jar.py", "src/lid.py") == _issue(text + "word " * 30).files


def test_what_a_template_says_to_its_reader_is_no_part_of_an_issue() -> None:
    issue = _issue("title\n<!-- please search\nfirst -->\n- [x] I searched\n" + "it fails when the jar is on the shelf " * 5)
    assert "please" not in " ".join(part.text for part in issue.parts)
    assert ["- [x] I searched"] == _texts(issue, Sort.TEMPLATE)


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "<!--",
        "[",
        "a.",
        "at a ",
        "`",
        "/a",
        "#1 a(",
        " ",
        "a_",
        "1:",
        "<p ",
        "https://a/",
        "](a",
        "\\a",
        "> ",
        "a" * 999 + "\n",
    ],
)
def test_no_text_takes_long_to_read(piece: str) -> None:
    text = (piece * 65_000)[:65_000]
    began = time.process_time()
    read_issue(f"title\n{text}\n" + "word " * 40)
    read_issue(text)
    assert time.process_time() - began < 5.0
