"""Keeps the repositories of the retrieval benchmark out of the training pairs, by name and by content.

By name: packages, and directories inside packages, that are called like a benchmark repository or like something made from one.
By content: the words of the repositories' whole trees, eight at a time, as a sorted array of hashes. A text is a copy when most of
its windows are there. Words are what is left when layout and punctuation are gone, so neither indentation nor comment marks nor
line breaks hide a copy; the trees are indexed with and without their comments, and code is looked up without.

    python training/exclusions.py --repositories repos.json --checkouts DIR --mirrors DIR --out known.npy
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

WINDOW: Final = 8
"""Words hashed together: long enough that it is hardly ever common phrasing, short enough for a function of three lines."""
COPIED_SHARE: Final = 0.5
"""Of a text's windows that are known. A verbatim copy has all of them, an edited one many, unrelated code of the same
language a few: loops, error checks, licence phrases."""
_MAX_FILE_BYTES: Final = 1 << 20

BENCHMARK_HELD_OUT: Final = (
    *("abseil/abseil-cpp", "haskell/aeson", "Alamofire/Alamofire", "typelevel/cats", "spf13/cobra", "apache/commons-lang"),
    *("DapperLib/Dapper", "elixir-ecto/ecto", "JetBrains/Exposed", "expressjs/express", "fastapi/fastapi", "pallets/flask"),
    *("guzzle/guzzle", "http4s/http4s", "Kotlin/kotlinx.coroutines", "laravel/framework", "folke/lazy.nvim", "nlohmann/json"),
    *("nvm-sh/nvm", "jgm/pandoc", "phoenixframework/phoenix", "rack/rack", "rails/rails", "redis/redis", "serde-rs/serde"),
    *(
        "encode/starlette",
        "nvim-telescope/telescope.nvim",
        "vitest-dev/vitest",
        "Hejsil/zig-clap",
        "zigtools/zls",
        "colinhacks/zod",
    ),
)
"""The half of the benchmark that is not in ``repos.json``; its trees are read for this check and for nothing else."""

# Names, folded (lower case, letters and digits only), of the repositories and of what registries make from them. A package is
# excluded when one of its name's parts, or all of them together, is one of these; so is a directory inside a package.
_NAMES: Final = frozenset(
    {
        # development half
        *("aiohttp", "axios", "axum", "bashit", "bats", "batscore", "chi", "circe", "click", "curl", "libcurl", "fmt", "fmtlib"),
        *("gin", "gingonic", "gson", "httpx", "jacksondatabind", "jacksoncore", "jackson", "ktor", "libuv", "messagepackcsharp"),
        *("mininvim", "model2vec", "monolog", "newtonsoft", "newtonsoftjson", "jsonnet", "plug", "pydantic", "pydanticcore"),
        *("redux", "reduxtoolkit", "requests", "sinatra", "snapkit", "masonry", "tokio", "trpc", "vapor", "xmonad", "ziglang"),
        # held-out half
        *(
            "abseil",
            "abseilcpp",
            "absl",
            "abslpy",
            "aeson",
            "alamofire",
            "cats",
            "catscore",
            "cobra",
            "commonslang",
            "commonslang3",
        ),
        *("libcommonslangjava", "libcommonslang3java", "dapper", "ecto", "ectosql", "exposed", "express", "expressjs", "fastapi"),
        *("flask", "guzzle", "guzzlehttp", "http4s", "kotlinxcoroutines", "coroutines", "laravel", "illuminate", "lazynvim"),
        *("nlohmann", "nlohmannjson", "nlohmannjson3", "nvm", "pandoc", "phoenix", "phoenixframework", "rack", "rails"),
        *("actionpack", "actionview", "actionmailer", "actioncable", "activerecord", "activesupport", "activemodel", "activejob"),
        *("activestorage", "railties", "redis", "hiredis", "sds", "serde", "starlette", "telescope", "telescopenvim", "vitest"),
        *("zigclap", "zls", "zod"),
    }
)
_OWNERS: Final = frozenset(
    {"trpc", "reduxjs", "vitest", "laravel", "phoenixframework", "rails", "nvimmini", "ktorio", "circe", "ktor"}
)
"""Owners and scopes whose other repositories are written by the same hands and share code with a benchmark repository."""


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def is_excluded_name(name: str) -> bool:
    """Whether a package of this name is a benchmark repository or made from one.

    ``golang-github-spf13-cobra``, ``ruby-rack``, ``@trpc/server``, ``owner/name`` and ``rust-serde-1`` all are; ``ruby-racket``
    is not. Packages that only extend one of them, as ``rack-session`` does, are taken for part of it.
    """
    parts = [_folded(part) for part in re.split(r"[-_./@ ]", name)]
    parts = [part for part in parts if part]
    if parts and parts[0] in _OWNERS:
        return True
    joined = {"".join(parts[start:end]) for start in range(len(parts)) for end in range(start + 1, min(start + 3, len(parts)) + 1)}
    return not _NAMES.isdisjoint(joined)


def is_excluded_path(path: str) -> bool:
    """Whether a directory on the way to this file is called like a benchmark repository: a copy kept inside a package."""
    return any(_folded(part) in _NAMES for part in path.split("/")[:-1])


_COMMENTS: Final = re.compile(
    rb"/\*.*?\*/"  # C and its heirs
    rb"|\{-.*?-\}"  # Haskell
    rb'|"""[^\n]*?"""|^[ \t]*[rRuUbB]*""".*?"""|^[ \t]*[rRuUbB]*\'\'\'.*?\'\'\''  # Python, Elixir: docstrings
    rb"|^[ \t]*(?://|--|;;|%|\*)[^\n]*"
    rb"|^[ \t]*#(?!include|define|if|el|endif|undef|pragma|\[)[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_WORDS: Final = re.compile(rb"\w+")


def without_comments(text: bytes) -> bytes:
    """The text without what looks like a comment in any of the languages. Crude, but alike for a copy and its original."""
    return _COMMENTS.sub(b" ", text)


_hashes: dict[bytes, int] = {}


def _hash_of(word: bytes) -> int:
    found = _hashes.get(word)
    if found is None:
        found = _hashes[word] = int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")
    return found


_FACTORS: Final = np.array([pow(0x9E3779B97F4A7C15, power, 1 << 64) for power in range(WINDOW)], dtype=np.uint64)


def windows_of(text: bytes) -> np.ndarray:
    """One uint64 hash for every :data:`WINDOW` consecutive words; one for all of them where there are fewer, none for no words."""
    words = np.array([_hash_of(word) for word in _WORDS.findall(text.lower())], dtype=np.uint64)
    count = max(len(words) - WINDOW + 1, 1) if len(words) else 0
    sums = np.zeros(count, dtype=np.uint64)
    for place in range(min(WINDOW, len(words))):
        sums += words[place : place + count] * _FACTORS[place]
    return sums


class KnownText:
    """The benchmark's windows. Opened once in a process; ``known.npy`` is mapped, not loaded."""

    def __init__(self, path: Path) -> None:
        self._known = np.load(path, mmap_mode="r")

    def holds(self, text: str) -> bool:
        """Whether ``text`` is a copy: at least :data:`COPIED_SHARE` of its windows are known. Too short a text is never one."""
        windows = windows_of(text.encode())
        if not len(windows):
            return False
        places = np.minimum(np.searchsorted(self._known, windows), len(self._known) - 1)
        return bool((self._known[places] == windows).mean() >= COPIED_SHARE)

    def holds_code(self, code: str) -> bool:
        """Whether ``code`` is a copy, whatever comments stand in it and in its original."""
        return self.holds(without_comments(code.encode()).decode(errors="ignore"))


def index_of(texts: Iterable[bytes]) -> np.ndarray:
    """The sorted, distinct windows of all texts, each read with and without its comments."""
    parts: list[np.ndarray] = []
    pending: list[np.ndarray] = []
    size = 0
    for text in texts:
        for read in (text, without_comments(text)):
            pending.append(windows_of(read))
            size += len(pending[-1])
        if size > 8_000_000:
            parts.append(_distinct(pending))
            pending, size = [], 0
    return _distinct([*parts, *pending])


def _distinct(parts: list[np.ndarray]) -> np.ndarray:
    """All values, sorted, each once; by a sort, which is many times faster here than the hash table of ``np.unique``."""
    values = np.sort(np.concatenate([*parts, np.empty(0, dtype=np.uint64)]))
    is_first = np.ones(len(values), dtype=bool)
    is_first[1:] = values[1:] != values[:-1]
    return np.asarray(values[is_first])


def texts_of_directory(root: Path) -> Iterator[bytes]:
    """The files of a tree that hold text and are no larger than a source file, in path order."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts and path.stat().st_size <= _MAX_FILE_BYTES:
            data = path.read_bytes()
            if b"\0" not in data[:8192]:
                yield data


def texts_of_commits(repository: Path, commits: Iterable[str]) -> Iterator[bytes]:
    """The text files of several commits' trees, each distinct file once."""
    git = ["git", "-c", "safe.directory=*", "-C", str(repository)]
    blobs: dict[str, None] = {}
    for commit in commits:
        listing = subprocess.run(
            [*git, "ls-tree", "-r", "-l", commit], capture_output=True, text=True, errors="replace", check=True
        )
        for line in listing.stdout.splitlines():
            _, kind, blob, size = line.partition("\t")[0].split()
            if kind == "blob" and size.isdigit() and int(size) <= _MAX_FILE_BYTES:  # a mirror may lack its largest files
                blobs[blob] = None
    with subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdin and reader.stdout
        for blob in blobs:
            reader.stdin.write(blob.encode() + b"\n")
            reader.stdin.flush()
            length = int(reader.stdout.readline().split()[2])
            data = reader.stdout.read(length + 1)[:-1]
            if b"\0" not in data[:8192]:
                yield data
        reader.stdin.close()


def _commits_of(repository: Path, wanted: Iterable[str]) -> list[str]:
    """HEAD, those of ``wanted`` that the repository has, and what HEAD was two and four years before its last commit."""
    git = ["git", "-c", "safe.directory=*", "-C", str(repository)]

    def answer(*arguments: str) -> str:
        return subprocess.run([*git, *arguments], capture_output=True, text=True, check=False).stdout.strip()

    head_time = int(answer("log", "-1", "--format=%ct", "HEAD"))
    past = [answer("rev-list", "-1", f"--before={head_time - years * 31_557_600}", "HEAD") for years in (2, 4)]
    known = [commit for commit in wanted if answer("cat-file", "-t", commit) == "commit"]
    return list(dict.fromkeys(commit for commit in ["HEAD", *known, *past] if commit))


def _every_text(repositories: list[dict[str, str]], checkouts: Path, mirrors: Path) -> Iterator[bytes]:
    """All texts of all 63 repositories; says which were read.

    Raises:
        FileNotFoundError: there is neither a mirror nor a checkout of one of them.
    """
    held_out = [{"name": name.partition("/")[2], "repository": name} for name in BENCHMARK_HELD_OUT]
    for entry in [*repositories, *held_out]:
        mirror = mirrors / (entry.get("repository") or "").replace("/", "+") / "repo"
        checkout = checkouts / entry["name"]
        if mirror.is_dir():
            commits = _commits_of(mirror, [entry.get("revision", ""), entry.get("pinned_revision", "")])
            print(f"{entry['name']}: {len(commits)} commits", flush=True)
            yield from texts_of_commits(mirror, commits)
        elif checkout.is_dir():
            print(f"{entry['name']}: its checkout", flush=True)
            yield from texts_of_directory(checkout)
        else:
            raise FileNotFoundError(f"{entry['name']}: neither {mirror} nor {checkout}")


def main() -> None:
    """Parses the command line and writes the index."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repositories", type=Path, required=True, help="the benchmark's repos.json")
    parser.add_argument("--checkouts", type=Path, required=True, help="holds <name>/ of each repository of repos.json")
    parser.add_argument("--mirrors", type=Path, required=True, help="holds <owner>+<name>/repo, a git directory")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    repositories = json.loads(arguments.repositories.read_text())
    known = index_of(_every_text(repositories, arguments.checkouts, arguments.mirrors))
    np.save(arguments.out, known)
    print(f"{len(known)} windows")


if __name__ == "__main__":
    main()
