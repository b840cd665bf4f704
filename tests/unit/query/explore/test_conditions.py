"""The innermost line that decides whether a place in a function is reached."""

from __future__ import annotations

import pytest

from hardtack.query.explore.conditions import condition_of


@pytest.mark.parametrize(
    ("code", "condition"),
    [
        ("def f():\n    if x:\n        >call()", "if x"),
        ("def f():\n    if x:\n        a()\n    >call()", ""),
        ("def f():\n    if x:\n        for y in z:\n            if w:\n                a()\n            >call()", "for y in z"),
        ("def f():\n    try:\n        a()\n    except ValueError:\n        >call()", "except ValueError"),
        ("def f():\n    if x:\n        a()\n    else:\n        >call()", "else"),
        ("func f() {\n\tif c != nil {\n\t\t>c.Next()\n\t}\n}", "if c != nil"),
        ("function f() {\n  if (a) {\n    b()\n  } else if (c) {\n    >d()\n  }\n}", "else if (c)"),
        ("fn f() {\n    match a {\n        Some(x) => {\n            >g(x)\n        }\n    }\n}", "Some(x) =>"),
        ("function f() {\n  switch (a) {\n    case 1:\n      >b()\n  }\n}", "case 1"),
        ("def f():\n    if call_it(a, b):\n        pass\n>    if call(): return", ""),
        ("def f():\n    with a:\n        >call()", ""),
        ("def f():\n    ifs = 1\n    >call()", ""),
        ("def f(): >call()", ""),
        ("def f():\n\n    while x:\n\n        # if y:\n        >call()", "while x"),
        ("def f():\n    if (\n        a\n        and b\n    ):\n        >call()", "if (a and b)"),
        ("void f() {\n  if (a &&\n      b(c)) {\n    >d();\n  }\n}", "if (a && b(c))"),
        ("void f() {\n  if (a\n      || b)\n  {\n    >d();\n  }\n}", "if (a || b)"),
        ("def f\n  if a &&\n     b\n    >c\n  end\nend", "if a && b"),
        ("function f() {\n  for (\n    const a of b(\n      c,\n    )\n  ) {\n    >d(a)\n  }\n}", "for (const a of b(c,))"),
        ("func f() {\n\tg(\n\t\ta,\n\t)\n\t>h()\n}", ""),
        ("void f()\n{\n  >g();\n}", ""),
    ],
)
def test_the_line_is_told_without_its_indentation_and_brace(code: str, condition: str) -> None:
    place = next(number for number, line in enumerate(code.split("\n")) if ">" in line.replace("=>", ""))
    lines = [line if number != place else line.replace(">", "", 1) for number, line in enumerate(code.split("\n"))]
    assert condition == condition_of(lines, place)


def test_a_long_line_is_shortened() -> None:
    assert len(condition_of(["def f():", f"    if {'x' * 500}:", "        call()"], 2)) < 130


def test_a_long_condition_over_several_lines_is_cut_with_an_ellipsis() -> None:
    lines = [
        "def f():",
        "    if (",
        *(f"        argument_{n} > {n} and" for n in range(40)),
        "        x",
        "    ):",
        "        call()",
    ]
    said = condition_of(lines, len(lines) - 1)
    assert said.startswith("if (argument_0 > 0 and argument_1 > 1 and ")
    assert said.endswith("...")
    assert len(said) < 130


@pytest.mark.parametrize("place", [-1, 0, 3, 10**9])
def test_a_place_outside_the_function_has_none(place: int) -> None:
    assert "" == condition_of(["def f():", "    if x:", "        call()"], place)
