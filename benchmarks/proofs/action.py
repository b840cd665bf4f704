"""Proves that the actions work on a runner: runs the steps of their files as a runner would, against GitHub's stand-in.

    python benchmarks/proofs/action.py REPO [--commits N]

A clone of the repository is checked out N commits back, and the action is run there, then at each commit up to HEAD: installed from
the package registry into a fresh virtual environment by its own locks, building, packing and keeping an artifact; each run but the
first takes over from the artifact of the one before. Held is: outputs, pack and bundle digests, the size of the summary; that each
bundle equals one built anew; that a checkout at HEAD, one commit behind and on a branch of its own pull what they should, and no
pull takes an artifact of a fork's run. Then ``publish/action.yml`` puts the last pack into a release, and a client without a token
pulls it. Exits 1 on any failure.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from proof import Proof, clone, environment, git, hardtack, scratch

_PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(_PROJECT / "tests" / "doubles"))

from github import GitHub, Repository, github_running  # noqa: E402
from runner import Ran, Runner  # noqa: E402

from hardtack.store.sources.github import WORKFLOW  # noqa: E402

_NAME = "octo/project"


class Stage:
    """A project on GitHub, its checkout on a runner, and clients."""

    def __init__(self, root: Path, repository: Path, github: GitHub) -> None:
        self.root, self.github = root, github
        self.repository: Repository = github.add_repository(_NAME)
        self.checkout = clone(repository, root / "work" / "checkout")
        git(self.checkout, "remote", "set-url", "origin", f"https://github.com/{_NAME}.git")
        self.environment = {
            "GITHUB_API_URL": github.api,
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": _NAME,
            "GITHUB_WORKFLOW_REF": f"{_NAME}/{WORKFLOW}@refs/heads/main",
        }
        self.head_repository = self.repository
        self.event = "push"

    def run(self, action: Path, number: int, **inputs: str) -> tuple[Ran, float]:
        """Run an action in a job of its own; with its seconds."""
        temp = self.root / f"temp-{number}"
        temp.mkdir(exist_ok=True)
        uses = {"actions/setup-python": lambda given: {"python-path": sys.executable}, "actions/upload-artifact": self._upload}
        runner = Runner(temp, self.checkout, {**self.environment, "GITHUB_SHA": git(self.checkout, "rev-parse", "HEAD")}, uses)
        started = time.monotonic()
        return runner.run(action, **inputs), time.monotonic() - started

    def _upload(self, given: Mapping[str, str]) -> Mapping[str, str]:
        path, head = Path(given["path"]), git(self.checkout, "rev-parse", "HEAD")
        run = self.github.add_run(self.repository, head, path=WORKFLOW, event=self.event, head_repository=self.head_repository)
        kept = self.github.add_artifact(self.repository, run, path.name, path.read_bytes())
        return {"artifact-id": str(kept.id), "artifact-digest": str(kept.digest)}

    def pull(self, checkout: Path, cache: str, token: str, *flags: str) -> tuple[int, str]:
        """Pull for a checkout; the exit status and the commit that came."""
        own = {"HARDTACK_CACHE": str(self.root / cache), "GH_TOKEN": token or None, "GITHUB_TOKEN": None, "HARDTACK_TOKEN": None}
        addressed = {name: self.environment[name] for name in ("GITHUB_API_URL", "GITHUB_SERVER_URL")}
        command = ["pull", "--from", f"github:{_NAME}", "--json", "--quiet", *flags]
        done = hardtack(*command, cwd=checkout, env=environment(**own, **addressed))
        return done.returncode, json.loads(done.stdout).get("commit", "") if done.returncode == 0 else done.stderr.strip()


def builds(proof: Proof, stage: Stage, commits: list[str]) -> Ran:
    """The action at each commit, oldest first; what the last one made."""
    token, ran = stage.github.token("read"), Ran()
    for number, commit in enumerate(commits):
        git(stage.checkout, "checkout", "--quiet", "--detach", commit)
        stage.repository.branches["main"] = (commit, True)
        ran, seconds = stage.run(_PROJECT / "action.yml", number, github_token=token)
        proof.claim(
            f"the action at {commit[:12]}",
            ran.code == 0,
            f"{seconds:.0f} s, installation included {ran.log[-300:] if ran.code else ''}",
        )
        if ran.code:
            proof.leave()
        pack = Path(ran.outputs["pack-path"])
        digest = f"sha256:{hashlib.sha256(pack.read_bytes()).hexdigest()}"
        proof.claim(
            "  digests of outputs, artifact and file", digest == ran.outputs["pack-digest"] == ran.outputs["artifact-digest"]
        )
        verified = hardtack("verify", pack, "--digest", ran.outputs["bundle-digest"])
        proof.claim("  the pack verifies", verified.returncode == 0, f"{pack.stat().st_size} bytes")
        proof.claim("  a summary of at most 30 lines", 0 < ran.summary.count("\n") <= 30)
        taken = int(ran.outputs["reused"])
        proof.claim("  taken over from the run before", bool(taken) == bool(number), f"{taken} of {ran.outputs['files']} files")
        anew = stage.root / f"anew-{number}"
        hardtack("build", stage.checkout, "-o", anew, "--quiet", "--base", "none")
        same = hardtack("verify", anew, "--digest", ran.outputs["bundle-digest"]).returncode == 0
        proof.claim("  the same bundle as one built anew", same)
    return ran


def pulls(proof: Proof, stage: Stage, commits: list[str]) -> None:
    """Clients at HEAD, behind it, and beside it; and what a fork made."""
    token = stage.github.token("read")
    for what, commit in (("at HEAD", commits[-1]), ("one commit behind", commits[-2])):
        git(stage.checkout, "checkout", "--quiet", "--detach", commit)
        code, found = stage.pull(stage.checkout, f"cache {what}", token)
        proof.claim(f"a client {what} pulls its own", (code, found) == (0, commit), found[:80])
    git(stage.checkout, "checkout", "--quiet", "-b", "topic", commits[-2])
    (stage.checkout / "topic.txt").write_text("more\n", encoding="utf-8")
    git(stage.checkout, "add", "topic.txt")
    git(stage.checkout, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "topic")
    code, found = stage.pull(stage.checkout, "cache topic", token)
    proof.claim("a client that diverged pulls where it left", (code, found) == (0, commits[-2]), found[:80])
    stage.head_repository, stage.event = stage.github.add_repository("mallory/project"), "pull_request"
    ran, _ = stage.run(_PROJECT / "action.yml", len(commits), github_token=token)
    stage.head_repository, stage.event = stage.repository, "push"
    code, found = stage.pull(stage.checkout, "cache fork", token, "--commit", git(stage.checkout, "rev-parse", "HEAD"))
    proof.claim("what a fork's run made is refused", ran.code == 0 and code == 6, f"exit status {code}")


def publishes(proof: Proof, stage: Stage, ran: Ran) -> None:
    """The second job, and a client of the release."""
    outputs = ran.outputs
    stage.github.add_release(stage.repository, "v1.0", outputs["commit"])
    given = {"pack": outputs["pack-path"], "pack_digest": outputs["pack-digest"], "commit": outputs["commit"]}
    given |= {"to": f"github:{_NAME}", "ref": "v1.0", "github_token": stage.github.token("write")}
    published, seconds = stage.run(_PROJECT / "publish" / "action.yml", 1000, **given)
    proof.claim(
        "publish/action.yml", published.code == 0, f"{seconds:.0f} s {published.log[-300:] if published.code else ''}".strip()
    )
    code, found = stage.pull(stage.root, "cache release", "", "--repository", f"github.com/{_NAME}", "--ref", "v1.0")
    proof.claim("a client without a token pulls the release", (code, found) == (0, outputs["commit"]), found[:80])
    leaked = [each for each in stage.github.asked("storage") if "Authorization" in each.headers]
    proof.claim("no other host was told a token", not leaked, f"{len(stage.github.requests)} requests")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--commits", type=int, default=2, metavar="N", help="how far back the first run is [2]")
    arguments = parser.parse_args()
    with scratch() as root, github_running() as github:
        proof = Proof(f"The action over {arguments.repository.name}")
        stage = Stage(root, arguments.repository, github)
        listed = git(stage.checkout, "rev-list", "--first-parent", f"--max-count={arguments.commits + 1}", "HEAD").split()
        if len(listed) < 2:
            sys.exit("the repository needs two commits")
        ran = builds(proof, stage, listed[::-1])
        pulls(proof, stage, listed[::-1])
        publishes(proof, stage, ran)
        proof.claim("every exchange fits GitHub's description", not github.faults, "; ".join(github.faults[:3]))
    proof.leave()


if __name__ == "__main__":
    main()
