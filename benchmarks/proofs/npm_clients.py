"""Proves that clients as npm has them find the server after ``hardtack init``, by their own ``mcp list``.

    python benchmarks/proofs/npm_clients.py REPO [--keep DIR]

Installs Claude Code, Codex, Gemini CLI and opencode from npm (node and npm are required) and clones REPO with a bundle. In a fresh
home directory each client is asked in the project before and after its entry is written there, and in another directory after an
entry of the user is. Where a client starts a project's servers only for who trusts the folder, that is written first, as its own
dialogue writes it. A list that says "connected" has started the server and shaken hands; Codex lists what it would start as
"enabled". With ``--keep`` the packages are installed there and used again. Exits 1 if a client does not find the server, or the
instructions do not lie where it reads them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from proof import Proof, clone, hardtack, scratch

_SECONDS = 120
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def _approve_claude(home: Path, project: Path) -> None:
    (project / ".claude").mkdir(exist_ok=True)
    (project / ".claude" / "settings.local.json").write_text(json.dumps({"enabledMcpjsonServers": ["hardtack"]}))


def _trust_codex(home: Path, project: Path) -> None:
    (home / ".codex").mkdir(exist_ok=True)
    (home / ".codex" / "config.toml").write_text(f'[projects."{project}"]\ntrust_level = "trusted"\n')


def _trust_gemini(home: Path, project: Path) -> None:
    (home / ".gemini").mkdir(exist_ok=True)
    folders = {str(project): "TRUST_FOLDER", str(project.parent / "elsewhere"): "TRUST_FOLDER"}
    (home / ".gemini" / "trustedFolders.json").write_text(json.dumps(folders))


def _trust_nothing(home: Path, project: Path) -> None:
    """It asks for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NpmClient:
    """A client, and what tells that it found the server."""

    name: str
    """What ``hardtack init`` calls it."""
    package: str
    program: str
    found: str
    """What its list says of a server that it has found."""
    reads: str
    """The file of a project that it reads instructions from."""
    trust: Callable[[Path, Path], None] = _trust_nothing
    unpacks: str = ""
    """The script of its package that brings its program, which npm does not run unasked."""


_CLIENTS = (
    NpmClient(
        name="claude-code",
        package="@anthropic-ai/claude-code",
        program="claude",
        found="Connected",
        reads="CLAUDE.md",
        trust=_approve_claude,
        unpacks="install.cjs",
    ),
    NpmClient(name="codex", package="@openai/codex", program="codex", found="enabled", reads="AGENTS.md", trust=_trust_codex),
    NpmClient(
        name="gemini-cli",
        package="@google/gemini-cli",
        program="gemini",
        found="Connected",
        reads="GEMINI.md",
        trust=_trust_gemini,
    ),
    NpmClient(
        name="opencode", package="opencode-ai", program="opencode", found="connected", reads="AGENTS.md", unpacks="postinstall.mjs"
    ),
)


def installed(place: Path) -> Path:
    """The directory of the clients' programs, which npm puts below ``place``."""
    modules = place / "node_modules"
    if not (modules / ".bin" / "codex").exists():
        packages = [client.package for client in _CLIENTS]
        subprocess.run(["npm", "install", "--prefix", place, "--no-audit", "--no-fund", *packages], check=True, capture_output=True)
        for client in _CLIENTS:
            if client.unpacks:
                subprocess.run(["node", client.unpacks], cwd=modules / client.package, check=True, capture_output=True)
    return modules / ".bin"


def said(program: Path, *arguments: str, cwd: Path, env: Mapping[str, str]) -> str:
    """What a client prints, without colours and warnings; what broke it where it takes too long."""
    command = [str(program), *arguments]
    try:
        done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"nothing within {_SECONDS} seconds"
    lines = _COLOURS.sub("", done.stdout + done.stderr).splitlines()
    return "\n".join(line for line in lines if not line.startswith("WARNING"))


def line_of(listed: str) -> str:
    """The line of a list that speaks of the server."""
    return next((" ".join(line.split()) for line in listed.splitlines() if "hardtack" in line), "not listed")


def try_client(client: NpmClient, programs: Path, repository: Path, place: Path, proof: Proof) -> None:
    """One client, in a home and a project of its own."""
    home, project, other = place / "home", clone(repository, place / "project"), place / "elsewhere"
    for directory in (home, other):
        directory.mkdir()
    own = os.pathsep.join((str(Path(sys.executable).parent), str(programs), os.environ["PATH"]))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "CLAUDE", "CODEX", "HARDTACK_"))}
    env = {**kept, "HOME": str(home), "PATH": own, "HARDTACK_CACHE": str(place / "cache")}
    program = programs / client.program
    version = said(program, "--version", cwd=other, env=env).strip().splitlines()[-1]
    made = hardtack("build", project, "--quiet", env=env)
    proof.claim(f"{client.name} {version}: a bundle", made.returncode == 0, made.stderr.strip())
    client.trust(home, project)
    before = line_of(said(program, "mcp", "list", cwd=project, env=env))
    hardtack("init", client.name, "--instructions", env=env, cwd=project)
    after = line_of(said(program, "mcp", "list", cwd=project, env=env))
    proof.claim(f"{client.name}: the project's entry", before == "not listed" and client.found in after, after)
    text = (project / client.reads).read_text() if (project / client.reads).exists() else ""
    proof.claim(f"{client.name}: instructions in {client.reads}", "explore" in text, f"{len(text.split())} words")
    hardtack("init", "--user", client.name, env=env, cwd=other)
    listed = line_of(said(program, "mcp", "list", cwd=other, env=env))
    proof.claim(f"{client.name}: the user's entry", client.found in listed, listed)


def main() -> None:
    """Install, write, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path, metavar="REPO")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    proof = Proof("clients of npm find the server")
    with scratch() as place:
        programs = installed((arguments.keep or place / "npm").absolute())
        for client in _CLIENTS:
            (place / client.name).mkdir()
            try_client(client, programs, arguments.repository, place / client.name, proof)
    proof.leave()


if __name__ == "__main__":
    main()
