"""The state of a bundle in, a report on it out, as text or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hardtack.nouns.statistics import created_at
from hardtack.render.listing import age
from hardtack.render.markdown import code, prose
from hardtack.render.schema import moved_on_to_json
from hardtack.render.stats import history_of, source_of
from hardtack.render.style import inert_line

if TYPE_CHECKING:
    from hardtack.nouns.model import MovedOn
    from hardtack.query.state.bundle_status import BundleStatus

_COMMIT_SHOWN: Final = 12
_PATHS_SHOWN: Final = 20
_FRESHNESS: Final = {"fresh": "as indexed", "changed": "changed", "deleted": "gone", "unknown": "not to be told"}
"""Freshness of a file -> how the report words it; in the order of the report."""
_CHECKS: Final = {"hashes": "every byte verified", "sizes": "sizes verified, its bytes not (--fast)"}
_ORIGINS: Final = {
    "you": "you: it was built here",
    "installed": "whoever published it: it is installed for you ('hardtack list --json' says where from)",
    "bundle path": "whoever set HARDTACK_BUNDLE_PATH",
    "unknown": "nobody known: it was named, and that its bytes are as its manifest says does not tell who built it",
}
"""Who answers for a bundle -> how the report words it."""


def status_to_json(status: BundleStatus) -> dict[str, Any]:
    """The report as one JSON document, without unknown values."""
    provenance, stale, encoder = status.manifest.provenance, status.staleness, status.manifest.encoder
    made = created_at(provenance)
    document: dict[str, Any] = {
        "schema": "hardtack.status/1",
        "name": status.name,
        "place": status.place,
        "digest": status.digest,
        "check": status.check,
        "origin": status.origin,
        **({"repository": provenance.repository} if provenance.repository else {}),
        **({"commit": provenance.commit} if provenance.commit else {}),
        **({"created_at": made} if made else {}),
        "is_stale": stale.is_stale,
        "staleness_days": stale.days,
        "searches": {"keyword": status.readiness.has_terms, "vector": status.readiness.has_encoder},
        **({"encoder": encoder.name} if encoder else {}),
        "has_text": status.has_text,
        **({"history": status.manifest.history._asdict()} if status.manifest.history else {}),
    }
    if status.checkout:
        checkout: dict[str, Any] = {"path": status.checkout}
        if stale.head:
            checkout |= {"commit": stale.head.commit, **({"branch": stale.head.branch} if stale.head.branch else {})}
        if stale.distance:
            checkout |= {
                "commits_behind": stale.distance.behind,
                "commits_ahead": stale.distance.ahead,
                "diverged": stale.distance.is_diverged,
            }
        if status.freshness:
            checkout["files"] = {kind: status.freshness.get(kind, 0) for kind in _FRESHNESS}
            if status.untracked is not None:
                checkout["files"]["untracked"] = status.untracked
        document["checkout"] = checkout
    if status.over:
        document["working_tree"] = moved_on_to_json(status.over)
    document["warnings"] = [*status.warnings, *stale.warnings, *status.readiness.troubles]
    return document


def _over(over: MovedOn) -> str:
    """What lies over a bundle, or why nothing does."""
    named = [*over.changed_paths[:_PATHS_SHOWN], *(["..."] if len(over.changed_paths) > _PATHS_SHOWN else [])]
    paths = f" ({', '.join(named)})" if named else ""
    if over.is_laid_over:
        return f"the working tree, which answers instead; files that differ: {over.files_changed}{paths}"
    return f"nothing{f', since {over.reason}' if over.reason else ': no file that it has differs'}{paths}"


def render_status(status: BundleStatus) -> str:
    """The report for a person."""
    return "\n".join([f"{status.name}  {status.digest}", *(f"  {label.ljust(8)}  {said}" for label, said in _facts(status))]) + "\n"


def status_to_markdown(status: BundleStatus) -> str:
    """The report as Markdown."""
    facts = "".join(f"- **{label}**: {prose(said)}\n" for label, said in _facts(status))
    return f"# {code(status.name)}\n\n{code(status.digest)}\n\n{facts}"


def _facts(status: BundleStatus) -> list[tuple[str, str]]:
    """What there is to say of a bundle, as (label, sentence)."""
    stale, encoder = status.staleness, status.manifest.encoder
    ways = (("by keyword", status.readiness.has_terms), ("by meaning", status.readiness.has_encoder))
    working = " and ".join(way for way, works in ways if works)
    made = created_at(status.manifest.provenance)
    text = f"{'with' if status.has_text else 'without'} source text"
    facts = [
        ("at", f"{inert_line(status.place)}, {_CHECKS[status.check]}"),
        ("from", _ORIGINS[status.origin]),
        ("of", f"{source_of(status.manifest.provenance)}{f', {made[:10]}, {age(stale.days)} old' if made else ''}"),
        ("search", f"{working or 'does not work'}{f' ({inert_line(encoder.name)})' if encoder else ''}, {text}"),
        *([("history", known)] if (known := history_of(status.manifest)) else []),
    ]
    if status.checkout:
        head = stale.head
        at = f", at {head.commit[:_COMMIT_SHOWN]}{f' on {inert_line(head.branch)}' if head.branch else ''}" if head else ""
        facts.append(("checkout", f"{inert_line(status.checkout)}{at}"))
    if status.freshness:
        counted = ((status.freshness.get(kind, 0), wording) for kind, wording in _FRESHNESS.items())
        more = [f"{status.untracked} untracked"] if status.untracked else []
        facts.append(("files", ", ".join([*(f"{count} {wording}" for count, wording in counted if count), *more])))
    if status.over:
        facts.append(("over it", inert_line(_over(status.over))))
    warnings = (*status.warnings, *stale.warnings, *status.readiness.troubles)
    return facts + [("warning", inert_line(warning)) for warning in warnings]
