"""JSON text and the path of an entry in; the same text with that entry put in, or taken out, out.

What is not the entry's stays as it is, byte for byte: comments, trailing commas, order, indentation, ends of lines. An edit is a
stretch of text that is replaced; before it is handed out it is read again, and must say what was meant and nothing else.

Rejected: libraries. Those on PyPI that keep comments either write the document anew or start Node.js.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from hardtack.clients.json_places import JsonMember, Value, parse

_WHITESPACE: Final = " \t\r\n"


def read(text: str) -> Any:
    """The document's data; an empty object where there is only whitespace.

    Raises:
        json.JSONDecodeError: it is no JSON.
    """
    return parse(text).data if text.strip(_WHITESPACE) else {}


def put(text: str, path: Sequence[str], entry: Mapping[str, Any], *, merge: bool = False) -> str:
    """``text`` with ``entry`` at ``path``, and objects around it where they are missing.

    Args:
        text: a document, or nothing but whitespace.
        path: keys from the outermost object inwards.
        entry: JSON values; where an equal one stands, the text stays as it is.
        merge: keep what else is in the object that stands there.

    Raises:
        json.JSONDecodeError: the text is no JSON, or something other than an object stands on the way.
    """
    if not merge:
        return _put_value(text, path, dict(entry))
    for key, value in entry.items():
        text = _put_value(text, (*path, key), value)
    return text


def _put_value(text: str, path: Sequence[str], value: Any) -> str:
    if not text.strip(_WHITESPACE):
        return text + _Layout("\n", "  ").written(_nested(path, value), "") + "\n"
    root = parse(text)
    route = _route(text, root, path)
    layout = _layout_of(text, root)
    if len(route) == len(path):
        old = route[-1].value
        if old.data == value:
            return text
        new = text[: old.start] + layout.written(value, _indentation(text, old.start)) + text[old.end :]
    else:
        key, *deeper = path[len(route) :]
        new = _insert(text, root, route[-1].value if route else root, layout, key, _nested(deeper, value))
    return _saying(new, _with(root.data, path, value))


def remove(text: str, path: Sequence[str]) -> str:
    """``text`` without what is at ``path``, and without the objects around it that held nothing else, not even a comment.

    Raises:
        json.JSONDecodeError: the text is no JSON, or something other than an object stands on the way.
    """
    if not text.strip(_WHITESPACE):
        return text
    root = parse(text)
    route = _route(text, root, path)
    if len(route) < len(path):
        return text
    holders = [root, *(member.value for member in route)]
    depth = len(path) - 1
    while depth and _holds_nothing_else(text, route[depth - 1], route[depth]):
        depth -= 1
    return _saying(_cut_out(text, holders[depth], route[depth]), _without(root.data, path[: depth + 1]))


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a document is set."""

    newline: str
    unit: str
    """What one level is indented by."""

    def written(self, value: Any, indentation: str) -> str:
        """``value`` as text: an object over several lines, anything else on one."""
        if not isinstance(value, dict) or not value:
            return json.dumps(value, ensure_ascii=False)
        inner = indentation + self.unit
        members = [f"{inner}{json.dumps(key, ensure_ascii=False)}: {self.written(part, inner)}" for key, part in value.items()]
        return "{" + self.newline + ("," + self.newline).join(members) + self.newline + indentation + "}"


def _layout_of(text: str, root: Value) -> _Layout:
    first = text.find("\n")
    indentation = _indentation(text, root.members[0].start) if root.members else ""
    unit = indentation.removeprefix(_indentation(text, root.start))
    return _Layout("\r\n" if first > 0 and text[first - 1] == "\r" else "\n", unit or "  ")


def _indentation(text: str, at: int) -> str:
    """The whitespace that the line of ``at`` begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _route(text: str, root: Value, path: Sequence[str]) -> list[JsonMember]:
    """The members on the way to ``path``; fewer than the path has keys where it ends early."""
    value, route = root, list[JsonMember]()
    for key in path:
        if value.members is None:
            raise json.JSONDecodeError("an object is expected here", text, value.start)
        members = [member for member in value.members if member.key == key]
        if len(members) > 1:
            raise json.JSONDecodeError(f'"{key}" stands here for the second time', text, members[1].start)
        if not members:
            break
        route += members
        value = members[0].value
    return route


def _insert(text: str, root: Value, holder: Value, layout: _Layout, key: str, value: Any) -> str:
    """``text`` with a member at the end of ``holder``: set like its neighbours, a comma behind it if the last one has one."""
    last = holder.members[-1] if holder.members else None
    behind = last.after if last else holder.start + 1
    at = _end_of_content(text, behind, holder.end - 1)
    name = json.dumps(key, ensure_ascii=False)
    if last is None:
        if holder is not root and "\n" not in text[root.start : root.end]:
            return text[:at] + f"{name}: {json.dumps(value, ensure_ascii=False)}" + text[at:]
        outer = _indentation(text, holder.start)
        piece = layout.newline + outer + layout.unit + name + ": " + layout.written(value, outer + layout.unit)
        return text[:at] + piece + (text[at:] if "\n" in text[at : holder.end] else layout.newline + outer + text[holder.end - 1 :])
    has_comment = at > behind
    if "\n" in text[holder.start : last.start] or has_comment:
        indentation = _indentation(text, last.start)
        piece = layout.newline + indentation + name + ": " + layout.written(value, indentation)
    else:
        gap = " " if text[last.value.start - 1] in _WHITESPACE else ""
        piece = gap + name + ":" + gap + json.dumps(value, ensure_ascii=False, separators=("," + gap, ":" + gap))
    if last.comma is not None:
        return text[:at] + piece + "," + text[at:]
    return text[: last.value.end] + "," + text[last.value.end : at] + piece + text[at:]


def _cut_out(text: str, holder: Value, member: JsonMember) -> str:
    """``text`` without ``member``, its own comma or the one it needed, and the whitespace before it; no comment is touched."""
    members = holder.members or ()
    index = members.index(member)
    before = members[index - 1] if index else None
    behind = before.after if before else holder.start + 1
    start = _end_of_content(text, behind, member.start)
    rest = text[member.value.end : member.after].removesuffix(",") + text[member.after : member.after + 1]
    if _ends_in_line_comment(text[behind:start]) and not rest.startswith(("\r", "\n")):
        start = member.start  # the line break that ends the comment stays
    comma = member.comma if member.comma is not None else before.comma if before else None
    cuts = [(start, member.value.end), *([(comma, comma + 1)] if comma is not None else [])]
    if len(members) == 1 and not (text[holder.start + 1 : start] + _behind(text, holder, member)).strip(_WHITESPACE):
        cuts = [(holder.start + 1, holder.end - 1)]
    for begin, end in sorted(cuts, reverse=True):
        text = text[:begin] + text[end:]
    return text


def _end_of_content(text: str, start: int, end: int) -> int:
    """Where the last comment between two offsets ends; ``start`` when there is only whitespace."""
    stop = start + len(text[start:end].rstrip(_WHITESPACE))
    if _ends_in_line_comment(text[start:stop]):
        stop += len(text[stop:end]) - len(text[stop:end].lstrip(" \t"))
    return stop


def _ends_in_line_comment(content: str) -> bool:
    """Whether what follows on the same line would be part of the comment; of a block comment this may be said in vain."""
    return "//" in content[content.rfind("\n") + 1 :]


def _holds_nothing_else(text: str, outer: JsonMember, member: JsonMember) -> bool:
    """Whether ``outer`` is an object of that one member, and has no comment anywhere that is not the member's."""
    holder = outer.value
    before = text[outer.key_end : holder.start].replace(":", "", 1) + text[holder.start + 1 : member.start]
    return len(holder.members or ()) == 1 and not (before + _behind(text, holder, member)).strip(_WHITESPACE)


def _behind(text: str, holder: Value, last: JsonMember) -> str:
    """What stands between the last member and the end of its object, a comma left out."""
    return text[last.value.end : holder.end - 1].replace(",", "", 1)


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _with(data: Any, path: Sequence[str], value: Any) -> Any:
    """A copy of ``data`` with ``value`` at ``path``."""
    whole = deepcopy(data)
    *outer, key = path
    holder: dict[str, Any] = whole
    for step in outer:
        holder = holder.setdefault(step, {})
    holder[key] = value
    return whole


def _without(data: Mapping[str, Any], path: Sequence[str]) -> Any:
    """``data`` less what is at ``path``."""
    key, *deeper = path
    return {name: _without(part, deeper) if name == key else part for name, part in data.items() if name != key or deeper}


def _saying(text: str, data: Any) -> str:
    """``text``, which must say ``data``: an edit that would change anything else never leaves this module."""
    if parse(text).data != data:
        raise json.JSONDecodeError("this cannot be edited without changing something else", text, 0)
    return text
