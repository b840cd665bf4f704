"""Texts of files in, their parts with a colour out: Pygments, in processes of its own.

A lexer is many regular expressions over a text that a stranger wrote, and some texts take one of them hours. So each text has
seconds, after which its process is ended and the file is shown without colours. ``python -m hardtack.page.highlighting`` is such a
process: it reads frames (4 bytes of length, then msgpack) of language, path and text, and answers with frames of parts.
"""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import IO, Final, NamedTuple, Self

import msgpack
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Token, _TokenType
from pygments.util import ClassNotFound

LONGEST: Final = 1 << 19
"""Characters of a text that is highlighted; a longer one is data more often than code."""
_SECONDS: Final = 10
_COLOURS: Final = (
    *((Token.Comment, "c"), (Token.Keyword, "k"), (Token.Literal.String, "s"), (Token.Literal.Number, "m")),
    *((Token.Name.Function, "f"), (Token.Name.Class, "f"), (Token.Name.Tag, "k"), (Token.Name.Attribute, "f")),
    *((Token.Name.Decorator, "b"), (Token.Name.Builtin, "b"), (Token.Generic.Heading, "f"), (Token.Generic.Subheading, "f")),
    *((Token.Literal, "s"), (Token.Operator.Word, "k")),
)
"""Kinds of tokens and the class of the style sheet; of several that fit the first. All else has the colour of text."""
_CLASSES: Final = frozenset(colour for _, colour in _COLOURS)
_NAMES: Final = {
    "c": "c",
    "cpp": "cpp",
    "csharp": "csharp",
    "github_actions": "yaml",
    "plain_text": "text",
    "starlark": "python",
    "protobuf": "protobuf",
    "terraform": "hcl",
    "csv": "text",
    "tsx": "tsx",
    "vue": "html",
    "svelte": "html",
    "objective_c": "objc",
}
"""Language of a bundle -> lexer of Pygments, where the two have other names."""


class Part(NamedTuple):
    """A stretch of a text in one colour."""

    colour: str
    """A class of the style sheet; empty for none."""
    length: int
    """Characters."""


class Text(NamedTuple):
    """What is to be highlighted."""

    language: str
    path: str
    text: str


def parts_of(text: Text) -> list[Part]:
    """The parts of a text, which tile it; one part without a colour where no lexer knows the language."""
    plain = [Part("", len(text.text))]
    lexer = _lexer(text.language, text.path.rpartition("/")[2])
    if lexer is None or len(text.text) > LONGEST:
        return plain
    parts: list[Part] = []
    at = 0
    for start, kind, value in lexer.get_tokens_unprocessed(text.text):
        colour = _colour(kind)
        if start != at:
            return plain  # a lexer that skips or repeats characters is not one to go by
        at += len(value)
        if parts and parts[-1].colour == colour:
            parts[-1] = Part(colour, parts[-1].length + len(value))
        elif value:
            parts.append(Part(colour, len(value)))
    return parts if at == len(text.text) else plain


@lru_cache(maxsize=256)
def _lexer(language: str, name: str) -> Lexer | None:
    with suppress(ClassNotFound):
        return get_lexer_by_name(_NAMES.get(language, language.replace("_", "-")))
    with suppress(ClassNotFound):
        return get_lexer_for_filename(name)
    return None


@lru_cache(maxsize=1024)
def _colour(kind: _TokenType) -> str:
    return next((colour for known, colour in _COLOURS if kind in known), "")


class Highlighters:
    """Some processes that highlight; a context manager that ends them."""

    def __init__(self, count: int) -> None:
        self._processes: list[subprocess.Popen[bytes] | None] = [None] * count
        self._threads = [ThreadPoolExecutor(1) for _ in range(count)]
        self.late: list[str] = []
        """Paths of texts that took too long."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in filter(None, self._processes):
            process.kill()
        for thread in self._threads:
            thread.shutdown()
        for number in range(len(self._processes)):
            self._end(number)

    def highlighted(self, texts: Iterable[Text]) -> Iterator[tuple[Text, Sequence[Part]]]:
        """Each text and its parts, in the order of the texts; a few are read ahead."""
        source = iter(texts)
        waiting = deque((number, text, self._begun(number, text)) for number, text in enumerate(islice(source, len(self._threads))))
        while waiting:
            number, text, future = waiting.popleft()
            try:
                parts = future.result(_SECONDS)
            except Late:
                if process := self._processes[number]:
                    process.kill()  # its thread reads the end of its output, and takes leave of it
                parts = []
            if not parts and text.text:
                self.late.append(text.path)
                parts = [Part("", len(text.text))]
            if following := next(source, None):
                waiting.append((number, following, self._begun(number, following)))
            yield text, parts

    def _begun(self, number: int, text: Text) -> Future[list[Part]]:
        return self._threads[number].submit(self._asked, number, text)

    def _asked(self, number: int, text: Text) -> list[Part]:
        """The answer of a process, which is started if it does not run; empty if it ends before it answers."""
        process = self._processes[number]
        if process is None:
            command = [sys.executable, "-P", "-m", "hardtack.page.highlighting"]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self._processes[number] = process
        assert process.stdin and process.stdout
        try:
            _send(process.stdin, text)
            found = [Part(colour if colour in _CLASSES else "", length) for colour, length in _receive(process.stdout)]
        except (OSError, EOFError, ValueError):
            self._end(number)
            return []
        return found if sum(part.length for part in found) == len(text.text) else []

    def _end(self, number: int) -> None:
        process, self._processes[number] = self._processes[number], None
        if process:
            process.kill()
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):  # what it did not read is still to be written
                    stream.close()  # type: ignore[union-attr]
            process.wait()


def _send(stream: IO[bytes], value: object) -> None:
    frame = msgpack.packb(value, unicode_errors="surrogatepass")
    stream.write(len(frame).to_bytes(4, "big") + frame)
    stream.flush()


def _receive(stream: IO[bytes]) -> list[tuple[str, int]]:
    size = stream.read(4)
    if len(size) < 4:
        raise EOFError
    found: list[tuple[str, int]] = msgpack.unpackb(
        stream.read(int.from_bytes(size, "big")), use_list=False, unicode_errors="surrogatepass"
    )
    return found


def _serve() -> None:
    """Answer until the input ends."""
    with suppress(EOFError), open(0, "rb", closefd=False) as asked, open(1, "wb", closefd=False) as answered:
        while True:
            language, path, text = _receive(asked)
            _send(answered, parts_of(Text(str(language), str(path), str(text))))


if __name__ == "__main__":
    _serve()
