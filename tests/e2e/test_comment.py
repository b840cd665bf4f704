"""A pull request's comment, by the steps of both actions: written, edited, left, removed; forks, hostile names and artifacts."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from github import Pull, Repository, Run, zip_of
from markdown_it import MarkdownIt
from projects import Project, project_running
from runner import Ran

from hardtack.comment.note import LIMIT, NAME
from hardtack.comment.rendering import MARKER, MOST_LINES

API = b"def keep(jar, lid):\n    return jar\n\n\ndef open_lid(jar):\n    return jar\n"
BROKEN = b"def keep(jar):\n    return jar\n\n\ndef label(jar):\n    return jar\n"
TEST = b"from kitchen.cook import cook\n\n\ndef test_cooks():\n    assert cook()\n"
USER = b"from pantry.api import keep\n\n\ndef cook():\n    return keep(1, 2)\n"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """``octo/pantry`` with something that others can call."""
    with project_running(tmp_path) as made:
        made.commit({"pantry/__init__.py": b"", "pantry/api.py": API, "kitchen/cook.py": USER, "tests/test_cook.py": TEST})
        yield made


def _fork(project: Project) -> Repository:
    return project.github.add_repository("eve/pantry")


def _bodies(project: Project) -> list[str]:
    return [comment.body for comment in project.repository.comments]


def _done(ran: Ran) -> str:
    assert 0 == ran.code, ran.log
    return ran.log


@pytest.mark.parametrize("is_fork", [False, True], ids=["same repository", "fork"])
def test_a_comment_is_written_edited_left_as_it_is_and_removed(project: Project, *, is_fork: bool) -> None:
    project.open_pull("lids", {"pantry/api.py": BROKEN}, _fork(project) if is_fork else None)
    _done(project.build())
    assert "pull request 1: comment written" in _done(project.comment())
    ((first,),) = [_bodies(project)]
    assert first.startswith(MARKER)
    assert first.count("\n") <= MOST_LINES
    assert "**2 changes break callers**" in first
    said = html.unescape(first)
    for expected in (
        "function <code>keep</code> in <code>pantry/api.py:1</code>: parameter <code>lid</code> is gone",
        "function <code>open_lid</code> in <code>pantry/api.py:5</code>",
        "added function <code>label</code> in <code>pantry/api.py:5</code>",
        f"[This run](https://github.com/octo/pantry/actions/runs/{project.run.id if project.run else 0})",
        f"of <code>{project.pull.head_sha[:12] if project.pull else ''}</code>",
    ):
        assert expected in said
    assert "comment left as it is" in _done(project.comment())
    assert 0 == project.repository.comments[0].edits

    project.open_pull("lids", {"pantry/api.py": API + b"\n\ndef label(jar):\n    return jar\n"})
    _done(project.build())
    assert "comment edited" in _done(project.comment())
    ((second,),) = [_bodies(project)]
    assert "break" not in second
    assert "Public surface: 1 added" in second

    project.open_pull("lids", {"pantry/api.py": API})
    _done(project.build())
    assert "comment removed" in _done(project.comment())
    assert [] == _bodies(project)
    assert "no comment" in _done(project.comment())


def test_a_pull_request_with_nothing_to_say_gets_no_comment(project: Project) -> None:
    project.open_pull("words", {"pantry/api.py": b"# the pantry\n" + API, "notes.txt": b"more\n"})
    _done(project.build())
    assert "pull request 1: no comment" in _done(project.comment())
    assert [] == _bodies(project)


def test_the_comment_tells_whom_the_change_reaches_and_which_tests_to_run(project: Project) -> None:
    project.open_pull("lids", {"pantry/api.py": API.replace(b"return jar", b"return [jar]"), "kitchen/notes.py": b""})
    _done(project.build())
    _done(project.comment())
    (body,) = [html.unescape(body) for body in _bodies(project)]
    assert "Reaches 1 place and 1 file of tests" in body
    assert "function <code>cook</code> in <code>kitchen/cook.py:4</code>: 1 step, exact" in body
    assert "Tests to run: 1 of 1 file of tests" in body
    assert "<code>tests/test_cook.py</code>: 1 test (by references)" in body


def test_a_pull_request_of_tests_alone_gets_no_comment(project: Project) -> None:
    project.open_pull("more", {"tests/test_cook.py": TEST + b"\n\ndef test_more():\n    assert True\n"})
    _done(project.build())
    assert "no comment" in _done(project.comment())


def test_what_is_left_out_anew_is_worth_a_comment(project: Project) -> None:
    project.open_pull("large", {"large.py": bytes(1_100_000)})
    _done(project.build())
    _done(project.comment())
    (body,) = _bodies(project)
    assert "files: too large 1 (1 more than before)" in body


def test_the_job_that_reads_the_pull_request_needs_no_right_to_write(project: Project) -> None:
    project.open_pull("lids", {"pantry/api.py": BROKEN}, _fork(project))
    ran = project.build(github_token=project.github.token("read"))
    assert {"GET"} == {request.method for request in project.github.asked("api")}
    assert NAME in project.files
    assert ran.outputs["comment-path"].endswith(NAME)
    told = json.loads(project.files[NAME])
    assert (project.git("rev-parse", "main"), ran.outputs["commit"]) == (told["base"], told["head"])
    assert "number" not in told


def test_without_a_pull_request_or_the_wish_nothing_is_kept_for_a_comment(project: Project) -> None:
    project.build()
    assert NAME not in project.files
    project.open_pull("lids", {"pantry/api.py": BROKEN})
    ran = project.build(comment="false")
    assert NAME not in project.files
    assert ("", False) == (ran.outputs["comment-path"], "What this pull request changes" in ran.summary)


def test_without_its_base_in_the_checkout_the_job_goes_on_and_says_so(project: Project, tmp_path: Path) -> None:
    project.open_pull("lids", {"pantry/api.py": BROKEN})
    project.git("clone", "--quiet", "--no-local", "--depth=1", f"file://{project.checkout}", str(tmp_path / "shallow"))
    project.runner.workspace = tmp_path / "shallow"
    ran = project.build()
    assert 0 == ran.code, ran.log
    assert any("was not compared with its base" in message and "fetch-depth" in message for _, _, message in ran.annotations)
    assert NAME not in project.files
    assert "no note" in _done(project.comment())


def test_a_head_that_is_checked_out_is_compared_with_what_it_started_from(project: Project) -> None:
    project.open_pull("lids", {"pantry/api.py": BROKEN})
    started = project.git("rev-parse", "main")
    project.git("checkout", "--quiet", "lids")
    _done(project.build())
    told = json.loads(project.files[NAME])
    assert (started, 2) == (told["base"], told["breaks"])


# -- whose comment, and which pull request ------------------------------------------------------------------------------------


def test_comments_of_others_are_left_alone_whatever_they_begin_with(project: Project) -> None:
    project.open_pull("lids", {"pantry/api.py": BROKEN})
    others = [project.github.add_comment(project.repository, 1, login, f"{MARKER}\nmine") for login in ("eve", "evil[bot]")]
    others += [project.github.add_comment(project.repository, 1, "github-actions[bot]", "of another workflow")] * 1
    for _ in range(150):
        project.github.add_comment(project.repository, 1, "eve", "first!")
    _done(project.build())
    assert "comment written" in _done(project.comment())
    assert "comment left as it is" in _done(project.comment())
    assert [0, 0, 0] == [comment.edits for comment in others]
    assert 154 == len(project.repository.comments)


def test_of_two_comments_one_stays(project: Project) -> None:
    project.open_pull("lids", {"pantry/api.py": BROKEN})
    for _ in range(2):
        project.github.add_comment(project.repository, 1, "github-actions[bot]", f"{MARKER}\nolder")
    _done(project.build())
    assert "comment edited" in _done(project.comment())
    assert 1 == len(_bodies(project))


def _pull_of_other_branch(project: Project) -> Pull:
    return project.github.add_pull(project.repository, "other", "b" * 40)


def test_a_run_comments_on_the_pull_request_of_its_own_head_alone(project: Project) -> None:
    """An artifact of a fork's run cannot choose: not by what it holds, as no field of a note is a number of a pull request."""
    victim = _pull_of_other_branch(project)
    project.open_pull("lids", {"pantry/api.py": BROKEN}, _fork(project))
    assert project.pull and project.pull.number != victim.number
    _done(project.build())
    _done(project.comment())
    assert [project.pull.number] == [comment.number for comment in project.repository.comments]


def _moved_on(project: Project) -> None:
    assert project.pull
    project.pull.head_sha = "c" * 40


def _closed(project: Project) -> None:
    assert project.pull
    project.pull.state = "closed"


def _same_branch_elsewhere(project: Project) -> None:
    assert project.pull
    project.pull.head_repository = project.github.add_repository("eve/other")


def _twice(project: Project) -> None:
    assert project.pull
    project.github.add_pull(project.repository, project.pull.branch, project.pull.head_sha, project.pull.head_repository)


@pytest.mark.parametrize(
    ("change", "said"),
    [(_moved_on, "newer commits"), (_closed, "no open"), (_same_branch_elsewhere, "no open"), (_twice, "several open")],
    ids=["newer commits", "closed", "another repository of that owner", "two with one head"],
)
def test_where_the_pull_request_is_not_certain_nothing_is_written(
    project: Project, change: Callable[[Project], None], said: str
) -> None:
    project.open_pull("lids", {"pantry/api.py": BROKEN}, _fork(project))
    _done(project.build())
    change(project)
    assert said in _done(project.comment())
    assert [] == _bodies(project)


def test_runs_that_no_pull_request_started_are_refused(project: Project) -> None:
    project.build()
    assert project.run
    assert 6 == project.comment().code
    elsewhere = project.github.add_run(_fork(project), "d" * 40, event="pull_request")
    assert 6 == project.comment(elsewhere).code


def test_a_token_that_may_not_write_is_an_error_that_says_so(project: Project) -> None:
    project.open_pull("lids", {"pantry/api.py": BROKEN})
    _done(project.build())
    ran = project.comment(github_token=project.github.token("read"))
    assert (5, True) == (ran.code, "not accessible by integration" in ran.log)


# -- hostile artifacts --------------------------------------------------------------------------------------------------------


def _told(project: Project, **changes: Any) -> bytes:
    return json.dumps({**json.loads(project.files[NAME]), **changes}).encode()


def _two_files(project: Project) -> bytes:
    return zip_of({NAME: project.files[NAME], "more": b""})


def _stated_small(project: Project) -> bytes:
    """A zip whose directory says that its entry has ten bytes."""
    data = bytearray(zip_of({NAME: b" " * (LIMIT + 10)}))
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = (10).to_bytes(4, "little")
    return bytes(data)


def _directory(project: Project) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.mkdir("note")
    return made.getvalue()


ARTIFACTS: dict[str, Callable[[Project], bytes]] = {
    "too large": lambda project: b" " * (LIMIT + 8192),
    "too large a note": lambda project: b" " * (LIMIT + 1),
    "a bomb": lambda project: zip_of({NAME: bytes(64 << 20)}),
    "a bomb that lies": _stated_small,
    "several files": _two_files,
    "a directory": _directory,
    "a cut zip": lambda project: zip_of({NAME: project.files[NAME]})[:-30],
    "no JSON": lambda project: b"\x00\xff",
    "nothing": lambda project: b"",
    "deep JSON": lambda project: b"[" * 5_000,
    "a list": lambda project: b"[]",
    "a key twice": lambda project: project.files[NAME][:-1] + b',"breaks":1}',
    "an unknown field": lambda project: _told(project, number=1),
    "another schema": lambda project: _told(project, schema="hardtack.comment/2"),
    "a text that is too long": lambda project: _told(project, notes=["x" * 10_000]),
    "a list that is too long": lambda project: _told(project, notes=["x"] * 100),
    "a number that is text": lambda project: _told(project, breaks="1"),
    "a number below zero": lambda project: _told(project, breaks=-1),
    "a huge number": lambda project: _told(project, breaks=10**15),
    "no commit": lambda project: _told(project, base="main"),
    "a commit and a line": lambda project: _told(project, base="a" * 40 + "\n"),
    "a field missing": lambda project: json.dumps({"schema": "hardtack.comment/1"}).encode(),
}


@pytest.mark.parametrize("case", ARTIFACTS)
def test_an_artifact_that_is_no_note_is_refused_and_nothing_is_written(project: Project, case: str) -> None:
    run = _run_that_kept(project, ARTIFACTS[case])
    ran = project.comment(run)
    assert 6 == ran.code, ran.log
    assert [] == _bodies(project)
    assert "Traceback" not in ran.log
    assert len(ran.log) < 1_000
    assert ("unpacks to more" in ran.log) == (case == "a bomb")  # stopped on the way, not looked at afterwards


@pytest.mark.parametrize("name", ["../../../../tmp/hardtack-out", "/tmp/hardtack-out", "a\\..\\..\\b", "\x1b[31m"])
def test_no_name_in_a_zip_is_used(project: Project, tmp_path: Path, name: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    run = _run_that_kept(project, lambda project: zip_of({name: project.files[NAME]}))
    before = sorted(tmp_path.rglob("*"))
    assert "comment written" in _done(project.comment(run))
    made = {path.name for path in set(tmp_path.rglob("*")) - set(before)}
    assert set() == made - {"output", "summary", "script.sh"}
    assert not Path("/tmp/hardtack-out").exists()


def _run_that_kept(project: Project, content: Callable[[Project], bytes]) -> Run:
    """A run of a fork's pull request that kept that in place of its note."""
    project.files[NAME] = _minimal(project)
    head, fork = "e" * 40, _fork(project)
    project.github.add_pull(project.repository, "lids", head, fork)
    run = project.github.add_run(project.repository, head, event="pull_request", branch="lids", head_repository=fork)
    project.github.add_artifact(project.repository, run, NAME, content(project))
    return run


def _minimal(project: Project) -> bytes:
    """A note that is worth a comment, without a build."""
    built = {"bundle_digest": f"sha256:{'0' * 64}", "pack_digest": f"sha256:{'1' * 64}", "pack_bytes": 1, "files": 1, "symbols": 1}
    lists: dict[str, list[object]] = {name: [] for name in ("broken", "surface", "surfaced", "skipped", "secrets", "notes")}
    numbers = {"files_changed": 1, "breaks": 1, "may_break": 0, "surfaced_in_all": 0}
    note = {"schema": "hardtack.comment/1", "base": "a" * 40, "head": "b" * 40, "reach": None, "built": built, **lists, **numbers}
    return json.dumps(note).encode()


# -- hostile names ------------------------------------------------------------------------------------------------------------

NAMES = (
    "@everyone",
    "fixes #1 GH-1 octo/pantry#1",
    "![x](https://evil.example/x.png)",
    "[x](https://evil.example)",
    "https://evil.example www.evil.example eve@evil.example",
    "<img src=x onerror=alert(1)>",
    "</code></details><script>alert(1)</script>",
    "`` ` ``` ",
    "a|b\\|c",
    "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
    ":tada: **bold** ~~no~~ $x$",
    "\u202eevil\u2066",
    "\x1b[31mred\x1b[0m\x00",
    "line\n\n# heading\n- item",
    "::error::x ##[error]x",
    "\ud800",
    "&lt;b&gt; &#64;everyone",
)


def _hostile(value: Any, text: str) -> Any:
    """A note in whose every free text is that one."""
    if isinstance(value, dict):
        return {key: each if key in FIXED else _hostile(each, text) for key, each in value.items()}
    if isinstance(value, list):
        return [_hostile(each, text) for each in value]
    return text[:150] if isinstance(value, str) else value


FIXED = ("schema", "base", "head", "bundle_digest", "pack_digest", "rule", "certainty", "reason", "change")


@pytest.mark.parametrize("text", NAMES)
def test_hostile_words_in_every_field_of_a_note_mean_nothing(project: Project, text: str) -> None:
    place = {"kind": "", "name": "", "path": "", "line": 1}
    full = {
        "broken": [{"is_sure": True, **place, "rule": "removed", "says": ""}],
        "surface": [{"sort": "", "count": 1, "before": 0}],
        "surfaced": [{"change": "added", **place, "was": ""}],
        "skipped": [{"sort": "", "count": 1, "before": 0}],
        "secrets": [{"sort": "", "count": 1, "before": 0}],
        "notes": [""],
        "reach": {
            **dict.fromkeys(("reached", "entries", "test_files", "all_test_files", "unresolved"), 1),
            "is_whole": False,
            "shown": [{**place, "distance": 1, "certainty": "exact", "entry": ""}],
            "tests": [{"path": "", "tests": 1, "reason": "references"}],
        },
    }
    run = _run_that_kept(project, lambda project: json.dumps(_hostile({**json.loads(_minimal(project)), **full}, text)).encode())
    ran = project.comment(run)
    _done(ran)
    (body,) = _bodies(project)
    assert body.count("\n") <= MOST_LINES
    _assert_inert(body)


def _assert_inert(body: str) -> None:
    """Outside of code there are our words alone; in code, letters, digits, spaces and entities of visible characters."""
    shown = re.findall("<code>(.*?)</code>", body)
    assert all(re.fullmatch(r"(?:[A-Za-z0-9 ]|&#\d+;)*", text) for text in shown)
    assert all(each.isprintable() for text in shown for each in html.unescape(text))
    rest = re.sub("<code>.*?</code>", "", body)
    rest = re.sub(
        r"<!--[\w :-]*-->|</?(?:details|summary|sub)(?: open)?>|\[This run\]\(https://github\.com/octo/pantry/actions/runs/\d+\)",
        "",
        rest,
    )
    assert re.fullmatch(r"[A-Za-z0-9 .,:;()\n*#/-]*", rest), rest
    assert {"###", "**"} >= set(re.findall(r"#+|\*+", rest))
    assert not re.search(r"www\.|https?:|GH-\d|#\d|evil|everyone|deadbeef", rest)
    page = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(body)  # another's word for it
    elements = Counter(re.findall(r"<(?![/!])\s*(\w+)", page))
    assert {"h3", "p", "ul", "li", "details", "summary", "code", "strong", "sub", "a"} >= set(elements), elements
    assert 1 == elements["a"]
    assert len(shown) == elements["code"]


def test_hostile_names_in_a_checkout_mean_nothing_in_comment_and_summary(project: Project) -> None:
    files = [re.sub(r"[/\x00]", "_", name) for name in NAMES if "\ud800" not in name]
    named = {f"pkg/{name}.py": b"def keep(jar):\n    return jar\n" for name in files}
    many = {f"deep/folder_{number}/@team{number}.py": b"import pkg\n\n\ndef f(): ...\n" for number in range(40)}
    project.open_pull("names", {**named, **many, "pantry/api.py": BROKEN, 'large]"`.py': bytes(1_100_000)})
    ran = project.build()
    _done(ran)
    _done(project.comment())
    (body,) = _bodies(project)
    _assert_inert(body)
    outside = re.sub(r"<code>.*?</code>|```mermaid\n.*?\n```", "", ran.summary, flags=re.DOTALL)
    assert not re.search(r"evil|everyone|@team|\x1b|\u202e", outside)
    assert "\x1b" not in ran.summary
    for drawn in re.findall(r"```mermaid\n(.*?)\n```", ran.summary, flags=re.DOTALL):
        for line in drawn.splitlines()[1:]:
            assert re.fullmatch(
                r'  n\d+\["(?:[\w /.-]|#\d+;)+"\](?::::changed)?|  n\d+ -->\|\d+\| n\d+|  "(?:[\w /.-]|#\d+;)+" : \d+'
                r"|  classDef changed stroke:#d97706,stroke-width:3px",
                line,
            ), line


def test_a_note_of_nothing_but_long_names_still_fits_into_a_comment(project: Project) -> None:
    place = {"kind": "€" * 150, "name": "€" * 150, "path": "€" * 150, "line": 1}
    full = {
        "broken": [{"is_sure": True, **place, "rule": "removed", "says": "€" * 300}] * 7,
        "surfaced": [{"change": "added", **place, "was": "€" * 150}] * 5,
        "skipped": [{"sort": "€" * 150, "count": 1, "before": 0}] * 24,
    }
    run = _run_that_kept(project, lambda project: json.dumps({**json.loads(_minimal(project)), **full}).encode())
    _done(project.comment(run))
    (body,) = _bodies(project)
    assert body.count("\n") <= MOST_LINES
