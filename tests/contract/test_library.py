"""What ``import hardtack`` promises its callers: names of bundles, types, reprs, and an example notebook that runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from checkouts import commit, init, write
from notebooks import as_text, run_notebook

import hardtack
from hardtack.errors import BundleNotFound, IntegrityError
from hardtack.nouns.model import Mode, ModeName
from hardtack.nouns.relations import Certainty, CertaintyName
from hardtack.render import RENDERERS, Format
from hardtack.store.cache import BundleCache

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "library.ipynb"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = init(write(tmp_path / "checkout", {"jar.py": 'def open_jar(lid):\n    """Open a jar."""\n    return lid\n'}))
    commit(root)
    hardtack.build_bundle(root)
    return root


def _hits(bundle: str | Path, cache: Path | None = None) -> list[str]:
    with hardtack.open_bundle(bundle, cache=cache) as searcher:
        return [hit.qualified_name for hit in searcher.search("open_jar").hits]


def test_a_bundle_is_opened_by_every_name_that_the_command_line_takes(checkout: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    hardtack_of = [sys.executable, "-P", "-m", "hardtack"]
    env = {**os.environ, "HARDTACK_CACHE": str(cache)}
    pack = tmp_path / "jars.hardtack"
    subprocess.run([*hardtack_of, "pack", str(checkout), "-o", str(pack)], check=True, capture_output=True, env=env)
    subprocess.run([*hardtack_of, "install", str(pack), "--as", "jars"], check=True, capture_output=True, env=env)
    (installed,) = BundleCache(cache).entries()
    for name in (checkout, str(checkout), checkout / ".hardtack" / "bundle", pack):
        assert ["open_jar"] == _hits(name), name
    for name in ("jars", installed.digest):
        assert ["open_jar"] == _hits(name, cache=cache), name


def test_a_name_that_is_no_bundles_is_refused_and_a_damaged_one_too(checkout: Path, tmp_path: Path) -> None:
    with pytest.raises(BundleNotFound, match="nowhere"):
        hardtack.open_bundle("nowhere", cache=tmp_path / "cache")
    os.truncate(checkout / ".hardtack" / "bundle" / "files.msgpack", 3)
    with pytest.raises(IntegrityError):
        hardtack.open_bundle(checkout)


def test_the_words_for_type_checkers_are_those_that_are_taken() -> None:
    assert {*Mode} == {*get_args(ModeName)}
    assert {*Certainty} == {*get_args(CertaintyName)}
    assert {*RENDERERS} == {*get_args(Format)}


_TYPED = """
import hardtack

with hardtack.open_bundle("checkout") as searcher:
    answer = searcher.search("jar", mode={mode!r})
    reveal_type(answer.hits[0].path)
    hardtack.LookUps(searcher.bundle).references("jar", certainty={certainty!r})
    hardtack.render_answer(answer, {format!r})
"""


def test_a_type_checker_knows_modes_certainties_and_formats(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    right = {"mode": "vector", "certainty": "likely", "format": "markdown"}
    files = {"right.py": right, **{f"{name}.py": {**right, name: "hybird"} for name in right}}
    for name, words in files.items():
        (tmp_path / name).write_text(_TYPED.format(**words), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(ROOT / ".mypy_cache" / "library")]
    done = subprocess.run([*command, *files], cwd=tmp_path, capture_output=True, text=True, check=False)
    told = done.stdout.splitlines()
    assert 4 == sum('note: Revealed type is "str"' in line or 'note: Revealed type is "builtins.str"' in line for line in told), (
        told
    )
    errors = [line.partition(":")[0] for line in told if ": error:" in line]
    assert ["certainty.py", "format.py", "mode.py"] == sorted(errors), told


def test_values_are_short_where_they_are_printed(checkout: Path) -> None:
    with hardtack.open_bundle(checkout) as searcher:
        answer, names = searcher.search("open_jar"), hardtack.LookUps(searcher.bundle)
        assert f"<Searcher checkout {searcher.bundle.digest[:19]} 1 files, 1 symbols>" == repr(searcher)
        assert "<Answer 'open_jar' 1 hit best: jar.py:1-3>" == repr(answer)
        assert "<Hit jar.py:1-3 function open_jar 0.9" in repr(answer.hits)
        assert "<LookUpResult 1 of 1, <FunctionDescriptor python function open_jar jar.py:1-3>>" == repr(names.function("open_jar"))


def test_the_example_notebook_runs_and_shows_what_it_says_it_shows(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    shutil.copytree(ROOT / "fixtures" / "repos" / "pantry", tmp_path / "fixtures" / "repos" / "pantry")
    monkeypatch.chdir(tmp_path / "docs")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    ran = as_text(run_notebook(NOTEBOOK))
    if request.config.getoption("--update-golden", default=False):
        NOTEBOOK.write_text(ran, encoding="utf-8")
    assert NOTEBOOK.read_text(encoding="utf-8") == ran
