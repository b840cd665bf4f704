"""Proves that answers are the same where nothing can be written: searches on read-only mounts, without rights, network or home.

    python benchmarks/proofs/read_only.py REPO [--queries N]

Queries come from the bundle: names of symbols, words of their documentation, words of the text. Each is asked in all three modes,
first here, then as uid 65534 in a mount and network namespace of its own where every mount is read-only but the one named:

    tmpdir    a TMPDIR and nothing else
    shm       /dev/shm and nothing else
    nothing   no directory at all, shown by looking at every mount and by trying to make a file

The last once more with the bundle as one pack. Hits and scores must be equal to the last digit, and nothing may have been written
into the bundle, beside it, or left in the writable directory. Needs root and util-linux. Where mounting is not permitted that is a
failure, unless HARDTACK_TEST_NO_MOUNT=1 says that it is known; then that is said. Exits 1 on any failure.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from proof import HARDTACK, Proof, build, content_of, scratch, spread

import hardtack
from hardtack import open_bundle
from hardtack.bundle.packing import write_pack
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Mode

_NOBODY = 65534
_MODES = ("hybrid", "vector", "keyword")
_PLACES = ("tmpdir", "shm", "nothing")
_WORD = re.compile(r"[A-Za-z]{4,}")
_LIMIT = 10


def queries_of(bundle: Bundle, count: int) -> list[str]:
    """``count`` queries, a third each of names, of words from documentation (or signatures), and of words from the text."""
    named = [symbol for symbol in (bundle.symbol(ordinal) for ordinal in range(bundle.manifest.counts.symbols)) if symbol.name]
    documented = [symbol.doc for symbol in named if len(_WORD.findall(symbol.doc)) >= 4] or [symbol.signature for symbol in named]
    chunks = [bundle.chunk(ordinal) for ordinal in range(bundle.manifest.counts.chunks)]
    third = -(-count // 3)
    queries = [named[index].name for index in spread(third, len(named))] if named else []
    queries += [" ".join(_WORD.findall(documented[index])[:6]) for index in spread(third, len(documented))] if documented else []
    for index in spread(count, len(chunks)):
        chunk = chunks[index]
        text = bundle.text_of(bundle.file(chunk.file), chunk.span.start, chunk.span.end).decode("utf-8", "replace")
        queries.append(" ".join(_WORD.findall(text)[-5:]))
    distinct = [query for query in dict.fromkeys(queries) if query.strip()]
    return distinct[:count]


def answers(bundle: Path, queries: list[str]) -> list[object]:
    """Hits and scores of each query in each mode, and how the command line answers the first."""
    found: list[object] = []
    with open_bundle(bundle) as searcher:
        for mode in _MODES:
            for query in queries:
                hits = searcher.search(query, mode=Mode(mode), limit=_LIMIT).hits
                found.append(
                    [mode, query, [[hit.path, hit.start_line, hit.score, hit.vector_score, hit.keyword_score] for hit in hits]]
                )
    for mode in _MODES:
        command = [*HARDTACK, "search", queries[0], "--bundle", str(bundle), "--mode", mode, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        shown = json.loads(done.stdout or "{}")
        shown.get("bundle", {}).pop("name", None)  # the directory's, which differs
        found.append([mode, done.returncode, done.stderr, shown])
    return found


# -- inside ---------------------------------------------------------------------------------------------------------------------


def writable_mounts() -> list[str]:
    """Every mount that can be reached and is not read-only. Some lie hidden under others; those are not what their path shows."""
    found = set()
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        point = re.sub(r"\\(\d{3})", lambda match: chr(int(match[1], 8)), line.split(" ")[4])
        with contextlib.suppress(OSError):
            if not os.statvfs(point).f_flag & os.ST_RDONLY:
                found.add(point)
    return sorted(found)


def open_closed_ways(root: Path) -> None:
    """Let nobody reach the interpreter and this project where they lie in a closed directory, such as root's home.

    In our mount namespace only: an empty directory is laid over the closed one, and what is needed shows through it.
    """
    needed = [Path(sys.base_prefix), Path(sys.prefix), Path(hardtack.__file__).parents[1], Path(__file__).parent]
    closed: dict[Path, list[Path]] = {}
    for path in sorted({path.resolve() for path in needed}):
        for ancestor in reversed(path.parents):
            if not ancestor.stat().st_mode & 0o001:
                closed.setdefault(ancestor, []).append(path)
                break
    for ancestor, paths in closed.items():
        kept = [Path(tempfile.mkdtemp(dir=root)) for _ in paths]
        for path, place in zip(paths, kept, strict=True):
            _mount("--bind", path, place)
        _mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", ancestor)
        for path, place in zip(paths, kept, strict=True):
            path.mkdir(parents=True, exist_ok=True)
            _mount("--bind", place, path)


def seal(place: str, bundle: Path, root: Path, asked: Path) -> None:
    """As root in namespaces of our own: mount where the bundle lies, make all but ``place`` read-only, and go on as nobody."""
    mounted, writable = root / "mounted", {"tmpdir": root / "tmp", "shm": Path("/dev/shm"), "nothing": None}[place]
    open_closed_ways(root)
    _mount("--bind", bundle.parent, mounted)
    if writable:
        _mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", writable)
    for point in writable_mounts():
        if point != str(writable):
            _mount("-o", "remount,bind,ro", point)
    expected = [str(writable)] if writable else []
    if writable_mounts() != expected:
        sys.exit(f"writable are {writable_mounts()}, not {expected}")
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    if place == "tmpdir":
        variables["TMPDIR"] = str(writable)
    rights = [
        f"--reuid={_NOBODY}",
        f"--regid={_NOBODY}",
        "--clear-groups",
        "--no-new-privs",
        "--bounding-set=-all",
        "--inh-caps=-all",
    ]
    command = ["setpriv", *rights, sys.executable, __file__, "--ask", str(mounted / bundle.name), str(asked), str(writable or "")]
    os.chdir(mounted)
    os.execvpe(command[0], command, variables)


def _mount(*arguments: str | Path) -> None:
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip() or f"mount {arguments} failed")


def ask(bundle: Path, asked: Path, writable: str) -> None:
    """As nobody: show that the place is as bare as promised, then answer; prints the answers."""
    interfaces = [name for _, name in socket.if_nameindex()]
    if os.getuid() != _NOBODY or interfaces != ["lo"] or "HOME" in os.environ:
        sys.exit(f"not as bare as promised: uid {os.getuid()}, interfaces {interfaces}, HOME {os.environ.get('HOME')}")
    for directory in {".", "/tmp", "/var/tmp", "/dev/shm", "/run", "/dev", str(bundle), str(bundle.parent)} - {writable}:
        try:
            tempfile.TemporaryFile(dir=directory).close()
        except OSError:
            continue
        sys.exit(f"{directory} can be written")
    try:
        tempfile.TemporaryFile().close()
    except OSError:
        can_write = False
    else:
        can_write = True
    if can_write != writable.startswith(os.environ.get("TMPDIR", "\0")):
        sys.exit(f"tempfile {'finds' if can_write else 'does not find'} a place to write")
    found = answers(bundle, json.loads(asked.read_bytes()))
    left = sorted(path.name for path in Path(writable).iterdir()) if writable else []
    if left:
        sys.exit(f"left behind: {left}")
    print(json.dumps(found))


# -- outside --------------------------------------------------------------------------------------------------------------------


def why_no_mount() -> str:
    """What keeps us from mounting in namespaces of our own; empty when nothing does."""
    trial = ["unshare", "--mount", "--net", "mount", "-t", "tmpfs", "tmpfs", "/tmp"]
    done = subprocess.run(trial, capture_output=True, text=True)
    return done.stderr.strip() or f"{' '.join(trial)}: exit status {done.returncode}" if done.returncode else ""


def inside(place: str, bundle: Path, root: Path, asked: Path) -> tuple[list[object], str]:
    """The answers given in a sealed place, and what went wrong there."""
    command = ["unshare", "--mount", "--net", sys.executable, __file__, "--seal", place, str(bundle), str(root), str(asked)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    return (json.loads(done.stdout), "") if done.returncode == 0 else ([], done.stderr.strip())


def prove(repository: Path, count: int, root: Path) -> None:
    """Build, ask outside, ask inside, compare."""
    site = root / "site"
    bundle, pack, asked = site / "bundle", site / "bundle.hardtack", root / "queries.json"
    for directory in (site, root / "mounted", root / "tmp"):
        directory.mkdir()
    build(repository, bundle)
    write_pack(bundle, pack)
    before = content_of(site)
    with open_bundle(bundle) as searcher:
        queries = queries_of(searcher.bundle, count)
    asked.write_text(json.dumps(queries), encoding="ascii")
    proof = Proof(f"{len(queries)} queries in {len(_MODES)} modes over the bundle of {repository.name}")
    expected = answers(bundle, queries)
    hits = sum(len(answer[2]) for answer in expected if isinstance(answer, list) and isinstance(answer[2], list))
    proof.claim("outside", len(queries) == count and hits > 0, f"{hits} hits")
    for place, source in [*((place, bundle) for place in _PLACES), ("nothing", pack)]:
        found, problem = inside(place, source, root, asked)
        differing = [one for one, other in zip(expected, found, strict=False) if one != other]
        same = not problem and found == expected
        detail = problem or f"{len(expected) - len(differing)} of {len(expected)} answers equal" + (
            f"; {differing[:1]}" if differing else ""
        )
        proof.claim(f"{'packed, ' if source == pack else ''}writable: {place}", same, detail)
    proof.claim("nothing was written beside or into the bundle", content_of(site) == before, f"{len(before)} paths")
    proof.leave()


def main() -> None:
    """Play the part that the arguments say: the proof, or one of its two parts inside."""
    if sys.argv[1:2] == ["--seal"]:
        place, *paths = sys.argv[2:]
        seal(place, *map(Path, paths))
    if sys.argv[1:2] == ["--ask"]:
        ask(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--queries", type=int, default=20, metavar="N")
    arguments = parser.parse_args()
    if problem := why_no_mount():
        if os.environ.get("HARDTACK_TEST_NO_MOUNT") == "1":
            print(f"skipped, as HARDTACK_TEST_NO_MOUNT says: mounting is not permitted here ({problem})")
            return
        sys.exit(f"Mounting is not permitted here, so nothing was proved: {problem}\nSet HARDTACK_TEST_NO_MOUNT=1 to go without.")
    with scratch() as root:
        prove(arguments.repository, arguments.queries, root)


if __name__ == "__main__":
    main()
