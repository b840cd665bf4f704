"""Extension methods of C#: a call of one is tied to the method for the type before the dot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Write = Callable[..., Any]

EXTENSIONS = """namespace Shop.Extensions {
  public static class JarExtensions {
    public static int Fill(this Jar jar, int n) { return n; }
    public static Jar Lid(this IJar jar) { return null; }
    public static T Also<T>(this T it) { return it; }
    public static bool Blank(this string text) { return text == null; }
  }
  public static class TankExtensions {
    public static int Fill(this Tank tank, int n) { return n; }
    public static int Blank(this int text) { return 1; }
  }
}
"""
TYPES = """namespace Shop {
  public interface IJar { }
  public class Jar : IJar { public int Size() { return 1; } }
  public class Tank { public Jar Inner; }
  public class Outer : Library.Thing { }
}
"""
JAR, TANK = "Ext.cs JarExtensions", "Ext.cs TankExtensions"


@pytest.mark.parametrize(
    ("call", "meaning"),
    [
        ("jar.<<Fill>>(1)", f"{JAR}.Fill exact"),
        ("jar?.<<Fill>>(1)", f"{JAR}.Fill exact"),
        ("new Jar().<<Fill>>(1)", f"{JAR}.Fill exact"),
        ("tank.<<Fill>>(1)", f"{TANK}.Fill exact"),
        ("tank.Inner.<<Fill>>(1)", f"{JAR}.Fill exact"),
        ("jar.<<Lid>>()", f"{JAR}.Lid exact"),
        ("jar.Lid().<<Fill>>(1)", f"{JAR}.Fill exact"),
        ("jar.<<Also>>()", f"{JAR}.Also exact"),
        ("text.<<Blank>>()", f"{JAR}.Blank likely"),
        ("outer.<<Also>>()", f"{JAR}.Also likely"),
    ],
)
def test_a_call_after_a_value_is_one_of_the_extension_method_for_its_type(write: Write, call: str, meaning: str) -> None:
    method = f"void A(Jar jar, Tank tank, string text, Outer outer) {{ {call}; }}"
    use = f"using Shop.Extensions;\nnamespace Shop {{ class Use {{ {method} }} }}\n"
    assert [meaning] == write({"Ext.cs": EXTENSIONS, "Types.cs": TYPES, "Use.cs": use}).meanings()


def test_a_member_of_the_type_itself_goes_before_an_extension(write: Write) -> None:
    extension = "static class Ext { public static int Size(this Jar jar) { return 2; } }\n"
    use = "class Use { void A(Jar jar) { jar.<<Size>>(); } }\n"
    jar = "class Jar { public int Size() { return 1; } }\n"
    assert ["Jar.cs Jar.Size exact"] == write({"Ext.cs": extension, "Jar.cs": jar, "Use.cs": use}).meanings()
