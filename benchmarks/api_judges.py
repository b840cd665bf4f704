"""Judges of breaking changes that others wrote: two source trees in, address of each object whose use breaks -> how, out.

Addresses are dotted, and begin with a part that says where: the package of Python, ``@`` and the folder of a package of Go, ``@``
and the package of Java, ``@`` alone in TypeScript. Programs of others run as processes.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent / "api_judges"
Found = dict[str, str]

_GRIFFE: Final = """
import json, sys, logging
import griffe
logging.disable(logging.CRITICAL)
old_root, new_root, package = sys.argv[1:]
name = package.rpartition("/")[2]
def loaded(root):
    above = root + "/" + package.rpartition("/")[0]
    return griffe.load(name, search_paths=[above], allow_inspection=False, resolve_aliases=True, force_inspection=False)
for each in griffe.find_breaking_changes(loaded(old_root), loaded(new_root)):
    if each.kind.name == "CLASS_REMOVED_BASE" and [str(base) for base in each.old_value] == ["object"]:
        continue
    if ".tests." in f"{each.obj.canonical_path}.":
        continue
    old = getattr(each.old_value, "name", str(each.old_value))
    print(json.dumps([each.obj.canonical_path, each.kind.name, old, str(each.obj.path)]))
"""
_GO_MESSAGE: Final = re.compile(r"(?P<object>.+?)(?:, method set of \S+)?: ")


def griffe(program: Path, trees: list[Path], package: str) -> Found:
    """By griffe, under an interpreter that has it. It is asked about public objects."""
    done = _run(program, "-c", _GRIFFE, *trees, package)
    found: Found = {}
    for line in done.splitlines():
        canonical, kind, old, path = json.loads(line)
        _add(found, canonical, f"{kind}({old}) {path if path != canonical else ''}".strip())
    return found


def apidiff(program: Path, trees: list[Path], package: str) -> Found:
    """By golang.org/x/exp/apidiff: ``program`` is ``api_judges/modules.go``, compiled; ``package`` the path of the module."""
    found: Found = {}
    for line in _run(program, *trees, package).splitlines():
        folder, kind, message = line.split("\t")
        place = folder_of_go(folder)
        if kind == "!":
            _add(found, place, message)
        elif match := _GO_MESSAGE.match(message):
            name = re.sub(r"[()*]", "", match["object"]).rpartition("/")[2]
            _add(found, f"{place}.{name}", message)
    return found


def folder_of_go(folder: str) -> str:
    """The first part of the address of what a folder's package has."""
    return "@" + folder.strip("./").replace(".", "_")


def typescript(program: Path, trees: list[Path], package: str) -> Found:
    """By TypeScript's checker: ``program`` is the folder of the package ``typescript``, ``package`` the path of the entry file.

    The addresses of all that the old entry exports come too, with an empty text.
    """
    found: Found = {}
    done = _run("node", HERE / "types.js", *trees, package, environment={"TYPESCRIPT": str(program)})
    for name, what in map(json.loads, done.splitlines()):
        _add(found, f"@.{name}", what)
    return found


def java(program: Path, trees: list[Path], package: str) -> Found:
    """By japi-compliance-checker, of the classes that javac makes of the sources below ``package``; both are to be on the PATH."""
    with tempfile.TemporaryDirectory() as scratch:
        jars = _compiled(trees, package, Path(scratch))
        found: Found = {}
        for kind in ("binary", "source"):
            report = Path(scratch) / f"{kind}.html"
            options: list[str | Path] = ["-lib", "library", f"-{kind}", "-report-path", report]
            subprocess.run([program, *options, *jars], check=False, capture_output=True, cwd=scratch)
            for address, what in _problems(report.read_text(encoding="utf-8", errors="replace")):
                _add(found, address, f"{kind}: {what}")
    return found


def _compiled(trees: list[Path], package: str, scratch: Path) -> list[Path]:
    """A jar of each tree's classes. A file that does not compile in either, as it needs a dependency, is left out of both."""
    left_out: set[str] = set()
    for _ in range(_TRIES):
        faulty: set[str] = set()
        for number, tree in enumerate(trees):
            root = tree / package
            sources = {str(each.relative_to(root)): each for each in sorted(root.rglob("*.java")) if _is_published(each, tree)}
            listed = scratch / f"{number}.list"
            listed.write_text("\n".join(f'"{each}"' for name, each in sources.items() if name not in left_out), encoding="utf-8")
            options: list[str | Path] = [
                "-d",
                scratch / str(number),
                "-proc:none",
                "-nowarn",
                "-encoding",
                "UTF-8",
                "-Xmaxerrs",
                "9999",
                "--release",
                "8",
            ]
            shutil.rmtree(scratch / str(number), ignore_errors=True)
            done = subprocess.run(["javac", *options, f"@{listed}"], check=False, capture_output=True, text=True)
            places = re.findall(r"^(\S+\.java):\d+: error", done.stderr, re.MULTILINE)
            faulty |= {str(Path(each).relative_to(root)) for each in places}
        if not faulty:
            break
        left_out |= faulty
    for number in range(2):
        _run("jar", "cf", scratch / f"{number}.jar", "-C", scratch / str(number), ".")
    return [scratch / "0.jar", scratch / "1.jar"]


def _is_published(source: Path, tree: Path) -> bool:
    parts = {part.lower() for part in source.relative_to(tree).parts}
    return source.name != "module-info.java" and not parts & {"test", "tests", "examples"}


_TRIES: Final = 6
"""How often sources are compiled, each time without those that did not."""


def _problems(report: str) -> Iterator[tuple[str, str]]:
    """(address, what) of each problem of a report that is not of low severity."""
    sections = re.split(r"<a name='(\w+)'></a>\s*<h2>", report.replace("<a name='Withdrawn'></a>", ""))
    for title, section in zip(sections[1::2], sections[2::2], strict=True):
        if title == "Removed" or re.fullmatch("(Method|Interface)_Problems_(High|Medium)", title):
            for mangled in re.findall(r"<span class='mngl'>(.*?)</span>", section):
                yield _address_of_method(html.unescape(mangled)), title
        elif re.fullmatch("Type_Problems_(High|Medium)", title):
            yield from _problems_of_types(section)


def _address_of_method(mangled: str) -> str:
    """That of ``p/A.In."<init>":(I)V``."""
    package, _, name = mangled.partition(":")[0].rpartition("/")
    owner = name.partition('."')[0].rpartition(".")[2]
    plain = name.replace('"<init>"', owner)
    return f"{place_of_java(package)}.{plain}"


def place_of_java(package: str) -> str:
    """The first part of the address of what a package has; ``package`` with slashes."""
    return "@" + package.replace("/", "_").replace(".", "_")


def _problems_of_types(section: str) -> Iterator[tuple[str, str]]:
    package = type_ = ""
    for pkg, name, row in re.findall(
        r"<span class='pkg'>(.*?)</span>|<span class='ttype'>[\w ]*</span>\s*([^<]+?)\s*<span|<th>\d+</th>\s*<td>(.*?)</td>",
        section,
        re.DOTALL,
    ):
        package, type_ = pkg or package, html.unescape(name) or type_
        member = re.search(r"(?:[Ff]ield|[Mm]ethod|[Cc]onstant)\s*(?:<span[^>]*>)?<b>(?:[\w.]+\.)?(\w+)", row)
        if row:
            plain = " ".join(re.sub("<[^>]+>", "", row).split())
            type_name = re.sub("<.*", "", type_)
            yield f"{place_of_java(package)}.{type_name}{f'.{member[1]}' if member else ''}", plain


def _add(found: Found, address: str, what: str) -> None:
    found[address] = f"{found.get(address, '')} {what}".strip()


def _run(program: str | Path, *arguments: str | Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [program, *arguments], check=True, capture_output=True, text=True, env={**os.environ, **(environment or {})}
    )
    return done.stdout


JUDGES: Final[dict[str, Callable[[Path, list[Path], str], Found]]] = {
    "griffe": griffe,
    "apidiff": apidiff,
    "typescript": typescript,
    "japi-compliance-checker": java,
}
