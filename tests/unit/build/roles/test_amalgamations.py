"""A file that holds the definitions of other files is an amalgamation; what only names, declares or repeats them is none."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping

import pytest

from hardtack.build.roles.amalgamations import Amalgamations
from hardtack.bundle.format.records import KINDS, SYMBOL_FIELDS
from hardtack.nouns.model import Kind

RolesOf = Callable[[Mapping[str, str]], dict[str, str]]

JAR = """// Opens jars of preserved fruit.
export function openJar(jar, hand) {
  if (!jar.lid) { throw new Error('a jar without a lid is open already'); }
  return hand.turn(jar.lid, 'left');
}
export function closeJar(jar, hand) {
  jar.lid = hand.turn(jar.lid, 'right');
  return jar;
}
"""
SHELF = """// Puts things onto planks of oak.
export function placeOn(shelf, thing) {
  const plank = shelf.planks.find((each) => each.width > thing.width);
  return plank ? plank.things.push(thing) : -1;
}
export function dustOff(shelf) {
  return shelf.planks.map((plank) => plank.wipe('feather'));
}
"""
LABEL = """// Writes the year of the harvest on paper.
export function writeLabel(paper, year, fruit) {
  return paper.ink(`${fruit}, harvested in ${year}`);
}
export function readLabel(paper) {
  const [fruit, rest] = paper.text.split(', harvested in ');
  return { fruit, year: Number(rest) };
}
"""
SOURCES = {"lib/jar.js": JAR, "lib/shelf.js": SHELF, "lib/label.js": LABEL}


def bundled(*texts: str) -> str:
    body = "\n".join(texts).replace("export ", "").replace("\n", "\n  ")
    return f"(function (global) {{\n  'use strict';\n  {body}\n  global.pantry = {{ openJar, placeOn, writeLabel }};\n}})(this);\n"


def test_what_a_bundler_makes_of_the_sources_is_an_amalgamation(roles_of: RolesOf) -> None:
    roles = roles_of({**SOURCES, "dist/pantry.js": bundled(JAR, SHELF, LABEL)})
    assert {"dist/pantry.js": "amalgamation", **dict.fromkeys(SOURCES, "source")} == roles


def test_its_name_and_its_folder_do_not_matter(roles_of: RolesOf) -> None:
    assert "amalgamation" == roles_of({**SOURCES, "core/all.js": bundled(JAR, SHELF, LABEL)})["core/all.js"]
    assert "source" == roles_of({"dist/pantry.js": JAR + SHELF + LABEL})["dist/pantry.js"]


def test_one_c_file_of_all_headers_and_sources_is_an_amalgamation(roles_of: RolesOf) -> None:
    def part(name: str, words: str) -> str:
        first, *_, last = words.split()
        functions = (
            f"static int {name}_{verb}(const struct {name} *it, int {first})\n{{\n    return it->{verb} * {last};\n}}\n"
            for verb in ("open", "close", "flush")
        )
        return f'#include "{name}.h"\n/* {words} */\n' + "".join(functions)

    topics = {"pager": "pages of memory", "btree": "nodes and leaves", "vdbe": "opcodes of a machine"}
    parts = {f"src/{name}.c": part(name, words) for name, words in topics.items()}
    assert "amalgamation" == roles_of({**parts, "single/lite3.c": "\n".join(parts.values())})["single/lite3.c"]


def test_two_files_in_one_are_none_yet(roles_of: RolesOf) -> None:
    assert "source" == roles_of({**SOURCES, "lib/both.js": JAR + SHELF})["lib/both.js"]


def test_a_file_with_much_of_its_own_is_none(roles_of: RolesOf) -> None:
    own = "".join(f"export function cook{number}(pot) {{\n  return pot.boil({number}, 'minutes');\n}}\n" for number in range(20))
    assert "source" == roles_of({**SOURCES, "lib/kitchen.js": JAR + SHELF + LABEL + own})["lib/kitchen.js"]


def test_a_facade_a_header_and_declarations_are_none(roles_of: RolesOf) -> None:
    facade = (
        "import { openJar, closeJar } from './jar.js';\nimport { placeOn, dustOff } from './shelf.js';\n"
        "export * from './jar.js';\nexport * from './shelf.js';\nexport * from './label.js';\n"
        "export const pantry = { openJar, closeJar, placeOn, dustOff };\n"
    )
    declared = "".join(
        f"export function {name}(...things: unknown[]): unknown;\n"
        for name in ("openJar", "closeJar", "placeOn", "dustOff", "writeLabel", "readLabel")
    )
    roles = roles_of({**SOURCES, "lib/index.js": facade, "lib/index.d.ts": declared})
    assert {"source"} == set(roles.values())


def test_a_header_that_tells_all_about_what_it_declares_is_none(roles_of: RolesOf) -> None:
    bodies = {
        f"src/{name}.c": "".join(
            f"int {name}_{verb}(int lid)\n{{\n    int turned = lid * 2;\n    while (turned < 90) turned += lid;\n"
            f"    return turned > 180 ? {len(name)} : turned;\n}}\n"
            for verb in ("open", "close", "wash")
        )
        for name in ("jar", "pot", "mug")
    }
    told = "".join(f"// {line}\n" for text in bodies.values() for line in text.splitlines())
    names = (f"{name}_{verb}" for name in ("jar", "pot", "mug") for verb in ("open", "close", "wash"))
    header = told + "".join(f"int {name}(int lid);\n" for name in names)
    assert {"source"} == set(roles_of({**bodies, "include_all/all.c": header}).values())


def test_the_same_functions_for_another_platform_are_none(roles_of: RolesOf) -> None:
    def part(name: str, call: str) -> str:
        return "".join(
            f"int fs_{name}_{verb}(fs_t *req)\n{{\n    int code = {call}_{verb}(req->{call}, {call.upper()}_{verb.upper()});\n"
            f"    return code == {call.upper()}_FAILED ? {call}_error() : code;\n}}\n"
            for verb in ("read", "write", "sync")
        )

    unix = {f"unix/{name}.c": part(name, call) for name, call in {"file": "posix", "link": "symlink", "watch": "inotify"}.items()}
    windows = "\n".join(part(name, "NtDevice") for name in ("file", "link", "watch"))
    assert {"source"} == set(roles_of({**unix, "win/fs.c": windows}).values())


def test_implementations_of_one_interface_are_none(roles_of: RolesOf) -> None:
    def system(name: str) -> str:
        return "".join(
            f"int get_{what}(void)\n{{\n    return {name}_{what}(0, sizeof(int));\n}}\n"
            for what in ("memory", "cpus", "uptime", "load")
        )

    files = {f"unix/{name}.c": system("sysctl") + f"/* {name} */\n" for name in ("freebsd", "netbsd", "openbsd")}
    files["unix/bsd.c"] = system("sysctl") + "int get_netbsd_or_openbsd_or_freebsd(void)\n{\n    return 0;\n}\n"
    assert {"source"} == set(roles_of(files).values())


def test_one_platform_that_has_what_others_have_in_pieces_is_none(roles_of: RolesOf) -> None:
    def piece(name: str) -> str:
        return "".join(
            f"int {name}_{verb}(int socket)\n{{\n    return {verb}(socket, sizeof(struct sockaddr));\n}}\n"
            for verb in ("accept", "bind", "send")
        )

    pieces = {name: piece(name) for name in ("inet", "local", "packet")}
    files = {
        f"{platform}/{name}.c": f"/* {platform} */\n{text}"
        for name, text in pieces.items()
        for platform in (("ios", "macos") if name != "packet" else ("linux",))
    }
    everything = "/* ios macos linux windows */\n" + "".join(pieces.values())
    assert {"source"} == set(roles_of({**files, "windows/sockets.c": everything}).values())


def test_mocks_of_several_interfaces_are_none(roles_of: RolesOf) -> None:
    files, mocks = {}, "package store\n"
    for name in ("Jar", "Shelf", "Label"):
        files[f"store/{name.lower()}.go"] = (
            f"package store\n\ntype {name}Store interface {{\n\tGet{name}(id int) error\n\tPut{name}(id int) error\n}}\n"
        )
        mocks += f"type Mock{name}Store struct {{\n\tcalls int\n}}\n" + "".join(
            f"func (m *Mock{name}Store) {verb}{name}(id int) error {{\n\tm.calls++\n\treturn nil\n}}\n" for verb in ("Get", "Put")
        )
    assert {"source"} == set(roles_of({**files, "store/stores.go": mocks}).values())


def _hostile(files: int, names: int) -> float:
    """Seconds to look through so many files that each define the same names, and some of their own."""
    found = Amalgamations()
    kind = KINDS.index(Kind.FUNCTION)

    def row(name: str) -> tuple[object, ...]:
        values = dict.fromkeys(SYMBOL_FIELDS, 0) | {"kind": kind, "name": name, "start": 0, "end": 100, "parent": -1}
        return tuple(values[field] for field in SYMBOL_FIELDS)

    pick = random.Random(7)
    for file in range(files):
        own = [f"near_{pick.randrange(files * names // 16)}" for _ in range(names)]
        found.add(file, [row(name) for name in (*(f"same_{number}" for number in range(names)), *own)], bytes(4 * names))
    start = time.process_time()
    found.found()
    return time.process_time() - start


@pytest.mark.parametrize("names", [20])
def test_a_tree_of_files_with_the_same_names_takes_time_as_it_has_files(names: int) -> None:
    _hostile(500, names)
    few, many = _hostile(1_000, names), _hostile(10_000, names)
    assert many < 30 * max(few, 0.01)
