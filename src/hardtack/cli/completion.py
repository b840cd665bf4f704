"""``hardtack completion``: prints a shell's completion script; and the completions of values that such a script asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

from hardtack.bundle.reader import Bundle
from hardtack.errors import HardtackError
from hardtack.nouns.model import Kind
from hardtack.nouns.roles import Role
from hardtack.query.state.completions import names_from, packages_from, paths_from
from hardtack.render.style import inert_line

_SHELLS = ("bash", "fish", "zsh")
_VARIABLE = "_HARDTACK_COMPLETE"
_MOST = 1000
"""Completions that a shell gets at most."""


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
def command(*, shell: str) -> int:
    """Print the script that completes hardtack's commands in a shell.

    \b
    hardtack completion bash > ~/.local/share/bash-completion/completions/hardtack
    hardtack completion zsh > ~/.zfunc/_hardtack
    hardtack completion fish > ~/.config/fish/completions/hardtack.fish
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    form = get_completion_class(shell)
    assert form is not None
    click.echo(form(click.get_current_context().find_root().command, {}, "hardtack", _VARIABLE).source())
    return 0


class Completions:
    """The completions of flags and arguments, from the bundle that the command line names so far."""

    def __init__(self, open_bundle: Callable[[str | None], Bundle], installed: Callable[[], list[str]]) -> None:
        self._open_bundle = open_bundle
        self._installed = installed

    def paths(self, context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Files of the bundle."""
        return self._from_bundle(context, incomplete, lambda bundle: paths_from(bundle, incomplete, _MOST))

    def names(self, context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Names of symbols; after ``Type.`` the members of that type."""
        return self._from_bundle(context, incomplete, lambda bundle: names_from(bundle, incomplete, _MOST))

    def packages(self, context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Packages of the bundle."""
        return self._from_bundle(context, incomplete, lambda bundle: packages_from(bundle, incomplete, _MOST))

    def languages(self, context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Languages of the bundle, by id and alias."""
        return self._from_bundle(context, incomplete, _languages_in)

    def roles(self, _: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Roles of files."""
        return [CompletionItem(role.value) for role in Role if role.value.startswith(incomplete)]

    def kinds(self, _: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Kinds of symbols."""
        return [CompletionItem(kind.value) for kind in Kind if kind.value.startswith(incomplete)]

    def bundles(self, _: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Directories and installed bundles; directories first, since bash drops what comes before them."""
        names = sorted(set(self._installed()))
        return [CompletionItem(incomplete, type="dir"), *_items(names, incomplete)]

    def _from_bundle(
        self, context: click.Context, incomplete: str, words: Callable[[Bundle], Iterable[str]]
    ) -> list[CompletionItem]:
        """No completions without a bundle, since a shell cannot show an error."""
        named = context.params.get("bundle") or next(iter(context.params.get("bundles") or ()), None)
        try:
            with self._open_bundle(named) as bundle:
                return _items(words(bundle), incomplete)
        except HardtackError:
            return []


def _languages_in(bundle: Bundle) -> Iterable[str]:
    return sorted({name for language in bundle.manifest.languages for name in (language.id, *language.aliases)})


def _items(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """The words that a shell can insert: they begin with what was typed, and hold neither newlines nor control characters."""
    return [CompletionItem(word) for word in words if word.startswith(incomplete) and word == inert_line(word) and "\n" not in word]
