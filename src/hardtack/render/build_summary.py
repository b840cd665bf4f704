"""The report of a build in, a summary for a person out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from hardtack.nouns.outline import Skip, SkipReason
from hardtack.render.stats import encodings_of, history_of, readable_size
from hardtack.render.style import inert_line

if TYPE_CHECKING:
    from hardtack.build.report import BuildReport
    from hardtack.build.sharding import ShardReport

_SHOWN_SKIPS = 6
"""Reasons for which files were skipped, named at most."""
_SHOWN_OF_REASON = 3
"""Kinds of evidence for one reason that are named at most, those of the most files first, each with its first file."""
_JUDGED = (SkipReason.GENERATED, SkipReason.MINIFIED, SkipReason.TOO_LARGE, SkipReason.UNDECODABLE, SkipReason.UNREADABLE)
_SHOWN_SECRETS = 5
"""Secrets that are listed at most, unless all are asked for."""


def render_build(report: BuildReport, *, verbose: bool) -> str:
    """The summary: where the bundle is and what it holds, changes, notes, secrets, skipped files; with ``verbose`` each by name."""
    document = report.to_json()
    lines = [
        f"{report.destination}: {document['files_indexed']} files, {document['symbols']} symbols, {document['chunks']} chunks,"
        f" {readable_size(document['bundle_bytes'])} in {report.seconds:.1f} s",
        f"  {report.digest}",
    ]
    lines += [f"  {_changes(report)}"] if report.is_unchanged or report.before is not None or report.resumed else []
    lines += [f"  note: {inert_line(note)}" for note in report.notes]
    if report.secrets_by_rule:
        kept = bool(report.manifest and report.manifest.secrets and report.manifest.secrets.mode == "warn")
        lines += _secrets(report, "KEPT" if kept else "taken out", verbose=verbose)
    if report.manifest and (known := history_of(report.manifest)):
        lines.append(f"  history: {known}")
    if report.manifest and (said := encodings_of(report.manifest)):
        lines.append(f"  {said}")
    lines += _left_out(report, verbose=verbose)
    return "\n".join(lines) + "\n"


def render_shard(report: ShardReport, *, verbose: bool) -> str:
    """The summary of a shard: where it is, how many files it has, notes, secrets, skipped files; with ``verbose`` each by name."""
    built = report.built
    lines = [
        f"{report.path}: shard {report.part}, {report.files} files, {readable_size(report.size)} in {report.seconds:.1f} s",
        f"  sha256:{report.digest}",
    ]
    lines += [f"  files: {built.taken_over} taken over"] if built.taken_over else []
    lines += [f"  note: {inert_line(note)}" for note in built.notes]
    lines += _secrets(built, "found", verbose=verbose) if built.secrets else []
    lines += _left_out(built, verbose=verbose)
    return "\n".join(lines) + "\n"


def _left_out(report: BuildReport, *, verbose: bool) -> list[str]:
    """The skipped files, and those whose parser failed."""
    lines = []
    if report.skips:
        counts = [f"{count} {reason}" for reason, count in report.skipped.items()]
        more = ", ..." if len(counts) > _SHOWN_SKIPS else ""
        lines.append(f"  skipped {len(report.skips)}: {', '.join(counts[:_SHOWN_SKIPS])}{more}")
        if not verbose:
            lines += _worth_a_look(report)
    if verbose:
        lines += [
            f"    - {_log_safe(skip.path)}: {skip.reason.value}{f' ({inert_line(skip.detail)})' if skip.detail else ''}"
            for skip in report.skips
        ]
    lines += [f"  not parsed, indexed by lines: {_log_safe(path)} (its parser {how})" for path, how in report.failures]
    return lines


def _worth_a_look(report: BuildReport) -> list[str]:
    """What somebody may have wanted in the bundle: text that was judged by its look, with what it was judged by."""
    lines = []
    for reason in _JUDGED:
        alike: defaultdict[str, list[Skip]] = defaultdict(list)
        for skip in report.skips:
            if skip.reason is reason:
                alike[skip.detail].append(skip)
        # One line for each kind of evidence: all pages that one generator wrote are one judgement.
        for detail, skips in sorted(alike.items(), key=lambda entry: -len(entry[1]))[:_SHOWN_OF_REASON]:
            more = f" and {len(skips) - 1} more" if len(skips) > 1 else ""
            lines.append(f"    {_log_safe(skips[0].path)}{more}: {reason.value}{f' ({inert_line(detail)})' if detail else ''}")
    if lines:
        lines.append("    -v names all; .hardtackkeep or --keep GLOB indexes what a rule leaves out")
    return lines


def _changes(report: BuildReport) -> str:
    if report.is_unchanged:
        return "unchanged: nothing was written"
    changes = report.changes
    counted = ("added", changes.added), ("removed", changes.removed), ("updated", changes.updated), ("moved", changes.moved)
    parts = [f"{count} {what}" for what, count in counted if count] if report.before is not None else []
    parts += [f"{report.taken_over} taken over"] if report.taken_over else []
    parts += [f"{report.resumed} from the build that was interrupted"] if report.resumed else []
    return f"files: {', '.join(parts) or 'all made anew'}"


def _secrets(report: BuildReport, what: str, *, verbose: bool) -> list[str]:
    counts = ", ".join(f"{count} {rule}" for rule, count in report.secrets_by_rule.items())
    lines = [f"  secrets {what}: {counts}"]
    shown = report.secrets if verbose else report.secrets[:_SHOWN_SECRETS]
    lines += [f"    - {_log_safe(str(secret))}" for secret in shown]
    if left := len(report.secrets) - len(shown):
        lines.append(f"    and {left} more; -v names all")
    return lines


def _log_safe(text: str) -> str:
    """Text that a CI runner does not take for a command, as it does ``##[`` anywhere in a line (and ``::`` at its beginning)."""
    return inert_line(text).replace("##[", "#\\#[")
