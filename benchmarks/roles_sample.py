"""A hundred types that carry a role, for a person to judge: how often do naming patterns hold?

    python benchmarks/roles_sample.py DIR [DIR ...] > sample.tsv

A DIR is a source tree; its last component names it. Each is read as a build reads it, and of each role so many types are drawn,
evenly from the trees and by a fixed seed, that there are a hundred, if the trees have as many. Columns: tree, path and line, kind,
name, what it rests on, roles. ``fixtures/ddd/sampled.tsv`` is such a sample with a column of verdicts.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from pathlib import Path

from hardtack.build.frameworks.ddd import tags_in
from hardtack.build.languages.registry import languages
from hardtack.build.source.tree import open_tree
from hardtack.build.symbols import outline_of
from hardtack.model import Tag
from hardtack.outline import SourceFile

SEED = 2
ROLES = (Tag.AGGREGATE, Tag.ENTITY, Tag.VALUE_OBJECT, Tag.REPOSITORY, Tag.SERVICE, Tag.COMMAND, Tag.QUERY, Tag.HANDLER)
EACH = 12
MORE = {Tag.ENTITY: 4}
"""Of entities, the role with the loosest rule, more are looked at."""


def tagged_types(root: Path) -> list[tuple[Tag, str]]:
    """(first role, line of the table) of every type of a tree that has a role."""
    found = []
    for file in open_tree(root).files():
        if not isinstance(file, SourceFile):
            continue
        outline = outline_of(file.text, languages()[file.language])
        for index, tags in tags_in(outline, file.language).items():
            symbol, detail = outline.symbols[index], outline.details.get(index)
            bases = ", ".join(base.name for base in detail.supertypes) if detail else ""
            place = f"{file.path}:{symbol.selection.start_line}"
            found.append((tags[0], "\t".join((root.name, place, symbol.kind, symbol.name, bases or "-", " ".join(tags)))))
    return found


def main(roots: list[Path]) -> None:
    """Print the table."""
    drawer = random.Random(SEED)
    by_role: dict[Tag, list[list[str]]] = defaultdict(list)
    for root in roots:
        types = tagged_types(root)
        for role in ROLES:
            lines = sorted(line for tag, line in types if tag is role)
            drawer.shuffle(lines)
            by_role[role].append(lines)
    print("tree\tplace\tkind\tname\trests on\troles")
    for role in ROLES:
        wanted = EACH + MORE.get(role, 0)
        drawn: list[str] = []
        while len(drawn) < wanted and any(by_role[role]):
            drawn += [lines.pop() for lines in by_role[role] if lines]
        print("\n".join(sorted(drawn[:wanted])))


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
