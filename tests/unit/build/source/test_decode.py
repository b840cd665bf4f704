from __future__ import annotations

import hashlib
import subprocess

import pytest

from hardtack.build.source.decode import SourceOptions, blob_id_of, decode, skip_before_reading
from hardtack.nouns.model import Content
from hardtack.nouns.outline import Skip, SkipReason, SourceFile

OPTIONS = SourceOptions()


def text_of(data: bytes, path: str = "notes.txt") -> tuple[bytes, str]:
    file = decode(path, data, OPTIONS)
    assert isinstance(file, SourceFile)
    return file.text, file.encoding


def reason_of(path: str, data: bytes, options: SourceOptions = OPTIONS) -> SkipReason | None:
    item = decode(path, data, options)
    return item.reason if isinstance(item, Skip) else None


def test_a_source_file_says_what_the_original_bytes_were() -> None:
    data = "\ufeffdef f():\r\n    pass\r\n".encode()
    expected = SourceFile(
        path="pkg/f.py",
        text=b"def f():\r\n    pass\r\n",
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        blob_id=subprocess.run(["git", "hash-object", "--stdin"], input=data, capture_output=True, check=True)
        .stdout.decode()
        .strip(),
        encoding="utf-8",
        language="python",
        content=Content.CODE,
    )
    assert expected == decode("pkg/f.py", data, OPTIONS)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", (b"", "utf-8")),
        ("naïve".encode(), ("naïve".encode(), "utf-8")),
        (b"\xef\xbb\xbfa", (b"a", "utf-8")),
        ("é\n".encode("utf-16"), ("é\n".encode(), "utf-16")),
        (b"\xfe\xff" + "é\n".encode("utf-16-be"), ("é\n".encode(), "utf-16")),
        ("é\n".encode("utf-32"), ("é\n".encode(), "utf-32")),
        (b"\x00\x00\xfe\xff" + "é\n".encode("utf-32-be"), ("é\n".encode(), "utf-32")),
        (b"caf\xe9 \x93quoted\x94\r", ("café “quoted”\r".encode(), "cp1252")),
    ],
)
def test_text_is_stored_as_utf_8_whatever_it_came_in(data: bytes, expected: tuple[bytes, str]) -> None:
    assert expected == text_of(data)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\0b", SkipReason.BINARY),
        (b"a" * 100_000 + b"\0", None),
        (b"a" * 100_000 + b"\0" * 30, SkipReason.BINARY),
        ("a\0b".encode("utf-16"), SkipReason.BINARY),
        (b"\xff\xfea", SkipReason.UNDECODABLE),
        (b"\xe9\x81", SkipReason.UNDECODABLE),
        (b"\xe9\x01\x02\x03 abc", SkipReason.UNDECODABLE),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", SkipReason.LFS_POINTER),
        (b"version https://git-lfs.github.com/spec/v1\n" + b"explained " * 200, None),
    ],
)
def test_bytes_that_are_no_text_are_skipped_for_their_own_reason(data: bytes, expected: SkipReason) -> None:
    assert expected == reason_of("notes.txt", data)


def test_a_file_over_the_limit_is_skipped_and_one_at_the_limit_is_not() -> None:
    options = SourceOptions(max_file_size=10)
    assert reason_of("a.txt", b"x" * 10, options) is None
    skip = skip_before_reading("a.txt", 11, options)
    assert Skip(path="a.txt", reason=SkipReason.TOO_LARGE, detail="11 bytes, over the limit of 10") == skip


def test_a_script_on_a_few_very_long_lines_is_minified() -> None:
    assert reason_of("app.js", b"/* licence */\n" * 10 + b"var a=1,b=a+2;" * 3000) is SkipReason.MINIFIED
    assert reason_of("app.css", b"\n".join([b"a{b:c}" * 85] * 20)) is SkipReason.MINIFIED


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("small.js", b"var a=1;" * 500),
        ("icon.tsx", b"const a = 1;\n" * 200 + b'<path d="' + b"M0 0" * 4000 + b'"/>\n'),
        ("prose.md", b"word " * 4000),
    ],
)
def test_one_long_line_short_files_and_prose_are_not_minified(path: str, data: bytes) -> None:
    assert reason_of(path, data) is None


def test_tests_are_marked_and_left_out_when_asked() -> None:
    file = decode("src/a_test.go", b"package a\n", OPTIONS)
    assert isinstance(file, SourceFile)
    assert file.is_test
    assert reason_of("src/a_test.go", b"package a\n", SourceOptions(tests=False)) is SkipReason.TEST
    assert reason_of("src/a.go", b"package a\n", SourceOptions(tests=False)) is None


def test_code_documentation_and_configuration_are_told_apart() -> None:
    found = [decode(path, b"x: 1\n", OPTIONS) for path in ("a.py", "a.md", "a.yaml")]
    assert [file.content for file in found if isinstance(file, SourceFile)] == [
        Content.CODE,
        Content.DOCUMENTATION,
        Content.CONFIGURATION,
    ]


def test_the_blob_id_is_git_s_for_the_empty_file() -> None:
    assert blob_id_of(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
