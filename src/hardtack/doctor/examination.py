"""The surroundings in, the findings of all checks out, in this order. A check that raises does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hardtack.doctor.engines import check_engines, check_extras
from hardtack.doctor.findings import Finding, Surroundings, problem
from hardtack.doctor.machine import check_environment, check_python, check_temporary_directory
from hardtack.doctor.servers import check_servers

Check = Callable[[Surroundings], Iterator[Finding]]

_OUR_BUG: Final = 70


def check_bundles(surroundings: Surroundings) -> Iterator[Finding]:
    """See :func:`.bundles.check_bundles`; imported here, so that a missing library does not stop the other checks."""
    from hardtack.doctor.bundles import check_bundles as check

    yield from check(surroundings)


def check_installed_bundles(surroundings: Surroundings) -> Iterator[Finding]:
    """See :func:`.bundles.check_cache`; imported here for the same reason."""
    from hardtack.doctor.bundles import check_cache

    yield from check_cache(surroundings)


CHECKS: Final[Sequence[Check]] = (
    check_python,
    check_engines,
    check_extras,
    check_temporary_directory,
    check_environment,
    check_bundles,
    check_installed_bundles,
    check_servers,
)


def examine(surroundings: Surroundings, checks: Sequence[Check] = CHECKS) -> list[Finding]:
    """All findings, in the order of the checks."""
    findings: list[Finding] = []
    for check in checks:
        about = check.__name__.removeprefix("check_").replace("_", " ")
        try:
            findings += check(surroundings)  # += keeps the findings that were yielded before an error
        except ImportError as error:
            findings.append(problem(about, f"cannot be looked at: {error}", "Mend the installation first."))
        except Exception as error:  # noqa: BLE001  (a bug in one check must not hide the others' findings)
            says = f"this check is broken ({type(error).__name__}: {error})"
            findings.append(problem(about, says, "Please report it: it is a bug in Hardtack.", exit_code=_OUR_BUG))
    return findings
