"""The SDK, imported for a server alone: an agent waits for every import before its first answer.

Two things take much of the time that the SDK needs, and a server over standard input and output uses little of either. ``mcp`` and
``mcp.server`` re-export a client, its HTTP library and a second kind of server; and hundreds of models of messages get their
validators at import, of which a session uses a few. So both packages are made known to the import system without running their
``__init__``, which happens as soon as somebody asks for a name of theirs, and validators are built when they are first used, by a
setting of pydantic's. Nothing of the SDK is replaced.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Final

_PACKAGES: Final = ("mcp", "mcp.server")


class _Unread(ModuleType):
    """A package whose ``__init__`` runs when a name is missed."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or self.__spec__ is None or self.__spec__.loader is None:
            raise AttributeError(name)
        object.__setattr__(self, "__class__", ModuleType)
        self.__spec__.loader.exec_module(self)
        return getattr(self, name)


@contextmanager
def imported_lightly() -> Iterator[None]:
    """What is imported within, of the SDK or with it, is imported for a server.

    Raises:
        ModuleNotFoundError: the SDK is not installed.
    """
    gc.disable()  # modules are made to stay: looking through them for what may go takes a seventh of the time, and finds nothing
    for name in _PACKAGES:
        _leave_unread(name)
    from pydantic import BaseModel

    BaseModel.model_config["defer_build"] = True
    try:
        yield
    finally:
        del BaseModel.model_config["defer_build"]
        gc.freeze()
        gc.enable()


def _leave_unread(name: str) -> None:
    """Make a package known that is not imported yet."""
    if name in sys.modules:
        return
    spec = importlib.util.find_spec(name)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    package = _Unread(name)
    package.__spec__, package.__path__, package.__file__ = spec, spec.submodule_search_locations, spec.origin
    sys.modules[name] = package
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, package)
