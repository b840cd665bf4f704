"""``hardtack savings`` tells what a server counted that was asked to count, and nothing of what was asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from mcp_servers import environment, wired


def savings(cache: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hardtack", "savings", *flags]
    return subprocess.run(command, env=environment(HARDTACK_CACHE=str(cache)), capture_output=True, text=True, check=False)


def test_a_server_counts_only_when_it_is_asked_to_and_numbers_alone(pantry_bundle: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for flags in ([], ["--count-answers"]):
        with wired("-b", pantry_bundle, "--toolsets", "default", *flags, env=environment(HARDTACK_CACHE=str(cache))) as wire:
            for query in ("where is a jar opened", "Shelf"):
                wire.ask("tools/call", name="explore", arguments={"query": query})
            wire.ask("tools/call", name="read", arguments={"path": "README.md"})
            wire.ask("tools/call", name="read", arguments={"path": "no/such/file.py"})
        if not flags:
            assert 1 == savings(cache).returncode
            assert not cache.exists()
    document = json.loads(savings(cache, "--json").stdout)
    assert "hardtack.savings/1" == document["schema"]
    by_tool = {each["tool"]: each for each in document["tools"]}
    assert {"explore": 2, "read": 1} == {tool: each["calls"] for tool, each in by_tool.items()}
    assert 0 < by_tool["explore"]["answer_tokens"]
    assert by_tool["explore"]["file_tokens"] > 100 and 3 == document["all"]["calls"]
    shown = savings(cache)
    assert 0 == shown.returncode and "explore" in shown.stdout and "%" in shown.stdout
    kept = b"".join(path.read_bytes() for path in (cache / "v1" / "counts").iterdir())
    assert b"jar" not in kept and b"README" not in kept
    assert 0 == savings(cache, "--clear").returncode
    assert 1 == savings(cache).returncode
