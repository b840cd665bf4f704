"""Collects the pairs that the default encoder is trained on. DATA.md says what they are.

    python training/collect.py --cache DIR --mirrors DIR --known known.npy --out DIR [--update-lock] [--jobs 2]

    fetch    sources.toml, sources.lock -> archives in the cache                collect_sources.py
    extract  archive or repository      -> pairs of each package, a file each   collect_pairs.py, collect_commits.py
    screen   pairs                      -> pairs that are in no benchmark tree  exclusions.py
    merge    pairs                      -> train.jsonl, heldout.jsonl, stats.json

What was extracted and screened is kept in the output's folders and not done again. The order of the output, and which pairs are
kept where there are too many, come from digests of the pairs alone: the same lock gives the same files.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import itertools
import json
import multiprocessing
import re
import subprocess
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from collect_commits import pairs_of_history
from collect_licences import Terms
from collect_pairs import Pair, pairs_of, symbols_in
from collect_sources import (
    Package,
    download,
    files_of_package,
    read_lock,
    read_sources,
    repository_terms,
    scan,
    sha256_of,
    write_lock,
)
from exclusions import KnownText, is_excluded_path
from hardtack.build.languages.registry import languages

HERE: Final = Path(__file__).parent
Row = dict[str, str]

FOLDERS: Final = ("packages", "screened")
"""In the output: pairs as they were extracted, and those of them that are in no benchmark tree; one file a job."""
MAX_PACKAGE_BYTES: Final = 2 << 20
"""Of source text read from one package: enough for its share of pairs."""
MAX_PACKAGE_SECONDS: Final = 600
PACKAGE_CAPS: Final = {"doc": 4_000, "name": 1_000, "section": 300, "commit": 400}
LANGUAGE_CAPS: Final = {"doc": 50_000, "name": 16_000, "section": 40_000, "commit": 10_000}
HELD_OUT_PACKAGE_CAP: Final = 150
HELD_OUT_LANGUAGE_CAP: Final = 600
MAX_SAME_LEFT: Final = 4
"""How often one question may stand in the training half: what is said of many things tells none of them apart."""


def is_held_out(package_name: str) -> bool:
    """Whether a package is kept for evaluation: one in ten, by its name (without the registry's)."""
    return int(hashlib.sha256(package_name.encode()).hexdigest(), 16) % 10 == 0


def digest_of(*texts: str) -> str:
    """Hex digest of several texts; what deterministic choices go by."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]


def flattened(text: str) -> str:
    """The words of a text in lower case: what makes two texts the same but for layout and punctuation."""
    return " ".join(re.findall(r"\w+", text.lower()))


def capped(rows: Iterable[Row], cap: int) -> list[Row]:
    """At most ``cap`` rows, chosen by digest, in the order of the digests."""
    return sorted(rows, key=lambda row: digest_of(row["package"], row["path"], row["left"], row["right"]))[:cap]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One package to take pairs from: from its files, or from its history."""

    package: Package
    terms: Terms
    is_history: bool = False

    def place(self, folder: Path) -> Path:
        """Where its pairs are kept, in a folder for those of all jobs."""
        name = f"{self.package.registry}--{self.package.name}--{self.package.version}{'--history' if self.is_history else ''}"
        return folder / f"{name.replace('/', '+')}.jsonl"


def jobs_of(packages: Sequence[tuple[Package, Terms]], histories: Collection[str]) -> list[Job]:
    """Every package's files, then the histories of the repositories named in ``histories``."""
    with_history = [entry for entry in packages if entry[0].registry == "git" and entry[0].name in histories]
    return [
        *(Job(package=package, terms=terms) for package, terms in packages),
        *(Job(package=package, terms=terms, is_history=True) for package, terms in with_history),
    ]


def extract(job: Job, cache: Path, mirrors: Path, out: Path) -> None:
    """Write the pairs of one package to ``out``, one JSON object a line, and last a line that counts what was dropped."""
    dropped: Counter[str] = Counter()
    package, terms = job.package, job.terms
    if job.is_history:
        pairs = pairs_of_history(mirrors / package.name.replace("/", "+") / "repo", package, terms, dropped)
        pairs = itertools.islice(pairs, PACKAGE_CAPS["commit"])  # the newest
    else:
        pairs = _pairs(files_of_package(package, terms, cache, mirrors), package, dropped)
    with out.open("w", encoding="utf-8") as stream:
        kept: dict[str, list[Row]] = {kind: [] for kind in PACKAGE_CAPS}
        for pair in pairs:
            kept[pair.kind].append(asdict(pair))
        for kind, rows in kept.items():
            dropped["over the package's share"] += max(len(rows) - PACKAGE_CAPS[kind], 0)
            for row in capped(rows, PACKAGE_CAPS[kind]):
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
        stream.write(json.dumps({"dropped": dropped}) + "\n")


def _pairs(files: Iterable[Any], package: Package, dropped: Counter[str]) -> Iterator[Pair]:
    size = 0
    for file in files:
        if is_excluded_path(file.path):
            dropped["file in a directory named like a benchmark repository"] += 1
            continue
        size += len(file.text)
        if size > MAX_PACKAGE_BYTES:
            return
        yield from pairs_of(file, package.label, dropped)


def extract_all(jobs: list[Job], cache: Path, mirrors: Path, known: Path, out: Path, processes: int) -> list[str]:
    """Extract and screen every job that is not done yet, each in a process of its own; returns the packages that failed.

    Grammars are machine code that reads foreign text: a package that brings one down, or takes too long, costs itself.
    """
    for folder in FOLDERS:
        (out / folder).mkdir(parents=True, exist_ok=True)
    for language in languages().values():
        symbols_in(b"", language)  # compiles its query, once for all processes to come
    waiting = [job for job in jobs if not job.place(out / FOLDERS[1]).exists()][::-1]
    running: list[tuple[Any, Job, float]] = []
    failed: list[str] = []
    while waiting or running:
        while waiting and len(running) < processes:
            job = waiting.pop()
            process = multiprocessing.Process(target=do, args=(job, cache, mirrors, known, out))
            process.start()
            running.append((process, job, time.monotonic()))
        time.sleep(0.02)
        for entry in list(running):
            process, job, started = entry
            if process.is_alive() and time.monotonic() - started < MAX_PACKAGE_SECONDS:
                continue
            process.kill()
            process.join()
            running.remove(entry)
            if process.exitcode != 0:
                failed.append(job.package.label)
    return sorted(failed)


def do(job: Job, cache: Path, mirrors: Path, known: Path, out: Path) -> None:
    """One job, from an archive to screened pairs; each file appears when it is whole."""
    extracted, screened = (job.place(out / folder) for folder in FOLDERS)
    partial = screened.with_suffix(".partial")
    if not extracted.exists():
        extract(job, cache, mirrors, partial)
        partial.rename(extracted)
    screen(extracted, known, partial)
    partial.rename(screened)


def screen(shard: Path, known: Path, out: Path) -> None:
    """Copy the pairs of one package whose code, and whose question where it is long enough, stand in no benchmark tree."""
    text = KnownText(known)
    *lines, last = shard.read_text(encoding="utf-8").split("\n")[:-1]
    dropped: Counter[str] = Counter(json.loads(last)["dropped"])
    with out.open("w", encoding="utf-8") as stream:
        for line in lines:
            row = json.loads(line)
            if text.holds_code(with_name(row)):
                dropped["code occurs in a benchmark repository"] += 1
            elif row["kind"] != "name" and len(row["left"].split()) >= 6 and text.holds(row["left"]):
                dropped["documentation occurs in a benchmark repository"] += 1
            else:
                stream.write(line + "\n")
        stream.write(json.dumps({"dropped": dropped}) + "\n")


def with_name(row: Row) -> str:
    """A row's code with its name where a ``name`` pair has a blank: as it would stand in a tree that it was copied from."""
    return re.sub(r"(?<!\w)_(?!\w)", lambda _: row["name"], row["right"]) if row["kind"] == "name" else row["right"]


def rows_of(shard: Path) -> tuple[list[Row], Counter[str]]:
    """What :func:`extract` or :func:`screen` wrote: the pairs, and how many were dropped for which reason."""
    *lines, last = shard.read_text(encoding="utf-8").split("\n")[:-1]
    return [json.loads(line) for line in lines], Counter(json.loads(last)["dropped"])


def merge(shards: Iterable[tuple[list[Row], Counter[str]]]) -> tuple[list[Row], list[Row], Counter[str]]:
    """(training rows, held-out rows, what was dropped and why) of all packages.

    Held-out packages come first, so what stands in both halves is taken from the training half. Two rows are the same when their
    code's words are, whatever the package; of a question that is asked of many things only the first few stay.
    """
    every, dropped = [], Counter[str]()
    for rows, counts in shards:
        every += rows
        dropped += counts
    every.sort(key=lambda row: (not _is_held_out_row(row), digest_of(row["package"], row["path"], row["left"], row["right"])))
    seen: set[str] = set()
    lefts: Counter[str] = Counter()
    kept: dict[tuple[str, str], list[Row]] = {}
    held_out: list[Row] = []
    held_counts: Counter[str] = Counter()
    for row in every:
        code, left = digest_of(row["kind"], flattened(row["right"])), digest_of(flattened(row["left"]))
        if code in seen:
            dropped["same code as another pair"] += 1
            continue
        if lefts[left] >= (1 if _is_held_out_row(row) else MAX_SAME_LEFT):
            dropped["same question as other pairs"] += 1
            continue
        seen.add(code)
        if _is_held_out_row(row):
            if row["kind"] == "doc":
                lefts[left] = MAX_SAME_LEFT
                held_counts[row["package"]] += 1
                held_counts[row["language"]] += 1
                if held_counts[row["package"]] <= HELD_OUT_PACKAGE_CAP and held_counts[row["language"]] <= HELD_OUT_LANGUAGE_CAP:
                    held_out.append(row)
            continue
        lefts[left] += 1
        kept.setdefault((row["kind"], row["language"]), []).append(row)
    training: list[Row] = []
    for (kind, _), rows in sorted(kept.items()):
        training += rows[: LANGUAGE_CAPS[kind]]
        dropped["over the language's share"] += max(len(rows) - LANGUAGE_CAPS[kind], 0)
    training.sort(key=lambda row: digest_of(row["left"], row["right"]))
    return training, held_out, dropped


def _is_held_out_row(row: Row) -> bool:
    return is_held_out(row["package"].partition(":")[2])


def stats_of(
    packages: list[Package], training: list[Row], held_out: list[Row], dropped: Counter[str], failed: list[str]
) -> dict[str, Any]:
    """What the model card says of the data."""
    contributing = {row["package"] for row in (*training, *held_out)}
    used = [package for package in packages if package.label in contributing]

    def table(rows: list[Row]) -> dict[str, dict[str, int]]:
        counts = Counter((row["kind"], row["language"]) for row in rows)
        return {kind: {language: n for (of, language), n in sorted(counts.items()) if of == kind} for kind in PACKAGE_CAPS}

    return {
        "training_pairs": len(training),
        "held_out_pairs": len(held_out),
        "packages": len(used),
        "packages_by_registry": dict(sorted(Counter(package.registry for package in used).items())),
        "packages_by_licence": dict(sorted(Counter(package.licence for package in used).items())),
        "training": table(training),
        "held_out": table(held_out),
        "dropped": dict(sorted(dropped.items())),
        "failed_packages": failed,
    }


def main() -> None:
    """Parses the command line and runs the four stages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, default=HERE / "sources.toml")
    parser.add_argument("--lock", type=Path, default=HERE / "sources.lock")
    parser.add_argument("--cache", type=Path, required=True, help="where archives are and come to, <registry>/<file>")
    parser.add_argument("--mirrors", type=Path, required=True, help="holds <owner>+<name>/repo, a git directory")
    parser.add_argument("--known", type=Path, required=True, help="what exclusions.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--update-lock", action="store_true", help="pin what is in the cache instead of fetching what is pinned")
    parser.add_argument("--apt-option", action="append", default=[], help="for apt-get, which needs deb-src entries")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    wanted, histories = read_sources(arguments.sources)
    if not arguments.update_lock:
        fetch(read_lock(arguments.lock), arguments.cache, arguments.apt_option)
    packages = found_packages(wanted, arguments.cache, arguments.mirrors)
    if arguments.update_lock:
        write_lock(arguments.lock, [package for package, _ in packages])
    else:
        pinned = set(read_lock(arguments.lock))
        packages = [(package, terms) for package, terms in packages if package in pinned]
    print(f"{len(packages)} of {len(wanted)} packages are there and permissively licensed", flush=True)
    jobs = jobs_of(packages, histories)
    failed = extract_all(jobs, arguments.cache, arguments.mirrors, arguments.known, arguments.out, arguments.jobs)
    shards = (job.place(arguments.out / FOLDERS[1]) for job in jobs)
    training, held_out, dropped = merge(rows_of(shard) for shard in shards if shard.exists())
    stats = stats_of([package for package, _ in packages], training, held_out, dropped, failed)
    for name, rows in (("train", training), ("heldout", held_out)):
        partial = arguments.out / f"{name}.jsonl.partial"
        with partial.open("w", encoding="utf-8") as stream:
            stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        partial.rename(arguments.out / f"{name}.jsonl")
    (arguments.out / "stats.json").write_text(json.dumps(stats, indent=1) + "\n")
    print(f"{len(training)} training pairs, {len(held_out)} held-out pairs, from {stats['packages']} packages")


def fetch(pinned: list[Package], cache: Path, apt_options: list[str]) -> None:
    """Download what the lock names and the cache lacks, check every archive against the lock, and name what cannot be had.

    Raises:
        SystemExit: an archive is not the one that was pinned.
    """
    for package in pinned:
        paths = {cache / package.registry / name: digest for name, digest in package.files}
        if not all(path.exists() for path in paths):
            # Part of a package may come although its client complains: what counts is what is there afterwards.
            with contextlib.suppress(subprocess.CalledProcessError, subprocess.TimeoutExpired):
                download(package.registry, package.name, package.version, cache / package.registry, apt_options)
        for path, digest in paths.items():
            if not path.exists():
                print(f"{package.label} {package.version}: {path.name} cannot be had", flush=True)
            elif sha256_of(path) != digest:
                raise SystemExit(f"{path} is not what the lock pins")


def found_packages(wanted: list[tuple[str, str]], cache: Path, mirrors: Path) -> list[tuple[Package, Terms]]:
    """The wanted packages that are there and may be used, in order of their names' digests."""
    scanned = scan(cache)
    found = [scanned[entry] for entry in wanted if entry in scanned]
    for _, name in (entry for entry in wanted if entry[0] == "git"):
        repository = mirrors / name.replace("/", "+") / "repo"
        if not repository.is_dir():
            continue
        command = ["git", "-c", "safe.directory=*", "-C", str(repository), "rev-parse", "HEAD"]
        commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        terms = repository_terms(repository, commit)
        found.append((Package(registry="git", name=name, version=commit, licence=terms.licence, files=()), terms))
    return sorted((entry for entry in found if entry[0].licence), key=lambda entry: digest_of(entry[0].label))


if __name__ == "__main__":
    main()
