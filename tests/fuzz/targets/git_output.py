"""What git prints, of a repository that an attacker made: listings, blobs, commits and the whole log with its patches.

``subprocess.Popen`` is replaced by one whose output waits in a pipe, so whoever starts git, and however its output is read, is
fuzzed without a process. A case is the reader's name and the git subcommand whose output is replaced, each with a line feed, and
that output; an exclamation mark after the subcommand has git fail. The seeds are what git says of a repository with odd paths.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, BinaryIO

from driver import Generator, Target, scratch
from mutations import in_text, number_of_digits

from hardtack.build.history.collect import PresentFiles, collect_from
from hardtack.build.history.commits import CommitsOfRepository
from hardtack.build.source import git as source_git
from hardtack.build.source.git import BlobReader, Repository, TreeEntry
from hardtack.build.source.limits import USUAL_LIMITS
from hardtack.bundle.format.records import SYMBOL_FIELDS
from hardtack.git import git_command

_REAL = subprocess.Popen
_WORDS = (
    *(b"\0", b"\n\0", b"\n\0\0", b"\t", b" ", b"-", b"BAD", b"blob", b"tree", b"commit", b"missing", b"ambiguous"),
    *(b"100644 ", b"120000 ", b"160000 ", b"040000 ", b"../", b"/", b"\\", b"\xff", b'"', b'\\"', b"\\377", b"\\0", b"\\"),
    *(b"\ndiff --git ", b"\n@@ -0,0 +1 @@", b"\n@@ -1,999999999 +999999999,999999999 @@", b"\n@@ -3 +2,0 @@", b"\nrename from a"),
    *(b"\nBinary files a and b differ", b"\n:100644 100644 ", b" R100\t", b" M\t", b" T\t", b"\n+", b"\n-", b"\\ No newline"),
    *(b"a" * 40, b"0" * 40, b"0" * 64, b"\r\n", b"\x1b[31m", b"\ncommitter a <b> -1 +0000", b"\nparent " + b"0" * 40),
)
_PIPE, _LARGEST_PIPE = 1 << 16, 1 << 20
_NOBODY = (1 << 22) + 1
"""No process has this number: it is above the largest that Linux gives."""
_DATES = {"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"}
_OUTPUTS: dict[tuple[str, ...], tuple[bytes, int]] = {}
"""What the real git said, by reader and arguments."""


def _subcommand(arguments: Sequence[str | bytes]) -> int:
    """Where in a command line git's subcommand is."""
    return next(
        place
        for place in range(1, len(arguments))
        if not os.fsencode(arguments[place]).startswith(b"-") and arguments[place - 1] != "-c"
    )


def _pipe_with(output: bytes) -> BinaryIO:
    """The reading end of a pipe that holds all of an output, and ends after it."""
    reader, writer = os.pipe()
    if len(output) > _PIPE:
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _LARGEST_PIPE)
    os.set_blocking(writer, False)
    os.write(writer, output[:_LARGEST_PIPE])
    os.close(writer)
    return os.fdopen(reader, "rb")


class _Git:
    """A process that prints what it is told to, with the parts of ``Popen`` that anybody uses."""

    answer: Callable[[list[str]], tuple[bytes, int]]

    def __init__(self, arguments: Sequence[str | bytes], **_: Any) -> None:
        self.args = arguments
        at = _subcommand(arguments)
        output, self._code = type(self).answer([os.fsdecode(each) for each in arguments[at:]])
        self.stdout, self.stderr = _pipe_with(output), _pipe_with(b"fatal: no\n" if self._code else b"")
        self.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "wb", buffering=0)
        self.returncode: int | None = None
        self.pid = _NOBODY

    def communicate(self, *_: Any, **__: Any) -> tuple[bytes, bytes]:
        output = self.stdout.read()
        self.wait()
        return output, self.stderr.read()

    def wait(self, *_: Any, **__: Any) -> int:
        self.returncode = self._code
        return self._code

    def poll(self) -> int | None:
        return self.returncode

    def kill(self) -> None:
        self.wait()

    terminate = kill

    def __enter__(self) -> _Git:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdout, self.stdin, self.stderr):
            stream.close()
        self.wait()

    def __del__(self) -> None:
        self.__exit__()


@contextmanager
def _git_says(answer: Callable[[list[str]], tuple[bytes, int]]) -> Iterator[None]:
    _Git.answer = staticmethod(answer)
    subprocess.Popen = _Git  # type: ignore[assignment, misc]
    try:
        yield
    finally:
        subprocess.Popen = _REAL  # type: ignore[misc]


# -- a repository -----------------------------------------------------------------------------------------------------------------


@cache
def _repository() -> Repository:
    """A small repository with a rename, a binary file, a link, an odd path and a merge."""
    root = scratch()
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false")

    def git(*arguments: str) -> None:
        subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True, env={**os.environ, **_DATES})

    git("init", "-q", "-b", "main")
    (root / "a.py").write_text("def one():\n    return 1\n\n\ndef two():\n    return 2\n", encoding="utf-8")
    (root / "sub").mkdir()
    (root / "sub" / 'tab\t"quote" é.txt').write_bytes(b"text without an end")
    (root / "sub" / "binary.bin").write_bytes(bytes(range(256)))
    (root / "link").symlink_to("a.py")
    git("add", ".")
    git("commit", "-q", "-m", "First\n\nWith a body.\nSigned-off-by: A <a@example.org>")
    git("mv", "a.py", "sub/b.py")
    (root / "link").unlink()
    (root / "link").write_text("no link any more\n", encoding="utf-8")
    git("add", "-A")
    git("commit", "-q", "-m", "Moved")
    git("checkout", "-q", "-b", "side")
    (root / "sub" / "b.py").write_text("def one():\n    return 11\n\n\ndef three():\n    return 2\n", encoding="utf-8")
    git("commit", "-q", "-a", "-m", "Changed on the side")
    git("checkout", "-q", "main")
    git("merge", "-q", "--no-ff", "-m", "Merge pull request #7 from x/side\n\nA title", "side")
    git("remote", "add", "origin", "https://user:secret@example.org/owner/name.git")
    found = source_git.find_repository(root)
    assert found
    return found


@cache
def _entries() -> list[TreeEntry]:
    return list(source_git.list_tree(_repository(), source_git.read_commit(_repository()).tree))


def _tree() -> None:
    for entry in source_git.list_tree(_repository(), "0" * 40):
        assert isinstance(entry.path, bytes)
        assert entry.size >= 0


def _named() -> None:
    source_git.entries_named(_repository(), "0" * 40, [b"a.py", b".hardtackkeep"])


def _blobs() -> None:
    with BlobReader(_repository()) as blobs:
        for entry in _entries():
            blobs.request(entry.object_id)
        for entry in _entries():
            assert isinstance(blobs.read(entry), bytes)


def _commit() -> None:
    commit = source_git.read_commit(_repository())
    assert 0 <= commit.time < 10**18
    source_git.subtree_of(_repository(), commit)


def _about() -> None:
    source_git.find_repository(_repository().root)
    source_git.exclude_file(_repository())
    name = source_git.origin_of(_repository())
    assert name.isprintable()
    assert "@" not in name


def _changed() -> None:
    source_git.count_changed(_repository(), "HEAD^{tree}", USUAL_LIMITS)


def _index() -> None:
    list(source_git.list_tracked(_repository()))


def _log() -> None:
    present = PresentFiles()
    for path in ("sub/b.py", "link", "a.py"):
        rows = [
            (0, 0, "one", "one", 0, 24, 1, 2, 0, 1, 0, 0, 1, "", "", "", -1),
            (0, 0, "x", "x", 26, 50, 5, 6, 26, 5, 0, 0, 1, "", "", "", 0),
        ]
        assert len(rows[0]) == len(SYMBOL_FIELDS)
        present.add(path, 6, rows)
    history = collect_from(CommitsOfRepository(_repository(), 5, secrets="redact"), present, 5)
    for commit in history.commits:
        assert all(0 <= file < 3 for file in commit.files)
        assert all(0 <= symbol < 6 for symbol in commit.symbols)
        assert "\n" not in commit.record.subject
        assert commit.record.time >= 0
    assert history.extent or not history.commits
    history.notes("redact")


_READERS: dict[str, Callable[[], None]] = {
    "tree": _tree,
    "named": _named,
    "blobs": _blobs,
    "commit": _commit,
    "about": _about,
    "changed": _changed,
    "index": _index,
    "log": _log,
}


def _seeds() -> list[bytes]:
    _entries()
    cases: dict[bytes, None] = {}
    for reader, read in _READERS.items():

        def record(arguments: list[str], reader: str = reader) -> tuple[bytes, int]:
            arguments = [_repository().commit if each == "0" * 40 else each for each in arguments]
            subprocess.Popen = _REAL  # type: ignore[misc]
            asked = "\n".join(entry.object_id for entry in _entries()).encode() if arguments[0] == "cat-file" else None
            done = subprocess.run(git_command(*arguments), cwd=_repository().root, capture_output=True, check=False, input=asked)
            subprocess.Popen = _Git  # type: ignore[assignment, misc]
            _OUTPUTS[reader, *arguments] = done.stdout, done.returncode
            cases[b"%b\n%b\n%b" % (reader.encode(), arguments[0].encode(), done.stdout)] = None
            return done.stdout, done.returncode

        with _git_says(record):
            read()
    return list(cases)


def _another(generator: Generator, seed: bytes) -> bytes:
    reader, subcommand, output = seed.split(b"\n", 2)
    if generator.random() < 0.05:
        subcommand += b"!"
    action = generator.randrange(4)
    if action == 0 and b"\0" in output:  # records, not lines
        records = output.split(b"\0")
        one, other = generator.randrange(len(records)), generator.randrange(len(records))
        records[one] = in_text(generator, records[other], _WORDS)
        output = b"\0".join(records)
    elif action == 1:
        digits = [at for at, byte in enumerate(output) if 48 <= byte < 58]
        if digits:
            at = generator.choice(digits)
            output = output[:at] + number_of_digits(generator).encode() + output[at + 1 :]
    elif action == 2:
        output = output[: generator.randrange(len(output) + 1)]
    else:
        output = in_text(generator, output, _WORDS)
    return reader + b"\n" + subcommand + b"\n" + output


def _read(case: bytes) -> str:
    reader, _, rest = case.partition(b"\n")
    subcommand, _, output = rest.partition(b"\n")
    name, replaced, code = (
        reader.decode("ascii", "replace"),
        subcommand.rstrip(b"!").decode("ascii", "replace"),
        subcommand[-1:] == b"!",
    )
    if name not in _READERS:
        return "no case"

    def answer(arguments: list[str]) -> tuple[bytes, int]:
        if arguments[0] == replaced:
            return output, 128 if code else 0
        return _OUTPUTS.get((name, *arguments), (b"", 0))

    with _git_says(answer):
        _READERS[name]()
    return "read"


TARGETS = (Target(name="git", seeds=_seeds, mutate=_another, execute=_read, share=2),)
