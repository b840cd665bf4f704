"""A reply in, what is sent of it out: no more bytes than there is room for, said so where something is missing.

A reader pays by the token and some clients drop what is too long, so every reply has an end. Lists lose their last entries first,
as the best come first; long texts lose their last lines; what is large gives way before what is small, so that a path or a line
number never does. Sizes are those of the JSON that is sent.
"""

from __future__ import annotations

import re
from typing import Any, Final

from hardtack.render.style import inert_json, json_size
from hardtack.tools.tool import Reply

_CUT: Final = "[cut here]"
_NARROW: Final = "Ask for less: a lower limit, a longer name, a narrower path."
_FENCE = re.compile(r"^(`{3,})", re.MULTILINE)


def sent(reply: Reply) -> tuple[dict[str, Any], str]:
    """The structured result, an object, and the text of a reply, each within the room it has."""
    value, text, is_truncated = reply.value, reply.text, reply.is_truncated
    encoded = inert_json(value)  # once: of a long list it is what a call costs
    if len(encoded.encode()) > reply.room:
        value, is_truncated = _shrunk(value, reply.room), True
        encoded = inert_json(value)
    if text is not None and len(text.encode()) > reply.room:
        text, is_truncated = _shortened(text, reply.room), True
    hint = reply.hint or (_NARROW if is_truncated else "")
    structured = _with_notes(value, is_truncated=is_truncated, hint=hint)
    if text is None:
        return structured, _noted(encoded, value, structured, hint)
    return structured, f"{text.rstrip()}\n\n{hint}\n" if hint and (is_truncated or not value) else text


def _noted(encoded: str, value: Any, structured: dict[str, Any], hint: str) -> str:
    """The JSON of a value with what is noted of it: in an object as in the structured result, at the end of a list as an entry."""
    if isinstance(value, list):
        if not hint:
            return encoded
        return f"{encoded[:-1]}{',' if value else ''}{inert_json({'type': 'hint', 'message': hint})}]"
    return encoded if structured == value else inert_json(structured)


def _with_notes(value: Any, *, is_truncated: bool, hint: str) -> dict[str, Any]:
    """The object that is sent, saying whether it is all; a reply with a ``meta`` says so there."""
    document: dict[str, Any] = {"result": value} if isinstance(value, list) else dict(value)
    if isinstance(document.get("meta"), dict):
        document["meta"] = {**document["meta"], "truncated": is_truncated, **({"hint": hint} if hint else {})}
        return document
    if is_truncated:
        document["truncated"] = True
    if hint:
        document["hint"] = hint
    return document


def _shrunk(value: Any, room: int) -> Any:
    """As much of a JSON value as ``room`` bytes hold."""
    if isinstance(value, str):
        return _shortened(value, room)
    if isinstance(value, list):
        return _first_of(value, room)
    if isinstance(value, dict):
        return _largest_last(value, room)
    return value


def _first_of(values: list[Any], room: int) -> list[Any]:
    """The first of a list that fit; no entry takes more than half of what is there, unless it is the only one."""
    kept, left = [], room - 2
    for value in values:
        entry = value
        if (size := json_size(entry) + 1) > left or (len(values) > 1 and size > room // 2):
            entry = _shrunk(value, min(left, room // 2) if len(values) > 1 else left)
            size = json_size(entry) + 1
            if size > left or not entry:
                break
        kept.append(entry)
        left -= size
        if entry is not value and len(kept) > 1:
            break  # what comes after the first that had to give way would have nothing left
    return kept


def _largest_last(values: dict[str, Any], room: int) -> dict[str, Any]:
    """All of a mapping's keys; what is small is whole, and what is large shares what that leaves."""
    sizes = {key: json_size(value) + len(key) + 4 for key, value in values.items()}
    shrunk, left = dict(values), room - 2
    for rank, key in enumerate(sorted(sizes, key=lambda key: sizes[key])):
        share = left // (len(sizes) - rank)
        if sizes[key] > share:
            shrunk[key] = _shrunk(values[key], max(share - len(key) - 4, 0))
            sizes[key] = json_size(shrunk[key]) + len(key) + 4
        left -= sizes[key]
    return shrunk


def _shortened(text: str, room: int) -> str:
    """The first lines of a text, an open code block closed, and a mark that there was more."""
    size = json_size(text)
    if size <= room or len(text) <= len(_CUT):
        return text
    kept = len(text) * max(room - 4 * len(_CUT), 0) // size
    while json_size(short := _closed(text[:kept])) > room and kept:
        kept = kept * 3 // 4  # what is escaped in JSON stands closer here than elsewhere
    return f"{short}\n" if text.endswith("\n") else short


def _closed(head: str) -> str:
    """A text up to its last whole line, if it has any, an open code block closed, and the mark."""
    head = head[: head.rfind("\n") + 1] if "\n" in head else head
    opened = _FENCE.findall(head)
    return f"{head}{opened[-1]}\n{_CUT}" if len(opened) % 2 else f"{head}{_CUT}"
