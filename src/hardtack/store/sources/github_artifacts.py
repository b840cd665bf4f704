"""A commit in, the artifact that the project's own workflow made of it out: packs that GitHub Actions keeps for a while.

Anybody can have a run upload an artifact of any name, by a pull request from a fork. What counts is where the run came from, as
GitHub tells it: this repository, this commit, a push (or a timer or a button, on the default branch), the default or a protected
branch that has the commit, the one workflow. There is no other way in than a workflow's upload step: nothing can be published here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final
from urllib.parse import quote

from hardtack.bundle.format.digest import is_digest
from hardtack.errors import FormatError, IntegrityError, PolicyError, SourceError
from hardtack.store.sources.github_api import GitHubApi, field
from hardtack.store.sources.github_names import PACK_LIMIT, pack_name
from hardtack.store.sources.partial import check_size
from hardtack.store.sources.single_zip import MAGIC, unwrap
from hardtack.store.sources.source import Offer, Progress, Wanted

_PAGES: Final = 3
"""Of a list of artifacts, of a hundred each."""
_TIPS: Final = 10
"""Commits of a branch that are looked at, newest first."""
_ON_DEFAULT_BRANCH: Final = frozenset({"workflow_dispatch", "schedule"})
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Artifact:
    """What :meth:`Artifacts.fetch` needs."""

    id: int
    size: int
    digest: str
    """Of the artifact as it is kept: of the pack, or of the zip around it; empty when GitHub does not say."""


class Artifacts:
    """The artifacts of one repository."""

    def __init__(self, api: GitHubApi, workflow: str) -> None:
        """Nothing is asked yet.

        Args:
            api: the repository.
            workflow: path of the one workflow whose artifacts count.
        """
        self._api, self._workflow = api, workflow
        self._lock = Lock()
        self._branches: dict[str, tuple[str, bool] | None] = {}

    def resolve(self, wanted: Wanted) -> Offer | None:
        """The artifact of a commit, or of the newest commit of a branch that has one; none is known by its digest.

        Raises:
            SourceError: GitHub cannot be asked.
            PolicyError: the only artifacts of that name are from where none is taken.
            FormatError: GitHub's answer cannot be understood.
        """
        if wanted.commit:
            return self._of_commit(wanted.commit, wanted.profile)
        if not wanted.ref or not self._is_protected(wanted.ref):
            return None
        refused: PolicyError | None = None
        for commit in self._tips(wanted.ref):
            try:
                if offer := self._of_commit(commit, wanted.profile):
                    return offer
            except PolicyError as error:  # anybody can put a wrong artifact beside a commit
                refused = refused or error
        if refused:
            raise refused
        return None

    def fetch(self, found: Artifact, destination: Path, progress: Progress | None) -> None:
        """Bring the pack, out of its zip if there is one around it.

        Raises:
            SourceError: network or disk.
            IntegrityError: other bytes came than GitHub keeps.
            PolicyError: it is larger than is taken.
            FormatError: what came is neither a pack nor a zip of one file.
        """
        address = f"The artifact {found.id} of {self._api.repository}"
        check_size(found.size, PACK_LIMIT, address)
        path = f"/actions/artifacts/{found.id}/zip"
        came = self._api.download(path, destination, limit=PACK_LIMIT, size=None, digest="", progress=progress)
        try:
            with destination.open("rb") as file:
                is_wrapped = file.read(len(MAGIC)) == MAGIC
            if is_wrapped:
                inside = _unwrapped(destination)
            if found.digest and found.digest not in (came, inside if is_wrapped else came):
                destination.unlink()
                problem = f"{address} has another digest than GitHub tells: {came}."
                raise IntegrityError(problem, faults=[problem])
        except OSError as error:
            raise SourceError(f"{destination} cannot be written: {error.strerror}.") from error

    def _tips(self, branch: str) -> list[str]:
        """The latest commits of a branch that the workflow ran for, newest first, by runs whose artifacts may be taken.

        GitHub is asked by event: a fork's own branch may have the same name, and any number of pull requests come from it.
        """
        events = ("push", *sorted(_ON_DEFAULT_BRANCH)) if branch == self._api.facts.default_branch else ("push",)
        runs = [run for event in events for run in self._asked_runs(branch=branch, event=event)[0]]
        runs.sort(key=lambda run: field(run, "id", int), reverse=True)
        own = [run for run in runs if (run.get("head_repository") or {}).get("id") == self._api.facts.id]
        return list(dict.fromkeys(field(run, "head_sha", str) for run in own))[:_TIPS]

    @cached_property
    def _listed(self) -> tuple[list[dict[str, Any]], bool]:
        """The latest runs, and whether there are no others: then a commit without one has no artifact and need not be asked for."""
        return self._asked_runs()

    def _asked_runs(self, **query: object) -> tuple[list[dict[str, Any]], bool]:
        """The latest runs of the workflow, newest first, and whether those are all."""
        file = quote(self._workflow.rsplit("/", 1)[-1], safe="")
        for runs, has_more in self._api.pages(f"/actions/workflows/{file}/runs", within="workflow_runs", most=1, **query):
            return runs, not has_more
        return [], True

    def _of_commit(self, commit: str, profile: str) -> Offer | None:
        with self._lock:  # asked by several threads at once, and once is enough
            runs, is_all = self._listed
        if is_all and not any(run.get("head_sha") == commit for run in runs):
            return None
        name = pack_name(commit, profile)
        known = {run.get("id"): run for run in runs}
        refused = ""
        for artifacts in self._called(name, commit):
            for artifact in sorted(artifacts, key=lambda each: (str(each.get("created_at")), str(each.get("id"))), reverse=True):
                if artifact.get("name") != name or field(artifact, "expired", bool):
                    continue
                refusal = self._refusal(artifact, commit, known)
                if not refusal:
                    return self._offer(artifact, commit)
                refused = refused or refusal
        if refused:
            raise PolicyError(
                f"An artifact {name} is there and not taken: {refused}.",
                hint=f"Taken is what {self._workflow} made on the default or a protected branch of {self._api.repository}.",
            )
        return None

    def _called(self, name: str, commit: str) -> Iterator[list[dict[str, Any]]]:
        """Artifacts of a name, some at a time: the newest that there are, and if those are not all, those of the commit's own runs.

        Anybody can have hundreds of a name made by pull requests, whose runs are not among those that are asked for. Who is not
        logged in can fetch none, and has few questions an hour: he is told of the latest alone.
        """
        if not self._api.has_token:
            with self._lock:
                latest = self._latest
            yield [artifact for artifact in latest if artifact.get("name") == name]
            return
        is_all = True
        for artifacts, has_more in self._api.pages("/actions/artifacts", within="artifacts", most=_PAGES, name=name):
            yield artifacts
            is_all = not has_more
        if is_all:
            return
        for event in ("push", *sorted(_ON_DEFAULT_BRANCH)):
            for run in self._asked_runs(event=event, head_sha=commit)[0]:
                path = f"/actions/runs/{field(run, 'id', int)}/artifacts"
                for artifacts, _ in self._api.pages(path, within="artifacts", most=_PAGES, name=name):
                    yield artifacts

    @cached_property
    def _latest(self) -> list[dict[str, Any]]:
        """The latest artifacts of the repository, whatever they are called."""
        return [each for page, _ in self._api.pages("/actions/artifacts", within="artifacts", most=_PAGES) for each in page]

    def _refusal(self, artifact: Mapping[str, Any], commit: str, known: Mapping[Any, dict[str, Any]]) -> str:
        """Why an artifact is not taken, as the end of a sentence; empty when it is."""
        told = artifact.get("workflow_run")
        if not isinstance(told, dict):
            return "GitHub does not say which run made it"
        if told.get("repository_id") != self._api.facts.id or told.get("head_repository_id") != self._api.facts.id:
            return "a run for another repository made it, a fork perhaps"
        if told.get("head_sha") != commit:
            return "a run for another commit made it"
        run = known.get(told.get("id")) or self._api.get(f"/actions/runs/{field(told, 'id', int)}")
        if run is None or run.get("head_sha") != commit:
            return "its run is not there any more"
        if field(field(run, "head_repository", dict), "id", int) != self._api.facts.id:
            return "a run for another repository made it, a fork perhaps"
        path = field(run, "path", str).partition("@")[0]
        if path != self._workflow:
            return f"the workflow {path!r} made it"
        event, branch = field(run, "event", str), run.get("head_branch") or ""
        if event != "push" and not (event in _ON_DEFAULT_BRANCH and branch == self._api.facts.default_branch):
            return f"a run for {event!r} on {branch!r} made it"
        if not self._is_protected(branch):
            return f"it was made on the branch {branch!r}, which is not protected"
        return "" if self._is_on(branch, commit) else f"its commit is not on the branch {branch!r}; of a tag called so, perhaps"

    def _is_protected(self, branch: str) -> bool:
        """Whether only those may write to the branch whom the project trusts with that."""
        if branch == self._api.facts.default_branch:
            return True
        known = self._branch(branch)
        return known is not None and known[1]

    def _is_on(self, branch: str, commit: str) -> bool:
        """Whether a branch has a commit. A run does not show it: it calls the name of a pushed tag its branch, too."""
        known = self._branch(branch)
        if known is None or known[0] == commit:
            return known is not None
        compared = self._api.get(f"/compare/{quote(known[0], safe='')}...{quote(commit, safe='')}", per_page=1)
        return compared is not None and field(compared, "status", str) in ("behind", "identical")

    def _branch(self, name: str) -> tuple[str, bool] | None:
        """The newest commit of a branch, and whether it is protected; None when there is no such branch. Asked once."""
        if name not in self._branches:
            document = self._api.get(f"/branches/{quote(name, safe='')}") if name else None
            found = None
            if document is not None:
                found = field(field(document, "commit", dict), "sha", str), field(document, "protected", bool)
            self._branches[name] = found
        return self._branches[name]

    def _offer(self, artifact: Mapping[str, Any], commit: str) -> Offer:
        number, digest = field(artifact, "id", int), artifact.get("digest") or ""
        if digest and not (isinstance(digest, str) and is_digest(digest)):
            raise FormatError("GitHub's answer has a digest that is none.", field="digest")
        return Offer(
            address=f"{self._api.name} artifact {number}",
            commit=commit,
            repository=self._api.name,
            locator=Artifact(number, field(artifact, "size_in_bytes", int), digest),
        )


def _unwrapped(path: Path) -> str:
    """Put the file that the zip at ``path`` holds in its place, and give its digest."""
    inside = path.with_name(f"{path.name}.inside")
    try:
        with inside.open("xb") as out:
            unwrap(path, out, limit=PACK_LIMIT)
        inside.replace(path)
    finally:
        inside.unlink(missing_ok=True)
    state = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            state.update(piece)
    return f"sha256:{state.hexdigest()}"
