"""The language table: who claims a file, which files are tests, what a malformed entry does."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardtack.build.languages import registry
from hardtack.build.languages.registry import detect, is_test, language_named, languages
from hardtack.nouns.model import Content


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("src/app.py", b"", "python"),
        ("SRC/APP.PY", b"", "python"),
        ("types.d.ts", b"", "typescript"),
        ("a/Makefile", b"", "make"),
        ("composer.lock", b"", "json"),
        (".editorconfig", b"", "ini"),
        ("run", b"#!/usr/bin/env python3\n", "python"),
        ("run", b"#!/usr/bin/env -S VAR=1 python3.12 -u\n", "python"),
        ("run", b"#! /bin/bash -e\r\n", "bash"),
        ("run", b"#!/usr/bin/unheard-of\n", "text"),
        ("run", b"#!", "text"),
        ("", b"", "text"),
        ("archive.tar.nothing", b"", "text"),
        ("Crate.java.in", b"", "java"),
        ("Makefile.in", b"", "make"),
        ("requirements.in", b"", "text"),
    ],
)
def test_a_file_is_known_by_name_then_extension_then_first_line(path: str, text: bytes, expected: str) -> None:
    assert expected == detect(path, text).id


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.h", b"int f(void);\n", "c"),
        ("a.h", b"/* x */\nnamespace a {\n}\n", "cpp"),
        ("a.h", b"#include <vector>\n", "cpp"),
        ("a.h", b"// the class is described below\nint f(void);\n", "c"),
        ("a.ts", b"export const a = 1;\n", "typescript"),
        ("a.ts", b'<?xml version="1.0"?>\n<!DOCTYPE TS>\n', "xml"),
    ],
)
def test_a_contested_extension_goes_by_content(path: str, text: bytes, expected: str) -> None:
    assert expected == detect(path, text).id


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("notes.txt", Content.DOCUMENTATION),
        ("LICENSE", Content.DOCUMENTATION),
        ("README.md", Content.DOCUMENTATION),
        ("setup.cfg", Content.CONFIGURATION),
        ("a.ini", Content.CONFIGURATION),
        ("pyproject.toml", Content.CONFIGURATION),
        ("main.go", Content.CODE),
        ("main.unheard", Content.CODE),
    ],
)
def test_code_documentation_and_configuration_are_told_apart(path: str, expected: Content) -> None:
    assert expected is detect(path, b"").content


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/app.py", True),
        ("src/tests/deep/app.py", True),
        ("src/test_app.py", True),
        ("src/app_test.py", True),
        ("src/contest_app.py", False),
        ("mytests/app.py", False),
        ("src/attest.py", False),
        ("pkg/hold_test.go", True),
        ("pkg/test_hold.go", False),
        ("src/card.spec.tsx", True),
        ("src/spec.tsx", False),
        ("README.md", False),
    ],
)
def test_tests_are_known_by_the_conventions_of_their_language(path: str, expected: bool) -> None:
    assert expected is is_test(path, detect(path, b""))


def test_a_language_answers_to_its_id_and_aliases_in_any_case() -> None:
    assert languages()["typescript"] is language_named("TS")
    assert languages()["python"] is language_named("Python")
    assert language_named("klingon") is None


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('id = "x"\nname = "X"\ncontent = "code"\ncolour = "red"', "unknown fields colour"),
        ('id = "y"\nname = "X"\ncontent = "code"', "id must be the folder's name"),
        ('id = "x"\ncontent = "code"', "name is missing"),
        ('id = "x"\nname = "X"', "content must be one of"),
        ('id = "x"\nname = "X"\ncontent = "prose"', "content must be one of"),
        ('id = "x"\nname = "X"\ncontent = "code"\nextensions = ".x"', "extensions must be a list of strings"),
        ('id = "x"\nname = "X"\ncontent = "code"\nextensions = ["x"]', "no lower-case extension"),
        ('id = "x"\nname = "X"\ncontent = "code"\ncontested = {".h" = "("}', "no regular expression"),
        ('id = "x"\nname = "X"\ncontent = "code"\n[members]\ntakes = ["pop"]', "x/language.toml: takes must be"),
        ('id = "x"\nname = "X"\ncontent = "code"\n[members]\ngives = "pop"', "x/language.toml: gives must be"),
    ],
)
def test_a_malformed_entry_stops_the_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, fault: str) -> None:
    _table_of(tmp_path, monkeypatch, {"text": 'id = "text"\nname = "Text"\ncontent = "code"', "x": entry})
    with pytest.raises(ValueError, match=fault):
        registry.languages.__wrapped__()


def test_two_claims_to_one_extension_stop_the_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = 'id = "{0}"\nname = "X"\ncontent = "code"\nextensions = [".x"]'
    _table_of(tmp_path, monkeypatch, {"text": entry.format("text"), "x": entry.format("x")})
    with pytest.raises(ValueError, match=r"x and text both claim extension \.x"):
        registry.languages.__wrapped__()


def test_a_contested_extension_must_be_claimed_by_someone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'id = "text"\nname = "Text"\ncontent = "code"\ncontested = {".x" = "a"}'
    _table_of(tmp_path, monkeypatch, {"text": text})
    with pytest.raises(ValueError, match=r"contests \.x, which nobody claims"):
        registry.languages.__wrapped__()


def _table_of(folder: Path, monkeypatch: pytest.MonkeyPatch, entries: dict[str, str]) -> None:
    for name, entry in entries.items():
        (folder / name).mkdir()
        (folder / name / "language.toml").write_text(entry, encoding="utf-8")
    monkeypatch.setattr(registry, "_FOLDER", folder)
