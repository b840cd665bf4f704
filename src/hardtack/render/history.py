"""Commits that changed something in, Markdown or JSON values out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hardtack.nouns.descriptors import SymbolDescriptor
from hardtack.nouns.history import CommitEntry
from hardtack.render.markdown import code, fenced

_ID_SHOWN: Final = 12
_SYMBOLS_SHOWN: Final = 6


def commit_to_json(entry: CommitEntry, *, with_body: bool) -> dict[str, Any]:
    """One commit, without what is empty."""
    values = {
        "commit": entry.id,
        "date": entry.date,
        "subject": entry.subject,
        "body": entry.body if with_body else "",
        "symbols": list(entry.symbols),
        "is_sweep": entry.is_sweep,
    }
    return {**{key: value for key, value in values.items() if value}, "files": entry.paths}


def render_history(
    name: str, path: str, symbols: Sequence[SymbolDescriptor], entries: Sequence[CommitEntry], scope: str, *, with_body: bool
) -> str:
    """The commits as Markdown.

    Args:
        name: as it was asked for.
        path: of the file that it is; empty if it names symbols.
        symbols: those.
        entries: newest first.
        scope: which commits were looked at, one sentence.
        with_body: show the bodies of the messages.
    """
    lines = [f"# History: {code(path or name)}", ""]
    if len(symbols) > 1:
        lines += [f"- {code(each.signature or each.name)} {code(_place(each))}" for each in symbols] + [""]
    lines += [scope, ""]
    for entry in entries:
        lines += _commit(entry, with_body=with_body)
    return "\n".join(lines) + "\n"


def _commit(entry: CommitEntry, *, with_body: bool) -> Iterator[str]:
    more = f" and {len(entry.symbols) - _SYMBOLS_SHOWN} more" if len(entry.symbols) > _SYMBOLS_SHOWN else ""
    changed = f"; changed {', '.join(map(code, entry.symbols[:_SYMBOLS_SHOWN]))}{more}" if entry.symbols else ""
    files = f"{entry.paths} file{'' if entry.paths == 1 else 's'}"
    yield f"- {entry.id[:_ID_SHOWN]} {entry.date[:10]}, {files}: {code(entry.subject or '(no subject)')}{changed}"
    if with_body and entry.body:
        yield from ("", *(f"  {line}".rstrip() for line in fenced(entry.body, "").split("\n")), "")


def _place(symbol: SymbolDescriptor) -> str:
    location = symbol.location
    return f"{location.file_path}:{location.start_line}-{location.end_line}" if location else ""
