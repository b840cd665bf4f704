"""The pinned repositories of ``repositories.toml``: where each is checked out, and which of its files a query may ask for."""

from __future__ import annotations

import re
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Self

LISTED = Path(__file__).with_name("repositories.toml")

SUFFIXES = {
    "bash": (".bash", ".sh"),
    "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".ipp"),
    "csharp": (".cs",),
    "elixir": (".ex",),
    "go": (".go",),
    "haskell": (".hs", ".hsc", ".lhs"),
    "java": (".java",),
    "javascript": (".cjs", ".js", ".jsx", ".mjs"),
    "kotlin": (".kt",),
    "lua": (".lua",),
    "php": (".php",),
    "python": (".py",),
    "ruby": (".rake", ".rb"),
    "rust": (".rs",),
    "scala": (".scala",),
    "swift": (".swift",),
    "typescript": (".cts", ".mts", ".ts", ".tsx"),
    "zig": (".zig",),
}
"""By language, how the names of the files end that can answer a query. The benchmark's answers are in one language too."""

_TEST_FOLDER = re.compile(r"(^|/)(tests?|specs?|__tests__|__snapshots__|testing|testdata|fixtures|regress|\w+Test|test-\w+)/")
_TEST_FILE = re.compile(r"(^|/)(test_[^/]*|tests?\.\w+|conftest\.py|[^/]*([._-]tests?|[._-]spec|[a-z0-9](Tests?|Spec))\.\w+)$")
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """One row of ``repositories.toml``."""

    name: str
    language: str
    repository: str
    revision: str
    root: str
    """The one directory that is indexed, without slashes around it; empty for all of the repository."""
    licence: str

    def has_in_root(self, path: str) -> bool:
        """Whether a repository-relative path lies in the indexed directory."""
        return not self.root or path.startswith(f"{self.root}/")

    def can_answer(self, path: str) -> bool:
        """Whether the file at a repository-relative path may be asked for: code of the repository's language, and no test."""
        inside = path[len(self.root) + 1 :] if self.root else path
        return self.has_in_root(path) and is_code(path, self.language) and not is_test(inside)


def listed_repositories(path: Path = LISTED) -> list[Repository]:
    """The repositories in the file's order.

    Raises:
        ValueError: a name stands twice, a revision is no commit, or a language is unknown.
    """
    rows = tomllib.loads(path.read_text("utf-8"))["repository"]
    repositories = [Repository(**row) for row in rows]
    names = [repository.name for repository in repositories]
    for repository in repositories:
        if names.count(repository.name) > 1:
            raise ValueError(f"{path}: {repository.name} stands twice.")
        if not _COMMIT.fullmatch(repository.revision):
            raise ValueError(f"{path}: {repository.name} is pinned to {repository.revision!r}, which is no commit.")
        if repository.language not in SUFFIXES:
            raise ValueError(f"{path}: {repository.name} is in {repository.language!r}, for which no suffixes are known.")
    return repositories


def is_code(path: str, language: str) -> bool:
    """Whether the file's name says that it is written in ``language``. Commands in bash often have no suffix."""
    name = PurePosixPath(path).name
    return name.endswith(SUFFIXES[language]) or (language == "bash" and name.isprintable() and "." not in name and name.islower())


def is_test(path: str) -> bool:
    """Whether the path says that the file is a test or lies among tests; ``path`` is relative to the indexed directory."""
    return bool(_TEST_FOLDER.search(path) or _TEST_FILE.search(path))


def check_out(repository: Repository, *, mirrors: Path, repos: Path) -> Path:
    """The checkout of the pinned revision under ``repos``, made when it is not there.

    ``mirrors`` holds one git directory for each repository, ``<owner>+<name>/repo``; its objects are shared, not copied.

    Raises:
        CalledProcessError: the mirror lacks the revision.
    """
    checkout = repos / repository.name
    if not checkout.exists():
        mirror = mirrors / repository.repository.replace("/", "+") / "repo"
        _run("git", "clone", "--quiet", "--shared", "--no-checkout", str(mirror), str(checkout))
    head = git(checkout, "rev-parse", "HEAD").strip()
    if head != repository.revision or [entry.name for entry in checkout.iterdir()] == [".git"]:
        quiet = ("-c", "core.hooksPath=/dev/null", "-c", "filter.lfs.smudge=", "-c", "filter.lfs.required=false")
        _run("git", "-C", str(checkout), *quiet, "checkout", "--quiet", "--force", "--detach", repository.revision)
    return checkout


def git(checkout: Path, *arguments: str) -> str:
    """What a git command prints; bytes that are no UTF-8 are replaced."""
    return _run("git", "-C", str(checkout), "-c", "core.quotePath=false", *arguments)


def _run(*command: str) -> str:
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode("utf-8", "replace")


def files_of(repository: Repository, checkout: Path) -> dict[str, str]:
    """The blobs, by repository-relative path, of the files that may be asked for at the pinned revision, in path order."""
    blobs = {}
    for row in git(checkout, "ls-tree", "-r", repository.revision).splitlines():
        fields, _, path = row.partition("\t")
        mode, _, blob = fields.split(" ")
        if mode in ("100644", "100755") and repository.can_answer(path):
            blobs[path] = blob
    return blobs


class Blobs:
    """``git cat-file --batch``, kept open: blob names in, bytes out; a blob that the git directory lacks is empty."""

    def __init__(self, checkout: Path) -> None:
        command = ("git", "-C", str(checkout), "cat-file", "--batch")
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def __call__(self, blob: str) -> bytes:
        """The content of one blob."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        asked.write(f"{blob}\n".encode())
        asked.flush()
        header = answers.readline().split()
        if header[-1] == b"missing":
            return b""
        content = answers.read(int(header[2]))
        answers.read(1)
        return content
