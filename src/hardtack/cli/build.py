"""``hardtack build``: a source tree in, a bundle out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import missing_extra
from hardtack.errors import SourceError, UsageError
from hardtack.render.stats import readable_size
from hardtack.render.style import inert

if TYPE_CHECKING:
    from hardtack.build.report import BuildReport

_SHOWN_SKIPS = 6
_SHOWN_SECRETS = 5
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _size(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    number, unit = value.upper().removesuffix("B").removesuffix("I"), ""
    if number and number[-1] in "KMG":
        number, unit = number[:-1], number[-1]
    if not number.isdecimal() or not int(number):
        raise click.BadParameter(f"{value!r} is not a size; write 500K or 2M.")
    return int(number) * _UNITS[unit]


def _roots(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, Path], ...]:
    pairs = [value.partition("=") for value in values]
    for name, equals, directory in pairs:
        if not (name and equals and directory):
            raise click.BadParameter("write NAME=DIR.")
    return tuple((name, Path(directory)) for name, _, directory in pairs)


@click.command("build")
@click.argument("source", type=click.Path(path_type=Path, readable=False), default=".", metavar="[SRC]")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="DIR", help="Where the bundle goes [SRC/.hardtack/bundle]."
)
@click.option("--root", "roots", multiple=True, callback=_roots, metavar="NAME=DIR", help="Build several roots into one bundle.")
@click.option("--worktree", is_flag=True, help="Read the files on the disk, not the commit.")
@click.option(
    "--profile", type=click.Choice(["hybrid", "keyword"]), default="hybrid", show_default=True, help="With or without vectors."
)
@options.encoder_options
@click.option("--text", type=click.Choice(["full", "none"]), default="full", show_default=True, help="With or without source text.")
@click.option("--no-tests", is_flag=True, help="Leave tests out.")
@click.option("--vendor", is_flag=True, help="Index vendored trees too.")
@click.option(
    "--secrets",
    type=click.Choice(["redact", "fail", "warn"]),
    default="redact",
    show_default=True,
    help="Take secrets out, refuse to build, or keep them; all are reported.",
)
@click.option("--max-file-size", default="1M", show_default=True, callback=_size, metavar="SIZE", help="Skip larger files.")
@click.option("--max-size", callback=_size, metavar="SIZE", help="Refuse to make a larger bundle.")
@click.option("--repository", metavar="HOST/OWNER/NAME", help="What to record as the repository [git's origin].")
@click.option(
    "--base",
    default="auto",
    show_default=True,
    metavar="DIR|auto|none",
    help="Take over what has not changed from this bundle; auto is the one that is replaced.",
)
@click.option("-j", "--jobs", type=click.IntRange(min=0), default=0, metavar="N", help="Worker processes [one for each core].")
@click.option(
    "--report", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write an account of the build as JSON."
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Name every skipped file.")
def command(
    *,
    source: Path,
    output: Path | None,
    roots: tuple[tuple[str, Path], ...],
    worktree: bool,
    profile: str,
    text: str,
    no_tests: bool,
    vendor: bool,
    secrets: Literal["redact", "fail", "warn"],
    max_file_size: int,
    max_size: int | None,
    repository: str | None,
    base: str,
    jobs: int,
    report: Path | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Build the bundle of a directory or a git checkout.

    A git checkout is read from its commit, so nothing untracked gets in; --worktree reads the files instead.

    \b
    hardtack build . -o /tmp/bundle
    hardtack build --root docs=../handbook --root code=. -o /tmp/bundle
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    try:
        from hardtack.build.pipeline import BuildOptions, build_bundle, require_parsers
        from hardtack.build.source.tree import SourceOptions

        require_parsers()
    except ImportError as error:
        raise missing_extra(error, "Building a bundle", "build") from error
    if roots and output is None:
        raise UsageError("A bundle of several roots has no place of its own.", hint="Say where it goes with -o DIR.")
    build_options = BuildOptions(
        roots=roots,
        worktree=worktree,
        source=SourceOptions(tests=not no_tests, vendor=vendor, max_file_size=max_file_size, secrets=secrets),
        profile=profile,
        text=text,
        encoder=options.encoder_settings(),
        max_size=max_size,
        repository=repository,
        base=base,
        jobs=jobs,
    )
    with _shown_progress(quiet=quiet) as told:
        account = build_bundle(source, output, build_options, step=environment.kill_switch(), **told)
    if report:
        _write_report(report, account)
    if not quiet:
        sys.stderr.write(_summary(account, verbose=verbose))
    return 0


@contextmanager
def _shown_progress(*, quiet: bool) -> Iterator[dict[str, Callable[[int], None]]]:
    """What a build is given to tell how far it is: nothing where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield {}
        return
    progress = _Progress()
    try:
        yield {"progress": progress.show, "expect": progress.expect}
    finally:
        sys.stderr.write("\r\x1b[K")


class _Progress:
    """A line on the terminal that is rewritten at most ten times a second, and only once a build takes longer than a second."""

    def __init__(self) -> None:
        self._started = self._shown = time.monotonic()
        self._most = 0

    def expect(self, most: int) -> None:
        """Take how many files there are at most."""
        self._most = most

    def show(self, done: int) -> None:
        """Say how many files are done, how fast, and how long the rest will take at that pace."""
        now = time.monotonic()
        seconds = now - self._started
        if seconds > 1 and now - self._shown > 0.1:
            self._shown = now
            left = f", {(self._most - done) * seconds / done:.0f} s left" if self._most > done else ""
            sys.stderr.write(f"\r\x1b[K{done} files, {done / seconds:.0f} a second{left}")
            sys.stderr.flush()


def _write_report(path: Path, account: BuildReport) -> None:
    try:
        path.write_text(json.dumps(account.to_json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise SourceError(f"The report could not be written to {path}: {error.strerror}.") from error


def _changes(account: BuildReport) -> str:
    """What was new, and what was not made again."""
    if account.is_unchanged:
        return "unchanged: nothing was written"
    changes = account.changes
    named = ("added", changes.added), ("removed", changes.removed), ("updated", changes.updated), ("moved", changes.moved)
    said = [f"{count} {what}" for what, count in named if count] if account.before is not None else []
    said += [f"{account.taken_over} taken over"] if account.taken_over else []
    said += [f"{account.resumed} from the build that was interrupted"] if account.resumed else []
    return f"files: {', '.join(said) or 'all made anew'}"


def _summary(account: BuildReport, *, verbose: bool) -> str:
    """What a person wants to know at the end."""
    document = account.to_json()
    lines = [
        f"{account.destination}: {document['files_indexed']} files, {document['symbols']} symbols, {document['chunks']} chunks,"
        f" {readable_size(document['bundle_bytes'])} in {account.seconds:.1f} s",
        f"  {account.digest}",
    ]
    lines += [f"  {_changes(account)}"] if account.is_unchanged or account.before is not None or account.resumed else []
    lines += [f"  note: {inert(note)}" for note in account.notes]
    if account.secrets_by_rule:
        lines += _told_of_secrets(account, verbose=verbose)
    if account.skips:
        counts = [f"{count} {reason}" for reason, count in account.skipped.items()]
        more = ", ..." if len(counts) > _SHOWN_SKIPS else ""
        lines.append(f"  skipped {len(account.skips)}: {', '.join(counts[:_SHOWN_SKIPS])}{more}")
    if verbose:
        lines += [
            f"    - {_named(skip.path)}: {skip.reason.value}{f' ({inert(skip.detail)})' if skip.detail else ''}"
            for skip in account.skips
        ]
    lines += [f"  not parsed, indexed by lines: {_named(path)} (its parser {how})" for path, how in account.failures]
    return "\n".join(lines) + "\n"


def _told_of_secrets(account: BuildReport, *, verbose: bool) -> list[str]:
    """How many secrets there were, by rule, and where."""
    kept = bool(account.manifest and account.manifest.secrets and account.manifest.secrets.mode == "warn")
    counts = ", ".join(f"{count} {rule}" for rule, count in account.secrets_by_rule.items())
    lines = [f"  secrets {'KEPT' if kept else 'taken out'}: {counts}"]
    shown = account.secrets if verbose else account.secrets[:_SHOWN_SECRETS]
    lines += [f"    - {_named(str(secret))}" for secret in shown]
    if left := len(account.secrets) - len(shown):
        lines.append(f"    and {left} more; -v names all")
    return lines


def _named(text: str) -> str:
    """A path as it may stand in a log: a runner takes ``::`` for a command at the start of a line, ``##[`` anywhere in it."""
    return inert(text).replace("##[", "#\\#[")
