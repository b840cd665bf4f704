"""The account of an export in, what a person or a program is told of it out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardtack.render.stats import readable_size
from hardtack.render.style import inert_line


def render_export(path: Path, account: Mapping[str, Any]) -> str:
    """Where the tables are, the size of each, and what they are of."""
    tables: Mapping[str, Mapping[str, Any]] = account["tables"]
    size = sum(table["bytes"] for table in tables.values())
    encoder = account["encoder"]
    lines = [
        f"{inert_line(str(path))}: {len(tables)} tables, {readable_size(size)}; {account['bundle']}",
        *(f"  {name}.parquet: {table['rows']} rows, {readable_size(table['bytes'])}" for name, table in tables.items()),
    ]
    if encoder is None:
        lines.append("  without vectors, as the bundle was built without")
    if not account["has_text"]:
        lines.append("  without text, as the bundle was built without")
    if account["secrets"] == "warn":
        lines.append("  note: the bundle was built with --secrets warn, so that secrets in its source stand in these tables")
    return "\n".join(lines) + "\n"


def export_to_json(path: Path, account: Mapping[str, Any]) -> dict[str, Any]:
    """The account and where it lies, as one JSON document."""
    return {"path": str(path), **account}
