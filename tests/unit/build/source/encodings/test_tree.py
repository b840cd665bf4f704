from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from hardtack.build.source.encodings.tree import TreeEncodings
from hardtack.build.source.tree import open_tree
from hardtack.nouns.model import EncodingBasis
from hardtack.nouns.outline import SourceFile

TEXT = "注文を処理する〜\n"


def declared(files: dict[str, str], path: str) -> list[str]:
    """The first codec of each declaration."""
    contents = {name.encode(): content.encode() for name, content in files.items()}
    return [codecs[0] for codecs in TreeEncodings(contents.get).of(path.encode()) if codecs]


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "core.autocrlf=false")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def texts(root: Path, *, worktree: bool) -> dict[str, tuple[bytes, str, EncodingBasis]]:
    files = [item for item in open_tree(root, worktree=worktree).files() if isinstance(item, SourceFile)]
    return {file.path: (file.text, file.encoding, file.encoding_basis) for file in files}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "deep").mkdir()
    (tmp_path / ".gitattributes").write_text(
        "*.txt working-tree-encoding=SHIFT-JIS\nwide.txt working-tree-encoding=UTF-16LE-BOM\n", encoding="utf-8"
    )
    (tmp_path / "deep/.gitattributes").write_text("*.txt working-tree-encoding=EUC-JP\nplain.txt !working-tree-encoding\n", "utf-8")
    (tmp_path / "top.txt").write_bytes(TEXT.encode("shift_jis"))
    (tmp_path / "wide.txt").write_bytes(TEXT.encode("utf-16"))
    (tmp_path / "deep/euc.txt").write_bytes(TEXT.encode("euc_jp"))
    (tmp_path / "deep/plain.txt").write_bytes(TEXT.encode())
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    return tmp_path


def test_git_s_working_tree_encoding_gives_the_same_text_by_commit_and_from_the_disk(checkout: Path) -> None:
    committed, on_disk = texts(checkout, worktree=False), texts(checkout, worktree=True)
    assert {path: text for path, (text, *_) in committed.items()} == {path: text for path, (text, *_) in on_disk.items()}
    assert (TEXT.encode(), "utf-8", EncodingBasis.CONTENT) == committed["top.txt"]
    assert (TEXT.encode(), "shift_jis", EncodingBasis.DECLARED) == on_disk["top.txt"]
    assert (TEXT.encode(), "euc_jp", EncodingBasis.DECLARED) == on_disk["deep/euc.txt"]


def test_info_attributes_overrides_every_file_of_the_tree(checkout: Path) -> None:
    (checkout / ".git/info").mkdir(exist_ok=True)
    (checkout / ".git/info/attributes").write_text("top.txt working-tree-encoding=CP932\n", encoding="utf-8")
    assert "cp932" == texts(checkout, worktree=True)["top.txt"][1]


def test_attributes_are_those_that_git_finds(tmp_path: Path) -> None:
    chance = random.Random(3)
    patterns = [
        "*.txt",
        "a*",
        "/top.txt",
        "deep/*.txt",
        "**/b.c",
        "deep/**",
        '"deep/a b.txt"',
        "deep/",
        "!x.c",
        "[ab].c",
        "*",
        "x.?",
    ]
    settings = ["working-tree-encoding=EUC-JP", "working-tree-encoding=CP1251", "-working-tree-encoding", "!working-tree-encoding"]
    settings += ["sjis", "-sjis", "!sjis", "text sjis", "working-tree-encoding"]
    paths = ["top.txt", "deep/a b.txt", "deep/b.c", "deep/er/b.c", "deep/er/x.c", "a.c", "x.c"]
    git(tmp_path, "init", "-q")
    (tmp_path / "deep/er").mkdir(parents=True)
    for _ in range(60):
        files = {}
        for directory in ("", "deep/", "deep/er/"):
            lines = [f"{chance.choice(patterns)} {chance.choice(settings)}" for _ in range(chance.randrange(4))]
            macro = "[attr]sjis working-tree-encoding=CP932\n"
            files[f"{directory}.gitattributes"] = (macro if not directory else "") + "\n".join(lines) + "\n"
            (tmp_path / directory / ".gitattributes").write_text(files[f"{directory}.gitattributes"], encoding="utf-8")
        command = ["git", "check-attr", "-z", "working-tree-encoding", "--", *paths]
        printed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.split("\0")
        said = {path: printed[3 * place + 2] for place, path in enumerate(paths)}
        expected = {"EUC-JP": ["euc_jp"], "CP1251": ["cp1251"], "CP932": ["cp932"]}
        for path in paths:
            assert expected.get(said[path], []) == declared(files, path), (path, said[path], files)


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("*", "deep/a.c", True),
        ("*.{c,h}", "deep/a.h", True),
        ("*.{c,h}", "a.cc", False),
        ("{a,b/{c,d}}.txt", "b/d.txt", True),
        ("src/**.c", "src/deep/er/a.c", True),
        ("src/**.c", "other/a.c", False),
        ("/a.c", "deep/a.c", False),
        ("{a}.c", "{a}.c", True),
        ("[!a].c", "b.c", True),
        ("a.c", "deep/a.c", True),
    ],
)
def test_sections_of_an_editorconfig_match_as_editors_match_them(glob: str, path: str, matches: bool) -> None:
    files = {".editorconfig": f"[{glob}]\ncharset = latin1\n"}
    assert (["cp1252"] if matches else []) == declared(files, path)


def test_the_nearest_editorconfig_and_its_last_section_decide_up_to_the_root() -> None:
    files = {
        ".editorconfig": "[*]\ncharset = latin1\n",
        "deep/.editorconfig": "[*]\ncharset=utf-8\n\n[*.txt]\nCHARSET = UTF-16LE\n",
        "alone/.editorconfig": "root = true\n[*.md]\ncharset=latin1\n",
    }
    assert ["utf-16-le"] == declared(files, "deep/a.txt")
    assert [] == declared(files, "deep/a.c")
    assert ["cp1252"] == declared(files, "a.c")
    assert [] == declared(files, "alone/a.c")


def test_hostile_globs_take_no_time() -> None:
    files = {".editorconfig": f"[{'{a,b}' * 60}]\ncharset=latin1\n[{'*a' * 300}b]\ncharset=latin1\n[{'{' * 500}]\ncharset=latin1\n"}
    assert [] == declared(files, "a" * 4000)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("pom.xml", "<properties><project.build.sourceEncoding>EUC-KR</project.build.sourceEncoding></properties>"),
        ("build.gradle", "compileJava.options.encoding = 'EUC-KR'"),
        (".settings/org.eclipse.core.resources.prefs", "eclipse.preferences.version=1\nencoding/<project>=MS949\n"),
        (".idea/encodings.xml", '<component><file url="PROJECT" charset="x-windows-949" /></component>'),
        (".vscode/settings.json", '{"files.encoding": "euckr"}'),
    ],
)
def test_builds_and_editors_declare_the_encoding_of_a_project(path: str, content: str) -> None:
    assert ["cp949"] == declared({path: content}, "src/main/java/Jar.java")
    assert [] == declared({f"other/{path}": content}, "src/main/java/Jar.java")
