"""Compares our WordPiece with the ``tokenizers`` library, token by token, on real text.

    python benchmarks/wordpiece_equality.py DIR... [--chunks 100000] [--characters]

Every file that is UTF-8 text below the given directories, in path order, is cut into chunks of 40 lines until the wanted number is
reached. ``--characters`` also compares each of Unicode's code points in four surroundings. Mismatches are printed; any makes the
exit code 1. The library is set up as all-MiniLM-L6-v2's ``tokenizer.json`` says, but without special tokens: a literal ``[MASK]``
is text.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from hardtack.encoders.static import default_vocabulary
from hardtack.encoders.wordpiece import MAX_WORD_CHARACTERS, WordPiece, placed

LINES_PER_CHUNK = 40
MAX_FILE_BYTES = 1_000_000


def oracle_for(vocabulary: list[str]) -> Tokenizer:
    """The library's tokeniser for this vocabulary."""
    ids = {token: number for number, token in enumerate(vocabulary)}
    oracle = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=MAX_WORD_CHARACTERS))
    oracle.normalizer = normalizers.BertNormalizer()
    oracle.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return oracle


def chunks_below(roots: Iterable[Path]) -> Iterator[str]:
    """Runs of 40 lines of every UTF-8 file below ``roots``, in path order."""
    for root in roots:
        for path in sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink()):
            if path.stat().st_size > MAX_FILE_BYTES:
                continue
            try:
                lines = path.read_bytes().decode().splitlines(keepends=True)
            except UnicodeDecodeError:
                continue
            for start in range(0, len(lines), LINES_PER_CHUNK):
                yield "".join(lines[start : start + LINES_PER_CHUNK])


def characters() -> Iterator[str]:
    """Every code point that can be encoded, alone, inside a word, doubled and beside an accent."""
    for code in (*range(0xD800), *range(0xE000, 0x110000)):
        yield f"{chr(code)} the{chr(code)}re {chr(code) * 2} e{chr(code)}\u0301{chr(code)}"


def compare(texts: Iterable[str], ours: WordPiece, oracle: Tokenizer, limit: int) -> tuple[int, int, int]:
    """Texts compared, tokens in them and texts whose ids differ; the first differences are printed."""
    count = tokens = mismatches = 0
    for text in texts:
        if count == limit:
            break
        count += 1
        wanted, found = oracle.encode(text, add_special_tokens=False).ids, ours.ids_of(text)
        tokens += len(wanted)
        if wanted != found:
            mismatches += 1
            if mismatches <= 20:
                print(f"differs: {text[:200]!a}\n  wanted {wanted[:20]}\n  found  {found[:20]}")
    return count, tokens, mismatches


def main() -> int:
    """Parses the command line, compares and prints one line of figures for each kind of text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--characters", action="store_true", help="also compare every Unicode code point")
    arguments = parser.parse_args()
    vocabulary = default_vocabulary()
    ours, oracle = WordPiece(placed(vocabulary)), oracle_for(vocabulary)
    kinds = {"chunks": chunks_below(arguments.roots)} | ({"characters": characters()} if arguments.characters else {})
    wrong = 0
    for kind, texts in kinds.items():
        count, tokens, mismatches = compare(texts, ours, oracle, arguments.chunks if kind == "chunks" else -1)
        print(f"{kind}: {count} compared, {tokens} tokens, {mismatches} mismatches")
        wrong += mismatches
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
