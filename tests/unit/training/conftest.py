"""The scripts in ``training/`` import each other as a person who runs them does: from their own folder."""

from __future__ import annotations

import sys
from pathlib import Path

TRAINING = str(Path(__file__).parents[3] / "training")
if TRAINING not in sys.path:
    sys.path.insert(0, TRAINING)
