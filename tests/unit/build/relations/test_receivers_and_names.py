"""Words for the object around in one language that are names like others in another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Write = Callable[..., Any]

CALLED_ALIKE = {
    "A.java": "class Lid { void shut() {} }\nclass Pot { void shut() {} }\nclass Jar extends Pot {\n"
    "  void shut() {}\n  Lid parent, base, me;\n"
    "  void f(Lid self) { self.<<shut>>(); parent.<<shut>>(); base.<<shut>>(); me.<<shut>>(); }\n"
    "  void g() { super.<<shut>>(); this.<<shut>>(); }\n}\n",
    "a.cs": "class Lid { public void Shut() {} }\nclass Pot { public void Shut() {} }\nclass Jar : Pot {\n  void Shut() {}\n"
    "  Lid parent, other, me;\n  void F(Lid self) { self.<<Shut>>(); parent.<<Shut>>(); other.<<Shut>>(); me.<<Shut>>(); }\n"
    "  void G() { base.<<Shut>>(); this.<<Shut>>(); }\n}\n",
    "a.kt": "class Lid { fun shut() {} }\nopen class Pot { fun shut() {} }\n"
    "class Jar(val parent: Lid, val base: Lid, val me: Lid) : Pot() {\n"
    "  fun shut() {}\n  fun f(self: Lid) { self.<<shut>>(); parent.<<shut>>(); base.<<shut>>(); me.<<shut>>() }\n"
    "  fun g() { super.<<shut>>(); this.<<shut>>() }\n}\n",
    "a.py": "class Lid: \n    def shut(self): pass\nclass Pot:\n    def shut(self): pass\nparent = Lid()\n"
    "base = Lid()\nclass Jar(Pot):\n"
    "    def shut(self): pass\n    def f(self, me: Lid, this: Lid):\n"
    "        parent.<<shut>>(); base.<<shut>>(); me.<<shut>>(); this.<<shut>>()\n        super().<<shut>>(); self.<<shut>>()\n",
}


@pytest.mark.parametrize("name", CALLED_ALIKE)
def test_a_variable_may_have_a_word_of_another_language_for_the_object_around(write: Write, name: str) -> None:
    found = [each.lower() for each in write({name: CALLED_ALIKE[name]}).meanings()]
    assert found == [f"{name.lower()} lid.shut exact"] * 4 + [f"{name.lower()} pot.shut exact", f"{name.lower()} jar.shut exact"]


def test_a_parameter_called_self_is_of_its_declared_type_if_it_has_one(write: Write) -> None:
    text = (
        "class Lid:\n    def shut(self): pass\nclass Jar:\n    def shut(self): pass\n    def f(self):\n        self.<<shut>>()\n"
        "        def g(self: Lid):\n            self.<<shut>>()\n    @classmethod\n    def h(cls): cls.<<shut>>()\n"
    )
    assert write({"a.py": text}).meanings() == ["a.py Jar.shut exact", "a.py Lid.shut exact", "a.py Jar.shut exact"]


def test_self_is_a_variable_like_others_where_it_is_no_word_of_the_language(write: Write) -> None:
    text = "class Lid { shut() {} }\nclass Jar { shut() {}\n  f(self) { self.<<shut>>(); const me = make(); me.<<shut>>(); } }\n"
    assert write({"a.js": text}).meanings() == ["several", "several"]
