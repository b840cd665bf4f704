"""Source trees in, (documentation, code) pairs out: what the table is trained on.

Python's pairs are docstrings and their functions, found by its own parser. Elsewhere a pair is a comment block and the definition
right below it, found by indentation alone: crude, and good enough for a loss over a thousand pairs at once. The first paragraph is
the documentation; licences are left out, and so is a paragraph seen before.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from count_tokens import LANGUAGES, MAX_FILE_BYTES, files_below

MIN_DOC_WORDS, MAX_DOC_WORDS = 4, 80
MIN_CODE_LINES, MAX_CODE_LINES = 3, 40
MAX_PAIRS_PER_LANGUAGE = 40_000

_MARKER = re.compile(r"^\s*(///?!?|#+!?|/\*\*?|\*/|\*)\s?")
_MARKUP = re.compile(r"<[^>]+>|\{@\w+ ([^}]*)\}")
_LEGAL = re.compile(r"copyright|license|SPDX", re.IGNORECASE)
_DEFINED = re.compile(
    r"([A-Za-z_][\w?!]*)\s*(?:<[^(]*>)?\s*\(|(?:def|class|struct|enum|interface|trait|type|module)\s+([A-Za-z_]\w*)"
)


class Pair(NamedTuple):
    """One definition."""

    language: str
    doc: str
    code: str
    name: str

    def nameless(self) -> tuple[str, str]:
        """Documentation and code with the definition's name blanked out in both."""
        name = re.compile(rf"\b{re.escape(self.name)}(?!\w)")
        return name.sub("_", self.doc), name.sub("_", self.code)


def pairs_below(roots: list[Path]) -> Iterator[Pair]:
    """The pairs of every language, language by language, files in path order, tests left out."""
    paths = [path for root in roots for path in files_below(root) if path.stat().st_size <= MAX_FILE_BYTES]
    seen: set[str] = set()
    for language, suffixes in LANGUAGES.items():
        count = 0
        for path in paths:
            if path.suffix not in suffixes or "test" in path.name.lower() or count >= MAX_PAIRS_PER_LANGUAGE:
                continue
            source = path.read_text(encoding="utf-8", errors="replace")
            for doc, code, name in python_pairs(source) if language == "python" else comment_pairs(source, language):
                if doc not in seen:
                    seen.add(doc)
                    count += 1
                    yield Pair(language, doc, code, name)


def python_pairs(source: str) -> Iterator[tuple[str, str, str]]:
    """(documentation, code, name) of every function with a docstring."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    lines = source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and len(node.body) >= 2:
            doc = (ast.get_docstring(node) or "").split("\n\n")[0]
            if len(doc.split()) >= MIN_DOC_WORDS:
                code = lines[node.lineno - 1 : node.body[0].lineno - 1] + lines[node.body[0].end_lineno : node.end_lineno]
                yield doc, "\n".join(code[:MAX_CODE_LINES]), node.name


def comment_pairs(source: str, language: str) -> Iterator[tuple[str, str, str]]:
    """(documentation, code, name) of every definition right below a comment block."""
    lines = source.splitlines()
    at = 0
    while at < len(lines):
        end = _comment_end(lines, at, "#" if language == "ruby" else "//")
        if end == at:
            at += 1
            continue
        doc = _first_paragraph(lines[at:end])
        at = end
        while at < len(lines) and lines[at].lstrip().startswith(("@", "#[")):  # annotations and attributes
            at += 1
        defined = _DEFINED.search(lines[at]) if at < len(lines) else None
        if defined and MIN_DOC_WORDS <= len(doc.split()) <= MAX_DOC_WORDS and not _LEGAL.search(doc):
            code = _definition(lines, at)
            if len(code) >= MIN_CODE_LINES:
                yield doc, "\n".join(code), defined[1] or defined[2]


def _comment_end(lines: list[str], at: int, marker: str) -> int:
    """One past the last line of the comment block that starts at ``at``; ``at`` itself where none does."""
    if marker == "//" and lines[at].lstrip().startswith("/*"):
        while at < len(lines) and "*/" not in lines[at]:
            at += 1
        return at + 1
    while at < len(lines) and lines[at].lstrip().startswith(marker):
        at += 1
    return at


def _first_paragraph(comment: list[str]) -> str:
    found: list[str] = []
    for line in (_MARKER.sub("", line).replace("*/", "").strip() for line in comment):
        if line.startswith("@") or (found and not line):
            break
        found.append(line)
    return _MARKUP.sub(r" \1 ", " ".join(found)).strip()


def _definition(lines: list[str], at: int) -> list[str]:
    """The lines from ``at`` on that are indented further, and the closing line."""
    indent = len(lines[at]) - len(lines[at].lstrip())
    found = [lines[at]]
    for line in lines[at + 1 :]:
        text = line.strip()
        depth = len(line) - len(line.lstrip())
        if len(found) == MAX_CODE_LINES or (text and depth < indent):
            break
        if text and depth == indent and text[0] != "{":
            return [*found, line] if text.startswith(("}", ")", "]", "end")) else found
        found.append(line)
    return found
