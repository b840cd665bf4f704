"""Python, the temporary directory and the environment."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

import hardtack
from hardtack.clients.table import Places
from hardtack.doctor.findings import Surroundings
from hardtack.doctor.machine import VARIABLES, check_environment, check_python, check_temporary_directory

PACKAGE = Path(hardtack.__file__).parent


def _surroundings(**environment: str) -> Surroundings:
    places = Places(home=Path("/home/me"), project=Path("/src"), platform="linux")
    return Surroundings(start=Path("/src"), environment=environment, roots=[], places=places, now=0.0)


def test_every_variable_that_the_program_reads_is_known() -> None:
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    written = {name for text in texts for name in re.findall(r"\bHARDTACK_[A-Z_]+\b", text)}
    codes = {"HARDTACK_ERROR", "HARDTACK_CI_"}  # the latter begins the variable of each input of an action
    assert {name for name in VARIABLES if name.startswith("HARDTACK_")} == written - codes


def test_what_is_set_is_told_with_what_it_does_and_no_secret() -> None:
    keys = {"OPENAI_API_KEY": "sk-1", "HARDTACK_ENCODER_KEY": "k"}
    found = check_environment(_surroundings(HARDTACK_BUNDLE="/b", HARDTACK_ENCODER_URL="http://me:pw@h/v1", PATH="/bin", **keys))
    assert [
        ("ok", "HARDTACK_BUNDLE=/b names the bundle to read"),
        ("ok", "HARDTACK_ENCODER_KEY is the key for an encoder's address of your own"),
        ("ok", "HARDTACK_ENCODER_URL=http://...@h/v1 is the address of an encoder of your own"),
        ("ok", "OPENAI_API_KEY is the key for OpenAI's encoders"),
    ] == [(finding.status, finding.says) for finding in found]


def test_a_variable_that_means_nothing_is_pointed_out() -> None:
    typo, other = check_environment(_surroundings(HARDTACK_BUNDEL="/b", HARDTACK_="1", HARDY="1"))
    assert ("warning", "HARDTACK_ is set and means nothing") == (typo.status, typo.says)
    assert ("HARDTACK_BUNDEL is set and means nothing", "Was HARDTACK_BUNDLE meant?") == (other.says, other.remedy)


class Version(NamedTuple):
    """Of a Python that is too old."""

    major: int = 3
    minor: int = 10
    micro: int = 0


def test_a_python_that_is_too_old_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    (running,) = check_python(_surroundings())
    assert ("ok", True) == (running.status, running.says.endswith(sys.executable))
    monkeypatch.setattr(sys, "version_info", Version())
    (old,) = check_python(_surroundings())
    assert ("problem", True) == (old.status, old.says.endswith("is too old, >=3.11 is supported"))


def test_a_temporary_directory_that_takes_no_links_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (fine,) = check_temporary_directory(_surroundings())
    assert ("ok", f"links can be made in {tmp_path}") == (fine.status, fine.says)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    (bad,) = check_temporary_directory(_surroundings())
    assert ("warning", "Set TMPDIR to a directory that can be written.") == (bad.status, bad.remedy)
    assert bad.says.startswith("no links can be made (No such file or directory)")
    assert [] == list(tmp_path.iterdir())
