"""A small repository whose calls go through an interface, a registry, local variables, nested functions and values."""

from __future__ import annotations

FILES = {
    "shop/base.py": '''"""Who answers orders."""
import abc


class Handler(abc.ABC):
    """Answers one kind of order."""

    @abc.abstractmethod
    def handle(self, order: str) -> str:
        """Answer an order."""


class Coffee(Handler):
    """Brews."""

    def handle(self, order: str) -> str:
        return brew(order)


class Tea(Handler):
    def handle(self, order: str) -> str:
        return steep(order)


def brew(order: str) -> str:
    """Make coffee."""
    if not order:
        raise ValueError("nothing ordered")
    for part in order.split():
        if part != "decaf":
            return finish(part)
    return ""


def steep(order: str) -> str:
    return finish(order)


def finish(order: str) -> str:
    """Put a lid on it."""
    return order.upper()
''',
    "shop/counter.py": '''"""Where orders are taken."""
from shop.base import Coffee, Handler, finish, steep


class Counter:
    def __init__(self, handler: Handler) -> None:
        self.handler = handler

    def serve(self, order: str) -> str:
        handler: Handler = self.handler
        served = handler.handle(order)
        return served

    def open(self) -> str:
        first = self.serve("flat white")
        return first


REGISTRY = {"coffee": Coffee}
STEPS = [steep]


def wrapped():
    def inner(order: str) -> str:
        return finish(order)

    return inner


def passing() -> str:
    return use(finish)


def use(what) -> str:
    return what("x")


def error() -> None:
    get()


def get() -> None:
    pass


def lonely(n: int) -> int:
    return lonely(n - 1) if n else 0


def by_name(name: str) -> None:
    globals()["lonely_" + name]()  # lonely is called so
''',
    "shop/other.py": '''"""A second one."""


class Tea:
    """A plant."""
''',
    "tests/test_counter.py": """from shop.base import Coffee, brew
from shop.counter import Counter


def helper() -> Counter:
    return Counter(Coffee())


def test_open() -> None:
    assert helper().open() == "FLAT"


def test_inside() -> None:
    def local() -> str:
        return brew("tea")

    assert local() == "TEA"
""",
    "web/add.ts": "export function add(a: number): number {\n  return a + 1\n}\n",
    "web/add.test.ts": "import { add } from './add'\n\ndescribe('add', () => {\n  it('adds', () => {\n    const sum = add(1)\n"
    "    expect(sum).toBe(2)\n  })\n})\n",
    "docs/guide.md": "# Guide\n\nOrders are taken at the counter.\n",
}
"""Path -> text."""
