"""Running git safely in any repository: a git subcommand in, its output out; and a remote's URL in, its repository's name out.

A repository's own configuration is hostile input: it can name programs that git would start (hooks, file system monitors, filters,
transports). These are switched off. So are replacement objects, grafts, lazy fetching, locks and the caller's ``GIT_*`` variables,
so that the answer depends on the repository alone. Its objects are hostile too: a short pack can unfold to any size, so git's
memory is limited where the system can do that, and no more of its output is read than the caller allows.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

if sys.platform == "linux":
    import resource

_SAFE_OPTIONS: Final = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.untrackedCache=false"),
    # A checkout made by another user (usual in containers) is fine to read: nothing of it is executed.
    *("-c", "safe.directory=*"),
    *("-c", "safe.bareRepository=all"),
    # Larger objects are streamed, or taken for binary, instead of held in memory.
    *("-c", "core.bigFileThreshold=64m"),
    "--no-pager",
    "--literal-pathspecs",
)
_SAFE_ENVIRONMENT: Final = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # git before 2.44 knows no GIT_NO_LAZY_FETCH; with no transport allowed it cannot fetch either
}

OUTPUT_LIMIT: Final = 64 << 20
"""Bytes of git's output that are read unless the caller says otherwise."""
MEMORY_LIMIT: Final = 1 << 30
"""Bytes of private memory that git may take unless the caller says otherwise: git holds all differences of two trees at once, and
the base of a delta can be any size, whatever the size of the object."""
_ORIGIN_SECONDS: Final = 10
"""The longest time for git to read a checkout's configuration."""

_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SCP_FORM = re.compile(r"(?:[^/@]*@)?([A-Za-z0-9][A-Za-z0-9.-]+):(?!:)/*(.*)")
_REPOSITORY = re.compile(r"[a-z0-9][a-z0-9.-]*(/[A-Za-z0-9._~+-]+)+")


def git_command(*arguments: str | bytes) -> list[str | bytes]:
    """The command line of a git subcommand; to be run without a shell."""
    return ["git", *_SAFE_OPTIONS, *arguments]


def git_environment() -> dict[str, str]:
    """The caller's environment without git's variables, which could lead git to another repository or start programs.

    ``GIT_EXEC_PATH`` stays: it is the directory of this git's own programs.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name == "GIT_EXEC_PATH"}
    return kept | _SAFE_ENVIRONMENT


def limit_memory(process: int, most: int = MEMORY_LIMIT) -> None:
    """Limit the bytes of memory of a git that was just started; only Linux can do that from outside."""
    if sys.platform == "linux":
        with suppress(OSError, ValueError):  # it has ended already, or has a lower limit
            resource.prlimit(process, resource.RLIMIT_DATA, (most, most))


def git_output(
    directory: Path, *arguments: str | bytes, seconds: float, most: int = OUTPUT_LIMIT, accepts: frozenset[int] = frozenset({0})
) -> bytes | None:
    """The output of a git subcommand in ``directory``.

    None when git is missing, takes longer than ``seconds``, has more to say than ``most`` bytes, or ends with none of the exit
    codes in ``accepts``.
    """
    import subprocess  # here: most searches run no git
    import threading

    with suppress(OSError, ValueError):  # ValueError: a NUL in a user's name of a commit
        git = subprocess.Popen(
            git_command(*arguments),
            cwd=directory,
            env=git_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        limit_memory(git.pid)
        timer = threading.Timer(seconds, git.kill)
        timer.start()
        try:
            assert git.stdout
            output = git.stdout.read(most + 1)
            if len(output) <= most and git.wait() in accepts:
                return output
        finally:
            timer.cancel()
            if git.poll() is None:
                git.kill()
            assert git.stdout
            git.stdout.close()
            git.wait()
    return None


_SPARSE: Final = b"core.sparsecheckout"
COMPARING: Final = ("config", "-z", "--get-regexp", r"^(filter\..*\.(clean|smudge|process|required)|core\.sparsecheckout)$")
"""The git subcommand that lists what is configured about comparing files, for :func:`without_filters` and :func:`is_sparse`; its
exit code is 1 where nothing is."""


def without_filters(listed: bytes) -> list[str | bytes] | None:
    """Options of git that switch off each filter that :data:`COMPARING` listed.

    To compare a file, git runs the filters that the repository configures, which can be any program. A filter whose name holds
    ``=`` cannot be emptied with ``-c``: then None, and git must not be asked to compare.
    """
    options: list[str | bytes] = []
    for key in sorted({record.partition(b"\n")[0] for record in listed.split(b"\0")} - {b"", _SPARSE}):
        if b"=" in key:
            return None
        options += ["-c", key + (b"=false" if key.endswith(b".required") else b"=")]
    return options


def is_sparse(listed: bytes) -> bool:
    """Whether :data:`COMPARING` listed that only a part of the tracked files is on the disk."""
    values = [record.partition(b"\n")[2] for record in listed.split(b"\0") if record.partition(b"\n")[0] == _SPARSE]
    return bool(values) and values[-1].lower() not in (b"false", b"no", b"off", b"0")


def is_repository(directory: Path) -> bool:
    """Whether ``directory`` is the top of a checkout: it has a ``.git`` file, or a ``.git`` directory as git requires it.

    A linked worktree and a submodule have a file. False where that may not be looked at.
    """
    git = directory / ".git"
    with suppress(OSError):
        return git.is_file() or ((git / "HEAD").is_file() and (git / "objects").is_dir() and (git / "refs").is_dir())
    return False


def top_of(directory: Path) -> Path | None:
    """The top of the checkout that holds a directory, links resolved; None when there is none."""
    place = Path(os.path.realpath(directory))
    return next((each for each in (place, *place.parents) if is_repository(each)), None)


def repository_of(directory: Path) -> str:
    """The ``origin`` remote of the checkout around ``directory`` as ``host/owner/name``; empty when it is not known."""
    found = git_output(directory, "config", "-z", "--get", "remote.origin.url", seconds=_ORIGIN_SECONDS)
    return normalise_repository(found.rstrip(b"\0").decode("utf-8", "replace")) if found else ""


def is_same_repository(one: str, other: str) -> bool:
    """Whether two names are of one repository. An empty name is of none, not of any.

    Case is ignored, as GitHub and similar hosts do, of ASCII's letters alone: others fold into them, the Kelvin sign into k.
    """
    return bool(one) and one.isascii() and other.isascii() and one.lower() == other.lower()


def is_commit(value: object) -> bool:
    """Whether ``value`` is a full commit id: 40 hexadecimal digits in lower case, or 64 in a repository with SHA-256."""
    return isinstance(value, str) and _COMMIT.fullmatch(value) is not None


def normalise_repository(url: str) -> str:
    """A remote's URL as ``host/owner/name``, without scheme, user, password, port and ``.git``; empty for a path or an odd URL.

    ``https://me:secret@GitHub.com:443/o/n.git``, ``ssh://git@github.com/o/n`` and ``git@github.com:o/n.git`` all give
    ``github.com/o/n``.
    """
    if not url.isprintable():
        return ""
    if "://" in url:
        try:
            parts = urlsplit(url)
        except ValueError:
            return ""
        host, path = (parts.hostname or "", parts.path) if parts.scheme != "file" else ("", "")
    elif match := _SCP_FORM.fullmatch(url):
        host, path = match[1], match[2]
    else:
        return ""
    name = f"{host.lower()}/{path.strip('/').removesuffix('.git').rstrip('/')}"
    # An "@" in the path is the end of a password that contains a slash: nothing may be kept then. The pattern has no "@".
    return name if _REPOSITORY.fullmatch(name) and not {".", ".."}.intersection(name.split("/")) else ""
