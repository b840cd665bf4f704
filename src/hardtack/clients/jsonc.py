"""JSON text and the path of an entry in; the text with that entry added or removed out.

All other text stays byte for byte: comments, trailing commas, order, indentation, line ends. An edit replaces a range of the text;
the result is parsed again and must have exactly the intended data.

Libraries were considered: those on PyPI that keep comments either rewrite the whole document or start Node.js.
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
    """The document's data; an empty object for text of whitespace only.

    Raises:
        json.JSONDecodeError: the text is no JSON.
    """
    return parse(text).data if text.strip(_WHITESPACE) else {}


def put(text: str, path: Sequence[str], entry: Mapping[str, Any], *, merge: bool = False) -> str:
    """``text`` with ``entry`` at ``path``; missing objects on the way are added.

    Args:
        text: a document, or only whitespace.
        path: keys from the outermost object inwards.
        entry: JSON values. If an equal entry is there, the text is not changed.
        merge: keep the other keys of an existing object at ``path``.

    Raises:
        json.JSONDecodeError: the text is no JSON, or a value on the way is no object.
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
    """``text`` without the value at ``path``, and without the objects around it that held nothing else, not even a comment.

    Raises:
        json.JSONDecodeError: the text is no JSON, or a value on the way is no object.
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
    """A document's line ends and indentation."""

    newline: str
    unit: str
    """The indentation of one level."""

    def written(self, value: Any, indentation: str) -> str:
        """``value`` as JSON text: an object over several lines, any other value on one."""
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
    """The whitespace at the start of the line that contains the offset ``at``."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _route(text: str, root: Value, path: Sequence[str]) -> list[JsonMember]:
    """The members on the way to ``path``: one for each key, fewer if the text has only the first keys."""
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
    """``text`` with a new last member in ``holder``, formatted like its neighbours; with a trailing comma if they have one."""
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
    """``text`` without ``member``, the whitespace before it, and its comma or else the one before it; comments stay."""
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
    """The end of the last comment between two offsets; ``start`` when there is only whitespace."""
    stop = start + len(text[start:end].rstrip(_WHITESPACE))
    if _ends_in_line_comment(text[start:stop]):
        stop += len(text[stop:end]) - len(text[stop:end].lstrip(" \t"))
    return stop


def _ends_in_line_comment(content: str) -> bool:
    """Whether ``content`` ends in a line comment; may be True for ``//`` in a block comment, which does no harm."""
    return "//" in content[content.rfind("\n") + 1 :]


def _holds_nothing_else(text: str, outer: JsonMember, member: JsonMember) -> bool:
    """Whether ``member`` is the only member of ``outer``'s object, and all comments there are inside ``member``."""
    holder = outer.value
    before = text[outer.key_end : holder.start].replace(":", "", 1) + text[holder.start + 1 : member.start]
    return len(holder.members or ()) == 1 and not (before + _behind(text, holder, member)).strip(_WHITESPACE)


def _behind(text: str, holder: Value, last: JsonMember) -> str:
    """The text between the last member and the end of its object, without its comma."""
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
    """A copy of ``data`` without the value at ``path``."""
    key, *deeper = path
    return {name: _without(part, deeper) if name == key else part for name, part in data.items() if name != key or deeper}


def _saying(text: str, data: Any) -> str:
    """``text``, after a check that its data is exactly ``data``: no edit that changes anything else leaves this module."""
    if parse(text).data != data:
        raise json.JSONDecodeError("this cannot be edited without changing something else", text, 0)
    return text
