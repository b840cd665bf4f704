"""Lists what is taken for a secret in the text files of directories, and counts it for each 100,000 lines.

Every finding is printed with its place and its rule, and with the first letters of the value alone, for somebody to judge. What a
build skips anyway is skipped here.

    python benchmarks/secrets_alarms.py DIR...
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from hardtack.build.source.secrets import is_secret_by_content, secret_file, secret_in_path, secrets_in
from hardtack.build.source.tree import SourceOptions, open_tree
from hardtack.nouns.outline import SourceFile

_SHOWN = 6


def main() -> None:
    """Look through every directory, and tell what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", nargs="+", type=Path, metavar="DIR")
    lines = files = size = 0
    seconds = 0.0
    found: Counter[str] = Counter()
    for directory in parser.parse_args().directories:
        own = Counter[str]()
        own_lines = 0
        for item in open_tree(directory, options=SourceOptions(secrets="warn")).files():
            if not isinstance(item, SourceFile):
                continue
            files, size, own_lines = files + 1, size + len(item.text), own_lines + item.text.count(b"\n")
            began = time.process_time()
            secrets = secrets_in(item.text, item.path)
            whole = secret_file(item.path) or is_secret_by_content(item.path, item.text, has_secrets=bool(secrets))
            names = [rule for rule in (whole, secret_in_path(item.path)) if rule]
            seconds += time.process_time() - began
            for rule in names:
                own[rule] += 1
                print(f"{directory.name}/{item.path}: {rule}, by its name")
            for secret in secrets:
                own[secret.rule] += 1
                start, end = secret.places[0]
                shown = item.text[start : min(end, start + _SHOWN)].decode("utf-8", "replace")
                print(f"{directory.name}/{item.path}:{secret.line}: {secret.rule} {shown!r}... of {end - start}")
        lines += own_lines
        found += own
        print(f"-- {directory.name}: {own_lines} lines, {sum(own.values())} found")
    total = sum(found.values())
    print(f"{files} files, {lines} lines, {size} bytes: {total} found, {total * 1e5 / max(lines, 1):.2f} in 100,000 lines")
    print(f"{seconds:.2f} s of processor time, {seconds * 1e9 / max(size, 1):.0f} ns a byte")
    for rule, count in found.most_common():
        print(f"{count:6} {rule}")


if __name__ == "__main__":
    main()
