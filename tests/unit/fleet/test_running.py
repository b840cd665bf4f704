"""A fleet on a cluster: what one worker says costs no more than one repository."""

from __future__ import annotations

import operator
from pathlib import Path

import pytest
from clusters import cluster

from hardtack.fleet import running
from hardtack.fleet.running import run_fleet
from hardtack.fleet.task import Plan
from hardtack.store.sources.named import SourceSettings

from .conftest import Make, entry_of


def test_a_worker_that_answers_with_no_outcome_costs_the_repository(
    make: Make, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [entry_of(make(name)) for name in ("one", "two")]
    monkeypatch.setattr(running, "run_plain", operator.or_)  # gives what it was given
    with cluster(tmp_path / "cluster", 1) as one:
        account = run_fleet(entries, plan, SourceSettings(), cluster=one.address)
    said = [outcome.failure.message for outcome in account.outcomes if outcome.failure]
    assert [f"A worker does not say what became of {entry.address}." for entry in entries] == said
