"""A checkout on a runner in; its pack, ``build.json``, the step's outputs and summary out: the whole job, top to bottom.

    earlier_of         the checkout's history  -> the pack of an earlier commit, or why there is none     earlier.py
    build_bundle       the commit of HEAD      -> the bundle, unchanged files taken over                  build/
    write_pack         the bundle              -> one file                                                bundle/
    _check_size        the pack                -> an error if it is over the limit
    _is_reproducible   the commit of HEAD      -> whether a second build gives the same bundle, if wanted
    _compared          a pull request's bundle -> what it changes                                         compared.py
    _report            the result              -> build.json, outputs, summary, warnings, the note        runner.py, summary.py

Only the commit is built, never uncommitted files, and no code of the project is run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from hardtack.build.options import OwnWork
from hardtack.build.pipeline import NO_BASE, BuildOptions, build_bundle
from hardtack.build.report import BuildReport
from hardtack.build.source.secrets import path_without_secret
from hardtack.bundle.held import held_directory
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.naming import OWN_DIRECTORY
from hardtack.bundle.packing import PackInfo, write_pack
from hardtack.bundle.placing import keep_out_of_git
from hardtack.ci.compared import Compared, compared
from hardtack.ci.earlier import earlier_of
from hardtack.ci.inputs import Inputs
from hardtack.ci.pull_request import pull_request_of
from hardtack.ci.runner import Runner
from hardtack.ci.summary import JobResult, render_summary
from hardtack.comment.note import NAME, note_to_json
from hardtack.descriptors import replace_file, work_directory
from hardtack.errors import BuildError, HardtackError, SourceError, UsageError
from hardtack.git import repository_of
from hardtack.nouns.outline import SkipReason
from hardtack.store.history import History
from hardtack.store.sources.github_names import FORMAT, pack_name
from hardtack.store.sources.named import SourceSettings, source_of

_MEGABYTE: Final = 1 << 20
_WARNED_OF: Final = (SkipReason.TOO_LARGE, SkipReason.UNREADABLE, SkipReason.UNSAFE_PATH)
"""Reasons for leaving a file out that get a warning, because somebody may miss the file."""


class Place(NamedTuple):
    """The directory for all results."""

    start: Path
    """What was named; links are followed in it, and not below it."""
    names: tuple[str, ...] = ()
    """Directories below it, each inside the one before."""

    @property
    def path(self) -> Path:
        """The whole path."""
        return self.start.joinpath(*self.names)


def place_of(output: Path | None, inputs: Inputs, runner: Runner) -> Place:
    """The directory of the pack: the one that was named, else ``RUNNER_TEMP/hardtack``; without a runner, the repository's own."""
    if output:
        return Place(output)
    if runner.temporary:
        return Place(runner.temporary / "hardtack")
    return Place(inputs.repository_path, (OWN_DIRECTORY, "ci"))


def run(
    inputs: Inputs, runner: Runner, place: Place, options: BuildOptions, settings: SourceSettings, own: OwnWork | None = None
) -> None:
    """Run the job; the lines to print are in ``runner.lines`` afterwards.

    Args:
        inputs: the action's inputs.
        runner: takes outputs, summary, warnings and the log.
        place: the directory for all results, made if it is missing.
        options: options of the build; those that are inputs are replaced.
        settings: how packs of earlier commits may be fetched.
        own: remembers what this user's builder made.

    Raises:
        UsageError: there is no commit to build.
        BuildError: nothing can be built, the pack is too large, or a second build gives another bundle.
        SourceError: the disk refuses.
        BundleError: the bundle differs from what was written.
        PolicyError: there is a link where results should go, which nobody named.
    """
    history = History(inputs.repository_path)
    if not history.head:
        raise UsageError(f"{inputs.repository_path} is no git checkout with a commit.", hint="Check it out before this step.")
    if runner.commit and runner.commit != history.head:
        runner.warn(f"HEAD is {history.head[:12]}, and this run is of {runner.commit[:12]}; the bundle is of HEAD.")
    with held_directory(place.start, *place.names) as held:
        if OWN_DIRECTORY in place.names:
            with held_directory(place.start, OWN_DIRECTORY) as directory:
                keep_out_of_git(directory)
        _run(inputs, runner, place, held, history, options, settings, own)


def _run(
    inputs: Inputs,
    runner: Runner,
    place: Place,
    held: Path,
    history: History,
    options: BuildOptions,
    settings: SourceSettings,
    own: OwnWork | None,
) -> None:
    """Do the work in ``held``, the directory of results, held open."""
    source = source_of(runner.address, settings) if runner.address else None
    earlier = _absent(held / "base.hardtack", place)
    base = earlier_of(inputs, repository_of(inputs.repository_path), history, source, earlier)
    base = replace(base, pack=base.pack and place.path / base.pack.name)  # a path to be shown
    if base.is_trouble:
        runner.warn(f"Everything is built anew: {base.note}.")
    wanted = replace(options.source, secrets=inputs.secrets)
    options = replace(options, source=wanted, profile=inputs.profile, text=inputs.text, scip=inputs.scip, history=inputs.history)
    options = replace(options, base=base.pack or NO_BASE, follow_git=inputs.follow_git)
    report = build_bundle(inputs.repository_path, place.path / "bundle", options, own=own, below=place.start)
    name = pack_name(history.head, inputs.profile)
    pack = write_pack(held / "bundle", held / name, for_builds=inputs.base != NO_BASE)
    _check_size(pack, inputs)
    result = JobResult(
        report=report,
        pack=replace(pack, path=place.path / name),
        base=base,
        is_reproducible=_is_reproducible(inputs, report) if inputs.check_reproducible else None,
        address=runner.address,
        compared=_compared(inputs, runner, history, held / "bundle", pack, options),
    )
    _report(result, inputs, runner, held)
    if result.is_reproducible is False:
        raise BuildError("A second build of the same commit gave another bundle.", hint="Please report this as a bug in Hardtack.")


def _absent(file: Path, place: Place) -> Path:
    """The path of a file to be made, after what has that name is removed: it may be a link, or a second name of another file."""
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise SourceError(
            f"{place.path / file.name} cannot be replaced: {error.strerror}.", hint="Choose another place with -o."
        ) from error
    return file


def _check_size(pack: PackInfo, inputs: Inputs) -> None:
    if pack.size > inputs.max_size_mb * _MEGABYTE:
        raise BuildError(
            f"The pack has {pack.size} bytes, over the limit of {inputs.max_size_mb} MB.",
            hint="Raise max-size-mb, build with profile: keyword or text: none, or leave files out by .hardtackignore.",
        )


def _is_reproducible(inputs: Inputs, report: BuildReport) -> bool:
    """Whether a second build gives the same bundle: in another process, with another hash seed, and without a base."""
    with work_directory() as scratch:
        second = scratch / "bundle"
        flags = ["--quiet", "--base", "none", "--profile", inputs.profile, "--text", inputs.text, "--secrets", inputs.secrets]
        flags += [flag for path in inputs.scip for flag in ("--scip", str(path))]
        flags += ["--history", str(inputs.history), "-o", str(second), *(["--follow-git"] if inputs.follow_git else [])]
        command = [sys.executable, "-P", "-m", "hardtack", "build", *flags, "--", str(inputs.repository_path)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BuildError(f"The second build failed: {' '.join(done.stderr.split())[:500]}")
        return read_manifest(second)[1] == report.digest


def _compared(
    inputs: Inputs, runner: Runner, history: History, bundle: Path, pack: PackInfo, options: BuildOptions
) -> Compared | None:
    """What a pull request changes; None where the run is of none, or nobody wants to know."""
    if not inputs.comment:
        return None
    try:
        pull = pull_request_of(runner.event, runner.event_file)
        found = compared(inputs.repository_path, pull, history, bundle, pack, options) if pull else None
    except HardtackError as error:
        found = Compared(why=str(error).rstrip("."))
    if found and found.why:
        runner.warn(f"The pull request was not compared with its base: {found.why}.")
    return found


def _report(result: JobResult, inputs: Inputs, runner: Runner, held: Path) -> None:
    """Write warnings, ``build.json``, the step's outputs and its summary."""
    report, manifest = result.report, result.pack.manifest
    prefix = f"{manifest.provenance.subdirectory}/" if manifest.provenance.subdirectory else ""
    what = "Kept in the code index, and seems to be" if inputs.secrets == "warn" else "Taken out of the code index:"
    for secret in report.secrets:
        runner.warn(f"{what} a secret ({secret.rule}).", file=prefix + secret.path, line=secret.line)
    for skip in report.skips:
        if skip.reason in _WARNED_OF:
            detail = f" ({skip.detail})" if skip.detail else ""
            runner.warn(f"Left out of the code index: {skip.reason.value}{detail}.", file=prefix + path_without_secret(skip.path))
    for path, how in report.failures:
        runner.warn(f"Indexed by lines: its parser {how}.", file=prefix + path_without_secret(path))
    for note in report.notes:
        runner.say(f"note: {note}")
    document = json.dumps(result.to_json(), indent=2, ensure_ascii=True) + "\n"
    _write(held, "build.json", document.encode("ascii"), result)
    if result.note:
        _write(held, NAME, note_to_json(result.note), result)
    runner.set_outputs(_outputs(result, inputs))
    if inputs.summary:
        runner.show(render_summary(result))
    runner.say(
        f"{result.pack.path}: {result.pack.size} bytes, {manifest.counts.files} files, {report.taken_over} of them taken over"
    )


def _write(held: Path, name: str, content: bytes, result: JobResult) -> None:
    try:
        replace_file(held / name, content)
    except OSError as error:
        raise SourceError(f"{result.pack.path.with_name(name)} cannot be written: {error.strerror}.") from error


def _outputs(result: JobResult, inputs: Inputs) -> dict[str, str]:
    """The action's outputs, for later steps and jobs."""
    manifest = result.pack.manifest
    return {
        "pack-path": str(result.pack.path.absolute()),
        "pack-name": result.pack.path.name,
        "bundle-digest": result.pack.bundle_digest,
        "pack-digest": result.pack.digest,
        "root": manifest.provenance.subdirectory,
        "commit": manifest.provenance.commit,
        "format": str(FORMAT),
        "files": str(manifest.counts.files),
        "chunks": str(manifest.counts.chunks),
        "reused": str(result.report.taken_over),
        "comment-path": str(result.pack.path.with_name(NAME).absolute()) if result.note else "",
        "has-comment": str(result.note is not None).lower(),
        "redacted": "0" if inputs.secrets == "warn" else str(sum(result.report.secrets_by_rule.values())),
    }
