"""A project on the stand-in of GitHub, checked out on a runner: the actions' own steps build it, publish it and comment on it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checkouts import git, write
from github import GitHub, Pull, Repository, Run, github_running
from runner import Ran, Runner

from hardtack.store.sources.github import WORKFLOW

ROOT = Path(__file__).parents[2]
INSTALLING = frozenset({"Install this action's own commit, hash-locked"})
VENVS = ("hardtack-venv", "hardtack-publish-venv", "hardtack-comment-venv")


@dataclass
class Project:
    """A project on GitHub, checked out on a runner."""

    github: GitHub
    repository: Repository
    checkout: Path
    runner: Runner
    pull: Pull | None = None
    """The pull request that the runs are of."""
    run: Run | None = None
    """The last run that kept something."""
    files: dict[str, bytes] = field(default_factory=dict)
    """Name of an artifact -> what the last run kept under it."""

    def git(self, *arguments: str) -> str:
        return git(self.checkout, *arguments)

    def commit(self, files: Mapping[str, bytes]) -> str:
        write(self.checkout, files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "more")
        head = self.git("rev-parse", "HEAD")
        if self.pull is None:
            self.repository.branches["main"] = (head, True)
        return head

    def build(self, **inputs: str) -> Ran:
        """What the action's own steps come to, a run of its own."""
        self.run, self.files = None, {}
        return self.runner.run(ROOT / "action.yml", **{"github_token": self.github.token("read"), "profile": "keyword", **inputs})

    def comment(self, run: Run | None = None, **inputs: str) -> Ran:
        """What the steps of the action that comments come to, in a job that GitHub starts after a run."""
        of = run or self.run
        assert of is not None
        self.runner.event = {"workflow_run": {"id": str(of.id)}}
        token = self.github.token("read", "pull-requests")
        return self.runner.run(ROOT / "comment" / "action.yml", **{"github_token": token, **inputs})

    def open_pull(self, branch: str, files: Mapping[str, bytes | None], head_repository: Repository | None = None) -> str:
        """Open a pull request of one commit, or push another one to it; HEAD is its merge into main, as GitHub makes it.

        A file without content is removed.
        """
        if self.pull is None:
            self.git("checkout", "--quiet", "-B", branch)
            self.pull = self.github.add_pull(self.repository, branch, "", head_repository)
        else:
            self.git("checkout", "--quiet", branch)
        for path in [path for path, content in files.items() if content is None]:
            (self.checkout / path).unlink()
        self.pull.head_sha = self.commit({path: content for path, content in files.items() if content is not None})
        self.git("checkout", "--quiet", "--detach", "main")
        self.git("merge", "--quiet", "--no-ff", "--no-edit", branch)
        merged = self.git("rev-parse", "HEAD")
        self._tell(merged)
        return merged

    def _tell(self, merged: str) -> None:
        """Give the runner what GitHub tells of the event."""
        assert self.pull is not None
        event = self.runner.temp / "event.json"
        sides = {
            "head": {"sha": self.pull.head_sha, "ref": self.pull.branch},
            "base": {"sha": self.git("rev-parse", "main"), "ref": "main"},
        }
        told = {"number": self.pull.number, "pull_request": sides}
        event.write_text(json.dumps(told), encoding="utf-8")
        given = {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": str(event), "GITHUB_SHA": merged}
        self.runner.environment = {**self.runner.environment, **given}

    def _kept(self, inputs: Mapping[str, str]) -> Mapping[str, str]:
        """What ``actions/upload-artifact`` does."""
        path = Path(inputs["path"])
        assert ("false", "error") == (inputs["archive"], inputs["if-no-files-found"])
        if self.run is None:
            self.run = self._new_run()
        kept = self.github.add_artifact(self.repository, self.run, path.name, path.read_bytes())
        self.files[path.name] = path.read_bytes()
        return {"artifact-id": str(kept.id), "artifact-digest": str(kept.digest)}

    def _new_run(self) -> Run:
        if self.pull is None:
            return self.github.add_run(self.repository, self.git("rev-parse", "HEAD"), path=WORKFLOW)
        named: dict[str, Any] = {"event": "pull_request", "branch": self.pull.branch, "path": WORKFLOW}
        return self.github.add_run(self.repository, self.pull.head_sha, head_repository=self.pull.head_repository, **named)


@contextmanager
def project_running(place: Path) -> Iterator[Project]:
    """``octo/pantry``, its first commit checked out."""
    with github_running() as github:
        repository = github.add_repository("octo/pantry")
        checkout, temp = place / "checkout", place / "temp"
        checkout.mkdir(parents=True)
        for name in VENVS:
            (temp / name / "bin").mkdir(parents=True)
            for program in (Path(sys.executable).parent / "hardtack", Path(sys.executable)):
                (temp / name / "bin" / program.name).write_text(f'#!/bin/sh\nexec "{program}" "$@"\n', encoding="utf-8")
                (temp / name / "bin" / program.name).chmod(0o755)
        environment = {
            "GITHUB_API_URL": github.api,
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": repository.full_name,
            "GITHUB_WORKFLOW_REF": f"{repository.full_name}/{WORKFLOW}@refs/heads/main",
        }
        runner = Runner(temp, checkout, environment, {}, skips=INSTALLING)
        made = Project(github, repository, checkout, runner)
        runner.actions = {
            "actions/setup-python": lambda inputs: {"python-path": sys.executable},
            "actions/upload-artifact": made._kept,
        }
        made.git("init", "--quiet", "--initial-branch=main")
        made.git("remote", "add", "origin", "https://github.com/octo/pantry.git")
        many = {f"shelf_{number}.py": b"def jar_%d():\n    return %d\n" % (number, number) for number in range(12)}
        made.commit({"pantry/shelf.py": b"class Shelf:\n    def oldest(self):\n        return 1\n", **many})
        yield made
