"""Proves that a new user gets through: installs, builds, and gives every verb good and bad input, in a terminal and into a pipe.

    python benchmarks/proofs/journey.py REPO... [--here] [--kinds N] [--show]

A wheel of this project is installed into two fresh virtual environments: with the build half and everything that serves, and
alone. Of each repository a clone is built, and every verb of the command line, as click lists them, is run with good input and with
each kind of bad input that its parameters take: an unknown name, wrong values of its flags, a missing and a damaged bundle, a path
outside, an empty text, a huge number, bytes that are no UTF-8. Each run is made in a terminal of 80 columns and into a pipe. None
may show a traceback or leave with a code that the documents do not have; what fails must say why in one sentence; and in the
terminal no line of prose is wider than it. The half alone must say what to install where something is missing. ``--here`` takes
this interpreter and installs nothing, ``--kinds`` no more than N kinds of bad input for each verb: quicker, and proves less.
``--show`` prints every answer, to be read. Exits 1 on any failure.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
from proof import HARDTACK, Proof, clone, environment, scratch, spread

from hardtack.bundle.format.records import SymbolRecord
from hardtack.bundle.reader import open_bundle
from hardtack.cli.main import commands
from hardtack.nouns.model import Kind

_PROJECT = Path(__file__).resolve().parents[2]
_COLUMNS = 80
_SECONDS = 120
_FAILED = (1, 2, 3, 4, 5, 6, 7)
"""Exit codes of ``docs/verbs.md`` for what did not go as was asked."""
_HUGE = str(10**30)
_NOT_UTF8 = os.fsdecode(b"caf\xe9 \xff")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
_PROSE = (
    "build",
    "doctor",
    "stats",
    "status",
    "pull",
    "publish",
    "fleet",
    "install",
    "gc",
    "verify",
    "pack",
    "merge",
    "export",
    "page",
    "clear",
    "init",
    "ci",
    "savings",
)
"""Verbs whose answers are sentences and figures, not code, paths or a script."""


_NOTE: dict[str, object] = {
    "schema": "hardtack.comment/1",
    "base": "a" * 40,
    "head": "b" * 40,
    **dict.fromkeys(("files_changed", "breaks"), 1),
    **dict.fromkeys(("may_break", "surfaced_in_all"), 0),
    **{each: [] for each in ("broken", "surface", "surfaced", "skipped", "secrets", "notes")},
    "reach": None,
    "built": {
        **dict.fromkeys(("bundle_digest", "pack_digest"), f"sha256:{'0' * 64}"),
        **dict.fromkeys(("pack_bytes", "files", "symbols"), 1),
    },
}
"""What a job keeps for a pull request's comment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one run of the command line did."""

    code: int
    out: str
    """In a terminal both streams."""
    err: str = ""

    @property
    def said(self) -> str:
        """Where it says why it failed."""
        return self.err or self.out


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Somebody who stands in a directory, with an installation of their own."""

    command: Sequence[str]
    place: Path
    variables: dict[str, str] = field(default_factory=environment)

    def starts(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Begin a run into pipes."""
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [*self.command, *arguments], cwd=self.place, env=self.variables, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe
        )

    def runs(self, *arguments: str) -> Run:
        """Run into pipes."""
        return _ended(self.starts(*arguments))

    def sees(self, *arguments: str) -> Run:
        """Run in a terminal of 80 columns, and answer nothing that it asks."""
        process, terminal = pty.fork()
        if not process:
            os.chdir(self.place)
            os.execvpe(self.command[0], [*self.command, *arguments], self.variables | {"COLUMNS": str(_COLUMNS)})
        os.write(terminal, b"\x04")
        shown, until = b"", time.monotonic() + _SECONDS
        while time.monotonic() < until:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                part = os.read(terminal, 1 << 16)
            except OSError:  # Linux says so when the other end is closed
                break
            if not part:
                break
            shown += part
        os.close(terminal)
        _, status = os.waitpid(process, 0)
        return Run(code=os.waitstatus_to_exitcode(status), out=_ESCAPES.sub("", shown.decode(errors="replace")))


def _ended(process: subprocess.Popen[bytes]) -> Run:
    out, err = process.communicate(timeout=_SECONDS)
    return Run(code=process.returncode, out=out.decode(errors="replace"), err=err.decode(errors="replace"))


class Journey:
    """One repository: what good input is there, and what is claimed of every run."""

    def __init__(self, proof: Proof, user: User, bundle: Path, root: Path, *, shows: bool) -> None:
        self.proof, self.user, self.root, self.shows = proof, user, root, shows
        with open_bundle(bundle) as opened:
            symbols = [opened.symbol(number) for number in range(opened.manifest.counts.symbols)]
            function = _first(symbols, Kind.FUNCTION, Kind.METHOD)
            self.function, self.file = function.name, opened.file(function.file).path
            self.line = max(1, function.span.start_line)
            self.type = _first(symbols, Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TYPE).name
            self.package = next((each.package for each in symbols if each.package), "src")
        self.shard = root / "shard"
        self.note = root / "hardtack-comment.json"
        self.note.write_text(json.dumps(_NOTE), encoding="utf-8")
        self.fleet = root / "fleet.txt"
        self.fleet.write_text(f"{user.place}\n", encoding="utf-8")
        self.damaged = root / "damaged"
        shutil.copytree(bundle, self.damaged)
        member = max(self.damaged.rglob("*"), key=lambda path: path.stat().st_size if path.is_file() else 0)
        data = bytearray(member.read_bytes())
        data[len(data) // 2] ^= 0xFF
        member.write_bytes(data)

    def good(self) -> dict[str, list[str]]:
        """Verb -> arguments that it answers; a verb that this does not know fails the proof."""
        pack, place = str(self.root / "one.hardtack"), f"{self.file}:{self.line}"
        return {
            "build": [".", "--history", "50"],
            "pack": ["-o", pack],
            "merge": [str(self.shard), "-o", str(self.root / "merged")],
            "verify": [pack],
            "search": [self.function],
            "explain": [self.function],
            "explore": [self.function],
            "define": [self.type],
            "function": [self.function],
            "exports": [self.package],
            "implementations": [self.type],
            "references": [self.function],
            "callers": [self.function],
            "similar": [place],
            "history": [self.file],
            "diff": [pack],
            "impact": [self.function],
            "grep": [self.function],
            "cat": [f"{place}-{self.line + 3}"],
            "ls": [],
            "map": [],
            "list": [],
            "status": [],
            "stats": [],
            "doctor": [],
            "tool": ["open_file", "--json", f'{{"path": "{self.file}"}}'],
            "init": ["--print", "cursor"],
            "completion": ["bash"],
            "export": ["--to", str(self.root / "exported")],
            "page": ["-o", str(self.root / "page")],
            "install": [pack, "--as", "journey"],
            "publish": [pack, "--to", str(self.root / "published")],
            "catalogue": [str(self.root / "published")],
            "fleet": [str(self.fleet), "--to", str(self.root / "shelf")],
            "pull": ["--from", str(self.root / "published")],
            "gc": ["--dry-run"],
            "savings": ["--clear"],
            "serve": [],
            "ci": ["--help"],
            "comment": [str(self.note)],
            "clear": ["--yes", "journey"],
        }

    def bad(self, verb: str, command: click.Command) -> Iterator[tuple[str, list[str]]]:
        """(kind of bad input, arguments), made of what the verb's parameters take."""
        good = self.good()[verb] if verb not in ("ci", "serve", "clear") else []
        yield "unknown flag", [*good, "--no-such-flag"]
        yield (
            "one argument too many",
            [*good, *(["beyond"] * 3)] if verb not in ("search", "explain", "explore", "grep", "cat") else [*good, "-x"],
        )
        names = {name: option for option in command.params for name in option.opts}
        if "--bundle" in names:
            yield "missing bundle", [*good, "-b", str(self.root / "nowhere")]
            yield "damaged bundle", [*good, "-b", str(self.damaged)]
            yield "empty bundle", [*good, "-b", ""]
        if "--digest" in names:
            yield "wrong digest", [*good, "--digest", "sha256:12"]
        for name, option in names.items():
            if not name.startswith("--") or not isinstance(option, click.Option) or option.is_flag or option.count:
                continue
            if isinstance(option.type, click.Choice):
                yield f"{name} of no such value", [*good, name, "bogus"]
                yield f"{name} empty", [*good, name, ""]
            elif isinstance(option.type, click.types.IntParamType | click.types.FloatParamType):
                yield f"{name} no number", [*good, name, "many"]
                yield f"{name} negative", [*good, name, "-5"]
                yield f"{name} huge", [*good, name, _HUGE]
        if any(isinstance(each, click.Argument) for each in command.params):
            wrong = {
                "empty": "",
                "outside": "../../etc/passwd",
                "unknown": "no_such_thing_zq",
                "no UTF-8": _NOT_UTF8,
                "huge": "9" * 9999,
            }
            rest = [each for each in good if each.startswith("--")]
            yield from ((f"argument {kind}", [value]) for kind, value in wrong.items() if not rest or verb != "publish")

    # -- claims -------------------------------------------------------------------------------------------------------------------

    def claim(self, verb: str, what: str, arguments: list[str], *, is_good: bool) -> None:
        """Run it both ways, and say what is wrong with either."""
        if is_again := verb in _CHANGES:
            piped, seen = self.user.runs(verb, *arguments), self.user.sees(verb, *arguments)
        else:
            beside = self.user.starts(verb, *arguments)
            seen, piped = self.user.sees(verb, *arguments), _ended(beside)
        if self.shows:
            print(f"\n$ hardtack {verb} {' '.join(arguments)[:200]}   [{piped.code}]\n{seen.out[:4000]}")
        seen_faults = _faults(seen, is_good=is_good and not is_again)
        faults = [*_faults(piped, is_good=is_good), *(f"in a terminal {each}" for each in seen_faults)]
        if piped.code != seen.code and not is_again:
            faults.append(f"leaves with {piped.code} in a pipe and {seen.code} in a terminal")
        if verb in _PROSE or "--help" in arguments or seen.code in _FAILED[1:]:
            faults += [f"a line of {len(line)} columns: {line[:60]}..." for line in _too_wide(seen.out)][:1]
        self.proof.claim(f"{verb}: {what}", not faults, "; ".join(faults))


def _first(symbols: Sequence[SymbolRecord], *kinds: Kind) -> SymbolRecord:
    """The first symbol of these kinds with a name worth typing, else the first of all."""
    return next((each for each in symbols if each.kind in kinds and len(each.name) > 2), symbols[0])


_CHANGES = ("build", "ci", "merge", "pack", "export", "page", "publish", "fleet", "install", "clear", "pull")
"""Verbs that do their work in the first run, so that the second finds another state."""


def _faults(run: Run, *, is_good: bool) -> list[str]:
    faults = []
    if "Traceback (most recent call last)" in run.out + run.err or "bug in Hardtack" in run.err:
        faults.append("a traceback")
    if run.code not in (0, *_FAILED):
        faults.append(f"exit status {run.code}")
    if is_good and run.code > 1:
        faults.append(f"exit status {run.code}: {run.said.strip()[:200]}")
    said = [line for line in run.said.splitlines() if line.strip()]
    if run.code > 1 and not _is_a_sentence(said):
        faults.append(f"no sentence: {' | '.join(said)[:200]}")
    return faults


def _is_a_sentence(lines: Sequence[str]) -> bool:
    """Whether a failure is told as ``hardtack: SENTENCE.`` and a remedy; a tool and ``--json`` tell it as one JSON object."""
    text = " ".join(line.strip() for line in lines)
    return bool(re.search(r"(^| )hardtack: \S.*[.?!]( |$)", text)) or text.endswith("}")


def _too_wide(shown: str) -> list[str]:
    """Lines that are wider than the terminal although they could have been broken."""
    lines = (line for line in shown.splitlines() if len(line) > _COLUMNS and not line.startswith("{"))
    return [line for line in lines if max(map(len, line.split())) < _COLUMNS // 2]


# -- installations ----------------------------------------------------------------------------------------------------------------


def installed(place: Path, wheel: Path, extras: str) -> list[str]:
    """The command line of a fresh virtual environment."""
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"hardtack{extras} @ file://{wheel}"], check=True, env=environment(PYTHONPATH=None))
    return [str(place / "bin" / "hardtack")]


def wheel_of(place: Path) -> Path:
    """A wheel of this project."""
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(place), str(_PROJECT)]
    subprocess.run(build, check=True)
    return next(place.glob("*.whl"))


def missing_extras(proof: Proof, user: User) -> None:
    """The half alone searches what is there, and says what to install for the rest."""
    asked = {
        "build": (["build", "."], "build"),
        "serve": (["serve"], "mcp"),
        "tool": (["tool", "search_code", "--json", '{"query": "x"}'], "mcp"),
        "grep -E": (["grep", "-E", "a.c"], "regex"),
        "pull": (["pull", "--from", "s3://nobody/here", "--ref", "main", "--repository", "example.org/a/b"], "remote"),
        "publish": (["publish", "--to", "s3://nobody/here"], "remote"),
        "init": (["init", "--print", "cursor"], "mcp"),
        "export": (["export", "--to", "exported"], "export"),
        "page": (["page", "-o", "page"], "page"),
        "ci": (["ci"], "build"),
        "comment": (["comment", ".git/HEAD"], "comment"),
        "merge": (["merge", "shard", "-o", "merged"], "build"),
        "fleet": (["fleet", ".git/HEAD", "--to", "nowhere"], "build"),
    }
    for what, (arguments, extra) in asked.items():
        done = user.runs(*arguments)
        says = f"pip install 'hardtack[{extra}]'" in done.err and "Traceback" not in done.err
        is_right = done.code == (0 if what == "init" else 2)
        proof.claim(
            f"without extras: {what} says what to install", says and is_right, f"exit status {done.code}: {done.err.strip()[:150]}"
        )


def journey(proof: Proof, repository: Path, user_of: Sequence[Sequence[str]], root: Path, *, kinds: int, shows: bool) -> None:
    """Everything over one repository."""
    name = repository.resolve().name
    checkout = clone(repository, root / name / "checkout" / name)
    subprocess.run(["git", "remote", "set-url", "origin", f"https://example.org/journey/{name}.git"], cwd=checkout, check=True)
    variables = environment(HARDTACK_CACHE=str(root / name / "cache"), HARDTACK_BUNDLE=None, NO_COLOR="1", PAGER="cat")
    user = User(command=user_of[0], place=checkout, variables=variables)
    built = user.runs("build", ".")
    proof.claim(f"{name}: build", built.code == 0, built.err.strip().splitlines()[0] if built.err else "")
    sharded = user.runs("build", ".", "--shard", "1/1", "-o", str(root / name / "shard"))
    proof.claim(f"{name}: build --shard", sharded.code == 0, sharded.err.strip().splitlines()[0] if sharded.err else "")
    if len(user_of) > 1:
        missing_extras(proof, User(command=user_of[1], place=checkout, variables=variables))
    trip = Journey(proof, user, checkout / ".hardtack" / "bundle", root / name, shows=shows)
    verbs = commands.list_commands(click.Context(commands))
    good = trip.good()
    proof.claim(f"{name}: every verb is known here", {*verbs} == {*good}, " ".join({*verbs} ^ {*good}))
    for verb in sorted(verbs, key=list(good).index):
        trip.claim(verb, "--help", ["--help"], is_good=True)
        if verb != "serve":
            trip.claim(verb, "good input", good[verb], is_good=True)
    for verb in verbs:
        command = commands.get_command(click.Context(commands), verb)
        assert command
        every = [*trip.bad(verb, command)]
        for what, arguments in [every[at] for at in spread(kinds, len(every))] if kinds < len(every) else every:
            trip.claim(verb, what, arguments, is_good=False)


def main() -> None:
    """Install, walk, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO")
    parser.add_argument("--here", action="store_true", help="this interpreter; nothing is installed")
    parser.add_argument("--kinds", type=int, default=sys.maxsize, metavar="N", help="kinds of bad input for each verb")
    parser.add_argument("--show", action="store_true", help="print every answer")
    arguments = parser.parse_args()
    with scratch() as root:
        if arguments.here:
            users: list[Sequence[str]] = [HARDTACK]
        else:
            wheel = wheel_of(root)
            users = [installed(root / "whole", wheel, "[build,export,mcp,page,regex,remote]"), installed(root / "half", wheel, "")]
        proof = Proof(f"The journey of a new user over {', '.join(each.resolve().name for each in arguments.repositories)}")
        for repository in arguments.repositories:
            journey(proof, repository, users, root, kinds=arguments.kinds, shows=arguments.show)
        proof.leave()


if __name__ == "__main__":
    main()
