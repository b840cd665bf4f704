"""The known MCP clients: the configuration file in which each keeps its servers, and the form of an entry.

A client is a row of data. Each row names the documentation of its form; clients without such documentation are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal

from hardtack.errors import UsageError

Scope = Literal["project", "user"]
SCOPES: Final[tuple[Scope, ...]] = ("project", "user")


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The user's home, the project and the platform, from which paths of configuration files are made."""

    home: Path
    project: Path
    platform: str
    """``sys.platform``."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """The environment; some of its variables move a client's folder."""

    @classmethod
    def around(cls, start: Path, *, home: Path, platform: str, environment: Mapping[str, str]) -> Places:
        """The places for the current directory ``start``: the project is the checkout around it, else ``start`` itself."""
        checkout = next((directory for directory in (start, *start.parents) if (directory / ".git").exists()), start)
        project = start if checkout == home else checkout  # a home directory under git is no project
        return cls(home=home, project=project, platform=platform, environment=environment)

    def path(self, template: str) -> Path:
        """The path of a template of the table, such as ``{home}/.cursor/mcp.json``."""
        config = self._moved("XDG_CONFIG_HOME", self.home / ".config")
        application = {"darwin": self.home / "Library" / "Application Support", "win32": self._moved("APPDATA", self.home)}
        folders = {
            "project": self.project,
            "home": self.home,
            "config": config,
            "application": application.get(self.platform, config),
            "claude": self._moved("CLAUDE_CONFIG_DIR", self.home),
            "codex": self._moved("CODEX_HOME", self.home / ".codex"),
            "copilot": self._moved("COPILOT_HOME", self.home / ".copilot"),
        }
        return Path(template.format_map(folders))

    def _moved(self, variable: str, default: Path) -> Path:
        moved = self.environment.get(variable, "")
        return Path(moved) if Path(moved).is_absolute() else default


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One program that starts MCP servers."""

    name: str
    """Its name on the command line."""
    title: str
    source: str
    """The documentation of its configuration."""
    project: tuple[str, ...] = ()
    """Templates of the files that configure one project: the first that exists, else the first. Empty if it has none."""
    user: tuple[str, ...] = ()
    """Templates of the files that configure all projects of a user, likewise."""
    platforms: tuple[str, ...] = ()
    """The platforms it runs on; empty for all."""
    servers: tuple[str, ...] = ("mcpServers",)
    """Keys of the object that holds the servers by name."""
    form: Literal["json", "toml"] = "json"
    """The syntax of its files; JSON may have comments and trailing commas."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """The keys of an entry besides the command."""
    joins_command: bool = False
    """Whether ``command`` is a list that includes the arguments."""
    aliases: tuple[str, ...] = ()
    """Other names that people give it on the command line."""
    asks_first: str = ""
    """What its user has to do before it starts a server of a project's file; empty if nothing."""

    def file(self, scope: Scope, places: Places) -> Path | None:
        """The file that configures that scope; None if the client has none."""
        if self.platforms and places.platform not in self.platforms:
            return None
        paths = [places.path(template) for template in (self.project if scope == "project" else self.user)]
        return next((path for path in paths if path.exists()), paths[0] if paths else None)

    def required_file(self, scope: Scope, places: Places) -> Path:
        """The file that configures that scope.

        Raises:
            UsageError: the client does not run on this platform, or has no file for that scope.
        """
        path = self.file(scope, places)
        if path is None and self.platforms and places.platform not in self.platforms:
            raise UsageError(f"{self.title} does not run here ({places.platform}).")
        if path is None:
            raise UsageError(f"{self.title} has no file for one {scope}.", hint=f"Leave out --{scope}.")
        return path

    def is_set_up(self, scope: Scope, places: Places) -> bool:
        """Whether the client seems to be in use in that scope: its file exists, or the folder of its own around it."""
        path = self.file(scope, places)
        shared = (places.home, places.project, places.project / ".github")
        return path is not None and (path.exists() or (path.parent not in shared and path.parent.is_dir()))

    def scope(self, wanted: Scope | None) -> Scope:
        """``wanted``; if that is None, the project if the client can be configured for one, else the user."""
        return wanted or ("project" if self.project else "user")

    def entry(self, command: Sequence[str]) -> dict[str, Any]:
        """An entry that starts ``command``, in this client's form."""
        if self.joins_command:
            return {**self.fixed, "command": list(command)}
        return {**self.fixed, "command": command[0], "args": list(command[1:])}


CLIENTS: Final[Mapping[str, Client]] = MappingProxyType(
    {
        client.name: client
        for client in (
            Client(
                name="amp",
                title="Amp",
                source="https://ampcode.com/manual",
                project=("{project}/.amp/settings.json", "{project}/.amp/settings.jsonc"),
                user=("{home}/.config/amp/settings.json", "{home}/.config/amp/settings.jsonc"),
                servers=("amp.mcpServers",),
            ),
            Client(
                name="claude-code",
                title="Claude Code",
                source="https://code.claude.com/docs/en/mcp",
                project=("{project}/.mcp.json",),
                user=("{claude}/.claude.json",),
                fixed={"type": "stdio"},
                aliases=("claude", "claudecode"),
                asks_first="Claude Code asks once whether to use the servers of .mcp.json: approve it, or see `/mcp`.",
            ),
            Client(
                name="claude-desktop",
                title="Claude Desktop",
                source="https://modelcontextprotocol.io/quickstart/user",
                user=("{application}/Claude/claude_desktop_config.json",),
                platforms=("darwin", "win32"),
            ),
            Client(
                name="cline",
                title="Cline (command line)",
                source="https://docs.cline.bot/mcp/mcp-overview",
                user=("{home}/.cline/data/settings/cline_mcp_settings.json",),
            ),
            Client(
                name="codex",
                title="Codex",
                source="https://developers.openai.com/codex/mcp",
                project=("{project}/.codex/config.toml",),
                user=("{codex}/config.toml",),
                servers=("mcp_servers",),
                form="toml",
                aliases=("codex-cli", "openai-codex"),
                asks_first="Codex reads a project's file only in a folder that it was told to trust: start it there.",
            ),
            Client(
                name="continue",
                title="Continue",
                source="https://docs.continue.dev/customize/deep-dives/mcp",
                project=("{project}/.continue/mcpServers/mcp.json",),
            ),
            Client(
                name="copilot",
                title="GitHub Copilot CLI",
                aliases=("copilot-cli", "github-copilot"),
                source="https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
                project=("{project}/.github/mcp.json",),
                user=("{copilot}/mcp-config.json",),
                fixed={"type": "local", "tools": ["*"]},
            ),
            Client(
                name="cursor",
                title="Cursor",
                source="https://cursor.com/docs/mcp",
                project=("{project}/.cursor/mcp.json",),
                user=("{home}/.cursor/mcp.json",),
            ),
            Client(
                name="gemini",
                title="Gemini CLI",
                source="https://geminicli.com/docs/tools/mcp-server",
                project=("{project}/.gemini/settings.json",),
                user=("{home}/.gemini/settings.json",),
                aliases=("gemini-cli",),
                asks_first="Gemini CLI starts a project's servers only in a trusted folder: see `/permissions` there.",
            ),
            Client(
                name="junie",
                title="JetBrains Junie",
                source="https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html",
                project=("{project}/.junie/mcp/mcp.json",),
                user=("{home}/.junie/mcp/mcp.json",),
            ),
            Client(
                name="kiro",
                title="Kiro",
                source="https://kiro.dev/docs/mcp/configuration",
                project=("{project}/.kiro/settings/mcp.json",),
                user=("{home}/.kiro/settings/mcp.json",),
            ),
            Client(
                name="opencode",
                title="opencode",
                source="https://opencode.ai/docs/mcp-servers",
                project=("{project}/opencode.json", "{project}/opencode.jsonc"),
                user=("{config}/opencode/opencode.json", "{config}/opencode/opencode.jsonc"),
                servers=("mcp",),
                fixed={"type": "local"},
                joins_command=True,
            ),
            Client(
                name="qwen",
                title="Qwen Code",
                aliases=("qwen-code",),
                source="https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/",
                project=("{project}/.qwen/settings.json",),
                user=("{home}/.qwen/settings.json",),
            ),
            Client(
                name="vscode",
                title="VS Code",
                aliases=("code", "vs-code"),
                source="https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
                project=("{project}/.vscode/mcp.json",),
                user=("{application}/Code/User/mcp.json",),
                servers=("servers",),
                fixed={"type": "stdio"},
            ),
            Client(
                name="windsurf",
                title="Windsurf",
                source="https://docs.windsurf.com/windsurf/cascade/mcp",
                user=("{home}/.codeium/windsurf/mcp_config.json",),
            ),
            Client(
                name="zed",
                title="Zed",
                source="https://zed.dev/docs/ai/mcp",
                user=("{config}/zed/settings.json",),
                servers=("context_servers",),
            ),
        )
    }
)
"""Name -> client, sorted by name, as in every list of clients."""
ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {alias: client.name for client in CLIENTS.values() for alias in client.aliases}
)
"""Other name of a client -> its name."""


def clients_set_up(scope: Scope, places: Places) -> list[Client]:
    """The clients that seem to be in use in that scope.

    Raises:
        UsageError: there is none.
    """
    if found := [client for client in CLIENTS.values() if client.is_set_up(scope, places)]:
        return found
    raise UsageError(f"No client is set up for this {scope}, and none was named.", hint=f"Name some: {', '.join(CLIENTS)}.")
