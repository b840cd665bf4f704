"""Freeze the bundles of ``fixtures/repos/tiny`` as ``fixtures/bundles/v<N>/``, N being the format version this tree writes.

    python tests/format/freeze.py

Run it when a *new* format version is about to be released (or, before the first release, whenever the writer changes), never to
make a failing test pass: a bundle that was released is what readers meet for ever. Two bundles come out, made by the real command
line: ``keyword``, and ``hybrid``, whose encoder is the package's own cut down to the tokens that the tree and the queries use and
to 64 columns. So the frozen bundle is complete and small, and does not depend on what becomes of the package's table.
``answers.json`` beside them holds what they answer.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

import hardtack
from hardtack.bundle.engines.lexical import Filter
from hardtack.bundle.format.layout import ENCODER, ENCODER_TABLE, FORMAT_VERSION, MANIFEST, READINGS
from hardtack.bundle.format.manifest import parse_manifest, render_manifest, with_members
from hardtack.encoders.static import FIELDS, member_paths, words_in
from hardtack.encoders.wordpiece import UNKNOWN, OrderedTokens, WordPiece, packed
from hardtack.nouns.model import Mode
from hardtack.query.opening import open_bundle

ROOT = Path(__file__).parents[2]
TREE = ROOT / "fixtures" / "repos" / "tiny"
FROZEN = ROOT / "fixtures" / "bundles"
PROFILES = ("keyword", "hybrid")
COLUMNS = 64
QUERIES = ("HandleStock", "parse_manifest_line", "days left until food is rationed", "weight limit of a kit", "crème")
TERMS = {"body": [("portions", 1.0)], "name": [("stock", 2.0), ("left", 2.0)]}
"""What the lexical index is asked directly: field to (term, weight)."""


def small_encoder(directory: Path, texts: list[str]) -> None:
    """Replace the encoder in ``directory`` by one that knows only the tokens of ``texts``."""
    vocabulary_path, table_path = member_paths()
    fields: dict[str, Any] = msgpack.unpackb(vocabulary_path.read_bytes())
    tokens = OrderedTokens(fields["vocabulary"])
    word_piece = WordPiece(tokens)
    used = {tokens[UNKNOWN], *(token for text in texts for word in words_in(text) for token in word_piece.ids_of(word))}
    kept = sorted(used)
    table = np.fromfile(table_path, dtype=np.int8).reshape(len(tokens), -1)[kept, :COLUMNS]
    fields |= {
        "name": "tiny",
        "dimension": COLUMNS,
        "table_sha256": hashlib.sha256(table.tobytes()).hexdigest(),
        "vocabulary": packed(token for place, token in enumerate(tokens) if place in used),
        "weights": np.frombuffer(fields["weights"], dtype="<u2")[kept].tobytes(),
    }
    (directory / ENCODER).write_bytes(msgpack.packb({name: fields[name] for name in FIELDS}))
    (directory / ENCODER_TABLE).write_bytes(table.tobytes())


def committed_copy(directory: Path) -> Path:
    """A git checkout of the tree whose commit id is the same on every machine."""
    shutil.copytree(TREE, directory)
    who = {"NAME": "Tiny", "EMAIL": "tiny@example.org", "DATE": "2026-01-01T00:00:00+0000"}
    identity = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    environment = {"PATH": os.environ["PATH"], "HOME": str(directory), "GIT_CONFIG_NOSYSTEM": "1", **identity}
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "tiny"]):
        subprocess.run(["git", *command], cwd=directory, env=environment, check=True)
    return directory


def build(package: Path, source: Path, destination: Path, profile: str) -> None:
    arguments = ["build", str(source), "-o", str(destination), "--profile", profile, "-q", "--repository", "example.org/ship/tiny"]
    environment = {**os.environ, "PYTHONPATH": str(package)}
    subprocess.run([sys.executable, "-m", "hardtack", *arguments], env=environment, check=True)


def without_readings(directory: Path) -> None:
    """Take out what only the program that built the bundle reads, and every later one refuses: the bundle never had it."""
    (directory / READINGS).unlink()
    manifest = parse_manifest((directory / MANIFEST).read_bytes())
    kept = tuple(member for member in manifest.members if member.name != READINGS)
    (directory / MANIFEST).write_bytes(render_manifest(with_members(manifest, kept)))


def answers_of(directory: Path) -> dict[str, Any]:
    """What a frozen bundle answers: the engines' own scores, and the first hit of each query in each mode."""
    with open_bundle(directory) as searcher:
        bundle = searcher.bundle
        answers: dict[str, Any] = {
            "digest": bundle.digest,
            "bm25": [[ordinal, round(score, 4)] for ordinal, score in zip(*bundle.lexical.search(TERMS, 5, Filter()), strict=True)],
        }
        modes = ["keyword"]
        if bundle.has_vectors:
            modes += ["vector", "hybrid"]
            row = np.zeros(COLUMNS, dtype=np.float32)
            row[:2] = 0.6, 0.8
            answers["nearest"] = [
                list(pair) for pair in zip(*(each.tolist() for each in bundle.vectors.search(row, 5)), strict=True)
            ]
        answers["first_hits"] = {
            mode: {query: first_hit(searcher.search(query, mode=Mode(mode), limit=1).hits) for query in QUERIES} for mode in modes
        }
    return answers


def first_hit(hits: tuple[hardtack.Hit, ...]) -> str:
    """Where the best hit is, as a person would write it."""
    return f"{hits[0].path}:{hits[0].start_line}" if hits else ""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        shutil.copytree(Path(hardtack.__file__).parent, scratch / "package" / "hardtack")
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(TREE.rglob("*")) if path.is_file()]
        paths = [path.relative_to(TREE).as_posix() for path in sorted(TREE.rglob("*"))]
        small_encoder(scratch / "package" / "hardtack" / "encoders" / "data", [*texts, *paths, *QUERIES, "class function method"])
        source = committed_copy(scratch / "tiny")
        answers = {}
        for profile in PROFILES:
            build(scratch / "package", source, scratch / profile, profile)
            without_readings(scratch / profile)
            answers[profile] = answers_of(scratch / profile)
        place = FROZEN / f"v{FORMAT_VERSION}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        for profile in PROFILES:
            shutil.copytree(scratch / profile, place / profile)
        (place / "answers.json").write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
