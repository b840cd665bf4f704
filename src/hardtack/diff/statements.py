"""One file's text in, which of its imports others can import from it, and under which names, out."""

from __future__ import annotations

import re
from typing import Final

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle

SCRIPTS: Final = frozenset({"javascript", "typescript", "tsx", "svelte", "vue"})
"""Languages whose modules pass on what they import only where they say ``export``."""
_MOST_LINES: Final = 200
"""Lines of one statement that are looked back over."""
_RUST: Final = re.compile(r"\s*(?:#\[.*\]\s*)?(pub\s+)?(?:pub\s*\([^)]*\)\s*)?(?:use|extern\s+crate)\b")
_SCRIPT: Final = re.compile(r"\s*(?:(export)|import|const|let|var)\b")


class Statements:
    """The import statements of one file's text, by line."""

    def __init__(self, bundle: Bundle, file: FileRecord, *, reads_text: bool) -> None:
        self.language = file.language
        self.reads_text = reads_text
        text = bundle.text_of(file).decode("utf-8", "replace") if reads_text else ""
        self.lines = text.split("\n")

    def passes_on(self, line: int) -> bool:
        """Whether others can import what the statement around a line imports; in Python always, in Rust too if there is no text."""
        if self.language == "python":
            return True
        if not self.reads_text:
            return self.language == "rust"
        start = _SCRIPT if self.language in SCRIPTS else _RUST
        for number in range(min(line, len(self.lines)) - 1, max(-1, line - _MOST_LINES), -1):
            if found := start.match(self.lines[number]):
                return bool(found[1])
        return False

    def name_of(self, line: int, name: str) -> str:
        """The name under which an import gives ``name``: that behind ``as``, if there is one."""
        if 0 < line <= len(self.lines) and " as " in self.lines[line - 1]:
            found = re.search(rf"\b{re.escape(name)}\s+as\s+(\w+)", self.lines[line - 1])
            return found[1] if found else name
        return name
