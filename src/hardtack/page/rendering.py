"""Views in, HTML out: the only module that knows Jinja2.

Everything that a bundle says is escaped by the templates; what is marked as HTML was made by :mod:`hardtack.page.source`, which
escapes it. A page's policy lets it run one script and one style sheet, ours, and load nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from hardtack.page.addresses import HOME, Here

SCHEMA: Final = "hardtack.page/1"
SCRIPT: Final = "page.js"
STYLE: Final = "page.css"
LIVE: Final = "live.js"
ABOUT: Final = "about.html"
CHANGES: Final = "changes.html"
OPENING: Final = f'<!doctype html>\n<html lang="en" data-hardtack="{SCHEMA}">\n'
"""How every page begins."""
_FOLDER: Final = Path(__file__).parent / "templates"
_POLICY: Final = "default-src 'none'; script-src {script}; style-src {style}; img-src data:; base-uri 'none'; form-action 'none'"


class Renderer:
    """Makes the pages of one bundle."""

    def __init__(self, name: str, *, is_single: bool, has_changes: bool = False) -> None:
        """Of the bundle of that name; ``is_single`` if all goes into one file, ``has_changes`` if there is a page of changes."""
        self._name, self._is_single, self._has_changes = name, is_single, has_changes
        self._environment = Environment(
            loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )

    @cached_property
    def script(self) -> str:
        """The script of every page."""
        return (_FOLDER / SCRIPT).read_text(encoding="utf-8")

    @cached_property
    def style(self) -> str:
        """The style sheet of every page."""
        return (_FOLDER / STYLE).read_text(encoding="utf-8")

    def section(self, template: str, **values: Any) -> Markup:
        """One section of a page, by the name of its template."""
        return Markup(self._environment.get_template(f"{template}.html").render(is_single=self._is_single, **values))  # noqa: S704

    def page(self, here: Here, title: str, body: Markup, *, index: str = "") -> str:
        """A whole page around its sections; ``index`` is what the search box of a page that is one file reads."""
        if self._is_single:
            policy = _POLICY.format(script=_digest(self.script), style=_digest(self.style))
        else:
            policy = _POLICY.format(script="'self'", style="'self'")
        return OPENING + self._environment.get_template("page.html").render(
            name=self._name,
            title=title,
            body=body,
            policy=policy,
            up=here.up,
            home="#home" if self._is_single else here.up + HOME,
            about="#about" if self._is_single else here.up + ABOUT,
            changes="" if not self._has_changes else "#changes" if self._is_single else here.up + CHANGES,
            is_single=self._is_single,
            is_live=False,
            script=Markup(self.script),  # noqa: S704  (our own)
            style=Markup(self.style),  # noqa: S704
            index=Markup(index),  # noqa: S704  (JSON without "<")
        )


@cache
def shell() -> str:
    """The page of a server, without anything of a bundle: its script asks the server for the rest, with the token of its user."""
    renderer = Renderer("Hardtack", is_single=False)
    script = f"{(_FOLDER / LIVE).read_text(encoding='utf-8')}\n{renderer.script}"
    policy = _POLICY.format(script=_digest(script), style=_digest(renderer.style))
    return OPENING + renderer._environment.get_template("page.html").render(
        name="Hardtack",
        title="Hardtack",
        body=Markup('<p id="state" role="status">This page needs its script.</p>'),
        policy=f"{policy}; connect-src 'self'",
        up="",
        home=f"#!{HOME}",
        about=f"#!{ABOUT}",
        changes="",
        is_single=False,
        is_live=True,
        script=Markup(script),  # noqa: S704  (our own)
        style=Markup(renderer.style),  # noqa: S704
    )


def _digest(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
