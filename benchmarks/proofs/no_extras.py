"""Proves that searching needs no extra: searches where none is installed, and lists what was imported.

    python benchmarks/proofs/no_extras.py REPO [--blocked]

The bundle is built here from a copy of the repository, which is then removed. A fresh virtual environment with nothing but ``pip
install`` of this project searches it, through the library and the command line, in all three modes, and gives the typed account of
every symbol and the answer of every look-up verb: all must equal those given here, where the parsers are. Nothing of the build half
and no extra may be imported, or installed, and ``hardtack build`` must leave with 2 and say what to install. ``--blocked`` takes
this interpreter with an import hook that refuses every extra instead: quicker, no network, and proves less. Exits 1 on any failure.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from proof import Proof, build, environment, scratch

from hardtack import open_bundle
from hardtack.nouns.descriptors import descriptor_to_json
from hardtack.nouns.model import Kind, Mode
from hardtack.query.lookup.describe import describe

_PROJECT = Path(__file__).resolve().parents[2]
_MODES = ("hybrid", "vector", "keyword")
_EXTRAS = (
    *("dask", "distributed", "fsspec", "mcp", "pathspec", "pyarrow", "sentence_transformers", "sigstore", "tokenizers", "torch"),
    *("transformers", "tree_sitter", "tree_sitter_language_pack"),
)
_UNWANTED = (*_EXTRAS, "hardtack.build")

_BLOCKER = f"""
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {_EXTRAS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocker())
"""

# Prints a JSON document to standard error on its way out: how the process left, and what it had imported.
_WITNESS = """
import json, os, sys
arguments = json.loads(sys.argv[1])
leave = os._exit
def witness(code):
    sys.stderr.write("\\n" + json.dumps([code, sorted(sys.modules)]))
    sys.stderr.flush()
    leave(code)
"""

_COMMAND_LINE = """
os._exit = witness
sys.argv = ["hardtack", *arguments]
from hardtack.__main__ import main
main()
"""

_LIBRARY = """
import hardtack
bundle, query, modes = arguments
with hardtack.open_bundle(bundle) as searcher:
    print(json.dumps([[hit.path for hit in searcher.search(query, mode=mode).hits] for mode in modes]))
sys.stdout.flush()
witness(0)
"""

_DESCRIPTORS = """
import hardtack
from hardtack.nouns.descriptors import descriptor_to_json
from hardtack.query.lookup.describe import describe
with hardtack.open_bundle(*arguments) as searcher:
    symbols = range(searcher.bundle.manifest.counts.symbols)
    print(json.dumps([descriptor_to_json(describe(searcher.bundle, symbol)) for symbol in symbols]))
sys.stdout.flush()
witness(0)
"""


def run(python: Path, code: str, arguments: Sequence[object], *, blocked: bool) -> tuple[int, str, str, list[str]]:
    """What a program does: exit status, standard output, standard error without the witness, and modules it had imported."""
    program = (_BLOCKER if blocked else "") + _WITNESS + code
    command = [str(python), *([] if blocked else ["-I"]), "-c", program, json.dumps(arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment())
    said, _, witnessed = done.stderr.rpartition("\n")
    if not witnessed.startswith("["):
        sys.exit(f"the program ended without a witness, exit status {done.returncode}:\n{done.stderr}")
    code_left, modules = json.loads(witnessed)
    return code_left, done.stdout, said, modules


def unwanted(modules: list[str]) -> list[str]:
    """Modules that a search must not import."""
    return [module for module in modules if any(module == name or module.startswith(f"{name}.") for name in _UNWANTED)]


def fresh_environment(place: Path) -> Path:
    """The interpreter of a new virtual environment that holds this project without extras."""
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    python = place / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(_PROJECT)]
    subprocess.run(install, check=True, env=environment(PYTHONPATH=None))
    return python


def installed_extras(python: Path) -> list[str]:
    """Extras that can be imported there."""
    code = f"import importlib.util as u; print(*[name for name in {_EXTRAS!r} if u.find_spec(name)])"
    return subprocess.run([python, "-I", "-c", code], check=True, capture_output=True, text=True).stdout.split()


def searches(proof: Proof, python: Path, bundle: Path, *, blocked: bool) -> None:
    """Search in all modes both ways; the same files must be found as here."""
    with open_bundle(bundle) as searcher:
        query = next(
            symbol.name for symbol in map(searcher.bundle.symbol, range(searcher.bundle.manifest.counts.symbols)) if symbol.name
        )
        expected = [[hit.path for hit in searcher.search(query, mode=Mode(mode)).hits] for mode in _MODES]
    _, out, said, modules = run(python, _LIBRARY, [str(bundle), query, _MODES], blocked=blocked)
    proof.claim(
        f"library: {query}", json.loads(out) == expected and all(expected), f"{sum(map(len, expected))} hits {said}".strip()
    )
    proof.claim("library imports", not unwanted(modules), f"{len(modules)} modules {unwanted(modules) or ''}".strip())
    for mode, paths in zip(_MODES, expected, strict=True):
        flags = ["--bundle", str(bundle), "--mode", mode, "--json"]
        code, out, said, modules = run(python, _COMMAND_LINE, ["search", query, *flags], blocked=blocked)
        found = [hit["path"] for hit in json.loads(out or '{"hits": []}')["hits"]]
        proof.claim(
            f"hardtack search --mode {mode}", code == 0 and found == paths and not said, f"{len(found)} hits {said}".strip()
        )
        proof.claim(
            f"  imports of --mode {mode}", not unwanted(modules), f"{len(modules)} modules {unwanted(modules) or ''}".strip()
        )
    code, _, said, modules = run(python, _COMMAND_LINE, ["verify", str(bundle)], blocked=blocked)
    proof.claim("hardtack verify", code == 0 and not unwanted(modules), f"{len(modules)} modules {said}".strip())


def look_ups(proof: Proof, python: Path, bundle: Path, *, blocked: bool) -> None:
    """Describe every symbol, and ask each verb about a type and a function; the same must be said as here."""
    with open_bundle(bundle) as searcher:
        symbols = range(searcher.bundle.manifest.counts.symbols)
        expected = [descriptor_to_json(describe(searcher.bundle, symbol)) for symbol in symbols]
        kinds = {searcher.bundle.symbol_name(symbol).kind: searcher.bundle.symbol(symbol) for symbol in symbols}
    _, out, said, modules = run(python, _DESCRIPTORS, [str(bundle)], blocked=blocked)
    proof.claim("typed accounts of all symbols", json.loads(out) == expected, f"{len(expected)} {said}".strip())
    proof.claim("  imports of describing", not unwanted(modules), f"{len(modules)} modules {unwanted(modules) or ''}".strip())
    types = [kinds[kind].name for kind in (Kind.CLASS, Kind.STRUCT, Kind.INTERFACE) if kind in kinds]
    functions = [kinds[kind].name for kind in (Kind.FUNCTION, Kind.METHOD) if kind in kinds]
    packages = [symbol.package for symbol in kinds.values() if symbol.package]
    asked = [("define", name) for name in types] + [("function", name) for name in functions]
    asked += [(verb, name) for verb in ("references", "callers", "implementations") for name in (*types, *functions)]
    for verb, name in (*asked, *(("exports", package) for package in packages[:1])):
        flags = [verb, name, "--bundle", str(bundle), "--json"]
        here = run(Path(sys.executable), _COMMAND_LINE, flags, blocked=True)
        there = run(python, _COMMAND_LINE, flags, blocked=blocked)
        same = there[:3] == here[:3] and there[0] in (0, 1) and not unwanted(there[3])
        proof.claim(f"hardtack {verb} {name}", same, f"{len(there[1])} bytes {unwanted(there[3]) or ''}".strip())


def main() -> None:
    """Build here, ask there, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--blocked", action="store_true", help="this interpreter, the extras refused")
    arguments = parser.parse_args()
    with scratch() as root:
        bundle = root / "bundle"
        copy = root / arguments.repository.resolve().name
        shutil.copytree(arguments.repository, copy, symlinks=True)
        build(copy, bundle)
        shutil.rmtree(copy)
        how = "with every extra refused" if arguments.blocked else "in a fresh virtual environment"
        proof = Proof(f"The bundle of {arguments.repository.name}, asked {how}")
        python = Path(sys.executable) if arguments.blocked else fresh_environment(root / "venv")
        if not arguments.blocked:
            extras = installed_extras(python)
            proof.claim("no extra is installed", not extras, " ".join(extras))
        searches(proof, python, bundle, blocked=arguments.blocked)
        look_ups(proof, python, bundle, blocked=arguments.blocked)
        flags = [str(arguments.repository), "-o", str(root / "second")]
        code, _, said, _ = run(python, _COMMAND_LINE, ["build", *flags], blocked=arguments.blocked)
        says = "pip install 'hardtack[build]'" in said and "Traceback" not in said
        proof.claim("hardtack build without its extra", code == 2 and says, f"exit status {code}: {' '.join(said.split())}")
        proof.claim("it leaves nothing behind", not (root / "second").exists())
        proof.leave()


if __name__ == "__main__":
    main()
