"""Changes a checkout at random as people change one; used by the proof of incremental builds.

Each edit is a function of the files there are and a ``random.Random``; it says in a few words what it did. Files are taken and put
back as bytes: what is broken by an edit has to be built as well.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

_IDENTIFIER = re.compile(rb"\b[A-Za-z_][A-Za-z0-9_]{2,}\b")
_BASE = re.compile(rb"(class \w+\s*(?:\(|extends |: ))(\w+)")
_IGNORE = ".hardtackignore"


class Checkout:
    """A git checkout whose tracked files are edited."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root = root
        self._chance = chance

    def files(self) -> list[str]:
        """Every tracked file that is there, in order."""
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=self.root, check=True, capture_output=True).stdout
        paths = [path.decode() for path in listed.split(b"\0") if path]
        return [path for path in paths if (self.root / path).is_file() and not (self.root / path).is_symlink() and path != _IGNORE]

    def edit(self) -> str:
        """One edit of a kind that chance picks; what it did."""
        return self._chance.choice(_EDITS)(self)

    def commit(self, message: str) -> None:
        """Make what was edited a commit."""
        flags = ("-c", "user.name=N", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "add", "--all"], cwd=self.root, check=True, capture_output=True)
        command = ["git", *flags, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", message]
        subprocess.run(command, cwd=self.root, check=True, capture_output=True)

    def _some(self) -> str:
        return self._chance.choice(self.files())

    def _lines(self, path: str) -> list[bytes]:
        return (self.root / path).read_bytes().splitlines(keepends=True)

    def _put(self, path: str, lines: Sequence[bytes]) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(b"".join(lines))

    def _new_path(self, like: str) -> str:
        """A path that nothing has, with the name's ending of another."""
        folders = [*sorted({str(Path(path).parent) for path in self.files()}), "fresh/folder"]
        return f"{self._chance.choice(folders)}/made{self._chance.randrange(10**6)}{Path(like).suffix}".removeprefix("./")

    def add(self) -> str:
        """A new file of lines of an old one."""
        like = self._some()
        lines = self._lines(like)
        start = self._chance.randrange(len(lines) + 1)
        path = self._new_path(like)
        self._put(path, lines[start : start + self._chance.randrange(1, 60)] or [b"new\n"])
        return f"add {path}"

    def delete(self) -> str:
        """A file gone."""
        if len(self.files()) < 5:
            return "delete nothing"
        path = self._some()
        (self.root / path).unlink()
        return f"delete {path}"

    def move(self) -> str:
        """A file in another folder under another name."""
        path = self._some()
        target = self._new_path(path)
        (self.root / target).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).rename(self.root / target)
        return f"move {path} to {target}"

    def rename(self) -> str:
        """A file under another name, perhaps in another language."""
        path = self._some()
        ending = self._chance.choice([Path(path).suffix, Path(path).suffix, ".txt", ".py", ".md"])
        target = f"{path.removesuffix(Path(path).suffix)}_{self._chance.randrange(1000)}{ending}"
        (self.root / path).rename(self.root / target)
        return f"rename {path} to {target}"

    def copy(self) -> str:
        """A file twice."""
        path = self._some()
        target = self._new_path(path)
        self._put(target, self._lines(path))
        return f"copy {path} to {target}"

    def edit_inside(self) -> str:
        """A few lines doubled, dropped, or with a word of another line in them."""
        path = self._some()
        lines = self._lines(path)
        if not lines:
            return "edit nothing"
        at = self._chance.randrange(len(lines))
        match self._chance.randrange(3):
            case 0:
                lines[at:at] = lines[at : at + self._chance.randrange(1, 4)]
            case 1:
                del lines[at : at + self._chance.randrange(1, 4)]
            case _:
                words = _IDENTIFIER.findall(self._chance.choice(lines)) or [b"other"]
                lines[at] = _IDENTIFIER.sub(self._chance.choice(words), lines[at], count=1)
        self._put(path, lines)
        return f"edit {path}:{at + 1}"

    def change_word(self) -> str:
        """One identifier another, throughout a file: what it defines is then called otherwise."""
        path = self._some()
        text = (self.root / path).read_bytes()
        words = sorted({*_IDENTIFIER.findall(text)})
        if not words:
            return "change nothing"
        word = self._chance.choice(words)
        self._put(path, [re.sub(rb"\b%b\b" % word, word + b"2", text)])
        return f"call {word.decode()} otherwise in {path}"

    def change_base(self) -> str:
        """Another base of a class."""
        files = self.files()
        self._chance.shuffle(files)
        bases = [b"Jar", b"object"]
        for path in files:
            text = (self.root / path).read_bytes()
            if found := _BASE.findall(text):
                bases += [base for _, base in found]
                base = self._chance.choice(bases)
                self._put(path, [_BASE.sub(rb"\g<1>%b" % base, text, count=1)])
                return f"rest a class of {path} on {base.decode()}"
        return "change no base"

    def change_ignores(self) -> str:
        """A rule more, or all of them gone."""
        rules = self.root / _IGNORE
        if rules.exists() and self._chance.randrange(2):
            rules.unlink()
            return "ignore nothing"
        path = self._some()
        rule = self._chance.choice([path, f"*{Path(path).suffix}" if self._chance.randrange(4) == 0 else path])
        rules.write_text((rules.read_text() if rules.exists() else "") + f"/{rule}\n" if rule == path else f"{rule}\n")
        return f"ignore {rule}"


_EDITS: Sequence[Callable[[Checkout], str]] = (
    *(Checkout.add, Checkout.delete, Checkout.move, Checkout.rename, Checkout.copy, Checkout.change_ignores),
    *(Checkout.edit_inside, Checkout.edit_inside, Checkout.edit_inside, Checkout.change_word, Checkout.change_base),
)
