"""The forge, the shelf and the freezer beside these tests are programs of their own; here they are imported by name."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
