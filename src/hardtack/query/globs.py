"""A path glob in, a predicate over paths out.

``**`` is any run of characters, ``*`` any run within one component, ``?`` one character of it. A glob without a slash is held
against the last component, as in ``.gitignore``; one that ends in a slash, or names a directory, takes all below it.

Globs come from users, so they are run as automata whose states are the bits of one number: time grows with the path's length and
never with how a glob's wildcards may be divided over it, as it would with a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]", re.DOTALL)


def path_predicate(globs: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path matches any of ``globs``."""
    automata = [_Automaton(glob) for glob in globs]
    return lambda path: any(automaton.accepts(path) for automaton in automata)


class _Automaton:
    """One glob. State k is bit k; reading a character moves states up by one, or leaves them where they loop."""

    def __init__(self, glob: str) -> None:
        if glob.endswith("/"):
            glob = f"{glob.lstrip('/')}**" if glob.strip("/") else "/**"
        pieces = _TOKEN.findall(glob.removeprefix("/") if "/" in glob else f"**/{glob}")
        self._letters: dict[str, int] = {}
        self._one = self._within = self._anywhere = self._gaps = 0
        state = 1
        for piece in pieces:
            if piece == "*":
                self._within |= state
            elif piece == "**":
                self._anywhere |= state
            elif piece == "**/":  # nothing, or anything that ends in a slash: the next state loops until one comes
                self._gaps |= state
                self._anywhere |= state << 1
                self._letters["/"] = self._letters.get("/", 0) | state << 1
                state <<= 2
            elif piece == "?":
                self._one |= state
                state <<= 1
            else:
                self._letters[piece] = self._letters.get(piece, 0) | state
                state <<= 1
        # After the whole glob a slash leads to one more state, which takes everything below a directory.
        self._letters["/"] = self._letters.get("/", 0) | state
        self._anywhere |= state << 1
        self._accepting = state | state << 1

    def accepts(self, path: str) -> bool:
        """Whether the whole path matches."""
        states = self._settled(1)
        for letter in path:
            reached = (states & self._letters.get(letter, 0)) << 1 | states & self._anywhere | (states & self._gaps) << 1
            if letter != "/":
                reached |= (states & self._one) << 1 | states & self._within
            states = self._settled(reached)
            if not states:
                return False
        return bool(states & self._accepting)

    def _settled(self, states: int) -> int:
        """With the states that are reached by reading nothing: those after a gap that is left out."""
        while (more := states | (states & self._gaps) << 2) != states:
            states = more
        return states
