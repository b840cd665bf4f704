"""Commits that changed something in, Markdown or JSON values out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hardtack.nouns.descriptors import SymbolDescriptor
from hardtack.nouns.history import CommitEntry
from hardtack.render.markdown import code, fenced
from hardtack.render.style import inert, inert_line

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


def render_commits(entries: Sequence[CommitEntry], *, with_body: bool) -> str:
    """``commit date subject  [files, symbols]``, one line a commit; with bodies these are beneath it, indented."""
    lines = []
    for entry in entries:
        aside = [_files(entry), *map(inert_line, entry.symbols[:_SYMBOLS_SHOWN]), *_more_symbols(entry)]
        subject = inert_line(entry.subject) or "(no subject)"
        lines.append(f"{entry.id[:_ID_SHOWN]} {entry.date[:10]} {subject}  [{', '.join(aside)}]")
        if with_body and entry.body:
            lines += [f"    {line}".rstrip() for line in inert(entry.body).split("\n")]
    return "".join(f"{line}\n" for line in lines)


def _files(entry: CommitEntry) -> str:
    return f"{entry.paths} file{'' if entry.paths == 1 else 's'}"


def _more_symbols(entry: CommitEntry) -> list[str]:
    return [f"{len(entry.symbols) - _SYMBOLS_SHOWN} more"] if len(entry.symbols) > _SYMBOLS_SHOWN else []


def _commit(entry: CommitEntry, *, with_body: bool) -> Iterator[str]:
    more = "".join(f" and {each}" for each in _more_symbols(entry))
    changed = f"; changed {', '.join(map(code, entry.symbols[:_SYMBOLS_SHOWN]))}{more}" if entry.symbols else ""
    yield f"- {entry.id[:_ID_SHOWN]} {entry.date[:10]}, {_files(entry)}: {code(entry.subject or '(no subject)')}{changed}"
    if with_body and entry.body:
        yield from ("", *(f"  {line}".rstrip() for line in fenced(entry.body, "").split("\n")), "")


def _place(symbol: SymbolDescriptor) -> str:
    location = symbol.location
    return f"{location.file_path}:{location.start_line}-{location.end_line}" if location else ""
