"""The configuration files of MCP clients in; whether the command of each Hardtack entry exists, out."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

from hardtack.clients.files import servers_in
from hardtack.clients.launch import PROGRAM, starts_hardtack
from hardtack.clients.table import CLIENTS, SCOPES
from hardtack.doctor.findings import Finding, Surroundings, ok, problem, warning
from hardtack.errors import HardtackError


def check_servers(surroundings: Surroundings) -> Iterator[Finding]:
    """Check the command of each entry that starts Hardtack, or has its name."""
    for client in CLIENTS.values():
        for scope in SCOPES:
            path = client.file(scope, surroundings.places)
            if path is None:
                continue
            about = f"{client.title} ({scope})"
            try:
                servers = servers_in(client, path)
            except HardtackError as error:
                yield warning(about, f"cannot be read: {error}", error.hint)
                continue
            for name, entry in servers.items():
                command = _command_of(entry)
                if not command or not (name == PROGRAM or starts_hardtack(command)):
                    continue
                if shutil.which(command[0], path=surroundings.environment.get("PATH")):
                    yield ok(about, f"{path} starts {' '.join(command)}")
                else:
                    remedy = f"Run: hardtack init --{scope} {client.name}{'' if name == PROGRAM else f' --entry {name}'}"
                    yield problem(about, f"{path} starts {command[0]}, which is not there", remedy)


def _command_of(entry: Any) -> list[str]:
    """The command of an entry with its arguments; empty if it names none, such as the entry of a remote server."""
    command, arguments = (entry.get("command"), entry.get("args", [])) if isinstance(entry, dict) else (None, [])
    words = [*(command if isinstance(command, list) else [command]), *(arguments if isinstance(arguments, list) else [])]
    return words if all(isinstance(word, str) for word in words) and words[:1] != [""] else []
