"""A repository's address in, the commit there and a bare clone of that one commit out; nothing of the repository is executed.

A bare clone has no working tree, so there are no filters, links or large-file programs to meet; it is made without templates, hooks
and submodules, and git may use no transport but the address's own. What a server sends is bounded in bytes and time.
"""

from __future__ import annotations

import os
import re
import selectors
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple

from hardtack.build.source.git import GitMissing, find_repository
from hardtack.errors import BuildError, PolicyError, SourceError, SourceUnreadable
from hardtack.fleet.listing import Entry
from hardtack.git import git_command, git_environment, is_commit, limit_memory, repository_of
from hardtack.render.style import inert_line
from hardtack.store.scratch import size_of

_ANSWER_LIMIT: Final = 1 << 16
"""Bytes of git's answer that are read: three references at most were asked for."""
_COMPLAINT_LIMIT: Final = 4096
"""Last bytes of git's complaints that are kept."""
_SHOWN_CHARACTERS: Final = 200
"""Characters of a complaint that a message shows."""
_CHECK_SECONDS: Final = 0.2
"""Between two looks at what has arrived."""
_STALLED_SECONDS: Final = 60
"""How long an http server may send less than :data:`_STALLED_SPEED`."""
_STALLED_SPEED: Final = 1000
"""Bytes a second."""
_FETCH_OPTIONS: Final = (
    *("-c", "fetch.unpackLimit=1"),  # one pack, whose size can be watched
    *("-c", "pack.threads=1"),
    *("-c", "transfer.bundleURI=false"),
)
_ABSENT: Final = re.compile(r"not found|does not exist|does not appear to be a git repository|no such", re.IGNORECASE)


class _GitResult(NamedTuple):
    """The exit code of a git, and what it wrote."""

    code: int
    output: bytes
    complaint: str


def name_of(entry: Entry) -> str:
    """The repository's name: that of the list, else what the ``origin`` of a path says.

    Raises:
        PolicyError: there is none, so that nobody could tell whether the bundle is of a checkout at hand.
    """
    name = entry.name or (repository_of(Path(entry.address)) if entry.protocol == "file" else "")
    if not name:
        raise PolicyError(
            f"{entry.address} does not say of which repository it is, and a bundle without a name is not published.",
            hint="Write its name as the third column of its line: HOST/OWNER/NAME, after - for the reference.",
        )
    return name


def commit_at(entry: Entry, scratch: Path, *, follow_git: bool = False) -> str:
    """Full id of the commit that the entry names now.

    Args:
        entry: a repository and what to build of it.
        scratch: an empty directory, in which git runs.
        follow_git: take a path whose git directory leads into another repository.

    Raises:
        SourceUnreadable: there is no such repository, branch or tag, or no commit.
        SourceError: it cannot be reached.
        PolicyError: a path leads into another repository.
    """
    if entry.protocol == "file":
        _check_path(entry, follow_git=follow_git)
    if is_commit(entry.ref):
        return entry.ref
    # A branch wins over a tag of the same name, as in `git clone --branch`; of an annotated tag, the commit that it is of.
    heads = [f"refs/heads/{entry.ref}", f"refs/tags/{entry.ref}^{{}}", f"refs/tags/{entry.ref}"] if entry.ref else ["HEAD"]
    listed = _git(scratch, entry, "ls-remote", "--quiet", "--", entry.address, *heads)
    if listed.code:
        raise _unreachable(entry, listed.complaint)
    found = dict(_references_in(listed.output))
    commit = next((found[head] for head in heads if head in found), "")
    if not commit:
        what = f"no branch or tag {entry.ref}" if entry.ref else "no commit at its HEAD"
        raise SourceUnreadable(f"{entry.address} has {what}.", hint="Name a branch that is there in the second column.")
    return commit


def clone(entry: Entry, commit: str, place: Path, *, most: int) -> int:
    """Make a bare clone of one commit, without its history.

    Args:
        entry: where it is fetched from.
        commit: its full id.
        place: a directory that does not exist yet.
        most: bytes that may arrive.

    Returns:
        The bytes of what arrived.

    Raises:
        SourceUnreadable: the repository does not give that commit.
        SourceError: it cannot be reached, or the disk refuses.
        BuildError: more than ``most`` bytes arrived.
    """
    of_format = ("--object-format=sha256",) if len(commit) == 64 else ()
    place.mkdir()
    made = _git(place, entry, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", *of_format)
    if made.code:
        raise SourceError(f"No repository can be made in {place}: {_reason_in(made.complaint)}.")

    def check_size() -> None:
        if (arrived := size_of(place / "objects")) > most:
            raise BuildError(
                f"{entry.address} sends more than {most} bytes for one commit ({arrived} so far); nothing was built.",
                hint="Raise --max-clone, or leave the repository out.",
            )

    flags = ("--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", "--no-write-fetch-head")
    fetched = _git(place, entry, *_FETCH_OPTIONS, "fetch", *flags, "--", entry.address, commit, check=check_size)
    if fetched.code:
        raise _unreachable(entry, fetched.complaint)
    check_size()
    pointed = _git(place, entry, "update-ref", "--no-deref", "HEAD", commit)
    if pointed.code:
        raise SourceUnreadable(f"{entry.address} gives no commit for {commit[:12]}: {_reason_in(pointed.complaint)}.")
    return size_of(place / "objects")


def _check_path(entry: Entry, *, follow_git: bool) -> None:
    """Refuse a path that is no repository, has no commit, or leads into another repository, before git serves it."""
    place = Path(entry.address)
    if not place.is_dir():
        raise SourceUnreadable(f"{place} is not found.", hint="On a cluster, every worker must see it at this very path.")
    try:
        found = find_repository(place, follow=follow_git)
    except GitMissing as error:
        raise SourceError("The git program is not found.", hint="Install git on every machine that builds.") from error
    if found is None or found.prefix:
        raise SourceUnreadable(f"{place} is no git repository.", hint="Name the top of a checkout, or a bare repository.")
    if not found.commit and not entry.ref:
        raise SourceUnreadable(f"{place} has no commit at its HEAD.", hint="Name a branch that is there in the second column.")


def _git(directory: Path, entry: Entry, *arguments: str, check: Callable[[], None] = lambda: None) -> _GitResult:
    """Run git with the entry's transport alone; ``check`` is called again and again, and what it raises ends git."""
    environment = git_environment() | {"GIT_ALLOW_PROTOCOL": entry.protocol}
    transport = (
        *("-c", "protocol.version=2"),
        *("-c", f"http.lowSpeedLimit={_STALLED_SPEED}"),
        *("-c", f"http.lowSpeedTime={_STALLED_SECONDS}"),
    )
    command = git_command(*transport, *arguments)
    pipe = subprocess.PIPE
    try:
        git = subprocess.Popen(
            command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, bufsize=0
        )
    except OSError as error:
        raise SourceError(f"git cannot be started: {error.strerror}.", hint="Install git on every machine that builds.") from error
    limit_memory(git.pid)
    with _stopped_at_end(git):
        assert git.stdout
        assert git.stderr
        output, complaint = _read_both(git.stdout, git.stderr, check)
        return _GitResult(git.wait(), output, complaint.decode("utf-8", "replace"))


def _read_both(stdout: IO[bytes], stderr: IO[bytes], check: Callable[[], None]) -> tuple[bytes, bytes]:
    """(the first bytes of one stream, the last of the other), once both have ended."""
    output = complaint = b""
    with selectors.DefaultSelector() as selector:
        for stream in (stdout, stderr):
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select(_CHECK_SECONDS):
                piece = os.read(key.fd, _ANSWER_LIMIT)
                if not piece:
                    selector.unregister(key.fileobj)
                elif key.fileobj is stdout:
                    output = (output + piece)[:_ANSWER_LIMIT]
                else:
                    complaint = (complaint + piece)[-_COMPLAINT_LIMIT:]
            check()
    return output, complaint


@contextmanager
def _stopped_at_end(git: subprocess.Popen[bytes]) -> Iterator[None]:
    """At the end git does not run any more, and its pipes are closed."""
    try:
        yield
    finally:
        if git.poll() is None:
            git.kill()
        git.wait()
        for stream in (git.stdout, git.stderr):
            if stream:
                stream.close()


def _references_in(output: bytes) -> Iterator[tuple[str, str]]:
    """(reference, commit) of each well-formed line of ``git ls-remote``."""
    for line in output.decode("utf-8", "replace").splitlines():
        commit, _, ref = line.partition("\t")
        if is_commit(commit):
            yield ref, commit


def _unreachable(entry: Entry, complaint: str) -> SourceError | SourceUnreadable:
    reason = _reason_in(complaint)
    if _ABSENT.search(complaint):
        return SourceUnreadable(f"{entry.address} is not found: {reason}.", hint="Look at its line in the list.")
    return SourceError(f"{entry.address} cannot be fetched: {reason}.", hint="Try again, or look at git's credentials there.")


def _reason_in(complaint: str) -> str:
    """The line in which git says why, without its label; hints for a person at a terminal follow it."""
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:", "ERROR:", "remote:"))]
    chosen = (fatal or lines or ["git does not say why"])[0]
    return inert_line(chosen.partition(": ")[2] if fatal else chosen)[:_SHOWN_CHARACTERS].rstrip(". ")
