"""Path globs in, a predicate over paths out.

``**`` matches any run of characters, ``*`` any run within one component, ``?`` one character of a component. There are two modes.
As in ``.gitignore``: a glob without a slash is compared with the last component, and a glob that ends in a slash or matches a
directory also matches everything below. Anchored: a glob is compared with the whole path, and only one that ends in a slash, or
has no wildcard and is a directory, also matches everything below.

Globs come from users, so each runs as a nondeterministic automaton with its states as the bits of one integer (bit-parallel
matching): the time grows with the path's length. A regular expression could backtrack over all ways to divide the wildcards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

_TOKEN = re.compile(r"(?:^|(?<=/))\*\*/|\*\*|\*|\?|[^*?]", re.DOTALL)

_EITHER = re.compile(r"\{([^{}]*)\}")
_MOST_EITHER = 200


def path_predicate(globs: Sequence[str]) -> Callable[[str], bool]:
    """A predicate: whether a path matches any of ``globs``, as in ``.gitignore``."""
    automata = [_Automaton(glob) for glob in globs]
    return lambda path: any(automaton.accepts(path) for automaton in automata)


def override_predicate(globs: Sequence[str]) -> Callable[[str], bool]:
    """A predicate: whether a path is taken by ``globs`` as ripgrep's ``-g`` has them.

    Each is as in ``.gitignore``, with ``{a,b}`` for either. The last that matches decides: one that begins with ``!`` leaves
    out. What
    none matches is taken if all of them leave out.
    """
    rules = [(_Automaton(each), not glob.startswith("!")) for glob in globs for each in _either(glob.removeprefix("!"))]
    takes_others = not any(takes for _, takes in rules)

    def takes(path: str) -> bool:
        return next((takes for automaton, takes in reversed(rules) if automaton.accepts(path)), takes_others)

    return takes


def _either(glob: str) -> list[str]:
    """The globs that one with ``{a,b}`` stands for, at most :data:`_MOST_EITHER`."""
    done: list[str] = []
    todo = [glob]
    while todo and len(done) + len(todo) <= _MOST_EITHER:
        each = todo.pop()
        if found := _EITHER.search(each):
            todo += [each[: found.start()] + one + each[found.end() :] for one in found[1].split(",")]
        else:
            done.append(each)
    return done + todo


def matching(glob: str, paths: Iterable[str]) -> list[bool]:
    """Whether each path matches ``glob``, anchored. Each folder is read once, for all paths in it."""
    automaton = _Automaton(glob, is_anchored=True)
    takes_below = glob.endswith("/") or not _has_wildcard(glob)
    # a cheap test first: the path must end in what follows the last wildcard
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
    """One glob. State k is bit k; reading a character moves a state up by one, or keeps it where a wildcard loops."""

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
            elif piece == "**/":  # nothing, or any text that ends in a slash: the next state loops until a slash comes
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
        if takes_below:  # after the whole glob a slash leads to one more state, which loops on everything below a directory
            self._letters["/"] = self._letters.get("/", 0) | state
            self._anywhere |= state << 1
            self.accepting |= state << 1
        self.start = self._closure(1)

    def accepts(self, path: str) -> bool:
        """Whether the whole path matches."""
        return bool(self.read(self.start, path) & self.accepting)

    def read(self, states: int, text: str) -> int:
        """The states after reading ``text``; 0 if no path that begins with it can match."""
        for letter in text:
            reached = (states & self._letters.get(letter, 0)) << 1 | states & self._anywhere | (states & self._gaps) << 1
            if letter != "/":
                reached |= (states & self._one) << 1 | states & self._within
            states = self._closure(reached)
            if not states:
                break
        return states

    def _closure(self, states: int) -> int:
        """``states`` and those reached without reading a character (epsilon moves): the states after an empty ``**/``."""
        while (more := states | (states & self._gaps) << 2) != states:
            states = more
        return states
