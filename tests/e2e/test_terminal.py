"""Answers on a real terminal: widths, colours, links, the pager, and what a hostile bundle may do there."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkouts import commit, init, write
from terminals import Seen, on_a_terminal

from hardtack.build.pipeline import BuildOptions, build_bundle

HARDTACK = [sys.executable, "-P", "-m", "hardtack"]
VERBS = {
    "callers": ["put"],
    "define": ["Shelf"],
    "impact": ["Shelf.put"],
    "explain": ["oldest jar", "--where", "README.md"],
    "explore": ["who calls Shelf.put"],
    "exports": ["label"],
    "function": ["take_oldest"],
    "history": ["README.md"],
    "implementations": ["Printer"],
    "list": [],
    "map": [],
    "references": ["Jar"],
    "stats": [],
    "status": [],
}
LISTS = {"callers", "exports", "implementations", "references"}
LONGEST = 40
"""Characters of the longest word of these answers that must be whole at 60 columns; digests are longer."""


@pytest.fixture(scope="module")
def checkout(pantry: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the pantry's checkout with a bundle of its own."""
    root = tmp_path_factory.mktemp("terminal") / "pantry"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(pantry), str(root)], check=True)
    build_bundle(root, root / ".hardtack" / "bundle", BuildOptions(jobs=1, history=5))
    return root


def _shown(checkout: Path, verb: str, columns: int, *more: str, **variables: str | None) -> Seen:
    bundle = ["-b", str(checkout / ".hardtack" / "bundle")]
    command = [*HARDTACK, verb, *VERBS.get(verb, []), *bundle, *more]
    return on_a_terminal(command, columns, variables={"HARDTACK_AS_BUILT": "1", **variables})


def _piped(checkout: Path, verb: str, *more: str, **variables: str) -> bytes:
    command = [*HARDTACK, verb, *VERBS.get(verb, []), "-b", str(checkout / ".hardtack" / "bundle"), *more]
    without = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CLICOLOR_FORCE")}
    return subprocess.run(command, capture_output=True, check=True, env=without | {"HARDTACK_AS_BUILT": "1"} | variables).stdout


@pytest.mark.parametrize("columns", [60, 200])
@pytest.mark.parametrize("verb", VERBS)
def test_no_answer_is_wider_than_the_terminal_and_no_word_is_broken(checkout: Path, verb: str, columns: int) -> None:
    seen = _shown(checkout, verb, columns, "--no-pager")
    assert 0 == seen.code, seen.text
    assert max(map(len, seen.lines)) <= columns
    # what rich wrapped is no longer than the terminal, so the terminal wrapped nothing itself
    printed = re.sub(rb"\x1b\][^\x1b]*\x1b\\|\x1b\[[0-9;]*m", b"", seen.raw).decode().split("\r\n")
    assert [line.rstrip() for line in printed if line.strip()] == [line for line in seen.lines if line.strip()]
    source = _piped(checkout, verb, "--format", "text" if verb in LISTS else "markdown").decode()
    words = {word for word in re.findall(r"[A-Za-z_][\w./-]*\w", source) if len(word) <= LONGEST}
    missing = {word for word in words if word not in seen.text} - {"sha256"}
    times = {word for word in missing if re.search(r"\d", word)}  # times differ from run to run
    assert set() == missing - times - {"python", "text", "go", "typescript"}, seen.text  # languages of fences


@pytest.mark.parametrize("columns", [60, 200])
def test_a_comparison_fits_as_well(checkout: Path, tmp_path: Path, columns: int) -> None:
    root = tmp_path / "pantry"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(checkout), str(root)], check=True)
    shelf = root / "src/pantry/shelf.py"
    shelf.write_text(shelf.read_text().replace("def put(self, jar: Jar)", "def put(self, jar: Jar, at: int)"))
    build_bundle(root, tmp_path / "bundle", BuildOptions(jobs=1, worktree=True))
    bundles = [str(checkout / ".hardtack" / "bundle"), str(tmp_path / "bundle")]
    seen = on_a_terminal([*HARDTACK, "diff", *bundles, "--any-repository", "--no-pager"], columns)
    assert max(map(len, seen.lines)) <= columns
    assert "(parameter-required-added)" in seen.text
    assert b"\x1b[1m" in seen.raw


@pytest.mark.parametrize("verb", VERBS)
def test_twenty_columns_lose_nothing(checkout: Path, verb: str) -> None:
    seen = _shown(checkout, verb, 20, "--no-pager")
    assert 0 == seen.code
    assert max(map(len, seen.lines)) <= 20


def test_code_is_highlighted_and_names_and_places_stand_out(checkout: Path) -> None:
    raw = _shown(checkout, "function", 80, "--no-pager").raw
    assert re.search(rb"\x1b\[9[0-9]mdef\x1b\[0m", raw)
    assert re.search(rb"\x1b\[1mtake_oldest\x1b\[0m", raw)


def test_a_pipe_gets_lines_without_escape_sequences(checkout: Path) -> None:
    piped = _piped(checkout, "references")
    assert b"\x1b" not in piped
    assert all(re.match(r"[^:]+:\d+:(\d+:)? ", line) for line in piped.decode().splitlines())


VIM = shutil.which("vim") or shutil.which("vim.tiny")


@pytest.mark.skipif(not VIM, reason="reads the list with vim, which is not installed")
@pytest.mark.parametrize("errorformat", ["%f:%l:%c:%m", ""], ids=["strict", "vim's own"])
@pytest.mark.parametrize("verb", ["callers", "exports", "implementations", "references"])
def test_vim_goes_through_a_list_as_through_errors_of_a_compiler(
    checkout: Path, tmp_path: Path, verb: str, errorformat: str
) -> None:
    (tmp_path / "list").write_bytes(_piped(checkout, verb))
    listed = "[bufname(v:val.bufnr), v:val.lnum, v:val.col, v:val.text]"
    strict = ["-c", f"set errorformat={errorformat} | cgetfile {tmp_path}/list"] if errorformat else ["-q", f"{tmp_path}/list"]
    written = ["-c", f"call writefile([json_encode(map(getqflist(), '{listed}'))], '{tmp_path}/read')", "-c", "qa!"]
    subprocess.run(
        [str(VIM), "-u", "NONE", "-i", "NONE", "-es", *strict, *written], cwd=checkout, stdin=subprocess.DEVNULL, check=True
    )
    lines = (tmp_path / "list").read_text().splitlines()
    parsed = [re.fullmatch(r"(.+?):(\d+):(\d+):(.*)", line) for line in lines]
    expected = [[each[1], int(each[2]), int(each[3]), each[4]] for each in parsed if each]
    assert len(lines) == len(expected) >= 1
    assert expected == json.loads((tmp_path / "read").read_text())


# -- links --------------------------------------------------------------------------------------------------------------------


def test_places_link_to_the_file_and_line_of_the_checkout(checkout: Path) -> None:
    links = _shown(checkout, "references", 80, "--no-pager").links
    places = [tuple(line.split(":")[:2]) for line in _piped(checkout, "references").decode().splitlines()]
    host = os.uname().nodename
    assert {f"file://{host}{checkout}/{path}#{line}" for path, line in places} <= set(links)
    assert {f"file://{host}{checkout}/{path}" for path, _ in places} <= set(links)


def test_the_place_of_a_definition_is_a_link(checkout: Path) -> None:
    links = _shown(checkout, "define", 80, "--no-pager").links
    assert [f"file://{os.uname().nodename}{checkout}/src/pantry/shelf.py#29"] == links[:1]


def test_without_a_checkout_places_link_to_the_page_of_the_commit(tmp_path: Path) -> None:
    root = tmp_path / "source"
    commit(init(write(root, {"a b/jar.py": b"class Jar:\n    pass\n\n\nJar()\n"})), "a jar")
    build_bundle(root, tmp_path / "bundle", BuildOptions(jobs=1, profile="keyword", repository="github.com/pantry/jars"))
    command = [*HARDTACK, "define", "Jar", "-b", str(tmp_path / "bundle"), "--no-pager"]
    (link,) = on_a_terminal(command, 80, variables={"HARDTACK_AS_BUILT": "1"}).links
    assert re.fullmatch(r"https://github.com/pantry/jars/blob/[0-9a-f]{40}/a%20b/jar.py#L1", link)


# -- what the user says -------------------------------------------------------------------------------------------------------


def _colours(seen: Seen) -> list[bytes]:
    return [each for each in seen.escapes if re.fullmatch(rb"\x1b\[(?:\d+;)*(?:3[0-7]|9[0-7])(?:;\d+)*m", each)]


@pytest.mark.parametrize("verb", ["define", "references", "stats"])
def test_no_color_takes_the_colours_and_leaves_the_shape(checkout: Path, verb: str) -> None:
    coloured, plain = _shown(checkout, verb, 80, "--no-pager"), _shown(checkout, verb, 80, "--no-pager", NO_COLOR="1")
    assert [] == _colours(plain)
    assert plain.lines == coloured.lines == _shown(checkout, verb, 80, "--no-pager", "--color", "never").lines
    assert _colours(coloured) or verb == "stats"
    assert _colours(_shown(checkout, "define", 80, "--no-pager", NO_COLOR=""))  # as no-color.org has it


@pytest.mark.parametrize("verb", ["define", "references", "stats"])
def test_a_dumb_terminal_gets_what_a_pipe_gets(checkout: Path, verb: str) -> None:
    seen = _shown(checkout, verb, 80, TERM="dumb")
    assert set() == seen.escapes
    assert _piped(checkout, verb) in seen.raw.replace(b"\r\n", b"\n")


def test_colours_can_be_forced_into_a_pipe(checkout: Path) -> None:
    assert b"\x1b[35m" in _piped(checkout, "references", CLICOLOR_FORCE="1")
    assert b"\x1b" not in _piped(checkout, "references", CLICOLOR_FORCE="0")
    assert b"\x1b" not in _piped(checkout, "references", CLICOLOR_FORCE="1", NO_COLOR="1")
    assert b"\x1b[35m" in _piped(checkout, "references", "--color", "always")


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "latin-1"])
@pytest.mark.parametrize("verb", ["define", "references", "stats", "explain"])
def test_no_code_page_is_too_small(checkout: Path, verb: str, encoding: str) -> None:
    seen = _shown(checkout, verb, 80, "--no-pager", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert 0 == seen.code
    assert "Error" not in seen.text
    assert _piped(checkout, verb, PYTHONIOENCODING=encoding)


def test_what_is_longer_than_the_screen_goes_through_the_users_pager(checkout: Path, tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    pager.write_text('#!/bin/sh\necho "LESS=$LESS"\nsed "s/^/> /"\n')
    pager.chmod(0o755)
    seen = _shown(checkout, "stats", 80, PAGER=str(pager))
    assert "LESS=FRX" == seen.lines[0]
    assert any(line.startswith("> ") for line in seen.lines)
    assert "LESS=M" == _shown(checkout, "stats", 80, PAGER=str(pager), LESS="M").lines[0]
    assert not any(line.startswith("> ") for line in _shown(checkout, "stats", 80, "--no-pager", PAGER=str(pager)).lines)
    assert not any(line.startswith("> ") for line in _shown(checkout, "callers", 80, PAGER=str(pager)).lines)
    assert "> " not in _shown(checkout, "stats", 80, PAGER="").text
    for verb, asked in (("search", "shelf"), ("grep", "e"), ("similar", "src/pantry/shelf.py:46")):
        assert "LESS=FRX" == _shown(checkout, verb, 80, asked, PAGER=str(pager)).lines[0]


# -- builds -------------------------------------------------------------------------------------------------------------------


def _many(root: Path, count: int) -> Path:
    lines = "".join(f"def f{number}(a):\n    return a + {number}\n\n\n" for number in range(40))
    return write(root, {f"d{number % 10}/m{number}.py": f"{lines}# {number}\n".encode() for number in range(count)})


def test_a_build_shows_a_bar_with_rate_and_remaining_time_and_takes_it_away(tmp_path: Path) -> None:
    command = [*HARDTACK, "build", str(_many(tmp_path / "tree", 300)), "-o", str(tmp_path / "bundle"), "-j", "1"]
    seen = on_a_terminal(command, 80)
    assert 0 == seen.code, seen.text
    bars = re.findall(rb"\xe2\x94\x81.*?(\d+ of 300 files, \d+ a second, \d+ s left)", seen.raw)
    assert 3 <= len(set(bars))
    assert b"\x1b[?25h" in seen.raw.rpartition(b"files, ")[0] + seen.raw[-2000:]
    assert "a second" not in seen.text  # the summary alone stays
    narrow = on_a_terminal([*command, "--base", "none"], 20)
    assert max(map(len, narrow.lines)) <= 20
    dumb = on_a_terminal([*command, "--base", "none"], 80, variables={"TERM": "dumb"})
    assert set() == dumb.escapes


def test_a_build_that_is_interrupted_says_what_is_kept_and_goes_on_from_there(tmp_path: Path) -> None:
    tree, bundle = _many(tmp_path / "tree", 500), tmp_path / "bundle"
    variables = {**os.environ, "HARDTACK_CACHE": str(tmp_path / "cache")}
    command = [*HARDTACK, "build", str(tree), "-o", str(bundle), "-j", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=variables, start_new_session=True) as process:
        while not any(each.stat().st_size > 50_000 for each in tmp_path.glob("*journal*")):
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate()
    said = "hardtack: interrupted. The files that were analysed are kept: the same command goes on from there."
    assert (130, said) == (process.returncode, errors.strip())
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=variables)
    assert re.search(r"[1-9]\d* .*interrupted", done.stderr), done.stderr


# -- hostile bundles ----------------------------------------------------------------------------------------------------------

EVIL = "\x1b]0;owned\x07\x1b[2J\x1b]8;;https://evil.example/\x1b\\here\x1b]8;;\x1b\\\x9b31m\u202e"
HOSTILE = {
    "a[bold red]b.py": f'class Jar:\n    """[link=https://evil.example]x[/link] {EVIL} [x](https://evil.example) <b>"""\n\n'
    f'    def put(self, jar="{EVIL}"):\n        return "[blink]{EVIL}"  # {EVIL}\n\n\nJar().put("[/]{EVIL}")\n',
    "[x](https:/evil.example).py": "from ab import Jar\n\n\nclass Lid(Jar):\n    pass\n\n\nJar().put(1)\n",
}
ALLOWED = re.compile(rb"\x1b\[[0-9;]*m|\x1b\]8;[^;\x1b]*;(?:file://[!-~]*)?\x1b\\")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile") / "tree"
    commit(init(write(root, {path: text.encode() for path, text in HOSTILE.items()})), f"[bold]{EVIL}".replace("\n", " "))
    build_bundle(root, root / ".hardtack" / "bundle", BuildOptions(jobs=1, history=5))
    return root


@pytest.mark.parametrize(
    "asked",
    [
        *(["define", "Jar"], ["function", "put"], ["references", "Jar"], ["callers", "put"], ["implementations", "Jar"]),
        *(["explain", "jar"], ["stats"], ["map"], ["explore", "Jar.put"], ["history", "Jar"], ["list"], ["define", f"Jar{EVIL}"]),
        *(["exports", "a[bold red]b"], ["search", "jar"], ["grep", "jar"], ["ls"], ["cat", "a[bold red]b.py"]),
    ],
    ids=lambda asked: asked[0],
)
def test_nothing_that_a_bundle_holds_is_obeyed_by_the_terminal(hostile: Path, asked: list[str]) -> None:
    command = [*HARDTACK, *asked, "-b", str(hostile / ".hardtack" / "bundle")]
    command += [] if asked[0] == "cat" else ["--no-pager"]
    seen = on_a_terminal(command, 80, variables={"HARDTACK_AS_BUILT": "1"})
    assert seen.code in (0, 1), seen.text
    assert set() == {each for each in seen.escapes if not ALLOWED.fullmatch(each)}
    assert not re.search(rb"\x07|\xc2\x9b|\xe2\x80\xae", seen.raw)
    assert not [link for link in seen.links if not link.startswith("file://")]


def test_markup_in_a_bundle_is_shown_as_it_is_written(hostile: Path) -> None:
    bundle = ["-b", str(hostile / ".hardtack" / "bundle"), "--no-pager"]
    variables = {"HARDTACK_AS_BUILT": "1"}
    text = on_a_terminal([*HARDTACK, "function", "put", *bundle], 160, variables=variables).text
    assert "[blink]" in text
    assert "a[bold red]b.py:4" in text
    assert "[/]" in on_a_terminal([*HARDTACK, "callers", "put", *bundle], 160, variables=variables).text
    assert (
        "[link=https://evil.example]x[/link]" in on_a_terminal([*HARDTACK, "define", "Jar", *bundle], 160, variables=variables).text
    )
