"""Proves that a bundle depends on its commit alone: builds one commit again and again, with something else changed each time.

    python benchmarks/proofs/reproducible.py REPO [--together]

Each variation is compared with the first build by ``diff -r`` and by file modes; a difference names its members. A variation that
could be without effect (another clock, other instruction sets) is first shown to have one, and else left out, and that is said.
``--together`` changes everything at once, which takes two builds and tells less. Another clock needs libfaketime (Debian:
libfaketime). Exits 1 when any build differs.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from proof import HARDTACK, Proof, clone, environment, git, scratch

_ORIGIN = "https://git.example.org/owner/name.git"
_SIMD = """\
import os
import faiss
faiss.SIMDConfig.set_level(getattr(faiss, "SIMDLevel_" + os.environ["PROOF_SIMD_LEVEL"]))
"""
_GIT_CONFIG = """\
[core]
\tautocrlf = true
\tquotePath = false
\tprecomposeUnicode = true
[log]
\tshowSignature = true
[status]
\tshowUntrackedFiles = all
[diff]
\tnoprefix = true
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """One thing that must not matter."""

    name: str
    variables: Mapping[str, str | None] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    umask: int = 0o022
    source: Callable[[Path, Path], Path] = lambda checkout, _: checkout
    """(the checkout, an empty place) to what is built."""
    output: str = "bundle"
    """Below the variation's own directory; empty for the default place inside the checkout."""
    probe: str = ""
    """Python that prints what the variation really changes; must print something else without it."""


def _elsewhere(checkout: Path, place: Path) -> Path:
    """Another clone, in a longer path with a space in it, whose origin is spelt as ssh does and holds a user."""
    copy = clone(checkout, place / ("a rather long name for a directory " * 4).strip() / "checkout")
    git(copy, "remote", "set-url", "origin", "builder@git.example.org:owner/name")
    return copy


def _shallow(checkout: Path, place: Path) -> Path:
    copy = clone(checkout, place / "shallow", "--depth=1")
    git(copy, "remote", "set-url", "origin", "https://robot:secret@git.example.org/owner/name")
    return copy


def _touched(checkout: Path, place: Path) -> Path:
    """A clone whose files have all kinds of times, which git's index no longer knows."""
    copy = clone(checkout, place / "touched")
    git(copy, "remote", "set-url", "origin", _ORIGIN)
    chance = random.Random(0)
    for path in sorted(copy.rglob("*")):
        if ".git" not in path.relative_to(copy).parts and not path.is_symlink():
            when = chance.randrange(2_000_000_000)
            os.utime(path, (when, when))
    return copy


def _littered(checkout: Path, place: Path) -> Path:
    """A clone in which untracked and ignored files lie about."""
    copy = clone(checkout, place / "littered")
    git(copy, "remote", "set-url", "origin", _ORIGIN)
    (copy / "untracked_module.py").write_text("def untracked():\n    return 'must not be indexed'\n", encoding="utf-8")
    (copy / ".env").write_text("TOKEN=must-not-be-indexed\n", encoding="utf-8")
    return copy


def variations(place: Path) -> list[Variation]:
    """Everything that is tried; ``place`` is a directory for files that some of them need."""
    hooks, config = place / "hooks", place / "gitconfig"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(_SIMD, encoding="ascii")
    config.write_text(_GIT_CONFIG, encoding="ascii")
    search_path = os.pathsep.join(filter(None, [str(hooks), os.environ.get("PYTHONPATH", "")]))
    simd = [
        Variation(
            name=f"FAISS SIMD level {level}",
            variables={"PYTHONPATH": search_path, "PROOF_SIMD_LEVEL": level},
            probe="import faiss; print(faiss.SIMDConfig.get_level_name())",
        )
        for level in _other_simd_levels()
    ]
    clock = "import time; print(time.gmtime().tm_year)"
    return [
        Variation(name="nothing changed"),
        Variation(name="checkout and output elsewhere, longer", source=_elsewhere, output="another place/" + "x" * 150 + "/bundle"),
        Variation(name="output in its default place", output=""),
        Variation(name="PYTHONHASHSEED 1", variables={"PYTHONHASHSEED": "1"}, probe="print(hash('a'))"),
        Variation(name="TZ", variables={"TZ": "Pacific/Chatham"}, probe="import time; print(time.timezone)"),
        Variation(
            name="LC_ALL C, no UTF-8 mode",
            variables={"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            probe="import sys; print(sys.getfilesystemencoding())",
        ),
        Variation(name="LANG and LC_ALL tr_TR.UTF-8", variables={"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}),
        Variation(name="SOURCE_DATE_EPOCH", variables={"SOURCE_DATE_EPOCH": "86400"}),
        Variation(name="another clock (2039)", variables=_another_clock(), probe=clock),
        Variation(name="umask 077", umask=0o077),
        Variation(name="umask 000", umask=0),
        Variation(name="file times", source=_touched),
        Variation(name="shallow clone", source=_shallow),
        Variation(name="untracked files", source=_littered),
        Variation(name="another git configuration", variables={"GIT_CONFIG_GLOBAL": str(config), "GIT_CONFIG_NOSYSTEM": "1"}),
        Variation(name="no HOME, no USER", variables={"HOME": None, "USER": None, "LOGNAME": None}),
        Variation(name="--jobs 1", flags=("--jobs", "1")),
        Variation(name="--jobs 2", flags=("--jobs", "2")),
        Variation(name="--jobs 5", flags=("--jobs", "5")),
        *simd,
        Variation(
            name="numpy without SIMD",
            variables={"NPY_DISABLE_CPU_FEATURES": _numpy_features()},
            probe=_NUMPY_FEATURES,
        ),
        Variation(
            name="OpenBLAS kernels of an old processor",
            variables={"OPENBLAS_CORETYPE": "Prescott"},
            probe="import faiss, numpy; from numpy.random import default_rng as r; a = r(0).random((300, 300), dtype='f');"
            " print((a @ a).tobytes().hex()[:4000])",
        ),
        Variation(name="1 thread", variables={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}),
        Variation(name="7 threads", variables={"OMP_NUM_THREADS": "7", "OPENBLAS_NUM_THREADS": "7"}),
    ]


_NUMPY_FEATURES = """
from numpy._core import _multiarray_umath as m
print(" ".join(name for name in m.__cpu_dispatch__ if m.__cpu_features__[name]))
"""


def _numpy_features() -> str:
    """The instruction sets that numpy chooses at run time and this processor has."""
    return _printed(_NUMPY_FEATURES, {})


def _other_simd_levels() -> list[str]:
    """Names of the FAISS SIMD levels this processor has, without the one that is chosen by itself."""
    code = """
import faiss
levels = {name[10:] for name in dir(faiss) if name.startswith("SIMDLevel_")} - {"COUNT", faiss.SIMDConfig.get_level_name()}
print(" ".join(sorted(name for name in levels if faiss.SIMDConfig.is_simd_level_available(getattr(faiss, "SIMDLevel_" + name)))))
"""
    return _printed(code, {}).split()


def _another_clock() -> dict[str, str | None]:
    """Variables under which it is 2039."""
    libraries = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    library = str(libraries[0]) if libraries else "libfaketimeMT.so.1"
    return {"LD_PRELOAD": library, "FAKETIME": "@2039-01-02 03:04:05"}


def _printed(code: str, variables: Mapping[str, str | None]) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment(**variables), capture_output=True, text=True, check=True).stdout.strip()


def together(all_of_them: list[Variation]) -> Variation:
    """One variation that changes everything at once."""
    variables: dict[str, str | None] = {}
    for variation in all_of_them:
        variables.update({name: value for name, value in variation.variables.items() if name != "LC_ALL"})
    return Variation(
        name="everything at once",
        variables={**variables, "LC_ALL": "C", "OMP_NUM_THREADS": "7", "OPENBLAS_NUM_THREADS": "7"},
        flags=("--jobs", "1"),
        umask=0o077,
        source=lambda checkout, place: _touched(_shallow(checkout, place), place),
        output="another place/" + "x" * 150 + "/bundle",
    )


def build(variation: Variation, checkout: Path, place: Path) -> tuple[Path | None, str]:
    """The bundle of ``checkout`` built under ``variation`` in ``place``, an empty directory; or None, and what went wrong."""
    source = variation.source(checkout, place)
    output = place / variation.output if variation.output else source / ".hardtack" / "bundle"
    arguments = ["-o", str(output)] if variation.output else []
    done = subprocess.run(
        [*HARDTACK, "build", str(source), "--quiet", *arguments, *variation.flags],
        env=environment(**variation.variables),
        umask=variation.umask,
        capture_output=True,
        text=True,
        timeout=600,
        cwd=place,
    )
    return (None, f"exit status {done.returncode}: {done.stderr.strip()}") if done.returncode else (output, "")


def differences(one: Path, other: Path) -> list[str]:
    """What ``diff -r`` finds between two directories, and paths whose modes differ."""
    done = subprocess.run(["diff", "-r", "--brief", one, other], capture_output=True, text=True)
    found = [line.replace(str(one), "").replace(str(other), "") for line in done.stdout.splitlines()]
    modes = [
        {path.relative_to(root).as_posix(): path.lstat().st_mode for path in (root, *sorted(root.rglob("*")))}
        for root in (one, other)
    ]
    return found + [f"mode of {path} is {mode:o}" for path, mode in modes[1].items() if modes[0].get(path, mode) != mode]


def has_effect(variation: Variation) -> bool:
    """Whether the probe prints something else under the variation than without."""
    return not variation.probe or _printed(variation.probe, variation.variables) != _printed(variation.probe, {})


def main() -> None:
    """Build, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--together", action="store_true", help="all variations in one build")
    arguments = parser.parse_args()
    with scratch() as root:
        checkout = clone(arguments.repository, root / "checkout")
        git(checkout, "remote", "set-url", "origin", _ORIGIN)
        proof = Proof(
            f"Bundles of {arguments.repository.name} at {git(checkout, 'rev-parse', 'HEAD')[:12]}, compared with the first"
        )
        first, problem = build(Variation(name="first", variables={"PYTHONHASHSEED": "0"}), checkout, _new(root / "first"))
        if first is None:
            sys.exit(problem)
        tried = variations(_new(root / "files"))
        for variation in [variation for variation in tried if not has_effect(variation)]:
            proof.skip(variation.name, "without effect on this machine, so it would prove nothing")
            tried.remove(variation)
        for number, variation in enumerate([together(tried)] if arguments.together else tried):
            bundle, problem = build(variation, checkout, _new(root / f"{number}"))
            found = differences(first, bundle) if bundle else [problem]
            proof.claim(variation.name, not found, "; ".join(found) or "identical")
        proof.leave()


def _new(path: Path) -> Path:
    path.mkdir()
    return path


if __name__ == "__main__":
    main()
