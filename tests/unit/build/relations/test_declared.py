"""A declaration and its definition are one symbol: headers and sources, stubs beside their source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Write = Callable[..., Any]

TANK = """
namespace yard {
class Pump { public: void start(); virtual ~Pump(); };
class Tank : public Pump {
public:
    Tank(int size = 1);
    ~Tank();
    void fill(int litres = 1) const;
    static Tank* make();
    Tank& operator+=(const Tank& other);
    class Lid { public: void lift(); };
    static int count;
private:
    Pump* pump;
};
template <typename T> class Rack { public: void put(T item); };
template <typename T> void Rack<T>::put(T item) {}
void drain(int litres);
}
"""
TANK_CPP = """
#include "tank.h"
namespace yard {
Tank::Tank(int size) { <<fill>>(); }
Tank::~Tank() {}
void Tank::fill(int litres) const {
    <<start>>(); <<pump>>-><<start>>(); this-><<fill>>(); <<count>> += 1; Lid lid; lid.<<lift>>();
}
Tank* Tank::make() { return new Tank(2); }
Tank& Tank::operator+=(const Tank& other) { return *this; }
void Tank::Lid::lift() {}
int Tank::count = 0;
void drain(int litres) {}
}
"""


def test_what_a_class_declares_in_a_header_is_what_its_source_defines(write: Write) -> None:
    files = {"src/tank.h": TANK, "src/tank.cpp": TANK_CPP}
    assert write(files).meanings() == [
        "src/tank.h yard.Tank.fill exact",
        "src/tank.h yard.Pump.start exact",
        "src/tank.h yard.Tank.pump exact",
        "src/tank.h yard.Pump.start exact",
        "src/tank.h yard.Tank.fill exact",
        "src/tank.h yard.Tank.count exact",
        "src/tank.h yard.Tank.Lid.lift exact",
    ]


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("void f(yard::Tank& t) { t.<<fill>>(); }", "yard.Tank.fill"),
        ("void f() { yard::Tank t; t.<<fill>>(); }", "yard.Tank.fill"),
        ("void f() { auto t = yard::Tank::make(); t-><<fill>>(); }", "yard.Tank.fill"),
        ("void f() { yard::Tank::<<make>>(); }", "yard.Tank.make"),
        ("void f() { yard::Tank::make()-><<fill>>(); }", "yard.Tank.fill"),
        ("void f() { yard::<<drain>>(1); }", "yard.drain"),
        ("using namespace yard;\nvoid f() { Rack<int> r; r.<<put>>(1); }", "yard.Rack.put"),
        ("using namespace yard;\nvoid f() { Tank::Lid l; l.<<lift>>(); }", "yard.Tank.Lid.lift"),
    ],
)
def test_a_call_from_another_file_means_the_one_symbol(write: Write, call: str, wanted: str) -> None:
    files = {"include/tank.h": TANK, "src/tank.cpp": TANK_CPP, "src/yard/main.cpp": '#include "tank.h"\n' + call}
    path, name, certainty = write(files).meanings()[-1].split()
    assert (name, certainty) == (wanted, "exact")
    assert path in ("include/tank.h", "src/tank.cpp")


def test_a_namespace_that_the_source_only_uses_or_a_macro_opens_is_the_one_of_the_header(write: Write) -> None:
    using = '#include "tank.h"\nusing namespace yard;\nvoid Tank::fill(int litres) const { <<start>>(); }\n'
    macro = '#include "tank.h"\nYARD_BEGIN\nvoid Tank::fill(int litres) const { <<start>>(); }\nYARD_END\n'
    call = '#include "tank.h"\nvoid f(yard::Tank& t) { t.<<fill>>(); }\n'
    for source in (using, macro):
        found = write({"tank.h": TANK, "tank.cpp": source, "x.cpp": call}).meanings()
        assert found == ["tank.h yard.Pump.start exact", "tank.h yard.Tank.fill exact"]


def test_a_namespace_in_one_word_is_seen_like_one_inside_another(write: Write) -> None:
    files = {
        "a.h": "namespace yard::old {\nclass Tank { public: static Tank& one(); void fill(); };\n}\n",
        "a.cpp": '#include "a.h"\nnamespace yard::old {\nvoid Tank::fill() {}\n}\n',
        "b.cpp": '#include "a.h"\nnamespace yard {\nvoid f() { old::Tank::<<one>>().<<fill>>(); }\n}\n',
    }
    assert write(files).meanings() == ["a.h yard.old.Tank.one exact", "a.h yard.old.Tank.fill exact"]


def test_a_namespace_that_a_file_opens_twice_is_the_one_of_the_other_files(write: Write) -> None:
    files = {
        "a.h": "namespace y::old { class Lid; }\nnamespace y::old { class Tank { public: void fill(); }; }\n",
        "b.h": "namespace y { namespace old { class Lid { public: void lift(); }; } }\n",
        "c.cpp": '#include "a.h"\n#include "b.h"\n'
        "namespace y { void f(old::Tank& t, old::Lid* l) { t.<<fill>>(); l-><<lift>>(); } }\n",
    }
    assert write(files).meanings() == ["a.h y.old.Tank.fill exact", "b.h y.old.Lid.lift exact"]


def test_an_alias_of_a_type_has_its_members(write: Write) -> None:
    files = {
        "tank.h": "class Tank { public: void fill(); };\nusing Held = std::shared_ptr<Tank>;\ntypedef Tank* TankPtr;\n",
        "a.cpp": '#include "tank.h"\nvoid f(Held a, TankPtr b) { a-><<fill>>(); b-><<fill>>(); }\n',
        "b.h": "typedef struct jar { int size; } Jar;\ntypedef Jar Pot;\n",
        "b.c": '#include "b.h"\nint f(Pot *pot) { return pot-><<size>>; }\n',
    }
    assert write(files).meanings() == ["tank.h Tank.fill exact", "tank.h Tank.fill exact", "b.h jar.size exact"]


def test_two_classes_of_one_name_keep_their_own_members(write: Write) -> None:
    files = {
        "a/tank.h": "class Tank { public: void fill(); };\n",
        "a/tank.cpp": '#include "tank.h"\nvoid Tank::fill() {}\n',
        "a/use.cpp": '#include "tank.h"\nvoid f(Tank& t) { t.<<fill>>(); }\n',
        "b/tank.h": "class Tank { public: void fill(); void drain(); };\n",
        "b/tank.cpp": '#include "tank.h"\nvoid Tank::fill() { <<drain>>(); }\nvoid Tank::drain() {}\n',
        "b/use.cpp": '#include "tank.h"\nvoid g(Tank& t) { t.<<fill>>(); }\n',
    }
    assert write(files).meanings() == [
        "a/tank.h Tank.fill exact",
        "b/tank.h Tank.drain exact",
        "b/tank.h Tank.fill exact",
    ]


def test_a_prototype_is_what_the_source_defines_and_static_functions_of_one_name_stay_apart(write: Write) -> None:
    files = {
        "hold.h": "int fill(int litres);\nextern int litres;\n",
        "hold.c": '#include "hold.h"\nint litres = 3;\nstatic int check(int n) {}\nint fill(int n) { return <<check>>(n); }\n',
        "main.c": '#include "hold.h"\nstatic int check(void) {}\nint main(void) { <<fill>>(<<litres>>); <<check>>(); }\n',
    }
    assert write(files).meanings() == [
        "hold.c check exact",
        "hold.c fill exact",
        "hold.c litres exact",
        "main.c check exact",
    ]


def test_what_only_a_source_declares_is_linked_to_the_one_definition(write: Write) -> None:
    files = {
        "a.c": "int fill(int n) { return n; }\n",
        "b.c": "extern int fill(int n);\nint f(void) { return <<fill>>(1); }\n",
        "c.c": "int fill(int n);\nint g(void) { return <<fill>>(1); }\n",
    }
    assert write(files).meanings() == ["a.c fill exact"] * 2


def test_platform_files_that_define_what_one_header_declares_are_one_thing(write: Write) -> None:
    files = {
        "clock.h": "long ticks(void);\n",
        "unix/clock.c": '#include "clock.h"\nlong ticks(void) { return 1; }\n',
        "win/clock.c": '#include "clock.h"\nlong ticks(void) { return 2; }\n',
        "main.c": '#include "clock.h"\nint main(void) { return <<ticks>>(); }\n',
    }
    assert write(files).meanings() == ["unix/clock.c ticks exact"]


def test_functions_of_other_parameters_are_not_what_a_header_declares(write: Write) -> None:
    files = {
        "circle.h": "struct Circle {};\nvoid draw(Circle c);\n",
        "square.cpp": '#include "circle.h"\nstruct Square {};\nvoid draw(Square s) {}\nvoid f() { <<draw>>(Square()); }\n',
        "circle.cpp": '#include "circle.h"\nvoid draw(const Circle c) {}\nvoid g() { <<draw>>(Circle()); }\n',
    }
    assert write(files).meanings() == ["circle.cpp draw exact", "square.cpp draw exact"]


JAR_H = """
#import "Lid.h"
@interface Jar : Base <Opens>
@property (nonatomic, strong) Lid *lid;
- (void)put:(id)what at:(int)place;
- (void)open;
+ (instancetype)shared;
@end
"""
JAR_M = """
#import "Jar.h"
@interface Jar ()
@property (nonatomic) Lid *spare;
@end
@implementation Jar
- (void)put:(id)what at:(int)place { [self <<open>>]; [super <<rest>>]; [self.spare <<lift>>]; }
- (void)open {}
+ (instancetype)shared { return [[Jar alloc] init]; }
@end
"""


def test_a_message_in_objective_c_means_what_interface_and_implementation_are_one_of(write: Write) -> None:
    use = (
        '#import "Jar.h"\nvoid f(Jar *jar) {\n  [jar <<put>>:1 at:2];\n  [[Jar <<shared>>] <<open>>];\n  [jar.lid <<lift>>];\n'
        "  id any = g();\n  [any put:1 <<at>>:2];\n  call(@selector(<<put>>:at:));\n}\n"
    )
    lid = "@interface Base\n- (void)rest;\n@end\n@interface Lid : Base\n- (void)lift;\n@end\n"
    assert write({"Jar.h": JAR_H, "Jar.m": JAR_M, "Lid.h": lid, "use.m": use}).meanings() == [
        "Jar.h Jar.open exact",
        "Lid.h Base.rest exact",
        "Lid.h Lid.lift exact",
        "Jar.h Jar.put:at: exact",
        "Jar.h Jar.shared exact",
        "Jar.h Jar.open exact",
        "Lid.h Lid.lift exact",
        "nothing",  # a selector stands at its first word
        "Jar.h Jar.put:at: likely",
    ]


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        (
            {
                "jar.py": "class Jar:\n    def open(self): pass\n",
                "jar.pyi": "class Jar:\n    def open(self) -> None: ...\n",
                "use.py": "def f(x): x.<<open>>()\nfrom jar import Jar\ndef g(j: Jar): j.<<open>>()\n",
            },
            ["jar.py Jar.open likely", "jar.py Jar.open exact"],
        ),
        (
            {
                "jar.js": "export class Jar { open() {} }\nexport function make() { return new Jar() }\n",
                "jar.d.ts": "export declare class Jar { open(): void }\nexport declare function make(): Jar\n",
                "use.ts": "import { make } from './jar'\nfunction f(x) { x.<<open>>() }\n<<make>>().<<open>>()\n",
            },
            ["jar.js Jar.open likely", "jar.js make exact", "jar.js Jar.open exact"],
        ),
        (
            {
                "jar.ml": "let fill n = n\nlet twice n = <<fill>> n\n",
                "jar.mli": "val fill : int -> int\n",
                "use.ml": "let f n = Jar.<<fill>> n\nopen Jar\nlet g n = <<fill>> n\n",
            },
            ["jar.ml fill exact", "jar.ml fill exact", "jar.ml fill exact"],
        ),
    ],
    ids=["python", "javascript", "ocaml"],
)
def test_a_stub_declares_what_the_source_beside_it_defines(write: Write, files: dict[str, str], wanted: list[str]) -> None:
    assert write(files).meanings() == wanted
