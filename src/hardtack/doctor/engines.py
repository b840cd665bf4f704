"""The installed distributions in; those that are missing, do not work, or have an unsupported version, out.

Each library is tried in a Python process of its own: machine code for another CPU ends the process that runs it.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from itertools import zip_longest
from typing import Final

from hardtack.doctor.findings import Finding, Surroundings, ok, problem, warning

_SECONDS: Final = 60
"""The time limit of one trial, which takes less than a second."""

TRIALS: Final[dict[str, str]] = {
    "click": "import click; click.Command('name')",
    "numpy": "import numpy; assert (numpy.eye(2) @ numpy.ones(2)).tolist() == [1, 1]",
    "faiss-cpu": (
        "import faiss, numpy; index = faiss.IndexFlatIP(2); index.add(numpy.eye(2, dtype='float32'));"
        "assert index.search(numpy.array([[0, 1]], dtype='float32'), 1)[1].tolist() == [[1]]"
    ),
    "tantivy": (
        "import tantivy; schema = tantivy.SchemaBuilder().add_text_field('text').build(); index = tantivy.Index(schema);"
        "writer = index.writer(15_000_000, 1); document = tantivy.Document(); document.add_text('text', 'hard tack');"
        "writer.add_document(document); writer.commit(); index.reload(); searcher = index.searcher();"
        "assert len(searcher.search(index.parse_query('tack', ['text'])).hits) == 1"
    ),
    "msgpack": "import msgpack; assert msgpack.unpackb(msgpack.packb([1, 'a', b'b'])) == [1, 'a', b'b']",
    "platformdirs": "import platformdirs; assert platformdirs.user_cache_dir('hardtack')",
    "filelock": "import filelock; filelock.FileLock",
    "rich": "from rich.console import Console; from rich.markdown import Markdown; Console(width=9).render_lines(Markdown('a'))",
    "urllib3": "import urllib3; urllib3.PoolManager()",
}
"""Distribution -> a Python program that exits with 0 if it works."""
if sys.version_info < (3, 14):  # part of the standard library from then on
    TRIALS["backports-zstd"] = "from backports import zstd; assert zstd.decompress(zstd.compress(b'tack')) == b'tack'"

EXTRAS: Final[Mapping[str, str]] = {
    "build": "builds bundles",
    "mcp": "serves them to agents",
    "export": "writes bundles as Parquet tables",
    "page": "writes bundles as pages for a browser",
    "comment": "comments on pull requests",
    "regex": "searches by patterns",
    "scip": "reads what compilers' own indexers know",
    "dask": "builds on many machines",
    "transformers": "runs transformer models as encoders",
    "remote": "fetches bundles from S3 and its like",
    "gcs": "fetches bundles from Google's buckets",
}
"""Extra -> a phrase about its purpose."""

_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)\s*(?:\[[^\]]*\])?\s*\(?(?P<range>[^;()]*)\)?\s*(?:;(?P<marker>.*))?")
_BELOW_PYTHON = re.compile(r"""\bpython_version\s*<\s*["'](\d+)\.(\d+)["']""")
_EXTRA = re.compile(r"""\bextra\s*==\s*["']([A-Za-z0-9._-]+)["']""")
_BOUND = re.compile(r"(>=|<=|==|!=|<|>)\s*([0-9][0-9.]*)")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One distribution that Hardtack requires."""

    name: str
    range: str
    """Version bounds as in ``>=1.11,<2``; empty for any version."""
    extra: str
    """The extra that requires it; empty if Hardtack itself does."""

    @property
    def installed(self) -> str:
        """The installed version; empty when it is not installed."""
        try:
            return metadata.version(self.name)
        except metadata.PackageNotFoundError:
            return ""


def parse_requirement(text: str) -> Requirement:
    """A requirement from a line of a distribution's metadata: ``tantivy<0.28,>=0.24`` or ``mcp<3,>=2.3; extra == "mcp"``."""
    match = _REQUIREMENT.match(text)
    assert match is not None, text
    extra = _EXTRA.search(match["marker"] or "")
    bounds = sorted((bound.strip() for bound in match["range"].split(",")), reverse=True)  # the lower one first
    return Requirement(match["name"], ",".join(bounds), extra[1] if extra else "")


def lies_in(version: str, range_: str) -> bool:
    """Whether a version satisfies all bounds of a range. Only its numbers count, not suffixes such as ``rc1``."""
    for operator, bound in _BOUND.findall(range_):
        order = _order(version, bound)
        holds = {">=": order >= 0, "<=": order <= 0, "==": order == 0, "!=": order != 0, "<": order < 0, ">": order > 0}
        if not holds[operator]:
            return False
    return True


def _order(version: str, other: str) -> int:
    """-1, 0 or 1: whether ``version`` is lower than, equal to or higher than ``other``."""
    numbers = [[int(number) for number in re.findall(r"\d+", re.split(r"[^\d.]", text)[0])] for text in (version, other)]
    pairs = zip_longest(*numbers, fillvalue=0)
    return next((1 if one > two else -1 for one, two in pairs if one != two), 0)


def requirements() -> list[Requirement]:
    """The requirements of the installed Hardtack, those of its extras included.

    Raises:
        importlib.metadata.PackageNotFoundError: Hardtack runs from a directory without having been installed.
    """
    return [parse_requirement(line) for line in metadata.requires("hardtack") or () if _is_for_this_python(line)]


def _is_for_this_python(line: str) -> bool:
    """Whether a line's marker, if it has one such as ``python_version < "3.14"``, includes the running Python."""
    below = _BELOW_PYTHON.search(line)
    return below is None or sys.version_info[:2] < (int(below[1]), int(below[2]))


def check_engines(_: Surroundings) -> Iterator[Finding]:
    """Check that each required library is installed, works, and has a supported version."""
    try:
        needed = [requirement for requirement in requirements() if not requirement.extra]
    except metadata.PackageNotFoundError:
        yield warning("engines", "Hardtack runs without having been installed, so versions cannot be compared", _INSTALL)
        needed = [Requirement(name, "", "") for name in TRIALS]
    for requirement in needed:
        name, version, supported = requirement.name, requirement.installed, requirement.range or "any version"
        if not version:
            yield problem(name, "is not installed", _INSTALL)
        elif failure := _failure(name):
            yield problem(
                name, f"{version} does not work: {failure}", f"Run: pip install --force-reinstall '{name}{requirement.range}'"
            )
        elif not lies_in(version, requirement.range):
            yield problem(name, f"{version} is not supported, {supported} is", f"Run: pip install '{name}{requirement.range}'")
        else:
            yield ok(name, f"{version} works (supported: {supported})")


_INSTALL: Final = "Run: pip install hardtack"


def _failure(name: str) -> str:
    """The error of the library's trial, as a phrase; empty when it works."""
    if name not in TRIALS:
        return ""
    try:
        # -P: Python does not look for the library in the current directory
        tried = subprocess.run([sys.executable, "-P", "-c", TRIALS[name]], capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer in {_SECONDS} seconds"
    if tried.returncode < 0:
        return f"it was ended by {signal.Signals(-tried.returncode).name}"
    lines = tried.stderr.decode("utf-8", "replace").strip().splitlines()
    return (lines[-1] if lines else f"it left with {tried.returncode}") if tried.returncode else ""


def check_extras(_: Surroundings) -> Iterator[Finding]:
    """Tell for each extra whether it is installed, and warn of unsupported versions."""
    try:
        wanted = requirements()
    except metadata.PackageNotFoundError:
        return
    for extra, purpose in EXTRAS.items():
        about, parts = f"extra {extra}", [requirement for requirement in wanted if requirement.extra == extra]
        missing = [part.name for part in parts if not part.installed]
        old = [f"{part.name} {part.installed}" for part in parts if part.installed and not lies_in(part.installed, part.range)]
        if old:
            ranges = ", ".join(f"{part.name}{part.range}" for part in parts)
            yield warning(about, f"{', '.join(old)} not supported, {ranges} is", f"Run: pip install 'hardtack[{extra}]'")
        elif missing:
            yield ok(about, f"not installed; it {purpose} (pip install 'hardtack[{extra}]')")
        else:
            yield ok(about, f"installed; it {purpose}")
