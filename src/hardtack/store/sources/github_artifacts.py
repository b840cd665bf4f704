"""A commit in, the artifact that the repository's own workflow made of it out: packs that GitHub Actions keeps for a while.

Anybody can have a run upload an artifact of any name, by a pull request from a fork. So an artifact is accepted only by the origin
of its run, as GitHub reports it: this repository, this commit, this workflow; a push (or a timer or manual start, on the default
branch); the default branch or a protected one, which contains the commit. Only a workflow can upload artifacts, so nothing can be
published here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from hardtack.bundle.format.digest import is_digest
from hardtack.errors import FormatError, IntegrityError, PolicyError, SourceError
from hardtack.store.sources.github_api import GitHubApi, field
from hardtack.store.sources.github_names import PACK_LIMIT, pack_name
from hardtack.store.sources.partial import check_size
from hardtack.store.sources.single_zip import MAGIC, unwrap
from hardtack.store.sources.source import Offer, Progress, Wanted

_PAGES: Final = 3
"""The most pages of a list of artifacts that are requested, of a hundred each."""
_TIPS: Final = 10
"""The most commits of a branch that are tried, newest first."""
_ON_DEFAULT_BRANCH: Final = frozenset({"workflow_dispatch", "schedule"})


@dataclass(frozen=True, slots=True)
class Artifact:
    """An artifact that was accepted."""

    id: int
    size: int
    digest: str
    """The digest of the stored file: the pack, or the zip around it; empty when GitHub gives none."""


class BranchHead(NamedTuple):
    """The newest commit of a branch."""

    commit: str
    is_protected: bool


class Artifacts:
    """The artifacts of one repository."""

    def __init__(self, api: GitHubApi, workflow: str) -> None:
        """Set up; nothing is sent yet."""
        self._api, self._workflow = api, workflow
        self._lock = Lock()
        self._branches: dict[str, BranchHead | None] = {}

    def resolve(self, wanted: Wanted) -> Offer | None:
        """The artifact of a commit, or of the newest commit of a branch that has one. It cannot be found by digest."""
        if wanted.commit:
            return self._of_commit(wanted.commit, wanted.profile)
        if not wanted.ref or not self._is_protected(wanted.ref):
            return None
        refused: PolicyError | None = None
        for commit in self._tips(wanted.ref):
            try:
                if offer := self._of_commit(commit, wanted.profile):
                    return offer
            except PolicyError as error:  # anybody can upload a wrong artifact for a commit: try the next commit
                refused = refused or error
        if refused:
            raise refused
        return None

    def fetch(self, found: Artifact, destination: Path, progress: Progress | None) -> None:
        """Download the pack, and unpack it if it is in a zip."""
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
        """The latest commits of a branch that the workflow ran for, newest first, from runs whose artifacts can be accepted.

        Runs are requested by event: otherwise pull requests from a fork's branch of the same name could fill the whole list.
        """
        events = ("push", *sorted(_ON_DEFAULT_BRANCH)) if branch == self._api.facts.default_branch else ("push",)
        runs = [run for event in events for run in self._asked_runs(branch=branch, event=event)[0]]
        runs.sort(key=lambda run: field(run, "id", int), reverse=True)
        own = [run for run in runs if (run.get("head_repository") or {}).get("id") == self._api.facts.id]
        return list(dict.fromkeys(field(run, "head_sha", str) for run in own))[:_TIPS]

    @cached_property
    def _listed(self) -> tuple[list[dict[str, Any]], bool]:
        """The latest runs, and whether there are no more: then a commit without a run has no artifact, and no request is needed."""
        return self._asked_runs()

    def _asked_runs(self, **query: object) -> tuple[list[dict[str, Any]], bool]:
        """The latest runs of the workflow, newest first, and whether these are all."""
        file = quote(self._workflow.rsplit("/", 1)[-1], safe="")
        for runs, has_more in self._api.pages(f"/actions/workflows/{file}/runs", within="workflow_runs", most=1, **query):
            return runs, not has_more
        return [], True

    def _of_commit(self, commit: str, profile: str) -> Offer | None:
        with self._lock:  # several threads call this at once: one request serves all
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
        """Artifacts of a name, page by page: the newest ones; if these are not all, then those of the commit's own runs.

        Pull requests can upload hundreds of artifacts of one name, but their runs are not among those requested second. Without a
        token, nothing can be downloaded and requests are few: then only the repository's latest artifacts are searched.
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
        return [each for page, _ in self._api.pages("/actions/artifacts", within="artifacts", most=_PAGES) for each in page]

    def _refusal(self, artifact: Mapping[str, Any], commit: str, known: Mapping[Any, dict[str, Any]]) -> str:
        """Why an artifact is refused, as the end of a sentence; empty when it is accepted."""
        summary = artifact.get("workflow_run")
        if not isinstance(summary, dict):
            return "GitHub does not say which run made it"
        if summary.get("repository_id") != self._api.facts.id or summary.get("head_repository_id") != self._api.facts.id:
            return "a run for another repository made it, a fork perhaps"
        if summary.get("head_sha") != commit:
            return "a run for another commit made it"
        run = known.get(summary.get("id")) or self._api.get(f"/actions/runs/{field(summary, 'id', int)}")
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
        """Whether the branch is the default branch or protected, so that not every contributor may write to it."""
        if branch == self._api.facts.default_branch:
            return True
        head = self._branch(branch)
        return head is not None and head.is_protected

    def _is_on(self, branch: str, commit: str) -> bool:
        """Whether a branch contains a commit. A run's ``head_branch`` does not prove it: for a pushed tag, it is the tag's name."""
        head = self._branch(branch)
        if head is None or head.commit == commit:
            return head is not None
        compared = self._api.get(f"/compare/{quote(head.commit, safe='')}...{quote(commit, safe='')}", per_page=1)
        return compared is not None and field(compared, "status", str) in ("behind", "identical")

    def _branch(self, name: str) -> BranchHead | None:
        """The head of a branch; None when there is no such branch. Requested once."""
        if name not in self._branches:
            document = self._api.get(f"/branches/{quote(name, safe='')}") if name else None
            head = None
            if document is not None:
                head = BranchHead(field(field(document, "commit", dict), "sha", str), field(document, "protected", bool))
            self._branches[name] = head
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
    """Replace the zip at ``path`` by the file in it; returns that file's digest."""
    inside = path.with_name(f"{path.name}.inside")
    try:
        with inside.open("xb") as out:
            unwrap(path, out, limit=PACK_LIMIT)
        inside.replace(path)
    finally:
        inside.unlink(missing_ok=True)
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
