"""What is not loaded: importing the package costs nothing, and a search loads no part of a build."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from own_work import made_own

from hardtack.bundle.packing import write_pack
from hardtack.store.cache import BundleCache
from hardtack.store.install import install_pack

MODULES_OF_A_SEARCH = 101  # five tell whether the bundle of a checkout is the user's own, three whether its files differ, one pages
"""Modules of Hardtack that a default search loads at most, whichever way it finds its bundle."""

BUILD_HALF = {"hardtack.build", "tree_sitter", "tree_sitter_language_pack", "pathspec"}
TRANSFORMERS = {"torch", "transformers", "sentence_transformers", "tokenizers"}
OF_TERMINALS = {"rich", "markdown_it", "pygments", "hardtack.render.terminal"}
OTHER_EXTRAS = {"mcp", "fsspec", "pyarrow", *TRANSFORMERS}
FETCHING = {"urllib3", "filelock", "platformdirs"}
"""What only fetching, installing and encoders at an address need."""
VECTORS = {"faiss", "hardtack.bundle.engines.vectors", "hardtack.encoders.static"}
RANKING = {"numpy", "hardtack.query.ranking.model"}


class Door(NamedTuple):
    """One way in which a command finds its bundle."""

    flags: tuple[str, ...]
    directory: Path
    """Where the user stands."""
    variables: dict[str, str]


def _loaded(*arguments: str, cwd: Path | None = None, variables: dict[str, str] | None = None) -> set[str]:
    """Every module that Python loads while it runs ``arguments``, and the packages they are in."""
    command = [sys.executable, "-P", "-X", "importtime", *arguments]
    environment = os.environ | (variables or {})
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=cwd, env=environment)
    lines = (line for line in done.stderr.splitlines() if line.startswith("import time:"))
    return {line.rpartition("|")[2].strip() for line in lines}


def test_importing_the_package_loads_nothing_but_itself() -> None:
    own = {name for name in _loaded("-c", "import hardtack") if name.partition(".")[0] == "hardtack"}
    assert {"hardtack"} == own
    assert not _loaded("-c", "import hardtack") & {"click", "msgpack", "tantivy", "numpy", "faiss", *BUILD_HALF}


def test_the_public_names_of_the_query_half_do_not_load_the_build_half() -> None:
    loaded = _loaded("-c", "from hardtack import Answer, Hit, Mode, Query, Searcher, open_bundle, HardtackError")
    assert set() == loaded & {*BUILD_HALF, *VECTORS, *OTHER_EXTRAS, *FETCHING, "click"}


@pytest.mark.parametrize("flags", [[], ["--lang", "python", "--kind", "class", "--path", "src/"]], ids=["plain", "filtered"])
def test_a_keyword_search_loads_what_ranks_and_neither_vectors_nor_a_parser(pantry_bundle: Path, flags: list[str]) -> None:
    loaded = _loaded("-m", "hardtack", "search", "Shelf", "-b", str(pantry_bundle), "--mode", "keyword", *flags)
    assert {"tantivy", *RANKING} <= loaded
    assert set() == loaded & {*BUILD_HALF, *VECTORS, *OTHER_EXTRAS, *FETCHING}


def test_a_search_loads_no_faiss_where_vectors_are_scanned_and_nothing_that_only_other_questions_need(
    pantry_bundle: Path, tmp_path: Path
) -> None:
    loaded = _loaded("-m", "hardtack", "search", "Shelf", "-b", str(pantry_bundle), cwd=tmp_path)
    assert loaded >= VECTORS - {"faiss"}
    assert set() == loaded & {
        "faiss",
        "subprocess",
        "hardtack.nouns.statistics",
        "hardtack.nouns.details",
        "hardtack.query.files.stored_files",
    }


@pytest.mark.parametrize("verb", [["define", "Shelf"], ["references", "Shelf"], ["stats"], ["cat", "README.md"]])
def test_a_look_up_loads_neither_what_ranks_nor_vectors(pantry_bundle: Path, verb: list[str]) -> None:
    loaded = _loaded("-m", "hardtack", *verb, "-b", str(pantry_bundle))
    assert "hardtack.bundle.reader" in loaded
    assert set() == loaded & {*RANKING, *VECTORS}


@pytest.mark.parametrize(
    "verb",
    [
        ["define", "Shelf"],
        ["references", "Jar"],
        ["exports", "label"],
        ["explain", "jar"],
        ["stats"],
        ["search", "jar"],
        ["ls"],
        ["map"],
    ],
    ids=" ".join,
)
def test_nothing_that_only_a_terminal_needs_is_loaded_for_a_pipe(pantry_bundle: Path, verb: list[str]) -> None:
    loaded = _loaded("-m", "hardtack", *verb, "-b", str(pantry_bundle), variables={"CLICOLOR_FORCE": "1"})
    assert "hardtack.bundle.reader" in loaded
    assert set() == loaded & OF_TERMINALS


@pytest.mark.parametrize(
    "verb", [["search", "Shelf"], ["search", "Shelf", "--mode", "vector"], ["verify"], ["stats"], ["cat", "README.md"]]
)
def test_no_reading_verb_loads_a_parser_or_another_extra(pantry_bundle: Path, verb: list[str]) -> None:
    loaded = _loaded("-m", "hardtack", *verb, "-b", str(pantry_bundle))
    assert "hardtack.bundle.reader" in loaded
    assert set() == loaded & {*BUILD_HALF, *OTHER_EXTRAS, *FETCHING}


@pytest.fixture(scope="module", params=["checkout", "directory", "name", "pack", "path"])
def door(request: pytest.FixtureRequest, pantry: Path, pantry_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Door:
    """Each way to a bundle: in the checkout one stands in, by directory, installed and by name, as a pack, below a directory."""
    place = tmp_path_factory.mktemp(request.param)
    cache = {"HARDTACK_CACHE": str(place / "cache")}
    match request.param:
        case "checkout":
            shutil.copytree(pantry, place / "pantry")
            copied = Path(shutil.copytree(pantry_bundle, place / "pantry" / ".hardtack" / "bundle"))
            made_own(copied, BundleCache(place / "cache"))
            return Door((), place / "pantry", cache)
        case "directory":
            return Door(("-b", str(pantry_bundle)), place, cache)
        case "path":
            shutil.copytree(pantry_bundle, place / "bundles" / "pantry")
            return Door((), place, {**cache, "HARDTACK_BUNDLE_PATH": str(place / "bundles")})
    pack = write_pack(pantry_bundle, place / "pantry.hardtack").path
    if request.param == "pack":
        return Door(("-b", str(pack)), place, cache)
    install_pack(BundleCache(place / "cache"), pack, name="pantry")
    return Door(("-b", "pantry"), place, cache)


def test_a_search_loads_little_whichever_way_it_finds_its_bundle(door: Door) -> None:
    loaded = _loaded("-m", "hardtack", "search", "Shelf", *door.flags, cwd=door.directory, variables=door.variables)
    assert {"hardtack.bundle.reader", *RANKING, *VECTORS} - {"faiss"} <= loaded
    assert set() == loaded & {"faiss", *BUILD_HALF, *OTHER_EXTRAS, *FETCHING}
    own = {name for name in loaded if name.partition(".")[0] == "hardtack"}
    assert len(own) <= MODULES_OF_A_SEARCH, sorted(own)


def test_a_look_up_loads_little_whichever_way_it_finds_its_bundle(door: Door) -> None:
    loaded = _loaded("-m", "hardtack", "define", "Shelf", *door.flags, cwd=door.directory, variables=door.variables)
    assert "hardtack.bundle.reader" in loaded
    assert set() == loaded & {*VECTORS, *RANKING, *BUILD_HALF, *OTHER_EXTRAS, *FETCHING}


def test_help_loads_no_engine(pantry_bundle: Path) -> None:
    assert set() == _loaded("-m", "hardtack", "--help") & {*BUILD_HALF, *RANKING, *VECTORS, *OTHER_EXTRAS, *FETCHING}


@pytest.mark.parametrize("module", ["tree_sitter", "tree_sitter_language_pack"])
def test_a_build_without_its_extra_says_what_to_install(module: str, tmp_path: Path) -> None:
    script = f"import sys; sys.modules[{module!r}] = None; from hardtack.cli.main import main; main()"
    command = [sys.executable, "-c", script, "build", str(tmp_path), "-o", str(tmp_path / "bundle")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    sentence = (
        "hardtack: Building a bundle needs the 'build' extra, which is not installed.\n  Run: pip install 'hardtack[build]'\n"
    )
    assert (2, "", sentence) == (done.returncode, done.stdout, done.stderr)


def test_a_build_that_finds_nothing_changed_loads_nothing_that_reads_files(pantry: Path, tmp_path: Path) -> None:
    for _ in range(2):
        loaded = _loaded("-m", "hardtack", "build", str(pantry), "-o", str(tmp_path / "bundle"))
    unneeded = {"numpy", "tantivy", "tomllib", "hardtack.build.languages.registry", "hardtack.build.assembly"}
    assert set() == loaded & unneeded
