"""A bundle in, all files of its page out, or the one file: home, about, folders, source files, and the search box's index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from markupsafe import Markup

from hardtack.bundle.reader import Bundle
from hardtack.nouns.changes import Comparison
from hardtack.page.about import about, most_used
from hardtack.page.addresses import SHARDS, Addresses, Here, line_anchor
from hardtack.page.changes import changes_view
from hardtack.page.folders import TOP, Folder, folders_of
from hardtack.page.highlighting import Highlighters, Text
from hardtack.page.pictures import folder_map, treemap
from hardtack.page.rendering import ABOUT, CHANGES, SCRIPT, STYLE, Renderer
from hardtack.page.search_index import KEYS, entries_of, shard_json, shard_script, shards
from hardtack.page.sections import Views
from hardtack.page.uses import Uses
from hardtack.render.style import inert_line

_PROCESSES: Final = 4
"""Processes that highlight at most: one that renders keeps no more of them busy."""


class Pages:
    """What a bundle's page is made of."""

    def __init__(self, bundle: Bundle, name: str, *, is_single: bool, comparison: Comparison | None = None) -> None:
        self._bundle = bundle
        self._name = inert_line(bundle.manifest.provenance.repository or name)
        self._uses = Uses(bundle)
        self._folders = folders_of(bundle.files)
        self._paths = [file.path for file in bundle.files]
        self._addresses = Addresses(self._paths, self._folders, is_single=is_single)
        self._views = Views(bundle, self._uses, self._addresses, self._folders)
        self._renderer = Renderer(self._name, is_single=is_single, has_changes=comparison is not None)
        self._comparison = comparison
        self.uncoloured: list[str] = []
        """Paths of the source files so far that took too long to highlight."""

    def separate(self, processes: int) -> Iterator[tuple[str, str]]:
        """Place and content of each file of a page that is a directory."""
        yield STYLE, self._renderer.style
        yield SCRIPT, self._renderer.script
        home = self._addresses.here(self._addresses.home)
        yield home.name, self._renderer.page(home, self._name, self._home(home))
        about_page = self._addresses.here(ABOUT)
        yield about_page.name, self._renderer.page(about_page, f"About · {self._name}", self._about(about_page))
        if self._comparison:
            changes_page = self._addresses.here(CHANGES)
            title, body = self._changes(self._comparison, changes_page)
            yield changes_page.name, self._renderer.page(changes_page, f"{title} · {self._name}", body)
        for here, title, body in self._folder_sections():
            yield here.name, self._renderer.page(here, f"{title} · {self._name}", body)
        for here, title, body in self._file_sections(processes):
            yield here.name, self._renderer.page(here, f"{title} · {self._name}", body)
        found = shards(entries_of(self._bundle, self._uses))
        yield f"{SHARDS}/{KEYS}.js", shard_script(KEYS, json.dumps([*found], separators=(",", ":")))
        for key, entries in found.items():
            yield f"{SHARDS}/{key}.js", shard_script(key, shard_json(entries, self._paths, self._addresses))

    def single(self, processes: int) -> str:
        """The content of a page that is one file."""
        home = self._addresses.here(self._addresses.home)
        bodies = [self._home(home), self._about(self._addresses.here("about"))]
        if self._comparison:
            bodies.append(self._changes(self._comparison, self._addresses.here("changes"))[1])
        bodies += [body for _, _, body in self._folder_sections()]
        bodies += [body for _, _, body in self._file_sections(processes)]
        index = shard_json(list(entries_of(self._bundle, self._uses)), self._paths, self._addresses)
        return self._renderer.page(home, self._name, Markup("\n").join(bodies), index=index)

    def one(self, place: str, highlighters: Highlighters) -> tuple[str, Markup] | None:
        """Title and section of the page at a place of :meth:`separate`; None where there is none."""
        here = self._addresses.here(place)
        if place in (self._addresses.home, ABOUT):
            return self._name, self._about(here) if place == ABOUT else self._home(here)
        if (folder := self._folders_at.get(place)) is not None:
            view = self._views.folder(folder)
            return view.title, self._renderer.section("folder", view=view)
        if (ordinal := self._files_at.get(place)) is None:
            return None
        ((text, parts),) = highlighters.highlighted([self._views.text(ordinal)])
        shown = self._views.file(ordinal, text, parts)
        return shown.title, self._renderer.section("source", view=shown)

    @cached_property
    def _files_at(self) -> dict[str, int]:
        return {self._addresses.file(ordinal): ordinal for ordinal in range(len(self._paths))}

    @cached_property
    def _folders_at(self) -> dict[str, Folder]:
        return {self._addresses.folder(path): folder for path, folder in self._folders.items()}

    def _home(self, here: Here) -> Markup:
        return self._renderer.section(
            "home",
            here=here,
            name=self._name,
            about=about(self._bundle),
            map=folder_map(self._bundle, self._folders, self._addresses, here),
            treemap=treemap(self._bundle, self._folders, self._addresses, here),
            most_used=list(most_used(self._bundle, self._uses, self._addresses, here)),
            entries=list(self._views.entries(self._folders[TOP], here)),
            top=self._addresses.to(self._addresses.folder(TOP), here),
            has_text=self._bundle.has_text,
        )

    def _about(self, here: Here) -> Markup:
        return self._renderer.section("about", here=here, about=about(self._bundle))

    def _changes(self, comparison: Comparison, here: Here) -> tuple[str, Markup]:
        ordinals = {path: ordinal for ordinal, path in enumerate(self._paths)}

        def link(path: str, line: int) -> str:
            if (ordinal := ordinals.get(path)) is None:
                return ""
            anchor = line_anchor(line) if self._views.has_line(ordinal, line) else ""
            return self._addresses.to(self._addresses.file(ordinal), here, anchor)

        view = changes_view(comparison, link)
        return view.title, self._renderer.section("changes", here=here, view=view)

    def _folder_sections(self) -> Iterator[tuple[Here, str, Markup]]:
        for folder in self._folders.values():
            view = self._views.folder(folder)
            yield view.here, view.title, self._renderer.section("folder", view=view)

    def _file_sections(self, processes: int) -> Iterator[tuple[Here, str, Markup]]:
        texts: Iterator[Text] = (self._views.text(ordinal) for ordinal in range(len(self._paths)))
        with Highlighters(min(processes, _PROCESSES)) as highlighters:
            for ordinal, (text, parts) in enumerate(highlighters.highlighted(texts)):
                view = self._views.file(ordinal, text, parts)
                yield view.here, view.title, self._renderer.section("source", view=view)
            self.uncoloured += highlighters.late
