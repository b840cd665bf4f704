"""``hardtack init``: writes the server's entry into the files of MCP clients, or removes it."""

from __future__ import annotations

import json
import shutil
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import say
from hardtack.clients.files import Plan, plan_to_instruct, plan_to_put, plan_to_remove, state_of
from hardtack.clients.instructions import instructions_for
from hardtack.clients.launch import PROGRAM, serve_command, uvx_command
from hardtack.clients.table import ALIASES, CLIENTS, SCOPES, Client, Places, Scope, clients_set_up
from hardtack.errors import MissingExtra
from hardtack.render.style import inert, inert_line


class _WithServeArguments(click.Command):
    """A command whose arguments after ``--`` are for ``hardtack serve``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put those into ``ctx.meta`` and parse the others."""
        if "--" in args:
            at = args.index("--")
            args, ctx.meta["hardtack.serve"] = args[:at], tuple(args[at + 1 :])
        return super().parse_args(ctx, args)


class _ClientName(click.Choice[str]):
    """The name of a client, or another that people give it."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Its name in the table."""
        return super().convert(ALIASES.get(value.lower(), value), param, ctx)


@click.command("init", cls=_WithServeArguments, options_metavar="[OPTIONS]")
@click.argument("clients", nargs=-1, metavar="[CLIENT]... [-- SERVE OPTIONS]", type=_ClientName(list(CLIENTS)))
@click.option("--user", "scope", flag_value="user", help="Set clients up for all projects of this user.")
@click.option("--project", "scope", flag_value="project", help="Set them up for this project (default, where a client can be).")
@click.option("--entry", default=PROGRAM, show_default=True, metavar="NAME", help="What the server is called in the client.")
@click.option(
    *("--command", "launcher"),
    type=click.Choice([PROGRAM, "uvx"]),
    default=PROGRAM,
    show_default=True,
    help="What starts the server: this installation, or uvx, which brings it and needs no path of this machine.",
)
@click.option("--instructions", is_flag=True, help="Also tell agents of this project when to use it, in the files that they read.")
@click.option("--print", "is_trial", is_flag=True, help="Show the changes and write nothing.")
@click.option("--remove", is_flag=True, help="Take the entry out again.")
@click.option("--list", "lists", is_flag=True, help="Name the clients, their files, and whether the entry is in.")
@options.json_option
def command(
    *,
    clients: tuple[str, ...],
    scope: Scope | None,
    entry: str,
    launcher: str,
    instructions: bool,
    is_trial: bool,
    remove: bool,
    lists: bool,
    as_json: bool,
) -> int:
    """Write what starts the MCP server into the configuration of MCP clients.

    Without CLIENT, all that are set up in this project, or with --user for this user.

    \b
    hardtack init claude-code cursor --instructions
    hardtack init codex --command uvx
    hardtack init --user codex -- --bundle ~/bundles/app --toolsets search,files
    hardtack init --list
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    here, variables = environment.working_directory(), environment.variables()
    places = Places.around(here, home=environment.home_directory(), platform=sys.platform, environment=variables)
    if lists:
        _show_list([CLIENTS[name] for name in clients or CLIENTS], entry, places, as_json=as_json)
        return 0
    if clients:
        chosen = [CLIENTS[name] for name in dict.fromkeys(clients)]
    else:
        scope = scope or "project"
        chosen = clients_set_up(scope, places)
    files = [(client, client.scope(scope), client.required_file(client.scope(scope), places)) for client in chosen]
    below: dict[str, Path | None] = {"project": places.project, "user": None}  # where no link is followed
    if remove:
        plans = [plan_to_remove(client, path, entry, below=below[used]) for client, used, path in files]
    else:
        start = _start_command(launcher, click.get_current_context().meta.get("hardtack.serve", ()))
        plans = [plan_to_put(client, path, entry, client.entry(start), below=below[used]) for client, used, path in files]
        if start[0] == sys.executable and any(used == "project" for _, used, _ in files):
            say(f"note: '{PROGRAM}' on PATH is not this installation; a project's file now names this interpreter.")
    of_project = [client for client, used, _ in files if used == "project"]
    words = _words(chosen, places.project, remove=remove) if instructions or (remove and of_project) else []
    rows = [
        {"client": client.name, "scope": used, "file": str(path), **_carry_out(plan, is_trial=is_trial, remove=remove)}
        for (client, used, path), plan in zip(files, plans, strict=True)
    ]
    rows += [
        {"client": "agents", "scope": "project", "file": str(plan.path), **_carry_out(plan, is_trial=is_trial, remove=remove)}
        for plan in words
        if plan.changes or instructions
    ]
    _show(rows, as_json=as_json)
    if not remove and not is_trial and not as_json:
        _say_what_is_next(of_project, offers=not instructions)
    return 0


def _words(clients: list[Client], project: Path, *, remove: bool) -> list[Plan]:
    """The plans for what agents are told. A file that is a link, as CLAUDE.md often is to AGENTS.md, says what that says."""
    told = instructions_for([client.name for client in clients], lambda path: (project / path).is_file())
    plain = [each for each in told if not (project / each.path).is_symlink() or not (remove or each.clients)]
    return [plan_to_instruct(each, project, remove=remove) for each in plain]


def _say_what_is_next(clients: list[Client], *, offers: bool) -> None:
    """Say what these clients, which a project's file configures, ask their user first; and on a terminal what else there is."""
    for client in clients:
        if client.asks_first:
            say(f"note: {client.asks_first}")
    if offers and clients and sys.stdin.isatty():
        say("note: with --instructions agents are also told, in AGENTS.md and what else they read, when to use it.")


def _start_command(launcher: str, arguments: tuple[str, ...]) -> tuple[str, ...]:
    """The command that starts the server.

    Raises:
        MissingExtra: this installation has no server.
    """
    if launcher == "uvx":
        return uvx_command(arguments)
    if find_spec("mcp") is None:
        raise MissingExtra("The server that clients start", "mcp")
    return _serve_command(arguments)


def _serve_command(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """The command that starts the server of this installation."""
    schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
    scripts = [Path(sysconfig.get_path("scripts", scheme)) for scheme in schemes]
    return serve_command(shutil.which(PROGRAM), scripts, sys.executable, arguments)


def _carry_out(plan: Plan, *, is_trial: bool, remove: bool) -> dict[str, str]:
    """Change the file, or only show the change; the keys that this adds to the client's row."""
    if not plan.changes:
        return {"done": "nothing"}
    if is_trial:
        return {"done": "nothing", "difference": plan.difference()}
    backup = plan.carry_out()
    return {"done": "removed" if remove else "written", **({"backup": str(backup)} if backup else {})}


def _show(rows: list[dict[str, str]], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"schema": "hardtack.init/1", "clients": rows}))
        return
    for row in rows:
        if difference := row.get("difference"):
            click.echo(inert(difference).replace("\\u{d}\n", "\n"), nl=False)
        else:
            what = "section" if row["client"] == "agents" else "entry"
            done = {"nothing": "nothing to do in", "written": f"{what} written to", "removed": f"{what} removed from"}[row["done"]]
            backup = f"; as it was: {row['backup']}" if "backup" in row else ""
            click.echo(inert_line(f"{row['client']}: {done} {row['file']}{backup}"))


def _show_list(clients: list[Client], entry: str, places: Places, *, as_json: bool) -> None:
    rows: list[dict[str, Any]] = []
    for client in clients:
        for scope in SCOPES:
            if path := client.file(scope, places):
                row = {"client": client.name, "title": client.title, "scope": scope, "file": str(path)}
                rows.append({**row, "state": state_of(client, path, entry)})
    if as_json:
        click.echo(json.dumps({"schema": "hardtack.clients/1", "clients": rows}))
        return
    width = max(len(row["client"]) for row in rows)
    for row in rows:
        click.echo(inert_line(f"{row['client']:<{width}}  {row['scope']:<7}  {row['state']:<8}  {row['file']}"))
