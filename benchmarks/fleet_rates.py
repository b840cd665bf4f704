"""What a repository and a line of it take in a fleet: accounts of fleets in, the figures of docs/scaling.md out.

    hardtack fleet LIST --to SHELF --jobs 1 --report ACCOUNT
    python benchmarks/fleet_rates.py ACCOUNT... [--lines L --repositories R --cores C]

Fits, by least squares over every repository that was built, ``processor seconds = a + b * lines`` and ``bytes of a pack = e + c *
lines``, each weighted by what it predicts, so that a large repository does not decide alone. Prints the fit, the largest and the
median error of a single repository, the range of lines that it stands on, and what it says of R repositories of L lines in all.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np


def fitted(lines: Sequence[float], values: Sequence[float]) -> tuple[float, float, float, float]:
    """(of a repository, of a line, median relative error, largest relative error) of a straight line through the values."""
    x, y = np.array(lines, float), np.array(values, float)
    columns = np.stack([np.ones_like(x), x], axis=1)
    weights = 1 / y
    for _ in range(20):  # weights of what is predicted, once there is a prediction
        (start, slope), *_ = np.linalg.lstsq(columns * weights[:, None], y * weights, rcond=None)
        weights = 1 / np.maximum(columns @ (start, slope), y.min())
    errors = np.abs(columns @ (start, slope) - y) / y
    return float(start), float(slope), median(errors), max(errors)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("accounts", type=Path, nargs="+", metavar="ACCOUNT")
    parser.add_argument("--lines", type=int, default=50_000_000)
    parser.add_argument("--repositories", type=int, default=10_000)
    parser.add_argument("--cores", type=int, default=64)
    options = parser.parse_args()
    accounts = [json.loads(path.read_text(encoding="utf-8")) for path in options.accounts]
    built: list[dict[str, Any]] = [each for account in accounts for each in account["repositories"] if each["state"] == "done"]
    unchanged = [each["cpu_seconds"] for account in accounts for each in account["repositories"] if each["state"] == "unchanged"]
    lines = [each["lines"] for each in built]
    print(f"{len(built)} repositories built, {min(lines)} to {max(lines)} lines, {sum(lines)} in all")
    totals = {}
    for what, key in (("processor seconds", "cpu_seconds"), ("bytes of packs", "pack_bytes")):
        start, slope, usual, most = fitted(lines, [each[key] for each in built])
        totals[what] = start * options.repositories + slope * options.lines
        print(f"{what}: {start:.4g} a repository, {slope:.4g} a line; errors {usual:.0%} median, {most:.0%} at most")
    fetched = [each["fetched_bytes"] / each["lines"] for each in built]
    print(f"bytes fetched: {min(fetched):.0f} to {max(fetched):.0f} a line, median {median(fetched):.0f}")
    if unchanged:
        print(f"unchanged: {median(unchanged):.3f} processor seconds each, median of {len(unchanged)}")
    seconds = totals["processor seconds"]
    print(f"{options.repositories} repositories, {options.lines} lines on {options.cores} cores:")
    print(f"{seconds / 3600:.1f} core hours, {seconds / 60 / options.cores:.0f} minutes")
    print(f"{totals['bytes of packs'] / 1e9:.0f} GB of packs, {median(fetched) * options.lines / 1e9:.1f} GB fetched")


if __name__ == "__main__":
    main()
