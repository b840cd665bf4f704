"""The action's steps, run as a runner runs them, with a GitHub on this machine: packs built, kept, reused, published, pulled."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from github import Refusal
from planted import RULES, contexts_of, planted
from projects import Project, project_running
from runner import Ran

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.build.reuse.base_bundle import SAMPLED_FILES
from hardtack.bundle.format import layout
from hardtack.bundle.format.pack import open_pack
from hardtack.bundle.reader import open_bundle
from hardtack.store.sources.github import WORKFLOW

ROOT = Path(__file__).parents[2]
HARDTACK = Path(sys.executable).parent / "hardtack"

HOSTILE = (
    "::set-output name=pack-digest::x",
    "::error file=a,line=1::boo",
    "##[set-env name=PATH]x",
    "%0A::warning::y",
    "a](https:%2F%2Fevil.example) ![x](y)",
    "`<img src=x onerror=alert(1)>`",
    "@everyone #1 *bold* _it_ ~~no~~ |",
    "$(touch injected);`touch injected`",
    "\x1b[31mred\x1b[0m",
    "new\nline",
)
"""Beginnings of names of files."""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """``octo/pantry``, its first commit checked out."""
    with project_running(tmp_path) as made:
        yield made


def _full(project: Project, place: Path, profile: str = "keyword") -> str:
    """The digest of a build of HEAD with nothing taken over."""
    return build_bundle(project.checkout, place, BuildOptions(profile=profile, base="none", jobs=1, history=200)).digest


def test_a_run_gives_a_pack_and_says_what_is_in_it(project: Project, tmp_path: Path) -> None:
    head = project.git("rev-parse", "HEAD")
    ran = project.build(profile="hybrid", base="none", check_reproducible="true")
    assert 0 == ran.code, ran.log
    pack, outputs = Path(ran.outputs["pack-path"]), ran.outputs
    assert f"hardtack-f1-{head}-hybrid.hardtack" == outputs["pack-name"] == pack.name
    assert f"sha256:{hashlib.sha256(pack.read_bytes()).hexdigest()}" == outputs["pack-digest"] == outputs["artifact-digest"]
    assert _full(project, tmp_path / "full", "hybrid") == outputs["bundle-digest"]
    with open_bundle(pack) as opened:
        manifest = opened.manifest
    with open_pack(pack) as closed:
        assert layout.READINGS not in closed.members()  # for readers alone
    assert (head, "github.com/octo/pantry", False) == (
        manifest.provenance.commit,
        manifest.provenance.repository,
        manifest.provenance.is_dirty,
    )
    shown = {"commit": head, "root": "", "format": "1", "files": "13", "chunks": str(manifest.counts.chunks), "reused": "0"}
    assert shown == {name: outputs[name] for name in shown}
    assert [pack.name] == [artifact.name for artifact in project.repository.artifacts]
    assert "yes: a second build gave the same bundle" in ran.summary
    assert [] == ran.annotations
    document = json.loads((pack.parent / "build.json").read_text(encoding="ascii"))
    assert (outputs["pack-digest"], True, 13) == (
        document["pack_digest"],
        document["is_reproducible"],
        document["build"]["files_indexed"],
    )


def test_files_beside_the_commit_do_not_get_in(project: Project, tmp_path: Path) -> None:
    (project.checkout / "untracked.py").write_bytes(b"SECRET = 'not committed'\n")
    (project.checkout / "shelf_1.py").write_bytes(b"def changed(): ...\n")
    ran = project.build()
    project.git("stash", "--quiet", "--include-untracked")
    assert _full(project, tmp_path / "full") == ran.outputs["bundle-digest"]


def test_the_next_run_takes_over_what_is_unchanged_and_gives_the_same_bundle(project: Project, tmp_path: Path) -> None:
    first = project.build()
    project.commit({"pantry/lid.py": b"def lid():\n    return 2\n"})
    project.commit({"pantry/shelf.py": b"class Shelf:\n    def newest(self):\n        return 2\n"})
    second = project.build()
    assert [] == second.annotations
    with open_pack(Path(second.outputs["pack-path"])) as pack:
        assert layout.READINGS in pack.members()
    assert 12 - SAMPLED_FILES <= int(second.outputs["reused"]) <= 12
    assert f"<code>{first.outputs['commit'][:12]}</code>, {second.outputs['reused']} files taken over" in second.summary
    assert _full(project, tmp_path / "full") == second.outputs["bundle-digest"]


def test_a_base_that_is_named_by_its_digest_is_the_only_one_taken(project: Project) -> None:
    first = project.build()
    project.commit({"lid.py": b"def lid(): ...\n"})
    for which in ("bundle-digest", "pack-digest"):
        assert "0" < project.build(base=first.outputs[which], upload_artifact="false").outputs["reused"]
    other = project.build(base=f"sha256:{'0' * 64}")
    ((level, _, message),) = other.annotations
    assert ("warning", "0") == (level, other.outputs["reused"])
    assert "not the one that was asked for" in message


TROUBLES: dict[str, Callable[[Project], object]] = {
    "a base that was cut short": lambda project: setattr(
        project.repository.artifacts[0], "content", project.repository.artifacts[0].content[:-4096]
    ),
    "a base of another commit": lambda project: _rename(project),
    "an API that is down": lambda project: project.github.refusals.extend(_down() for _ in range(8)),
}


def _rename(project: Project) -> None:
    """Offer the first commit's pack as that of the second."""
    head, artifact = project.git("rev-parse", "HEAD"), project.repository.artifacts[0]
    artifact.name, artifact.run = (
        artifact.name.replace(artifact.run.head_sha, head),
        project.github.add_run(project.repository, head, path=WORKFLOW),
    )


def _down() -> Refusal:
    return Refusal(500, "Server Error")


@pytest.mark.parametrize("trouble", TROUBLES)
def test_any_trouble_with_the_base_is_said_and_everything_built_anew(project: Project, tmp_path: Path, trouble: str) -> None:
    project.build()
    project.commit({"lid.py": b"def lid(): ...\n"})
    TROUBLES[trouble](project)
    ran = project.build(upload_artifact="false")
    assert 0 == ran.code, ran.log
    ((level, _, message),) = ran.annotations
    assert ("warning", True, "0") == (level, message.startswith("Everything is built anew: "), ran.outputs["reused"])
    assert _full(project, tmp_path / "full") == ran.outputs["bundle-digest"]


def test_a_job_that_may_not_read_artifacts_builds_anew_without_a_warning(project: Project) -> None:
    project.build()
    project.commit({"lid.py": b"def lid(): ...\n"})
    project.repository.private = True
    ran = project.build(github_token="")
    assert (0, "0", []) == (ran.code, ran.outputs["reused"], ran.annotations)


def test_names_of_files_are_shown_and_never_obeyed(project: Project) -> None:
    large = bytes(1_100_000)
    project.commit({f"large/{beginning.replace('/', '_')}.py": large for beginning in HOSTILE})
    ran = project.build(upload_artifact="false")
    assert 0 == ran.code, ran.log
    assert {"warning"} == {level for level, _, _ in ran.annotations}
    assert len(HOSTILE) >= len(ran.annotations) > 6
    assert all(set(properties) <= {"file", "title"} for _, properties, _ in ran.annotations)
    assert any(properties["file"] == "large/::set-output name=pack-digest::x.py" for _, properties, _ in ran.annotations)
    assert "##[" not in ran.log
    assert "\x1b" not in ran.log + ran.summary
    assert ran.outputs["pack-digest"].startswith("sha256:")
    assert not (project.checkout / "injected").exists()
    assert ran.summary.count("\n") <= 30
    shown = re.findall("<code>(.*?)</code>", ran.summary)
    assert all(re.fullmatch(r"(?:[A-Za-z0-9 ]|&#\d+;)*", text) for text in shown)
    assert any(html.unescape(text) == "large/`<img src=x onerror=alert(1)>`.py" for text in shown)
    rest = re.sub("<code>.*?</code>", "", ran.summary)
    assert "evil" not in rest
    assert "everyone" not in rest


def test_secrets_are_taken_out_or_end_the_run_and_are_told_by_place_and_rule_alone(project: Project) -> None:
    secret, named = planted(RULES[0], 5), planted(RULES[0], 6)
    text = next(iter(contexts_of(secret, 5).values()))[1]
    project.commit({"conf.py": f"# one\n{text}\n".encode(), f"dump-{named.value}.py": b"def dump(): ...\n"})
    ran = project.build(upload_artifact="false")
    assert (0, "2") == (ran.code, ran.outputs["redacted"]), ran.log
    assert {("warning", "2" if "conf.py" in shown["file"] else "") for _, shown, _ in ran.annotations} == {
        (level, shown.get("line", "")) for level, shown, _ in ran.annotations
    }
    assert 2 == sum(RULES[0].name in message for _, _, message in ran.annotations)
    failed = project.build(secrets="fail", upload_artifact="false")
    assert (6, "error") == (failed.code, failed.annotations[-1][0])
    kept = project.build(secrets="warn", upload_artifact="false")
    assert (0, "0", True) == (kept.code, kept.outputs["redacted"], "secrets **kept**" in kept.summary)
    told = "".join((each.log + each.summary) for each in (ran, failed, kept))
    build = (Path(ran.outputs["pack-path"]).parent / "build.json").read_text(encoding="ascii")
    for each in (secret, named):
        assert each.value not in told + build
        assert html.escape(each.value) not in html.unescape(told)


REFUSED = {
    "secrets": ("keep", 2),
    "profile": ("lexical", 2),
    "text": ("snippets", 2),
    "base": ("main", 2),
    "max-size-mb": ("1e3", 2),
    "history": ("-1", 2),
    "summary": ("yes", 2),
    "check-reproducible": ("1", 2),
    "repository-path": ("nowhere", 2),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_input_that_cannot_be_meant_ends_the_run_and_is_named(project: Project, name: str) -> None:
    value, code = REFUSED[name]
    ran = project.build(**{name.replace("-", "_"): value})
    assert code == ran.code
    ((level, _, message),) = ran.annotations
    assert ("error", True) == (level, name in message or value in message)
    assert [] == project.repository.artifacts


def test_a_pack_knows_the_last_commits_and_both_builds_agree_on_them(project: Project) -> None:
    project.commit({"pantry/shelf.py": b"class Shelf:\n    def oldest(self):\n        return 2\n"})
    ran = project.build(check_reproducible="true", upload_artifact="false")
    assert 0 == ran.code, ran.log
    with open_bundle(Path(ran.outputs["pack-path"])) as bundle:
        assert bundle.history
        assert ["more", "more"] == [bundle.history.commit(each).subject for each in range(2)]
    assert "history of 2 commits" in ran.summary
    without = project.build(history="0", upload_artifact="false")
    with open_bundle(Path(without.outputs["pack-path"])) as bundle:
        assert bundle.history is None


def test_indexes_of_compilers_reach_both_builds(project: Project, tmp_path: Path) -> None:
    fixture = ROOT / "fixtures" / "scip" / "python"
    project.commit({path.relative_to(fixture).as_posix(): path.read_bytes() for path in fixture.rglob("*.py")})
    (tmp_path / "bad.scip").write_bytes(b"bad")
    given = f"{fixture / 'index.scip'}\n  {tmp_path / 'bad.scip'}\n\n"
    ran = project.build(scip=given, check_reproducible="true", upload_artifact="false")
    assert 0 == ran.code, ran.log
    with open_bundle(Path(ran.outputs["pack-path"])) as bundle:
        assert ["scip-python", ""] == [each.name for each in bundle.manifest.indexers]
    assert "The SCIP index bad.scip was left out" in ran.log
    assert 2 == project.build(scip="absent.scip", upload_artifact="false").code


def test_a_pack_over_the_limit_ends_the_run_and_is_not_kept(project: Project) -> None:
    ran = project.build(profile="hybrid", max_size_mb="1")
    assert 4 == ran.code
    ((level, _, message),) = ran.annotations
    assert ("error", True) == (level, "over the limit of 1 MB" in message)
    assert [] == project.repository.artifacts


def test_without_a_runner_the_job_does_the_same_and_commands_are_not_printed(project: Project, tmp_path: Path) -> None:
    project.commit({"large.py": bytes(1_100_000)})
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "RUNNER_", "HARDTACK_"))}
    done = subprocess.run([HARDTACK, "ci"], cwd=project.checkout, env=environment, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    assert "hardtack: warning: large.py: Left out of the code index: too large" in done.stdout
    assert "::" not in done.stdout
    (pack,) = (project.checkout / ".hardtack" / "ci").glob("*.hardtack")
    assert "" == project.git("status", "--porcelain")
    subprocess.run([HARDTACK, "verify", pack], check=True, capture_output=True)


def _publish(project: Project, ran: Ran, **inputs: str) -> Ran:
    given = {
        "pack": ran.outputs["pack-path"],
        "pack_digest": ran.outputs["pack-digest"],
        "commit": ran.outputs["commit"],
        "to": "github:octo/pantry",
        "ref": "v1.0",
        "github_token": project.github.token("write"),
    }
    return project.runner.run(ROOT / "publish" / "action.yml", **{**given, **inputs})


def test_what_one_job_built_the_other_publishes_and_anybody_pulls(project: Project, tmp_path: Path) -> None:
    ran = project.build()
    project.github.add_release(project.repository, "v1.0", ran.outputs["commit"])
    published = _publish(project, ran)
    assert 0 == published.code, published.log
    assert f"github.com/octo/pantry release v1.0: {ran.outputs['pack-name']}" == published.outputs["address"]
    pull: list[str | Path] = [
        HARDTACK,
        "pull",
        "--from",
        "github:octo/pantry",
        "--repository",
        "github.com/octo/pantry",
        "--ref",
        "v1.0",
        "--profile",
        "keyword",
    ]
    environment = {**os.environ, **project.runner.environment, "HARDTACK_CACHE": str(tmp_path / "cache"), "PATH": "/usr/bin:/bin"}
    for name in ("HARDTACK_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"):
        environment.pop(name, None)
    done = subprocess.run(pull, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found = subprocess.run(
        [HARDTACK, "search", "oldest", "--mode", "keyword", "--json"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        check=True,
    )
    document = json.loads(found.stdout)
    assert ran.outputs["bundle-digest"] == document["bundle"]["digest"]
    assert "pantry/shelf.py" == document["hits"][0]["path"]


@pytest.mark.parametrize(
    ("inputs", "code"),
    [({"pack_digest": f"sha256:{'0' * 64}"}, 6), ({"commit": "b" * 40}, 6), ({"ref": "v9"}, 2), ({"github_token": ""}, 2)],
    ids=["another pack", "another commit", "no such release", "no token"],
)
def test_what_does_not_fit_is_not_published(project: Project, inputs: dict[str, str], code: int) -> None:
    ran = project.build(upload_artifact="false")
    release = project.github.add_release(project.repository, "v1.0", ran.outputs["commit"])
    assert code == _publish(project, ran, **inputs).code
    assert [] == release.assets


def test_unless_a_repository_is_public_a_bucket_is_held_to_be_closed(project: Project, tmp_path: Path) -> None:
    ran = project.build(upload_artifact="false")
    asked = {}
    for private in ("true", "false", ""):
        project.runner.event = {"repository": {"private": private}} if private else {}
        published = _publish(project, ran, to=str(tmp_path / f"bucket-{private}"), ref="main", github_token="")
        assert 0 == published.code, published.log
        asked[private] = "Whether anybody can read" in published.log
    assert {"true": True, "false": False, "": True} == asked
