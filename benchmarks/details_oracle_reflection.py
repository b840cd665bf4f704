"""Does what we say of PHP's methods equal what PHP's reflection says of the classes once they are loaded?

    python benchmarks/details_oracle_reflection.py TREE [TREE ...] --autoload FILE [--misses FILE]

Needs ``php``; Debian's php-laravel-framework is a tree with all it depends on. Every class, interface, trait and enum that a
``.php`` file below a TREE declares is loaded through FILE, which must set up autoloading; one that does not load is counted and
named among the misses. Compared are the methods each declares: visibility, static, abstract, final, and the parameters' names and
types.

Reflection resolves and reorders what the source says, so types are compared as sets of names without their namespaces, aliases of
imports replaced, and a parameter that is null by default counts as nullable. Exit status 1 below 99 %.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from details_oracle_tally import Entry, Tally, entries_of, finished
from hardtack.details import Parameter

MARK = 0.99
MODIFIERS = ("abstract", "final", "static")

PROGRAM = r"""
require $argv[1];
error_reporting(0);
while (($line = fgets(STDIN)) !== false) {
    [$class, $path] = json_decode($line);
    try {
        $loads = class_exists($class) || interface_exists($class) || trait_exists($class);
    } catch (Throwable $fault) {
        $loads = false;
    }
    $methods = [];
    foreach ($loads ? (new ReflectionClass($class))->getMethods() : [] as $each) {
        if ($each->class !== $class || $each->getFileName() !== $path) continue;
        $parameters = [];
        foreach ($each->getParameters() as $parameter) {
            $marks = ($parameter->isPassedByReference() ? '&' : '') . ($parameter->isVariadic() ? '...' : '');
            $parameters[] = [$marks . '$' . $parameter->name, (string) $parameter->getType()];
        }
        $modifiers = ['abstract' => $each->isAbstract(), 'final' => $each->isFinal(), 'static' => $each->isStatic()];
        $methods[] = [
            'name' => $each->name, 'line' => $each->getStartLine(),
            'facts' => [
                'visibility' => $each->isPrivate() ? 'private' : ($each->isProtected() ? 'protected' : 'public'),
                'modifiers' => array_keys(array_filter($modifiers)),
                'parameters' => $parameters,
            ],
        ];
    }
    echo json_encode(['class' => $class, 'loads' => $loads, 'methods' => $methods]), "\n";
}
"""

_NAMESPACE = re.compile(r"^\s*namespace\s+([\w\\]+)", re.MULTILINE)
_TYPE = re.compile(r"^\s*(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+(\w+)", re.MULTILINE)
_ALIAS = re.compile(r"([\w\\]+)\s+as\s+(\w+)\s*[;,}]")


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    parser.add_argument("--autoload", required=True, type=Path, help="a PHP file that sets up autoloading")
    parser.add_argument("--misses", type=Path, help="write what differs there: place, aspect, theirs, ours")
    arguments = parser.parse_args()
    tallies = [tally_of(tree.resolve(), arguments.autoload) for tree in arguments.trees]
    return finished(tallies, arguments.misses, MARK)


def tally_of(tree: Path, autoload: Path) -> Tally:
    """Every method of every class below ``tree`` that loads."""
    tally = Tally(str(tree))
    texts = {path: path.read_bytes() for path in sorted(tree.rglob("*.php"))}
    classes = [(name, path) for path, text in texts.items() for name in _declared(text.decode("utf-8", "replace"))]
    loaded = 0
    for (name, path), record in zip(classes, _records(classes, autoload), strict=True):
        if record is None or not record["loads"]:
            tally.misses.append(f"{path.relative_to(tree)}\tdoes not load\t{name}\t-")
            continue
        loaded += 1
        entries = entries_of(path, texts[path]) if record["methods"] else {}
        aliases = _aliases(texts[path].decode("utf-8", "replace"))
        for method in record["methods"]:
            ours = entries.get((method["name"], method["line"]), ())
            facts = method["facts"]
            stated = [[parameter, sorted(_parts(type_, aliases))] for parameter, type_ in facts["parameters"]]
            where = f"{path.relative_to(tree)}:{method['line']}:{method['name']}"
            said = _ours(ours[0], aliases) if ours else None
            tally.compare("methods", where, {**facts, "parameters": stated}, said)
    tally.title += f" ({loaded} of {len(classes)} classes load)"
    return tally


def _declared(text: str) -> list[str]:
    match = _NAMESPACE.search(text)
    prefix = f"{match[1]}\\" if match else ""
    return [prefix + name for name in _TYPE.findall(text)]


def _records(classes: Sequence[tuple[str, Path]], autoload: Path) -> Iterator[dict[str, Any] | None]:
    """What reflection says of each class; None for one that brought PHP down, after which a new process goes on with the next."""
    rest = list(classes)
    while rest:
        asked = "".join(json.dumps([name, str(path)]) + "\n" for name, path in rest)
        told = subprocess.run(["php", "-r", PROGRAM, "--", autoload], input=asked, capture_output=True, text=True, check=False)
        answers = [json.loads(line) for line in told.stdout.splitlines() if line.startswith('{"class"')]
        yield from answers
        if len(answers) < len(rest):
            yield None
        rest = rest[len(answers) + 1 :]


def _aliases(text: str) -> dict[str, str]:
    """Alias -> last part of the name that it stands for."""
    return {alias: name.rpartition("\\")[2] for name, alias in _ALIAS.findall(text)}


def _parts(type_: str, aliases: Mapping[str, str]) -> set[str]:
    """The types that a type is made of, ``?T`` being ``T|null``."""
    names = [part.strip("() ") for part in re.split(r"[|&]", type_.replace("?", "null|")) if part.strip("() ")]
    last = [name.rpartition("\\")[2] for name in names]
    return {aliases.get(name, name).lower() for name in last}


def _ours(entry: Entry, aliases: Mapping[str, str]) -> dict[str, object]:
    """Our side; a type that only the doc comment declares is none of PHP's."""
    detail = entry[1]
    parameters = [[each.name, [] if each.source_hint else sorted(_loaded(each, aliases))] for each in detail.parameters]
    return {
        "visibility": detail.visibility,
        "modifiers": sorted(word for word in detail.modifiers if word in MODIFIERS),
        "parameters": parameters,
    }


def _loaded(parameter: Parameter, aliases: Mapping[str, str]) -> set[str]:
    """The parts of a type, null among them where that is the default."""
    parts = _parts(parameter.type, aliases)
    return parts | {"null"} if parts and parts != {"mixed"} and parameter.default.lower() == "null" else parts


if __name__ == "__main__":
    sys.exit(main())
