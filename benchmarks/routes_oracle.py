"""Compares the routes that we read from a file with those that Laravel's own router holds once it has run it.

    python benchmarks/routes_oracle.py FRAMEWORK FILE [FILE ...] [--misses FILE]

FRAMEWORK is a checkout of laravel/framework; each FILE a route file of an application: ``routes/web.php`` and the like. Needs
``php`` and ``php-doctrine-inflector``. The application's own classes and functions are stood in for by empty ones, so what a file
asks them (``config('app.prefix')``) is an empty text there and ``*`` here: where a uri of ours has one, it is compared around it.
Equal is a route whose methods, uri, controller, action, name and middleware are. Ours may be more: those under a condition that did
not hold, and those that a later one of the same uri replaces. Exit status 1 below 97 % of the router's.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from hardtack.build.languages.registry import languages
from hardtack.build.outline.symbols import outline_of

MARK = 0.97
HERE = Path(__file__).parent
ANY = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

Route = tuple[str, str, str, str, str, str]
"""Method, uri, controller, action, name, middleware."""


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framework", type=Path)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--misses", type=Path, help="write what differs there")
    arguments = parser.parse_args()
    misses: list[str] = []
    equal = theirs_in_all = ours_in_all = 0
    for path in arguments.files:
        theirs, fault = routes_of_laravel(arguments.framework, path)
        ours = routes_of_ours(path)
        wanted, had = theirs.total(), ours.total()
        common = _common(theirs, ours)
        equal, theirs_in_all, ours_in_all = equal + common, theirs_in_all + wanted, ours_in_all + had
        print(f"{path}: {common} of {wanted} routes equal, {had - common} more of ours{fault}")
        misses += [f"{path}\ttheirs\t{' | '.join(route)}" for route in sorted(theirs.elements())]
        misses += [f"{path}\tours\t{' | '.join(route)}" for route in sorted(ours.elements())]
    more = ours_in_all - equal
    print(f"{equal} of {theirs_in_all} routes equal ({equal / max(1, theirs_in_all):.2%}), {more} more of ours")
    if arguments.misses:
        arguments.misses.write_text("".join(f"{miss}\n" for miss in misses), encoding="utf-8")
    return 0 if theirs_in_all and equal >= MARK * theirs_in_all else 1


def routes_of_laravel(framework: Path, path: Path) -> tuple[Counter[Route], str]:
    """What the router holds, and why it does not hold all, if so."""
    command = ["php", str(HERE / "routes_of_laravel.php"), str(framework.resolve()), str(path.resolve())]
    done = subprocess.run(command, capture_output=True, text=True)
    found: Counter[Route] = Counter()
    fault = "" if done.stdout else f" (does not run: {' '.join(done.stderr.split())[:200]})"
    for line in done.stdout.splitlines():
        record = json.loads(line)
        if "fault" in record:
            fault = f" (ended early: {record['fault']})"
            continue
        methods = record["methods"]
        method = "ANY" if set(methods) >= ANY else "|".join(methods)
        middleware = ",".join(record["middleware"])
        found[method, record["uri"], record["controller"], record["action"], record["name"], middleware] += 1
    return found, fault


def routes_of_ours(path: Path) -> Counter[Route]:
    """What we read."""
    outline = outline_of(path.read_bytes(), languages()["php"])
    values = (fact.values for fact in outline.facts if fact.key == "route")
    return Counter(
        (method, uri, controller, action, name, middleware) for method, uri, controller, action, name, middleware, *_ in values
    )


def _common(theirs: Counter[Route], ours: Counter[Route]) -> int:
    """How many are equal; they are taken out of both."""
    count = 0
    for route in list(ours):
        pattern = re.compile("/*".join(map(re.escape, re.split(r"/?\*/?", route[1]))))
        for other in list(theirs):
            is_equal = other == route or ("*" in route[1] and other[2:] == route[2:] and pattern.fullmatch(other[1]) is not None)
            if is_equal:
                both = min(theirs[other], ours[route])
                count += both
                theirs[other] -= both
                ours[route] -= both
    for counter in (theirs, ours):
        for route in [route for route, left in counter.items() if not left]:
            del counter[route]
    return count


if __name__ == "__main__":
    sys.exit(main())
