"""Ignore files and paths; what we decide of one case in some hundred is held against ``git check-ignore``.

A case is an ignore file, a NUL, and paths with a NUL between them; one that ends in a slash is a directory.
"""

from __future__ import annotations

import subprocess
import zlib
from functools import cache
from pathlib import Path

from driver import Generator, Target, scratch
from mutations import blind, is_safe

from hardtack.build.source.encodings.editorconfig import parse_editorconfig
from hardtack.build.source.encodings.gitattributes import parse_attributes
from hardtack.build.source.ignore import HARDTACKKEEP, PathRules, decide, parse_ignore_file
from hardtack.git import git_environment

_ASKED_OF_GIT = 400
"""One case in so many is decided by git as well: it takes a process."""
_NAMES = (
    b"a",
    b"b",
    b"ab",
    b"A",
    b"a.b",
    b"\xc3\xa9",
    b"x y",
    b"[a]",
    b"#c",
    b"!d",
    b"-",
    b"aab",
    b".h",
    b"a" * 60,
    b"\xff",
    b"\\e",
)
_PIECES = (
    *_NAMES,
    *(b"*", b"**", b"?", b"[", b"]", b"[!", b"[^", b"[a-z]", b"[]a]", b"[[:alpha:]]", b"[[:digit:][:space:]-]", b"[[:nope:]]"),
    *(b"[a", b"[a-", b"\\", b"\\ ", b"/", b"//", b"/**/", b"**/", b"/**", b"!", b"#", b" ", b"\t", b"\r", b"\n", b"\n!", b"\n/"),
    *(b"*a*a*a*a*b", b"**/a/**/a/**/b", b"[b-a]", b"\\[a\\]", b"\xef\xbb\xbf", b"{a,b}", b"?*?*?*"),
)


def _seeds() -> list[bytes]:
    _oracle()
    files = (b"*.o\n/build/\n!keep.o\n", b"**/node_modules\ndocs/*.html\na/**/b\n", b"[Bb]in/\n\\#c\nx\\ \n", b"*\n!*/\n!*.py\n")
    return [file + b"\0a.o\0build/\0build/x\0a/b/c/b\0docs/a.html\0#c\0x \0a.py" for file in files]


def _another(generator: Generator, seed: bytes) -> bytes:
    rules, *paths = seed.split(b"\0")
    for _ in range(generator.choice((1, 2, 4))):
        action = generator.randrange(4)
        if action == 0:
            rules = blind(generator, rules).replace(b"\0", b"")
        elif action == 1:
            at = generator.randrange(len(rules) + 1)
            rules = rules[:at] + generator.choice(_PIECES) * generator.choice((1, 1, 1, 2, 20, 300)) + rules[at:]
        elif action == 2:
            parts = [generator.choice(_PIECES) for _ in range(generator.randrange(1, 7))]
            rules = b"".join(parts) if generator.random() < 0.5 else rules + b"\n" + b"".join(parts)
        else:
            names = [generator.choice(_NAMES) for _ in range(generator.choice((1, 1, 2, 3, 6, 200)))]
            paths[generator.randrange(len(paths))] = b"/".join(names) + generator.choice((b"", b"/"))
    return b"\0".join((rules, *paths))


def _execute(case: bytes) -> str:
    rules, *paths = case.split(b"\0")
    file = parse_ignore_file(rules, b"")
    parse_ignore_file(rules, b"some/where/")
    ignored = {}
    kept = PathRules([file], HARDTACKKEEP)
    for path in paths:
        plain = path.rstrip(b"/")
        ignored[path] = decide((file,), plain, is_directory=path.endswith(b"/")) is not None
        line = kept.line_for(plain)
        assert is_safe(line)
    chance = zlib.crc32(case)
    if chance % 4 == 0:  # the same patterns where they name encodings
        sections = b"root=true\n[" + rules.replace(b"\n", b"]\ncharset=latin1\n[") + b"]\ncharset=utf-8"
        settings = parse_editorconfig(sections, b"")
        for path in paths:
            settings.charset_of(path.rstrip(b"/"))
        parse_attributes(rules.replace(b"\n", b" working-tree-encoding=latin1\n"), b"")
    if chance % _ASKED_OF_GIT == 0 and len(rules) < 100_000:
        _compare(rules, [path for path in paths if _is_asked(path)])
        return "as git decides"
    return "decided"


def _is_asked(path: bytes) -> bool:
    """Whether git says of the path alone: a parent that is ignored would decide, and directories it looks for on the disk."""
    return path not in (b"", b".", b"..", b".git") and b"/" not in path


def _compare(rules: bytes, paths: list[bytes]) -> None:
    root = _oracle()
    (root / ".gitignore").write_bytes(rules)
    asked = b"\0".join(paths)
    command = ["git", "-c", "core.ignoreCase=false", "-c", "core.excludesFile=/dev/null"]
    done = subprocess.run(
        [*command, "check-ignore", "--no-index", "-z", "-v", "-n", "--stdin"],
        cwd=root,
        env=git_environment(),
        input=asked,
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    fields = done.stdout.split(b"\0")
    file = parse_ignore_file(rules, b"")
    for number in range(0, len(fields) - 3, 4):
        _, _, pattern, path = fields[number : number + 4]
        by_git = bool(pattern) and not pattern.startswith(b"!")
        ours = decide((file,), path.rstrip(b"/"), is_directory=path.endswith(b"/")) is not None
        assert ours == by_git, f"{path!r}: git says {pattern!r}"


@cache
def _oracle() -> Path:
    root = scratch()
    subprocess.run(["git", "init", "-q", str(root)], check=True, capture_output=True)
    return root


TARGETS = (Target(name="ignore", seeds=_seeds, mutate=_another, execute=_execute, share=2),)
