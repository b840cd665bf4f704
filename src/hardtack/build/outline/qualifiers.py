"""The text before a name in, the chain of names that qualifies it out: ``a.b`` of ``a.b.name``, ``self`` of ``self->name``.

A chain is read backwards from the text, since all languages write it alike while their grammars differ.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.build.outline.expressions import chain_before
from hardtack.nouns.relations import OWN_MODULE

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from hardtack.build.languages.registry import Language

_MAX_CHARACTERS: Final = 200
"""Maximum length of a qualifier; longer ones are cut."""
_REACH: Final = 160
"""Bytes before a name that are searched for its chain."""
_BLANK: Final = b" \t\r\n"
_ROOTS: Final = (b"\\", b"::")
"""Joints that may begin a name which is resolved from the root."""
_CLOSERS: Final = (b")", b"]", b">", b"}", b'"', b"'")
"""Last bytes of an expression that is no name and may precede a joint."""
UNKNOWN: Final = "()"
"""The qualifier of a name after an expression that is no chain of names."""
ROOT: Final = "\\"
"""The qualifier of a name that is resolved from the root: ``\\strlen``, ``::open``."""


class Chains(NamedTuple):
    """How a language writes chains of names."""

    language: Language
    ends: frozenset[int]
    """Bytes that may precede a name with a qualifier."""
    joint_ends: frozenset[bytes]
    pattern: re.Pattern[bytes]
    """Matches the reversed text before a name, from the joint on."""
    plain: re.Pattern[bytes]
    """Matches the same text in the common case: only names before the joint, and no blanks between."""
    marker: bytes
    """Begins a comment that ends with its line."""

    def may_qualify(self, text: bytes, starts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether a joint, or a byte that may be part of one, precedes each name; blanks between are ignored.

        Args:
            text: the file's text.
            starts: (n,), first byte of each name, ascending.
        """
        if not len(starts):
            return np.zeros(0, dtype=np.bool_)
        data = np.frombuffer(text, dtype=np.uint8)[: int(starts[-1]) + 1]
        last = np.where(_IS_BLANK[data], -1, np.arange(len(data), dtype=np.int64))
        np.maximum.accumulate(last, out=last)  # last[i]: the last byte up to i that is not blank
        before = last[starts - 1]
        before[starts == 0] = -1
        ends, joint_ends = np.zeros(256, dtype=np.bool_), np.zeros(256, dtype=np.bool_)
        ends[list(self.ends)] = True
        joint_ends[[end[0] for end in self.joint_ends]] = True
        found: NDArray[np.bool_] = np.where(before == starts - 1, ends[data[before]], joint_ends[data[before]])
        found[before < 0] = False
        return found


_IS_BLANK: Final = np.isin(np.arange(256, dtype=np.uint8), np.frombuffer(_BLANK, dtype=np.uint8))


@cache
def chains_of(language: Language) -> Chains:
    """The patterns of a language. Text is reversed, so that a match is anchored at the name and cannot backtrack to the left."""
    joints = sorted((joint.encode()[::-1] for joint in language.joints), key=lambda joint: (-len(joint), joint))
    joint = b"(?:" + b"|".join(map(re.escape, joints)) + b")"
    joint_ends = re.escape(b"".join(joint[:1] for joint in joints))
    word = rb"[\w$\x80-\xff]++"
    gap = rb"(?>(?:[ \t]*+\r?\n\s*+)?)"
    # Generic arguments in < > may precede the joint. A range or a spread (a..b, ...all) is no joint.
    # Possessive and atomic groups (*+, ++, (?>)) keep the time linear in hostile text.
    return Chains(
        language=language,
        ends=frozenset((*_BLANK, *b"$", *(joint[0] for joint in joints))),
        joint_ends=frozenset(joint[:1] for joint in joints),
        pattern=re.compile(
            rb"\$?(?P<after>\s*+)(?P<joint>" + joint + rb")(?!\.)(?P<gap>\s*+)(?P<generic>>[\w\s,.:*&?$\[\]|']*+<(?:::)?)?"
            rb"(?P<chain>" + word + rb"(?>(?:" + gap + joint + gap + word + rb")*))?"
            rb"(?P<beyond>" + gap + joint + rb"(?!\.))?(?P<next>.?)",
            re.DOTALL,
        ),
        plain=re.compile(
            joint + rb"(" + word + rb"(?>(?:" + joint + word + rb")*))(?<!\d)"
            rb"(?=[^\w$\x80-\xff\s" + joint_ends + rb"]|[ \t]+[^\s" + joint_ends + rb"])"
        ),
        marker=language.line_comment.encode(),
    )


def qualifier_of(text: bytes, start: int, chains: Chains, variables: Collection[int]) -> str:
    """The chain of names before the name at ``start``; empty for a bare name.

    Args:
        text: the file's text.
        start: first byte of the name.
        chains: the language's patterns.
        variables: first bytes of variables whose sigil belongs to their names.
    """
    before = text[max(0, start - _REACH) : start][::-1]
    if not variables and (plain := chains.plain.match(before)) is not None:
        if plain[1] == b"fles" and before[:2] == b"::" and "module_paths" in chains.language.scoping:
            return OWN_MODULE
        return plain[1][::-1].decode("utf-8", "replace")[:_MAX_CHARACTERS]
    match = chains.pattern.match(before)
    if match is None or (b"\n" in match["after"] and _is_comment(text, start - match.end("after"), chains)):
        return ""
    joint, gap, chain, beyond = match["joint"], match["gap"], match["chain"], match["beyond"]
    if chain and (comment := _comment_in(text, start, match, chains)) >= 0:
        chain, beyond = before[match.start("chain") : comment].rstrip(_BLANK), None
        if chain[-1:] in chains.joint_ends:
            return UNKNOWN
    is_rooted = (beyond or joint) in _ROOTS and match["next"] not in _CLOSERS and not match["generic"]
    if is_rooted and (not chain or (gap and joint in _ROOTS)):
        return ROOT  # nothing, or a keyword, precedes the leading \ or ::
    # the owner of a leading . is not written, or hidden by a comment
    if gap and (joint == b"." if b"\n" not in gap else _is_comment(text, start - match.end("gap"), chains)):
        return UNKNOWN
    if not chain or (beyond and not is_rooted) or chain[-1:].isdigit():
        return chain_before(text, start, chains.language) or UNKNOWN
    at = start - match.end("chain")
    sign = next((text[first:at] for first in (at - 1, at - 2) if first in variables), b"")
    return (sign + b"".join((chain + (beyond or b""))[::-1].split())).decode("utf-8", "replace")[:_MAX_CHARACTERS]


def _comment_in(text: bytes, start: int, match: re.Match[bytes], chains: Chains) -> int:
    """The place in the reversed text where a comment ends that the chain seems to continue; -1 for none."""
    first, last = match.span("chain")[0], match.end("beyond") if match["beyond"] else match.end("chain")
    place = match.string.find(b"\n", first, last)
    while place >= 0 and not _is_comment(text, start - 1 - place, chains):
        place = match.string.find(b"\n", place + 1, last)
    return place


def _is_comment(text: bytes, end: int, chains: Chains) -> bool:
    """Whether the line that ends at ``end`` is a comment, or ends in one."""
    return bool(chains.marker) and chains.marker in text[text.rfind(b"\n", 0, end) + 1 : end]
