r"""Affected tests in, the arguments that make a runner run them out: one a line, for ``$(...)`` or ``xargs -d '\n'``.

A runner may run more than was asked for where it cannot choose as finely, never less. Tests of languages that a runner does not
know are left out; :func:`arguments` tells how many.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.impact import AffectedTest

RUNNERS: Final = {
    "pytest": frozenset({"python"}),
    "go": frozenset({"go"}),
    "jest": frozenset({"javascript", "typescript", "tsx"}),
    "junit": frozenset({"java", "kotlin", "groovy", "scala"}),
    "cargo": frozenset({"rust"}),
}
"""Runner -> the languages whose tests it runs."""

_SAFE: Final = re.compile(r"[\w./@+:~=,\-\[\]()# ]+")
"""A path or name that a runner takes for nothing else."""


class Arguments(NamedTuple):
    """What a runner is given."""

    arguments: tuple[str, ...]
    """In the runner's order; none if there is no test."""
    left_out: int
    """Tests that the runner does not know, or whose path or name it could take for an option or a pattern."""


def arguments(bundle: Bundle, tests: Sequence[AffectedTest], runner: str) -> Arguments:
    """The arguments for a runner.

    Args:
        bundle: that of the tests.
        tests: of any languages.
        runner: a key of :data:`RUNNERS`. ``jest`` takes paths, as Vitest and Mocha do; ``junit`` is given as Gradle's ``--tests``
            where the bundle has a Gradle build, else as Maven Surefire's ``-Dtest``.
    """
    own = [each for each in tests if each.language in RUNNERS[runner]]
    safe = [
        each for each in own if not each.path.startswith("-") and _SAFE.fullmatch(each.path) and (not each.name or _is_plain(each))
    ]
    made = {"pytest": _pytest, "go": _go, "jest": _jest, "junit": _junit, "cargo": _cargo}[runner](bundle, safe)
    return Arguments(tuple(made), len(tests) - len(safe))


def _is_plain(test: AffectedTest) -> bool:
    return re.fullmatch(r"[\w.]+", test.name) is not None


def _pytest(_: Bundle, tests: Iterable[AffectedTest]) -> Iterator[str]:
    for each in tests:
        yield "::".join([each.path, *each.name.split(".")] if each.name else [each.path])


def _go(_: Bundle, tests: Sequence[AffectedTest]) -> Iterator[str]:
    names = sorted({each.name for each in tests if each.name})
    if names:
        yield "-run"
        yield f"^({'|'.join(names)})$"
        yield from sorted({f"./{PurePosixPath(each.path).parent}".removesuffix("/.") for each in tests if each.name})


def _jest(_: Bundle, tests: Iterable[AffectedTest]) -> Iterator[str]:
    yield from dict.fromkeys(each.path for each in tests)


def _junit(bundle: Bundle, tests: Iterable[AffectedTest]) -> Iterator[str]:
    chosen: dict[str, list[str]] = {}
    for each in tests:
        file = bundle.file_at(each.path)
        type_, _, method = each.name.partition(".")
        name = ".".join(filter(None, (file.package if file else "", type_ or PurePosixPath(each.path).stem)))
        chosen.setdefault(name, []).append(method.rpartition(".")[2])
    if any(PurePosixPath(file.path).name.startswith("build.gradle") for file in bundle.files):
        for name, methods in chosen.items():
            for method in [""] if "" in methods else methods:
                yield "--tests"
                yield f"{name}.{method}" if method else name
    elif chosen:
        yield "-Dtest=" + ",".join(
            name if "" in methods else f"{name}#{'+'.join(dict.fromkeys(methods))}" for name, methods in chosen.items()
        )


def _cargo(bundle: Bundle, tests: Sequence[AffectedTest]) -> Iterator[str]:
    crates = sorted(
        (each for each in bundle.manifest.projects if each.path.endswith("Cargo.toml") and each.name), key=lambda each: each.path
    )
    owners = dict.fromkeys(owner for each in tests if (owner := _crate_of(each.path, [(one.path, one.name) for one in crates])))
    for owner in owners:
        yield "-p"
        yield owner
    names = dict.fromkeys("::".join(each.name.split(".")[-2:]) for each in tests if each.name)
    if names:
        yield "--"
        yield from names


def _crate_of(path: str, crates: Sequence[tuple[str, str]]) -> str:
    """The name of the crate whose directory is the nearest around a path; empty without one."""
    around = [(len(manifest), name) for manifest, name in crates if path.startswith(manifest.removesuffix("Cargo.toml"))]
    return max(around, default=(0, ""))[1]
