"""What single lines of many languages use and import: a name, what qualifies it, whether it is called."""

from __future__ import annotations

import pytest

from hardtack.build.languages.registry import languages
from hardtack.build.outline.symbols import outline_of

# language, text, its uses in order: qualifier, a space and the name; brackets behind what is called
USES = [
    ("c", "int a(int b) { int c = b; return d(c) + e->f; }", ["d()", "e", "e f"]),
    ("c", "struct a { struct b *c; enum d e; }; f g[H];", ["b", "d", "f", "H"]),
    ("c", "#define A(b) (b + c->d)\n#ifdef E\n#endif", ["c", "c d", "E"]),
    ("c", "void a(b *c) { (*c->d)(1); c->e[F].g = (h) { .i = J }; }", ["b", "c d()", "c e", "F", "() g", "h", "() i", "J"]),
    ("c", "__attribute__((format(printf, 1, 2))) int a(void);", []),
    ("cpp", "auto a(B<C>& d) -> e::f { return new g::H(d.i()); }", ["B", "C", "e", "e f", "g", "g H()", "d i()"]),
    ("cpp", "template <class T> struct A : B<T> { T c; A() : B<T>(1), c(D::e) {} };", ["B", "B()", "this? c", "D", "D e"]),
    ("cpp", "void a() { B c{1}; for (auto& [d, e] : f) d(e); [&](int g) { return g + c; }; }", ["B()", "f"]),
    (
        "objc",
        "@implementation A\n- (B *)c:(D *)e f:(int)g { return [[H i:e j:g] k].l; }\n@end",
        ["B", "D", "H", "H i:j:()", "() k()", "() l"],
    ),
    ("objc", "void a(B *b) { [[b c].d e:@selector(f:g:) :1]; }", ["B", "b c()", "() d", "b.c().d e::()", "() f:g:"]),
    ("swift", "func a(b c: D) { let e = c.f; g(h: e) { i in i.j() } }", ["D", "c f", "g()", "i j()"]),
    ("swift", "let a = b[c].d; let e: [F: G] = .init(h: .i)", ["b", "c", "() d", "F", "G", "() init()", "() i"]),
    ("swift", "func a() { if let b = c, case .d(let e) = b { f(e) } }", ["c", "() d", "f()"]),
    ("dart", "void a(B c) { final d = c.e(f: 1)..g(); new H.i(d); }", ["B", "c e()", "c.e() g()", "H", "H i()"]),
    ("dart", "class A extends B<C> { A(this.d) : e = f; final D d; }", ["B", "C", "this d", "e", "f", "D"]),
    ("lua", "local function a(b) local c = b.d; return e.f(c):g { h = i } end", ["b d", "e", "e f()", "e.f() g()", "g() h", "i"]),
    ("bash", 'a() { local b=$1; c "$b" | d; e=$(f "$G"); }', ["1", "c()", "d()", "e", "f()", "G"]),
    ("bash", "echo done.\nstow", ["echo()", "stow()"]),
    ("elixir", "a = B.c(d) |> e() |> F.G.h(&i/1)", ["B", "B c()", "e()", "F.G", "F.G h()", "i"]),
    ("elixir", "def a(%B{} = c), do: %{c | d: @e}", ["def", "B", "e"]),
    ("erlang", "a(B) -> c:d(B, fun e/1), ?F(B), #g{h = B}, B#g.h.", ["c", "c d()", "e", "F()", "g", "g() h", "g", "g h"]),
    ("erlang", "-spec a(b()) -> c:d().\n-type e() :: f:g().", ["b()", "c", "c d()", "f", "f g()"]),
    ("haskell", "a :: B -> C.D e\na f = g (H.i f) . j $ K", ["B", "C D", "e", "g()", "H i()", "j", "K"]),
    ("haskell", "a (B c) = case c of { D (e, f) -> g e f; _ -> h where h = i }", ["B()", "D()", "g()", "i"]),
    ("ocaml", "let a b = match b with C d -> E.f d b.g | _ -> h ~i:j", ["C", "E", "E f()", "b g", "h()", "j"]),
    ("perl", "sub a { my ($b) = @_; $b->c(D->new); e($f::g, \\&h); }", ["$b c()", "D", "D new()", "e()", "f::g", "h"]),
    ("r", "a <- function(b, c = D) { e <- b$f(g = h); i::j(e) }", ["D", "b f()", "h", "i", "i j()"]),
    (
        "julia",
        "function a(b::C, d...; e = F) where {T}\n  g = h.i(b)\n  @j map(k -> k + g, d)\nend",
        ["C", "F", "h", "h i()", "j()", "map()"],
    ),
    (
        "solidity",
        "contract A is B { C d; function e(F g) f2 public { emit H(g.i, d.j()); } }",
        ["B", "C", "F", "f2()", "H()", "g i", "d", "d j()"],
    ),
    ("proto", "message A { b.C d = 1; E f = 2; map<string, G> h = 3; }", ["b", "b C", "E", "G"]),
    ("graphql", "type A implements B @c { d(e: F = G): [H!]! }", ["B", "c()", "F", "G", "H"]),
    (
        "zig",
        "fn a(b: C) d.E { const f = b.g(.{ .h = I }); return J{ .k = f }; }",
        ["C", "d", "d E", "b g()", "() h", "I", "J()", "() k"],
    ),
    ("clojure", "(defn a [b {:keys [c]}] (let [d (e.f/g b)] (h d c #'i)))", ["defn()", "let()", "e.f g()", "h()", "i"]),
    ("sql", "SELECT a.b, c(d) FROM e.f AS a JOIN g ON g.h = a.i;", ["a b", "c()", "d", "e", "e f", "g", "g", "g h", "a i"]),
    ("hcl", 'resource "a" "b" {\n  c = var.d\n  e = f(g.h[0].i)\n}', ["var d", "f()", "g h", "() i"]),
    ("cmake", "a(b ${C})\nfunction(d e)\n  f(${e})\nendfunction()", ["a()", "b", "C", "f()"]),
    ("powershell", "function A([B]$c) { $d = Get-E $c; $c.F($G); [H]::I() }", ["B", "Get-E()", "$c F()", "$G", "H", "() I()"]),
    ("nix", "{ a, b ? c }: let d = e.f a; in g d b.h", ["c", "e", "e f()", "g()", "d", "b h"]),
    ("css", "a { b: var(--c); animation: d; }", ["--c", "d"]),
    ("scss", "@mixin a($b) { c: $b; }\n.d { @include a; f: g($e); }", ["a()", "g()", "$e"]),
]

# language, text, its imports: the module, its name after a colon, what the file calls it after an arrow
IMPORTS = [
    ("c", '#include "a/b.h"\n#include <c.h>', ["a/b.h:*", "c.h:*"]),
    ("objc", "#import <A/B.h>\n@import C;", ["A/B.h:*", "C:*"]),
    ("swift", "import A\nimport struct B.C", ["A:*", "B.C:*"]),
    (
        "dart",
        "import 'a.dart' show B, C;\nimport 'd.dart' as e;\nimport 'f.dart' hide G;",
        ["a.dart:B>B", "a.dart:C>C", "d.dart:>e", "f.dart:*"],
    ),
    ("dart", "export 'a.dart';\npart 'b.dart';", ["a.dart:*", "b.dart:*"]),
    ("lua", 'local a = require("b.c")\nreturn require "d".e, print("f")', ["b.c:>a", "d:"]),
    ("bash", 'source "$A/b.sh"\n. ./c.sh\necho d.sh', ["$A/b.sh:*", "./c.sh:*"]),
    ("elixir", "alias A.{B, C.D}\nalias E.F, as: G\nimport H\nuse I, :j", ["A:B>B", "A:C.D>D", "E.F:>G", "H:*", "I:*"]),
    ("erlang", '-include("a.hrl").\n-import(b, [c/1, d/2]).', ["a.hrl:*", "b:c>c", "b:d>d"]),
    (
        "haskell",
        "import A.B\nimport qualified C.D as E\nimport F (g, H(..))\nimport I hiding (j)",
        ["A.B:*", "C.D:>E", "F:g>g", "F:H>H", "I:*"],
    ),
    ("ocaml", "open A.B\ninclude C.Make (D)\nmodule E = F.G", ["A.B:*", "C.Make:*", "F.G:>E"]),
    ("perl", "use strict;\nuse A::B qw(c);\nuse parent 'D';\nrequire E;", ["A::B:*", "D:", "E:"]),
    ("r", 'library(a)\nsource("b.R")\nprint("c")', ["a:*", "b.R:*"]),
    ("julia", 'using A: b, c as d\nimport E.F\nusing G\ninclude("h.jl")', ["A:b>b", "A:c>d", "E.F:>F", "G:*", "h.jl:*"]),
    (
        "solidity",
        'import "./a.sol";\nimport {B, C as D} from "e.sol";\nimport * as F from "g.sol";',
        ["./a.sol:*", "e.sol:B>B", "e.sol:C>D", "g.sol:>F"],
    ),
    ("proto", 'import "a/b.proto";\nimport public "c.proto";', ["a/b.proto:*", "c.proto:*"]),
    ("zig", 'const a = @import("b.zig");\nconst c = @import("d.zig").E;', ["b.zig:>a", "d.zig:", "d.zig:E>c"]),
    ("clojure", "(ns a (:require [b.c :as d] [e :refer [f g?]]) (:import (h I)))", ["b.c:>d", "e:f>f", "e:g?>g?", "h:I>I"]),
    ("hcl", 'module "a" {\n  source = "./b"\n}\nlocals {\n  source = "c"\n}', ["./b:>a"]),
    ("cmake", "include(a/b.cmake)\nadd_subdirectory(c)\nmessage(d)", ["a/b.cmake:*", "c:*"]),
    ("powershell", "using module ./a.psm1\nImport-Module ./b.psm1\n. ./c.ps1", ["./a.psm1:*", "./b.psm1:*", "./c.ps1:*"]),
    ("nix", "{ a = import ./b.nix; c = [ ./d ]; }", ["./b.nix:", "./d:"]),
    ("scss", '@use "a";\n@import "b";', ["a:*", "b:*"]),
]


@pytest.mark.parametrize(("language", "text", "uses"), USES, ids=[language for language, _, _ in USES])
def test_a_line_uses_what_it_does_not_bind(language: str, text: str, uses: list[str]) -> None:
    found = outline_of(text.encode(), languages()[language]).uses
    assert uses == [f"{each.qualifier} {each.name}".strip() + ("()" if each.is_call else "") for each in found]


@pytest.mark.parametrize(("language", "text", "imports"), IMPORTS, ids=[language for language, _, _ in IMPORTS])
def test_a_line_imports_what_it_says(language: str, text: str, imports: list[str]) -> None:
    found = outline_of(text.encode(), languages()[language]).imported
    assert imports == [f"{each.module}:{each.name}" + (f">{each.alias}" if each.alias else "") for each in found]
