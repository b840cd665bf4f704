"""Prints the declaration of each name in a repository's C or C++ files, as libclang gives it, as lines of JSON.

    python uses_c.py {c,cpp} REPOSITORY [FLAG ...]    # with libclang (PyPI)

Each source is parsed with the flags that its ``compile_commands.json`` says, if the repository has one; else every folder that has
headers is searched for them. A macro that a header of the build would define may be given as a flag. What hangs on a header that is
not at hand stays unresolved. The last line counts the files with errors and the names that lead nowhere.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

SOURCES = {"c": {".c"}, "cpp": {".cc", ".cpp", ".cxx", ".c++", ".C", ".c"}}
HEADERS = {".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tcc"}
LEFT_OUT = {".git", "node_modules"}


def system_flags(language: str) -> list[str]:
    """The folders of the system's headers, as the compiler at hand has them."""
    command = ["gcc", "-E", "-x", "c++" if language == "cpp" else "c", "-v", "/dev/null"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    listed = told.partition("#include <...> search starts here:")[2].partition("End of search list")[0]
    return [flag for folder in listed.split() for flag in ("-isystem", folder)]


def sources_of(root: Path, language: str) -> Iterator[Path]:
    """Every source of the language."""
    for file in sorted(root.rglob("*")):
        if file.suffix in SOURCES[language] and file.is_file() and not LEFT_OUT.intersection(file.relative_to(root).parts):
            yield file


def folders_of(root: Path) -> list[str]:
    """Every folder with headers, and those around it, since ``<project/header.h>`` begins there; the nearest to the root first."""
    holders = {file.parent for file in root.rglob("*") if file.suffix in HEADERS and file.is_file()}
    around = {each for holder in holders for each in (holder, holder.parent) if each.is_relative_to(root)}
    return [f"-I{folder}" for folder in sorted(around | {root}, key=lambda each: (len(each.parts), each))]


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(SOURCES))
    parser.add_argument("repository", type=Path)
    asked, given = parser.parse_known_args()
    from clang.cindex import CompilationDatabase, Index
    from clang_uses import Judge

    language, root = asked.language, asked.repository.resolve()
    common = [*system_flags(language), "-w", "-ferror-limit=0", *given]
    folders = folders_of(root)
    has_commands = (root / "compile_commands.json").is_file()
    commands = CompilationDatabase.fromDirectory(str(root)) if has_commands else None
    judge, index = Judge(root), Index.create()
    files = list(sources_of(root, language))
    for file in files:
        known = commands.getCompileCommands(str(file)) if commands is not None else None
        flags = list(known[0].arguments)[1:-1] if known else [f"-I{file.parent}", *folders]
        kind = ["-x", "c", "-std=gnu11"] if file.suffix == ".c" else ["-x", "c++", "-std=c++17"]
        judge.parse(index, file, [*common, *kind, *flags])
    for record in judge.records():
        print(json.dumps(record))
    print(json.dumps({"unresolved": len(judge.unresolved), "files": len(files), "with errors": judge.faulty}))


if __name__ == "__main__":
    main()
