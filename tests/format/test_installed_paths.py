"""Paths in a bundle are labels: whatever they say, installing and reading it makes and opens no file by them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import run, run_or_raise
from forge import Forge

from hardtack.bundle.format import layout
from hardtack.bundle.packing import write_pack
from hardtack.errors import BundleError, HardtackError
from hardtack.store.cache import FOLDERS

SECRET = "the word that nobody else knows"
REFUSED = ("../outside.txt", "/etc/passwd", "a\0b", "C:\\x", "a\nb", "\u202egpj.exe", "x" * 5000, "a/../../outside.txt", ".")
LABELS = ("README.md:ads", "CON", "Cafe\u0301", "a.", "a ", "-rf", "C:x", "outside.txt")

_opened: list[str] = []
_is_watching = False


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if _is_watching and event in ("open", "os.rename", "os.link", "os.symlink", "os.mkdir", "os.remove"):
        _opened.extend(str(argument) for argument in arguments[:2] if isinstance(argument, str | Path))


sys.addaudithook(_note)


@contextmanager
def _watched() -> Iterator[list[str]]:
    global _is_watching
    _opened.clear()
    _is_watching = True
    try:
        yield _opened
    finally:
        _is_watching = False


def _run(*arguments: str) -> str:
    result = run(*arguments)
    if result.exception:
        assert isinstance(result.exception, HardtackError), result.exception
        return str(result.exception)
    return result.output


@pytest.mark.parametrize("path", [*REFUSED, *LABELS], ids=ascii)
def test_a_path_in_an_installed_bundle_leads_to_no_file(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forge = Forge.of("keyword")
    forge.set_field(layout.FILES, 0, "path", path)
    bundle, stand = tmp_path / "forged", tmp_path / "stand"
    forge.save(bundle)
    pack = write_pack(bundle, tmp_path / "forged.hardtack")
    stand.mkdir()
    for name in ("outside.txt", "stand/outside.txt", "stand/CON"):
        (tmp_path / name).write_text(SECRET)
    monkeypatch.chdir(stand)
    monkeypatch.setenv("HARDTACK_CACHE", str(tmp_path / "cache"))
    before, of = sorted(tmp_path.rglob("*")), ("-b", "forged")
    with _watched() as opened:
        assert "installed at" in _run("install", str(pack.path), "--as", "forged")
        said = [_run(*asked) for asked in (("ls", *of), ("cat", *of, "--", path), ("grep", "a", *of), ("stats", *of))]
        said += [_run("status", "--checkout", str(stand), "-b", "forged"), _run("list")]
    assert not any(SECRET in each for each in said)
    if path in REFUSED:  # what a checkout may have is held against what it has, and only there
        assert not any(Path(each).name in ("outside.txt", "passwd") for each in opened)
    assert [path for path in sorted(tmp_path.rglob("*")) if tmp_path / "cache" not in (path, *path.parents)] == before
    if path in REFUSED:
        with pytest.raises(BundleError):
            run_or_raise("verify", "-b", "forged")
    assert set(FOLDERS) == set(os.listdir(tmp_path / "cache" / "v1"))
    assert ["forged.json"] == os.listdir(tmp_path / "cache" / "v1" / "refs")
