"""``hardtack savings``: tells what a server's answers cost beside the files that they came from."""

from __future__ import annotations

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import NOTHING_FOUND, show
from hardtack.render.savings import render_savings, savings_to_json
from hardtack.render.style import inert_json


@click.command("savings")
@click.option("--clear", is_flag=True, help="Forget what was counted.")
@options.json_option
def command(*, clear: bool, as_json: bool) -> int:
    """Tell what answers to agents cost, in tokens, beside the files that they name.

    A server counts if it was started with --count-answers, in your cache and nowhere else: numbers, no question, path or text.

    \b
    hardtack init claude-code -- --count-answers
    hardtack savings
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    counts = environment.answer_counts()
    if clear:
        counts.clear()
    since, counted = counts.sums()
    if as_json:
        click.echo(inert_json(savings_to_json(since, counted), is_spaced=True))
    else:
        show(render_savings(since, counted))
    return 0 if counted or clear else NOTHING_FOUND
