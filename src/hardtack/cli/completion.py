"""``hardtack completion``: the script that lets a shell complete commands; and what flags complete to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, get_completion_class

from hardtack.errors import HardtackError
from hardtack.nouns.model import Kind
from hardtack.render.style import inert

if TYPE_CHECKING:
    from hardtack.bundle.reader import Bundle

_SHELLS = ("bash", "fish", "zsh")
_VARIABLE = "_HARDTACK_COMPLETE"
_MOST = 1000
"""Words that a shell is given at most; beyond that one types on."""


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
    """What values of flags complete to, from the bundle that the command line names so far."""

    def __init__(self, open_bundle: Callable[[str | None], Bundle], installed: Callable[[], list[str]]) -> None:
        self._open_bundle = open_bundle
        self._installed = installed

    def paths(self, context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Files of the bundle."""
        from hardtack.query.state.completions import paths_from  # not for the script, nor for verbs that read no bundle

        return self._from_bundle(context, incomplete, lambda bundle: paths_from(bundle, incomplete, _MOST))

    def names(self, context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Symbols of the bundle; behind ``Type.`` its members."""
        from hardtack.query.state.completions import names_from

        return self._from_bundle(context, incomplete, lambda bundle: names_from(bundle, incomplete, _MOST))

    def packages(self, context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Packages of the bundle."""
        from hardtack.query.state.completions import packages_from

        return self._from_bundle(context, incomplete, lambda bundle: packages_from(bundle, incomplete, _MOST))

    def languages(self, context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Languages of the bundle, by id and other names."""
        return self._from_bundle(context, incomplete, _languages_in)

    def kinds(self, _: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Kinds of symbols."""
        return [CompletionItem(kind.value) for kind in Kind if kind.value.startswith(incomplete)]

    def bundles(self, _: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Installed bundles, and directories; these first, since bash forgets what comes before them."""
        names = sorted(set(self._installed()))
        return [CompletionItem(incomplete, type="dir"), *_items(names, incomplete)]

    def _from_bundle(
        self, context: click.Context, incomplete: str, words: Callable[[Bundle], Iterable[str]]
    ) -> list[CompletionItem]:
        """Nothing where there is no bundle: a shell has no place for the reason."""
        named = context.params.get("bundle") or next(iter(context.params.get("bundles") or ()), None)
        try:
            with self._open_bundle(named) as bundle:
                return _items(words(bundle), incomplete)
        except HardtackError:
            return []


def _languages_in(bundle: Bundle) -> Iterable[str]:
    return sorted({name for language in bundle.manifest.languages for name in (language.id, *language.aliases)})


def _items(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Words for a shell: it replaces what was typed, which they must begin with, and reads one a line and prints it."""
    return [CompletionItem(word) for word in words if word.startswith(incomplete) and word == inert(word) and "\n" not in word]
