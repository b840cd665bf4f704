"""Prints the definition of each name in a repository's PHP files, as Intelephense gives it, as lines of JSON.

    INTELEPHENSE=<its lib/intelephense.js> python uses_php.py REPOSITORY [--step N]    # with node and intelephense (npm)

--step N looks at every N-th file. Asks the language server for the definition of every name outside comments and strings; prints
where it is, when that is in the repository. Variables are left out, but for properties. The last line counts the names after ``->``
or ``::`` that lead nowhere.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from uses import Server, asked_of

LEFT_OUT = {".git", "node_modules", "vendor"}
TOKEN = re.compile(
    rb"/\*.*?\*/|(?://|#(?!\[))[^\n]*|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\?>.*?(?:<\?(?:php|=)|\Z)"
    rb"|<<<\s*(['\"]?)(\w+)\1\r?\n.*?\n\s*\2\b|((?:\?->|->|::)\s*\$?|\$+)?([A-Za-z_\x80-\xff][\w\x80-\xff]*)",
    re.DOTALL,
)
"""What holds no names; or what stands before a name, in group 3, and the name, in group 4."""
DECLARES = re.compile(rb"\b(?:function\s*&?|class|interface|trait|enum|const|case|use\s+[\w\\]+\s+as|namespace)\s*\Z")
DECLARED = rb"(?:function\s*&?\s*|class\s+|interface\s+|trait\s+|enum\s+|case\s+|const\s[^=]*|const\s+|define\(['\"]|[$,]\s*)\b%s\b"
"""What declares a name."""
ANY_DECLARED = re.compile(rb"(?:function\s*&?|class|interface|trait|enum)\s+(\w+)")
COMMENT = re.compile(rb"\s*(?:/?\*|//|#)")
OWN = {b"self", b"static", b"parent"}
CHUNK = 2_000
"""Names that are asked for at once."""


def names_of(text: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """(first byte, name, whether it is a member) of every name in the code."""
    at = text.find(b"<?")
    for token in TOKEN.finditer(text, max(at, 0)) if at >= 0 else ():
        before, name = token[3] or b"", token[4]
        if name is None or before.startswith(b"$") or (name in OWN and not before) or text.startswith(b"\\", token.end()):
            continue
        start = token.start(4)
        if not DECLARES.search(text, max(0, start - 80), start):
            yield start, name, bool(before)


def main() -> None:
    """Print everything."""
    asked = asked_of(__doc__)
    root = asked.repository.resolve()
    files = sorted(file for file in root.rglob("*.php") if not LEFT_OUT.intersection(file.relative_to(root).parts))
    texts = {file.relative_to(root).as_posix(): file.read_bytes() for file in files if file.is_file()}
    lines = {path: text.split(b"\n") for path, text in texts.items()}
    with tempfile.TemporaryDirectory() as storage:
        server = Server(["node", "--max-old-space-size=4000", os.environ["INTELEPHENSE"], "--stdio"])
        options = {"storagePath": storage, "clearCache": True}
        folder = {"uri": root.as_uri(), "name": root.name}
        server.ask(
            "initialize",
            [
                {
                    "processId": os.getpid(),
                    "rootUri": root.as_uri(),
                    "capabilities": {},
                    "workspaceFolders": [folder],
                    "initializationOptions": options,
                }
            ],
        )
        server.tell("initialized", {})
        server.wait("indexingEnded")
        unresolved = 0
        for path in list(texts)[:: asked.step]:
            try:
                text = texts[path].decode()
            except UnicodeDecodeError:
                continue
            uri = (root / path).as_uri()
            document = {"uri": uri, "languageId": "php", "version": 1, "text": text}
            server.tell("textDocument/didOpen", {"textDocument": document})
            unresolved += ask_about(server, root, path, lines)
            server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        server.end()
    print(json.dumps({"unresolved": unresolved}))


def ask_about(server: Server, root: Path, path: str, lines: Mapping[str, list[bytes]]) -> int:
    """Print where the names of one file lead; the number of members that lead nowhere."""
    starts = [0]
    for line in lines[path]:
        starts.append(starts[-1] + len(line) + 1)
    names, unresolved, row = [], 0, 0
    for start, name, is_member in names_of(b"\n".join(lines[path])):
        while starts[row + 1] <= start:
            row += 1
        units = len(lines[path][row][: start - starts[row]].decode("utf-8", "replace").encode("utf-16-le")) // 2
        names.append((row, units, start, name.decode("utf-8", "replace"), is_member))
    uri = (root / path).as_uri()
    for first in range(0, len(names), CHUNK):
        some = names[first : first + CHUNK]
        questions: list[object] = [
            {"textDocument": {"uri": uri}, "position": {"line": row, "character": at}} for row, at, *_ in some
        ]
        for (row, _, start, word, is_member), answer in zip(some, server.ask("textDocument/definition", questions), strict=True):
            answers = answer if isinstance(answer, list) else [answer] if answer else []
            places = [place for each in answers if (place := place_of(root, lines, each, word)) is not None]
            unresolved += is_member and not answers
            if places and (path, row + 1, word) not in places:
                record = {"path": path, "at": row + 1, "start": start, "name": word}
                record |= {"to": places[0][0], "line": places[0][1], "declared": places[0][2], "others": places[1:]}
                print(json.dumps(record))
    return unresolved


def place_of(root: Path, lines: Mapping[str, list[bytes]], answer: Mapping[str, Any], name: str) -> tuple[str, int, str] | None:
    """(path, line, name) of a definition; None for one outside, and for a variable."""
    target = Path(unquote(urlparse(answer.get("uri") or answer["targetUri"]).path))
    span = answer.get("targetSelectionRange") or answer["range"]
    try:
        path = target.relative_to(root).as_posix()
    except ValueError:
        return None
    first, last = span["start"]["line"], span["end"]["line"]
    if path not in lines or last >= len(lines[path]):
        return None
    declared = re.compile(DECLARED % re.escape(name.encode()), re.IGNORECASE)
    rows = [row for row in range(first, last + 1) if not COMMENT.match(lines[path][row])] or [first]
    row = next((row for row in rows if declared.search(lines[path][row])), -1)
    if row >= 0:
        return path, row + 1, name
    row = next((row for row in rows if ANY_DECLARED.search(lines[path][row])), first)  # an import has another name for it
    word = ANY_DECLARED.search(lines[path][row])
    return path, row + 1, word[1].decode("utf-8", "replace") if word else ""


if __name__ == "__main__":
    main()
