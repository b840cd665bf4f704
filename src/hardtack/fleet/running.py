"""Entries and a plan in, outcomes out as they come: on this machine's cores, or on the workers of a Dask cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from hardtack.build.cluster import completed, connected
from hardtack.cores import cores
from hardtack.errors import BuildError, HardtackError
from hardtack.fleet.listing import Entry
from hardtack.fleet.naming import Naming
from hardtack.fleet.outcome import Outcome, failed, outcome_of
from hardtack.fleet.process import run, run_plain
from hardtack.fleet.report import FleetReport, render_outcome
from hardtack.fleet.task import Plan, shelf_at
from hardtack.store.sources.named import SourceSettings


def run_fleet(
    entries: Sequence[Entry],
    plan: Plan,
    settings: SourceSettings,
    *,
    cluster: str = "",
    jobs: int = 0,
    told: Callable[[str], None] = lambda line: None,
) -> FleetReport:
    """Build and publish every entry.

    Args:
        entries: what to build.
        plan: what is done with each; a relative path of its shelf counts from the working directory.
        settings: how the shelf is reached from here; each machine that builds has its own.
        cluster: address of the scheduler of a Dask cluster; empty for this machine.
        jobs: repositories at once on this machine; 0 is one for each core.
        told: gets a line about each repository that has come to its end.

    Raises:
        UsageError: there can be no shelf, or no scheduler, at that address.
        MissingExtra: Dask, or what reaches the shelf, is not installed.
        SourceError: the shelf cannot be read.
        FormatError: what lies in the place of its catalogue is none.
        BuildError: the cluster does not answer, has no workers, or one that runs another program; nothing was started.
    """
    started = time.monotonic()
    shelf = shelf_at(plan.shelf, settings)
    plan = replace(plan, shelf=plan.shelf if "://" in plan.shelf else str(Path(shelf.name).absolute()))
    outcomes: dict[int, Outcome] = {}
    naming = Naming(shelf, plan.profile)
    try:
        for position, outcome in outcomes_on(cluster, entries, plan) if cluster else outcomes_here(entries, plan, jobs):
            outcomes[position] = naming.add(outcome)
            told(render_outcome(outcome, len(outcomes), len(entries)))
        naming.finish(outcomes)
    finally:
        with suppress(HardtackError):  # after an interrupt; what cannot be named now is named by the next run
            naming.name_waiting()
    return FleetReport(
        shelf=shelf.name,
        cluster=cluster,
        seconds=time.monotonic() - started,
        outcomes=[outcomes[position] for position in range(len(entries))],
    )


def outcomes_here(entries: Sequence[Entry], plan: Plan, jobs: int = 0) -> Iterator[tuple[int, Outcome]]:
    """(position, outcome) of each entry, as they are done on this machine.

    Args:
        entries: what to build.
        plan: what is done with each.
        jobs: repositories at once; 0 is one for each core.
    """
    threads = ThreadPoolExecutor(jobs or cores(), thread_name_prefix="hardtack-fleet")
    try:
        positions = {threads.submit(run, entry, plan): position for position, entry in enumerate(entries)}
        for future in as_completed(positions):
            yield positions[future], future.result()
    finally:
        # Not waited for: when this process ends, the input of each process ends, and with it the process.
        threads.shutdown(wait=False, cancel_futures=True)


def outcomes_on(address: str, entries: Sequence[Entry], plan: Plan) -> Iterator[tuple[int, Outcome]]:
    """(position, outcome) of each entry, as they are done on a cluster: one repository at a time for each thread of a worker.

    Raises:
        MissingExtra: Dask is not installed.
        UsageError: there is no such address.
        BuildError: nobody answers there, there are no workers, or one of them runs another program; nothing was started.
    """
    values = asdict(plan)
    with connected(address) as client:
        calls = ((asdict(entry), values) for entry in entries)
        for position, result in completed(client, address, run_plain, calls):
            yield position, _outcome_in(result, entries[position])


def _outcome_in(result: object, entry: Entry) -> Outcome:
    """What a worker says became of an entry, or a failure: there is no result, or it is no outcome."""
    if isinstance(result, BuildError):
        return failed(entry, BuildError(f"{entry.address} was not built. {result}", hint=result.hint))
    try:
        return outcome_of(result)
    except ValueError:
        hint = "Run it again; what was published is found then."
        return failed(entry, BuildError(f"A worker does not say what became of {entry.address}.", hint=hint))
