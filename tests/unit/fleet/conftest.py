"""Repositories to build, and a shelf to publish to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from checkouts import commit, git, init, write

from hardtack.fleet.listing import Entry
from hardtack.fleet.task import Plan

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a repository of one commit, with an ``origin``."""

    def made(
        name: str, files: dict[str, str | bytes] | None = None, *, origin: str = "https://git.example.org/team/{}.git"
    ) -> Path:
        root = init(tmp_path / "repositories" / name)
        commit(write(root, {"a.py": f"def {name.replace('-', '_')}(): ...\n", **(files or {})}))
        if origin:
            git(root, "remote", "add", "origin", origin.format(name))
        return root

    return made


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan(shelf=str(tmp_path / "shelf"), profile="keyword")


def entry_of(root: Path, ref: str = "", name: str = "") -> Entry:
    return Entry(address=str(root), ref=ref, name=name)
