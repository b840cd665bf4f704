"""Finds the trees that ctags_oracle.py measures, and runs ctags over their files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ctags_tables import KINDS

# Names that ctags makes up for what has none.
_INVENTED = re.compile(r"__anon[0-9a-f]+.*|<lambda>|<anonymous>|[Aa]nonymous\w*[0-9a-f]{8,}\w*")


@dataclass(frozen=True, slots=True)
class Tag:
    """One definition that ctags lists."""

    path: str
    line: int
    name: str
    language: str
    kind: str
    within: str = ""
    """The kind of what ctags says it stands in."""


def listed_below(directory: Path, languages: list[str]) -> Iterator[tuple[Path, str]]:
    """The repositories of ctags_repositories.toml with their commits, once each; those of ``languages``, or of all."""
    table = tomllib.loads(Path(__file__).with_name("ctags_repositories.toml").read_text(encoding="utf-8"))
    if unknown := sorted(set(languages) - set(table)):
        sys.exit(f"ctags_repositories.toml lists nothing for {', '.join(unknown)}; it has {', '.join(table)}")
    wanted = {name: commit for language in languages or table for name, commit in table[language].items()}
    for name, commit in wanted.items():
        joined = name.replace("/", "+")
        places = [directory / joined / "repo", directory / joined, directory / name, directory / name.split("/")[1]]
        place = next((place for place in places if place.is_dir()), None)
        if place is None:
            sys.exit(f"{name} does not lie below {directory}")
        yield place, commit


def write_out(repository: Path, commit: str, place: Path) -> str:
    """The tree of a commit, as files below ``place``; the commit's id, or nothing where ``repository`` holds no such commit."""
    git = ["git", "-C", str(repository)]
    head = subprocess.run(
        [*git, "rev-parse", "--verify", "-q", f"{commit}^{{commit}}"], capture_output=True, text=True, check=False
    )
    if head.returncode:
        return ""
    environment = {**os.environ, "GIT_INDEX_FILE": str(place / "index")}
    tree = place / "tree"
    tree.mkdir()
    subprocess.run([*git, "read-tree", head.stdout.strip()], env=environment, check=True)
    # A partial clone lacks objects; what cannot be written out is neither read by ctags nor by us.
    subprocess.run(
        [
            *git,
            "-c",
            "core.bare=false",
            f"--work-tree={tree}",
            "checkout-index",
            "--all",
            "--force",
            "--quiet",
            f"--prefix={tree}/",
        ],
        env=environment,
        check=False,
        stderr=subprocess.DEVNULL,
    )
    return head.stdout.strip()


def files_below(root: Path) -> list[str]:
    """Every regular file, as ctags and we name it, in order; names that a list of lines cannot hold are left to nobody."""
    found = []
    for directory, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name != ".git")
        for name in files:
            path = Path(directory, name)
            if path.is_file() and not path.is_symlink() and "\n" not in name:
                found.append(path.relative_to(root).as_posix())
    return sorted(found)


def tags_of(root: Path) -> Iterator[Tag]:
    """What ctags lists for every file below ``root``, without what ``KINDS`` leaves out."""
    command = ["ctags", "--options=NONE", "--output-format=json", "--fields=+nKl", "--sort=no", "--links=no", "-L", "-", "-f", "-"]
    paths = "\n".join(files_below(root))
    listed = subprocess.run(command, cwd=root, input=paths, capture_output=True, text=True, check=True, errors="replace")
    for line in filter(None, listed.stdout.split("\n")):
        entry = json.loads(line)
        if entry.get("_type") != "tag" or "line" not in entry:
            continue
        tag = Tag(entry["path"], entry["line"], entry["name"], entry["language"], entry["kind"], entry.get("scopeKind", ""))
        is_element = tag.language == "JSON" and tag.name.isdigit()  # the 3 of [1, 2, 3] is called "2"
        if (
            not KINDS.get(tag.language, {}).get(tag.kind, "").startswith("-")
            and not is_element
            and not _INVENTED.fullmatch(tag.name)
        ):
            yield tag
