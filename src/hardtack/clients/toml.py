"""TOML text and the path of a table in; the text with that table added or removed out.

All other text stays byte for byte. The text is divided into statements; an edit adds, replaces or removes whole statements. The
result is parsed again and must have exactly the intended data.

tomlkit was considered: it assigns a comment to the table above it, so removing a table would also remove the next table's comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from hardtack.notations import parse_toml, toml_comment, toml_statements

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


def read(text: str) -> dict[str, Any]:
    """The document's data.

    Raises:
        ValueError: the text is over a limit, or no TOML; then the message names line and column.
    """
    return parse_toml(text)


def put(text: str, path: Sequence[str], entry: Mapping[str, Any], *, merge: bool = False) -> str:
    """``text`` with the table ``entry`` at ``path``; an existing table is replaced or updated, a new one is added at the end.

    Args:
        text: a document.
        path: the table's keys.
        entry: strings, booleans and lists of strings. If an equal table is there, the text is not changed.
        merge: keep the other keys of an existing table.

    Raises:
        ValueError: the text is no TOML, or the existing table has no header of its own.
    """
    data = parse_toml(text)
    old = _at(data, path)
    newline = "\r\n" if "\r\n" in text else "\n"
    if old == entry:
        return text
    if old is not None and merge:
        new = _update(text, path, {key: part for key, part in entry.items() if old.get(key) != part}, newline)
        return _saying(new, _with(data, path, {**old, **entry}))
    text = remove(text, path)
    lines = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(key)} = {_written(part)}" for key, part in entry.items())]
    gap = ("" if text.endswith("\n") or not text else newline) + (newline if text else "")
    return _saying(text + gap + "".join(line + newline for line in lines), _with(data, path, entry))


def remove(text: str, path: Sequence[str]) -> str:
    """``text`` without the table at ``path`` and those below it, and without one empty line before it.

    Raises:
        ValueError: the text is no TOML, or the table has no header of its own.
    """
    data = parse_toml(text)
    if _at(data, path) is None:
        return text
    statements = toml_statements(text)
    for start, end in reversed(_sections(statements, path)):
        is_apart = end == len(statements) or not statements[end].strip()
        del statements[start - (1 if start and is_apart and not statements[start - 1].strip() else 0) : end]
    return _saying("".join(statements), _with(data, path, None))


def _update(text: str, path: Sequence[str], parts: Mapping[str, Any], newline: str) -> str:
    """``text`` with the keys ``parts`` of the table set."""
    statements = toml_statements(text)
    start, end = _sections(statements, path)[0]
    added = ""
    for key, part in parts.items():
        line = f"{_key(key)} = {_written(part)}"
        place = next((index for index in range(start + 1, end) if _path_of(statements[index])[:1] == (key,)), None)
        if place is None:
            added += line + newline
        else:
            old = statements[place]
            statements[place] = old[: -len(old.lstrip(" \t"))] + line + toml_comment(old) + newline
    statements[start] = statements[start].rstrip("\r\n") + newline + added
    return "".join(statements)


def _sections(statements: Sequence[str], path: Sequence[str]) -> list[tuple[int, int]]:
    """The ranges of statements of the table: each from a header to its last assignment.

    Comments after that belong to the next table.
    """
    headers = [index for index, statement in enumerate(statements) if statement.lstrip().startswith("[")]
    sections = []
    for start, following in pairwise([*headers, len(statements)]):
        if _path_of(statements[start])[: len(path)] == tuple(path):
            end = max(index for index in range(start, following) if index == start or _path_of(statements[index]))
            sections.append((start, end + 1))
    if not sections:
        raise ValueError(f"the table '{'.'.join(path)}' has no header of its own")
    return sections


def _path_of(statement: str) -> tuple[str, ...]:
    """The keys of a header or an assignment; empty for a comment."""
    data: Any = parse_toml(statement)
    keys: list[str] = []
    while isinstance(data, dict) and data:
        key = next(iter(data))
        keys.append(key)
        data = data[key][0] if isinstance(data[key], list) and statement.lstrip().startswith("[[") else data[key]
    return tuple(keys)


def _at(data: Any, path: Sequence[str]) -> dict[str, Any] | None:
    for key in path:
        if not isinstance(data, dict):
            raise ValueError(f"'{'.'.join(path)}' cannot be a table here")
        data = data.get(key, {} if key != path[-1] else None)
    if data is not None and not isinstance(data, dict):
        raise ValueError(f"'{'.'.join(path)}' is not a table")
    return data


def _with(data: Mapping[str, Any], path: Sequence[str], value: Mapping[str, Any] | None) -> dict[str, Any]:
    """``data`` with ``value`` at ``path``, or with nothing there if it is None, and without tables that become empty."""
    key, *deeper = path
    part = _with(data.get(key, {}), deeper, value) if deeper else value
    return {**{name: each for name, each in data.items() if name != key}, **({key: part} if part else {})}


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _written(value: Any) -> str:
    """A string, a boolean or a list of strings as text: TOML and JSON write these alike."""
    return json.dumps(value, ensure_ascii=False)


def _saying(text: str, data: Mapping[str, Any]) -> str:
    """``text``, after a check that its data is ``data`` but for empty tables: no other edit leaves this module."""
    if _full(parse_toml(text)) != _full(data):
        raise ValueError("the table is written in a way that cannot be edited without changing something else")
    return text


def _full(data: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` without empty tables."""
    parts = {key: _full(part) if isinstance(part, dict) else part for key, part in data.items()}
    return {key: part for key, part in parts.items() if part != {}}
