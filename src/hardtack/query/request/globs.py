"""Path globs in, a predicate over paths out.

``**`` is any run of characters, ``*`` any run within one component, ``?`` one character of it. There are two ways to hold a glob
against a path. As in ``.gitignore``: one without a slash against the last component, and one that ends in a slash, or names a
directory, takes all below it. Anchored: against the whole path; only one that ends in a slash, or has no wildcard and names a
directory, takes what is below.

Globs come from users, so they are run as automata whose states are the bits of one number: time grows with the path's length and
never with how a glob's wildcards may be divided over it, as it would with a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

_TOKEN = re.compile(r"(?:^|(?<=/))\*\*/|\*\*|\*|\?|[^*?]", re.DOTALL)


def path_predicate(globs: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path matches any of ``globs``, as in ``.gitignore``."""
    automata = [_Automaton(glob) for glob in globs]
    return lambda path: any(automaton.accepts(path) for automaton in automata)


def matching(glob: str, paths: Iterable[str]) -> list[bool]:
    """Of each path whether it matches ``glob``, anchored. Reads what paths share, their folders, once."""
    automaton = _Automaton(glob, is_anchored=True)
    takes_below = glob.endswith("/") or not _has_wildcard(glob)
    ending = "" if takes_below else glob.rpartition("*")[2].rpartition("?")[2]
    after = {"": automaton.start}

    def accepts(path: str) -> bool:
        folder, _, name = path.rpartition("/")
        if folder not in after:
            known = folder
            while known not in after:
                known = known.rpartition("/")[0]
            for component in folder[len(known) :].removeprefix("/").split("/"):
                states = automaton.read(after[known], f"{component}/")
                known = f"{known}/{component}" if known else component
                after[known] = states
        return bool(after[folder]) and bool(automaton.read(after[folder], name) & automaton.accepting)

    return [path.endswith(ending) and accepts(path) for path in paths]


def _has_wildcard(glob: str) -> bool:
    return "*" in glob or "?" in glob


class _Automaton:
    """One glob. State k is bit k; reading a character moves states up by one, or leaves them where they loop."""

    def __init__(self, glob: str, *, is_anchored: bool = False) -> None:
        takes_below = not is_anchored or not _has_wildcard(glob)
        if glob.endswith("/"):
            glob = f"{glob.lstrip('/')}**" if glob.strip("/") else "/**"
        pieces = _TOKEN.findall(glob.removeprefix("/") if is_anchored or "/" in glob else f"**/{glob}")
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
        self.accepting = state
        if takes_below:  # after the whole glob a slash leads to one more state, which takes everything below a directory
            self._letters["/"] = self._letters.get("/", 0) | state
            self._anywhere |= state << 1
            self.accepting |= state << 1
        self.start = self._settled(1)

    def accepts(self, path: str) -> bool:
        """Whether the whole path matches."""
        return bool(self.read(self.start, path) & self.accepting)

    def read(self, states: int, text: str) -> int:
        """The states that reading ``text`` leads to; 0 when nothing that begins so matches."""
        for letter in text:
            reached = (states & self._letters.get(letter, 0)) << 1 | states & self._anywhere | (states & self._gaps) << 1
            if letter != "/":
                reached |= (states & self._one) << 1 | states & self._within
            states = self._settled(reached)
            if not states:
                break
        return states

    def _settled(self, states: int) -> int:
        """With the states that are reached by reading nothing: those after a gap that is left out."""
        while (more := states | (states & self._gaps) << 2) != states:
            states = more
        return states
