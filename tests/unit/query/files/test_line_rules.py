"""Which lines ``grep`` wants besides what they contain: held against ripgrep over the same files."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.query.files.around import with_context
from hardtack.query.files.grep import LineMatch
from hardtack.query.files.patterns import LineRule
from hardtack.query.files.stored_files import StoredFiles
from hardtack.query.request.globs import override_predicate
from hardtack.render.lines import render_groups, render_matches
from hardtack.render.style import PLAIN

pytest.importorskip("re2")
RIPGREP = shutil.which("rg")
ODD = (
    "Straße STRASSE straße\nnaïve\nnai\u0308ve\nber über BER\nfoo foobar foo_ _foo foo-bar\n\u212aelvin kelvin\nlong \u017fhelf\n"
    "foo²\r\nx2 \u0967\n"
)
RULES = {
    "-i": LineRule(ignore_case=True),
    "-w": LineRule(whole_words=True),
    "-v": LineRule(inverted=True),
    "-iw": LineRule(ignore_case=True, whole_words=True),
    "-iv": LineRule(ignore_case=True, inverted=True),
    "-wv": LineRule(whole_words=True, inverted=True),
    "-iwv": LineRule(ignore_case=True, whole_words=True, inverted=True),
}
TEXTS = ["shelf", "Jar", "ber", "foo", "foo-", "kelvin", "e", "straße", "nai", "jar.content", "(", "x2", "no such text"]
PATTERNS = ["foo|foobar", "s[a-z]+f", "^def ", "jars?$", r"-?foo", "b.r", "foo|ber"]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Bundle]]:
    """The pantry's files and one of odd letters, and the bundle of them."""
    root = tmp_path_factory.mktemp("lines") / "tree"
    shutil.copytree(Path(__file__).parents[4] / "fixtures" / "repos" / "pantry", root)
    (root / "odd.txt").write_bytes(ODD.encode())
    build_bundle(root, root.parent / "bundle", BuildOptions(profile="keyword", jobs=1))
    with open_bundle(root.parent / "bundle") as bundle:
        yield root, bundle


def _ours(bundle: Bundle, wanted: str, rule: LineRule, *, regex: bool, context: int = 0) -> list[str]:
    files = StoredFiles(bundle)
    found = files.search(wanted, rule=rule, regex=regex, limit=10_000)
    groups = with_context(files, found.matches, context, context)
    text = render_groups(groups, wanted, PLAIN) if context else render_matches(found.matches, wanted, PLAIN)
    return sorted(text.split("\n"))


def _ripgreps(root: Path, wanted: str, *flags: str) -> list[str]:
    command = ["rg", "--no-config", "--no-ignore", "--hidden", "-nH", "--no-heading", *flags, "-e", wanted, "."]
    done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    lines = done.stdout.decode().replace("\r\n", "\n").split("\n")
    return sorted(line.removeprefix("./") for line in lines)


@pytest.mark.skipif(not RIPGREP, reason="compares with ripgrep, which is not installed")
@pytest.mark.parametrize("flag", RULES)
@pytest.mark.parametrize("text", TEXTS)
def test_the_lines_of_a_text_are_those_of_ripgrep(odd: tuple[Path, Bundle], text: str, flag: str) -> None:
    root, bundle = odd
    assert _ripgreps(root, text, "-F", flag) == _ours(bundle, text, RULES[flag], regex=False)


@pytest.mark.skipif(not RIPGREP, reason="compares with ripgrep, which is not installed")
@pytest.mark.parametrize("flag", RULES)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_lines_of_a_pattern_are_those_of_ripgrep(odd: tuple[Path, Bundle], pattern: str, flag: str) -> None:
    root, bundle = odd
    assert _ripgreps(root, pattern, "--crlf", flag) == _ours(bundle, pattern, RULES[flag], regex=True)


@pytest.mark.skipif(not RIPGREP, reason="compares with ripgrep, which is not installed")
@pytest.mark.parametrize("context", [1, 2, 50])
@pytest.mark.parametrize("flag", ["-i", "-v"])
def test_the_lines_around_are_those_of_ripgrep(odd: tuple[Path, Bundle], flag: str, context: int) -> None:
    root, bundle = odd
    expected = _ripgreps(root, "shelf", "-F", flag, f"-C{context}")
    assert expected == _ours(bundle, "shelf", RULES[flag], regex=False, context=context)


GLOBS = [
    *(["*.py"], ["!*.py"], ["*.{py,go}"], ["src/**"], ["/src/**/*.py"], ["*.py", "!test_*"], ["!*.py", "shelf.*"], ["label/*"]),
    ["!src"],
]


@pytest.mark.skipif(not RIPGREP, reason="compares with ripgrep, which is not installed")
@pytest.mark.parametrize("globs", GLOBS, ids=" ".join)
def test_globs_take_the_files_that_ripgrep_takes(odd: tuple[Path, Bundle], globs: list[str]) -> None:
    root, bundle = odd
    flags = [flag for glob in globs for flag in ("-g", glob)]
    listed = subprocess.run(
        ["rg", "--no-config", "--no-ignore", "--files", *flags], cwd=root, capture_output=True, text=True, check=False
    )
    takes = override_predicate(globs)
    assert sorted(listed.stdout.split()) == [each.path for each in bundle.files if takes(each.path)]


def test_a_glob_of_many_braces_stays_small() -> None:
    takes = override_predicate(["{a,b}" * 40])
    assert not takes("c")


def test_pages_of_lines_without_a_match_have_each_line_once(odd: tuple[Path, Bundle]) -> None:
    files, rule = StoredFiles(odd[1]), RULES["-v"]
    whole = files.search("e", rule=rule, limit=10_000).matches
    got: list[LineMatch] = []
    after = None
    while page := files.search("e", rule=rule, limit=7, after=after):
        got += page.matches
        after = page.reached
        if after is None:
            break
    assert [*whole] == got
