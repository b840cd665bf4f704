"""Completions of command lines in shells."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from command_line import run

from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.cli.completion import Completions
from hardtack.errors import BundleNotFound
from hardtack.nouns.model import Kind


def _open(path: Path) -> Callable[[str | None], Bundle]:
    return lambda named: open_bundle(Path(named) if named else path)


def _words(method: Callable[..., list[click.shell_completion.CompletionItem]], incomplete: str, **params: object) -> list[str]:
    context = click.Context(click.Command("search"))
    context.params = dict(params)
    return [item.value for item in method(context, click.Option(["--it"]), incomplete)]


@pytest.fixture
def completions(pantry_bundle: Path) -> Completions:
    return Completions(_open(pantry_bundle), lambda: ["pantry", "gin"])


def test_paths_are_those_of_the_bundle(completions: Completions, pantry_bundle: Path) -> None:
    with open_bundle(pantry_bundle) as bundle:
        paths = [bundle.file(ordinal).path for ordinal in range(bundle.manifest.counts.files)]
    assert paths == _words(completions.paths, "")
    for prefix in ("src/", "src/pantry/s", "odd/crlf.py", "zzz", "\udcff"):
        assert [path for path in paths if path.startswith(prefix)] == _words(completions.paths, prefix)


def test_names_and_packages_are_those_of_the_bundle(completions: Completions) -> None:
    assert "Shelf" in _words(completions.names, "Sh")
    assert ["Shelf.take_oldest"] == _words(completions.names, "Shelf.take_o")
    assert [] == _words(completions.names, "shelfF")  # another case would replace what was typed
    assert ["src.pantry"] == _words(completions.packages, "src.")


def test_languages_go_by_all_their_names(completions: Completions) -> None:
    assert ["py", "python"] == _words(completions.languages, "py")


def test_kinds_are_all_there_are(completions: Completions) -> None:
    assert [kind.value for kind in Kind] == _words(completions.kinds, "")
    assert [kind.value for kind in Kind if kind.value.startswith("m")] == _words(completions.kinds, "m") != []


def test_bundles_are_those_installed_and_directories(completions: Completions) -> None:
    assert ["", "gin", "pantry"] == _words(completions.bundles, "")
    assert ["pa", "pantry"] == _words(completions.bundles, "pa")


def test_the_bundle_that_was_named_so_far_is_asked(completions: Completions, bare_bundle: Path, tmp_path: Path) -> None:
    elsewhere = Completions(_open(tmp_path), list)
    assert _words(completions.paths, "") == _words(elsewhere.paths, "", bundle=str(bare_bundle))
    assert _words(completions.paths, "") == _words(elsewhere.paths, "", bundles=(str(bare_bundle), "other"))


def test_without_a_bundle_nothing_is_completed(tmp_path: Path) -> None:
    assert [] == _words(Completions(_open(tmp_path), list).paths, "")
    with pytest.raises(BundleNotFound):
        _open(tmp_path)(None)


def test_a_path_that_would_run_on_a_terminal_or_into_the_next_line_is_left_out() -> None:
    paths = ["odd\x1b[2J.py", "odd\nplain,x", "plain.py"]
    hostile = SimpleNamespace(
        manifest=SimpleNamespace(counts=SimpleNamespace(files=3)),
        file=lambda ordinal: SimpleNamespace(path=paths[ordinal]),
    )
    assert ["plain.py"] == _words(Completions(lambda _: nullcontext(hostile), list).paths, "")  # type: ignore[arg-type,return-value]


def test_a_verb_does_not_load_what_only_a_shell_asks_for() -> None:
    code = "import sys, hardtack.cli.search; print('hardtack.cli.completion' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "False\n" == done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_calls_the_program_back(shell: str) -> None:
    result = run("completion", shell)
    assert 0 == result.return_value
    assert f"_HARDTACK_COMPLETE={shell}_complete" in result.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=result.stdout, text=True, check=True)


def test_verbs_are_completed_by_the_program() -> None:
    environment = {"COMP_WORDS": "hardtack ex", "COMP_CWORD": "1", "_HARDTACK_COMPLETE": "bash_complete", "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-m", "hardtack"], env=environment, capture_output=True, text=True, check=True)
    assert ("plain,explain\nplain,explore\nplain,export\nplain,exports\n", "") == (done.stdout, done.stderr)
