"""The table of rules of ``docs/diff.md``, from the rules themselves: ``python docs/make_rules.py`` writes it into the page."""

from __future__ import annotations

import argparse
from pathlib import Path

from hardtack.diff.rules import FAMILIES, RULES, SOURCES

PAGE = Path(__file__).parent / "diff.md"
HEAD = "| rule | means | languages | verdict | as in |\n|---|---|---|---|---|\n"


def table() -> str:
    """The whole table, with its head."""
    rows = (
        f"| `{rule.id}` | {rule.means} | {'all' if rule.families == FAMILIES else ', '.join(rule.families)} | {rule.verdicts} |"
        f" {'all' if rule.sources == tuple(SOURCES) else ', '.join(rule.sources) or 'none'} |"
        for rule in RULES
    )
    return HEAD + "\n".join(rows) + "\n"


def page(text: str) -> str:
    """The page with the table as it is to be."""
    before, _, rest = text.partition(HEAD)
    lines = rest.split("\n")
    while lines and lines[0].startswith("|"):
        del lines[0]
    return before + table() + "\n".join(lines)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
