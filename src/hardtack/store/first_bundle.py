"""A directory without a bundle in; what to type to get one out: pull what is published, else build."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from hardtack.errors import HardtackError
from hardtack.git import repository_of, top_of
from hardtack.store.aims import configured_sources


def tree_around(start: Path) -> Path:
    """The top of the checkout around a directory, whose bundle is found from everywhere in it; without one the directory itself."""
    return top_of(start) or start


def ways_to_one(start: Path, addresses: Sequence[str], github_host: str) -> str:
    """Says what to type for a bundle of a directory, one sentence.

    Args:
        start: the directory, which has no bundle.
        addresses: sources that the user configured.
        github_host: the host whose repositories may publish their own bundles.
    """
    tree = os.path.relpath(tree_around(start), os.path.realpath(start))
    build = f"build one with: hardtack build{'' if tree == os.curdir else f' {shlex.quote(tree)}'}"
    if addresses or _has_source(start, github_host):
        return f"If there is a published one, bring it with: hardtack pull; else {build}"
    return f"B{build[1:]}"


def _has_source(start: Path, github_host: str) -> bool:
    with suppress(HardtackError):  # what is wrong with its configuration is said by the pull
        if configured_sources(tree_around(start)):
            return True
    host, _, project = repository_of(start).partition("/")
    return host == github_host and project.count("/") == 1
