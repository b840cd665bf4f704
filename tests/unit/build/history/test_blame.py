"""The symbols that commits are said to have changed, held against what ``git blame`` says of every line."""

from __future__ import annotations

import random
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from checkouts import ENVIRONMENT, commit, git, init, write

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle, open_bundle

ROOT = Path(__file__).parents[4]
COMMITS = 60


def blamed(root: Path, path: str) -> dict[int, str]:
    """Line -> the commit that wrote it, on the line of first parents."""
    command = ["git", "blame", "--first-parent", "--root", "--porcelain", "HEAD", "--", path]
    done = subprocess.run(command, cwd=root, env=ENVIRONMENT, capture_output=True, check=True)
    heads = re.findall(rb"^([0-9a-f]{40}) \d+ (\d+)(?: \d+)?$", done.stdout, re.MULTILINE)
    return {int(line): id.decode() for id, line in heads}


def check(bundle: Bundle, root: Path, prefix: str = "") -> int:
    """Hold every line of every file that changed against blame; how many pairs of commit and symbol were compared."""
    history, compared = bundle.history, 0
    assert history
    commits = {history.commit(each).id.hex(): each for each in range(len(history))}
    for number, file in enumerate(bundle.files):
        known = set(history.of_file(number).tolist())
        if not known:
            continue
        innermost: dict[int, int] = {}
        for symbol in range(file.first_symbol, file.first_symbol + file.symbol_count):
            record = bundle.symbol(symbol)
            innermost |= dict.fromkeys(range(record.extent_start_line, record.end_line + 1), symbol)
        expected = defaultdict(set)
        for line, id in blamed(root, prefix + file.path).items():
            if id in commits:
                assert commits[id] in known, (file.path, id)
                if line in innermost and not history.commit(commits[id]).left_out:
                    expected[commits[id]].add(innermost[line])
        for each, symbols in expected.items():
            assert symbols <= set(history.symbols_of(each).tolist()), (file.path, history.commit(each).id.hex())
            compared += len(symbols)
    return compared


@pytest.mark.parametrize("seed", range(3))
def test_blame_agrees_after_random_edits_and_renames(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    root = init(tmp_path / "source")
    texts = {f"m{n}.py": [line for f in range(12) for line in _function(draw, f)] for n in range(4)}
    commit(write(root, {path: "".join(text) for path, text in texts.items()}), "begin")
    for number in range(COMMITS):
        path = draw.choice(sorted(texts))
        text = texts[path]
        for _ in range(draw.randrange(1, 4)):
            at = draw.randrange(len(text))
            end = min(at + draw.randrange(4), len(text))
            text[at:end] = [line for line in text[at:end] if draw.random() < 0.3] + [
                f"    value_{number}_{each} = {draw.randrange(9)}\n" for each in range(draw.randrange(3))
            ]
        if draw.random() < 0.2:
            new = f"r{number}.py"
            git(root, "mv", path, new)
            texts[new] = texts.pop(path)
            path = new
        commit(write(root, {path: "".join(text)}), f"change {number}")
    build_bundle(root, tmp_path / "bundle", BuildOptions(profile="keyword", jobs=1, history=COMMITS - 10))
    with open_bundle(tmp_path / "bundle") as bundle:
        assert check(bundle, root) > COMMITS // 2


def _function(draw: random.Random, number: int) -> list[str]:
    body = [f"    step_{number}_{each} = {draw.randrange(1000)}\n" for each in range(draw.randrange(2, 9))]
    return [f"def function_{number}():\n", *body, "\n", "\n"]


def test_blame_agrees_on_the_history_of_this_repository(tmp_path: Path) -> None:
    directory = ROOT / "src" / "hardtack" / "bundle"
    counted = subprocess.run(
        ["git", "rev-list", "--first-parent", "--count", "HEAD"], cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=False
    )
    if counted.returncode or int(counted.stdout) < COMMITS:
        pytest.skip("this is no checkout with a history")
    build_bundle(directory, tmp_path / "bundle", BuildOptions(profile="keyword", jobs=1, history=COMMITS))
    with open_bundle(tmp_path / "bundle") as bundle:
        check(bundle, ROOT, "src/hardtack/bundle/")
