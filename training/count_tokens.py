"""Counts how common each WordPiece token is in source code; the distillation weighs tokens by it.

    python training/count_tokens.py DIR... --vocabulary tokenizer.json --out training/token_shares.u32

Files are taken by suffix, in path order, evenly spaced over all of a language's until about 8 MB are read. The shares of a token
are averaged over the languages, so that a language with much source at hand has no more say than the others, and written as
little-endian uint32, in parts per thousand million, one per token id.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np

from hardtack.encoders.static import words_in
from hardtack.encoders.wordpiece import WordPiece

LANGUAGES = {
    "python": (".py",),
    "c++": (".h", ".hpp", ".cpp", ".cc", ".c"),
    "go": (".go",),
    "rust": (".rs",),
    "java": (".java",),
    "ruby": (".rb",),
    "php": (".php",),
    "typescript": (".ts", ".tsx"),
    "javascript": (".js", ".mjs"),
}
EXCLUDED_FOLDERS = {"vendor", "third_party", "nlohmann", "build", "dist"}
BYTES_PER_LANGUAGE = 8_000_000
MAX_FILE_BYTES = 300_000
PARTS = 1_000_000_000


def files_below(root: Path) -> list[Path]:
    """Every file below ``root`` in path order, copies of other projects and build output left out."""
    wanted = (path for path in sorted(root.rglob("*")) if EXCLUDED_FOLDERS.isdisjoint(path.relative_to(root).parts))
    return [path for path in wanted if path.is_file() and not path.is_symlink()]


def sources_of(paths: list[Path], suffixes: tuple[str, ...]) -> list[Path]:
    """The files of one language, evenly spaced over its paths, about :data:`BYTES_PER_LANGUAGE` of them."""
    sizes = [(path, path.stat().st_size) for path in paths if path.suffix in suffixes and not path.name.endswith(".min.js")]
    fitting = [(path, size) for path, size in sizes if size <= MAX_FILE_BYTES]
    step = max(1.0, sum(size for _, size in fitting) / BYTES_PER_LANGUAGE)
    return [fitting[int(place * step)][0] for place in range(int(len(fitting) / step))]


def shares_in(paths: list[Path], word_piece: WordPiece, tokens: int) -> np.ndarray:
    """Each token's share of all tokens in these files, shape (tokens,)."""
    words: Counter[str] = Counter()
    for path in paths:
        words.update(words_in(path.read_text(encoding="utf-8", errors="replace")))
    counts = np.zeros(tokens, dtype=np.int64)
    for word, count in words.items():
        for token in word_piece.ids_of(word):
            counts[token] += count
    shares: np.ndarray = counts / counts.sum()
    return shares


def main() -> None:
    """Parses the command line, counts and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--vocabulary", type=Path, required=True, help="the model's tokenizer.json")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    ids: dict[str, int] = json.loads(arguments.vocabulary.read_text(encoding="utf-8"))["model"]["vocab"]
    word_piece = WordPiece(ids)
    paths = [path for root in arguments.roots for path in files_below(root)]
    shares = []
    for language, suffixes in LANGUAGES.items():
        chosen = sources_of(paths, suffixes)
        if not chosen:
            raise SystemExit(f"no {language} below the given directories")
        shares.append(shares_in(chosen, word_piece, len(ids)))
        print(f"{language}: {len(chosen)} files")
    arguments.out.write_bytes(np.rint(np.mean(shares, axis=0) * PARTS).astype("<u4").tobytes())


if __name__ == "__main__":
    main()
