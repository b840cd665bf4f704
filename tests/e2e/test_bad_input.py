"""Bad input to the command line: one sentence that names the thing, a remedy, the documented exit code, nothing half-written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from checkouts import write
from processes import Run

from hardtack.bundle.format.digest import canonical_json, digest_of

_HARDTACK = [sys.executable, "-P", "-m", "hardtack"]
_NOBODY = 65534
_PROGRESS = re.compile(r"hardtack: [\d,]+(?: of [\d,]+)? files, ")
"""A line of a build's progress, which one gets that takes more than ten seconds."""


def _assert_refused(done: subprocess.CompletedProcess[str], code: int, *named: object) -> None:
    """Left with ``code``, said one sentence that holds each of ``named``, then at most a remedy, and nothing on standard output."""
    lines = done.stderr.splitlines()
    sentence, *remedy = [line for line in lines if not _PROGRESS.match(line)]
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert sentence.startswith("hardtack: "), done.stderr
    assert sentence.endswith("."), done.stderr
    assert [name for name in map(str, named) if name not in done.stderr] == []
    assert all(line.startswith("  ") for line in remedy), done.stderr
    assert "Traceback" not in done.stderr


def _tree(root: Path, files: dict[str, bytes]) -> Path:
    write(root, files)
    root.mkdir(exist_ok=True)
    return root


# -- build ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["missing", "file"])
def test_a_source_that_is_no_directory_is_named(run: Run, tmp_path: Path, what: str) -> None:
    source = tmp_path / "source"
    if what == "file":
        source.write_text("x = 1\n")
    _assert_refused(run("build", source, "-o", tmp_path / "bundle"), 4, source)
    assert not (tmp_path / "bundle").exists()


@pytest.mark.parametrize(
    "files", [{}, {"logo.png": b"\x89PNG\r\n\x1a\n\0\0\0", "data.bin": bytes(range(256))}], ids=["empty", "binaries"]
)
def test_a_tree_with_nothing_to_index_gives_no_bundle(run: Run, tmp_path: Path, files: dict[str, bytes]) -> None:
    source = _tree(tmp_path / "source", files)
    _assert_refused(run("build", source, "-o", tmp_path / "site" / "bundle"), 4, source, "nothing to index")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["source"]
    _assert_refused(run("build", source), 4, source)
    assert sorted(path.name for path in source.iterdir()) == sorted(files)


def test_an_output_place_with_a_users_file_is_left_alone(run: Run, repository: Path, tmp_path: Path) -> None:
    place = _tree(tmp_path / "place", {"letter.txt": b"dear reader\n"})
    _assert_refused(run("build", repository, "-o", place), 2, place, "neither empty nor a Hardtack bundle")
    assert {path.name: path.read_bytes() for path in place.iterdir()} == {"letter.txt": b"dear reader\n"}
    assert [path.name for path in tmp_path.iterdir()] == ["place"]


def test_a_bundle_to_which_a_user_added_a_file_is_not_replaced(run: Run, repository: Path, bundle: Path) -> None:
    (bundle / "letter.txt").write_bytes(b"dear reader\n")
    _assert_refused(run("build", repository, "-o", bundle), 2, bundle)
    assert (bundle / "letter.txt").read_bytes() == b"dear reader\n"


def test_an_output_place_that_is_a_file_is_left_alone(run: Run, repository: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.write_bytes(b"dear reader\n")
    _assert_refused(run("build", repository, "-o", place), 2, place)
    assert place.read_bytes() == b"dear reader\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_an_output_place_that_may_not_be_written_is_a_disk_error() -> None:
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        source = _tree(Path(place, "source"), {"a.py": b"def name():\n    return 1\n"})
        _assert_refused(_build_as_nobody(source, Path(place, "bundle")), 5, place)
        assert [path.name for path in Path(place).iterdir()] == ["source"]


def _build_as_nobody(source: Path, place: Path) -> subprocess.CompletedProcess[str]:
    """A build by a process that may read everything, as an interpreter in root's home must be read, and write nothing of root's."""
    rights = [f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", "--ambient-caps=-all,+dac_read_search"]
    command = ["setpriv", *rights, "--inh-caps=-all,+dac_read_search", *_HARDTACK, "build", str(source), "-o", str(place)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    "room", ["64 KiB", "4 MiB", "12 pages short", "9 pages short", "6 pages short", "3 pages short", "3 inodes", "9 inodes"]
)
def test_a_full_disk_leaves_nothing_behind(repository: Path, built: Path, tmp_path: Path, room: str) -> None:
    if os.environ.get("HARDTACK_TEST_NO_MOUNT") == "1":
        pytest.skip("HARDTACK_TEST_NO_MOUNT says that mounting is not permitted here")
    pages = sum(-(-path.stat().st_size // 4096) for path in built.rglob("*") if path.is_file())
    number, unit, *_ = room.split()
    sizes = {"KiB": int(number) << 10, "MiB": int(number) << 20, "pages": (pages - int(number)) << 12}
    limit = f"nr_inodes={number}" if unit == "inodes" else f"size={sizes[unit]}"
    disk = tmp_path / "disk"
    disk.mkdir()
    script = f'mount -t tmpfs -o {limit} tmpfs "$0" && "$@" -o "$0/bundle"; code=$?; ls -A "$0"; exit $code'
    command = ["unshare", "--mount", "sh", "-c", script, str(disk), *_HARDTACK, "build", str(repository)]
    _assert_refused(subprocess.run(command, capture_output=True, text=True, timeout=120), 5)


def test_a_build_over_its_size_limit_puts_nothing_in_place(run: Run, repository: Path, tmp_path: Path) -> None:
    _assert_refused(run("build", repository, "-o", tmp_path / "bundle", "--max-size", "10K"), 4, "--max-size")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_build_leaves_what_the_next_goes_on_from_and_says_130(repository: Path, tmp_path: Path) -> None:
    command = [*_HARDTACK, "build", str(repository), "-o", str(tmp_path / "bundle")]
    unblocked = ["env", "--default-signal=INT", *command]  # a test run in the background may have been told to ignore it
    process = subprocess.Popen(unblocked, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".*/bundle")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(process.pid, 2)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in said) == (130, False), said
    assert {path.name for path in tmp_path.iterdir()} <= {".hardtack-journal-bundle"}


# -- bundles --------------------------------------------------------------------------------------------------------------------

_READERS = [("search", "name"), ("verify",), ("stats",), ("cat", "logo.png")]


@pytest.mark.parametrize("verb", _READERS, ids=lambda verb: verb[0])
def test_a_missing_bundle_is_named_with_the_way_to_build_one(run: Run, tmp_path: Path, verb: tuple[str, ...]) -> None:
    _assert_refused(run(*verb, "-b", tmp_path / "none"), 3, tmp_path / "none", "hardtack build")


@pytest.mark.parametrize("verb", _READERS, ids=lambda verb: verb[0])
def test_no_bundle_near_is_named_with_the_way_to_build_one(run: Run, tmp_path: Path, verb: tuple[str, ...]) -> None:
    _assert_refused(run(*verb, cwd=tmp_path), 3, tmp_path, "hardtack build")


def test_a_foreign_directory_is_no_bundle(run: Run, tmp_path: Path) -> None:
    place = _tree(tmp_path / "place", {"letter.txt": b"dear reader\n"})
    _assert_refused(run("search", "name", "-b", place), 3, place, "hardtack build")


@pytest.mark.parametrize("verb", [("search", "name"), ("verify",), ("stats",)], ids=lambda verb: verb[0])
def test_a_bundle_cut_short_is_refused_by_every_verb(run: Run, bundle: Path, verb: tuple[str, ...]) -> None:
    os.truncate(bundle / "text.blocks", (bundle / "text.blocks").stat().st_size - 1)
    _assert_refused(run(*verb, "-b", bundle), 3, bundle, "text.blocks")


def test_a_damaged_bundle_names_every_fault(run: Run, bundle: Path) -> None:
    os.truncate(bundle / "text.blocks", 0)
    (bundle / "NOTICE").unlink()
    (bundle / "stray").write_bytes(b"")
    _assert_refused(run("verify", bundle), 3, "text.blocks", "NOTICE", "stray")


def test_an_unknown_format_version_says_what_is_read_and_what_to_do(run: Run, bundle: Path) -> None:
    document = {**json.loads((bundle / "manifest.json").read_bytes()), "format_version": 1000, "self": ""}
    document["self"] = digest_of(canonical_json(document))
    (bundle / "manifest.json").write_bytes(canonical_json(document))
    _assert_refused(run("search", "name", "-b", bundle), 3, "1000", "Install a newer Hardtack.")


def test_another_bundle_than_the_one_asked_for_is_refused(run: Run, built: Path) -> None:
    wanted = "sha256:" + "0" * 64
    _assert_refused(run("search", "name", "-b", built, "--digest", wanted), 3, wanted)
    _assert_refused(run("search", "name", "-b", built, "--digest", "0" * 64), 2, "digest")


# -- queries --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["  "], "query is empty"),
        (["x" * 65_537], "65537"),
        (["name", "-n", "0"], "limit of 0"),
        (["name", "--lang", "klingon"], "klingon"),
        (["name", "--kind", "gadget"], "gadget"),
    ],
)
def test_a_query_that_means_nothing_is_a_usage_error(run: Run, built: Path, arguments: list[str], named: str) -> None:
    _assert_refused(run("search", "-b", built, *arguments), 2, named)


@pytest.mark.parametrize(
    "arguments", [["search"], ["search", "name", "--mode", "psychic"], ["search", "name", "--colour"], ["seek"]]
)
def test_a_command_line_that_means_nothing_says_how_it_is_used(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (2, "", False)
    assert done.stderr.startswith("hardtack: ")
    assert "\n  Run: hardtack" in done.stderr


def test_nothing_found_is_1_and_no_error(run: Run, built: Path) -> None:
    done = run("search", "-b", built, "--mode", "keyword", "zzyzxqwv")
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["search", "name", "--json", "-b", "none"], 3, "BUNDLE_NOT_FOUND"),
        (["search", "name", "--format", "json", "-b", "none"], 3, "BUNDLE_NOT_FOUND"),
        (["search", " ", "--format=jsonl", "-b", "BUILT"], 2, "QUERY_EMPTY"),
        (["search", "name", "--json", "--mode", "psychic"], 2, "USAGE"),
        (["search", "--json"], 2, "USAGE"),
        (["verify", "none", "--json"], 3, "BUNDLE_NOT_FOUND"),
    ],
)
def test_an_error_under_json_is_one_object_on_standard_error(
    run: Run, built: Path, arguments: list[str], code: int, error: str
) -> None:
    done = run(*(str(built) if argument == "BUILT" else argument for argument in arguments))
    assert (done.returncode, done.stdout) == (code, "")
    document = json.loads(done.stderr)
    assert (document["schema"], document["error"]["code"]) == ("hardtack.error/1", error)


# -- the terminal ---------------------------------------------------------------------------------------------------------------


def test_colour_is_for_terminals_and_for_those_who_ask(run: Run, built: Path) -> None:
    search = ["search", "manifest", "-b", str(built)]
    colours = {
        "pipe": run(*search),
        "always": run(*search, "--color", "always"),
        "never": run(*search, "--color", "never"),
        "terminal": _on_terminal([*_HARDTACK, *search]),
        "NO_COLOR": _on_terminal([*_HARDTACK, *search], NO_COLOR="1"),
    }
    assert {how: done.returncode for how, done in colours.items()} == dict.fromkeys(colours, 0)
    assert {how for how, done in colours.items() if "\x1b[" in done.stdout} == {"always", "terminal"}


def _on_terminal(command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    """The command with standard output on a pseudo-terminal."""
    controller, terminal = os.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"} | variables
    process = subprocess.Popen(command, stdout=terminal, stderr=subprocess.DEVNULL, env=environment)
    os.close(terminal)
    said = b""
    try:
        while data := os.read(controller, 1 << 16):
            said += data
    except OSError:
        pass  # how a terminal says that its other end is closed
    os.close(controller)
    return subprocess.CompletedProcess(command, process.wait(60), said.decode(), "")


@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_reader_that_closes_the_pipe_is_no_error(built: Path, format_: str) -> None:
    script = '"$@" | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"'
    command = ["bash", "-c", script, "bash", *_HARDTACK, "search", "manifest", "-n", "100", "--format", format_, "-b", str(built)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize("verb", [["search", "manifest", "--format", "json"], ["ls"], ["stats"], ["grep", "e"]])
def test_a_reader_that_has_gone_before_anything_was_written_is_no_error(verb: list[str], built: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*_HARDTACK, *verb, "-b", str(built)], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_a_bundle_says_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    source = _tree(tmp_path / "source", {"a.py": b"def steer():\n    return '\x1b]0;title\x07'\n", "\x1b[31m.py": b"x = 1\n"})
    built = run("build", source, "-o", tmp_path / "bundle", "--verbose")
    found = run("search", "steer", "-b", tmp_path / "bundle")
    assert (built.returncode, found.returncode) == (0, 0), built.stderr + found.stderr
    assert "title" in found.stdout
    assert [sign for sign in "\x1b\x07" if sign in built.stderr + found.stdout + found.stderr] == []
