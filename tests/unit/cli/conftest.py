from __future__ import annotations

from pathlib import Path

import command_line
import pytest


@pytest.fixture
def run(pantry_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> command_line.Run:
    monkeypatch.setenv("HARDTACK_BUNDLE", str(pantry_bundle))
    return command_line.run
