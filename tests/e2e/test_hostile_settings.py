"""Files of settings that are made to cost time or memory: each verb that reads one ends soon, with an answer or one sentence."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest
from checkouts import commit, init
from processes import Run

DOTS = "a" + ".a" * 80_000 + " = 1\n"
DEEP = "a = " + "[" * 80_000 + "]" * 80_000
NUMBER = '{"format": 1, "bundles": {}, "a": ' + "9" * 160_000 + "}"
LISTS = json.dumps({"a": 1})[:-1] + ', "b": ' + "[" * 80_000 + "]" * 80_000 + "}"
ATTACKS = {
    "pull, dots": ("hardtack.toml", DOTS, ["pull"]),
    "pull, an inline table": ("pyproject.toml", "[tool.hardtack]\nx = {a" + ".a" * 80_000 + " = 1}\n", ["pull"]),
    "pull, arrays": ("hardtack.toml", DEEP[:60_000], ["pull"]),
    "pull, a lock file of digits": (".hardtack.lock", NUMBER, ["pull"]),
    "pull, a lock file of lists": (".hardtack.lock", LISTS, ["pull"]),
    "status, a lock file of digits": (".hardtack.lock", NUMBER, ["status"]),
    "status, dots": ("hardtack.toml", DOTS, ["status"]),
    "build, dots": ("pyproject.toml", DOTS, ["build", "--profile", "keyword", "-o", "{out}"]),
    "build, a header": ("Cargo.toml", "[a" + ".a" * 80_000 + "]", ["build", "--profile", "keyword", "-o", "{out}"]),
    "build, a notebook of lists": ("a.ipynb", LISTS, ["build", "--profile", "keyword", "-o", "{out}"]),
    "build, a notebook of empty values": (
        "a.ipynb",
        '{"nbformat": 4, "cells": [' + "{}," * 5_000_000 + "{}]}",
        ["build", "--profile", "keyword", "-o", "{out}"],
    ),
    "build, an ini file": ("setup.cfg", "[options]\na" + " " * 500_000 + "b", ["build", "--profile", "keyword", "-o", "{out}"]),
    "init, dots": (".codex/config.toml", DOTS, ["init", "codex", "--project"]),
    "init, an array of many lines": (
        ".codex/config.toml",
        "a = [\n" + "1,\n" * 200_000 + "]\n[mcp_servers.hardtack]\ncommand = 'x'\n",
        ["init", "codex", "--project"],
    ),
    "init, lists": (".cursor/mcp.json", LISTS, ["init", "cursor", "--project"]),
    "init, empty values": (".cursor/mcp.json", '{"a": [' + "[]," * 4_000_000 + "[]]}", ["init", "cursor", "--project"]),
}


def _processor_time() -> float:
    """Seconds that the processes took that this one has started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_file_of_settings_costs_little(attack: str, tmp_path: Path, run: Run) -> None:
    name, text, arguments = ATTACKS[attack]
    root = init(tmp_path / "checkout")
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text)
    (root / "a.py").write_text("def a(): ...\n")
    commit(root)
    command = [argument.format(out=tmp_path / "out") for argument in arguments]
    before = _processor_time()
    done = run(*command, cwd=root, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30)), timeout=300)
    assert _processor_time() - before < 30  # seconds; most of them start Python and load parsers
    assert done.returncode in (0, 1, 2, 3, 5), done.stderr  # killed, it would be negative
    assert "Traceback" not in done.stderr
    if arguments[0] == "build":
        assert 0 == done.returncode, done.stderr
