"""Input that is made to be followed for ever: resolving ends, and what lies within its limits is found all the same."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from hardtack.build.relations.relate import Relater

Write = Callable[..., Any]


def test_a_long_chain_of_files_that_hand_a_name_on_is_followed_up_to_the_limit(write: Write) -> None:
    files = {f"m{number}.py": f"from m{number + 1} import thing\n" for number in range(400)}
    files |= {
        "m399.py": "def thing(): pass\n",
        "near.py": "from m310 import thing\n<<thing>>()\n",
        "far.py": "from m0 import thing\n<<thing>>()\n",
    }
    assert write(files).meanings() == ["m399.py thing possible", "m399.py thing exact"]


def test_modules_that_all_take_everything_from_each_other_are_asked_once(write: Write) -> None:
    count = 40
    taken = "".join(f"from m{number} import *\n" for number in range(count))
    files = {f"m{number}.py": f"{taken}def own{number}(): pass\n" for number in range(count)}
    files |= {"use.py": "from m0 import *\n<<own39>>()\n<<gone>>()\n", "z.py": "class K:\n    def gone(self): pass\n"}
    assert write(files).meanings() == ["m39.py own39 exact", "nothing"]


def test_a_deep_line_of_classes_is_climbed_without_recursion(write: Write) -> None:
    classes = "".join(f"class C{number}(C{number - 1}): pass\n" for number in range(1, 2000))
    text = f"class C0:\n    def base(self): pass\n{classes}def f(a: C50, b: C1999):\n    a.<<base>>()\n    b.base()\n"
    assert write({"a.py": text}).meanings() == ["a.py C0.base exact"]


def test_many_uses_of_a_member_that_many_types_have_are_several(write: Write) -> None:
    types = "".join(f"class C{number}:\n    def run(self): pass\n" for number in range(1500))
    uses = "".join(f"def f{number}(x): x.run()\n" for number in range(1500))
    assert write({"a.py": f"{types}{uses}def last(x): x.<<run>>()\n"}).meanings() == ["several"]


def test_variables_set_to_each_other_in_a_ring_have_no_type(write: Write) -> None:
    ring = "".join(f"v{number} = v{(number + 1) % 500}.x.y\n" for number in range(500))
    assert write({"a.py": f"class A:\n    def z(self): pass\n{ring}v7.<<z>>()\n"}).meanings() == ["a.py A.z likely"]


def test_nothing_that_names_are_resolved_with_waits_for_a_search_for_cycles(write: Write) -> None:
    """A build makes no such search: what resolves names is as large as all else, and members are still to be written."""
    text = "class A:\n    def z(self): return self\n\n\ndef f(a: A):\n    b = a.z()\n    b.<<z>>()\n"
    files = {"a.py": text, "b.py": "from a import *\nfrom a import A as B\nB().z()\n", "c.go": "package c\n\nfunc F() { F() }\n"}
    left: list[int] = []

    def relate(self: Relater, *arguments: Any) -> Any:
        gc.collect()
        related = whole(self, *arguments)
        left.append(gc.collect())
        return related

    whole, Relater.relate = Relater.relate, relate  # type: ignore[assignment, method-assign]
    gc.disable()
    try:
        assert write(files).meanings() == ["a.py A.z likely"]
    finally:
        gc.enable()
        Relater.relate = whole  # type: ignore[method-assign]
    assert left == [0]
