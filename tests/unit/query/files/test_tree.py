"""What the spellings of a path mean: in a bundle of one root, and in one of several."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import pytest

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.errors import HardtackError, NotFound, UsageError
from hardtack.query.files.tree import Tree

ODD_NAMES = ("~/home.py", "C:/drive.py", "%2e%2e/dots.py", "a b/c'd.py", "ünï/çödé.py", ".hidden/inside.py", "src/.dot.py", "-n.py")
PLAIN = ("docs/guide.md", "README.md", "src/main.py", "src/app/main.py", "src/app/errors.py", "src/app.py", "LICENSE")


def _built(place: Path, *paths: str) -> Path:
    for path in paths:
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(b"\0" if path.endswith(".bin") else f"name = 'a word in {path}'\n".encode())
    return place


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    place = tmp_path_factory.mktemp("one")
    build_bundle(_built(place / "tree", *ODD_NAMES, *PLAIN), place / "bundle", BuildOptions(jobs=1, profile="keyword"))
    with open_bundle(place / "bundle") as opened:
        opened.places = lambda: [PurePosixPath("/home/me/one"), PurePosixPath("C:/one")]
        yield opened


@pytest.fixture(scope="module")
def tree(bundle: Bundle) -> Tree:
    return Tree(bundle)


@pytest.fixture(scope="module")
def rooted(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Tree]:
    """Makes the tree of a bundle of several roots, each of them a name and its files."""
    opened: dict[str, Tree] = {}

    def make(**roots: tuple[str, ...]) -> Tree:
        if (key := str(roots)) not in opened:
            place = tmp_path_factory.mktemp("roots")
            pairs = tuple((name, _built(place / name, *paths)) for name, paths in roots.items())
            build_bundle(place, place / "bundle", BuildOptions(roots=pairs, jobs=1, profile="keyword"))
            opened[key] = Tree(open_bundle(place / "bundle"))
        return opened[key]

    return make


def _refusal(ask: Callable[..., object], *arguments: object) -> HardtackError:
    with pytest.raises((UsageError, NotFound)) as refused:
        ask(*arguments)
    return refused.value


# -- one root -----------------------------------------------------------------------------------------------------------------


def test_every_stored_path_means_itself_however_odd_it_is(bundle: Bundle, tree: Tree) -> None:
    assert set(ODD_NAMES) <= {file.path for file in bundle.files}
    for file in bundle.files:
        assert file == tree.file(file.path) == tree.file(file.path, tree.part_of(file))
    for directory in ("~", "C:", "%2e%2e", "a b", "ünï", ".hidden"):
        assert (directory, "both") == tree.directory(directory)


@pytest.mark.parametrize(
    "spelt",
    [
        "./src/main.py",
        "src//main.py",
        "src/./main.py",
        "src/main.py/",
        "src/app/../main.py",
        "src\\main.py",
        ".\\src\\app\\..\\main.py",
        "src%2Fmain.py",
        "%73rc/main.py",
        "nowhere/../src/main.py",
        "code/src/main.py",
        *("/src/main.py", "//src/main.py", "\\src\\main.py", "src/main.py:1", "src/main.py:1:5", "./src/main.py:1-2"),
        *("src/main.py#L1", "src/main.py#L1-L2", "hardtack://one/src/main.py", "hardtack://one/src/main.py#L1-L2"),
        *(
            "hardtack://one/src/main.py?lines=1-2",
            "HARDTACK://one/src%2Fmain.py",
            "file:///src/main.py",
            "file://localhost/src/main.py",
        ),
        *(
            "/home/me/one/src/main.py",
            "/home/me/one/docs/../src/main.py:1",
            "file:///home/me/one/src/main.py",
            "C:/one/src/main.py",
        ),
        "C:\\one\\src\\main.py",
    ],
)
def test_harmless_spellings_mean_the_same_file(tree: Tree, spelt: str) -> None:
    assert "src/main.py" == tree.file(spelt).path


@pytest.mark.parametrize(
    "spelt",
    [
        *("..", "../x", "src/../..", "src/../../etc/passwd", "./../x", "docs/../../x"),
        *("/etc/passwd", "//server/share", "/home/me/other/src/main.py", "/home/me/one-more/src/main.py"),
        *("..\\x", "src\\..\\..\\x", "\\etc", "\\\\server\\share", "C:\\Windows", "c:/x", "C:x", "z:"),
        *("~/x", "~root/x", "~\\x"),
        *("%2e%2e/x", "%2E%2E%2Fx", "..%2f..%2fetc", "%2fetc%2fpasswd", "src/%2e%2e/%2e%2e/x", "%5c%5cserver", "C%3A%5Cx", "%7e/x"),
        *("src/main.py\0", "\0", "src\0/../x", "%00"),
        *("file:///etc/passwd", "file://server/src/main.py", "http://example.org/x", "hardtack://one/../x", "/home/me/one/../x"),
        *("../" * 100_000, "src/" * 100_000 + "../" * 100_001),
    ],
    ids=lambda spelt: spelt[:30].encode("unicode_escape").decode(),
)
def test_what_leads_out_of_the_root_is_refused_as_file_and_as_directory(tree: Tree, spelt: str) -> None:
    for ask in (tree.file, tree.directory):
        refused = _refusal(ask, spelt)
        assert "PATH_OUT_OF_ROOT" == refused.code
        assert len(str(refused)) < 1000
        assert "passwd" in str(refused) or "passwd" not in spelt


@pytest.mark.parametrize("spelt", ["", " ", "\t\n"])
def test_an_empty_path_is_refused(tree: Tree, spelt: str) -> None:
    assert ("PATH_EMPTY", "PATH_EMPTY") == (_refusal(tree.file, spelt).code, _refusal(tree.directory, spelt).code)


@pytest.mark.parametrize(
    "spelt",
    [
        "src/nowhere.py",
        "x" * 1_000_000,
        "a/" * 100_000,
        "src/main.py\udcff",
        "\ud800",
        "%252e%252e/x",
        "SRC/MAIN.PY\x1b[31m",
        "...",
    ],
    ids=lambda spelt: spelt[:20].encode("unicode_escape").decode(),
)
def test_what_is_not_there_is_not_found_and_the_sentence_can_be_printed(tree: Tree, spelt: str) -> None:
    for ask, code in ((tree.file, "FILE_NOT_FOUND"), (tree.directory, "DIR_NOT_FOUND")):
        refused = _refusal(ask, spelt)
        assert (code, 1) == (refused.code, refused.exit_code)
        assert f"{refused} {refused.details} {refused.hint}".encode()
        assert str(refused).isprintable()
        assert len(str(refused)) < 1000


@pytest.mark.parametrize(
    ("missing", "suggestions"),
    [
        ("src/app/error.py", ["src/app/errors.py"]),
        ("lib/errors.py", ["src/app/errors.py"]),
        ("errors.py", ["src/app/errors.py"]),
        ("readme.md", ["README.md"]),
        ("app/main.py", ["src/app/main.py", "src/main.py"]),
        ("src/zzzzzzzz.py", []),
    ],
)
def test_the_nearest_files_are_suggested(tree: Tree, missing: str, suggestions: list[str]) -> None:
    refused = _refusal(tree.file, missing)
    assert suggestions == refused.details.get("suggestions", [])
    assert (f"Nearest: {', '.join(suggestions)}." if suggestions else "") == refused.hint


def test_the_nearest_directories_are_suggested(tree: Tree) -> None:
    assert ["src/app"] == _refusal(tree.directory, "app").details["suggestions"]
    assert ["src/app"] == _refusal(tree.directory, "src/apps").details["suggestions"]


def test_a_directory_is_no_file_and_a_file_no_directory(tree: Tree) -> None:
    assert ("FILE_NOT_FOUND", "It is a directory.") == ((it := _refusal(tree.file, "src/app")).code, it.hint)
    assert ("DIR_NOT_FOUND", "It is a file.") == ((it := _refusal(tree.directory, "src/main.py")).code, it.hint)


def test_a_file_of_the_other_part_is_not_found_and_that_is_said(tree: Tree) -> None:
    refused = _refusal(tree.file, "src/main.py", "docs")
    assert ("FILE_NOT_FOUND", "It is in code.", "docs") == (refused.code, refused.hint, refused.details["repo"])
    for spelt, repo in (("code/README.md", None), ("code/src/main.py", "docs"), ("README.md", "code")):
        assert "FILE_NOT_FOUND" == _refusal(tree.file, spelt, repo).code


@pytest.mark.parametrize("repo", ["Docs", "", "web", "docs "])
def test_there_are_two_parts_and_both(tree: Tree, repo: str) -> None:
    assert ["REPO_INVALID"] * 3 == [_refusal(ask, "src", repo).code for ask in (tree.file, tree.directory)] + [
        _refusal(tree.select, repo).code
    ]


def test_a_directory_called_docs_is_meant_before_the_part(tree: Tree) -> None:
    assert ("docs", "both") == tree.directory("docs")
    assert "docs/guide.md" == tree.file("docs/guide.md").path
    assert "FILE_NOT_FOUND" == _refusal(tree.file, "docs/README.md").code
    assert ("", "code") == tree.directory("code")
    assert ("src", "code") == tree.directory("code/src")


@pytest.mark.parametrize("spelt", [".", "./", "././", "src/..", "%2e"])
def test_the_top_has_several_spellings(tree: Tree, spelt: str) -> None:
    assert ("", "both") == tree.directory(spelt)


# -- several roots ------------------------------------------------------------------------------------------------------------


def test_the_roots_docs_and_code_are_the_parts(rooted: Callable[..., Tree]) -> None:
    tree = rooted(docs=("guide.md", "conf.py", "shared.txt"), code=("main.py", "NOTES.md", "shared.txt"))
    assert [("docs", "directory"), ("code", "directory")][::-1] == tree.top()
    assert "docs/conf.py" == tree.file("conf.py").path == tree.file("docs/conf.py").path == tree.file("conf.py", "docs").path
    assert "code/NOTES.md" == tree.file("NOTES.md").path == tree.file("code/NOTES.md", "code").path
    assert [("docs/conf.py", "file"), ("docs/guide.md", "file"), ("docs/shared.txt", "file")] == tree.entries(
        *tree.directory(".", "docs")
    )
    assert [0, 1, 2, 3, 4, 5] == sorted(tree.select().files)
    assert ["docs", "docs", "docs"] == [tree.part_of(tree.file(path)) for path in ("conf.py", "guide.md", "docs/shared.txt")]


def test_a_path_in_several_roots_is_ambiguous_until_the_root_is_named(rooted: Callable[..., Tree]) -> None:
    tree = rooted(docs=("guide.md", "conf.py", "shared.txt"), code=("main.py", "NOTES.md", "shared.txt"))
    refused = _refusal(tree.file, "shared.txt")
    assert ("PATH_AMBIGUOUS", ["code", "docs"], 2) == (refused.code, refused.details["repos"], refused.exit_code)
    assert "code/shared.txt" in refused.hint
    assert "docs/shared.txt" == tree.file("shared.txt", "docs").path
    assert "code/shared.txt" == tree.file("code/shared.txt").path


def test_a_stored_path_is_meant_before_one_within_a_root(rooted: Callable[..., Tree]) -> None:
    tree = rooted(docs=("code/x.py", "y.md"), code=("x.py", "code/x.py"))
    assert "code/x.py" == tree.file("code/x.py").path == tree.file("code/x.py", "code").path
    assert "docs/code/x.py" == tree.file("code/x.py", "docs").path
    assert "code/code/x.py" == tree.file("code/code/x.py").path


def test_one_root_called_docs_leaves_the_others_to_code(rooted: Callable[..., Tree]) -> None:
    tree = rooted(docs=("a.py",), web=("b.md", "b.ts"), api=("c.go",))
    assert ["docs", "code", "code", "code"] == [tree.part_of(tree.file(path)) for path in ("a.py", "b.md", "b.ts", "c.go")]
    assert [("api", "directory"), ("web", "directory")] == tree.entries(*tree.directory(".", "code"))


def test_a_part_of_several_roots_lists_them(rooted: Callable[..., Tree]) -> None:
    tree = rooted(docs=("a.py",), code=("b.ts",), web=("c.ts",))
    assert [("code", "directory"), ("web", "directory")] == tree.entries(*tree.directory(".", "code"))
    assert [("docs/a.py", "file")] == tree.entries(*tree.directory(".", "docs"))


def test_a_part_without_files_is_empty(rooted: Callable[..., Tree]) -> None:
    assert [] == (tree := rooted(docs=("image.png.b64.bin",), code=("b.ts",))).entries(*tree.directory(".", "docs"))
    assert () == tuple(tree.select("docs").files)


def test_roots_of_other_names_are_parted_by_what_files_are(rooted: Callable[..., Tree]) -> None:
    tree = rooted(web=("b.md", "b.ts"), api=("docs/c.md", "c.go"))
    assert ["docs", "code", "docs", "code"] == [tree.part_of(tree.file(path)) for path in ("b.md", "b.ts", "docs/c.md", "c.go")]
    assert ("api/docs", "both") == tree.directory("docs")
    assert "DIR_NOT_FOUND" == _refusal(tree.directory, "code").code


@pytest.mark.parametrize(
    ("glob", "expected"),
    [
        ("docs/**", ["docs/conf.py", "docs/guide.md", "docs/shared.txt"]),
        ("*.py", ["docs/conf.py", "code/main.py"]),
        ("**/shared.txt", ["docs/shared.txt", "code/shared.txt"]),
        ("code/*.md", ["code/NOTES.md"]),
        ("*/*.md", ["docs/guide.md", "code/NOTES.md"]),
        ("shared.txt", ["docs/shared.txt", "code/shared.txt"]),
    ],
)
def test_a_glob_may_leave_the_root_out(rooted: Callable[..., Tree], glob: str, expected: list[str]) -> None:
    tree = rooted(docs=("guide.md", "conf.py", "shared.txt"), code=("main.py", "NOTES.md", "shared.txt"))
    selection = tree.select(None, (glob,))
    paths = ["code/NOTES.md", "code/main.py", "code/shared.txt", "docs/conf.py", "docs/guide.md", "docs/shared.txt"]
    assert expected == [paths[ordinal] for ordinal in selection.files]
    assert (glob.partition("/")[0] if glob.startswith(("docs/", "code/")) else "both") == selection.repo


def test_a_selection_is_made_once(tree: Tree) -> None:
    assert tree.select("code", ["src/**"]) is tree.select("code", ("src/**",))
    assert tree.select() is tree.select(None) is tree.select("both", [])
