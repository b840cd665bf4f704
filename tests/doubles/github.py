"""GitHub on this machine: its REST API, the host that takes uploads and the one that keeps files, as far as bundles need them.

Three servers, as at GitHub: whoever asks the API for an artifact is sent to another host with a signed address, which refuses a
token; assets are uploaded to a third. What the API answers, errors too, is held against GitHub's published description as it is
sent, and so is what it is asked (``fixtures/github/openapi.json``); ``faults`` lists what did not fit, and must stay empty.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import secrets
import socket
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit

from openapi import Description, Operation

DESCRIPTION = Path(__file__).parents[2] / "fixtures" / "github" / "openapi.json"
WORKFLOW = ".github/workflows/index.yml"
_WHEN = "2026-11-22T10:00:00Z"
_MEDIA = "application/json; charset=utf-8"


@dataclass
class Run:
    id: int
    head_sha: str
    event: str
    branch: str
    path: str
    head_repository: Repository
    status: str = "completed"
    conclusion: str | None = "success"


@dataclass
class Artifact:
    id: int
    name: str
    run: Run
    content: bytes
    expired: bool = False
    digest: str | None = None
    created_at: str = _WHEN


@dataclass
class Asset:
    id: int
    name: str
    content: bytes
    state: str = "uploaded"


@dataclass
class Release:
    id: int
    tag: str
    draft: bool = False
    immutable: bool = False
    assets: list[Asset] = field(default_factory=list)


@dataclass
class Repository:
    id: int
    full_name: str
    private: bool = False
    default_branch: str = "main"
    branches: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """Name to (commit, whether it is protected)."""
    elsewhere: set[str] = field(default_factory=set)
    """Commits that are on no branch; all others are on each."""
    tags: dict[str, str] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    releases: list[Release] = field(default_factory=list)
    pulls: list[Pull] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    """Of all issues and pull requests, oldest first."""


@dataclass
class Comment:
    id: int
    number: int
    """Of the issue or pull request."""
    author: str
    body: str
    edits: int = 0


@dataclass
class Pull:
    id: int
    number: int
    branch: str
    head_sha: str
    head_repository: Repository | None
    """None once it was deleted."""
    base: str = "main"
    state: str = "open"


@dataclass(frozen=True)
class Request:
    host: str
    """``api``, ``uploads`` or ``storage``."""
    method: str
    target: str
    headers: Mapping[str, str]


@dataclass
class Reply:
    status: int
    document: Any = None
    headers: dict[str, str] = field(default_factory=dict)


class Refusal(Exception):
    def __init__(
        self, status: int, message: str, headers: Mapping[str, str] | None = None, errors: list[dict[str, str]] | None = None
    ) -> None:
        super().__init__(message)
        document: dict[str, Any] = {"message": message, "documentation_url": "https://docs.github.com/rest"}
        document |= {"errors": errors} if errors else {}
        self.reply = Reply(status, document, dict(headers or {}))


class GitHub:
    """Runs in threads for as long as it is entered; several may run at once."""

    def __init__(self) -> None:
        self.description = Description(json.loads(DESCRIPTION.read_text(encoding="utf-8")))
        self.repositories: dict[str, Repository] = {}
        self.requests: list[Request] = []
        """In the order they came."""
        self.faults: list[str] = []
        """What a request or an answer had that GitHub's description does not know."""
        self.tokens: dict[str, frozenset[str]] = {}
        """Token to what it may: ``read``, ``write`` contents, ``pull-requests`` to write to these."""
        self.allowance: int | None = None
        """How many more requests the API answers before the primary rate limit; None is no end."""
        self.refusals: list[Refusal] = []
        """What the next requests of the API are answered with, in order."""
        self.storage_faults: list[Callable[[_Storage, bytes], bool]] = []
        """Each takes one download and may answer it itself."""
        self.redirect_to = ""
        """Where downloads are sent instead of to the storage."""
        self.half_uploads = 0
        """How many uploads break off half way, leaving an asset that is not finished."""
        self.writes_as = "github-actions[bot]"
        """Login of whoever writes a comment."""
        self.assets_taken = 1000
        """Files that a release takes."""
        self.signatures: dict[str, tuple[bytes, str]] = {}
        self._ids = count(1001)
        self._servers: list[ThreadingHTTPServer] = []
        self.api = self.uploads = self.storage = ""

    def __enter__(self) -> Self:
        made = []
        for host, handler in (("127.0.0.1", _Api), ("127.0.0.1", _Uploads), ("127.0.0.2", _Storage)):
            server = ThreadingHTTPServer((host, 0), type(handler.__name__, (handler,), {"github": self}))
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
            self._servers.append(server)
            made.append(f"http://{host}:{server.server_port}")
        self.api, self.uploads, self.storage = made
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    # What a test puts there

    def token(self, *rights: str) -> str:
        """A new token that may ``read``, or also ``write`` and the like."""
        made = f"made-up-{secrets.token_hex(12)}"
        self.tokens[made] = frozenset(rights or ("read",))
        return made

    def add_repository(
        self, full_name: str, *, private: bool = False, branches: Mapping[str, tuple[str, bool]] | None = None
    ) -> Repository:
        """A repository whose default branch is ``main``."""
        made = Repository(next(self._ids), full_name, private, branches=dict(branches or {}))
        self.repositories[full_name] = made
        return made

    def add_run(
        self,
        repository: Repository,
        head_sha: str,
        *,
        event: str = "push",
        branch: str = "main",
        path: str = WORKFLOW,
        head_repository: Repository | None = None,
    ) -> Run:
        run = Run(next(self._ids), head_sha, event, branch, path, head_repository or repository)
        repository.runs.append(run)
        return run

    def add_artifact(
        self, repository: Repository, run: Run, name: str, file: bytes, *, zipped: bool = False, **fields: Any
    ) -> Artifact:
        """An artifact of one file, kept as it is, as ``archive: false`` does, or in a zip."""
        content = zip_of({name: file}) if zipped else file
        fields.setdefault("digest", f"sha256:{hashlib.sha256(content).hexdigest()}")
        made = Artifact(next(self._ids), name, run, content, **fields)
        repository.artifacts.append(made)
        return made

    def add_pull(self, repository: Repository, branch: str, head_sha: str, head_repository: Repository | None = None) -> Pull:
        """An open pull request; from the repository itself unless another is given."""
        made = Pull(next(self._ids), len(repository.pulls) + 1, branch, head_sha, head_repository or repository)
        repository.pulls.append(made)
        return made

    def add_comment(self, repository: Repository, number: int, author: str, body: str) -> Comment:
        made = Comment(next(self._ids), number, author, body)
        repository.comments.append(made)
        return made

    def add_release(
        self, repository: Repository, tag: str, commit: str, *, draft: bool = False, immutable: bool = False
    ) -> Release:
        release = Release(next(self._ids), tag, draft, immutable)
        repository.releases.insert(0, release)
        if not draft:
            repository.tags[tag] = commit
        return release

    def add_asset(self, release: Release, name: str, content: bytes, *, state: str = "uploaded") -> Asset:
        asset = Asset(next(self._ids), name, content, state)
        release.assets.append(asset)
        return asset

    def asked(self, host: str) -> list[Request]:
        return [request for request in self.requests if request.host == host]

    # What the API answers: one method for each operation of the description

    def repos_get(self, call: Call) -> Reply:
        return Reply(200, self._repository(call.repository))

    def actions_list_artifacts_for_repo(self, call: Call) -> Reply:
        wanted = call.query.get("name")
        found = [each for each in reversed(call.repository.artifacts) if wanted in (None, each.name)]
        page, headers = call.page(found)
        shown = [self._artifact(call.repository, each) for each in page]
        return Reply(200, {"total_count": len(found), "artifacts": shown}, headers)

    def actions_get_artifact(self, call: Call) -> Reply:
        return Reply(200, self._artifact(call.repository, call.one_of(call.repository.artifacts, "artifact_id")))

    def actions_download_artifact(self, call: Call) -> Reply:
        artifact = call.one_of(call.repository.artifacts, "artifact_id")
        if not call.rights:
            raise Refusal(401, "Requires authentication")
        if artifact.expired:
            raise Refusal(410, "Artifact has expired")
        return Reply(302, headers={"Location": self._signed(artifact.content, "application/zip")})

    def actions_list_workflow_run_artifacts(self, call: Call) -> Reply:
        run, wanted = call.one_of(call.repository.runs, "run_id"), call.query.get("name")
        found = [each for each in reversed(call.repository.artifacts) if each.run is run and wanted in (None, each.name)]
        page, headers = call.page(found)
        shown = [self._artifact(call.repository, each) for each in page]
        return Reply(200, {"total_count": len(found), "artifacts": shown}, headers)

    def actions_get_workflow_run(self, call: Call) -> Reply:
        return Reply(200, self._run(call.repository, call.one_of(call.repository.runs, "run_id")))

    def actions_list_workflow_runs(self, call: Call) -> Reply:
        file, asked = call.arguments["workflow_id"], call.query
        found = [
            run
            for run in reversed(call.repository.runs)
            if run.path.partition("@")[0].rsplit("/", 1)[-1] == file
            and asked.get("branch", run.branch) == run.branch
            and asked.get("event", run.event) == run.event
            and asked.get("status", run.conclusion) in (run.status, run.conclusion)
            and asked.get("head_sha", run.head_sha) == run.head_sha
        ]
        if not found and not any(run.path.rsplit("/", 1)[-1] == file for run in call.repository.runs):
            raise Refusal(404, "Not Found")
        page, headers = call.page(found)
        return Reply(200, {"total_count": len(found), "workflow_runs": [self._run(call.repository, run) for run in page]}, headers)

    def repos_get_branch(self, call: Call) -> Reply:
        name = call.arguments["branch"]
        if name not in call.repository.branches:
            raise Refusal(404, "Branch not found")
        commit, protected = call.repository.branches[name]
        fill = self.description.filled
        known = {"name": name, "commit": self._commit(commit), "protected": protected}
        return Reply(200, fill("branch-with-protection", known))

    def repos_get_commit(self, call: Call) -> Reply:
        ref, repository = call.arguments["ref"], call.repository
        heads = {f"heads/{name}": commit for name, (commit, _) in repository.branches.items()}
        tags = {f"tags/{name}": commit for name, commit in repository.tags.items()}
        known = {**heads, **tags, **{name.partition("/")[2]: commit for name, commit in {**tags, **heads}.items()}}
        commit = known.get(ref) or (ref if re.fullmatch("[0-9a-f]{40}", ref) and ref in known.values() else "")
        if not commit:
            raise Refusal(422, f"No commit found for SHA: {ref}")
        return Reply(200, self._commit(commit))

    def repos_compare_commits_with_basehead(self, call: Call) -> Reply:
        base, _, head = call.arguments["basehead"].partition("...")
        status = "diverged" if head in call.repository.elsewhere else "identical" if head == base else "behind"
        known = {"status": status, "base_commit": self._commit(base), "merge_base_commit": self._commit(base), "commits": []}
        return Reply(200, self.description.filled("commit-comparison", known))

    def repos_list_releases(self, call: Call) -> Reply:
        shown = [release for release in call.repository.releases if not release.draft or "write" in call.rights]
        page, headers = call.page(shown)
        return Reply(200, [self._release(call.repository, release) for release in page], headers)

    def repos_create_release(self, call: Call) -> Reply:
        call.require_writing()
        asked = json.loads(call.body)
        if any(release.tag == asked["tag_name"] for release in call.repository.releases):
            raise Refusal(422, "Validation Failed", errors=[{"resource": "Release", "code": "already_exists", "field": "tag_name"}])
        commit = call.repository.branches[call.repository.default_branch][0]
        release = self.add_release(call.repository, asked["tag_name"], commit, draft=asked.get("draft", False))
        return Reply(201, self._release(call.repository, release))

    def repos_get_release_by_tag(self, call: Call) -> Reply:
        for release in call.repository.releases:
            if release.tag == call.arguments["tag"] and not release.draft:
                return Reply(200, self._release(call.repository, release))
        raise Refusal(404, "Not Found")

    def repos_list_release_assets(self, call: Call) -> Reply:
        release = call.one_of(call.repository.releases, "release_id")
        page, headers = call.page(release.assets)
        return Reply(200, [self._asset(call.repository, release, asset) for asset in page], headers)

    def repos_upload_release_asset(self, call: Call) -> Reply:
        call.require_writing()
        release = call.one_of(call.repository.releases, "release_id")
        name = re.sub(r"[^A-Za-z0-9._+-]", ".", call.query["name"])
        if release.immutable and not release.draft:
            raise Refusal(422, "Cannot upload assets to an immutable release.")
        if any(asset.name == name for asset in release.assets):
            raise Refusal(
                422, "Validation Failed", errors=[{"resource": "ReleaseAsset", "code": "already_exists", "field": "name"}]
            )
        if len(release.assets) >= self.assets_taken:
            raise Refusal(422, "Validation Failed", errors=[{"resource": "ReleaseAsset", "code": "custom", "field": "file_count"}])
        asset = Asset(next(self._ids), name, call.body)
        release.assets.append(asset)
        if self.half_uploads:
            self.half_uploads -= 1
            asset.state, asset.content = "open", call.body[: len(call.body) // 2]
            raise Refusal(502, "Server Error")
        return Reply(201, self._asset(call.repository, release, asset))

    def repos_get_release_asset(self, call: Call) -> Reply:
        release, asset = self._asset_named(call)
        if release.draft and "write" not in call.rights:
            raise Refusal(404, "Not Found")
        if call.headers.get("Accept") == "application/octet-stream":
            return Reply(302, headers={"Location": self._signed(asset.content, "application/octet-stream")})
        return Reply(200, self._asset(call.repository, release, asset))

    def repos_delete_release_asset(self, call: Call) -> Reply:
        call.require_writing()
        release, asset = self._asset_named(call)
        release.assets.remove(asset)
        return Reply(204)

    def pulls_list(self, call: Call) -> Reply:
        state, head = call.query.get("state", "open"), call.query.get("head")
        found = [
            pull
            for pull in reversed(call.repository.pulls)
            if state in ("all", pull.state) and head in (None, self._head(call.repository, pull))
        ]
        page, headers = call.page(found)
        return Reply(200, [self._pull(call.repository, pull) for pull in page], headers)

    def issues_list_comments(self, call: Call) -> Reply:
        number = self._numbered(call)
        page, headers = call.page([each for each in call.repository.comments if each.number == number])
        return Reply(200, [self._comment(call.repository, each) for each in page], headers)

    def issues_create_comment(self, call: Call) -> Reply:
        call.require("pull-requests")
        number, body = self._numbered(call), self._comment_body(call)
        made = self._comment(call.repository, self.add_comment(call.repository, number, self.writes_as, body))
        return Reply(201, made, {"Location": made["url"]})

    def issues_update_comment(self, call: Call) -> Reply:
        call.require("pull-requests")
        comment = call.one_of(call.repository.comments, "comment_id")
        comment.body, comment.edits = self._comment_body(call), comment.edits + 1
        return Reply(200, self._comment(call.repository, comment))

    def issues_delete_comment(self, call: Call) -> Reply:
        call.require("pull-requests")
        call.repository.comments.remove(call.one_of(call.repository.comments, "comment_id"))
        return Reply(204)

    # What the answers are made of

    def _numbered(self, call: Call) -> int:
        number = int(call.arguments["issue_number"])
        if number not in {pull.number for pull in call.repository.pulls}:
            raise Refusal(404, "Not Found")
        return number

    def _comment_body(self, call: Call) -> str:
        body: str = json.loads(call.body)["body"]
        if len(body) > 65_536:
            raise Refusal(422, "Validation Failed", errors=[{"resource": "IssueComment", "code": "custom", "field": "body"}])
        return body

    def _head(self, repository: Repository, pull: Pull) -> str:
        owner = (pull.head_repository or repository).full_name.split("/")[0]
        return f"{owner}:{pull.branch}"

    def _pull(self, repository: Repository, pull: Pull) -> dict[str, Any]:
        def end(of: Repository | None, ref: str, sha: str) -> dict[str, Any]:
            user = self.description.filled("simple-user", {"login": (of or repository).full_name.split("/")[0]})
            shown = self._repository(of, "repository") if of else None
            return {"label": f"{user['login']}:{ref}", "ref": ref, "sha": sha, "repo": shown, "user": user}

        known = {
            "id": pull.id,
            "number": pull.number,
            "state": pull.state,
            "head": end(pull.head_repository, pull.branch, pull.head_sha),
            "base": end(repository, pull.base, "0" * 40),
            "created_at": _WHEN,
            "updated_at": _WHEN,
        }
        return self.description.filled("pull-request-simple", known)

    def _comment(self, repository: Repository, comment: Comment) -> dict[str, Any]:
        kind = "Bot" if comment.author.endswith("[bot]") else "User"
        known = {
            "id": comment.id,
            "body": comment.body,
            "user": self.description.filled("simple-user", {"login": comment.author, "type": kind}),
            "url": self._url(repository, f"/issues/comments/{comment.id}"),
            "issue_url": self._url(repository, f"/issues/{comment.number}"),
            "created_at": _WHEN,
            "updated_at": _WHEN,
        }
        return self.description.filled("issue-comment", known)

    def _asset_named(self, call: Call) -> tuple[Release, Asset]:
        for release in call.repository.releases:
            for asset in release.assets:
                if str(asset.id) == call.arguments["asset_id"]:
                    return release, asset
        raise Refusal(404, "Not Found")

    def _signed(self, content: bytes, kind: str) -> str:
        if self.redirect_to:
            return self.redirect_to
        key = secrets.token_hex(16)
        self.signatures[key] = (content, kind)
        return f"{self.storage}/files/{hashlib.sha256(content).hexdigest()[:16]}?{urlencode({'sig': key, 'se': _WHEN})}"

    def _url(self, repository: Repository, rest: str = "") -> str:
        return f"{self.api}/repos/{repository.full_name}{rest}"

    def _repository(self, repository: Repository, schema: str = "full-repository") -> dict[str, Any]:
        owner, name = repository.full_name.split("/")
        known: dict[str, Any] = {
            "id": repository.id,
            "name": name,
            "full_name": repository.full_name,
            "owner": self.description.filled("simple-user", {"login": owner}),
            "private": repository.private,
            "visibility": "private" if repository.private else "public",
            "default_branch": repository.default_branch,
            "url": self._url(repository),
        }
        return self.description.filled(schema, known)

    def _run(self, repository: Repository, run: Run) -> dict[str, Any]:
        known = {
            "id": run.id,
            "event": run.event,
            "head_branch": run.branch,
            "head_sha": run.head_sha,
            "path": run.path,
            "status": run.status,
            "conclusion": run.conclusion,
            "repository": self._repository(repository, "minimal-repository"),
            "head_repository": self._repository(run.head_repository, "minimal-repository"),
            "pull_requests": [],
            "created_at": _WHEN,
            "updated_at": _WHEN,
        }
        return self.description.filled("workflow-run", known)

    def _artifact(self, repository: Repository, artifact: Artifact) -> dict[str, Any]:
        url = self._url(repository, f"/actions/artifacts/{artifact.id}")
        run = artifact.run
        known = {
            "id": artifact.id,
            "name": artifact.name,
            "size_in_bytes": len(artifact.content),
            "url": url,
            "archive_download_url": f"{url}/zip",
            "expired": artifact.expired,
            "created_at": artifact.created_at,
            "updated_at": artifact.created_at,
            "expires_at": artifact.created_at,
            "digest": artifact.digest,
            "workflow_run": {
                "id": run.id,
                "repository_id": repository.id,
                "head_repository_id": run.head_repository.id,
                "head_branch": run.branch,
                "head_sha": run.head_sha,
            },
        }
        return self.description.filled("artifact", known)

    def _commit(self, commit: str) -> dict[str, Any]:
        return self.description.filled("commit", {"sha": commit})

    def _release(self, repository: Repository, release: Release) -> dict[str, Any]:
        url = self._url(repository, f"/releases/{release.id}")
        known = {
            "id": release.id,
            "url": url,
            "assets_url": f"{url}/assets",
            "upload_url": f"{self.uploads}/repos/{repository.full_name}/releases/{release.id}/assets{{?name,label}}",
            "tag_name": release.tag,
            "target_commitish": repository.default_branch,
            "draft": release.draft,
            "immutable": release.immutable,
            "created_at": _WHEN,
            "published_at": None if release.draft else _WHEN,
            "assets": [self._asset(repository, release, asset) for asset in release.assets],
        }
        return self.description.filled("release", known)

    def _asset(self, repository: Repository, release: Release, asset: Asset) -> dict[str, Any]:
        known = {
            "id": asset.id,
            "name": asset.name,
            "size": len(asset.content),
            "state": asset.state,
            "digest": f"sha256:{hashlib.sha256(asset.content).hexdigest()}" if asset.state == "uploaded" else None,
            "content_type": "application/octet-stream",
            "url": self._url(repository, f"/releases/assets/{asset.id}"),
            "browser_download_url": f"{self.storage}/{repository.full_name}/releases/download/{quote(release.tag)}/{asset.name}",
        }
        return self.description.filled("release-asset", known)


@dataclass
class Call:
    """One request to the API, understood."""

    github: GitHub
    repository: Repository
    arguments: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    rights: frozenset[str]
    target: str
    body: bytes

    def page(self, items: list[Any]) -> tuple[list[Any], dict[str, str]]:
        """The part of a list that was asked for, and the ``Link`` to the rest."""
        size, page = min(int(self.query.get("per_page", 30)), 100), int(self.query.get("page", 1))
        last = max(1, -(-len(items) // size))
        links = [
            f'<{self.github.api}{urlsplit(self.target).path}?{urlencode({**self.query, "page": number})}>; rel="{rel}"'
            for rel, number, there in (("prev", page - 1, page > 1), ("next", page + 1, page < last), ("last", last, page < last))
            if there
        ]
        return items[(page - 1) * size : page * size], {"Link": ", ".join(links)} if links else {}

    def one_of(self, items: list[Any], name: str) -> Any:
        for item in items:
            if str(item.id) == self.arguments[name]:
                return item
        raise Refusal(404, "Not Found")

    def require_writing(self) -> None:
        self.require("write")

    def require(self, right: str) -> None:
        if not self.rights:
            raise Refusal(401, "Requires authentication")
        if right not in self.rights:
            raise Refusal(403, "Resource not accessible by integration")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    github: GitHub
    host = ""

    def note(self) -> None:
        self.github.requests.append(Request(self.host, self.command, self.path, dict(self.headers)))

    def send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is printed."""


class _Api(_Handler):
    host = "api"

    def answer(self) -> None:
        self.note()
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        github, path = self.github, urlsplit(self.path).path
        operation = github.description.operation(self.command, path)
        try:
            reply = self._reply(operation, body)
        except Refusal as refusal:
            reply = refusal.reply
        if operation:
            faults = github.description.faults_of_answer(operation, reply.status, reply.headers, reply.document)
            github.faults += [f"answer to {operation.id}: {fault}" for fault in faults]
        content = b"" if reply.document is None else json.dumps(reply.document).encode()
        headers = {**self._limits(), **({"Content-Type": _MEDIA} if content else {}), **reply.headers}
        if reply.status == 200:
            headers["ETag"] = f'W/"{hashlib.sha256(content).hexdigest()}"'
            if self.headers.get("If-None-Match") == headers["ETag"]:
                return self.send(304, {key: value for key, value in headers.items() if key != "Content-Type"}, b"")
        return self.send(reply.status, headers, content)

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def do_DELETE(self) -> None:
        self.answer()

    def do_PATCH(self) -> None:
        self.answer()

    def _reply(self, operation: Operation | None, body: bytes) -> Reply:
        github = self.github
        if not self.headers.get("User-Agent"):
            raise Refusal(403, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header")
        if github.refusals:
            raise github.refusals.pop(0)
        if github.allowance is not None:
            if github.allowance <= 0:
                raise Refusal(403, "API rate limit exceeded for 127.0.0.1.")
            github.allowance -= 1
        if operation is None:
            raise Refusal(404, "Not Found")
        faults = github.description.faults_of_request(operation, self.path, body)
        github.faults += [f"question to {operation.id}: {fault}" for fault in faults]
        if operation.id == "repos/upload-release-asset" and self.host != "uploads":
            raise Refusal(404, "Not Found")
        return self._operate(operation, body)

    def _operate(self, operation: Operation, body: bytes) -> Reply:
        said = self.headers.get("Authorization", "")
        token = said.removeprefix("Bearer ")
        if said and token not in self.github.tokens:
            raise Refusal(401, "Bad credentials")
        rights = self.github.tokens.get(token, frozenset())
        repository = self.github.repositories.get(f"{operation.arguments['owner']}/{operation.arguments['repo']}")
        if repository is None or (repository.private and not rights):
            raise Refusal(404, "Not Found")
        query = dict(parse_qsl(urlsplit(self.path).query))
        call = Call(self.github, repository, operation.arguments, query, self.headers, rights, self.path, body)  # type: ignore[arg-type]
        method: Callable[[Call], Reply] = getattr(self.github, re.sub("[/-]", "_", operation.id))
        return method(call)

    def _limits(self) -> dict[str, str]:
        left = self.github.allowance
        return {
            "x-ratelimit-limit": "60",
            "x-ratelimit-remaining": str(60 if left is None else max(left, 0)),
            "x-ratelimit-reset": str(int(time.time()) + 1800),
            "x-ratelimit-resource": "core",
            "x-github-api-version-selected": "2022-11-28",
            "x-github-request-id": secrets.token_hex(8),
        }


class _Uploads(_Api):
    host = "uploads"


class _Storage(_Handler):
    """Where files lie: takes the signature in the address, and nothing else."""

    host = "storage"

    def do_GET(self) -> None:
        self.note()
        if self.headers.get("Authorization"):
            return self.send(400, {}, b"InvalidAuthenticationInfo")
        signature = parse_qs(urlsplit(self.path).query).get("sig", [""])[0]
        if signature not in self.github.signatures:
            return self.send(403, {}, b"AuthenticationFailed")
        content, kind = self.github.signatures[signature]
        if self.github.storage_faults and self.github.storage_faults.pop(0)(self, content):
            return None
        headers = {"Content-Type": kind, "ETag": f'"{hashlib.sha256(content).hexdigest()[:16]}"', "Accept-Ranges": "bytes"}
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if asked and self.headers.get("If-Range", headers["ETag"]) == headers["ETag"]:
            start = int(asked[1])
            if start >= len(content):
                return self.send(416, {"Content-Range": f"bytes */{len(content)}"}, b"")
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
            return self.send(206, headers, content[start:])
        return self.send(200, headers, content)

    def cut_after(self, content: bytes, size: int) -> None:
        """Promise everything, give ``size`` bytes, and hang up."""
        self.send_response(200)
        for name, value in (
            ("Content-Length", str(len(content))),
            ("ETag", f'"{hashlib.sha256(content).hexdigest()[:16]}"'),
            ("Accept-Ranges", "bytes"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content[:size])
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True


def secondary_limit(status: int = 403, seconds: int = 1) -> Refusal:
    """What GitHub says to who asks too fast."""
    return Refusal(status, "You have exceeded a secondary rate limit. Please wait a few minutes.", {"Retry-After": str(seconds)})


def zip_of(files: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


@contextmanager
def github_running() -> Iterator[GitHub]:
    """A GitHub whose every exchange must fit its description."""
    with GitHub() as github:
        yield github
    assert [] == github.faults
