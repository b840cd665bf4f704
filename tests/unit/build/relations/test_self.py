"""What ``self`` and ``this`` are, and which members bare names reach, where a type's members are declared outside of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Write = Callable[..., Any]

OTHER = {
    "rs": "pub struct Pot;\nimpl Pot { pub fn shut(&self) {} }\n",
    "swift": "class Pot { func shut() {} }\n",
    "kt": "class Pot { fun shut() {} }\n",
    "m": "@implementation Pot\n- (void)shut {}\n@end\n",
    "dart": "class Pot { void shut() {} }\n",
}
"""Another type with a method of the same name, so that the name alone tells nothing."""

SELF = {
    "a.rs": "struct Jar;\nimpl Jar {\n    fn shut(&self) {}\n    fn f(&self) { self.<<shut>>(); Self::<<shut>>(self); }\n}\n",
    "a.swift": "class Jar { func shut() {} }\nextension Jar {\n    func f() { self.<<shut>>(); <<shut>>() }\n}\n",
    "a.kt": "class Jar { fun shut() {} }\nfun Jar.f() { this.<<shut>>(); <<shut>>() }\n",
    "a.m": "@interface Jar : NSObject\n- (void)shut;\n@end\n@implementation Jar\n- (void)shut {}\n"
    "- (void)f { [self <<shut>>]; [self <<shut>>]; }\n@end\n",
    "a.dart": "class Jar { void shut() {} }\nextension Lid on Jar {}\n"
    "class Rim extends Jar { void f() { this.<<shut>>(); <<shut>>(); } }\n",
}


@pytest.mark.parametrize("name", SELF)
def test_self_has_the_type_that_a_block_or_function_adds_to(write: Write, name: str) -> None:
    found = write({name: SELF[name], f"z.{name.rpartition('.')[2]}": OTHER[name.rpartition(".")[2]]}).meanings()
    assert found == [f"{name} Jar.shut exact"] * 2


def test_an_extension_in_another_file_reaches_the_members_of_its_type(write: Write) -> None:
    files = {
        "a.swift": "class Jar { func shut() {} }\nclass Pot { func shut() {} }\n",
        "b.swift": "extension Jar {\n    func f() { self.<<shut>>(); <<shut>>() }\n}\n",
    }
    assert write(files).meanings() == ["a.swift Jar.shut exact"] * 2


FIELDS = {
    "a.rs": "struct Svc { jar: Jar }\nstruct Jar;\nimpl Jar { fn shut(&self) {} }\n"
    "impl Svc { fn f(&self) { self.jar.<<shut>>(); } }\n",
    "a.swift": "class Jar { func shut() {} }\nclass Svc { var jar: Jar }\nextension Svc { func f() { self.jar.<<shut>>() } }\n",
    "a.kt": "class Jar { fun shut() {} }\nclass Svc(val jar: Jar)\nfun Svc.f() { this.jar.<<shut>>() }\n",
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_of_self_leads_on_to_its_type(write: Write, name: str) -> None:
    found = write({name: FIELDS[name], f"z.{name.rpartition('.')[2]}": OTHER[name.rpartition(".")[2]]}).meanings()
    assert found == [f"{name} Jar.shut exact"]


def test_the_receiver_of_a_message_has_its_type(write: Write) -> None:
    text = f"@interface Jar : NSObject\n- (void)shut;\n@end\n{OTHER['m']}void f(Jar *jar) {{ [jar <<shut>>]; }}\n"
    assert write({"a.m": text}).meanings() == ["a.m Jar.shut exact"]
