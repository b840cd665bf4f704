"""Fetches packages as pinned archives, and gives the source files in them.

``sources.toml`` says which packages, ``sources.lock`` which versions: one line a package with the sha256 of its archives and its
licence. Registries are asked through their own clients (pip, npm, apt), one package at a time. Git repositories are read from
mirrors that are there already, at the commit of the lock. Archives are read where they lie and never unpacked: what they hold
becomes source files by the rules of a build, so generated, minified and vendored files stay out.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from collect_licences import Terms, terms_of_debian, terms_of_npm, terms_of_tree, terms_of_wheel
from exclusions import is_excluded_name
from hardtack.build.source.decode import SourceOptions, decode, skip_before_reading
from hardtack.nouns.outline import SourceFile

OPTIONS: Final = SourceOptions(tests=False, max_file_size=512 << 10)
"""Tests are left out: their documentation says what they check, in a style of its own."""
LICENCE_FILE: Final = re.compile(r"(?:un)?licen[sc]e[^/]*|copying[^/]*|mit-license[^/]*", re.IGNORECASE)
"""A path that says on what terms everything around it comes."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Package:
    """One line of the lock."""

    registry: str
    """``debian``, ``git``, ``npm`` or ``pypi``."""
    name: str
    version: str
    """A commit id for a git repository."""
    licence: str
    """SPDX identifier."""
    files: tuple[tuple[str, str], ...]
    """(file name, sha256) of each archive; for Debian the upstream archive first, then the packaging. None for git."""

    @property
    def label(self) -> str:
        """How the pairs name it."""
        return f"{self.registry}:{self.name}"


def read_sources(path: Path) -> tuple[list[tuple[str, str]], frozenset[str]]:
    """(registry, name) of every package that is asked for and not excluded by name, in order; and whose histories are read."""
    listed = tomllib.loads(path.read_text())
    histories = frozenset(listed.pop("history", {}).get("names", []))
    every = [(registry, name) for registry, table in listed.items() for name in table["names"]]
    return sorted({entry for entry in every if not is_excluded_name(entry[1])}), histories


def read_lock(path: Path) -> list[Package]:
    """The packages of a lock file; none where there is no such file."""
    packages = []
    for line in path.read_text().splitlines() if path.exists() else ():
        registry, name, version, licence, *files = line.split("\t")
        pairs = tuple((file, digest) for file, _, digest in (entry.rpartition("=") for entry in files))
        packages.append(Package(registry=registry, name=name, version=version, licence=licence, files=pairs))
    return packages


def write_lock(path: Path, packages: list[Package]) -> None:
    """One line a package, sorted; fields are separated by tabs."""
    rows = [
        (package.registry, package.name, package.version, package.licence, *(f"{name}={digest}" for name, digest in package.files))
        for package in sorted(packages)
    ]
    path.write_text("".join("\t".join(row) + "\n" for row in rows))


def download(registry: str, name: str, version: str, folder: Path, apt_options: list[str]) -> None:
    """Ask the registry's client for one package; an empty ``version`` takes the current one.

    Raises:
        CalledProcessError: the client refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    commands = {
        "pypi": [
            "python3",
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary",
            ":all:",
            name + (version and f"=={version}"),
        ],
        "npm": ["npm", "pack", "--silent", "--ignore-scripts", name + (version and f"@{version}")],
        "debian": [
            "apt-get",
            *apt_options,
            "--quiet",
            "source",
            "--only-source",
            "--download-only",
            name + (version and f"={version}"),
        ],
    }
    subprocess.run(commands[registry], cwd=folder, check=True, capture_output=True, timeout=300)


def sha256_of(path: Path) -> str:
    """Hex digest of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def scan(cache: Path) -> dict[tuple[str, str], tuple[Package, Terms]]:
    """The packages whose archives lie under ``cache/<registry>/``, by (registry, name), each with its terms.

    An archive that cannot be read, or that says nothing of its licence, is no package.
    """
    found: dict[tuple[str, str], tuple[Package, Terms]] = {}
    readers = {"pypi": ("*.whl", _wheel), "npm": ("*.tgz", _npm_pack), "debian": ("*.dsc", _debian_source)}
    for registry, (pattern, reader) in readers.items():
        for path in sorted((cache / registry).glob(pattern)):
            if (read := reader(path)) is not None:
                found[registry, read[0].name] = read
    return found


def _wheel(path: Path) -> tuple[Package, Terms] | None:
    with zipfile.ZipFile(path) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        text = archive.read(metadata).decode("utf-8", "replace")
    name, version = path.name.split("-")[:2]
    terms = terms_of_wheel(text)
    files = ((path.name, sha256_of(path)),)
    name = re.sub(r"[-_.]+", "-", name).lower()
    return Package(registry="pypi", name=name, version=version, licence=terms.licence, files=files), terms


def _npm_pack(path: Path) -> tuple[Package, Terms] | None:
    for label, data in members_of(path):
        if label == "package.json":
            named = re.search(rb'"name"\s*:\s*"([^"]+)"', data), re.search(rb'"version"\s*:\s*"([^"]+)"', data)
            terms = terms_of_npm(data)
            name, version = (match[1].decode() if match else "" for match in named)
            files = ((path.name, sha256_of(path)),)
            return Package(registry="npm", name=name, version=version, licence=terms.licence, files=files), terms
    return None


def _debian_source(path: Path) -> tuple[Package, Terms] | None:
    """By Debian's own account of the licence, or where the packaging is not to be had, by the licence files of the archive."""
    text = path.read_text(encoding="utf-8", errors="replace")
    listed = [(name, digest) for digest, name in re.findall(r"^ ([0-9a-f]{64}) \d+ (\S+)$", text, re.MULTILINE)]
    there = [(name, digest) for name, digest in listed if (path.parent / name).exists()]
    upstream = [entry for entry in there if re.search(r"\.orig\.tar\.\w+$", entry[0])]
    packaging = [entry for entry in there if re.search(r"\.debian\.tar\.\w+$", entry[0])]
    if not upstream:
        return None
    if packaging:
        copyright_file = next((data for label, data in members_of(path.parent / packaging[0][0]) if label == "copyright"), b"")
        terms = terms_of_debian(copyright_file.decode("utf-8", "replace"))
    else:
        licences = {label: data for label, data in members_of(path.parent / upstream[0][0]) if LICENCE_FILE.fullmatch(label)}
        terms = terms_of_tree({label: data.decode("utf-8", "replace") for label, data in licences.items()})
    name, version = (re.search(rf"^{field}: (\S+)", text, re.MULTILINE) for field in ("Source", "Version"))
    assert name and version
    files = (upstream[0], *packaging[:1])
    return Package(registry="debian", name=name[1], version=version[1], licence=terms.licence, files=files), terms


def repository_terms(repository: Path, commit: str) -> Terms:
    """On what terms a git repository's commit comes, by the licence files at its top."""
    git = ["git", "-c", "safe.directory=*", "-C", str(repository)]
    names = subprocess.run([*git, "ls-tree", "--name-only", commit], capture_output=True, text=True, check=True).stdout.splitlines()
    wanted = [name for name in names if LICENCE_FILE.fullmatch(name)]
    texts = {}
    for name in wanted:
        shown = subprocess.run([*git, "show", f"{commit}:{name}"], capture_output=True, check=False)
        if shown.returncode == 0 and not shown.stdout.startswith(b"tree "):
            texts[name] = shown.stdout.decode("utf-8", "replace")
    return terms_of_tree(texts)


def members_of(path: Path) -> Iterator[tuple[str, bytes]]:
    """(path inside, content) of each regular file of an archive, in its order; one directory that holds all is taken off.

    What is too large or ruled out by its name is not read.
    """
    if path.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                if not entry.is_dir() and skip_before_reading(entry.filename, entry.file_size, OPTIONS) is None:
                    yield entry.filename, archive.read(entry)
        return
    with tarfile.open(path) as archive:
        for member in archive:
            label = member.name.removeprefix("./").partition("/")[2]
            if member.isfile() and label and skip_before_reading(label, member.size, OPTIONS) is None:
                stream = archive.extractfile(member)
                assert stream is not None
                yield label, stream.read()


def files_of_package(package: Package, terms: Terms, cache: Path, mirrors: Path) -> Iterator[SourceFile]:
    """The source files of a package that may be used, in order of their paths' digests, so that the first few are a sample."""
    if package.registry == "git":
        members: Iterable[tuple[str, bytes]] = members_of_commit(mirrors / package.name.replace("/", "+") / "repo", package.version)
    else:
        archive = cache / package.registry / package.files[0][0]
        members = sorted(members_of(archive), key=lambda member: _place_in_sample(member[0]))
    files = (decode(label, data, OPTIONS) for label, data in members if terms.allows(label))
    return (file for file in files if isinstance(file, SourceFile))


def members_of_commit(repository: Path, commit: str) -> Iterator[tuple[str, bytes]]:
    """(path, content) of each file of a commit, in order of the paths' digests, read one by one."""
    git = ["git", "-c", "safe.directory=*", "-C", str(repository)]
    listing = subprocess.run([*git, "ls-tree", "-r", "-l", "-z", commit], capture_output=True, check=True).stdout
    blobs: dict[str, str] = {}
    for entry in listing.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        fields, _, path = entry.partition("\t")
        mode, kind, blob, size = fields.split()
        is_file = kind == "blob" and mode.startswith("100") and size.isdigit()  # a mirror may lack its largest files
        if is_file and skip_before_reading(path, int(size), OPTIONS) is None:
            blobs[path] = blob
    with subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdin and reader.stdout
        for path in sorted(blobs, key=_place_in_sample):
            reader.stdin.write(blobs[path].encode() + b"\n")
            reader.stdin.flush()
            length = int(reader.stdout.readline().split()[2])
            yield path, reader.stdout.read(length + 1)[:-1]
        reader.stdin.close()


def _place_in_sample(path: str) -> bytes:
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).digest()
