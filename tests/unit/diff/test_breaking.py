"""What breaks callers in each language: small pairs of files, and the rules that they break."""

from __future__ import annotations

from pathlib import Path

from bundles import built

from hardtack.bundle.reader import open_bundle
from hardtack.diff.comparison import compare
from hardtack.diff.rules import BY_ID
from hardtack.nouns.changes import Comparison, Verdict

BREAKS, MAY = Verdict.BREAKS, Verdict.MAY_BREAK


def compared(place: Path, old: dict[str, str], new: dict[str, str]) -> Comparison:
    with open_bundle(built(place / "old", old)) as before, open_bundle(built(place / "new", new)) as after:
        return compare(before, after)


def broken(place: Path, path: str, old: str, new: str) -> set[tuple[str, str, Verdict]]:
    """(symbol, rule, verdict) of each breakage between two texts of one file."""
    found = compared(place, {path: old}, {path: new})
    return {
        (state.name, each.rule, each.verdict)
        for change in found.symbols
        for state in (change.old or change.new,)
        if state
        for each in change.breakages
    }


PYTHON = {
    "def f(a, b): ... -> def f(a): ...": {("parameter-removed", BREAKS)},
    "def f(a, b): ... -> def f(a, *args, **names): ...": set(),
    "def f(a): ... -> def f(a, b): ...": {("parameter-required-added", BREAKS)},
    "def f(a): ... -> def f(a, b=1): ...": set(),
    "def f(a, b=1): ... -> def f(a, b): ...": {("parameter-made-required", BREAKS)},
    "def f(a, b): ... -> def f(b, a): ...": {("parameter-reordered", BREAKS)},
    "def f(a): ... -> def f(b): ...": {("parameter-renamed", BREAKS)},
    "def f(a, /): ... -> def f(b, /): ...": set(),
    "def f(a): ... -> def f(*, a): ...": {("parameter-kind-changed", BREAKS)},
    "def f(a): ... -> def f(a, /): ...": {("parameter-kind-changed", BREAKS)},
    "def f(*, a): ... -> def f(a): ...": set(),
    "def f(a=1): ... -> def f(a=2): ...": {("parameter-default-changed", MAY)},
    "def f(a='x'): ... -> def f(a=\"x\"): ...": set(),
    "def f(a: int | None): ... -> def f(a: int): ...": {("parameter-type-changed", MAY)},
    "def f(a: int): ... -> def f(a: Optional[int]): ...": set(),
    "def f(a: List[int]): ... -> def f(a: list[int]): ...": set(),
    "def f() -> int: ... -> def f() -> int | None: ...": {("return-type-changed", MAY)},
    "def f() -> int | None: ... -> def f() -> int: ...": set(),
    "def f(): ... -> async def f(): ...": {("async-changed", BREAKS)},
    "def f(): ... -> class f: ...": {("kind-changed", MAY)},
    "def f(): ... -> def _f(): ...": {("removed", BREAKS)},
}


def test_functions_of_python(tmp_path: Path) -> None:
    pairs = [change.split(": ... -> ") for change in PYTHON]
    old = {f"shop/case_{number}.py": f"{before}: ...\n" for number, (before, _) in enumerate(pairs)}
    new = {f"shop/case_{number}.py": f"{after}\n" for number, (_, after) in enumerate(pairs)}
    found: dict[str, set[tuple[str, Verdict]]] = {path: set() for path in old}
    for change in compared(tmp_path, old, new).symbols:
        path = (change.old or change.new).path  # type: ignore[union-attr]
        found[path] |= {(each.rule, each.verdict) for each in change.breakages}
    assert PYTHON == dict(zip(PYTHON, found.values(), strict=True))


def test_classes_of_python(tmp_path: Path) -> None:
    old = (
        "from dataclasses import dataclass\n\n\nclass Base:\n    def shared(self): ...\n\n\n"
        "class Stall(Base, Mixin):\n    size = 1\n\n    def __init__(self, goods):\n        self.goods = goods\n\n"
        "    def open(self): ...\n\n    def close(self): ...\n\n    @staticmethod\n    def make(): ...\n\n"
        "    @property\n    def wide(self): ...\n\n\n@dataclass\nclass Crate:\n    weight: int\n"
    )
    new = (
        "from dataclasses import dataclass\n\n\nclass Base:\n    def shared(self): ...\n\n    def open(self): ...\n\n\n"
        "class Stall(Base):\n    def __init__(self, goods):\n        self._goods = goods\n\n"
        "    def make(self): ...\n\n    def wide(self): ...\n\n\n@dataclass\nclass Crate:\n"
        "    weight: int\n    owner: str\n    note: str = ''\n"
    )
    assert {
        ("Stall", "supertype-removed", BREAKS),
        ("Stall", "removed", BREAKS),  # its attribute goods
        ("Stall.size", "removed", BREAKS),
        ("Stall.close", "removed", BREAKS),  # and not open, which it inherits now
        ("Stall.make", "static-changed", BREAKS),
        ("Stall.wide", "kind-changed", BREAKS),
        ("Crate.owner", "parameter-required-added", BREAKS),
    } == broken(tmp_path, "shop/stall.py", old, new)


def test_a_name_that_its_package_still_passes_on_has_not_moved_for_callers(tmp_path: Path) -> None:
    body = "def weigh(crate):\n    total = crate.weight + crate.lid\n    return total * 2 if crate.full else total\n"
    old = {"shop/__init__.py": "from shop._scale import weigh\n", "shop/_scale.py": body, "shop/tin.py": "def pour(): ...\n"}
    passed = {**old, "shop/__init__.py": "from shop._weights import weigh\n", "shop/_weights.py": body}
    del passed["shop/_scale.py"]
    found = compared(tmp_path / "passed", old, passed)
    assert [["moved"]] == [[kind.value for kind in each.kinds] for each in found.symbols]
    assert [()] == [each.breakages for each in found.symbols]
    lost = compared(tmp_path / "lost", old, {**old, "shop/__init__.py": "VERSION = 1\n"})
    assert {"reexport-removed"} == {each.rule for change in lost.symbols for each in change.breakages}


def test_names_that_all_lists_are_public_and_others_are_not(tmp_path: Path) -> None:
    old = '__all__ = ["keep", "drop"]\n\n\ndef keep(): ...\n\n\ndef drop(): ...\n\n\ndef inner(a): ...\n'
    new = '__all__ = ["keep"]\n\n\ndef keep(): ...\n\n\ndef drop(): ...\n'
    assert {("drop", "hidden", MAY)} == broken(tmp_path, "shop/stall.py", old, new)


def test_a_module_that_is_gone_is_told_once(tmp_path: Path) -> None:
    old = {"shop/__init__.py": "", "shop/old.py": "def a(): ...\n\n\ndef b(): ...\n"}
    found = compared(tmp_path, old, {"shop/__init__.py": "", "shop/new.py": "C = 1\n"})
    assert [("shop.old", "module-removed")] == [
        (change.old.name, each.rule) for change in found.symbols if change.old for each in change.breakages
    ]


def test_go(tmp_path: Path) -> None:
    old = (
        "package shop\n\ntype Stall struct {\n\tSize int\n\towner string\n}\n\n"
        "type Seller interface {\n\tSell(n int) error\n}\n\n"
        "type sealed interface{}\n\ntype Sealed interface {\n\tseal()\n}\n\n"
        "func (s Stall) Open() error { return nil }\n\n"
        "func Weigh(n int, any interface{}) int { return n }\n\nfunc Pour(n int) {}\n\nfunc inner(n int) {}\n"
    )
    new = (
        "package shop\n\ntype Stall struct {\n\tSize int64\n}\n\ntype Seller interface {\n"
        "\tSell(n int) error\n\tBuy()\n}\n\n"
        "type sealed interface{}\n\ntype Sealed interface {\n\tseal()\n\tMore()\n}\n\n"
        "func (s *Stall) Open() error { return nil }\n\n"
        "func Weigh(m int, other any) int { return m }\n\nfunc Pour(n int, more ...int) {}\n\nfunc inner() {}\n"
    )
    assert {
        ("Stall.Size", "field-type-changed", BREAKS),
        ("Seller.Buy", "required-member-added", BREAKS),
        ("Stall.Open", "receiver-changed", BREAKS),
        ("Pour", "parameter-added", BREAKS),
    } == broken(tmp_path, "shop/stall.go", old, new)


def test_java(tmp_path: Path) -> None:
    old = (
        "package shop;\n\npublic class Stall implements Seller {\n    public int size;\n"
        "    public void sell(String what) {}\n"
        "    public void sell(int number) {}\n    public String name() { return null; }\n    void inner() {}\n}\n"
    )
    new = (
        "package shop;\n\npublic final class Stall {\n    private int size;\n"
        "    public void sell(final String what) {}\n"
        "    public Object name() { return null; }\n}\n"
    )
    assert {
        ("Stall", "made-final", BREAKS),
        ("Stall", "supertype-removed", BREAKS),
        ("Stall.size", "hidden", BREAKS),
        ("Stall.sell", "removed", BREAKS),
        ("Stall.name", "return-type-changed", BREAKS),
    } == broken(tmp_path, "shop/Stall.java", old, new)


def test_typescript(tmp_path: Path) -> None:
    old = (
        'export type Size = "small" | "large"\nexport enum Colour { Red, Green }\n'
        "export interface Stall { name: string; open?: boolean }\n"
        "export function sell(what: string | number, many?: number): string { return '' }\n"
        "export function pour(a: string): void {}\n"
        "function inner(a: string) {}\n"
    )
    new = (
        'export type Size = "small" | "large" | "huge"\nexport enum Colour { Red }\n'
        "export interface Stall { name?: string; open: boolean }\n"
        "export function sell(what: string, many: number): string | undefined { return '' }\n"
        "export function pour(a: string, b?: number): void {}\n"
    )
    assert {
        ("Size", "type-definition-changed", MAY),
        ("Colour.Green", "removed", BREAKS),
        ("Stall.name", "field-made-optional", BREAKS),
        ("Stall.open", "field-made-required", MAY),
        ("sell", "parameter-type-changed", BREAKS),
        ("sell", "parameter-made-required", BREAKS),
        ("sell", "return-type-changed", BREAKS),
    } == broken(tmp_path, "shop/stall.ts", old, new)


def test_what_an_npm_package_does_not_pass_on_is_not_its_surface(tmp_path: Path) -> None:
    old = {
        "package.json": '{"name": "shop", "version": "1.0.0"}\n',
        "src/index.ts": "export * from './stall'\nexport { pour } from './tin'\n",
        "src/stall.ts": "export function sell(): void {}\n",
        "src/tin.ts": "export function pour(): void {}\nexport function inner(): void {}\n",
    }
    new = {**old, "src/stall.ts": "export const other = 1\n", "src/tin.ts": "export function pour(): void {}\n"}
    found = compared(tmp_path, old, new)
    assert {("sell", "removed")} == {
        (change.old.name, each.rule) for change in found.symbols if change.old for each in change.breakages
    }


def test_rust(tmp_path: Path) -> None:
    old = (
        "pub struct Stall { pub size: u8 }\npub enum Colour { Red }\n#[non_exhaustive]\npub enum Open { Red }\n"
        "pub trait Sell { fn sell(&self); }\npub fn pour(n: u8) -> u8 { n }\n"
    )
    new = (
        "pub struct Stall { pub size: u8, pub more: u8 }\npub enum Colour { Red, Green }\n"
        "#[non_exhaustive]\npub enum Open { Red, Green }\n"
        "pub trait Sell { fn sell(&self); fn buy(&self); fn both(&self) {} }\npub fn pour(n: u16) -> u8 { 0 }\n"
    )
    assert {
        ("Stall.more", "struct-field-added", BREAKS),
        ("Colour.Green", "enum-member-added", BREAKS),
        ("Sell.buy", "required-member-added", BREAKS),
        ("pour", "parameter-type-changed", BREAKS),
    } == broken(tmp_path, "src/lib.rs", old, new)


def test_other_languages_by_place_and_default(tmp_path: Path) -> None:
    old = (
        "<?php\nclass Stall {\n    public function sell($what, $many = 1) {}\n"
        "    public function pour() {}\n    private function inner($a) {}\n}\n"
    )
    new = (
        "<?php\nclass Stall {\n    public function sell($what) {}\n"
        "    public function pour($a) {}\n    private function inner() {}\n}\n"
    )
    assert {("Stall.sell", "parameter-removed", BREAKS), ("Stall.pour", "parameter-required-added", BREAKS)} == broken(
        tmp_path, "src/Stall.php", old, new
    )


def test_a_verdict_is_one_of_those_that_there_are() -> None:
    for rule in BY_ID.values():
        assert {*rule.verdicts.split(", ")} <= {each.value for each in Verdict}


CARGO = '[package]\nname = "shop-core"\nversion = "1.0.0"\n'


def rules(found: Comparison) -> dict[str, set[tuple[str, Verdict]]]:
    """Name of each symbol that breaks callers -> rules and verdicts."""
    return {
        (change.old or change.new).name: {(each.rule, each.verdict) for each in change.breakages}  # type: ignore[union-attr]
        for change in found.symbols
        if change.breakages
    }


def test_a_crate_exports_what_public_modules_and_pub_use_lead_to(tmp_path: Path) -> None:
    pub = "pub fn {0}(n: u8) {{}}\n"
    old = {
        "Cargo.toml": CARGO,
        "src/lib.rs": (
            "mod hidden;\npub mod open;\npub(crate) mod half;\npub use hidden::{\n    passed,\n    renamed as other,\n};\n"
            "pub(crate) use hidden::kept;\npub use half::*;\n#[macro_export]\nmacro_rules! weigh { () => {} }\n"
            "macro_rules! own { () => {} }\n"
            "pub mod inner { pub fn deep() {} fn shut() {} }\n#[doc(hidden)]\npub mod secret { pub fn unseen() {} }\n"
        ),
        "src/hidden.rs": "".join(pub.format(name) for name in ("passed", "renamed", "kept", "lost"))
        + "pub struct Unseen;\nimpl Unseen { pub fn call(&self) {} }\n",
        "src/open.rs": pub.format("sell") + "pub struct Seen;\n",
        "src/half.rs": pub.format("all"),
        "src/seen.rs": "",
    }
    new = {**dict.fromkeys(old, ""), "Cargo.toml": CARGO, "src/lib.rs": "mod hidden;\npub mod open;\nmod half;\n"}
    assert {"passed", "renamed", "all", "sell", "weigh", "inner.deep", "Seen"} == set(rules(compared(tmp_path, old, new)))


def test_what_a_crate_passes_on_elsewhere_or_not_any_more(tmp_path: Path) -> None:
    body = "pub fn sell(n: u8) -> u8 {\n    let total = n + 1;\n    let all = total * 2;\n    all - 1\n}\n"
    old = {"Cargo.toml": CARGO, "src/lib.rs": "mod a;\nmod b;\npub use a::sell;\n", "src/a.rs": body, "src/b.rs": ""}
    kept = {**old, "src/lib.rs": "mod a;\nmod b;\npub use b::sell;\n", "src/a.rs": "", "src/b.rs": body}
    assert {} == rules(compared(tmp_path / "kept", old, kept))
    hidden = {**old, "src/lib.rs": "mod a;\nmod b;\nuse a::sell;\n", "src/a.rs": body.replace("+ 1", "+ 2")}
    assert {"sell": {("hidden", BREAKS)}} == rules(compared(tmp_path / "hidden", old, hidden))


def test_a_program_of_rust_and_what_is_not_published_have_no_surface(tmp_path: Path) -> None:
    body = "pub fn sell(n: u8) {}\n"
    old = {
        "Cargo.toml": CARGO,
        "src/main.rs": "mod stall;\nfn main() {}\n",
        "src/stall.rs": body,
        "src/bin/other.rs": body,
        "tools/Cargo.toml": CARGO.replace("core", "tools") + "publish = false\n",
        "tools/src/lib.rs": body,
        "examples/show.rs": body,
        "benches/speed.rs": body,
        "tests/all.rs": body,
    }
    assert {} == rules(compared(tmp_path, old, {**old, **dict.fromkeys([each for each in old if each.endswith(".rs")], "")}))


def test_members_of_a_type_of_rust_are_where_any_of_its_impls_are(tmp_path: Path) -> None:
    old = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "trait Own { fn mine(&self); }\npub struct Stall;\n"
        "impl Stall { pub fn sell<'a>(&'a self, n: std::io::Error) {} }\n"
        "impl Own for Stall { fn mine(&self) {} }\n",
    }
    new = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "pub struct Stall;\n#[cfg(unix)]\nmod sys {\n    use super::Stall;\n"
        "    impl Stall { pub fn sell(&self, n: Error) {} }\n}\n",
    }
    assert {} == rules(compared(tmp_path, old, new))


def test_an_npm_package_that_lists_its_entries_exports_what_those_offer(tmp_path: Path) -> None:
    function = "export function {0}(): void {{}}\n"
    old = {
        "package.json": '{"name": "shop", "exports": {".": {"types": "./dist/main.d.ts", "default": "./dist/main.js"}, '
        '"./extra": "./dist/extra.js", "./package.json": "./package.json"}}\n',
        "src/main.ts": "export { pour as fill } from './tin'\n" + function.format("sell"),
        "src/extra.ts": function.format("more") + "/** @internal */\n" + function.format("own"),
        "src/tin.ts": function.format("pour") + function.format("inner"),
    }
    new = {**old, **dict.fromkeys(("src/main.ts", "src/extra.ts", "src/tin.ts"), "export const other = 1\n")}
    assert {"pour", "sell", "more"} <= set(rules(compared(tmp_path / "closed", old, new)))
    assert not {"inner", "own"} & set(rules(compared(tmp_path / "again", old, new)))
    moved = {**old, "src/main.ts": old["src/main.ts"].replace("./tin", "./can"), "src/can.ts": old["src/tin.ts"], "src/tin.ts": ""}
    assert {} == rules(compared(tmp_path / "moved", old, moved))


def test_a_program_of_npm_has_no_surface(tmp_path: Path) -> None:
    old = {"package.json": '{"name": "shop", "private": true}\n', "src/stall.ts": "export function sell(): void {}\n"}
    assert {} == rules(compared(tmp_path, old, {**old, "src/stall.ts": ""}))


def test_java_exports_what_its_module_exports_and_no_source_set_of_tests(tmp_path: Path) -> None:
    text = "package {0};\n\npublic class {1} {{\n    public void sell() {{}}\n    void own() {{}}\n}}\n\nclass Own{1} {{}}\n"
    old = {
        "src/main/java/module-info.java": "module shop {\n    exports shop;\n    exports shop.half to other;\n}\n",
        "src/main/java/shop/Stall.java": text.format("shop", "Stall"),
        "src/main/java/shop/half/Half.java": text.format("shop.half", "Half"),
        "src/main/java/shop/inner/Inner.java": text.format("shop.inner", "Inner"),
        "src/testFixtures/java/shop/Fixture.java": text.format("shop", "Fixture"),
        "src/jmh/java/shop/Speed.java": text.format("shop", "Speed"),
    }
    assert {"Stall"} == set(rules(compared(tmp_path, old, {"src/main/java/shop/Other.java": "package shop;\n"})))


def test_zig_exports_what_is_pub(tmp_path: Path) -> None:
    old = "pub const Stall = struct {\n    size: u8,\n    pub fn sell() void {}\n    fn own() void {}\n};\npub fn open() void {}\n"
    old += 'fn shut() void {}\ntest "open" {}\n'
    assert {("open", "removed", BREAKS), ("Stall", "removed", BREAKS)} == broken(
        tmp_path, "src/stall.zig", old, "pub const x = 1;\n"
    )


def test_every_overload_that_an_entry_passes_on_is_exported(tmp_path: Path) -> None:
    old = {
        "package.json": '{"name": "shop", "exports": "./dist/index.js"}\n',
        "src/index.ts": "export * from './stall'\n",
        "src/stall.ts": "export function sell(a: string): void\nexport function sell(a: number): void\n"
        "export function sell(a: any) {}\n",
    }
    assert {"sell"} == set(rules(compared(tmp_path, old, {**old, "src/stall.ts": "export const other = 1\n"})))
    found = compared(tmp_path / "again", old, {**old, "src/stall.ts": "export const other = 1\n"})
    assert [True] == [bool(each.breakages) for each in found.symbols if each.old]


def test_go_sees_through_aliases_platforms_and_embedded_types(tmp_path: Path) -> None:
    old = {
        "inner/a.go": "package inner\n\ntype Crate struct{}\n\nfunc (c *Crate) Weigh() int { return 1 }\n",
        "shop/unix.go": 'package shop\n\nimport "x/inner"\n\ntype Stall struct{}\n\nfunc (s *Stall) Open() {}\n\n'
        "func Take(c ...inner.Crate) {}\n",
        "shop/windows.go": "package shop\n\ntype Stall struct{}\n\nfunc (s *Stall) Open() {}\n",
        "shop/tin.go": "package shop\n\ntype Tin struct{}\n\nfunc (t *Tin) Weigh() int { return 1 }\n\nconst Size int = 1\n",
        "shop/pot.go": "package shop\n\ntype Pot struct {\n\tA int\n}\n",
    }
    new = {
        **old,
        "shop/unix.go": "package shop\n\ntype Stall struct{}\n\nfunc (s *Stall) Open() {}\n\nfunc Take(c ...Crate) {}\n",
        "shop/tin.go": 'package shop\n\nimport "x/inner"\n\ntype Tin = inner.Crate\ntype Crate = inner.Crate\n\nconst Size = 1\n',
        "shop/pot.go": "package shop\n\ntype Pot struct {\n\tA int\n\tB []int\n}\n",
    }
    del new["shop/windows.go"]
    found = rules(compared(tmp_path, old, new))
    assert {("made-incomparable", MAY)} == found.pop("Pot.B")
    assert {BREAKS} != {verdict for each in found.values() for _, verdict in each}
    assert not {"Stall", "Stall.Open", "Take", "Tin.Weigh"} & set(found)


def test_java_overloads_are_told_apart_by_type_and_arrays_may_become_any_number(tmp_path: Path) -> None:
    old = (
        "package shop;\n\npublic class Stall {\n    public void sell(String a, int b) {}\n    public void sell(int a) {}\n"
        "    public void all(String[] a) {}\n    public void cut(byte a[]) {}\n    interface Inner {}\n"
        "    public static enum Size { A }\n}\n"
    )
    new = (
        "package shop;\n\npublic class Stall {\n    public void sell(char a) {}\n"
        "    public void sell(final int number) { number++; }\n"
        "    public void sell(final String what, int b) { b++; }\n    public void all(final String... names) {}\n"
        "    public void cut(byte[] a) {}\n    public enum Size { A }\n}\n"
    )
    assert set() == broken(tmp_path, "src/main/java/shop/Stall.java", old, new)
