"""How archives are read: what they are, and which of their files count."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

from collect_sources import files_of_package, members_of_commit, read_sources, scan


def tar_of(path: Path, files: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))


def test_an_npm_pack_is_known_by_its_manifest_and_gives_its_source_files(tmp_path: Path) -> None:
    files = {
        "package/package.json": '{"name": "@a/b", "version": "1.0.0", "license": "MIT"}',
        "package/src/index.ts": "export const one = 1;\n",
        "package/dist/index.min.js": "var one=1,two=2;" * 20,
        "package/node_modules/c/index.js": "var c\n",
    }
    tar_of(tmp_path / "cache" / "npm" / "a-b-1.0.0.tgz", files)
    package, terms = scan(tmp_path / "cache")["npm", "@a/b"]
    assert ("npm:@a/b", "1.0.0", "MIT") == (package.label, package.version, package.licence)
    found = {file.path: file.language for file in files_of_package(package, terms, tmp_path / "cache", tmp_path)}
    assert {"package.json": "json", "src/index.ts": "typescript"} == found


def test_a_wheel_is_known_by_its_metadata_under_its_normalised_name(tmp_path: Path) -> None:
    path = tmp_path / "pypi" / "a_b-2.0-py3-none-any.whl"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a_b/__init__.py", "one = 1\n")
        archive.writestr("a_b-2.0.dist-info/METADATA", "Name: a.b\nVersion: 2.0\nLicense-Expression: BSD-3-Clause\n")
    package, _ = scan(tmp_path)["pypi", "a-b"]
    assert ("a-b", "2.0", "BSD-3-Clause") == (package.name, package.version, package.licence)


def test_a_debian_source_leaves_out_files_under_another_licence(tmp_path: Path) -> None:
    folder = tmp_path / "debian"
    tar_of(folder / "x_1.orig.tar.gz", {"x-1/main.c": "int main(void) { return 0; }\n", "x-1/gpl/part.c": "int part;\n"})
    tar_of(
        folder / "x_1-1.debian.tar.gz",
        {"debian/copyright": "Format: 1.0\n\nFiles: *\nLicense: Expat\n\nFiles: gpl/*\nLicense: GPL-2\n"},
    )
    digests = "".join(f" {'0' * 64} 1 {name}\n" for name in ("x_1.orig.tar.gz", "x_1-1.debian.tar.gz"))
    (folder / "x_1-1.dsc").write_text(f"Format: 3.0 (quilt)\nSource: x\nVersion: 1-1\nChecksums-Sha256:\n{digests}")
    package, terms = scan(tmp_path)["debian", "x"]
    assert [file.path for file in files_of_package(package, terms, tmp_path, tmp_path)] == ["main.c"]


def test_benchmark_repositories_are_refused_even_when_they_are_listed(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text('[npm]\nnames = ["zod", "yup"]\n\n[git]\nnames = ["rack/rack"]\n')
    assert read_sources(tmp_path / "sources.toml") == ([("npm", "yup")], frozenset())


def test_histories_are_named_apart(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text('[git]\nnames = ["a/b", "c/d"]\n\n[history]\nnames = ["a/b"]\n')
    assert read_sources(tmp_path / "sources.toml") == ([("git", "a/b"), ("git", "c/d")], frozenset({"a/b"}))


def test_a_repository_gives_the_files_of_the_pinned_commit_in_the_order_of_a_sample(pantry: Path) -> None:
    commit = subprocess.run(
        ["git", "-C", str(pantry), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    paths = [path for path, _ in members_of_commit(pantry, commit)]
    assert sorted(paths, key=lambda path: hashlib.sha256(path.encode()).digest()) == paths
    assert dict(members_of_commit(pantry, commit))["odd/no_newline.py"] == (pantry / "odd" / "no_newline.py").read_bytes()
