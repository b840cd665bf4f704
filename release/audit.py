"""Ask whether what the locks pin has known vulnerabilities: ``make audit``.

Exit 0: none is known; 1: some are; 2: nobody could be asked. pip-audit asks PyPI for the advisories of each version of each
lock. It passes over what it gets no answer for and still says that all is well, so its answer counts only where it skipped nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOT_ASKED = 2


def locks() -> list[Path]:
    """Every lock but torch's: its local version is one that no index knows, and nothing of it is shipped."""
    return [path for path in sorted((ROOT / "requirements").glob("*.txt")) if path.name != "torch.txt"]


def answer_of(lock: Path) -> tuple[list[dict[str, Any]], str]:
    """(each distribution of a lock with what is known of it, why nobody could be asked)."""
    with tempfile.TemporaryDirectory() as scratch:
        told = Path(scratch) / "audit.json"
        command: list[str | Path] = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--requirement", lock]
        done = subprocess.run(
            [*command, "--progress-spinner", "off", "--timeout", "20", "--format", "json", "--output", told],
            capture_output=True,
            text=True,
            check=False,
        )
        if not told.exists() or not told.read_text(encoding="utf-8"):
            lines = done.stderr.strip().splitlines()
            return [], lines[-1] if lines else f"pip-audit left with {done.returncode}"
        dependencies: list[dict[str, Any]] = json.loads(told.read_text(encoding="utf-8"))["dependencies"]
        return dependencies, ""


def findings(lock: Path, dependencies: list[dict[str, Any]], fault: str) -> tuple[int, list[str]]:
    """(exit status, what is to be said) of one lock."""
    skipped = [f"{each['name']}: {each['skip_reason']}" for each in dependencies if each.get("skip_reason")]
    known = [
        f"{lock.name}: {each['name']} {each['version']} has {flaw['id']}, mended in "
        + (" or ".join(flaw["fix_versions"]) or "none")
        for each in dependencies
        for flaw in each.get("vulns", ())
    ]
    if known:
        return 1, known
    if fault or skipped or not dependencies:
        first = f" ({skipped[0]})" if skipped else ""
        why = fault or f"the index gives no answer about {len(skipped)} of {len(dependencies)} distributions{first}"
        return NOT_ASKED, [f"{lock.name}: not audited, as {why}. Run `make audit` where https://pypi.org can be reached."]
    return 0, [f"{lock.name}: {len(dependencies)} distributions, no known vulnerability"]


def main() -> None:
    """Audit every lock; the worst decides."""
    endings = []
    for lock in locks():
        status, lines = findings(lock, *answer_of(lock))
        endings.append(status)
        print("\n".join(lines), flush=True)
    sys.exit(1 if 1 in endings else max(endings))


if __name__ == "__main__":
    main()
