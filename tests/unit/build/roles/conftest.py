"""A tree of files in, the role of each out, as a real build stores it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from checkouts import write

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import open_bundle

RolesOf = Callable[[Mapping[str, str]], dict[str, str]]


@pytest.fixture
def roles_of(tmp_path: Path) -> RolesOf:
    def roles(files: Mapping[str, str]) -> dict[str, str]:
        place = tmp_path / str(len(list(tmp_path.iterdir())))
        build_bundle(write(place / "tree", files), place / "bundle", BuildOptions(jobs=1, profile="keyword"))
        with open_bundle(place / "bundle") as bundle:
            bundle.check_records()
            return {file.path: str(file.role) for file in bundle.files}

    return roles
