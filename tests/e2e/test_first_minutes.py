"""A person's first minutes in a checkout without a bundle: what they are told to type, and that it works."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from checkouts import commit, git, init, write
from processes import Run

_PROJECT = Path(__file__).parents[2]
_README = _PROJECT / "README.md"
_NOWHERE = "There is no bundle in or above"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = init(write(tmp_path / "checkout", {"src/jar.py": "def open_jar(lid):\n    return lid\n", "docs/a.md": "# Jars\n"}))
    commit(root)
    return root


def _typed(hint: str) -> list[str]:
    """The words of the last command that a hint offers."""
    return shlex.split(hint.rpartition("hardtack ")[2])


@pytest.mark.parametrize(
    "verb", [("function", "open_jar"), ("grep", "jar"), ("cat", "src/jar.py"), ("explore", "open_jar"), ("stats",), ("verify",)]
)
def test_every_verb_says_what_to_type_for_a_bundle_and_it_works(checkout: Path, run: Run, verb: tuple[str, ...]) -> None:
    told = run(*verb, cwd=checkout / "src")
    assert (3, "") == (told.returncode, told.stdout)
    assert f"{_NOWHERE} {checkout / 'src'}.\n  Build one with: hardtack build ..\n" in told.stderr
    assert 0 == run(*_typed(told.stderr), cwd=checkout / "src").returncode
    assert 0 == run(*verb, cwd=checkout / "src").returncode


@pytest.mark.parametrize("by", ["the user", "the checkout", "its origin on GitHub"])
def test_where_a_source_is_known_a_pull_is_offered_first(checkout: Path, run: Run, by: str) -> None:
    env = {**os.environ}
    if by == "the user":
        env["HARDTACK_SOURCE"] = "https://bundles.example.org"
    elif by == "the checkout":
        write(checkout, {"hardtack.toml": 'source = "https://bundles.example.org"\n'})
    else:
        git(checkout, "remote", "add", "origin", "https://github.com/owner/name")
    told = run("define", "open_jar", cwd=checkout, env=env)
    offer = "  If there is a published one, bring it with: hardtack pull; else build one with: hardtack build\n"
    assert (3, True) == (told.returncode, told.stderr.endswith(offer)), told.stderr


def test_an_origin_elsewhere_and_a_broken_configuration_are_no_source(checkout: Path, run: Run) -> None:
    git(checkout, "remote", "add", "origin", "https://git.example.org/owner/name")
    write(checkout, {"hardtack.toml": "source = [\n"})
    assert run("define", "open_jar", cwd=checkout).stderr.endswith("  Build one with: hardtack build\n")


def test_a_search_builds_only_when_it_is_asked_to_and_then_answers(checkout: Path, run: Run) -> None:
    told = run("search", "open jar", "--json", cwd=checkout)
    assert (3, "") == (told.returncode, told.stdout)
    hint = json.loads(told.stderr)["error"]["hint"]
    assert "Build one with: hardtack build; or in one step: hardtack search --build QUERY" == hint
    assert not (checkout / ".hardtack").exists()
    built = run("search", "--build", "open jar", "--json", cwd=checkout / "docs")
    assert (0, "src/jar.py") == (built.returncode, json.loads(built.stdout)["hits"][0]["path"])
    assert str(checkout / ".hardtack" / "bundle") in built.stderr
    again = run("search", "--build", "open jar", cwd=checkout / "docs")
    assert (0, "") == (again.returncode, again.stderr)  # there is one by now, so nothing is built


def test_what_a_clone_brought_along_is_neither_searched_nor_replaced_by_a_search(checkout: Path, run: Run, tmp_path: Path) -> None:
    assert 0 == run("build", checkout).returncode
    git(checkout, "add", "--force", "--all")
    commit(checkout, "more")
    git(tmp_path, "clone", "--quiet", str(checkout), "clone")
    refused = run("search", "--build", "jar", cwd=tmp_path / "clone")
    assert (6, "", True) == (refused.returncode, refused.stdout, "not one that you built there" in refused.stderr)


@pytest.mark.parametrize("named", [("-b", "elsewhere"), ("--all-bundles",), ("--digest", "sha256:" + "0" * 64)])
def test_nothing_is_built_where_another_bundle_is_named(checkout: Path, run: Run, named: tuple[str, ...]) -> None:
    refused = run("search", "--build", "jar", *named, cwd=checkout)
    assert (2, "", False) == (refused.returncode, refused.stdout, (checkout / ".hardtack").exists())
    assert "--build is of this directory" in refused.stderr


def _first_block() -> list[str]:
    """The commands of the README's first block of code."""
    block = re.search(r"^```\n(.*?)^```$", _README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert block
    return block[1].splitlines()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project as a wheel, as an index would have it."""
    place = tmp_path_factory.mktemp("wheel")
    flags = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(place))
    subprocess.run([sys.executable, "-m", "pip", "wheel", *flags, str(_PROJECT)], check=True, capture_output=True)
    (built,) = place.glob("*.whl")
    return built


@pytest.mark.skipif(os.name != "posix", reason="the commands are those of a POSIX shell")
def test_a_strangers_first_three_commands_of_the_readme_lead_to_the_first_hit(checkout: Path, wheel: Path, tmp_path: Path) -> None:
    """In an environment of nothing but pip; what the package needs comes from this one, in place of the index."""
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    (site,) = venv.glob("lib/python*/site-packages")
    (site / "index.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    env = {"PATH": f"{venv / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin", "HOME": str(tmp_path), "PIP_NO_INDEX": "1"}
    first, *others = _first_block()
    local = re.sub(r"git\+https://[^\s\"]+", wheel.as_uri(), first)
    assert (2, True, True) == (len(others), local != first, local.startswith("pip install "))
    for command in (local, *others):
        done = subprocess.run(
            ["sh", "-c", command], cwd=checkout, env=env, capture_output=True, text=True, check=False, timeout=300
        )
        assert 0 == done.returncode, (command, done.stdout, done.stderr)
    assert (
        str(venv) in subprocess.run(["sh", "-c", "command -v hardtack"], env=env, capture_output=True, text=True, check=True).stdout
    )
    assert re.match(r"src/jar\.py:1-2  function open_jar  0\.\d{3}\n", done.stdout), done.stdout
