"""A reply in, the structured result and the text to send out, each within the reply's budget in bytes.

Readers pay by the token, and some clients drop replies that are too long. A list loses its last entries first, since the best
come first; a long text loses its last lines; large values are cut before small ones, so that a path or a line number stays whole.
What was cut is marked. Sizes are those of the JSON that is sent.
"""

from __future__ import annotations

from typing import Any, Final

from hardtack.render.markdown import open_fence, prose
from hardtack.render.style import inert_json, inert_line, json_size
from hardtack.tools.tool import ToolReply

_CUT: Final = "[cut here]"
_NARROW: Final = "Ask for less: a lower limit, a longer name, a narrower path."


def cut_to_budget(reply: ToolReply, note: str = "") -> tuple[dict[str, Any], str]:
    """The structured result, an object, and the text of a reply, each of at most ``reply.room`` bytes, and the note after them."""
    value, text, is_truncated = reply.value, reply.text, reply.is_truncated
    encoded = inert_json(value)  # only once, as encoding a long list takes most of the time of a call
    if len(encoded.encode()) > reply.room:
        value, is_truncated = _shrunk(value, reply.room), True
        encoded = inert_json(value)
    if text is not None and len(text.encode()) > reply.room:
        text, is_truncated = _shortened(text, reply.room), True
    advice = reply.hint or (_NARROW if is_truncated else "")
    hint = inert_line(" ".join(filter(None, (advice, note))))
    structured = _with_notes(value, is_truncated=is_truncated, hint=hint)
    if text is None:
        return structured, _noted(encoded, value, structured, hint)
    said = prose(hint if is_truncated or not value else note)
    return structured, f"{text.rstrip()}\n\n{said}\n" if said else text


def _noted(encoded: str, value: Any, structured: dict[str, Any], hint: str) -> str:
    """The JSON of a value with the notes on it: those of an object as in ``structured``, the hint of a list as its last entry."""
    if isinstance(value, list):
        if not hint:
            return encoded
        return f"{encoded[:-1]}{',' if value else ''}{inert_json({'type': 'hint', 'message': hint})}]"
    return encoded if structured == value else inert_json(structured)


def _with_notes(value: Any, *, is_truncated: bool, hint: str) -> dict[str, Any]:
    """The object to send, with ``truncated`` and ``hint`` in its ``meta`` if it has one, else beside its own keys."""
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
    """As much of a JSON value as fits into ``room`` bytes."""
    if isinstance(value, str):
        return _shortened(value, room)
    if isinstance(value, list):
        return _first_of(value, room)
    if isinstance(value, dict):
        return _largest_last(value, room)
    return value


def _first_of(values: list[Any], room: int) -> list[Any]:
    """The first entries of a list that fit; an entry that is not the only one takes at most half of ``room``."""
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
            break  # the entry that was cut has used up the room
    return kept


def _largest_last(values: dict[str, Any], room: int) -> dict[str, Any]:
    """All keys of a mapping; small values stay whole, and large ones share the room that these leave."""
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
    """The first lines of a text, with an open code block closed and a mark where it was cut."""
    size = json_size(text)
    if size <= room or len(text) <= len(_CUT):
        return text
    kept = len(text) * max(room - 4 * len(_CUT), 0) // size
    while json_size(short := _closed(text[:kept])) > room and kept:
        kept = kept * 3 // 4  # this part of the text has more characters that JSON escapes than the rest
    return f"{short}\n" if text.endswith("\n") else short


def _closed(head: str) -> str:
    """A text up to its last whole line, if it has one, with an open code block closed and the mark."""
    head = head[: head.rfind("\n") + 1] if "\n" in head else head
    fence = open_fence(head)
    return f"{head}{fence}\n{_CUT}" if fence else f"{head}{_CUT}"
