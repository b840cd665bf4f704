"""What was found once is tried in every run: each case in ``kept/`` in a process of its own, which may die of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from awaited import AWAITED
from driver import ending_of
from targets import TARGETS

KEPT = Path(__file__).parent / "kept"
CASES = sorted(path for path in KEPT.rglob("*") if path.is_file() and path.suffix != ".txt")
_TARGETS = {target.name: target for target in TARGETS}


def _what(path: Path) -> str:
    """How the case ended when it was found."""
    return path.with_name(path.name + ".txt").read_text(encoding="utf-8").strip()


def _parameters() -> list[object]:
    found: list[object] = []
    for path in CASES:
        reason = AWAITED.get(path.parent.name, {}).get(_what(path))
        marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
        found.append(pytest.param(path, id=f"{path.parent.name}/{path.name}", marks=marks))
    return found


@pytest.mark.parametrize("path", _parameters())
def test_what_ended_badly_once_ends_well(path: Path) -> None:
    target = _TARGETS[path.parent.name]
    target.seeds()
    found = ending_of(target, path.read_bytes())
    assert found is None, f"{found.what}\n{found.account}"


def test_whatever_is_awaited_has_a_case() -> None:
    assert {(name, what) for name, found in AWAITED.items() for what in found} <= {
        (path.parent.name, _what(path)) for path in CASES
    }
